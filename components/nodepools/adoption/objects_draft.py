"""The draft of the NodePools and node classes inside a cluster. What another tool owns stays outside."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final, cast

from nodepools.adoption.draft import Reader
from nodepools.adoption.object_exports import ObjectExport
from nodepools.model.kubernetes.raw_fields import text
from nodepools.wire.karpenter import ClassKind, node_pool_table
from nodepools.wire.table import Table

_DEFAULT_BUDGETS: Final = [{"nodes": "10%"}]
"""What the CRD of Karpenter fills in."""
_OTHER_CLASS: Final = "it refers to a node class of another kind"


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """Objects that the cloud creates itself."""

    cloud: str
    pools: Collection[str]
    classes: Collection[str]


@dataclass(slots=True)
class ObjectsDraft:
    """Node classes and NodePools as plain data."""

    classes: dict[str, dict[str, object]] = field(default_factory=dict[str, dict[str, object]])
    pools: dict[str, dict[str, object]] = field(default_factory=dict[str, dict[str, object]])
    elsewhere: list[str] = field(default_factory=list[str])
    """Node classes that NodePools use and that stay outside."""
    outside: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def fields(self) -> dict[str, object]:
        """The fields that both clouds have."""
        found = {"node_classes": self.classes, "existing_node_classes": self.elsewhere, "node_pools": self.pools}
        return {name: value for name, value in found.items() if value}


def objects_draft(objects: Collection[ObjectExport], kind: ClassKind, table: Table, built_in: BuiltIn, reader: Reader) -> ObjectsDraft:
    """Reads node classes of one kind, and the NodePools that use them."""
    made = ObjectsDraft()
    for one in objects:
        if one.kind == kind.kind:
            why = built_in.cloud if one.name in built_in.classes else _managed(one)
            if why is None:
                made.classes[one.name] = reader.read(table, one.spec, f"{one.kind} {one.name}")
            else:
                made.outside[f"{one.kind} {one.name}"] = why
    for one in objects:
        if one.kind == "NodePool":
            _add_pool(made, one, kind, built_in, reader)
    return made


def _managed(one: ObjectExport) -> str | None:
    return f"{one.owner} manages it" if one.owner is not None else None


def _add_pool(made: ObjectsDraft, one: ObjectExport, kind: ClassKind, built_in: BuiltIn, reader: Reader) -> None:
    where = f"{one.kind} {one.name}"
    why = built_in.cloud if one.name in built_in.pools else _OTHER_CLASS if one.class_kind is not kind else _managed(one)
    if why is not None:
        made.outside[where] = why
        return
    fields = reader.read(node_pool_table(kind), one.spec, where)
    node_class = text(fields.pop("node_class", None), "nodeClassRef.name")
    if node_class not in ("", "default"):
        fields["node_class"] = node_class
        if node_class not in made.classes and node_class not in built_in.classes and node_class not in made.elsewhere:
            made.elsewhere.append(node_class)
    if "limits" in fields:
        fields["limits"] = {name: str(limit) for name, limit in cast("Mapping[str, object]", fields["limits"]).items()}
    made.pools[one.name] = {**_without_default_budgets(fields), "labeled": False}


def _without_default_budgets(fields: dict[str, object]) -> dict[str, object]:
    disruption = fields.get("disruption")
    if not isinstance(disruption, Mapping) or cast("Mapping[str, object]", disruption).get("budgets") != _DEFAULT_BUDGETS:
        return fields
    rest = {name: value for name, value in cast("Mapping[str, object]", disruption).items() if name != "budgets"}
    return {**fields, "disruption": rest}
