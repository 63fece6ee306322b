"""Rules, by what they are about, and what own rules need, as `__init__.pyi` lists it.

Modules are found, not listed: a rule in a new module of a folder is one of the library.
"""

from nodepools.public_names import public_names

__getattr__, __dir__, __all__ = public_names(__name__)
