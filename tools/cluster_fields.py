"""Writes docs/aks-cluster-fields.md and docs/eks-cluster-fields.md: every argument of a cluster with its field. `--check` only compares."""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, get_args

from nodepools import AksClusterArgs, EksClusterArgs
from nodepools.model.base import Model
from nodepools.model.schema import field_docs
from nodepools.wire.aks.cluster import CLUSTER as AKS_CLUSTER
from nodepools.wire.eks.cluster import CLUSTER as EKS_CLUSTER
from nodepools.wire.overrides import Argument, Overrides
from nodepools.wire.rows import Always, Note
from nodepools.wire.table import Change, Effect, FieldPath, Table, python_name, worst

DOCS = Path(__file__).parents[1] / "docs"
WORDS = {
    Effect.NONE: "-",
    Effect.IN_PLACE: "in place",
    Effect.IN_PLACE_LATER: "in place, takes effect at the next node image upgrade",
    Effect.REIMAGES: "in place, reimages the nodes",
    Effect.ROLLS: "in place, replaces the nodes",
    Effect.REMOVES_NODES: "in place; turning it off removes nodes",
    Effect.REPLACES: "replaces the cluster",
    Effect.REFUSED: "rejected by the cloud",
    Effect.UNKNOWN: "not documented",
}


class Page(NamedTuple):
    """A page about one cloud."""

    file: str
    cloud: str
    argument: str
    """The type in Pulumi."""
    declared: type[Model]
    table: Table


PAGES = (
    Page("aks-cluster-fields.md", "AKS", "azure-native:containerservice:ManagedCluster", AksClusterArgs, AKS_CLUSTER),
    Page("eks-cluster-fields.md", "EKS", "aws:eks/cluster:Cluster", EksClusterArgs, EKS_CLUSTER),
)


class Line(NamedTuple):
    """One argument."""

    place: str
    fields: tuple[str, ...]
    """The fields that set it; none if it is derived, always the same, or left to `overrides`."""
    is_left: bool
    """Only `overrides` can set it."""
    effect: str
    text: str


ELSEWHERE = {
    "agent_pool_profiles": Line(
        "agent_pool_profiles",
        ("system_pool",),
        is_left=False,
        effect="see there",
        text="Its arguments are those of [agent pools](agent-pool-fields.md)",
    )
}
"""Arguments with a page of their own."""


def lines(page: Page) -> Iterator[Line]:
    """Every argument that a program can set, in the order of their names. Arguments with others inside are not listed."""
    places: dict[str, list[FieldPath]] = {}
    for way in page.table.compared.values():
        if not (isinstance(way.row, Note) and (way.row.kind == "read_only" or way.since)):
            place = ".".join(python_name(str(step)) for step in way.wire)
            first = place.partition(".")[0]
            places.setdefault(first if first in ELSEWHERE else place, []).extend(one for one in page.table.leaves if one.wire == way.wire)
    for place, ways in sorted(places.items()):
        yield ELSEWHERE.get(place) or _line(page, place, ways)


def _line(page: Page, place: str, ways: list[FieldPath]) -> Line:
    row = ways[0].row
    effect = _effect([way.change for way in ways if way.change is not None])
    if isinstance(row, Always):
        return Line(place, (), is_left=False, effect=effect, text=f"always `{row.word}`")
    if isinstance(row, Note):
        return Line(place, (), is_left=row.kind == "unmodeled", effect=effect, text=row.why)
    if isinstance(row, Overrides):
        argument = next(one for one in row.arguments if ".".join(one.override) == place)
        return Line(place, (), is_left=argument.value is None, effect=effect, text=_fixed(argument))
    fields = [way.model for way in ways if way.model]
    described = [description(page.declared, list(map(str, field))) for field in fields]
    return Line(place, tuple(".".join(map(str, field)) for field in fields), is_left=False, effect=effect, text=described[0])


def _effect(changes: list[Change]) -> str:
    if changes and all(change.ignored for change in changes):
        return "none: it is sent only at creation"
    return WORDS[worst([change.effect for change in changes], Effect.NONE)]


def _fixed(argument: Argument) -> str:
    return f"always `{argument.value}`" if argument.value is not None else f"rarely changed; cloud default `{argument.default}`"


def description(kind: type[Model], steps: list[str]) -> str:
    """The first sentence of the docstring of the field at `steps`."""
    first, *rest = steps
    if rest:
        parts = (part for part in _models(kind.model_fields[first].annotation) if rest[0] in part.model_fields)
        return next((description(part, rest) for part in parts), "")
    texts = {name: text for base in reversed(kind.__mro__) if issubclass(base, Model) for name, text in field_docs(base).items()}
    return " ".join(texts.get(first, "").split()).partition(". ")[0].rstrip(".")


def _models(annotation: object) -> Iterator[type[Model]]:
    if isinstance(annotation, type) and issubclass(annotation, Model):
        yield annotation
    for inner in get_args(annotation):
        yield from _models(inner)


def ours(page: Page) -> Iterable[tuple[str, str]]:
    """Fields that the request of the cluster does not have, each with where it is sent."""
    for way in page.table.leaves:
        if isinstance(way.row, Note) and way.row.kind == "ours":
            field = ".".join(map(str, way.model))
            if field.startswith("system_pool."):
                continue
            yield field, way.row.why if way.row.why else (way.change.source if way.change is not None else "")


def text_of(page: Page) -> str:
    """The whole page."""
    found = list(lines(page))
    sent = [line for line in found if line.fields]
    fixed = [line for line in found if not line.fields and not line.is_left]
    left = [line for line in found if line.is_left]
    return "\n".join(
        [
            f"# Arguments of {page.cloud} clusters",
            "",
            f"Every argument of `{page.argument}` in the SDK, with the field of `{page.declared.__name__}` that sets it,",
            "or the reason why there is none.",
            "Generated by `tools/cluster_fields.py` from the table of rows that requests are derived from.",
            "",
            f"{len(found)} arguments: {len(sent)} have a field, {len(fixed)} are derived or always the same,",
            f"{len(left)} can be set with `overrides`.",
            "",
            "## Arguments with a field",
            "",
            "| argument | field | effect of a change | description |",
            "|---|---|---|---|",
            *(f"| `{one.place}` | {', '.join(f'`{field}`' for field in one.fields)} | {one.effect} | {one.text} |" for one in sent),
            "",
            "## Derived arguments",
            "",
            "| argument | value |",
            "|---|---|",
            *(f"| `{one.place}` | {one.text} |" for one in fixed),
            "",
            "## Arguments without a field",
            "",
            "Set them with `overrides`.",
            "",
            "| argument | why it has no field |",
            "|---|---|",
            *(f"| `{one.place}` | {one.text} |" for one in left),
            "",
            "## Fields that are sent elsewhere",
            "",
            "| field | where |",
            "|---|---|",
            *(f"| `{field}` | {where} |" for field, where in sorted(ours(page))),
            "",
        ]
    )


if __name__ == "__main__":
    for one in PAGES:
        if "--check" in sys.argv and (DOCS / one.file).read_text() != text_of(one):
            sys.exit(f"{one.file} is not current: run tools/cluster_fields.py")
        if "--check" not in sys.argv:
            (DOCS / one.file).write_text(text_of(one))
