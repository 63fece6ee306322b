"""Monthly cost of one pool."""

from dataclasses import dataclass

from nodepools.clouds.money import Amount


@dataclass(frozen=True, slots=True)
class PoolCost:
    """Minimum and maximum monthly cost of one pool."""

    pool: str
    """`cluster/pool`."""
    description: str
    """Number of nodes, machine types, and price per hour."""
    min: Amount
    """Cost of `scale.min` or of its static nodes. 0 for a pool that launches nodes for pods."""
    max: Amount
    """Cost of `scale.max`, or what its limits allow on the most expensive machine type."""
    details: tuple[str, ...] = ()

    @property
    def cluster(self) -> str:
        """Key of its cluster."""
        return self.pool.partition("/")[0]

    def to_json(self) -> dict[str, object]:
        """The pool in `cost --format json`."""
        return {
            "pool": self.pool,
            "what": self.description,
            "minimum": self.min.to_json(),
            "maximum": self.max.to_json(),
            "details": list(self.details),
        }
