"""`nodepools capacity`: what clusters need a number of, next to what is available."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from nodepools.cli.command_run import Result
from nodepools.cli.demands.demands import UNKNOWN, WARNING, Demands, of_finding
from nodepools.cli.demands.demands import verdict as of_item
from nodepools.cli.output.report import NOWHERE, Act, Report, Row, Section, Step, Tone, command, edit, first_way, lines_of
from nodepools.clouds.amounts import Amount, Verdict
from nodepools.clouds.item import Item
from nodepools.model.aks.cluster import BUILT_IN
from nodepools.model.listing import counted, listed, quoted
from nodepools.model.values import dataclass, replace
from nodepools.needs.owners import OwnerNeeds
from nodepools.needs.platform_capacity import ClusterCapacity
from nodepools.rules.engine.finding import Finding

ANSWERED: Final = frozenset({"AKS051", "AKS052", "AKS206", "AKS207", "AKS223", "AKS225", "AKS226", "AKS227"})
"""Rules about what this command counts: their errors are part of its answer."""
_ROWS: Final = 26
"""Rows that are shown without `--details`. Rows that do not fit are always shown."""
_NAMED: Final = 3
"""Clusters that a row names."""
_EDITED: Final = 5
"""NodePools without a maximum that are named."""
_HEADS: Final = ("verdict", "clusters", "what", "needed", "available")
_CLUSTERS, _WHAT = 1, 2
_NUMBERS: Final = frozenset({3, 4})
_UNREAD: Final = "quotas or subnets were not read"
_NO_BOUND: Final = "the need has no maximum"
_UNCOUNTED: Final = "how much nodes take at most is not known"
_NOTHING: Final = "nothing is available"
_CLOSE: Final = "more can be needed than is available"
_WHYS: Final = (_NOTHING, _CLOSE, _UNREAD, _NO_BOUND, _UNCOUNTED)
_Line: TypeAlias = tuple[Row, str]
"""A row of the table, and why it is unknown: empty if it is not."""
_VERDICTS: Final[Sequence[Verdict]] = ("does_not_fit", "unknown", "fits")
_MARKS: Final[Mapping[Verdict, str]] = {"does_not_fit": "✘ does not fit", "unknown": "? unknown", "fits": "✔ fits"}
_TONES: Final[Mapping[Verdict, Tone]] = {"does_not_fit": Tone.BAD, "unknown": Tone.CAUTION, "fits": Tone.GOOD}
_SEVERITIES: Final = ("error", "warning", "note", None)
_FIGURES: Final = {"does_not_fit": ("server", "true_use", "planning"), "unknown": ("true_use", "server", "planning")}
"""The figure that is shown if several have the same answer: what the cloud rejects, otherwise what nodes take."""
_OF_ACCOUNT: Final = ("vcpus", "spot_vcpus", "elastic_ips", "nat_gateways", "vpcs")
"""What an account has a quota of: no file declares it."""
_PLAIN: Final = ("nodes", "pods", "cluster", "load_balancer")
"""Names that add nothing to what is counted."""


@dataclass(frozen=True, slots=True)
class _Row:
    """One thing that one or several clusters need, with its worst answer."""

    clusters: tuple[str, ...]
    item: Item
    grows: bool  # a NodePool of the clusters has no limits

    @property
    def cells(self) -> tuple[str, ...]:
        item = self.item
        room = "unknown" if item.room is None else str(item.room)
        name = item.name.rpartition("/")[2].partition(" in ")[0]  # the last part of an id of Azure names the subnet; clusters have one region
        word = item.noun
        what = word if name in {*_PLAIN, word} else f"{word}: {name.removeprefix(f'{word} of ')}"
        needed = f"{item.needs.minimum:,} to ∞" if self.grows and item.needs.maximum is None else str(item.needs)
        needed = needed if item.needs != Amount() else "no maximum" if self.grows else "unknown"
        return (self._mark, listed(self.clusters, _NAMED), what, needed, room)

    @property
    def _mark(self) -> str:
        mark = _MARKS[self.item.verdict]
        return "! advice" if self.is_advice and self.item.verdict == "does_not_fit" else mark

    @property
    def needs(self) -> str:
        """`use1 needs 310 node addresses, 251 available`."""
        item = self.item
        unsure = " (how much others use is unknown)" if item.limit is not None and item.available is None else ""
        return f"{listed(self.clusters, _NAMED)} needs {item.needs} {item.noun}, {item.room} available{unsure}"

    def step(self, places: Mapping[str, str], rows: Sequence["_Row"]) -> Step:
        """The first way to make it fit, with what is missing; those of `rows` that lack as much of the account share it."""
        item, new = self.item, self.new_limit
        what = first_way(item.fix) if item.fix is not None else ""
        if item.what not in _OF_ACCOUNT:
            name = "" if item.name in _PLAIN else f" (`{item.name.rpartition('/')[2]}`)"
            return edit(f"{what}: {self.needs}{name}", places.get(self.clusters[0], ""))
        found = [row.item.name for row in rows if (row.item.what, row.clusters, row.new_limit) == (item.what, self.clusters, new)]
        names = quoted(found, _NAMED) if any(found) else item.noun
        limit = f" from {item.limit:,} to `{new:,}`" if new else ""
        more = f"; an upgrade needs {self._most:,}" if new and self._most != item.needs.maximum else ""
        return edit(f"{what.replace('the quota', f'the quota of {names}{limit}')}: {self.needs}{more}")

    @property
    def new_limit(self) -> int:
        """A limit of the account that is always enough; 0 if it is not known."""
        room, most, limit = self.item.room, self._most, self.item.limit
        return limit + max(most - room.minimum, 0) if room is not None and most is not None and limit is not None else 0

    @property
    def _most(self) -> int | None:
        """What it needs, also while an upgrade adds nodes: a limit that is raised to less has to be raised again."""
        needs, upgrade = self.item.needs.maximum, self.item.sizes.upgrade.maximum
        return None if needs is None else max(needs, upgrade or 0)

    @property
    def why_unknown(self) -> str:
        """What its answer lacks; empty if it is known, or only advice."""
        item = self.item
        if item.verdict != "unknown" or self.is_advice:
            return ""
        if item.room is None or item.room.maximum == 0:
            return _UNREAD if item.room is None else _NOTHING
        return _CLOSE if item.needs.maximum is not None else _NO_BOUND if self.grows else _UNCOUNTED

    @property
    def word(self) -> str | None:
        """Its answer as `--fail-on` names it; `None` if it fits, or is advice."""
        if self.item.severity in ("error", "warning"):
            return "does_not_fit" if self.item.severity == "error" else WARNING
        return UNKNOWN if self.item.verdict == "unknown" and not self.is_advice else None

    @property
    def is_short(self) -> bool:
        """It does not fit at every size, or at the largest."""
        return self.item.severity in {"error", "warning"} or self.item.verdict == "does_not_fit"

    @property
    def is_advice(self) -> bool:
        """Nothing fails because of it."""
        return self.item.checked_by == "planning"

    @property
    def is_endless(self) -> bool:
        """Its answer stays unknown as long as NodePools have no limits."""
        return self.grows and self.item.verdict == "unknown" and self.item.needs.maximum is None and not self.is_advice

    @property
    def order(self) -> tuple[int, bool, bool, int, float]:
        """Worst first, each with advice last, then the scarcest; what only the cloud knows comes after other unknown answers."""
        item = self.item
        most = item.needs.maximum if item.needs.maximum is not None else float("inf")
        room = item.room.minimum if item.room is not None else 0
        scarcity = most / room if room else float("inf")
        return _VERDICTS.index(item.verdict), self.is_advice, item.room is None, _SEVERITIES.index(item.severity), -scarcity


_NOT_COUNTED: Final = "unknown: no limit of its pools, subnet or quota is known to count against"


def result(
    about: str,
    clusters: Sequence[ClusterCapacity],
    findings: Sequence[Finding],
    options: str,
    wanted: Demands,
    *,
    within: str = "",
    places: Mapping[str, str] = NOWHERE,
    owners: Sequence[tuple[str, Sequence[OwnerNeeds]]] = (),
) -> Result:
    """The answer for all clusters, with the findings of rules about what is counted.

    `options` are those that name the clusters, for the next command; `within` is the stack, if there is only one, and `places` say where pools are
    declared. `owners` are those of each stack that has any.
    """
    rows = _rows(clusters)
    things = [of_item(word, f"{','.join(row.clusters)}/{row.item.what} {row.item.name}", within) for row in rows if (word := row.word) is not None]
    things += [of_item(UNKNOWN, about, within)] if clusters and not rows else []
    things += [of_finding(finding, within) for finding in findings]
    decided = wanted.decided(things, lambda one: one.kind == "verdict" and one.within in ("", within))
    table = list(_table(rows))
    verdict, answer = _answer(rows, [why for _, why in table]) if rows or not clusters else ("unknown", _NOT_COUNTED)
    built_in = without_limits(_in_stacks((one.cluster, one.built_in) for one in clusters) if any(row.is_endless for row in rows) else [])
    sections = (Section("", tuple(row for row, _ in table), _HEADS, _NUMBERS), built_in, *_of_owners(owners))
    report = Report(about, answer, tuple(_next(rows, clusters, options, places)), sections, tuple(decided.findings))
    told = [{"stack": stack, **one.to_json()} for stack, found in owners for one in found]
    own = {"owners": told} if told else {}
    return Result(lambda: {"verdict": verdict, "clusters": [cluster.to_json() for cluster in clusters], **own}, decided=decided, report=report)


def _of_owners(owners: Sequence[tuple[str, Sequence[OwnerNeeds]]]) -> Iterator[Section]:
    """A section for each stack with owners."""
    for stack, found in owners:
        rows = [
            Row((one.owner if one.owner is not None else "without owner", counted(len(one.pools), "pool"), str(one.nodes), str(one.vcpus)))
            for one in found
        ]
        of_stack = f" of {stack}" if len(owners) > 1 else ""
        heads = ("owner", "pools", "nodes", "vCPUs")
        yield Section(f"What the pools of each owner{of_stack} can have, without extra nodes", tuple(rows), heads, frozenset({2, 3}))


def _answer(rows: Sequence[_Row], reasons: Sequence[str]) -> tuple[Verdict, str]:
    """The verdict: what is short first, then how much is unknown, with `reasons` of the rows of the table. What is only advice does not decide it."""
    counts = Counter(filter(None, reasons))
    whys = [f"{reason}{f' in {counts[reason]:,}' if len(counts) > 1 else ''}" for reason in _WHYS if counts[reason]]
    errors, larger = ([row.needs for row in rows if row.item.severity == severity] for severity in ("error", "warning"))
    advice = [row.needs for row in rows if row.is_short and row.is_advice]
    told = [f"advice: {_first(advice)}"] if advice else []
    unknown = f"{counts.total():,} of {counted(len(reasons), 'row')} {'is' if counts.total() == 1 else 'are'} unknown: {', '.join(whys)}"
    known = [f"does not fit: {_first(errors)}"] if errors else [f"fits only at smaller sizes: at the largest, {_first(larger)}"] if larger else []
    parts = known or ["unknown" if advice and whys else "unknown: no shortage found" if whys else "fits" if rows else "has no clusters"]
    if parts == ["unknown"]:
        parts = [f"unknown: {unknown}", *told]
    else:
        parts = [*parts, *told, *([unknown] if whys else [])] if known or told else [f"{parts[0]}{f', but {unknown}' if whys else ''}"]
    return "does_not_fit" if errors else "unknown" if larger or whys else "fits", "; ".join(parts)


def _first(needs: Sequence[str]) -> str:
    return f"{needs[0]}{f' ({len(needs) - 1:,} more below)' if len(needs) > 1 else ''}"


def _next(rows: Sequence[_Row], clusters: Sequence[ClusterCapacity], options: str, places: Mapping[str, str]) -> Iterator[Step]:
    """The first fix, what reads quotas and subnets, limits, then advice; the rows have all fixes."""
    fixable = [row for row in rows if row.is_short and row.item.fix is not None]
    short, advised = ([row for row in fixable if row.is_advice is is_advice] for is_advice in (False, True))
    yield from dict.fromkeys(row.step(places, short) for row in short)
    if any(row.item.room is None for row in rows):
        several = ", of one cluster at a time" if len({name for row in rows for name in row.clusters}) > 1 else ""
        line = f"nodepools capacity {f'{options} ' if options else ''}--context CONTEXT --cloud"
        yield command(line, Act.NONE, f"reads quotas and subnets with az or aws{several}")
    endless = _in_stacks((one.cluster, one.endless) for one in clusters)
    yield from with_limits(endless if any(row.is_endless for row in rows) else (), places)
    yield from [row.step(places, ()) for row in advised[:1]]


def _in_stacks(pools: Iterable[tuple[str, Sequence[str]]]) -> list[str]:
    """The pools of clusters, with their stack if there are several."""
    return [f"{stack}/{name}" if stack else name for cluster, names in pools for stack in [cluster.rpartition("/")[0]] for name in names]


def with_limits(pools: Sequence[str], places: Mapping[str, str]) -> Iterator[Step]:
    """The edit that gives NodePools an upper bound, each of them."""
    limits = '`limits={"cpu": "100"}`' if any(".py" in places.get(pool, "") for pool in pools) else '`limits: {cpu: "100"}`'
    most = f"to each, such as {limits}: they have" if pools[1:] else f"that it may launch, such as {limits}: it has"
    add = f"Add `limits` with the most vCPUs {most} no maximum"
    named = [": ".join(filter(None, [places.get(pool, ""), pool])) for pool in pools]
    yield from [edit(add, listed(named, _EDITED))] if named else []


def without_limits(built_in: Sequence[str]) -> Section:
    """The pools that cannot have an upper bound, and the fields that turn them off."""
    fields = dict.fromkeys("default_node_pools" if name.rpartition("/")[2] in BUILT_IN else "built_in_node_pools" for name in built_in)
    why = f"built-in, no `limits`; optional: turn them off ({quoted(list(fields), _NAMED)}; deletes nodes)"
    return lines_of("", *([f"no maximum (∞): {listed(built_in, _NAMED)}: {why}"] if built_in else []))


def _rows(clusters: Sequence[ClusterCapacity]) -> list[_Row]:
    """One row for each thing, worst first. Clusters that share a quota have one row."""
    owners: dict[int, list[str]] = {}
    things: dict[tuple[int, str, str], list[Item]] = {}
    for number, cluster in enumerate(clusters):
        for item in cluster.items:
            is_first = id(item) not in owners
            owners.setdefault(id(item), []).append(cluster.cluster)
            if is_first:
                things.setdefault((number, item.what, item.name), []).append(item)
    worst = [min(items, key=_worst) for items in things.values()]
    growing = {cluster.cluster for cluster in clusters if cluster.endless or cluster.built_in}
    return sorted((_Row(names := tuple(owners[id(item)]), item, not growing.isdisjoint(names)) for item in worst), key=lambda row: row.order)


def _worst(item: Item) -> tuple[int, int]:
    figures = _FIGURES["does_not_fit" if item.verdict == "does_not_fit" else "unknown"]
    return _VERDICTS.index(item.verdict), figures.index(item.checked_by)


def _table(rows: Sequence[_Row]) -> Iterator[_Line]:
    """What does not fit and what is unknown, worst first; then what fits, and what is only advice."""
    shown = [row for row in rows if row.item.verdict == "does_not_fit" or (row.item.verdict == "unknown" and not row.is_advice)]
    kept = {id(row) for number, row in enumerate(shown) if number < _ROWS or row.item.verdict == "does_not_fit"}
    lines = [(_line(row, is_detail=id(row) not in kept), row.why_unknown) for row in rows]
    return _folded(_folded(lines, _WHAT), _CLUSTERS)


def _folded(lines: Iterable[_Line], column: int) -> Iterator[_Line]:
    """Rows that differ in one column only are one row, such as the zones of a network."""
    groups: dict[_Line, list[Row]] = {}
    for line, why in lines:
        subject = line.cells[column].partition(": ")[0] if column == _WHAT else ""
        rest = replace(line, cells=(*line.cells[:column], subject, *line.cells[column + 1 :]), details=())
        groups.setdefault((rest, why), []).append(line)
    for (rest, why), same in groups.items():
        cell = _joined([line.cells[column] for line in same])
        details = tuple(dict.fromkeys(detail for line in same for detail in line.details))
        yield replace(rest, cells=(*rest.cells[:column], cell, *rest.cells[column + 1 :]), details=details), why


def _joined(cells: Sequence[str]) -> str:
    """`node addresses: zone 1, zone 2` of `node addresses: zone 1` and `node addresses: zone 2`."""
    subject = cells[0].partition(": ")[0]
    are_of_one = all(cell.startswith(f"{subject}: ") for cell in cells)
    return f"{subject}: {listed([cell.partition(': ')[2] for cell in cells], _NAMED)}" if are_of_one else listed(cells, _NAMED)


def _line(row: _Row, *, is_detail: bool) -> Row:
    """The row; why it does not fit and its fix, and with `--details`, why it is not certain."""
    item = row.item
    if item.verdict == "does_not_fit":
        reasons = (item.message, *([f"fix: {item.fix}"] if item.fix is not None else []))
        return Row(row.cells, Tone.CAUTION if row.is_advice else Tone.BAD, reasons, is_detail=is_detail)
    return Row(row.cells, _TONES[item.verdict], (), (item.message,) if item.verdict == "unknown" and _explains(item) else (), is_detail)


def _explains(item: Item) -> bool:
    """Its message says more than what `--existing` is for: how much there is, or why there is no upper bound."""
    return item.room is not None or (item.what == "node_subnet" and item.needs.maximum is None)
