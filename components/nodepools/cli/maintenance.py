"""What a cloud does to a cluster without being asked, and when."""

from collections.abc import Sequence
from dataclasses import dataclass

from nodepools.model.disruption_calendar import Window


@dataclass(frozen=True, slots=True)
class AksMaintenance:
    """One kind of upkeep of one cluster."""

    cluster: str
    configuration: str
    """What the cloud calls it."""
    what: str
    """What it is, for people, with the cloud that does it."""
    openings: Sequence[Window] | None
    """`None` where only the cloud knows: every other week, say."""
