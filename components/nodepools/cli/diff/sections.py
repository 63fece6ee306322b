"""What `nodepools diff` prints after the changes: sections with lines of their own."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from nodepools.cli.output.markdown_text import escaped

SHOWN: Final = 3
"""Names that are listed one by one."""


@dataclass(frozen=True, slots=True)
class Section:
    """One subject, such as the cost."""

    key: str
    """Its key in `--format json`."""
    data: object
    """Its value in `--format json`."""
    title: str = ""
    lines: Sequence[str] = ()
    """For people; a section without lines is not printed."""
    verdict: str = ""
    """The worst of it in a few words, for the verdict on all changes."""
    table: Sequence[Sequence[str]] = ()
    """Rows instead of lines; the first one names the columns."""

    def text(self) -> Iterator[str]:
        """The section for a terminal. Its columns speak for themselves."""
        rows = self.table[1:]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        aligned = ("  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows)
        lines = [*self.lines, *aligned]
        if lines:
            yield f"{self.title}:"
            yield from (f"  {line}" for line in lines)

    def markdown(self) -> Iterator[str]:
        """The section for a pull request."""
        if self.lines or self.table:
            yield from ("", f"**{escaped(self.title)}**", "")
            yield from (f"* {escaped(line)}" for line in self.lines)
        for number, row in enumerate(self.table):
            yield f"| {' | '.join(map(escaped, row))} |"
            if number == 0:
                yield f"|{'---|' * len(row)}"


def as_json(sections: Sequence[Section]) -> Mapping[str, object]:
    """The values of all sections."""
    return {section.key: section.data for section in sections}


def listed(names: Sequence[str]) -> str:
    """The first names, and how many more there are."""
    if len(names) <= SHOWN + 1:
        return ", ".join(names)
    return f"{', '.join(names[:SHOWN])} and {len(names) - SHOWN} more"
