"""Maintenance windows in which the limited parts of a round do not fit."""

from collections.abc import Iterator
from typing import Final

from nodepools.model.maintenance import AnyWindow
from nodepools.model.steps import Steps
from nodepools.rules.finding import Severity
from nodepools.rules.path import spelled
from nodepools.upgrades.blocker import Blocker, Kind
from nodepools.upgrades.duration_text import minutes_text
from nodepools.upgrades.step import Round, bounded

_SOURCE: Final = "https://learn.microsoft.com/azure/aks/planned-maintenance"


def window_blockers(each: Round, window: AnyWindow | None, path: Steps) -> Iterator[Blocker]:
    """For people who start a round in the window of the cluster, and for automatic upgrades; `path` is that of the window."""
    use, known = each.steps[0].window, bounded(each.steps)
    if window is not None and known is not None and known > window.minutes:
        message = (
            f"Maintenance window `{window}`: {use.note}. If you start it in the window, it can end after the window: drains can take "
            f"{minutes_text(known)}, and the window is certain to be open for {minutes_text(window.minutes)}"
        )
        fix = "Upgrade fewer pools at a time, raise `max_surge`, lower `drain_timeout`, or use a longer window"
        severity = Severity.WARNING if use.is_automatic else Severity.NOTE
        yield Blocker(kind=Kind.WINDOW, severity=severity, message=message, fix=fix, source=_SOURCE, path=spelled(path))
