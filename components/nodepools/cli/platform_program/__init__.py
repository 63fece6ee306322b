"""The Pulumi program of `nodepools preview --file`: `__main__.py` is run as a program, and not imported."""
