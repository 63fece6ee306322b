"""The storage classes that AKS creates. Source: https://learn.microsoft.com/azure/aks/concepts-storage, section "Storage classes"."""

from typing import Final

from nodepools.model.kubernetes.volumes import VolumeClass

_DISKS: Final = ("default", "managed", "managed-csi", "managed-csi-premium", "managed-premium")
_FILES: Final = ("azurefile", "azurefile-csi", "azurefile-csi-premium", "azurefile-premium")

AKS_CLASSES: Final = (
    *(VolumeClass(name, "disk.csi.azure.com", is_default=name == "default") for name in _DISKS),
    *(VolumeClass(name, "file.csi.azure.com", immediate=True) for name in _FILES),
)
