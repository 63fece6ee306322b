"""Rules, by what they are about. Modules are found, not listed: a rule in a new module of a folder is one of the library."""
