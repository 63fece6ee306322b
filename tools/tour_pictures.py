"""Draws pictures of the tour: what gets built, a calendar and capacity in a terminal, and an editor. Each is made of what a command prints."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, TypeAlias

from moving_picture import WIDTH, colored_rows, framed, wrapped

PROJECT = Path(__file__).resolve().parents[1]
PICTURES = PROJECT / "docs" / "pictures"
TERMINALS = {
    "calendar.svg": "calendar --stack prod --tz Europe/Paris --at 2026-11-25T22:30Z",
    "capacity.svg": "capacity --stack dev",
    "preview.svg": "preview --stack dev --today 2026-11-22",
}
BUILT = "diagram --stack dev --format json"
EDITOR = ("examples/editor", "check --file platform.yaml --format json --today 2026-11-22")
COLUMNS = 96
BOX, GAP, ROW = 350, 20, 18
FITS = 42
"""Characters of a line in a box."""

Row: TypeAlias = tuple[str, str, str]


def printed(line: str, place: str = ".") -> str:
    """What a command prints."""
    run = [sys.executable, "-m", "nodepools", *line.split()]
    environment = {**os.environ, "COLUMNS": str(COLUMNS), "NO_COLOR": "1"}
    return subprocess.run(run, cwd=PROJECT / place, env=environment, capture_output=True, text=True, check=False).stdout  # noqa: S603


def terminal(line: str) -> str:
    """The picture of a command and what it prints."""
    lines = [row for text in printed(line).rstrip().splitlines() for row in wrapped(text, COLUMNS)]
    shown: list[Row] = [("", "", f'<tspan class="command">$ nodepools {escape(line)}</tspan>'), *(("", "", text) for text in colored_rows(lines))]
    return framed(shown, WIDTH, f"nodepools {line}: {lines[0]}")


_STYLE = """
text { font: 13px 'Segoe UI', system-ui, 'DejaVu Sans', sans-serif; fill: #1b2430; }
.name { font-weight: 700; } .quiet { fill: #566070; } .taint { fill: #7a4a00; } .head { font-weight: 700; font-size: 15px; fill: #ffffff; }
"""
_COLORS = {"AKS": "#1d4ed8", "EKS": "#b45309"}


@dataclass(frozen=True)
class Box:
    """A cluster, with the lines of each of its pools."""

    title: str
    cloud: str
    summary: str
    pools: tuple[tuple[str, ...], ...]

    @property
    def height(self) -> int:
        """Of all pools."""
        return sum(len(lines) * ROW + 22 for lines in self.pools)

    @classmethod
    def read(cls, cluster: dict[str, Any]) -> "Box":
        """A cluster as `nodepools diagram` describes it."""
        title = f"{cluster['cluster']} · {cluster['cloud']} · {cluster['place']} · {cluster['kubernetes_version']}"
        summary = f"{cluster['cluster']} ({cluster['cloud']}) with {len(cluster['pools'])} pools"
        return cls(title, cluster["cloud"], summary, tuple(_lines(pool) for pool in cluster["pools"]))


def _lines(pool: dict[str, Any]) -> tuple[str, ...]:
    return (
        f'<tspan class="name">{pool["pool"].rpartition("/")[2]}</tspan> <tspan class="quiet">{pool["kind"]}</tspan>',
        *(escape(_short(node)) for node in pool["nodes"]),
        f'<tspan class="quiet">{escape(pool["scale"])}</tspan>',
        *(f'<tspan class="taint">{escape(_short(f"taint {taint}"))}</tspan>' for taint in pool["taints"]),
    )


def built(platform: dict[str, Any]) -> str:
    """The clusters of a platform next to each other, with their pools below each other."""
    boxes = [Box.read(cluster) for cluster in platform["clusters"]]
    height = 56 + max(box.height for box in boxes) + 12
    width = GAP + len(boxes) * (BOX + GAP)
    label = "; ".join(box.summary for box in boxes)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height + 24}" role="img" aria-label="{label}">',
            f"<style>{_STYLE}</style>",
            f'<rect width="{width}" height="{height + 24}" rx="10" fill="#f4faf8"/>',
            *(part for index, box in enumerate(boxes) for part in _column(box, GAP + index * (BOX + GAP), height)),
            "</svg>\n",
        ]
    )


def _short(text: str) -> str:
    """Text that fits the box."""
    return text if len(text) <= FITS else f"{text[: FITS - 1]}…"


def _column(box: Box, x: int, height: int) -> Iterator[str]:
    color = _COLORS[box.cloud]
    yield f'<rect x="{x}" y="12" width="{BOX}" height="{height}" rx="10" fill="#ffffff" stroke="{color}" stroke-width="2"/>'
    yield f'<rect x="{x}" y="12" width="{BOX}" height="36" rx="10" fill="{color}"/><text class="head" x="{x + 14}" y="36">{escape(box.title)}</text>'
    y = 60
    for lines in box.pools:
        size = len(lines) * ROW + 22
        yield f'<rect x="{x + 10}" y="{y}" width="{BOX - 20}" height="{size - 10}" rx="7" fill="#f5f7fa" stroke="#d5dbe3"/>'
        yield from (f'<text x="{x + 20}" y="{y + 20 + index * ROW}">{line}</text>' for index, line in enumerate(lines))
        y += size


def editor() -> str:
    """A platform file in an editor: lines with findings are underlined, and the findings below."""
    place, line = EDITOR
    findings = [each for each in json.loads(printed(line, place))["findings"] if each["severity"] != "note"]
    marks = {each["line"]: each for each in findings}
    shown: list[Row] = [("", "", '<tspan class="command">platform.yaml</tspan>'), ("", "", "")]
    for number, text in enumerate((PROJECT / place / "platform.yaml").read_text(encoding="utf-8").splitlines(), 1):
        at = marks[number]["column"] - 1 if number in marks else len(text)
        wrong = f'<tspan class="bad" text-decoration="underline wavy">{escape(text[at:])}</tspan>' if number in marks else ""
        shown.append(("", "", f'<tspan class="comment">{number:3}</tspan>  {escape(text[:at])}{wrong}'))
    shown += [("", "", ""), ("", "", '<tspan class="command">PROBLEMS</tspan>')]
    for each in findings:
        rows = wrapped(f"✘ {each['message']}  {each['code']} [Ln {each['line']}, Col {each['column']}]", COLUMNS)
        shown += [("", "", f'<tspan class="bad">{escape(row)}</tspan>') for row in rows]
    return framed(shown, WIDTH, f"platform.yaml in an editor: {findings[0]['message']}")


def drawn() -> dict[str, str]:
    """Every picture, by the name of its file."""
    with ThreadPoolExecutor() as pool:
        others = {"built.svg": pool.submit(lambda: built(json.loads(printed(BUILT))["platforms"][0])), "editor.svg": pool.submit(editor)}
        terminals = {name: pool.submit(terminal, line) for name, line in TERMINALS.items()}
        return {name: future.result() for name, future in (terminals | others).items()}


if __name__ == "__main__":
    for name, picture in drawn().items():
        (PICTURES / name).write_text(picture, encoding="utf-8")
        sys.stdout.write(f"docs/pictures/{name}\n")
