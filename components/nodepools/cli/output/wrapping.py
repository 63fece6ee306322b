"""Text in lines of a width."""

import textwrap


def wrapped(text: str, columns: int, first: str = "", rest: str = "") -> list[str]:
    """`text` in lines of at most `columns` characters; words stay whole, spaces within a line too."""
    lines = [
        line
        for part in text.split("\n")
        for line in textwrap.wrap(part, columns, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False)
        or [first.rstrip()]
    ]
    return [line.rstrip() for line in lines]
