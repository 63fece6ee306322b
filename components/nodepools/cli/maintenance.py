"""Automatic maintenance of a cluster by its cloud."""

from collections.abc import Sequence
from dataclasses import dataclass

from nodepools.model.disruption_calendar import Window


@dataclass(frozen=True, slots=True)
class AksMaintenance:
    """One kind of maintenance of one cluster."""

    cluster: str
    configuration: str
    """The name of the maintenance configuration."""
    what: str
    """What the cloud does, as text."""
    windows: Sequence[Window] | None
    """`None` if only the cloud knows the dates, such as for every second week."""
