"""Labels and taints of pools: the labels that a NodePool names, and their valid form in Kubernetes."""

from collections.abc import Iterator
from functools import reduce

from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.karpenter import NodePool, Requirement
from nodepools.model.kubernetes.label import is_key, is_value
from nodepools.model.kubernetes.requirement import Operator, Values
from nodepools.model.kubernetes.taint import Taint
from nodepools.model.nearest import respelled
from nodepools.model.steps import Steps
from nodepools.rules.finding import PartFinding
from nodepools.rules.fix import Fix, FixLike, Operation, certain, remove, rename, set_to
from nodepools.rules.path import Step
from nodepools.rules.registry import finding

A_KEY = "Use a key such as `team` or `example.com/team`"
A_VALUE = "Use at most 63 letters, digits, `-`, `_` and `.`, with a letter or digit at both ends"
_SHOWN = 63


def named_labels(pool: NodePool) -> Iterator[tuple[str, tuple[Step, ...]]]:
    """Every label key that `pool` names, with its path."""
    for index, requirement in enumerate(pool.requirements):
        yield requirement.key, ("requirements", index, "key")
    for key in pool.labels:
        yield key, ("labels", key)


def in_domain(key: str, restricted: str) -> bool:
    """The CRD restricts `key` with the domain: the part before the slash, or a key without a slash, ends with the domain."""
    return key.partition("/")[0].endswith(restricted)


def relabeled(path: Steps, key: str) -> Operation:
    """Changes the key of the label at `path`."""
    return set_to(path, key) if path[-1] == "key" else rename(path, key)


def renamed_label(path: Steps, key: str, known: str) -> Fix:
    """The probable meaning of an unknown label: another label can be meant, unless only the spelling differs."""
    operation = relabeled(path, known)
    if respelled(key, (known,)) is not None:
        return certain(operation)
    return Fix(f"Use `{known}`, if that is meant, or a prefix of your own", (operation,))


def without_label(path: Steps) -> Operation:
    """Removes the requirement or label at `path`."""
    return remove(path[:-1] if path[-1] == "key" else path)


def without_value(requirement: Requirement, index: int, otherwise: str) -> FixLike:
    """Removes one of the listed values; the text `otherwise` if too few values would be left."""
    left, least = len(requirement.values) - 1, requirement.min_values if requirement.min_values is not None else 1
    return remove(("values", index)) if left >= least else otherwise


def allowed_values(pool: NodePool, key: str) -> Values:
    """The values of one label that the requirements and labels of `pool` allow: any value if they do not name the label."""
    values = [requirement.allowed for requirement in pool.requirements if requirement.key == key]
    values += [Values.of(Operator.IN, [pool.labels[key]])] if key in pool.labels else []
    return reduce(Values.__and__, values, Values())


def invalid_labels(pool: AgentPool | NodePool) -> Iterator[PartFinding]:
    """Labels that no node can have."""
    for key, value in pool.labels.items():
        if not is_key(key):
            yield finding(pool, f"`{_short(key)}` is not a valid label key", path=("labels", key), value=key, fix=A_KEY)
        if not is_value(value):
            yield finding(pool, f"`{_short(value)}` is not a valid label value", path=("labels", key), fix=A_VALUE)


def invalid_taint(taint: Taint) -> Iterator[PartFinding]:
    """A taint that no node can have."""
    if not is_key(taint.key):
        yield finding(taint, f"`{_short(taint.key)}` is not a valid taint key", path="key", fix=A_KEY)
    if not is_value(taint.value):
        yield finding(taint, f"`{_short(taint.value)}` is not a valid taint value", path="value", fix=A_VALUE)


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
