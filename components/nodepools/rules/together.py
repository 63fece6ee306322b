"""NodePools and node classes of one cluster, seen together: which never gets a pod, what nobody uses."""

from collections.abc import Iterator, Mapping
from functools import reduce
from itertools import islice

from nodepools.model.aks.provisioning import NodeProvisioning
from nodepools.model.eks.auto_mode import AutoMode
from nodepools.model.eks.node_class import EksNodeClass
from nodepools.model.karpenter import NodePool
from nodepools.model.kubernetes.label import domain
from nodepools.model.kubernetes.requirement import Operator, Values
from nodepools.rules.fault import Finding, Severity
from nodepools.rules.registry import fault, rule
from nodepools.rules.samples import auto_mode, eks_pool

_ORDER = "https://github.com/kubernetes-sigs/karpenter/blob/main/pkg/utils/nodepool/nodepool.go: OrderByWeight, higher first, then the last name"
_NEIGHBOURS = 40
"""How many wide pools one is compared with: a thousand pools are a million pairs."""
_OF_MACHINES = ("kubernetes.io", "karpenter.sh", "eks.amazonaws.com", "karpenter.azure.com", "kubernetes.azure.com", "topology.k8s.aws")
"""Domains of labels that a node has by being what it is; others it has only from its pool."""
_BUILT_IN = ("default", "system-surge")

Offer = Mapping[str, Values]


@rule(
    "KAR060",
    Severity.WARNING,
    source=f"{_ORDER}; the first pool that fits takes the pod",
    sample=lambda: auto_mode({"any": eks_pool(weight=20), "web": eks_pool(weight=10, limits={"cpu": 100})}),
)
def shadowed(holder: AutoMode | NodeProvisioning) -> Iterator[Finding]:
    """A pool gets no pod where one of more weight, without limits, takes whatever it takes."""
    wide = sorted(((name, pool) for name, pool in _dynamic(holder) if _is_wide(pool)), key=lambda one: (_weight(one[1]), one[0]), reverse=True)
    for name, pool in _dynamic(holder):
        for other_name, other in islice(wide, _NEIGHBOURS):
            if _weight(other) > _weight(pool) and _hard(other) <= _hard(pool) and _within(_offer(pool), _offer(other)):
                message = f"never gets a pod: {other_name} has more weight, no limits, and takes all that this one takes"
                yield fault(
                    holder,
                    message,
                    at=("node_pools", name, "weight"),
                    value=_weight(pool),
                    fix=f"raise its weight above {_weight(other)}, or remove it",
                )
                break


@rule(
    "KAR061",
    Severity.NOTE,
    source="nodepools: a node class does nothing by itself",
    sample=lambda: auto_mode({"web": eks_pool()}, {"private": EksNodeClass()}),
)
def unused_class(holder: AutoMode | NodeProvisioning) -> Iterator[Finding]:
    """A node class is there for some NodePool."""
    used = {pool.node_class for pool in holder.node_pools.values()}
    for name in holder.node_classes if used else ():
        if name not in used and name not in _BUILT_IN:
            yield fault(holder, "is used by no NodePool here", at=("node_classes", name), value=name, fix="remove it, or name it in a NodePool")


def _dynamic(holder: AutoMode | NodeProvisioning) -> Iterator[tuple[str, NodePool]]:
    """Pools that start nodes for pods: neither static, nor turned off by a limit of zero."""
    for name, pool in holder.node_pools.items():
        if pool.replicas is None and all(str(limit) != "0" for limit in pool.limits.values()):
            yield name, pool


def _weight(pool: NodePool) -> int:
    return pool.weight if pool.weight is not None else 0


def _hard(pool: NodePool) -> frozenset[str]:
    """What pods must tolerate."""
    return frozenset(str(taint) for taint in pool.taints if taint.is_hard)


def _is_wide(pool: NodePool) -> bool:
    return not pool.limits and all(requirement.min_values is None for requirement in pool.requirements)


def _offer(pool: NodePool) -> Offer:
    """What its nodes can be, label by label."""
    asked: dict[str, list[Values]] = {key: [Values.of(Operator.IN, [value])] for key, value in pool.labels.items()}
    for requirement in pool.requirements:
        asked.setdefault(requirement.key, []).append(requirement.allowed)
    return {key: reduce(Values.__and__, values) for key, values in asked.items()}


def _within(inner: Offer, outer: Offer) -> bool:
    """Every pod that `inner` takes, `outer` takes: it is narrower nowhere, and has no label of its own that pods could ask for."""
    narrower = any(key not in inner or inner[key] & values != inner[key] for key, values in outer.items())
    own = any(key not in outer and not domain(key).endswith(_OF_MACHINES) for key in inner)
    return not narrower and not own
