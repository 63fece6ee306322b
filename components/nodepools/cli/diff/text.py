"""The changes as text for a terminal, and as annotations of GitHub."""

import shlex
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import typer

from nodepools.changes.change import Change
from nodepools.cli.diff.difference import Difference
from nodepools.cli.diff.fold import Fold, folded
from nodepools.cli.diff.pace import paces
from nodepools.cli.diff.places import Place
from nodepools.cli.diff.sections import listed
from nodepools.wire.effects import Effect

_ADVISED: Final = 5
_COLORS: Final = {
    "red": (Effect.UNKNOWN, Effect.REFUSED, Effect.REPLACES, Effect.REMOVES_NODES, Effect.DELETES),
    "yellow": (Effect.ROLLS, Effect.ROLLS_SOME, Effect.ROTATES, Effect.REIMAGES, Effect.IN_PLACE_PODS),
    "green": (Effect.IN_PLACE, Effect.IN_PLACE_LATER, Effect.CREATES),
}
_WIDTH: Final = max(len(effect.value) for effect in Effect)
_INDENT: Final = f"  {'':<{_WIDTH}}  "
_HOW: Final = "To accept a change, add its option with your reason:"


def text_lines(shown: Difference) -> Iterator[str]:
    """Each change with what happens, the worst first; then who sets the pace, the order, and who says so."""
    if not shown.all:
        yield f"{shown.title}: nothing changed{shown.compared}"
        yield from (line for section in (shown.error_list, *shown.sections) for line in section.text())
        return
    yield from (shown.title, shown.basis)
    for fold in shown.folds:
        effect = fold.first.effect
        color = next((name for name, effects in _COLORS.items() if effect in effects), None)
        yield f"  {typer.style(f'{effect.value:<{_WIDTH}}', fg=color)}  {_line(fold)}"
        yield f"{_INDENT}{fold.first.reason} [{shown.numbers(fold)}]"
        accepted = shown.judged.reason(fold.first)
        if accepted:
            yield f"{_INDENT}Accepted: {accepted}"
    yield from shown.pace.text()
    for title, waves in orders(shown):
        yield f"{title}:"
        yield from (f"  {number}. {listed(wave)}" for number, wave in enumerate(waves, 1))
    yield from (line for section in (shown.error_list, *shown.sections, shown.source_list) for line in section.text())
    yield f"{shown.verdict}."
    left = [change for change in shown.failing if not shown.judged.is_rejected(change)]
    if left:
        needed = list(dict.fromkeys(str(shown.judged.acceptance(change)) for change in left))
        yield _HOW
        yield from (f"  --accept {shlex.quote(f'{one}: REASON')}" for one in needed[:_ADVISED])
        if len(needed) > _ADVISED:
            yield f"  and {len(needed) - _ADVISED} more"


def orders(shown: Difference) -> Iterator[tuple[str, Sequence[Sequence[str]]]]:
    """The order of each stack that changes."""
    stops = ", up to what the cloud rejects" if shown.rejected else ""
    for name, changes in shown.stacks:
        if changes.order:
            yield f"Order of `pulumi up`{f' for {name}' if name else ''}{stops}", changes.order


def change_lines(changes: Sequence[Change]) -> Iterator[str]:
    """One line for each change, without its reason."""
    folds = folded(changes, lambda change: change.at, lambda _: None)
    yield from (f"{fold.first.effect.value}  {_line(fold)}" for fold in folds)


def _line(fold: Fold) -> str:
    nodes = f"  ({fold.nodes})" if fold.nodes else ""
    return f"{fold.where}  {fold.field}: {fold.values}{nodes}"


def annotations(shown: Difference, place: Callable[[Change], Place | None]) -> Iterator[str]:
    """One for each change, at its declaration: an error if it fails the command, a warning if it replaces nodes, otherwise a notice."""
    from nodepools.cli.output.review_formats import command, properties

    for fold in shown.folds:
        failing = any(shown.judged.fails(change) for change in fold.changes)
        level = "error" if failing else "warning" if fold.first.effect.severity >= Effect.IN_PLACE_PODS.severity else "notice"
        found = place(fold.first)
        at = properties(found.file, found.position) if found is not None else {}
        title = {"title": f"{fold.first.effect.value}: {fold.where}"}
        yield command(level, {**at, **title}, "\n".join(_message(shown, fold)))


def _message(shown: Difference, fold: Fold) -> Iterator[str]:
    nodes = f" ({fold.nodes})" if fold.nodes else ""
    yield f"{fold.field}: {fold.values}{nodes}. {fold.first.reason}"
    yield from (f"Pace: {text}" for text in paces([(shown.place(change), change) for change in fold.changes]))
    yield f"Source: {'; '.join(dict.fromkeys(change.source for change in fold.changes))}"
    accepted = shown.judged.reason(fold.first)
    if accepted:
        yield f"Accepted: {accepted}"
