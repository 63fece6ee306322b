"""The zones that NodePools name by the label of nodes: of the region of the cluster, or of any where the region is not known."""

import re
from dataclasses import dataclass

from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.eks.cluster import EksClusterArgs


@dataclass(frozen=True, slots=True)
class Zones:
    """What the label can be."""

    where: str
    example: str
    pattern: str

    def has(self, zone: str) -> bool:
        """A node can say that it is in `zone`."""
        return re.fullmatch(self.pattern, zone) is not None


def aks_zones(cluster: AksClusterArgs | None) -> Zones:
    """The region and a number; `0` is a node in no zone."""
    if cluster is None:
        return Zones("any region", "westeurope-1", r"[a-z][a-z0-9]*-[0-9]+|0")
    region = cluster.location.lower().replace(" ", "")
    return Zones(region, f"{region}-1", rf"{re.escape(region)}-[0-9]+|0")


def eks_zones(cluster: EksClusterArgs | None) -> Zones:
    """The region and a letter; Local Zones and Wavelength Zones, such as `us-west-2-lax-1a`, begin with their region too."""
    if cluster is None:
        return Zones("any region", "us-east-1a", r"[a-z]{2,4}(-[a-z]+)+-[0-9]+[a-z0-9-]+")
    return Zones(cluster.region, f"{cluster.region}a", rf"{re.escape(cluster.region)}.*")
