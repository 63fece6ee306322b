"""How severe a finding is, or a blocker of an upgrade."""

from enum import StrEnum


class Severity(StrEnum):
    """Severity of a finding. An error is something that a cloud is certain to reject, or that is certain never to work."""

    ERROR = "error"
    """A cloud rejects it, or it never works."""
    WARNING = "warning"
    """It may be rejected, have no effect, or cause an outage."""
    NOTE = "note"
    """A fact; no action is needed."""

    @property
    def rank(self) -> int:
        """0 for an error; a higher rank is less severe."""
        return list(Severity).index(self)
