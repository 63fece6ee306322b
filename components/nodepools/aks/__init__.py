"""Settings of AKS and its services, and its components: the only folder that imports azure-native. The names are listed in `__init__.pyi`."""

from nodepools.public_names import public_names

__getattr__, __dir__, __all__ = public_names(__name__)
