"""The options and arguments of each command; what it does is in the module of its name."""
