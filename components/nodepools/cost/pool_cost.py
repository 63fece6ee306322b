"""What is said of the month of one pool."""

from dataclasses import dataclass

from nodepools.cost.amount import Amount


@dataclass(frozen=True, slots=True)
class PoolCost:
    """A pool's month."""

    pool: str
    """`cluster/pool`."""
    what: str
    """How many of which machines, at which price an hour."""
    floor: Amount
    """At its least: the minimum of its scale, or its static nodes. A pool that starts nodes for pods has 0."""
    ceiling: Amount
    """At its most: the maximum of its scale, or what its limits allow of the dearest machines that it admits."""
    remarks: tuple[str, ...] = ()

    @property
    def cluster(self) -> str:
        """Where the pool is."""
        return self.pool.partition("/")[0]

    def to_json(self) -> dict[str, object]:
        """As in the answer of `cost --format json`."""
        return {
            "pool": self.pool,
            "what": self.what,
            "floor": self.floor.to_json(),
            "ceiling": self.ceiling.to_json(),
            "remarks": list(self.remarks),
        }
