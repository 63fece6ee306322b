"""Writes docs/coverage.md: every argument of a cluster, of its pools and of what belongs to them, with how it is sent. `--check` only compares."""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from enum import Enum
from pathlib import Path
from typing import NamedTuple

from nodepools.data.argument_types import Source, aks_versions, arguments, sendable_versions
from nodepools.data.table_files import table_day
from nodepools.wire.aks.agent_pool import POOL
from nodepools.wire.aks.cluster import CLUSTER as AKS_CLUSTER
from nodepools.wire.aks.maintenance import CONFIGURATION
from nodepools.wire.eks.access import ADD_ON, ENTRY, IDENTITY_PROVIDER, POD_IDENTITY, POLICY
from nodepools.wire.eks.cluster import CLUSTER as EKS_CLUSTER
from nodepools.wire.overrides import Overrides
from nodepools.wire.rows import Always, Each, Note, Part
from nodepools.wire.table import FieldPath, Table

PAGE = Path(__file__).parents[1] / "docs" / "coverage.md"
AIM = 95
"""At least so many percent of the arguments of the newest version that can be sent are not left to `overrides`."""


class How(Enum):
    """How an argument is sent."""

    FIELD = "a field"
    DERIVED = "derived"
    OVERRIDES = "only `overrides`"
    REFUSED = "refused"
    NOTHING = "nothing"


class Resource(NamedTuple):
    """One kind of resource."""

    type: str
    table: Table


AKS = (Resource("ManagedCluster", AKS_CLUSTER), Resource("AgentPool", POOL), Resource("MaintenanceConfiguration", CONFIGURATION))
EKS = (
    Resource("Cluster", EKS_CLUSTER),
    Resource("AccessEntry", ENTRY),
    Resource("AccessPolicyAssociation", POLICY),
    Resource("Addon", ADD_ON),
    Resource("PodIdentityAssociation", POD_IDENTITY),
    Resource("IdentityProviderConfig", IDENTITY_PROVIDER),
)


class Leaf(NamedTuple):
    """An argument without others inside."""

    wire: tuple[str, ...]
    since: str
    """The first version of the API that has it; empty if the default version does."""

    @property
    def text(self) -> str:
        """As the API spells it."""
        return ".".join(self.wire)


class Answer(NamedTuple):
    """How one argument is sent, with the field or the reason."""

    how: How
    why: str = ""


def leaves(type_: str, above: Leaf) -> Iterator[Leaf]:
    """The arguments of a type without others inside, those of all versions. Pools inside a cluster have a table of their own."""
    for one in (arguments(type_) or {}).values():
        leaf = Leaf((*above.wire, one.name), max(above.since, one.since))
        inner = one.type.strip("[]{}")
        if leaf.wire == ("agentPoolProfiles",) or arguments(inner) is None:
            yield leaf
        else:
            yield from leaves(inner, leaf)


def answer(resource: Resource, leaf: Leaf) -> Answer:
    """How an argument is sent: the row with exactly its place, then one inside it, then one that it is in."""
    if leaf.since > sendable_versions()[-1]:
        return Answer(How.REFUSED, f"{Source.AZURE.origin.partition(' (')[0]} cannot send {leaf.since} (read {table_day('argument_types.txt')})")
    ways = [(tuple(step for step in way.wire if isinstance(step, str)), way) for way in resource.table.field_paths if way.wire]
    exact = [way for wire, way in ways if wire == leaf.wire]
    inside = [way for wire, way in ways if _is_above(leaf.wire, wire)]
    around = sorted(
        ((wire, way) for wire, way in ways if leaf.wire[: len(wire)] == wire and not isinstance(way.row, Part | Each)), key=lambda pair: -len(pair[0])
    )
    found = exact or inside or [way for wire, way in around if wire == around[0][0]]
    return _answer(leaf, found) if found else Answer(How.NOTHING)


def _is_above(leaf: Sequence[str], wire: Sequence[str]) -> bool:
    """The row is inside the argument: `addonProfiles.config` has the rows of each add-on, whose name is a key."""
    rest = iter(wire)
    return len(wire) > len(leaf) and wire[0] == leaf[0] and all(step in rest for step in leaf)


