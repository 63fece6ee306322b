"""Values of the zone label of nodes: zones of the region of the cluster, or of any region if it is not known."""

import re
from dataclasses import dataclass

from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.eks.cluster import EksClusterArgs


@dataclass(frozen=True, slots=True)
class Zones:
    """The valid values of the label."""

    where: str
    example: str
    pattern: str

    def has(self, zone: str) -> bool:
        """`zone` is a valid value."""
        return re.fullmatch(self.pattern, zone) is not None


def aks_zones(cluster: AksClusterArgs | None) -> Zones:
    """The region with a number; `0` for nodes without a zone."""
    if cluster is None:
        return Zones("any region", "westeurope-1", r"[a-z][a-z0-9]*-[0-9]+|0")
    region = cluster.location.lower().replace(" ", "")
    return Zones(region, f"{region}-1", rf"{re.escape(region)}-[0-9]+|0")


def eks_zones(cluster: EksClusterArgs | None) -> Zones:
    """The region with a letter; Local Zones and Wavelength Zones, such as `us-west-2-lax-1a`, also begin with their region."""
    if cluster is None:
        return Zones("any region", "us-east-1a", r"[a-z]{2,4}(-[a-z]+)+-[0-9]+[a-z0-9-]+")
    return Zones(cluster.region, f"{cluster.region}a", rf"{re.escape(cluster.region)}.*")
