"""A report as Markdown for pull requests: the answer first, then what matters, and the details folded."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, groupby
from typing import Final

from nodepools.cli.output.report import COMMENT, Report, Row, Section, labeled
from nodepools.model.listing import counted

_APART: Final = "\u200b"
"""A space without width: GitHub and GitLab read no mention across it."""
_READ: Final = re.compile(r"@(?=\w)|(?<=[]!])(?=[(\[])")
_ROWS: Final = 20
"""Rows of a section, and findings, that are shown without a click."""
_LONGEST: Final = 64_000
"""Characters: GitHub rejects a comment with more than 65,536."""


def markdown_lines(report: Report) -> Iterator[str]:
    """The answer, what to do next, findings and rows; behind clicks, further rows and details. The last blocks are omitted if all is too long."""
    left = _LONGEST
    for number, block in enumerate(blocks := list(_blocks(report))):
        left -= sum(len(line) + 1 for line in block)
        if left < 0:
            yield from ("", f"{len(blocks) - number:,} more parts do not fit into a comment: run the command, or use `--format json`")
            return
        yield from block


def _blocks(report: Report) -> Iterator[Sequence[str]]:
    """The lines of each part that is shown as a whole or not at all."""
    steps = [f"* {label} {escaped(step)}" for label, step in labeled(report.next)]
    yield [f"**{escaped(report.first_line)}**", *([""] if steps else []), *steps]
    findings = [f"* {_finding(line)}" for line in map(str, report.findings)]
    if findings:
        yield ["", *findings[:_ROWS]]
    if len(findings) > _ROWS:
        yield _folded(f"{len(findings) - _ROWS:,} more findings", findings[_ROWS:])
    for section in report.sections:
        shown, _ = _parts(section)
        if shown:
            yield ["", *([f"**{escaped(section.heading)}**", ""] if section.heading else []), *_section_lines(section, shown)]
    for section in report.sections:
        shown, rest = _parts(section)
        more = [counted(len(rest), "more row")] if shown else []
        reasons = [Row((", ".join(filter(None, row.cells)),), reasons=row.details) for row in shown if row.details]
        if rest or reasons:
            title = ": ".join([*filter(None, [section.heading]), *(more if rest else ["details"] if shown else [])])
            yield _folded(title if title else "All", _section_lines(section, [*rest, *reasons]))


def _parts(section: Section) -> tuple[Sequence[Row], Sequence[Row]]:
    """The rows that are shown at once, without their details, and the others. Tasks have their details below them."""
    own = [] if section.is_detail else [row for row in section.rows if not row.is_detail]
    if section.is_checklist:
        own = [replace(row, reasons=(*row.reasons, *row.details), details=()) for row in own]
    most = len(own) if section.is_checklist else _ROWS
    others = [*own[most:], *(row for row in section.rows if section.is_detail or row.is_detail)]
    return own[:most], [replace(row, reasons=(*row.reasons, *row.details)) for row in others]


def _folded(title: str, lines: Iterable[str]) -> Sequence[str]:
    """Lines that are shown after a click. Backticks are HTML: Markdown is not read in a title."""
    parts = escaped(title).split("`")
    named = "".join(f"<code>{part}</code>" if number % 2 else part for number, part in enumerate(parts))
    return ["", f"<details><summary>{named}</summary>", "", *lines, "", "</details>"]


def _finding(text: str) -> str:
    first, *rest = (line.strip() for line in text.split("\n"))
    return "<br>".join([f"**{escaped(first)}**", *map(escaped, rest)])


def _section_lines(section: Section, rows: Iterable[Row]) -> Iterator[str]:
    """Rows of as many cells are a table; lines, and rows with lines below them, a list; tasks have a box each."""
    if section.is_checklist:
        yield from chain.from_iterable(_item(row, "[ ] ") for row in rows)
        return
    for number, (is_table, group) in enumerate(groupby(rows, key=lambda row: len(row.cells) > 1)):
        yield from [""] if number else []
        yield from _table(section, list(group)) if is_table else chain.from_iterable(map(_item, group))


def _table(section: Section, rows: Sequence[Row]) -> Iterator[str]:
    """Lines below a row are in a column of their own."""
    columns = max(len(row.cells) for row in rows)
    heads = section.heads if len(section.heads) == columns else ("",) * columns
    with_reasons = any(row.reasons for row in rows)
    yield f"| {' | '.join(map(escaped, (*heads, *([''] if with_reasons else []))))} |"
    marks = ["---:" if number in section.numbers else "---" for number in range(columns)]
    yield f"|{'|'.join([*marks, *(['---'] if with_reasons else [])])}|"
    for row in rows:
        cells = [*map(escaped, row.cells), *[""] * (columns - len(row.cells))]
        yield f"| {' | '.join([*cells, *(['<br>'.join(escaped(line.removesuffix(COMMENT)) for line in row.reasons)] if with_reasons else [])])} |"


def _item(row: Row, box: str = "") -> Iterator[str]:
    yield f"* {box}{' '.join(escaped(cell) for cell in row.cells if cell)}"
    yield from (f"  * `{line.removesuffix(COMMENT)}`" if line.endswith(COMMENT) else f"  * {escaped(line)}" for line in row.reasons)


def escaped(text: str) -> str:
    """`text` in a line or in a table cell: backticks stay, and there are no mentions, links, images, HTML or further cells."""
    return _READ.sub(lambda found: f"{found[0]}{_APART}", " ".join(text.split("\n")).replace("|", "\\|").replace("<", "&lt;"))
