"""Rules, by what they are about, and what own rules need, as the stub of the package lists it.

Modules are found, not listed: a rule in a new module of a folder is one of the library.
"""

from nodepools.public_names import names_of

__getattr__, __dir__, __all__ = names_of(__name__)
