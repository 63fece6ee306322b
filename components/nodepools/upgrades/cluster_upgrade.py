"""The way of one cluster to a version, with everything that blocks it."""

from dataclasses import dataclass
from datetime import date

from nodepools.placement.coverage import Coverage
from nodepools.upgrades.blocker import Blocker
from nodepools.upgrades.progress import Progress
from nodepools.upgrades.room import Room
from nodepools.upgrades.step import Round, Step, bounded


@dataclass(frozen=True, slots=True)
class ClusterUpgrade:
    """The way of one cluster to a version."""

    cluster: str
    old: str
    new: str
    support_ends: date | None
    """When standard support of the version that is left ends."""
    rounds: tuple[Round, ...]
    blocked_by: tuple[Blocker, ...] = ()
    """Why there are no steps."""
    not_checked: tuple[str, ...] = ()
    """What can stop the upgrade and cannot be determined offline."""
    progress: Progress | None = None
    """Where the running cluster is, if it was exported."""
    room: tuple[Room, ...] = ()
    """What it needs with surge nodes."""
    is_over: bool = False
    """Standard support has ended already."""
    coverage: Coverage | None = None
    """The share of the nodes that the steps are about, if the cluster has others."""

    @property
    def steps(self) -> list[Step]:
        """All steps, in order."""
        return [step for each in self.rounds for step in each.steps]

    @property
    def next_steps(self) -> tuple[Step, ...]:
        """The steps of the first round: what one change of the declaration contains."""
        return self.rounds[0].steps if self.rounds else ()

    @property
    def blockers(self) -> list[Blocker]:
        """Everything that blocks it or one of its steps."""
        return [*self.blocked_by, *(blocker for step in self.steps for blocker in step.blocked_by)]

    @property
    def bounded_minutes(self) -> int | None:
        """The limited parts of all agent pools together; `None` if one of them has no limit."""
        return bounded(self.steps)

    def to_json(self) -> dict[str, object]:
        """As plain data."""
        return {
            "cluster": self.cluster,
            "from": self.old,
            "to": self.new,
            "support_ends": self.support_ends.isoformat() if self.support_ends is not None else None,
            "steps": [step.to_json(number) for number, step in enumerate(self.steps, 1)],
            "bounded_minutes": self.bounded_minutes,
            "blocked_by": [blocker.to_json() for blocker in self.blocked_by],
            "room": [room.to_json() for room in self.room],
            "not_checked": list(self.not_checked),
            "coverage": self.coverage.to_json() if self.coverage is not None else None,
            "progress": self.progress.to_json() if self.progress is not None else None,
        }
