"""A report as text: the answer, what to do next, then the sections, no line longer than the terminal is wide."""

import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import typer

from nodepools.cli.output.report import COMMENT, Report, Row, Section, Tone, labeled
from nodepools.cli.output.safe_text import APART, wrapped
from nodepools.model.listing import counted

_NARROWEST: Final = 80
_WIDEST: Final = 200
_PIPED: Final = 100
"""Columns of an output that is not a terminal."""
_INDENT: Final = "  "
_GAP: Final = "  "
_QUOTED: Final = re.compile(r"(?<=[ =])'[^']*'(?= |$)")
_OPTION: Final = re.compile(r" (?=--?[A-Za-z]|[|>] )")
"""Before what a command can be broken: the value of an option stays next to it."""
_MORE: Final = " \\"
_LAST_COLUMN: Final = 20
_WIDE_COLUMN: Final = 30
"""A table whose last column has fewer characters left becomes a list, between both also if a word of it is longer."""
_COLORS: Final[Mapping[Tone, str | None]] = {Tone.GOOD: "green", Tone.CAUTION: "yellow", Tone.BAD: "red", Tone.PLAIN: None}


def width() -> int:
    """Columns of the output: those of `COLUMNS`, otherwise those of the terminal within bounds, otherwise 100."""
    declared = os.environ.get("COLUMNS", "")
    if declared.isdecimal() and int(declared):
        return int(declared)
    try:
        return min(max(os.get_terminal_size(sys.stdout.fileno()).columns, _NARROWEST), _WIDEST)
    except (OSError, ValueError, AttributeError):  # not a terminal, or not a file at all
        return _PIPED


def text_lines(report: Report, *, columns: int, details: bool) -> Iterator[str]:
    """The lines of the report. Without `details`, the last one counts those that `--details` adds."""
    shown = list(_lines(report, columns, details=details))
    yield from shown
    hidden = 0 if details else len(list(_lines(report, columns, details=True))) - len(shown)
    if hidden:
        yield ""
        yield typer.style(f"--details shows {counted(hidden, 'more line')}", dim=True)


def _lines(report: Report, columns: int, *, details: bool) -> Iterator[str]:
    yield from (typer.style(line, bold=True) for line in wrapped(report.first_line, columns))
    for label, step in labeled(report.next):
        yield from _step_lines(f"{label:>5} ", step, columns)
    if report.findings:
        from nodepools.cli.output.finding_lines import finding_lines  # only findings need it

        found = list(finding_lines(report.findings, columns, details=details))
        yield from ("", *found) if found else ()
    for section in report.sections:
        yield from _section_lines(section, columns, details=details)


def _step_lines(label: str, step: str, columns: int) -> Iterator[str]:
    """What can be copied whole: a command ends each of its lines but the last with a backslash, its comment starts each with `#`."""
    indent, (line, is_command, comment) = " " * len(label), step.partition(COMMENT)
    if not is_command or (comment and len(label) + len(step) <= columns):
        yield from wrapped(step, columns, label, indent)
        return
    room = columns - len(indent) - len(_MORE)
    *before, last = _broken(line, room) if len(line) > room + len(_MORE) else [line]
    for number, part in enumerate([*(f"{part}{_MORE}" for part in before), last]):
        yield f"{indent if number else label}{part}"
    yield from wrapped(comment, columns, f"{indent}# ", f"{indent}# ") if comment else ()


def _broken(line: str, room: int) -> Iterator[str]:
    """Parts of a command: one for each of those that `&&` joins, broken before options."""
    for number, one in enumerate(_QUOTED.sub(lambda found: found[0].replace(" ", APART), line).split(" && ")):
        units = _OPTION.split(f"{'&& ' if number else ''}{one}")
        whole = " ".join(unit.replace(" ", APART) if unit[0] == "-" or len(unit) <= room else unit for unit in units)
        yield from wrapped(whole, room)


def _section_lines(section: Section, columns: int, *, details: bool) -> Iterator[str]:
    rows = [row for row in section.rows if details or not row.is_detail]
    if not rows or (section.is_detail and not details):
        return
    yield ""
    if section.heading:
        yield from (typer.style(line, bold=True) for line in wrapped(section.heading, columns))
    widths = _widths(section, rows)
    fits = sum(widths) + len(_GAP) * (len(widths) - 1) + len(_INDENT) <= columns
    last = columns - sum(widths[:-1]) - len(_GAP) * (len(widths) - 1) - len(_INDENT)
    longest = max((len(word) for row in rows if len(row.cells) == len(widths) for word in row.cells[-1].split()), default=0)
    as_table = fits or ((last >= _WIDE_COLUMN or last >= max(_LAST_COLUMN, longest)) and len(widths) - 1 not in section.numbers)
    if section.heads and as_table:
        yield from (typer.style(line, dim=True) for line in _table_row(Row(section.heads), widths, section.numbers, columns))
    for row in rows:
        yield from _table_row(row, widths, section.numbers, columns) if as_table else _list_row(row, section, columns)
        yield from _below(row, columns, details=details)


def _widths(section: Section, rows: Iterable[Row]) -> list[int]:
    """The width of each column; rows of one cell in a table are lines across it."""
    cells = [section.heads, *(row.cells for row in rows)]
    most = max(map(len, cells))
    aligned = [line for line in cells if len(line) == most]
    return [max(len(line[column]) for line in aligned) for column in range(most)]


def _table_row(row: Row, widths: Sequence[int], numbers: frozenset[int], columns: int) -> Iterator[str]:
    if len(row.cells) != len(widths):
        yield from _colored(row, wrapped(_GAP.join(row.cells), columns, _INDENT, _INDENT * 2))
        return
    *before, _ = pairs = list(zip(row.cells, widths, strict=True))
    padded = [f"{cell:>{size}}" if number in numbers else f"{cell:<{size}}" for number, (cell, size) in enumerate(pairs)]
    start = _INDENT + _GAP.join([*padded[:-1], ""])
    if len(start) + len(padded[-1].rstrip()) <= columns or not before:
        yield from _colored(row, wrapped(start + padded[-1], columns, "", _INDENT * 2) if not before else [(start + padded[-1]).rstrip()])
        return
    yield from _colored(row, wrapped(row.cells[-1], columns, start, " " * len(start)))


def _list_row(row: Row, section: Section, columns: int) -> Iterator[str]:
    """The cells one after another; numbers, and those behind the first two, with their heads."""
    named = [cell for cell in row.cells if cell]
    if len(section.heads) == len(row.cells):
        cells = enumerate(zip(section.heads, row.cells, strict=True))
        named = [cell if number <= 1 and number not in section.numbers else f"{head}: {cell}" for number, (head, cell) in cells if cell]
    yield from _colored(row, wrapped(_GAP.join([named[0], "; ".join(named[1:])]) if named else "", columns, _INDENT, _INDENT * 2))


def _below(row: Row, columns: int, *, details: bool) -> Iterator[str]:
    indent = _INDENT * 2
    for text in (*row.reasons, *(row.details if details else ())):
        lines = _step_lines(indent + _INDENT, text, columns) if text.endswith(COMMENT) else wrapped(text, columns, indent, indent + _INDENT)
        yield from (typer.style(line, dim=True) for line in lines)


def _colored(row: Row, lines: Sequence[str]) -> Iterator[str]:
    """The lines with the first cell in the color of the row."""
    color, cell = _COLORS[row.tone], row.cells[0].strip() if row.cells else ""
    first, *rest = lines
    yield first.replace(cell, typer.style(cell, fg=color), 1) if color is not None and cell else first
    yield from rest
