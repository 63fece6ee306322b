"""Text that a terminal, a log and a CI runner show as text, whatever names it contains."""

import re
import textwrap
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from typing import TextIO

_CONTROLS: Final = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
"""Control characters without tab and line ends, marks that reorder text, and bytes of file names that are not UTF-8."""
_CONTROL: Final = f"[{_CONTROLS}]|\r(?!\n)"  # slow to compile, and needed for text that is not printable
_COMMAND: Final = re.compile(r"^([^\S\n]*)(?=::)", re.MULTILINE)
"""The start of a workflow command of GitHub, which ignores spaces before it."""
_OLD_COMMAND: Final = re.compile(r"##(?=(vso)?\[)")
"""The start of a command of Azure Pipelines, and of the older form of GitHub: anywhere in a line."""
_BYTES: Final = range(0xDC80, 0xDD00)
"""Python decodes bytes that are not UTF-8 to these characters."""
APART: Final = "\0"
"""Stands for a space that stays within its line."""
_PASTED: Final = re.compile(r"`(?:nodepools|pulumi|kubectl|az|aws|terraform) [^`\n]+`")
"""A command in prose."""


def safe(text: str) -> str:
    """`text` without control characters and commands of CI runners: each one is shown as an escape. Colors stay."""
    if not text.replace("\n", "").isprintable():
        text = re.sub(f"\x1b\\[[0-9;]*m|{_CONTROL}", lambda found: found[0] if len(found[0]) > 1 else escaped(found[0]), text)
    return _OLD_COMMAND.sub(r"#\\#", _COMMAND.sub(r"\1\\", text))


def safe_json(text: str) -> str:
    """JSON text with the same values, without control characters and commands. A byte of a file name that is not UTF-8 becomes text."""
    return _OLD_COMMAND.sub(r"#\\u0023", re.sub(_CONTROL, _in_json, text))


def without_controls(text: str) -> str:
    """`text` with each control character as an escape, colors too."""
    return text if text.isprintable() else re.sub(_CONTROL, lambda found: escaped(found[0]), text)


def escaped(letter: str) -> str:
    """A control character as Python writes it in a string; a byte of a file name as that byte."""
    code = ord(letter)
    if code in _BYTES:
        code -= 0xDC00
    return {"\r": "\\r", "\n": "\\n"}.get(letter, f"\\x{code:02x}" if code <= 0xFF else f"\\u{code:04x}")  # noqa: PLR2004  # one byte


def _in_json(found: re.Match[str]) -> str:
    is_text = "\ud800" <= found[0] <= "\udfff"  # half a character: many programs do not read its escape
    return f"\\{escaped(found[0])}" if is_text else f"\\u{ord(found[0]):04x}"


class SafeStream:
    """A text stream on which all text is safe, after `edit`."""

    def __init__(self, stream: "TextIO", edit: Callable[[str], str] = lambda text: text) -> None:
        self._stream = stream
        self._edit = edit

    def write(self, text: str) -> int:
        """Writes the safe text, and returns the length of `text`."""
        self._stream.write(safe(self._edit(text)))
        return len(text)

    def flush(self) -> None:
        """Writes what the stream holds back."""
        self._stream.flush()

    def writelines(self, lines: Iterable[str]) -> None:
        """Writes each line."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)


def wrapped(text: str, columns: int, first: str = "", rest: str = "") -> list[str]:
    """`text` in lines of at most `columns` characters; words stay whole, spaces within a line too, and a command in backticks that fits a line."""
    room = columns - len(rest)
    whole = _PASTED.sub(lambda found: found[0].replace(" ", APART) if len(found[0]) < room else found[0], text)
    lines = [
        line
        for part in whole.split("\n")
        for line in textwrap.wrap(part, columns, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False)
        or [first.rstrip()]
    ]
    return [line.rstrip().replace(APART, " ") for line in lines]
