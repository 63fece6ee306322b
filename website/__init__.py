"""The documentation site: `make docs` writes it to build/site. Pages of docs/ are taken as they are; the reference is generated."""
