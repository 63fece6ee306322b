"""What every draft of a declaration has: the fields as plain data, and what was not read."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from nodepools.adoption.plain_trees import Branch, Tree, known
from nodepools.wire.reading import Reading, UnreadField, Why, read
from nodepools.wire.table import Table, Written

KEPT: Final = frozenset(
    {
        *("kind", "name", "resource_group", "identity", "network", "deployer_is_admin", "device_plugin", "labeled"),
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
    left: list[tuple[str, UnreadField]] = field(default_factory=list[tuple[str, UnreadField]])

    def read(self, table: Table, written: Written, name: str) -> dict[str, object]:
        """The fields of one part; `name` is in front of the paths of what is not read.

        An empty text counts as not set: AKS has one for a subnet that it manages.
        """
        reading = Reading(fold=self.fold)
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
