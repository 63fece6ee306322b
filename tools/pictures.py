"""Draws the output of `nodepools explain` and `nodepools diff` for the README and the guides: docs/pictures/*.svg."""

import re
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.markdown import Markdown
from rich.text import Text

from nodepools import load
from nodepools.cli.command_run import CommandRun
from nodepools.cli.exclusion import Inputs
from nodepools.cli.explain import lines
from nodepools.cli.workload_files import read_workloads
from nodepools.placement.catalog import catalog
from nodepools.replicas.explained import explain_replicas

PROJECT = Path(__file__).resolve().parents[1]
PICTURES = PROJECT / "docs" / "pictures"
WORKLOADS = "examples/workloads/"
COMMANDS = {
    "explain.svg": ("nodepools explain --stack prod examples/workloads/train.yaml", "train.yaml", False),
    "explain-matrix.svg": ("nodepools explain --stack prod --matrix examples/workloads/", "", True),
}


DIFF = "diff-markdown.svg"
"""The comment of a pull request, as GitHub renders the markdown of the guide on changes."""


def comment() -> str:
    """The markdown in the guide, which a test compares with what the command prints, without what is folded."""
    [quoted] = re.findall(r"^```markdown\n(.*?)^```", (PROJECT / "docs/guides/diff.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return str(quoted).partition("<details>")[0]


def rendered() -> str:
    """The picture of the comment."""
    console = Console(record=True, width=150, file=StringIO())
    console.print(Markdown(comment()))
    return "\n".join(_tidy(console.export_svg(title="pull request", unique_id="diff-markdown"))) + "\n"


def printed(name: str) -> list[str]:
    """The command of a picture, and its output with colors."""
    command, file, matrix = COMMANDS[name]
    workloads = read_workloads(Inputs([PROJECT / WORKLOADS / file]), CommandRun("explain", "text"))
    answers = explain_replicas(workloads, catalog(load("prod", PROJECT)))
    return [f"$ {command}", *lines(answers, matrix=matrix)]


def drawn(name: str) -> str:
    """The picture."""
    shown = [Text.from_ansi(line) for line in printed(name)]
    console = Console(record=True, width=max(line.cell_len for line in shown), file=StringIO())
    for line in shown:
        console.print(line, soft_wrap=True)
    return "\n".join(_tidy(console.export_svg(title="nodepools explain", unique_id=name.removesuffix(".svg")))) + "\n"


def _tidy(svg: str) -> Iterator[str]:
    """Removes spaces at the ends of lines, and fonts from external servers."""
    skipping = False
    for line in svg.splitlines():
        skipping = skipping or "@font-face" in line
        if line.strip() and not skipping:
            yield line.rstrip()
        skipping = skipping and "}" not in line


if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    for name in COMMANDS:
        (PICTURES / name).write_text(drawn(name), encoding="utf-8")
        sys.stdout.write(f"{PICTURES.relative_to(PROJECT) / name}\n")
    (PICTURES / DIFF).write_text(rendered(), encoding="utf-8")
    sys.stdout.write(f"{PICTURES.relative_to(PROJECT) / DIFF}\n")
