"""The changes as text for a terminal, as markdown for a pull request, and as annotations of GitHub."""

import json
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import typer

from nodepools.changes.change import Change, summary
from nodepools.changes.interval import Interval, total
from nodepools.changes.plain_data import sequence
from nodepools.changes.platform_changes import Changes
from nodepools.cli.acceptance import accepted
from nodepools.cli.diff_sections import Section, escaped, listed
from nodepools.rules.finding import Finding
from nodepools.wire.effects import Effect

_LONGEST: Final = 64_000
"""Characters: GitHub rejects a comment with more than 65,536."""
_LONGEST_VALUE: Final = 100
_ADVISED: Final = 5
_COLORS: Final = {
    "red": (Effect.UNKNOWN, Effect.REFUSED, Effect.REPLACES, Effect.REMOVES_NODES, Effect.DELETES),
    "yellow": (Effect.ROLLS, Effect.ROLLS_SOME, Effect.ROTATES, Effect.REIMAGES, Effect.IN_PLACE_PODS),
    "green": (Effect.IN_PLACE, Effect.IN_PLACE_LATER, Effect.CREATES),
}
_WIDTH: Final = max(len(effect.value) for effect in Effect)


@dataclass(frozen=True, slots=True)
class Difference:
    """Everything that changed."""

    title: str
    """Both sides."""
    basis: str
    """What reads both sides."""
    all: Sequence[Change]
    """The changes of all stacks, the worst first."""
    stacks: Sequence[tuple[str, Changes]]
    failing: frozenset[int]
    """The identities of the changes that fail the command."""
    findings: Sequence[Finding] = ()
    """Errors of the rules in the new side."""
    sections: Sequence[Section] = ()

    @property
    def verdict(self) -> str:
        """The result in one sentence."""
        errors = f"; `nodepools check` reports {_count(len(self.findings), 'error')} in the new declaration" if self.findings else ""
        sections = "".join(f"; {section.verdict}" for section in self.sections if section.verdict)
        return f"{self._of_changes()}{errors}{sections}"

    def _of_changes(self) -> str:
        if not self.all:
            return "Nothing changed"
        if not self.failing:
            return f"{_count(len(self.all), 'change')}, none of which must be accepted"
        counts = summary(change for change in self.all if id(change) in self.failing)
        listed = ", ".join(f"{number} `{effect}`" for effect, number in counts.items())
        return f"{len(self.failing)} of {_count(len(self.all), 'change')} must be accepted: {listed}"


@dataclass(frozen=True, slots=True)
class _Fold:
    """Changes that differ only in their cluster or pool."""

    changes: Sequence[Change]

    @property
    def first(self) -> Change:
        return self.changes[0]

    @property
    def where(self) -> str:
        return listed(list(dict.fromkeys(change.at for change in self.changes)))

    @property
    def field(self) -> str:
        """The path of the only change, or the end that all paths have in common."""
        paths = {change.path for change in self.changes}
        return self.first.path if len(paths) == 1 else f"….{_tail(self.first)}"

    @property
    def values(self) -> str:
        old, new = self.first.old, self.first.new
        if new is None and old in (self.first.resource.name, self.first.steps[-1]):
            return f"{old} → removed"
        return _of_long_lists(old, new) if _is_long(old) or _is_long(new) else f"{_value(old)} → {_value(new)}"

    @property
    def nodes(self) -> str:
        """The nodes that the changes reach, and those that exist in addition."""
        found = [change.nodes for change in self.changes if change.nodes is not None]
        extra = [change.extra_nodes for change in self.changes if change.extra_nodes is not None]
        parts = [f"{_of(total(found))}"] if found else []
        if extra and total(extra) != Interval(0, 0):
            parts.append(f"{total(extra)} extra")
        return ", ".join(parts)


def text_lines(shown: Difference) -> Iterator[str]:
    """One line for each change, the worst first, then the order."""
    if not shown.all:
        yield f"{shown.title}: nothing changed"
        yield from (line for section in shown.sections for line in section.text())
        return
    yield from (shown.title, shown.basis)
    for fold in _folded(shown.all):
        effect = fold.first.effect
        color = next((name for name, effects in _COLORS.items() if effect in effects), None)
        yield f"  {typer.style(f'{effect.value:<{_WIDTH}}', fg=color)}  {_line(fold)}"
        yield f"  {'':<{_WIDTH}}  {fold.first.reason}"
    for name, changes in shown.stacks:
        if changes.order:
            yield f"Order of `pulumi up` for {name}:" if name else "Order of `pulumi up`:"
            yield from (f"  {number}. {listed(wave)}" for number, wave in enumerate(changes.order, 1))
    yield from (line for section in (_errors(shown), *shown.sections) for line in section.text())
    yield f"{shown.verdict}."
    failing = [change for change in shown.all if id(change) in shown.failing]
    if failing:
        yield "To accept a change, give a reason:"
        needed = list(dict.fromkeys(str(accepted(change)) for change in failing))
        yield from (f"  --accept {shlex.quote(f'{one}: REASON')}" for one in needed[:_ADVISED])


