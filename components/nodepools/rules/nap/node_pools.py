"""NodePools of node auto provisioning: zones, capacity types, operating systems, unset fields. Facts: docs/facts/aks.md § 3.4 to § 3.7."""

from collections.abc import Iterator

from nodepools.keys import aks as keys
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.node_provisioning import AksNodePool
from nodepools.model.karpenter import Requirement
from nodepools.rules.engine.finding import PartFinding, Severity
from nodepools.rules.engine.finding_text import ref
from nodepools.rules.engine.fix import certain, remove, set_to
from nodepools.rules.engine.registry import Sample, finding, rule
from nodepools.rules.engine.samples import AMD64, aks_pool, provisioning
from nodepools.rules.platform.labels import aks_zones, allowed_values

_POOLS = "https://learn.microsoft.com/azure/aks/node-auto-provisioning-node-pools"
_BOUGHT = frozenset({"on-demand", "spot"})


@rule(
    "NAP018",
    Severity.WARNING,
    source=f"{_POOLS}: zones are written region-number",
    sample=Sample(
        "node_provisioning.node_pools.general.requirements[2].values[1]",
        lambda: provisioning({"general": aks_pool(keys.zone.one_of("westeurope-1", "2"))}),
    ),
)
def ignored_zone(requirement: Requirement, _: AksNodePool, cluster: AksClusterArgs | None) -> Iterator[PartFinding]:
    """Karpenter ignores values of the zone label that are not zones of the region."""
    if requirement.label != keys.zone.name or requirement.operator != "In":
        return
    zones = aks_zones(cluster)
    known = [zones.has(value) for value in requirement.values]
    for index, is_zone in enumerate(known):
        if any(known) and not is_zone:
            where = f"`{zones.where}`" if cluster is not None else zones.where
            value = requirement.values[index]
            message = f"`{value}` is not the name of a zone of {where}: Karpenter ignores it"
            full = f"{cluster.location}-{value}" if cluster is not None else ""
            is_meant = zones.has(full) and full not in requirement.values
            yield finding(
                requirement, message, path=("values", index), fix=certain(set_to(("values", index), full)) if is_meant else remove(("values", index))
            )


@rule(
    "NAP070",
    Severity.ERROR,
    source="karpenter-provider-azure, pkg/providers/instancetype: offerings are on-demand and spot, none is reserved, 2026-08",
    sample=Sample("requirements", lambda: aks_pool(requirements=[AMD64, Requirement(keys.capacity_type.name, "NotIn", ["on-demand", "spot"])])),
)
def reserved_capacity_with_nap(pool: AksNodePool) -> Iterator[PartFinding]:
    """Node auto provisioning has no reserved capacity: a NodePool that allows nothing else never launches a node."""
    capacity = allowed_values(pool, keys.capacity_type.name)
    listed = any(
        requirement.label == keys.capacity_type.name and requirement.operator == "In" and not _BOUGHT & set(requirement.values)
        for requirement in pool.requirements
    )
    if "reserved" in capacity and not any(bought in capacity for bought in _BOUGHT) and not listed:  # a list of nothing that there is: KAR043 tells
        message = "No node is ever launched: the requirements leave only reserved capacity, which node auto provisioning does not have"
        fix = f"Allow `on-demand` or `spot` in the requirement on `{keys.capacity_type.name}`"
        yield finding(pool, message, path="requirements", value=None, fix=fix)


@rule(
    "NAP030",
    Severity.NOTE,
    source="NodePool CRD (karpenter.sh/v1): expireAfter, 720h; expiry asks no budget",
    sample=Sample("expire_after", lambda: aks_pool(expire_after=None)),
)
def default_node_expiry(pool: AksNodePool) -> Iterator[PartFinding]:
    """Karpenter replaces nodes after 720h (30 days) by default, whatever the disruption budgets."""
    if pool.expire_after is None:
        message = f"Without {ref('expire_after')} nodes are replaced after 720h (30 days), whatever the disruption budgets"
        yield finding(pool, message, path="expire_after")


@rule(
    "NAP031",
    Severity.NOTE,
    source=f"{_POOLS}: limits bound what a NodePool may start",
    sample=Sample("limits", lambda: aks_pool(limits={})),
)
def node_pool_without_limits(pool: AksNodePool) -> Iterator[PartFinding]:
    """Karpenter launches nodes of a NodePool without limits until the quota of the subscription is used up."""
    if not pool.limits and pool.replicas is None:
        message = f"Without {ref('limits')} the NodePool launches nodes for pending pods until the subscription's quota is used up"
        yield finding(pool, message, path="limits", value=None)


@rule(
    "NAP036",
    Severity.ERROR,
    source="https://learn.microsoft.com/azure/aks/node-auto-provisioning: Windows node pools are not supported",
    sample=Sample('labels["kubernetes.io/os"]', lambda: aks_pool(labels={"kubernetes.io/os": "windows"})),
)
def windows_node_pool_with_nap(pool: AksNodePool) -> Iterator[PartFinding]:
    """Node auto provisioning launches Linux nodes only."""
    report = any(
        requirement.label == keys.os.name and requirement.operator == "In" and "linux" not in requirement.values for requirement in pool.requirements
    )  # by KAR043
    if "linux" not in allowed_values(pool, keys.os.name) and not report:
        is_labelled = keys.os.name in pool.labels
        at = ("labels", keys.os.name) if is_labelled else ("requirements",)
        message = f"No node is ever launched: node auto provisioning launches Linux nodes only, and the NodePool requires another `{keys.os.name}`"
        fix = remove(at) if is_labelled else f"Remove the requirement on `{keys.os.name}`; use an agent pool for Windows nodes"
        yield finding(pool, message, path=at, fix=fix)
