"""Settings of AKS and its services, and its components: the only folder that imports azure-native. The stub of the package lists the names."""

from nodepools.public_names import names_of

__getattr__, __dir__, __all__ = names_of(__name__)
