"""Names and generations of agent pools, the first system pool included. Facts: docs/facts/aks.md § 2.1, § 2.9, § 2.10."""

from collections.abc import Iterator

from nodepools.model.aks.agent_pool import AgentPool, SystemPool, UserPool, WindowsPool
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.rules.engine.finding import Fix, FixLike, PartFinding, ref, remove, set_to
from nodepools.rules.engine.registry import NAMES_OF_RESOURCES, RETAINED, ROTATIONS, Limit, Where, error, finding, limited, note, sample, warning
from nodepools.rules.engine.samples import SIZE, aks
from nodepools.wire.aks.generation import RESERVED_NAME, SYSTEM, first_pool_name, generations

_NAMES = "https://learn.microsoft.com/azure/aks/create-node-pools: names of node pools"


@error("AKS003", "Azure has one agent pool of a name in a cluster")
@limited(ROTATIONS)
@sample("pools.web.previous", lambda: aks(pools={"web": UserPool(vm_size=SIZE, previous=UserPool(vm_size=SIZE, count=3))}))
def generations_share_a_name(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Two agent pools of a cluster cannot have the same name in Azure; a pool and its previous generation differ in an immutable field."""
    seen = {first_pool_name(cluster): SYSTEM}
    for generation in generations(cluster):
        at = ("pools", generation.key, "previous") if generation.is_previous else ("pools", generation.key)
        if generation.name in seen:
            if seen[generation.name] == generation.key:
                why, fix = _distinguishable(cluster, generation.key)
                message = f"The pool `{generation.key}` and its `previous` pool would have the same name in Azure, `{generation.name}`: {why}"
            else:
                message = f"The pools `{generation.key}` and `{seen[generation.name]}` would both have the name `{generation.name}` in Azure"
                fix = f"Use another key for `{generation.key}`"
                if generation.pool.name is not None:
                    at = (*at, "name")
                    fix = f"Use another {ref(at)}{', or remove it' * generation.pool.labeled}"
            yield finding(cluster, message, path=at, value=generation.pool.name if at[-1] == "name" else generation.key, fix=fix)
        seen[generation.name] = generation.key


def _distinguishable(cluster: AksClusterArgs, key: str) -> tuple[str, FixLike]:
    """The reason that a pool has the name of its previous generation, and the fix."""
    pool = cluster.pools[key]
    if pool.name is not None:
        return "`name` is set, so the name never changes", remove(("pools", key, "name"))
    return "their immutable fields and `generation` are the same", set_to(("pools", key, "generation"), "b" if pool.generation != "b" else "c")


@warning(
    "AKS004", "azure-native deletes an AgentPool of a fixed name before it creates its replacement; Azure rejects a change of other immutable fields"
)
@limited(ROTATIONS)
@sample("pools.web.name", lambda: aks(pools={"web": UserPool(vm_size=SIZE, name="web")}))
def fixed_name_prevents_rotation(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """A pool with a fixed name cannot rotate: a new VM size deletes it before its replacement exists, and Azure rejects other changes."""
    for key, pool in cluster.pools.items():
        if pool.name is not None and pool.labeled:  # a pool without the label needs its name
            at = ("pools", key, "name")
            message = f"A new VM size deletes this pool before its replacement exists: {ref(at)} fixes its name"
            fix = Fix(f"Remove {ref(at)} (an existing pool rotates once), and select the nodes by their label `nodepools/name`", (remove(at),))
            yield finding(cluster, message, path=at, fix=fix)


@error("AKS242", "nodepools: without the label nodepools/name, pods select a pool by AKS's label with the name in Azure, which contains a generation")
@limited(NAMES_OF_RESOURCES)
@sample("pools.web.labeled", lambda: aks(pools={"web": UserPool(vm_size=SIZE, labeled=False)}))
def unlabeled_pool_without_name(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """A pool without the label `nodepools/name` needs a fixed name, because pods can select it by its name in Azure only."""
    for key, pool in cluster.pools.items():
        if not pool.labeled and pool.name is None:
            at = ("pools", key, "labeled")
            message = f"Pods can select the pool `{key}` only by its name in Azure, which changes when it rotates: {ref(at)} is off"
            fix = Fix(
                f"Remove {ref(at)} (default: the label `nodepools/name`), or set {ref(('pools', key, 'name'))} to the name of the pool in Azure",
                (remove(at),),
            )
            yield finding(cluster, message, path=at, value=False, fix=fix)


@error("AKS005", "nodepools: the first system pool is a part of the cluster, and a pool has one previous generation")
@limited(ROTATIONS)
@sample("system_pool.previous", lambda: aks(system_pool={"previous": SystemPool(vm_size="Standard_D8ds_v5", count=3)}))
def unsupported_previous_pool(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """A pool in `pools` can have at most one previous generation; the first system pool cannot have one."""
    if cluster.system_pool is not None and cluster.system_pool.previous is not None:
        at = ("system_pool", "previous")
        message = f"The first system pool cannot have {ref(at)}: it is part of the cluster and cannot rotate"
        text = f"Remove {ref(at)}, and add a second system pool to {ref('pools')}, which can rotate"
        yield finding(cluster, message, path=at, fix=Fix(text, (remove(at),)))
    for key, pool in cluster.pools.items():
        if pool.retiring is not None and pool.retiring.retiring is not None:
            at = ("pools", key, "previous", "previous")
            fix = f"Finish the first rotation: remove {ref(at)} once its nodes are drained"
            yield finding(cluster, f"The pool `{key}` has two previous generations: only one is supported", path=at, fix=fix)


@error("AKS006", _NAMES)
@sample("name", lambda: WindowsPool(vm_size=SIZE, os_sku="Windows2025", fips=True, name="windows"))
def invalid_agent_pool_name(pool: AgentPool) -> Iterator[PartFinding]:
    """The name of a Windows pool has at most 6 characters; AKS reserves the name `aksmanagedap`."""
    if pool.name is not None and len(pool.name) > pool.longest_name:
        message = f"The pool name `{pool.name}` has {len(pool.name)} characters: AKS accepts at most {pool.longest_name} for {pool.os_type} pools"
        yield finding(pool, message, path="name", fix=Fix(f"Shorten {ref('name')}, or remove it", (remove("name"),)))
    if pool.name == RESERVED_NAME:
        fix = Fix(f"Remove {ref('name')} (default: a name with its key), or use another one", (remove("name"),))
        yield finding(pool, f"AKS reserves the pool name `{RESERVED_NAME}`", path="name", fix=fix)


@note("AKS007", "pulumi-azure-native#579, #2719: an existing cluster accepts the name of one of its system pools, and rejects any other")
@limited(NAMES_OF_RESOURCES)
@sample("system_pool.name", lambda: aks(system_pool={"name": "first"}))
def explicit_first_pool_name(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """On an existing cluster the first system pool must have the name of a system pool that the cluster already has."""
    if cluster.system_pool is not None and cluster.system_pool.name is not None:
        at = ("system_pool", "name")
        message = f"On an existing cluster {ref(at)} must be the name of a system pool that the cluster has: Azure rejects any other"
        yield finding(cluster, message, path=at)


@note("AKS108", "https://www.pulumi.com/docs/iac/concepts/options/retainondelete: Pulumi removes a retained resource from its state only")
@limited(RETAINED)
@sample("pools.next.retain", lambda: aks(pools={"web": UserPool(vm_size=SIZE), "next": SystemPool(vm_size=SIZE, count=3, retain=True)}))
def retained_pool(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """A retained pool stays in Azure when it rotates or is removed from the declaration."""
    for key, pool in cluster.pools.items():
        if isinstance(pool, SystemPool) and pool.retain:
            message = f"When the pool `{key}` rotates or is removed from the declaration, it stays in Azure until you delete it there"
            yield finding(cluster, message, path=("pools", key, "retain"))


@error("AKS109", "nodepools: the first system pool is a part of the cluster")
@limited(RETAINED)
@sample("system_pool.retain", lambda: aks(system_pool={"retain": True}))
def retained_first_pool(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The first system pool cannot be retained: AKS deletes it with its cluster."""
    if cluster.system_pool is not None and cluster.system_pool.retain:
        message = f"{ref('system_pool.retain')} has no effect: AKS deletes the first system pool with its cluster"
        yield finding(cluster, message, path=("system_pool", "retain"), fix=remove("system_pool.retain"))


@error(
    "AKS120",
    "https://github.com/Azure/AKS/issues/4765 and https://github.com/Azure/ARO-HCP/pull/662 (as of 2026-11): "
    "NotAllAgentPoolOrchestratorVersionSpecifiedAndUnchanged",
)
@limited(
    Limit(Where.INLINE_POOLS, "all known pools are inside the cluster, so their versions can be sent with its own"),
    Limit(Where.SOFTENED, "the cluster can be created; a later upgrade is rejected"),
)
@sample("system_pool.kubernetes_version", lambda: aks(system_pool={"kubernetes_version": "1.36"}))
def explicit_first_pool_version(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS rejects an upgrade of a cluster if the request has the version of its first system pool but not those of its other pools."""
    if cluster.system_pool is not None and cluster.system_pool.kubernetes_version is not None:
        version = "system_pool.kubernetes_version"
        message = f"AKS rejects the next upgrade of the cluster: because of {ref(version)}, it would upgrade this pool without the others"
        text = f"Remove {ref(version)}; `nodepools upgrade --to VERSION` shows the command that upgrades the nodes of this pool"
        yield finding(cluster, message, path=("system_pool", "kubernetes_version"), fix=Fix(text, (remove(version),)))
