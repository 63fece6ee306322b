"""Draws commands of the tutorial and what they print, which a test compares with what happens: the moving picture, and the cards of the start page.

The first moves once: each command is typed, then its output appears. Readers who prefer reduced motion, and printers, get the last state.
"""

import re
import sys
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
PICTURE = PROJECT / "docs" / "pictures" / "tour.svg"
TUTORIAL = PROJECT / "docs" / "start" / "tutorial.md"

COLUMNS, CARD_COLUMNS = 96, 47
WIDTH, CARD_WIDTH, LINE, LEFT, TOP = 840, 420, 18, 16, 46
TYPED, READ = 0.045, 3.2
"""Seconds for each character of a command, and until the next command."""

COLORS = (
    (r"\berror\b", "bad"),
    (r"✘|\bstays Pending\b", "bad"),
    (r"^ *fix: .*", "good"),
    (r"→ (?:change|add) .*", "good"),
    (r"✔", "good"),
    (r"\brotates\b|^  \? unknown\b", "warn"),
    (r"^  closed\b", "bad"),
    (r"^  open\b", "good"),
)
STYLE = """
text { font: 13.6px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #d5d9e0; white-space: pre; }
.command { fill: #ffffff; font-weight: 600; } .bad { fill: #ff8f88; } .good { fill: #7bd88f; } .warn { fill: #f2c66d; } .comment { fill: #9aa4b2; }
@media (prefers-reduced-motion: no-preference) and screen {
  .typed { animation: type var(--for) steps(var(--steps)) var(--at) backwards; }
  .printed { animation: print 0.2s ease-out var(--at) backwards; }
}
@keyframes type { from { clip-path: inset(0 100% 0 0); } to { clip-path: inset(0 0 0 0); } }
@keyframes print { from { opacity: 0; } to { opacity: 1; } }
"""


@dataclass(frozen=True)
class Scene:
    """A command of the tutorial, and how many lines of its output are shown."""

    comment: str
    command: str
    lines: int


SCENES = (
    Scene("A taint on the system pool: Azure rejects it", "nodepools check", 3),
    Scene("A pod that stays Pending: which pool does it fit, and why not?", "nodepools explain web.yaml", 2),
    Scene("Larger VMs for a pool: what does the edit do to its nodes?", "nodepools diff HEAD", 7),
)
CARDS = {
    "card-check.svg": Scene("", "nodepools check", 6),
    "card-explain.svg": Scene("", "nodepools explain web.yaml", 3),
    "card-diff.svg": Scene("", "nodepools diff HEAD", 4),
}
_LEFT_OUT = re.compile(r"\.\.\.$|$")
"""Empty lines, and what the tutorial leaves out."""
_TIE = "\N{NO-BREAK SPACE}"


def quoted(scene: Scene) -> list[str]:
    """The first lines that the tutorial shows for the command."""
    [output, *_] = re.findall(rf"^\$ {re.escape(scene.command)}\n(.*?)^(?:```|\$ )", TUTORIAL.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return [line for line in str(output).splitlines() if not _LEFT_OUT.match(line)][: scene.lines]


def wrapped(line: str, columns: int = COLUMNS) -> list[str]:
    """The line in rows of the picture."""
    indent = " " * (len(line) - len(line.lstrip()) + 2)
    tied = line.replace("→ ", f"→{_TIE}")
    cut = textwrap.wrap(tied, columns, subsequent_indent=indent, break_long_words=columns < COLUMNS, break_on_hyphens=False)
    return [row.replace(_TIE, " ") for row in cut] or [""]


def colored(row: str) -> str:
    """A row as SVG."""
    text = escape(row, quote=False)
    for pattern, name in COLORS:
        text = re.sub(pattern, lambda found, name=name: f'<tspan class="{name}">{found[0]}</tspan>', text)
    return text


def rows(scenes: Sequence[Scene]) -> Iterator[tuple[str, str, str]]:
    """Class, style and text of each row, in the order in which they appear."""
    at = 0.6
    for scene in scenes:
        yield "printed", f"--at:{at:.2f}s", f'<tspan class="comment"># {escape(scene.comment, quote=False)}</tspan>'
        typing = len(scene.command) * TYPED
        yield (
            "typed",
            f"--at:{at + 0.4:.2f}s;--for:{typing:.2f}s;--steps:{len(scene.command) + 2}",
            f'<tspan class="command">$ {scene.command}</tspan>',
        )
        at += typing + 0.7
        for line in quoted(scene):
            for row in wrapped(line):
                yield "printed", f"--at:{at:.2f}s", colored(row)
        yield "printed", "", ""
        at += READ


def drawn() -> str:
    """Returns the moving picture."""
    label = "; ".join(f"{scene.comment} {scene.command}" for scene in SCENES)
    return framed(list(rows(SCENES))[:-1], WIDTH, label)


def card(scene: Scene) -> str:
    """Returns the picture of a command, for a third of a page."""
    joined = _joined(quoted(scene))
    lines = [row for line in joined for row in wrapped(line, CARD_COLUMNS)]
    shown = [("", "", f'<tspan class="command">$ {scene.command}</tspan>'), *(("", "", text) for text in colored_rows(lines))]
    return framed(shown, CARD_WIDTH, f"{scene.command}: {joined[0]}")


def colored_rows(lines: Sequence[str]) -> Iterator[str]:
    """Rows as SVG; those that continue a fix or a next step have its color."""
    is_step = False
    for line in lines:
        is_step = line.lstrip().startswith(("fix: ", "next: ")) or (is_step and line.startswith("  "))
        yield f'<tspan class="good">{escape(line, quote=False)}</tspan>' if is_step else colored(line)


def _joined(lines: Sequence[str]) -> list[str]:
    """Lines of a terminal, without its line breaks: the picture is narrower."""
    found: list[str] = []
    for line in lines:
        if found and line.startswith(("      ", "    (")):
            found[-1] += f" {line.strip()}"
        elif found and not line.startswith(("next: ", "  ")) and len(found) == 1 and len(found[0]) > COLUMNS - 16:
            found[-1] += f" {line}"
        else:
            found.append(line)
    return found


def framed(shown: Sequence[tuple[str, str, str]], width: int, label: str) -> str:
    """Rows in the window of a terminal."""
    height = TOP + len(shown) * LINE + 8
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-label="{escape(label)}">',
            f"<style>{STYLE}</style>",
            f'<rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8" fill="#1b1f27" stroke="#4a5160"/>',
            *(f'<circle cx="{20 + 18 * index}" cy="18" r="5.5" fill="#4a5160"/>' for index in range(3)),
            *(
                f'<text class="{name}" style="{style}" x="{LEFT}" y="{TOP + index * LINE}" xml:space="preserve">{text}</text>'
                for index, (name, style, text) in enumerate(shown)
                if text
            ),
            "</svg>\n",
        ]
    )


if __name__ == "__main__":
    PICTURE.write_text(drawn(), encoding="utf-8")
    for name, scene in CARDS.items():
        PICTURE.with_name(name).write_text(card(scene), encoding="utf-8")
    sys.stdout.write(f"{PICTURE.relative_to(PROJECT)}, {', '.join(CARDS)}\n")
