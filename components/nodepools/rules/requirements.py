"""Requirements of Karpenter NodePools that no node can meet, or that say less than they seem to."""

from collections.abc import Iterator
from functools import reduce

from nodepools.model.karpenter import NodePool, Requirement
from nodepools.model.kubernetes.requirement import Operator, Values
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.path import Step
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import AMD64, ON_DEMAND, eks_pool

_SCHEDULING = "https://karpenter.sh/docs/concepts/scheduling/"
_CAPACITY, _ARCH, _OS = "karpenter.sh/capacity-type", "kubernetes.io/arch", "kubernetes.io/os"
_WORDS = {_ARCH: ("amd64", "arm64"), _OS: ("linux",)}
_EVERY_NODE_HAS = frozenset(
    {_CAPACITY, _ARCH, _OS, "topology.kubernetes.io/zone", "topology.kubernetes.io/region", "node.kubernetes.io/instance-type"}
    | {f"eks.amazonaws.com/instance-{name}" for name in ("category", "family", "generation", "size", "cpu", "memory")}
    | {f"karpenter.azure.com/sku-{name}" for name in ("name", "family", "version", "cpu", "memory")}
)
_SAYS_THE_ARCH = frozenset(
    {"node.kubernetes.io/instance-type", "eks.amazonaws.com/instance-family", "eks.amazonaws.com/instance-cpu-manufacturer"}
    | {"karpenter.azure.com/sku-name", "karpenter.azure.com/sku-series"}
)
_IN_MEBIBYTES = (
    "eks.amazonaws.com/instance-memory",
    "eks.amazonaws.com/instance-gpu-memory",
    "karpenter.azure.com/sku-memory",
    "kubernetes.azure.com/sku-memory",
)
_MEBIBYTES_OF_A_GIBIBYTE = 1024


@rule(
    "KAR040",
    Severity.ERROR,
    source=f"{_SCHEDULING}: requirements and labels of one key hold together; every node has this label",
    sample=lambda: eks_pool(Requirement("kubernetes.io/arch", "In", ["arm64"])),
)
def contradicting_requirements(pool: NodePool) -> Iterator[PartFinding]:
    """What a pool asks of one label must leave a value, where every node has that label; else no node is ever started."""
    for key, at in _contradictions(pool):
        if key in _EVERY_NODE_HAS:
            yield finding(pool, f"contradicts what the pool also asks of {key}: no node can be both", at=at, fix="keep one of them")


@rule(
    "KAR041",
    Severity.WARNING,
    source=f"{_SCHEDULING}: an empty intersection silently means that the label is absent",
    sample=lambda: eks_pool(Requirement("team", "In", ["ml"]), labels={"team": "web"}),
)
def label_contradicts_requirement(pool: NodePool) -> Iterator[PartFinding]:
    """What a pool asks of one label should leave a value; else its nodes are without the label, and pods that ask for it stay away."""
    for key, at in _contradictions(pool):
        if key not in _EVERY_NODE_HAS:
            yield finding(pool, f"contradicts what the pool also asks of {key}: its nodes would be without the label", at=at, fix="keep one of them")


@rule(
    "KAR042",
    Severity.ERROR,
    source="NodePool CRD (karpenter.sh/v1): 'minValues' must have at least that many values",
    sample=lambda: eks_pool(Requirement("node.kubernetes.io/instance-type", "In", ["m7i.large"], min_values=2)),
)
def min_values_above_value_count(requirement: Requirement) -> Iterator[PartFinding]:
    """`min_values` is no more than the values that are named."""
    if requirement.operator == "In" and requirement.min_values is not None and requirement.min_values > len(requirement.values):
        yield finding(
            requirement, f"is more than the {len(requirement.values)} named", at="min_values", fix=f"write {len(requirement.values)} or less"
        )


@rule(
    "KAR043",
    Severity.ERROR,
    source="https://karpenter.sh/docs/concepts/nodepools: well-known labels and their values",
    sample=lambda: eks_pool(requirements=[AMD64, Requirement("karpenter.sh/capacity-type", "In", ["ondemand"])]),
)
def no_known_label_value(requirement: Requirement, pool: NodePool) -> Iterator[PartFinding]:
    """Capacity type, architecture and operating system are asked for in Karpenter's own words; else no node is ever started."""
    words = _words(requirement, pool)
    known, least = set(words) & set(requirement.values), requirement.min_values if requirement.min_values is not None else 1
    if words and requirement.operator == "In" and not known:
        yield finding(requirement, f"names nothing that nodes are: there is {', '.join(words)}", at="values", fix=f"write {' or '.join(words)}")
    elif words and requirement.operator == "In" and len(known) < least <= len(requirement.values):
        message = f"is more than what nodes are of those named: {', '.join(sorted(known))}"
        yield finding(requirement, message, at="min_values", fix=f"write {len(known)} or less, or name others of {', '.join(words)}")


