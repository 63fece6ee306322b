"""Common parts of all components: they check their arguments and register children in the same way."""