def _errors(shown: Difference) -> Section:
    """The errors, as a section without JSON: every command has findings there."""
    lines = [f"{finding.code} at {finding.path}: {finding.message}" for finding in shown.findings]
    return Section("findings", None, "Errors of `nodepools check` in the new declaration", lines)


def change_lines(changes: Sequence[Change]) -> Iterator[str]:
    """One line for each change, without its reason."""
    yield from (f"{fold.first.effect.value}  {_line(fold)}" for fold in _folded(changes))


def _line(fold: _Fold) -> str:
    nodes = f"  ({fold.nodes})" if fold.nodes else ""
    return f"{fold.where}  {fold.field}: {fold.values}{nodes}"


def markdown(shown: Difference) -> str:
    """A comment for a pull request: the verdict, a table, and the order."""
    head = [f"**{shown.verdict}.**", "", f"`{escaped(shown.title)}`", "", f"{shown.basis}.", ""]
    sections = [line for section in (_errors(shown), *shown.sections) for line in section.markdown()]
    if not shown.all:
        return "\n".join([*head[:3], *sections])
    table = ["| effect | where | field | change | nodes | what happens |", "|---|---|---|---|---|---|", *map(_row, _folded(shown.all))]
    order = [
        line
        for name, changes in shown.stacks
        if changes.order
        for line in (
            "",
            f"<details><summary>Order of <code>pulumi up</code> for {name}</summary>",
            "",
            *(f"{number}. {escaped(listed(wave))}" for number, wave in enumerate(changes.order, 1)),
            "",
            "</details>",
        )
    ]
    whole = "\n".join([*head, *table, *sections, *order])
    return whole if len(whole) <= _LONGEST else _shortened(head, table)


def annotations(shown: Difference) -> Iterator[str]:
    """One line for each change: an error if it must be accepted, a warning if it replaces nodes, otherwise a notice."""
    from nodepools.cli.review_formats import command

    for fold in _folded(shown.all):
        failing = any(id(change) in shown.failing for change in fold.changes)
        level = "error" if failing else "warning" if fold.first.effect.severity >= Effect.IN_PLACE_PODS.severity else "notice"
        nodes = f" ({fold.nodes})" if fold.nodes else ""
        yield command(level, {"title": f"{fold.first.effect.value}: {fold.where}"}, f"{fold.field}: {fold.values}{nodes}. {fold.first.reason}")


def _shortened(head: Sequence[str], table: Sequence[str]) -> str:
    """The first rows that fit: the worst changes."""
    kept = list(head)
    length = sum(len(line) + 1 for line in head)
    for number, line in enumerate(table):
        length += len(line) + 1
        if length > _LONGEST - _LONGEST_VALUE:
            return "\n".join([*kept, "", f"{len(table) - number} more rows: run `nodepools diff`"])
        kept.append(line)
    return "\n".join(kept)


def _folded(changes: Sequence[Change]) -> list[_Fold]:
    folds: dict[object, list[Change]] = {}
    for change in changes:
        key = (change.effect, _tail(change), json.dumps([change.old, change.new], default=str, sort_keys=True), change.reason)
        folds.setdefault(key, []).append(change)
    return [_Fold(tuple(group)) for group in folds.values()]


def _tail(change: Change) -> str:
    """The path after the cluster and the pool."""
    name = change.at.rpartition("/")[2]
    rest = change.steps[2:] if change.steps[:1] == ("clusters",) else change.steps
    start = next((number + 1 for number, step in enumerate(rest) if step == name), 0)
    return ".".join(map(str, rest[start:] if rest[start:] else ()))


def _row(fold: _Fold) -> str:
    cells = (f"`{fold.first.effect.value}`", fold.where, f"`{fold.field}`", fold.values, fold.nodes, fold.first.reason)
    return f"| {' | '.join(map(escaped, cells))} |"


def _is_long(value: object) -> bool:
    """A list that is too long for a line."""
    return len(_text(sequence(value))) > _LONGEST_VALUE


def _of_long_lists(old: object, new: object) -> str:
    """The lengths of both lists, and the entries that only one of them has; those of lists that differ in their order are the same."""
    before, after = sequence(old), sequence(new)
    lost, gained = [entry for entry in before if entry not in after], [entry for entry in after if entry not in before]
    marked = [f"{sign}{_value(entries)}" for sign, entries in (("+", gained), ("-", lost)) if entries]
    return f"{_length(old)} → {_length(new)}: {' '.join(marked) if marked else 'another order'}"


def _length(value: object) -> str:
    entries = len(sequence(value))
    return "not set" if value is None else f"{entries} {'entry' if entries == 1 else 'entries'}"


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, default=str, ensure_ascii=False)


def _value(value: object) -> str:
    if value is None:
        return "not set"
    if value == {"$secret": True}:
        return "(secret)"
    text = _text(value)
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}…"


def _of(number: Interval) -> str:
    return f"{number} node{'' if number.at_most == 1 else 's'}"


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"
