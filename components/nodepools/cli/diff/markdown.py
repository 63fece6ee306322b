"""The changes as markdown: a comment for a pull request."""

from collections.abc import Iterator, Sequence
from typing import Final

from nodepools.cli.diff.difference import Difference
from nodepools.cli.diff.fold import Fold
from nodepools.cli.diff.sections import Section, listed
from nodepools.cli.diff.text import orders
from nodepools.cli.output.markdown_text import code_span, escaped

_LONGEST: Final = 64_000
"""Characters: GitHub rejects a comment with more than 65,536."""
_LAST_LINE: Final = 100
"""Characters that the number of omitted rows can take."""
_COLUMNS: Final = ("effect", "where", "field", "change", "nodes", "what happens")


def markdown(shown: Difference) -> str:
    """The verdict, a table, sections, and folded: who sets the pace, the order, and who says so. If all is too long, the worst changes."""
    head = [f"**{shown.verdict}.**", "", code_span(shown.title), "", f"{shown.basis}.", ""]
    sections = [line for section in (shown.error_list, *shown.sections) for line in section.markdown()]
    if not shown.all:
        return "\n".join([*head[:3], *sections])
    table = [f"| {' | '.join(_COLUMNS)} |", f"|{'---|' * len(_COLUMNS)}", *(_row(shown, fold) for fold in shown.folds)]
    details = [line for block in _details(shown) for line in block]
    for whole in ([*head, *table, *sections, *details], [*head, *table, *sections]):
        text = "\n".join(whole)
        if len(text) <= _LONGEST:
            return text
    return _shortened(head, table)


def _details(shown: Difference) -> Iterator[Sequence[str]]:
    yield from (_folded(section) for section in (shown.pace,) if section.lines)
    for title, waves in orders(shown):
        yield _detail(title, [f"{number}. {escaped(listed(wave))}" for number, wave in enumerate(waves, 1)])
    yield _folded(shown.source_list)


def _folded(section: Section) -> Sequence[str]:
    return _detail(section.title, [f"* {escaped(line)}" for line in section.lines])


def _detail(title: str, lines: Sequence[str]) -> Sequence[str]:
    """Lines that are shown after a click."""
    return ["", f"<details><summary>{_code(title)}</summary>", "", *lines, "", "</details>"]


def _code(title: str) -> str:
    """Backticks as HTML, inside of which markdown is not read."""
    parts = escaped(title).split("`")
    return "".join(f"<code>{part}</code>" if number % 2 else part for number, part in enumerate(parts))


def _row(shown: Difference, fold: Fold) -> str:
    accepted = shown.judged.reason(fold.first)
    happens = f"{fold.first.reason} [{shown.numbers(fold)}]{f'. **Accepted:** {accepted}' if accepted else ''}"
    cells = (code_span(fold.first.effect.value), escaped(fold.where), code_span(fold.field), code_span(fold.values), fold.nodes, escaped(happens))
    return f"| {' | '.join(cells)} |"


def _shortened(head: Sequence[str], table: Sequence[str]) -> str:
    """The first rows that fit: the worst changes."""
    kept = list(head)
    length = sum(len(line) + 1 for line in head)
    for number, line in enumerate(table):
        length += len(line) + 1
        if length > _LONGEST - _LAST_LINE:
            return "\n".join([*kept, "", f"{len(table) - number} more rows: run `nodepools diff`"])
        kept.append(line)
    return "\n".join(kept)
