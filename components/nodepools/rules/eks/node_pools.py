"""NodePools of EKS Auto Mode."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, get_args

from nodepools.keys import eks as keys
from nodepools.keys.kinds import Key
from nodepools.model.derive import derive
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.eks.ec2_node_class import SelfManagedKarpenter
from nodepools.model.eks.node_class import BUILT_IN_CLASS, AutoMode, BuiltIn, EksNodePool
from nodepools.model.karpenter import Requirement
from nodepools.model.kubernetes.duration import NEVER, seconds
from nodepools.model.kubernetes.label import DEPRECATED_LABELS, Values, domain
from nodepools.model.listing import nearest
from nodepools.model.steps import Step
from nodepools.placement.verdict import Verdict
from nodepools.rules.engine.finding import Fix, PartFinding, certain, correct_spelling, ref, remove, rename, set_to
from nodepools.rules.engine.registry import (
    BUILT_IN_POOLS,
    FILES_WITHOUT_NETWORK,
    NAMES_OF_OBJECTS,
    NETWORKS,
    Limit,
    Where,
    error,
    finding,
    limited,
    sample,
    warning,
)
from nodepools.rules.engine.samples import auto_mode, eks_pool
from nodepools.rules.platform.labels import (
    ZONE_IDS,
    allowed_values,
    eks_zones,
    in_domain,
    misspelt_label,
    named_labels,
    near_label,
    relabeled,
    without_label,
    without_value,
)

if TYPE_CHECKING:
    from nodepools.placement.cloud_labels import LabelValues

_CRD = "NodePool CRD of EKS Auto Mode (karpenter.sh/v1)"
_POOLS = "https://docs.aws.amazon.com/eks/latest/userguide/create-node-pool.html"
_HOUR = 3600
_LIFE, _EXPIRY = 504 * _HOUR, "336h"
_ENDS = ("eks.amazonaws.com", "karpenter.k8s.aws")
_SELECTABLE = frozenset(key.name for key in vars(keys).values() if isinstance(key, Key))
_OF_KUBERNETES = frozenset(
    {*DEPRECATED_LABELS, "kubernetes.io/hostname"}  # rejected everywhere: KAR034 reports it
)


@error("EKS040", "https://docs.aws.amazon.com/eks/latest/userguide/set-builtin-node-pools.html: built-in pools cannot be modified")
@limited(NAMES_OF_OBJECTS)
@sample("auto_mode.node_pools.system", lambda: auto_mode({"system": eks_pool()}))
def built_in_pool_name(auto: AutoMode) -> Iterator[PartFinding]:
    """EKS manages the built-in NodePools `general-purpose` and `system`, and they cannot be modified."""
    for name in auto.node_pools:
        if name in auto.built_in_node_pools:
            other = f"custom-{name}"
            fix = Fix(f"Rename the NodePool, such as to `{other}`", (rename(("node_pools", name), other),) if other not in auto.node_pools else ())
            yield finding(auto, f"`{name}` is the name of an enabled built-in NodePool", path=("node_pools", name), value=name, fix=fix)


@warning("EKS041", "https://docs.aws.amazon.com/eks/latest/userguide/set-builtin-node-pools.html")
@limited(NAMES_OF_OBJECTS)
@sample("auto_mode.node_pools.system", lambda: auto_mode({"system": eks_pool()}, built_in_node_pools=["general-purpose"]))
def reserved_built_in_pool_name(auto: AutoMode) -> Iterator[PartFinding]:
    """EKS creates a built-in NodePool under its name when it is enabled: a NodePool of that name would collide."""
    for name in auto.node_pools:
        if name in get_args(BuiltIn) and name not in auto.built_in_node_pools:
            message = f"`{name}` is also the name of a built-in NodePool: the NodePools collide if you enable the built-in one later"
            yield finding(auto, message, path=("node_pools", name), value=name, fix=f"Rename the NodePool, for example to `custom-{name}`")


@error("EKS042", f"{_POOLS}: a NodePool of a missing NodeClass never becomes ready")
@limited(Limit(Where.MISSING_CLASS, "others can create node classes in the cluster too", "NodeClass"))
@sample("auto_mode.node_pools.web.node_class", lambda: auto_mode({"web": eks_pool(node_class="missing")}))
def missing_eks_node_class(pool: EksNodePool, auto: AutoMode) -> Iterator[PartFinding]:
    """A NodePool whose NodeClass does not exist never becomes ready."""
    name = pool.node_class
    if name not in (None, BUILT_IN_CLASS, *auto.node_classes, *auto.existing_node_classes):
        near = nearest(str(name), auto.node_classes)
        others = ", ".join(f"`{known}`" for known in islice(auto.node_classes, 5))
        add = f"Add the NodeClass `{name}`, or its name to {ref('existing_node_classes')}"
        fix = f"{add}, or use one of {others}" if others else add
        message = f"The NodeClass `{name}` is not declared: without it the NodePool never becomes ready"
        yield finding(pool, message, path="node_class", fix=correct_spelling("node_class", str(name), near) if near is not None else fix)


@error("EKS043", f"{_POOLS}: the class default exists while a built-in pool is on")
@limited(BUILT_IN_POOLS)
@sample("auto_mode.node_pools.web.node_class", lambda: auto_mode({"web": eks_pool()}, built_in_node_pools=[]))
def default_class_without_built_in_pools(pool: EksNodePool, auto: AutoMode) -> Iterator[PartFinding]:
    """The NodeClass `default` exists only while a built-in NodePool is enabled."""
    if pool.node_class in (None, BUILT_IN_CLASS) and not auto.built_in_node_pools and BUILT_IN_CLASS not in auto.node_classes:
        only = next(iter(auto.node_classes)) if len(auto.node_classes) == 1 else None
        fix = f"Set {ref('node_class')} to a NodeClass of your own, or enable a built-in NodePool"
        message = f"The NodePool uses the NodeClass `{BUILT_IN_CLASS}`, which exists only while a built-in NodePool is enabled"
        yield finding(pool, message, path="node_class", value=BUILT_IN_CLASS, fix=set_to("node_class", only) if only is not None else fix)


@error("EKS044", f"{_CRD}: the sum of expireAfter and terminationGracePeriod (defaulted to 24h) may not exceed 21 days")
@sample("expire_after", lambda: eks_pool(expire_after="720h"))
def node_lifetime_over_21_days(pool: EksNodePool) -> Iterator[PartFinding]:
    """Auto Mode nodes live at most 504h (21 days): age (default 336h) and grace period (default 24h) together."""
    (at_grace, _), (at_age, own_age) = pool.life("termination_grace_period"), pool.life("expire_after")
    grace, age = pool.drains_within, pool.expires_after
    if age != NEVER and seconds(age) + seconds(grace) <= _LIFE:
        return
    message = f"{ref(at_age)} ({age}) plus {ref(at_grace)} ({grace}) exceeds the 504h (21 days) that an Auto Mode node lives"
    left = (_LIFE - seconds(grace)) // _HOUR
    if own_age is not None and left > 0:
        yield finding(pool, message, path=at_age, fix=set_to(at_age, f"{left}h"))
    else:
        shorter = set_to(at_grace, f"{(_LIFE - seconds(_EXPIRY)) // _HOUR}h")
        yield finding(pool, message, path=at_grace, fix=(shorter, remove(at_age)) if own_age is not None else shorter)


@error("EKS045", f"{_POOLS}: Auto Mode has its labels under eks.amazonaws.com, and restricts karpenter.k8s.aws")
@sample("requirements[2].key", lambda: eks_pool(Requirement("karpenter.k8s.aws/instance-cpu", "In", ["4"])))
def label_of_self_managed_karpenter(pool: EksNodePool) -> Iterator[PartFinding]:
    """Labels under `karpenter.k8s.aws` belong to self-managed Karpenter: no Auto Mode node has them."""
    for key, at in named_labels(pool):
        if domain(key) == "karpenter.k8s.aws":
            own = f"eks.amazonaws.com/{key.partition('/')[2].replace('ec2nodeclass', 'nodeclass')}"
            fix = certain(relabeled(at, own)) if own in _SELECTABLE else Fix("Remove the label: Auto Mode has no such label", (without_label(at),))
            yield finding(pool, f"`{key}` is a label of self-managed Karpenter: no Auto Mode node has it", path=at, value=key, fix=fix)


@error("EKS046", f'{_CRD}: label domain "eks.amazonaws.com" is restricted')
@sample('labels["eks.amazonaws.com/nodegroup"]', lambda: eks_pool(labels={"eks.amazonaws.com/nodegroup": "web"}))
def label_rejected_by_auto_mode(pool: EksNodePool) -> Iterator[PartFinding]:
    """Auto Mode rejects the labels of managed node groups, and domains that only end in `eks.amazonaws.com` or `karpenter.k8s.aws`."""
    for key, at in named_labels(pool):
        if _is_refused(key):
            message = f"Auto Mode rejects the label `{key}`: its domain is reserved"
            yield finding(pool, message, path=at, value=key, fix=f"Use a prefix of your own, such as `example.com/{key.rpartition('/')[2]}`")


@warning("EKS047", f"{_CRD}: labels of this domain that are not listed are restricted")
@sample('labels["eks.amazonaws.com/rack"]', lambda: eks_pool(labels={"eks.amazonaws.com/rack": "4"}))
def label_unknown_to_auto_mode(pool: EksNodePool) -> Iterator[PartFinding]:
    """Under `eks.amazonaws.com`, Auto Mode accepts only known labels."""
    for key, at in named_labels(pool):
        if domain(key) == "eks.amazonaws.com" and not _is_refused(key) and key not in _SELECTABLE and misspelt_label(pool, key) is None:
            fix = "Use a label that AWS documents for Auto Mode, or a prefix of your own"
            message = f"`{key}` is not a known label of Auto Mode, which accepts only known labels under `eks.amazonaws.com`"
            yield finding(pool, message, path=at, value=key, fix=fix)


@warning("EKS048", f"{_CRD} of 2024-12: restricted; Karpenter 1.9 lifted it, and whether Auto Mode did is not documented")
@sample('labels["app.kubernetes.io/managed-by"]', lambda: eks_pool(labels={"app.kubernetes.io/managed-by": "platform"}))
def kubernetes_label_in_auto_mode(pool: EksNodePool) -> Iterator[PartFinding]:
    """Auto Mode has been seen to reject labels under `kubernetes.io` and `k8s.io`, except for a few."""
    for key, at in named_labels(pool):
        where, _, name = key.partition("/")
        if not where.endswith(("kubernetes.io", "k8s.io")) or _is_allowed(key, where):
            continue
        if at[0] != "requirements" or near_label(pool, key) is None:  # otherwise KAR088 says the label that exists
            message = f"Auto Mode can reject the label `{key}` (observed, not documented): its domain belongs to Kubernetes"
            yield finding(pool, message, path=at, value=key, fix=f"Use a prefix of your own, such as `example.com/{name}`")


def _is_refused(key: str) -> bool:
    return key == "eks.amazonaws.com/nodegroup" or any(in_domain(key, end) and domain(key) != end for end in _ENDS)


def _is_allowed(key: str, where: str) -> bool:
    return key in _SELECTABLE | _OF_KUBERNETES or where == "kops.k8s.io" or where.endswith(("node.kubernetes.io", "node-restriction.kubernetes.io"))


@error("EKS049", "https://docs.aws.amazon.com/global-infrastructure/latest/regions/aws-availability-zones.html: a zone's name begins with its region")
@sample(
    "auto_mode.node_pools.web.requirements[2].values",
    lambda: auto_mode({"web": eks_pool(Requirement("topology.kubernetes.io/zone", "In", ["eu-west-1a"]))}),
)
def node_pool_zone_in_other_region(
    requirement: Requirement, _: EksNodePool | SelfManagedKarpenter, cluster: EksClusterArgs | None
) -> Iterator[PartFinding]:
    """Nodes of a cluster are in zones of its region: a NodePool that requires others never launches a node."""
    if requirement.label in (keys.zone.name, keys.zone_id.name) and requirement.operator == "In":
        zones = eks_zones(cluster) if requirement.label == keys.zone.name else ZONE_IDS
        if not any(map(zones.has, requirement.values)):
            message = f"No node is ever launched: none of these values is a zone of {zones.where}"
            yield finding(requirement, message, path="values", fix=f"Use names of zones, such as `{zones.example}`")


@error("EKS179", "https://karpenter.sh/docs/concepts/scheduling/ (2026-11): nodes are in the zones of the subnets of their node class")
@limited(NETWORKS, FILES_WITHOUT_NETWORK)
@sample("auto_mode.node_pools.web.requirements[2]", lambda: _in_two_zones(Requirement(keys.zone.name, "In", ["us-east-1f"])))
def node_pool_outside_of_network(pool: EksNodePool, cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """Nodes are in the region of their cluster, and in the zones of its subnets: a NodePool that allows none of them never launches a node."""
    for key, values in _locations(pool, cluster).items():
        if values.verdict(allowed_values(pool, key)) is Verdict.CANNOT and not _is_told_with_region(pool, cluster, key):
            where = f"its network is in {_listed(values)}" if values.certain else f"its region is {cluster.region}"
            at = next((at for at in _places(pool, key)), ("requirements",))
            fix = f"Allow a zone of the network in `{key}`, or add a zone to the network" if values.certain else f"Use a zone of {cluster.region}"
            if key == keys.region.name:
                fix = f"Remove what the NodePool requires of `{key}`: all nodes are in the region of their cluster"
            yield finding(pool, f"No node is ever launched: the NodePool allows no value of `{key}` that nodes can have ({where})", path=at, fix=fix)


@warning("EKS180", "https://karpenter.sh/docs/concepts/scheduling/ (2026-11): nodes are in the zones of the subnets of their node class")
@limited(NETWORKS, FILES_WITHOUT_NETWORK)
@sample("auto_mode.node_pools.web.requirements[2].values[1]", lambda: _in_two_zones(Requirement(keys.zone.name, "In", ["us-east-1a", "us-east-1f"])))
def zone_outside_of_network(requirement: Requirement, pool: EksNodePool, cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """Karpenter ignores zones in which the cluster has no subnets."""
    values = _locations(pool, cluster).get(requirement.label)
    if values is None or requirement.operator != "In" or values.verdict(requirement.allowed) is Verdict.CANNOT:
        return
    outside = [at for at, one in enumerate(requirement.values) if values.verdict(Values(frozenset({one}), complement=False)) is Verdict.CANNOT]
    for at in outside:
        where = f"the network of this cluster is in {_listed(values)}" if values.certain else f"nodes of this cluster are in {cluster.region}"
        fix = without_value(requirement, at, len(outside), f"Use one of {_listed(values)}" if values.certain else f"Use a zone of {cluster.region}")
        yield finding(requirement, f"Karpenter ignores `{requirement.values[at]}`: {where}", path=("values", at), fix=fix)


def _in_two_zones(requirement: Requirement) -> EksClusterArgs:
    return derive(auto_mode({"web": eks_pool(requirement)}), network={"zones": ["us-east-1a", "us-east-1b"]})


def _locations(pool: EksNodePool, cluster: EksClusterArgs) -> "Mapping[str, LabelValues]":
    """The values of labels of places, the same as for `explain`; none for a pool that names no place."""
    if not any(_places(pool, key) for key in (keys.zone.name, keys.zone_id.name, keys.region.name)):
        return {}
    from nodepools.clouds.eks.pools import EksPools  # tables are read only for pools that name a place

    return EksPools(cluster).locations(pool)


def _places(pool: EksNodePool, key: str) -> list[tuple[Step, ...]]:
    """The paths of the requirements and labels of a key, the last one first."""
    found: list[tuple[Step, ...]] = [("requirements", index) for index, requirement in enumerate(pool.requirements) if requirement.label == key]
    return [*([("labels", key)] if key in pool.labels else []), *reversed(found)]


def _is_told_with_region(pool: EksNodePool, cluster: EksClusterArgs, key: str) -> bool:
    """EKS049 reports a list of zones of which none is in the region, and KAR040 requirements that contradict each other."""
    zones = eks_zones(cluster)
    lists = [requirement for requirement in pool.requirements if requirement.label == key == keys.zone.name and requirement.operator == "In"]
    return any(not any(map(zones.has, one.values)) for one in lists) or allowed_values(pool, key).absent


def _listed(values: "LabelValues") -> str:
    return ", ".join(f"`{value}`" for value in sorted(values.certain))
