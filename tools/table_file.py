"""The files of tables in the package: comments, then one row on each line. The tools that refresh tables use this."""

import sys
from collections.abc import Iterable, Sequence
from difflib import unified_diff
from pathlib import Path


def rows_of(table: Path) -> list[list[str]]:
    """The columns of each row."""
    return [line.split() for line in table.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]


def replace_rows(table: Path, comments: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Writes the table, and prints which rows are new (`+`) and which are gone (`-`): look at them before the commit."""
    before = [" ".join(row) for row in rows_of(table)]
    after = [" ".join(row) for row in rows]
    table.write_text("\n".join([*(f"# {comment}" for comment in comments), *after, ""]), encoding="utf-8")
    print_difference(before, after)


def print_difference(before: Sequence[str], after: Sequence[str]) -> bool:
    """Prints what differs, or that nothing does; true if something does."""
    changed = [line for line in unified_diff(before, after, n=0, lineterm="") if not line.startswith(("---", "+++", "@@"))]
    sys.stdout.writelines(f"{line}\n" for line in (changed if changed else ["no row differs"]))
    return bool(changed)
