"""A report as Markdown for pull requests: the answer first, the rest folded."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from nodepools.cli.output.markdown_text import escaped
from nodepools.cli.output.report import Report, Row, Section


def markdown_lines(report: Report) -> Iterator[str]:
    """The answer and what to do next; findings as a list; each section below a heading that opens it, if it is not a list of tasks."""
    yield f"**{escaped(report.first_line)}**"
    if report.next:
        yield ""
        yield from (f"* next: {escaped(step)}" for step in report.next)
    if report.findings:
        yield ""
        yield from (f"* {_finding(line)}" for line in map(str, report.findings))
    for section in report.sections:
        if section.rows and section.is_checklist:
            yield from ("", f"**{escaped(section.heading)}**", "", *(line for row in section.rows for line in _item(row, "[ ] ")))
        elif section.rows:
            yield from ("", f"<details><summary>{escaped(section.heading) if section.heading else 'All'}</summary>", "")
            yield from _section_lines(section)
            yield from ("", "</details>")


def _finding(text: str) -> str:
    first, *rest = (line.strip() for line in text.split("\n"))
    return "<br>".join([f"**{escaped(first)}**", *map(escaped, rest)])


def _section_lines(section: Section) -> Iterator[str]:
    """Rows of as many cells are a table; lines, and rows with lines below them, a list."""
    for is_table, rows in groupby(section.rows, key=lambda row: len(row.cells) > 1):
        if not is_table:
            yield from (line for row in rows for line in _item(row))
            continue
        every = list(rows)
        columns = max(len(row.cells) for row in every)
        heads = section.heads if len(section.heads) == columns else ("",) * columns
        yield f"| {' | '.join(map(escaped, heads))} |"
        yield "|" + "|".join("---:" if number in section.numbers else "---" for number in range(columns)) + "|"
        yield from (_table_row(row, columns) for row in every)


def _table_row(row: Row, columns: int) -> str:
    *cells, last = (escaped(cell) for cell in (*row.cells, *[""] * (columns - len(row.cells))))
    return f"| {' | '.join([*cells, '<br>'.join([last, *map(escaped, _below(row))])])} |"


def _item(row: Row, box: str = "") -> Iterator[str]:
    yield f"* {box}{' '.join(escaped(cell) for cell in row.cells if cell)}"
    yield from (f"  * {escaped(line)}" for line in _below(row))


def _below(row: Row) -> Sequence[str]:
    return (*row.reasons, *row.details)
