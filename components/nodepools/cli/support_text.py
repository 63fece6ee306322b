"""The support calendar as text, as Markdown, and as an iCalendar file."""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final

import typer

from nodepools.upgrades.duration_text import minutes_text
from nodepools.upgrades.support import ClusterSupport

_HEADS: Final = ("state", "cluster", "version", "newest", "support ends", "extended support ends", "latest start", "last window")
_STATES: Final = {"ended": "✘ ended", "soon": "! ends soon", "supported": "✔ supported", "unknown": "? unknown"}
_COLORS: Final = {"ended": "red", "soon": "yellow", "supported": "green", "unknown": "yellow"}
_NOT_ANNOUNCED: Final = "not known"
_LONGEST_LINE: Final = 75
"""Octets of a line in an iCalendar file (RFC 5545)."""


def support_lines(clusters: Sequence[ClusterSupport]) -> Iterator[str]:
    """One row for each cluster, worst first, then what happens at the end of support."""
    rows = [_HEADS, *map(_cells, clusters)]
    widths = [max(len(cells[column]) for cells in rows) for column in range(len(_HEADS))]
    colors = [None, *(_COLORS[cluster.state] for cluster in clusters)]
    for cells, color in zip(rows, colors, strict=True):
        padded = [f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=True)]
        yield "  ".join([typer.style(padded[0], fg=color), *padded[1:]]).rstrip()
    yield from ("", *_notes(clusters))


def support_markdown(clusters: Sequence[ClusterSupport]) -> Iterator[str]:
    """The same as a table of Markdown."""
    yield from (f"| {' | '.join(_HEADS)} |", f"|{'---|' * len(_HEADS)}")
    yield from (f"| {' | '.join(_cells(cluster))} |" for cluster in clusters)
    yield from ("", *(f"* {note}" for note in _notes(clusters)))


def ics_text(clusters: Sequence[ClusterSupport]) -> str:
    """An all-day event for each date that is known."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//nodepools//upgrade//EN"]
    for cluster in clusters:
        for kind, title, day in _events(cluster):
            lines += _event(cluster, kind, title, day)
    return "".join(f"{line}\r\n" for text in [*lines, "END:VCALENDAR"] for line in _folded(text))


def _events(cluster: ClusterSupport) -> Iterator[tuple[str, str, date]]:
    name = f"{cluster.cluster}: Kubernetes {cluster.version}"
    if cluster.latest_start is not None:
        yield "start", f"{name}: last day to start the upgrade", cluster.latest_start
    if cluster.latest_window is not None:
        yield "window", f"{name}: last maintenance window to start the upgrade", cluster.latest_window.date()
    if cluster.standard_end is not None:
        yield "standard", f"{name}: standard support ends", cluster.standard_end
    if cluster.extended_end is not None and cluster.uses_extended:
        yield "extended", f"{name}: extended support ends", cluster.extended_end


def _event(cluster: ClusterSupport, kind: str, title: str, day: date) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield f"UID:{kind}-{cluster.version}-{cluster.cluster.replace('/', '-')}@nodepools"
    yield f"DTSTAMP:{cluster.as_of:%Y%m%d}T000000Z"
    yield f"DTSTART;VALUE=DATE:{day:%Y%m%d}"
    yield f"SUMMARY:{_escaped(title)}"
    yield f"DESCRIPTION:{_escaped(f'{cluster.if_missed}. Source: {cluster.source}, as of {cluster.as_of}')}"
    yield "END:VEVENT"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,").replace("\n", "\\n")


def _folded(line: str) -> Iterator[str]:
    """Lines of at most 75 octets; a line that begins with a blank continues the one before."""
    part, limit = "", _LONGEST_LINE
    for character in line:
        if len((part + character).encode()) > limit:
            yield part
            part = " "
        part += character
    yield part


def _cells(cluster: ClusterSupport) -> tuple[str, ...]:
    return (
        _STATES[cluster.state],
        cluster.cluster,
        cluster.version,
        cluster.newest,
        _day(cluster.standard_end),
        _day(cluster.extended_end),
        _day(cluster.latest_start),
        "none" if cluster.window is None else _day(cluster.latest_window.date() if cluster.latest_window is not None else None),
    )


def _day(day: date | None) -> str:
    return day.isoformat() if day is not None else _NOT_ANNOUNCED


def _notes(clusters: Sequence[ClusterSupport]) -> Iterator[str]:
    by_outcome: dict[str, list[str]] = {}
    for cluster in clusters:
        month = f" ({cluster.usd_per_month:,.0f} USD more in a month)" if cluster.extra_usd_per_hour else ""
        by_outcome.setdefault(f"{cluster.if_missed}{month}", []).append(cluster.cluster)
    yield from (f"{', '.join(names)}: {outcome}" for outcome, names in by_outcome.items())
    longest = max((cluster.bounded_minutes or 0 for cluster in clusters), default=0)
    most = f", up to {minutes_text(longest)} here" if longest else ""
    yield f"latest start: leaves time for the drains of agent pools to the next version{most}; not a guarantee, because the rest has no limit"
    if any(cluster.window is not None for cluster in clusters):
        yield "last window: the last maintenance window before that, for those who start upgrades in one"
    days = sorted({(cluster.source, cluster.as_of) for cluster in clusters})
    yield from (f"dates as of {day}: {source}" for source, day in days)
