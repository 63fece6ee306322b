"""What every draft of a declaration has: the fields as plain data, what was not read, and the NodePools and node classes inside the cluster."""

from collections.abc import Callable, Collection, Mapping
from typing import Final, cast

from nodepools.adoption.proof import Branch, Tree, known
from nodepools.clouds.existing_objects import ObjectExport
from nodepools.model.kubernetes.raw_fields import text
from nodepools.model.values import dataclass, field
from nodepools.wire.karpenter import ClassKind, node_pool_table
from nodepools.wire.reading import Reading, UnreadField, Why, read
from nodepools.wire.table import Table, Written

KEPT: Final = frozenset(
    {
        *("kind", "name", "api_version", "resource_group", "identity", "network", "deployer_is_admin", "device_plugin", "labeled"),
        *("cluster_role", "node_role", "admins", "objects", "storage_class", "ingress_class", "network_policies", "cidr", "existing_node_classes"),
    }
)
"""Fields that stay in the declaration, whether or not a request has them: they decide which other resources are created."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A cluster as plain data, and what was not read."""

    fields: Tree
    unreadable: tuple[Branch, ...]
    """Paths in the export that are known and that no field has. Nothing is sent for them, and the cloud keeps them."""
    unknown: tuple[Branch, ...]
    """Paths in the export that are not known here: newer than this version, or of another API. What the cloud does with them is not known either."""
    outside: Mapping[str, str]
    """What stays outside the declaration, with its owner or the reason."""
    fixed_names: tuple[str, ...]
    """Pools that keep the names that they have."""


class CannotAdoptError(Exception):
    """A cluster that cannot be declared. The message says why."""


@dataclass(slots=True)
class Reader:
    """Reads parts of an export, and keeps the paths of what no field has."""

    fold: bool
    """Ignores case in names."""
    api_version: str = ""
    """Version of the Azure API that the declaration sends; empty for the default."""
    left: list[tuple[str, UnreadField]] = field(default_factory=list[tuple[str, UnreadField]])

    def read(self, table: Table, written: Written, name: str) -> dict[str, object]:
        """The fields of one part; `name` is in front of the paths of what is not read.

        An empty text counts as not set: AKS has one for a subnet that it manages.
        """
        reading = Reading(fold=self.fold, api_version=self.api_version)
        found = {field: value for field, value in known(read(table, written, reading)).items() if value != ""}
        self.left.extend((name, one) for one in reading.left if one.why is not Why.ANOTHER_WORD)  # the proof finds another constant
        return found

    @property
    def unread(self) -> tuple[Branch, ...]:
        """The paths that are known."""
        return self._paths(lambda one: one.why is not Why.NO_SUCH_FIELD)

    @property
    def unknown(self) -> tuple[Branch, ...]:
        """The paths that are not known."""
        return self._paths(lambda one: one.why is Why.NO_SUCH_FIELD)

    def _paths(self, belongs: Callable[[UnreadField], bool]) -> tuple[Branch, ...]:
        return tuple((name, *map(str, one.steps)) if name else tuple(map(str, one.steps)) for name, one in self.left if belongs(one))


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
    if one.metadata.get("deletionTimestamp") is not None:
        return "it is being deleted: export again when it is gone"
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
