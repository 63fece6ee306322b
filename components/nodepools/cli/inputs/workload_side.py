"""What a workload can use of the pools on one side of a change."""

from typing import Final

from nodepools.model.values import dataclass
from nodepools.placement.verdict import Verdict
from nodepools.replicas.explained import Explained

NO_POOL: Final = "no pool, its pods stay Pending"


@dataclass(frozen=True, slots=True)
class Side:
    """A workload in a cluster of one side; `found` is `None` if the side does not declare the cluster."""

    found: Explained | None

    @property
    def pools(self) -> tuple[str, ...]:
        """The pools that the pods fit."""
        return self._with(Verdict.FITS)

    @property
    def possible(self) -> tuple[str, ...]:
        """The pools that the pods fit, or may fit."""
        return (*self.pools, *self._with(Verdict.UNKNOWN))

    @property
    def replicas(self) -> str:
        """How many replicas can be scheduled."""
        return "none" if self.found is None else str(self.found.count)

    def _with(self, verdict: Verdict) -> tuple[str, ...]:
        return () if self.found is None else tuple(one.pool for one in self.found.answer.pools if one.verdict is verdict)

    def to_json(self) -> dict[str, object] | None:
        """The pools and counts as JSON data."""
        if self.found is None:
            return None
        return {"pools": list(self.pools), "unknown": list(self._with(Verdict.UNKNOWN)), **self.found.count.to_json()}


def listed_pools(side: Side, most: int | None = None) -> str:
    """The pools as text, at most the first ones."""
    if side.found is None:
        return "no such cluster"
    unsure = [f"{pool} (unknown)" for pool in side.possible if pool not in side.pools]
    pools = [*side.pools, *unsure]
    more = [f"{len(pools) - most} more"] if most is not None and len(pools) > most else []
    return ", ".join([*pools[:most], *more]) if pools else NO_POOL
