"""One change: what an edit does to a resource and to its nodes."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from nodepools.clouds.amounts import Amount
from nodepools.model.base import Model
from nodepools.model.redaction import redacted
from nodepools.model.ref import StackOutput, is_output
from nodepools.model.steps import Steps
from nodepools.wire.effects import Effect

Pace = Mapping[str, object]
"""What limits how fast nodes are replaced, as JSON data."""


_FACTS: Final = re.compile(r"docs/facts/(?P<cloud>aks|eks)\.md")
"""Pages as the rows name them, and the site does not."""


class Address(str):
    """A step of a path that is printed as it is: the address of a resource in Terraform."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class ResourceName:
    """A resource in Pulumi."""

    type: str
    name: str

    def __str__(self) -> str:
        return f"{self.type.rpartition(':')[2]}/{self.name}"


@dataclass(frozen=True, slots=True)
class Change:
    """The effect of one edit."""

    at: str
    """The cluster or the pool: `weu`, `weu/web`."""
    steps: Steps
    """Path of the field in the declaration."""
    old: object
    """The value that is sent before the change, as plain data; secrets are removed."""
    new: object
    effect: Effect
    message: str
    """What happens and why, as one sentence."""
    source: str
    """Where the effect is documented: addresses, and pages of the site of this library."""
    resource: ResourceName
    nodes: Amount | None = None
    """The nodes that are replaced, removed or restarted; `None` if no node is."""
    extra_nodes: Amount | None = None
    """Nodes that exist in addition meanwhile."""
    pace: Pace | None = None
    pools: tuple[str, ...] = ()
    """The pools of these nodes, if `at` is not one."""

    def __post_init__(self) -> None:
        """Both values are plain data without secrets, and the source names pages as the site does."""
        for name in ("old", "new"):
            object.__setattr__(self, name, redacted(written_value(getattr(self, name)), self.steps))
        object.__setattr__(self, "source", _FACTS.sub(lambda found: f"Facts about the clouds ({found['cloud'].upper()})", self.source))

    @property
    def cluster(self) -> str | None:
        """The key of the cluster; `None` for an object of manifests, which do not name it."""
        cluster, found, _ = self.at.partition("/")
        return None if self._is_object and not found else cluster

    @property
    def pool(self) -> str | None:
        """The key of the pool in its cluster; `None` for what belongs to the cluster, and for node classes."""
        name = self.at if self.cluster is None else self.at.partition("/")[2]
        is_class = self._is_object and self.resource.type.endswith("NodeClass")
        return None if is_class or not name else name

    @property
    def _is_object(self) -> bool:
        return self.resource.type.startswith("kubernetes:")

    @property
    def path(self) -> str:
        """The path as text: `clusters.weu.pools.web.labels["x/y"]`."""
        return "".join(_step(step) for step in self.steps).removeprefix(".")

    def to_json(self) -> dict[str, object]:
        """The change as JSON data."""
        return {
            "cluster": self.cluster,
            "pool": self.pool,
            "path": self.path,
            "old": self.old,
            "new": self.new,
            "effect": self.effect.value,
            "nodes": self.nodes.to_json() if self.nodes is not None else None,
            "extra_nodes": self.extra_nodes.to_json() if self.extra_nodes is not None else None,
            "pace": dict(self.pace) if self.pace is not None else None,
            "message": self.message,
            "source": self.source,
            "resource": {"type": self.resource.type, "name": self.resource.name},
            "pools": list(self.pools),
        }


def worst_first(changes: Iterable[Change]) -> list[Change]:
    """Sorted by severity, then by place; of several changes by one edit, those with nodes first."""
    return sorted(changes, key=lambda change: (-change.effect.severity, change.at, change.path, change.nodes is None))


def summary(changes: Iterable[Change]) -> dict[str, int]:
    """The number of changes for each effect that occurs, from severe to harmless."""
    counts: dict[str, int] = {}
    for change in worst_first(changes):
        counts[change.effect.value] = counts.get(change.effect.value, 0) + 1
    return counts


def _step(step: str | int) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    if isinstance(step, Address):
        return f".{step}"
    return f".{step}" if step.replace("-", "").replace("_", "").isalnum() else f'["{step}"]'


OUTPUT = "output"
"""Stands for an output of a resource, whose value is not known here. All count as equal."""


def written_value(value: object) -> object:
    """A part of a declaration as plain data, with the fields that are not their defaults."""
    if is_output(value):
        return OUTPUT
    if isinstance(value, StackOutput):
        return str(value)
    if isinstance(value, Model):
        return _fields(value)
    if isinstance(value, Mapping):
        return {key: written_value(part) for key, part in cast("Mapping[str, object]", value).items()}
    return [written_value(part) for part in cast("Sequence[object]", value)] if isinstance(value, list | tuple) else value


def _fields(value: Model) -> dict[str, object]:
    held = ((name, getattr(value, name), field) for name, field in type(value).model_fields.items())
    return {name: written_value(part) for name, part, field in held if field.is_required() or part != field.get_default(call_default_factory=True)}