def _answer(leaf: Leaf, ways: list[FieldPath]) -> Answer:
    sent = (way.model for way in ways if not isinstance(way.row, Note | Always | Overrides))
    fields = dict.fromkeys(".".join(step for step in model if isinstance(step, str)) for model in sent)
    if fields:
        return Answer(How.FIELD, ", ".join(f"`{field}`" for field in fields))
    row = ways[0].row
    if isinstance(row, Always):
        return Answer(How.DERIVED, f"always `{row.word}`")
    if isinstance(row, Overrides):
        value = next(one.value for one in row.arguments if one.wire == leaf.text)
        return Answer(How.DERIVED, f"always `{value}`, unless `overrides` have another value")
    if not isinstance(row, Note):
        return Answer(How.NOTHING)
    if row.kind in {"derived", "read_only"}:
        return Answer(How.DERIVED, row.why or "only the cloud sets it")
    return Answer(How.REFUSED if row.kind == "refused" else How.OVERRIDES, row.why)


def answers(resource: Resource, version: str) -> dict[Leaf, Answer]:
    """Every argument that a version of the API has."""
    return {leaf: answer(resource, leaf) for leaf in sorted(set(leaves(resource.type, Leaf((), "")))) if leaf.since <= version}


def share(found: dict[Leaf, Answer]) -> float:
    """The percentage that is not left to `overrides`."""
    return 100 * sum(one.how in {How.FIELD, How.DERIVED, How.REFUSED} for one in found.values()) / len(found)


def whole(version: str) -> dict[Leaf, Answer]:
    """The arguments of all resources of AKS, each with its resource in front."""
    return {leaf._replace(wire=(one.type, *leaf.wire)): found for one in AKS for leaf, found in answers(one, version).items()}


def page() -> str:
    """The whole page."""
    day, sendable = table_day("argument_types.txt"), sendable_versions()
    return "\n".join(
        (
            "# What can be declared",
            "",
            "Every argument of the resources of a cluster, with the field that sends it, or the reason why there is none.",
            "Generated by `tools/coverage_table.py` from the rows that requests are made of, and from the types of the SDKs",
            f"({Source.AZURE.origin}; {Source.AWS.origin}; azure-mgmt-containerservice, {day}).",
            "",
            "## Versions of the API of AKS",
            "",
            f"The default is {sendable[0]}. {Source.AZURE.origin.partition(' (')[0]} cannot send versions after {sendable[-1]}.",
            "",
            f"| version | can be sent | arguments | {' | '.join(how.value for how in _LISTED)} | not left to `overrides` |",
            f"|---|---|---|{'---|' * len(_LISTED)}---|",
            *(_version_line(one, whole(one)) for one in aks_versions()),
            "",
            "## AKS",
            "",
            f"With version {aks_versions()[-1]}. Pools inside a cluster have the arguments of `AgentPool`.",
            "",
            *(line for one in AKS for line in _table(one, "azure-native:containerservice", aks_versions()[-1])),
            "## EKS",
            "",
            *(line for one in EKS for line in _table(one, "aws:eks", "")),
        )
    )


_LISTED = (How.FIELD, How.DERIVED, How.OVERRIDES, How.REFUSED)


def _version_line(version: str, found: dict[Leaf, Answer]) -> str:
    counts = Counter(one.how for one in found.values())
    cells = [version, "yes" if version in sendable_versions() else "no", str(len(found)), *(str(counts[how]) for how in _LISTED)]
    return f"| {' | '.join(cells)} | {share(found):.1f} % |"


def _table(resource: Resource, package: str, version: str) -> Iterator[str]:
    found = answers(resource, version)
    yield f"### `{package}:{resource.type}`"
    yield ""
    yield "; ".join(f"{how.value}: {number}" for how in _LISTED if (number := sum(one.how is how for one in found.values())))
    yield ""
    yield "| argument | since | how | field or reason |"
    yield "|---|---|---|---|"
    for leaf, one in found.items():
        yield f"| `{leaf.text}` | {leaf.since} | {one.how.value} | {one.why} |"
    yield ""


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(0 if PAGE.read_text() == page() else f"{PAGE.name} is not current: run tools/coverage_table.py")
    PAGE.write_text(page())
