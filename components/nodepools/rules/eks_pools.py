"""What EKS Auto Mode asks of NodePools."""

from collections.abc import Iterator
from typing import get_args

from nodepools.keys import eks as keys
from nodepools.keys.kinds import Key
from nodepools.model.eks.auto_mode import BUILT_IN_CLASS, AutoMode, BuiltIn, EksNodePool
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.karpenter import Requirement
from nodepools.model.kubernetes.duration import NEVER, seconds
from nodepools.model.kubernetes.label import domain
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.labels import did_you_mean, in_domain, named_labels
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import auto_mode, eks_pool
from nodepools.rules.zones import eks_zones

_CRD = "NodePool CRD of EKS Auto Mode (karpenter.sh/v1)"
_POOLS = "https://docs.aws.amazon.com/eks/latest/userguide/create-node-pool.html"
_HOUR = 3600
_LIFE, _EXPIRY, _GRACE = 504 * _HOUR, "336h", "24h"
_ENDS = ("eks.amazonaws.com", "karpenter.k8s.aws")
_OTHER_PREFIX = f"use a prefix of your own that ends neither in {' nor in '.join(_ENDS)}"
_SELECTABLE = frozenset(key.name for key in vars(keys).values() if isinstance(key, Key))
_OF_KUBERNETES = frozenset(
    {f"beta.kubernetes.io/{name}" for name in ("instance-type", "os", "arch")}
    | {f"failure-domain.beta.kubernetes.io/{name}" for name in ("region", "zone")}
    | {"kubernetes.io/hostname"}  # refused everywhere: KAR034 says so
)


@rule(
    "EKS040",
    Severity.ERROR,
    source="https://docs.aws.amazon.com/eks/latest/userguide/set-builtin-node-pools.html: built-in pools cannot be modified",
    sample=lambda: auto_mode({"system": eks_pool()}),
)
def built_in_pool_name(auto: AutoMode) -> Iterator[PartFinding]:
    """`general-purpose` and `system` are the names of the built-in pools that are on."""
    for name in auto.node_pools:
        if name in auto.built_in_node_pools:
            yield finding(auto, "is the name of a built-in pool that is on", at=("node_pools", name), value=name, fix="give it another name")


@rule(
    "EKS041",
    Severity.WARNING,
    source="https://docs.aws.amazon.com/eks/latest/userguide/set-builtin-node-pools.html",
    sample=lambda: auto_mode({"system": eks_pool()}, built_in_node_pools=["general-purpose"]),
)
def reserved_built_in_pool_name(auto: AutoMode) -> Iterator[PartFinding]:
    """The names of the built-in pools stay theirs, also while they are off: turned on, EKS would find them taken."""
    for name in auto.node_pools:
        if name in get_args(BuiltIn) and name not in auto.built_in_node_pools:
            yield finding(auto, "is the name of a built-in pool, though it is off", at=("node_pools", name), value=name, fix="give it another name")


@rule(
    "EKS042",
    Severity.ERROR,
    source=f"{_POOLS}: a NodePool of a missing NodeClass never becomes ready",
    sample=lambda: auto_mode({"web": eks_pool(node_class="missing")}),
)
def missing_eks_node_class(pool: EksNodePool, auto: AutoMode) -> Iterator[PartFinding]:
    """A NodePool names a NodeClass of its cluster, or the built-in `default`."""
    if pool.node_class not in (None, BUILT_IN_CLASS, *auto.node_classes):
        known = ", ".join(auto.node_classes)
        yield finding(pool, "is no node class of this cluster", at="node_class", fix=f"use one of {known}" if known else "declare it in node_classes")


@rule(
    "EKS043",
    Severity.ERROR,
    source=f"{_POOLS}: the class default exists while a built-in pool is on",
    sample=lambda: auto_mode({"web": eks_pool()}, built_in_node_pools=[]),
)
def default_class_without_built_in_pools(pool: EksNodePool, auto: AutoMode) -> Iterator[PartFinding]:
    """The NodeClass `default` exists only while a built-in pool is on."""
    if pool.node_class in (None, BUILT_IN_CLASS) and not auto.built_in_node_pools and BUILT_IN_CLASS not in auto.node_classes:
        yield finding(
            pool,
            "means the class default, which exists only while a built-in pool is on",
            at="node_class",
            value=BUILT_IN_CLASS,
            fix="declare a class in node_classes and name it, or turn a built-in pool on",
        )


@rule(
    "EKS044",
    Severity.ERROR,
    source=f"{_CRD}: the sum of expireAfter and terminationGracePeriod (defaulted to 24h) may not exceed 21 days",
    sample=lambda: eks_pool(expire_after="720h"),
)
def node_lifetime_over_21_days(pool: EksNodePool) -> Iterator[PartFinding]:
    """Age and time to drain, 336h and 24h when left out, add up to 504h at most; `Never` is refused."""
    if pool.expire_after == NEVER:
        yield finding(pool, "is refused: Auto Mode nodes live 21 days at most", at="expire_after", fix="write 480h or less, or leave it out")
        return
    age, grace = pool.expire_after or _EXPIRY, pool.termination_grace_period or _GRACE
    if seconds(age) + seconds(grace) <= _LIFE:
        return
    message = f"adds up to more than 504h: expire_after {age}, termination_grace_period {grace}"
    if pool.expire_after is not None and seconds(grace) < _LIFE:
        yield finding(pool, message, at="expire_after", fix=f"write {(_LIFE - seconds(grace)) // _HOUR}h or less")
    else:
        yield finding(
            pool, message, at="termination_grace_period", fix=f"write {(_LIFE - seconds(_EXPIRY)) // _HOUR}h or less, and leave expire_after out"
        )


