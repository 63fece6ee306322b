"""What becomes of an agent pool's name, and of two generations side by side. Facts: docs/facts/aks.md § 2.1, § 2.10."""

from collections.abc import Iterator

from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.pools import AgentPool, SystemPool, UserPool, WindowsPool
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import SIZE, aks
from nodepools.wire.aks.generation import SYSTEM, first_pool_name, generations

_NAMES = "https://learn.microsoft.com/azure/aks/create-node-pools: names of node pools"
_TAKEN = "aksmanagedap"


@rule(
    "AKS003",
    Severity.ERROR,
    source="Azure has one agent pool of a name in a cluster",
    sample=lambda: aks(pools={"web": UserPool(vm_size=SIZE, previous=UserPool(vm_size=SIZE, count=3))}),
)
def generations_share_a_name(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """No two agent pools have one name in Azure; a generation and the one before it differ in something fixed."""
    seen = {first_pool_name(cluster): SYSTEM}
    for one in generations(cluster):
        at = ("pools", one.key, "previous") if one.retires else ("pools", one.key)
        if one.name in seen:
            again = seen[one.name] == one.key
            message = "is the same generation: nothing fixed differs" if again else f"has the name of {seen[one.name]} in Azure, {one.name}"
            fix = 'turn it: generation="b" on the new one' if again else "give one of them another key, or another name"
            yield finding(cluster, message, at=at, value=one.key, fix=fix)
        seen[one.name] = one.key


@rule(
    "AKS004",
    Severity.WARNING,
    source="azure-native deletes an AgentPool of a fixed name before it makes it anew; other fixed fields are refused by Azure",
    sample=lambda: aks(pools={"web": UserPool(vm_size=SIZE, name="web")}),
)
def fixed_name_prevents_rotation(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """A pool with a name of its own cannot be made anew before the old one goes: a change of size deletes it first, others are refused."""
    for key, pool in cluster.pools.items():
        if pool.name is not None:
            fix = "leave it out; select nodes by the label nodepools/name"
            yield finding(cluster, "keeps the pool from rotating: a new size deletes it first", at=("pools", key, "name"), fix=fix)


@rule(
    "AKS005",
    Severity.ERROR,
    source="nodepools: the first system pool is a part of the cluster, and there is one generation before a pool",
    sample=lambda: aks(system_pool={"previous": SystemPool(vm_size="Standard_D8ds_v5", count=3)}),
)
def unsupported_previous_pool(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """`previous` is of pools in `pools`, one generation back; the first system pool is made once."""
    if cluster.system_pool.previous is not None:
        fix = "put a second SystemPool into pools, and see docs/decisions/0002"
        yield finding(cluster, "is not possible: the first system pool cannot rotate", at=("system_pool", "previous"), fix=fix)
    for key, pool in cluster.pools.items():
        if pool.retiring is not None and pool.retiring.retiring is not None:
            at = ("pools", key, "previous", "previous")
            yield finding(cluster, "is one generation too many", at=at, fix="finish the first move, then begin the second")


@rule("AKS006", Severity.ERROR, source=_NAMES, sample=lambda: WindowsPool(vm_size=SIZE, os_sku="Windows2025", fips=True, name="windows"))
def invalid_agent_pool_name(pool: AgentPool) -> Iterator[PartFinding]:
    """A pool of Windows nodes is named in 6 characters; `aksmanagedap` is the name of a pool of AKS's own."""
    if pool.name is not None and len(pool.name) > pool.longest_name:
        yield finding(pool, f"is longer than {pool.longest_name} characters", at="name", fix="shorten it, or leave it out")
    if pool.name == _TAKEN:
        yield finding(pool, "is reserved by AKS", at="name", fix="take another name, or leave it out")


@rule(
    "AKS007",
    Severity.NOTE,
    source="pulumi-azure-native#579, #2719: a cluster that exists takes the name of a pool that is there, and refuses any other",
    sample=lambda: aks(system_pool={"name": "first"}),
)
def explicit_first_pool_name(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The name of the first system pool is said when the cluster is made; later it is that of a pool that is there."""
    if cluster.system_pool.name is not None:
        fix = "know it: on a cluster that exists, take the name of a system pool that Azure has"
        yield finding(cluster, "is a name that a cluster which exists takes only if it has such a pool", at=("system_pool", "name"), fix=fix)


@rule(
    "AKS108",
    Severity.NOTE,
    source="https://www.pulumi.com/docs/iac/concepts/options/retainondelete: what is retained is forgotten by Pulumi, and stays",
    sample=lambda: aks(pools={"web": UserPool(vm_size=SIZE), "next": SystemPool(vm_size=SIZE, count=3, retain=True)}),
)
def retained_pool(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """A pool that is retained stays in Azure when it is no longer declared, and when it rotates: somebody has to delete it there."""
    for key, pool in cluster.pools.items():
        if isinstance(pool, SystemPool) and pool.retain:
            fix = "remove it again, unless the pool is to become system_pool"
            yield finding(cluster, "leaves the pool in Azure when it rotates or goes", at=("pools", key, "retain"), fix=fix)


@rule(
    "AKS109",
    Severity.ERROR,
    source="nodepools: the first system pool is a part of the cluster",
    sample=lambda: aks(system_pool={"retain": True}),
)
def retained_first_pool(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The first system pool goes with its cluster: retaining it would not be heard."""
    if cluster.system_pool.retain:
        yield finding(cluster, "is not heard: the first system pool goes with its cluster", at=("system_pool", "retain"), fix="remove it")
