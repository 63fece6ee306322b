"""Draws the output of `nodepools explain`, `nodepools diff` and `nodepools upgrade` for the README and the guides: docs/pictures/*.svg."""

import re
import sys
from collections.abc import Iterator
from contextlib import chdir
from datetime import date
from io import StringIO
from itertools import takewhile
from pathlib import Path

from rich.console import Console
from rich.markdown import Markdown
from rich.text import Text

from nodepools import load
from nodepools.cli.command_run import CommandRun
from nodepools.cli.demands.demands import Demands
from nodepools.cli.explain.outcome import placements
from nodepools.cli.explain.text import report
from nodepools.cli.inputs.input_files import InputFiles
from nodepools.cli.inputs.workload_files import read_workload_files, read_workloads
from nodepools.cli.output.markdown_report import markdown_lines
from nodepools.cli.output.text_report import text_lines
from nodepools.cli.upgrade.plan import plan_result
from nodepools.clouds.registry import catalog
from nodepools.placement.workloads.objects import read_workload_objects
from nodepools.replicas.explained import explain_replicas
from nodepools.upgrades.platform_upgrades import Inputs as UpgradeInputs
from nodepools.upgrades.platform_upgrades import upgrades

PROJECT = Path(__file__).resolve().parents[1]
PICTURES = PROJECT / "docs" / "pictures"
WORKLOADS = "examples/workloads/"
WIDTH = 100
"""Columns of the terminal in the pictures."""
COMMANDS = {
    "explain.svg": ("nodepools explain --stack prod examples/workloads/mistakes.yaml", "mistakes.yaml"),
    "explain-matrix.svg": ("nodepools explain --stack prod examples/workloads/", ""),
}


DIFF = "diff-markdown.svg"
"""The comment of a pull request, as GitHub renders the markdown of the guide on changes."""


def comment() -> str:
    """The markdown in the guide, which a test compares with what the command prints, without what is folded."""
    [quoted] = re.findall(r"^```markdown\n(.*?)^```", (PROJECT / "docs/guides/diff.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return str(quoted).partition("<details>")[0].replace("<br>", ". ")  # the renderer of the picture reads no HTML


RUNBOOK = "upgrade-runbook.svg"
"""The runbook of `prod`, up to what is folded, with a PodDisruptionBudget that stops the upgrade."""
RUNBOOK_COMMAND = "nodepools upgrade --stack prod --workloads examples/workloads --workloads examples/upgrade --today 2026-11-22 --to 1.36"
_DAY = date(2026, 11, 22)


def runbook() -> str:
    """The markdown that `nodepools upgrade` prints, up to what is folded."""
    prod = load("prod", PROJECT)
    with chdir(PROJECT):  # places are named as the command names them
        read = read_workload_files(InputFiles([Path("examples/workloads"), Path("examples/upgrade")]), CommandRun("upgrade", "markdown"))
    known = UpgradeInputs(read.workloads, read_workload_objects(read.objects), read.removed_apis)
    plans = [
        (plan.cluster, plan) for plan in sorted(upgrades(prod, "1.36", _DAY, known), key=lambda plan: (plan.support_ends or _DAY.max, plan.cluster))
    ]
    report = plan_result("prod", "1.36", plans, RUNBOOK_COMMAND, wanted=Demands("upgrade"), places=read.places).report
    lines = markdown_lines(report) if report is not None else ()
    return "\n".join(takewhile(lambda line: not line.startswith("<details"), lines))


def rendered(text: str, title: str, name: str) -> str:
    """The picture of a text in markdown."""
    console = Console(record=True, width=150, file=StringIO())
    console.print(Markdown(text))
    return "\n".join(_tidy(console.export_svg(title=title, unique_id=name.removesuffix(".svg")))) + "\n"


def pages() -> dict[str, str]:
    """The pictures of texts in markdown, by name."""
    return {DIFF: rendered(comment(), "pull request", DIFF), RUNBOOK: rendered(runbook(), "change request", RUNBOOK)}


def printed(name: str) -> list[str]:
    """The command of a picture, and its output with colors."""
    command, file = COMMANDS[name]
    with chdir(PROJECT):
        workloads = read_workloads(InputFiles([Path(WORKLOADS) / file]), CommandRun("explain", "text"))
    answers = explain_replicas(workloads, catalog(load("prod", PROJECT)))
    told = report("prod", placements(answers), forced=False, covered=None, again=command, places={"": "stacks/prod.py"})
    return [f"$ {command}", *text_lines(told, columns=WIDTH, details=False)]


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
    for name, picture in pages().items():
        (PICTURES / name).write_text(picture, encoding="utf-8")
        sys.stdout.write(f"{PICTURES.relative_to(PROJECT) / name}\n")
