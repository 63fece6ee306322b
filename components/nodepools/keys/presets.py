"""Groups of requirements to add to a pool's own: `[*presets.eks_general_purpose, keys.eks.instance_cpu.less_than(33)]`."""

from typing import Final

from nodepools.keys import aks, eks

eks_general_purpose: Final = (
    eks.capacity_type.one_of("on-demand"),
    eks.arch.one_of("amd64"),
    eks.instance_category.one_of("c", "m", "r"),
    eks.instance_generation.more_than(4),
)
"""The requirements of the built-in `general-purpose` pool of EKS Auto Mode."""
aks_general_purpose: Final = (
    aks.capacity_type.one_of("on-demand"),
    aks.arch.one_of("amd64"),
    aks.os.one_of("linux"),
    aks.sku_family.one_of("D"),
)
"""The requirements of the built-in `default` pool of AKS node auto provisioning."""
