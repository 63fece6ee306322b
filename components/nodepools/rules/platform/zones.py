"""Values of the zone label of nodes: zones of the region of the cluster, or of any region if it is not known."""

import re
from dataclasses import dataclass

from nodepools.data.regions import azure_name, azure_regions
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.eks.cluster import EksClusterArgs


@dataclass(frozen=True, slots=True)
class Zones:
    """The valid values of the label."""

    where: str
    example: str
    pattern: str
    regions_without: frozenset[str] = frozenset()
    """Regions without zones."""

    def has(self, zone: str) -> bool:
        """`zone` is a valid value."""
        return re.fullmatch(self.pattern, zone) is not None and zone.partition("-")[0] not in self.regions_without


def aks_zones(cluster: AksClusterArgs | None) -> Zones:
    """The region with a number; `0` for nodes without a zone."""
    without = azure_regions().without_zones
    if cluster is None:
        return Zones("any region", "westeurope-1", r"[a-z][a-z0-9]*-[0-9]+|0", without)
    region = azure_name(cluster.location)
    return Zones(region, "0" if region in without else f"{region}-1", rf"{re.escape(region)}-[0-9]+|0", without)


def eks_zones(cluster: EksClusterArgs | None) -> Zones:
    """The region with a letter; Local Zones and Wavelength Zones, such as `us-west-2-lax-1a`, also begin with their region."""
    if cluster is None:
        return Zones("any region", "us-east-1a", r"[a-z]{2,4}(-[a-z]+)+-[0-9]+[a-z0-9-]+")
    return Zones(cluster.region, f"{cluster.region}a", rf"{re.escape(cluster.region)}.*")