@rule(
    "KAR044",
    Severity.WARNING,
    source="https://karpenter.sh/docs/concepts/nodepools: well-known labels and their values",
    sample=lambda: eks_pool(requirements=[AMD64, Requirement("karpenter.sh/capacity-type", "In", ["spot", "ondemand"])]),
)
def unknown_label_value(requirement: Requirement, pool: NodePool) -> Iterator[PartFinding]:
    """A capacity type, architecture or operating system that is not known is passed over in silence."""
    words = _words(requirement, pool)
    for index, value in enumerate(requirement.values):
        if words and value not in words and requirement.operator == "In" and set(words) & set(requirement.values):
            yield finding(
                requirement, f"is passed over: there is {', '.join(words)}", at=("values", index), fix=f"write {' or '.join(words)}, or remove it"
            )


@rule(
    "KAR045",
    Severity.WARNING,
    source="https://karpenter.sh/docs/concepts/nodepools: without a capacity type, spot may be chosen",
    sample=lambda: eks_pool(requirements=[AMD64]),
)
def capacity_type_not_set(pool: NodePool) -> Iterator[PartFinding]:
    """A pool that says nothing of its capacity type may be given spot nodes, which can be taken away at any time."""
    if not _speaks_of(pool, frozenset({_CAPACITY, "kubernetes.azure.com/scalesetpriority", "kubernetes.azure.com/priority"})):
        fix = f'ask for {_CAPACITY} In ["on-demand"]'
        yield finding(pool, "say nothing of the capacity type: the nodes may be spot", at="requirements", fix=fix)


@rule(
    "KAR046",
    Severity.WARNING,
    source="https://karpenter.sh/docs/concepts/nodepools: without an architecture, arm64 may be chosen",
    sample=lambda: eks_pool(requirements=[ON_DEMAND]),
)
def architecture_not_set(pool: NodePool) -> Iterator[PartFinding]:
    """A pool that says nothing of its architecture may be given arm64 nodes, where images for amd64 alone do not start."""
    if not _speaks_of(pool, _SAYS_THE_ARCH | {_ARCH}):
        fix = f'ask for {_ARCH} In ["amd64"]'
        yield finding(pool, "say nothing of the architecture: the nodes may be arm64", at="requirements", fix=fix)


@rule(
    "KAR047",
    Severity.WARNING,
    source="NodePool CRD (karpenter.sh/v1): admitted, and the values ignored",
    sample=lambda: eks_pool(Requirement("team", "Exists", ["ml"])),
)
def ignored_requirement_values(requirement: Requirement) -> Iterator[PartFinding]:
    """Exists and DoesNotExist ask for no values: any that are given are ignored."""
    if requirement.operator in ("Exists", "DoesNotExist") and requirement.values:
        yield finding(requirement, f"are ignored by {requirement.operator}", at="values", fix="remove them, or write In")


@rule(
    "KAR048",
    Severity.WARNING,
    source="https://docs.aws.amazon.com/eks/latest/userguide/create-node-pool.html and Karpenter's Azure labels: memory is in MiB",
    sample=lambda: eks_pool(Requirement("eks.amazonaws.com/instance-memory", "Gt", ["16"])),
)
def memory_not_in_mebibytes(requirement: Requirement) -> Iterator[PartFinding]:
    """Memory of instances is in MiB: 16 is less than any has."""
    if requirement.key in _IN_MEBIBYTES:
        for index, value in enumerate(requirement.values):
            if value.isascii() and value.isdecimal() and 0 < int(value) < _MEBIBYTES_OF_A_GIBIBYTE:
                fix = f'write "{int(value) * _MEBIBYTES_OF_A_GIBIBYTE}" for {value}Gi; keys take "{value}Gi"'
                yield finding(requirement, "is in MiB, less than any instance has", at=("values", index), fix=fix)


def _contradictions(pool: NodePool) -> Iterator[tuple[str, tuple[Step, ...]]]:
    """The labels of which nothing is left, each with the last that is asked of it."""
    asked: dict[str, list[tuple[Values, tuple[Step, ...]]]] = {}
    for index, requirement in enumerate(pool.requirements):
        asked.setdefault(requirement.key, []).append((requirement.allowed, ("requirements", index)))
    for key, value in pool.labels.items():
        asked.setdefault(key, []).append((Values.of(Operator.IN, [value]), ("labels", key)))
    for key, all_asked in asked.items():
        values = [values for values, _ in all_asked]
        if reduce(Values.__and__, values).absent and not all(value.permits_absence for value in values):
            yield key, all_asked[-1][1]


def _words(requirement: Requirement, pool: NodePool) -> tuple[str, ...]:
    """What the label can be, where that is a known set of words."""
    return pool.capacity_types if requirement.key == _CAPACITY else _WORDS.get(requirement.key, ())


def _speaks_of(pool: NodePool, labels: frozenset[str]) -> bool:
    return any(requirement.key in labels for requirement in pool.requirements) or any(key in labels for key in pool.labels)
