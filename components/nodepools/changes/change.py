"""One change: what an edit does to a resource and to its nodes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from nodepools.changes.interval import Interval
from nodepools.changes.written_values import written_value
from nodepools.model.redaction import redacted
from nodepools.model.steps import Steps
from nodepools.wire.effects import Effect

Pace = Mapping[str, object]
"""What limits how fast nodes are replaced, as JSON data."""


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
    reason: str
    """What happens and why, as one sentence."""
    source: str
    """Where the effect is documented."""
    resource: ResourceName
    nodes: Interval | None = None
    """The nodes that are replaced, removed or restarted; `None` if no node is."""
    extra_nodes: Interval | None = None
    """Nodes that exist in addition meanwhile."""
    pace: Pace | None = None
    pools: tuple[str, ...] = ()
    """The pools of these nodes, if `at` is not one."""

    def __post_init__(self) -> None:
        """Both values are plain data without secrets."""
        for name in ("old", "new"):
            object.__setattr__(self, name, redacted(written_value(getattr(self, name)), self.steps))

    @property
    def path(self) -> str:
        """The path as text: `clusters.weu.pools.web.labels["x/y"]`."""
        return "".join(_step(step) for step in self.steps).removeprefix(".")

    def to_json(self) -> dict[str, object]:
        """The change as JSON data."""
        return {
            "at": self.at,
            "path": self.path,
            "old": self.old,
            "new": self.new,
            "effect": self.effect.value,
            "nodes": self.nodes.to_json() if self.nodes is not None else None,
            "extra_nodes": self.extra_nodes.to_json() if self.extra_nodes is not None else None,
            "pace": dict(self.pace) if self.pace is not None else None,
            "reason": self.reason,
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
    return f".{step}" if step.replace("-", "").replace("_", "").isalnum() else f'["{step}"]'
