"""NodePools and node classes of one cluster together: pools that never get a pod, and unused node classes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice

from nodepools.clouds.registry import catalog, cloud_of
from nodepools.model.aks.agent_pool import Autoscale, UserPool
from nodepools.model.aks.cluster import BUILT_IN, CAS_BLOCK, NAP_BLOCK, NodeProvisioning
from nodepools.model.derive import derive
from nodepools.model.eks.ec2_node_class import SelfManagedKarpenter
from nodepools.model.eks.node_class import AutoMode, EksNodeClass
from nodepools.model.karpenter import NodePool, Requirement
from nodepools.model.kubernetes.label import Values, domain
from nodepools.model.platform import Platform
from nodepools.rules.engine.finding import Fix, FixLike, PartFinding, literal, ref, set_to
from nodepools.rules.engine.registry import PLATFORMS, POOLS_OF_FILES, finding, limited, note, sample, warning
from nodepools.rules.engine.samples import AMD64, SIZE, aks_pool, auto_mode, eks_pool, platform, provisioning
from nodepools.rules.platform.labels import has_accelerators, is_arm64_only, is_spot_only

_ORDER = "https://github.com/kubernetes-sigs/karpenter/blob/main/pkg/utils/nodepool/nodepool.go: OrderByWeight, higher first, then the last name"
_MOST_WEIGHT = 100
_NEIGHBORS = 40
"""Each pool is compared with at most this many wide pools: a thousand pools would be a million pairs."""
_OF_MACHINES = ("kubernetes.io", "karpenter.sh", "eks.amazonaws.com", "karpenter.azure.com", "kubernetes.azure.com", "topology.k8s.aws")
"""Domains of labels that describe the machine; all other labels come from the pool."""

_SPECIAL: Sequence[tuple[Callable[[NodePool], bool], str, str]] = (
    (is_arm64_only, "arm64 nodes", "images for amd64 do not start there"),
    (has_accelerators, "nodes with accelerators", "they can keep the devices from the pods that need them"),
    (is_spot_only, "spot nodes", "they can be interrupted at any time"),
)
"""Nodes that ordinary pods should not get unless that is intended."""
_LAST_BUILT_IN = "general-purpose"
"""The last name of a built-in NodePool for ordinary pods in alphabetical order: files do not contain which ones a cluster has."""

Offer = Mapping[str, Values]


@warning("KAR060", f"{_ORDER}; the first pool that fits takes the pod")
@sample("auto_mode.node_pools.web.weight", lambda: auto_mode({"any": eks_pool(weight=20), "web": eks_pool(weight=10, limits={"cpu": 100})}))
def shadowed_node_pool(parent: AutoMode | NodeProvisioning) -> Iterator[PartFinding]:
    """Karpenter uses the NodePool with the highest weight that fits a pod: one with a lower weight that fits no other pod never gets a pod."""
    wide = sorted(((name, pool) for name, pool in _dynamic(parent) if _is_wide(pool)), key=lambda item: (_weight(item[1]), item[0]), reverse=True)
    for name, pool in _dynamic(parent):
        for other_name, other in islice(wide, _NEIGHBORS):
            if _weight(other) > _weight(pool) and _covers(other, pool):
                message = f"The NodePool `{name}` never gets a pod: `{other_name}` has a higher weight, no limits, and accepts all its pods"
                fix = _heavier(name, pool, other_name, other)
                yield finding(parent, message, path=("node_pools", name, "weight"), value=_weight(pool), fix=fix)
                break


@warning("KAR086", f"{_ORDER}; Karpenter taints no node because of its capacity type, architecture or devices")
@sample(
    "auto_mode.node_pools.worker",
    lambda: auto_mode({"web": eks_pool(), "worker": eks_pool(requirements=[AMD64, Requirement("karpenter.sh/capacity-type", "In", ["spot"])])}),
)
def ordinary_pods_tried_on_special_pool_first(parent: AutoMode | NodeProvisioning | SelfManagedKarpenter) -> Iterator[PartFinding]:
    """Pods without selectors run on the untainted NodePool that Karpenter tries first, even if it has only spot nodes, arm64 nodes or GPUs."""
    ordinary = {name: pool for name, pool in _dynamic(parent) if pool.takes_ordinary_pods}
    order = sorted(ordinary, key=lambda name: (_weight(ordinary[name]), name), reverse=True)
    for is_special, nodes, harm in _SPECIAL if order else ():
        first, others = ordinary[order[0]], [name for name in order[1:] if not is_special(ordinary[name])]
        if not is_special(first) or _is_spot_first(order[0], first, ordinary):
            continue
        decided = others and (_weight(first) or order[0] > _LAST_BUILT_IN)
        built_in = [] if decided else list(parent.built_in_for_ordinary_pods)
        if not (others or built_in) or (not _weight(first) and max(built_in, default="") > order[0]):
            continue
        is_tie = not _weight(first) or any(_weight(ordinary[name]) == _weight(first) for name in others)
        why = "last name in alphabetical order" if is_tie else "by weight"
        message = f"Pods that select no NodePool run on `{order[0]}` first ({why}), which has only {nodes}: {harm}"
        fix = f"Add a taint to `{order[0]}`{f', or give `{others[0]}` a higher weight' if others else ''}"
        yield finding(parent, message, path=("node_pools", order[0]), value=order[0], fix=fix)
        return


def _is_spot_first(name: str, pool: NodePool, ordinary: Mapping[str, NodePool]) -> bool:
    """The spot pool of two pools that are meant to be tried in this order, as `spot_first` makes them."""
    fallback = ordinary.get(name.removesuffix("-spot")) if name.endswith("-spot") else None
    return fallback is not None and is_spot_only(pool) and not is_arm64_only(pool) and _weight(pool) > _weight(fallback)


@note("KAR061", "nodepools: a node class has no effect without a NodePool")
@sample("auto_mode.node_classes.private", lambda: auto_mode({"web": eks_pool()}, {"private": EksNodeClass()}))
def unused_node_class(parent: AutoMode | NodeProvisioning | SelfManagedKarpenter) -> Iterator[PartFinding]:
    """A node class has an effect only through the NodePools that use it."""
    used = {pool.node_class for pool in parent.node_pools.values()}
    for name in parent.node_classes if used else ():
        if name not in used and name not in BUILT_IN:
            yield finding(parent, f"No NodePool of this cluster uses the node class `{name}`", path=("node_classes", name), value=name)


@warning("NAP040", "https://learn.microsoft.com/azure/aks/migrate-from-autoscaler-to-node-auto-provisioning: taints keep the two apart")
@limited(PLATFORMS, POOLS_OF_FILES)
@sample(
    "must_fit[0]",
    lambda: derive(
        _next_to_each_other(),
        must_fit=[{"kind": "Pod", "metadata": {"name": "web"}, "spec": {"containers": [{"name": "web"}], "tolerations": [{"operator": "Exists"}]}}],
    ),
)
def workload_fits_both_autoscalers(platform: Platform) -> Iterator[PartFinding]:
    """A Pending pod that fits both an autoscaled agent pool and a NodePool makes both add a node."""
    if not platform.must_fit:
        return
    from nodepools.placement.must_fit import started_twice  # tables of types are read only where a platform names workloads

    clouds = {key: cloud_of(cluster) for key, cluster in platform.clusters.items()}
    scaled = {f"{key}/{name}" for key, cloud in clouds.items() for name in cloud.autoscaled_next_to_karpenter}
    for place, name, agent_pools, node_pools in started_twice(platform, catalog(platform), scaled):
        both = " and ".join(", ".join(f"`{pool}`" for pool in pools) for pools in (agent_pools, node_pools))
        message = f"Workload `{name}` fits an autoscaled agent pool and a NodePool ({both}): a Pending pod makes both add a node"
        fix = f"Select one of them with a label, or taint them (`{CAS_BLOCK.key}`, `{NAP_BLOCK.key}`) and tolerate one taint"
        yield finding(platform, message, path=("must_fit", place), value=name, fix=fix)


def _next_to_each_other() -> Platform:
    """An autoscaled agent pool and a NodePool, each with a taint."""
    fenced = UserPool(vm_size=SIZE, scale=Autoscale(1, 5), taints=[CAS_BLOCK])
    auto = {"with_cluster_autoscaler": True, "default_node_pools": "None", "node_pools": {"general": aks_pool(taints=[NAP_BLOCK])}}
    pools = {"plain": UserPool(vm_size=SIZE), "web": fenced}
    return platform(weu=derive(provisioning(), pools=pools, node_provisioning=auto))


def _dynamic(parent: AutoMode | NodeProvisioning | SelfManagedKarpenter) -> Iterator[tuple[str, NodePool]]:
    """NodePools that launch nodes for pods: they are not static, and no limit is zero."""
    for name, pool in parent.node_pools.items():
        if pool.replicas is None and not pool.is_off:
            yield name, pool


def _weight(pool: NodePool) -> int:
    return pool.weight if pool.weight is not None else 0


def _hard(pool: NodePool) -> frozenset[str]:
    """The taints that pods must tolerate."""
    return frozenset(str(taint) for taint in pool.taints if taint.is_hard)


def _is_wide(pool: NodePool) -> bool:
    return not pool.limits and all(requirement.min_values is None for requirement in pool.requirements)


def _within(inner: Offer, outer: Offer) -> bool:
    """Every pod that fits `inner` fits `outer`: it allows the same values, and `inner` has no label of its own that pods could select."""
    narrower = any(key not in inner or inner[key] & values != inner[key] for key, values in outer.items())
    own = any(key not in outer and not domain(key).endswith(_OF_MACHINES) for key in inner)
    return not narrower and not own


def _covers(outer: NodePool, inner: NodePool) -> bool:
    """Every pod that fits `inner` fits `outer`."""
    return _hard(outer) <= _hard(inner) and _within(inner.asked(), outer.asked())


def _heavier(name: str, pool: NodePool, other_name: str, other: NodePool) -> FixLike:
    """A weight with which `pool` is tried first, unless the other one would then get no pods."""
    weight, at = _weight(other) + 1, ("node_pools", name, "weight")
    if _is_wide(pool) and _covers(pool, other):
        return "Remove one of the two NodePools, or give them different requirements"
    if weight > _MOST_WEIGHT:
        return f"Set a lower weight for `{other_name}`, or remove `{name}`"
    return Fix(f"Set {ref(at)} to {literal(weight)}, or remove the NodePool", (set_to(at, weight),))