@rule(
    "EKS045",
    Severity.ERROR,
    source=f"{_POOLS}: Auto Mode has its labels under eks.amazonaws.com, and restricts karpenter.k8s.aws",
    sample=lambda: eks_pool(Requirement("karpenter.k8s.aws/instance-cpu", "In", ["4"])),
)
def label_of_self_managed_karpenter(pool: EksNodePool) -> Iterator[PartFinding]:
    """Labels under `karpenter.k8s.aws` are of self-hosted Karpenter: in Auto Mode no node has them."""
    for key, at in named_labels(pool):
        if domain(key) == "karpenter.k8s.aws":
            name = key.partition("/")[2].replace("ec2nodeclass", "nodeclass")
            known = f"eks.amazonaws.com/{name}" in _SELECTABLE
            yield finding(
                pool,
                "is no label of Auto Mode",
                at=at,
                value=key,
                fix=f"write eks.amazonaws.com/{name}" if known else "remove it: Auto Mode has none like it",
            )


@rule(
    "EKS046",
    Severity.ERROR,
    source=f'{_CRD}: label domain "eks.amazonaws.com" is restricted',
    sample=lambda: eks_pool(labels={"eks.amazonaws.com/nodegroup": "web"}),
)
def label_rejected_by_auto_mode(pool: EksNodePool) -> Iterator[PartFinding]:
    """Auto Mode refuses labels of managed node groups, and any whose domain only ends in `eks.amazonaws.com` or `karpenter.k8s.aws`."""
    for key, at in named_labels(pool):
        if _is_refused(key):
            yield finding(pool, "is refused by Auto Mode", at=at, value=key, fix=_OTHER_PREFIX)


@rule(
    "EKS047",
    Severity.WARNING,
    source=f"{_CRD}: labels of this domain that are not listed are restricted",
    sample=lambda: eks_pool(Requirement("eks.amazonaws.com/instance-cpus", "In", ["4"])),
)
def label_unknown_to_auto_mode(pool: EksNodePool) -> Iterator[PartFinding]:
    """Under `eks.amazonaws.com` NodePools may name known labels only."""
    for key, at in named_labels(pool):
        if domain(key) == "eks.amazonaws.com" and not _is_refused(key) and key not in _SELECTABLE:
            fix = did_you_mean(key, _SELECTABLE, "use a label that AWS documents for Auto Mode, or a prefix of your own")
            yield finding(pool, "is not known as a label of Auto Mode: others are refused", at=at, value=key, fix=fix)


@rule(
    "EKS048",
    Severity.WARNING,
    source=f"{_CRD} of 2024-12: restricted; Karpenter 1.9 lifted it, and whether Auto Mode did is not documented",
    sample=lambda: eks_pool(labels={"app.kubernetes.io/managed-by": "platform"}),
)
def kubernetes_label_in_auto_mode(pool: EksNodePool) -> Iterator[PartFinding]:
    """Auto Mode has refused labels under `kubernetes.io` and `k8s.io`, but for a few."""
    for key, at in named_labels(pool):
        where = key.partition("/")[0]
        if where.endswith(("kubernetes.io", "k8s.io")) and not _is_allowed(key, where):
            yield finding(pool, "has been refused by Auto Mode: its domain is that of Kubernetes", at=at, value=key, fix="use a prefix of your own")


def _is_refused(key: str) -> bool:
    return key == "eks.amazonaws.com/nodegroup" or any(in_domain(key, end) and domain(key) != end for end in _ENDS)


def _is_allowed(key: str, where: str) -> bool:
    return key in _SELECTABLE | _OF_KUBERNETES or where == "kops.k8s.io" or where.endswith(("node.kubernetes.io", "node-restriction.kubernetes.io"))


@rule(
    "EKS049",
    Severity.ERROR,
    source="https://docs.aws.amazon.com/global-infrastructure/latest/regions/aws-availability-zones.html: a zone's name begins with its region",
    sample=lambda: auto_mode({"web": eks_pool(Requirement("topology.kubernetes.io/zone", "In", ["eu-west-1a"]))}),
)
def node_pool_zone_in_other_region(requirement: Requirement, _: EksNodePool, cluster: EksClusterArgs | None) -> Iterator[PartFinding]:
    """A NodePool that asks for zones of another region alone, or for none that begins with a region, never starts a node."""
    if requirement.key == keys.zone.name and requirement.operator == "In":
        zones = eks_zones(cluster)
        if not any(map(zones.has, requirement.values)):
            yield finding(requirement, f"names no zone of {zones.where}", at="values", fix=f"write zones of {zones.where}, such as {zones.example}")
