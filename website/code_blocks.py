"""The code blocks of a page, with what the page says about each: the file that it is, or why no test runs it. Tabs are variants of a page."""

import re
import textwrap
from dataclasses import dataclass
from typing import Final

_FENCE: Final = re.compile(r"^(?P<indent> *)```(?P<language>[\w-]*)\n(?P<text>.*?)^(?P=indent)```$", re.MULTILINE | re.DOTALL)
_FILE: Final = re.compile(r"`([\w./-]+)`[^`]*:$")
_TABS: Final = re.compile(r'<div class="tabs">\n\n(.*?\n</div>)\n\n</div>\n', re.DOTALL)
_TAB: Final = re.compile(r"^\*\*([^*]+)\*\*\n\n<div[^>]*>\n(.*?)^</div>$", re.MULTILINE | re.DOTALL)
_NOT_RUN: Final = re.compile(r"<!-- not run: ([^>]+) -->$")


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """A code block of a page."""

    line: int
    """The line of its first fence, from 1."""
    language: str
    text: str
    before: str
    """The paragraph that precedes it."""

    @property
    def not_run(self) -> str | None:
        """Why no test runs it: the comment `<!-- not run: reason -->` that precedes it."""
        found = _NOT_RUN.search(self.before)
        return found[1] if found else None

    @property
    def file(self) -> str | None:
        """The file that the paragraph before names last, if it ends with a colon."""
        found = _FILE.search(self.before)
        return found[1] if found else None

    @property
    def commands(self) -> list[str]:
        """The commands in it: all lines of a shell block, and those after a prompt in output."""
        if self.language in ("sh", "bash", "shell"):
            joined = re.sub(r"\\\n\s*", "", self.text)
            return [line.removeprefix("$ ") for line in joined.splitlines() if line.strip() and not line.startswith("#")]
        return [line.removeprefix("$ ") for line in self.text.splitlines() if line.startswith("$ ")]


def code_blocks(page: str) -> list[CodeBlock]:
    """Returns the code blocks of the text of a page."""
    return [
        CodeBlock(
            page.count("\n", 0, found.start()) + 1,
            found["language"],
            textwrap.dedent(found["text"]),
            page[: found.start()].rstrip().rpartition("\n\n")[2],
        )
        for found in _FENCE.finditer(page)
    ]


def variants(page: str) -> list[str]:
    """Returns the titles of the tabs of a page, in their order."""
    return list(dict.fromkeys(title for tabs in _TABS.findall(page) for title, _ in _TAB.findall(tabs)))


def variant(page: str, title: str) -> str:
    """Returns a page as it reads for whoever chose the tab: the others are left out."""
    return _TABS.sub(lambda tabs: dict(_TAB.findall(tabs[1])).get(title, "").strip() + "\n", page)
