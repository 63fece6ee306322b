"""One row for each cluster of a drift report: its version, its support, and whether it is ready."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from nodepools.adoption.read_exports import AnyExisting, ExistingState, MatchedCluster, existing_state
from nodepools.cli.diff.answer import Subject
from nodepools.cli.output.report import Act, Row, Section, command
from nodepools.clouds.change import Change, summary, worst_first
from nodepools.model.listing import listed

_COLUMNS: Final = ("cluster", "name", "version", "support", "state")


@dataclass(frozen=True, slots=True)
class _Row:
    stack: str | None
    key: str | None
    """`None` if it is not declared."""
    name: str | None
    """`None` if it is not exported."""
    state: ExistingState | None
    changes: Sequence[Change]

    @property
    def worst(self) -> str | None:
        return worst_first(self.changes)[0].effect.value if self.changes else None

    def to_json(self, today: date) -> Mapping[str, object]:
        head = {"stack": self.stack, "cluster": self.key, "name": self.name, "changes": len(self.changes), "worst": self.worst}
        state = self.state
        if state is None:
            return {**head, "version": None, "behind": None, "support": None, "support_ends": None, "not_ready": [], "pools": None}
        end = state.support_ends.isoformat() if state.support_ends is not None else None
        of = {"version": state.version, "behind": state.behind, "support": state.support(today), "support_ends": end}
        return {**head, **of, "not_ready": list(state.not_ready), "pools": state.pools}

    @property
    def changed(self) -> str:
        return ", ".join(f"{number} {effect}" for effect, number in summary(self.changes).items()) if self.changes else "no change"

    def cells(self, today: date, *, several: bool) -> tuple[str, ...]:
        key = "not declared" if self.key is None else f"{self.stack}/{self.key}" if several else self.key
        if self.state is None:
            return (key, "not exported", "", "", "")
        return (key, str(self.name), *_of_version(self.state, today), ", ".join(self.state.not_ready) if self.state.not_ready else "ready")


def _of_version(state: ExistingState, today: date) -> tuple[str, str]:
    behind = f"{state.version}, {state.behind} behind {state.table.newest.version}" if state.behind else state.version
    end = state.support_ends
    support = {
        "ended": f"support ended {end}" if end is not None else "support ended",
        "soon": f"support ends {end}",
        "supported": f"supported until {end}",
        "unknown": "support unknown",
    }
    return behind, support[state.support(today)]


def cluster_section(
    clusters: Sequence[tuple[str, MatchedCluster]], undeclared: Sequence[AnyExisting], changes: Mapping[str, Sequence[Change]], today: date
) -> Subject:
    """The clusters of both sides. `changes` has those of each stack."""
    rows = [*_declared(clusters, changes), *(_undeclared(one, changes) for one in undeclared)]
    several = len({row.stack for row in rows if row.stack is not None}) > 1
    lines = tuple(Row(row.cells(today, several=several), details=(row.changed,)) for row in rows)
    data = [row.to_json(today) for row in rows]
    section = Section(f"Clusters that exist, as of {today}", lines, _COLUMNS)
    unready = [row.state for row in rows if row.state is not None and row.state.not_ready]
    shows = tuple(command(state.shown_by, Act.NONE, f"shows why it is not ready ({state.not_ready[0]})") for state in unready[:1])
    return Subject("clusters", data, section, "; ".join(_verdict(rows, today)), next=shows)


def _declared(clusters: Sequence[tuple[str, MatchedCluster]], changes: Mapping[str, Sequence[Change]]) -> Iterator[_Row]:
    for stack, cluster in clusters:
        key, one = cluster.request.cluster, cluster.existing
        own = [change for change in changes.get(stack, ()) if change.at.partition("/")[0] == key]
        yield _Row(stack, key, one.name if one is not None else None, existing_state(one) if one is not None else None, own)


def _undeclared(one: AnyExisting, changes: Mapping[str, Sequence[Change]]) -> _Row:
    own = [change for of_stack in changes.values() for change in of_stack if change.steps == ("clusters", one.name)]
    return _Row(None, None, one.name, existing_state(one), own)


def _verdict(rows: Sequence[_Row], today: date) -> Iterator[str]:
    known = [row.state for row in rows if row.state is not None]
    unready = [f"{row.key or row.name}: {state}" for row in rows if row.state is not None for state in row.state.not_ready]
    counts = {
        f"not ready ({listed(unready, 1)})" if unready else "not ready": sum(bool(state.not_ready) for state in known),
        "without support": sum(state.support(today) == "ended" for state in known),
    }
    yield from (f"{number} cluster{'s' if number != 1 else ''} {what}" for what, number in counts.items() if number)
