"""Text of a user in markdown: nothing in it is read as markdown, and no one is mentioned."""

import re
from typing import Final

_APART: Final = "\u200b"
"""A space without width: GitHub and GitLab read no mention across it."""
_READ: Final = re.compile(r"@(?=\w)|(?<=[]!])(?=[(\[])")


def escaped(text: str) -> str:
    """`text` in a line or in a table cell: backticks stay, and there are no mentions, links, images, HTML or further cells."""
    return _READ.sub(lambda found: f"{found[0]}{_APART}", " ".join(text.split("\n")).replace("|", "\\|").replace("<", "&lt;"))


def code_span(text: str) -> str:
    """`text` as code in a table cell: no backtick in it ends the code. Empty for an empty text."""
    line = " ".join(text.split()).replace("|", "\\|")
    fence = "`" * (1 + max(map(len, re.findall("`+", line)), default=0))
    gap = " " if "`" in line else ""
    return f"{fence}{gap}{line}{gap}{fence}" if line else ""
