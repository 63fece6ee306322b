"""Extends Sphinx: what a terminal prints has the colors of a terminal. Each color repeats what a word or a sign says."""

from typing import TYPE_CHECKING, ClassVar

from pygments.lexer import RegexLexer
from pygments.token import Generic, Text

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

_WORSE = "replaces|deletes|refused|contradicted|removed|blocked"
_MOVES = "rotates|reimages|rolls_some|rolls|unknown|changed|kept|accepted"
_STAYS = "in_place|none|created|creates"


class PrintedLexer(RegexLexer):
    """Commands after a prompt with their answers; other texts stay as they are."""

    name = "Printed by a terminal"
    aliases: ClassVar = ["text"]
    tokens: ClassVar = {
        "root": [
            (r"^\$ nodepools .*\n", Generic.Prompt, "answer"),
            (r"^\$ .*\n", Generic.Prompt),
            (r"^ *(?:fix|Fix): .*\n(?:      +\S.*\n)*", Generic.Inserted),
            (r"^(?:next|then|  or): .*\n(?: {6}\S.*\n)*", Generic.Inserted),
            (r"^(?:notice|hint): .*\n", Generic.Output),
            (r"^error: .*\n", Generic.Error),
            (r"\b(?:[A-Z]{3}\d{3} error|[1-9]\d* errors?)\b", Generic.Error),
            (r"\b(?:[A-Z]{3}\d{3} warning|[1-9]\d* warnings?)\b", Generic.Deleted),
            (r"\b[A-Z]{3}\d{3} note\b", Generic.Output),
            (rf"^ {{2,4}}(?:{_WORSE})(?=  )", Generic.Error),
            (rf"^ {{2,4}}(?:{_MOVES})(?=  )", Generic.Deleted),
            (rf"^ {{2,4}}(?:{_STAYS})(?=  )", Generic.Inserted),
            (r"^ {2}\? \w+", Generic.Deleted),
            (r"✘", Generic.Error),
            (r"✔", Generic.Inserted),
            (r"^[+] (?=[A-Z]\w+ ).*\n", Generic.Inserted),
            (r"^- (?=[A-Z]\w+ ).*\n", Generic.Error),
            (r"^~ (?=[A-Z]\w+ ).*\n", Generic.Deleted),
            (r"^[A-Z][a-z][^\n.:=`]*\n(?=  \S)", Generic.Heading),
            (r"`[^`\n]+`", Generic.Emph),
            (r"[\w.-]+", Text),
            (r"[^\S\n]+|\n|.", Text),
        ],
        "answer": [(r"(?!next: |\n).+\n(?:(?! |next: |then: |\n).+\n)?", Generic.Strong, "#pop"), (r"", Text, "#pop")],
    }


def setup(app: "Sphinx") -> "ExtensionMetadata":
    """Registers the extension."""
    app.add_lexer("text", PrintedLexer)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
