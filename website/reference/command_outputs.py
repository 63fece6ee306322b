"""What each command prints for an example of this project, for its page: run when the site is built, so that it is never of another day."""

import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from os import environ
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from website.layout import PROJECT

_DAY: Final = "--today 2026-11-22"
LINES: Final[Mapping[str, tuple[str, str]]] = {
    "check": ("examples/convert", "check karpenter.yaml"),
    "explain": (".", "explain --stack prod examples/workloads/mistakes.yaml"),
    "preview": ("examples/eks-auto", f"preview {_DAY}"),
    "diagram": ("examples/eks-auto", "diagram"),
    "rules": (".", "rules AKS014"),
    "diff": (".", f"diff examples/drift/live examples/drift/platform.yaml {_DAY}"),
    "upgrade": (".", f"upgrade --stack prod --to 1.36 --workloads examples/upgrade {_DAY}"),
    "compare": (
        ".",
        "compare examples/ledger/edit.json --file examples/ledger/platform.yaml --existing examples/ledger/after --applied 2026-11-24T10:00Z",
    ),
    "ledger": (".", "ledger examples/ledger/compared"),
    "rollout plan": ("examples/fleet", f"rollout plan rollout.yaml --to 1.36 {_DAY}"),
    "capacity": (".", "capacity --stack prod"),
    "cost": (".", "cost --stack prod"),
    "calendar": (".", "calendar --stack prod --tz Europe/Paris --at 2026-11-25T22:30Z"),
    "instances": ("examples/eks-auto", "instances --pool auto/default"),
    "init": ("", "init shop --clouds aks --ci github"),
    "adopt": ("examples", "adopt adopt"),
    "adopt pending": (".", "adopt pending examples/interrupted/state.json"),
    "convert": ("examples", "convert convert --to auto-mode"),
    "render": ("examples/eks-auto", "render"),
    "doctor": ("examples/eks-auto", "doctor"),
    "schema": (".", "schema"),
}
"""Where a command is run, and its line; in an empty folder if the place is empty."""
SILENT: Final[Mapping[str, str]] = {
    "mcp": "It prints messages of its protocol.",
    "adopt settle": "It reads the state of a stack after an import.",
    "eject": "It writes a program, which is longer than a page.",
    "rollout compile": "It reads a plan, and prints the files that it wrote.",
}
"""Commands without an example here, and why."""
LONGEST: Final = 60
"""Lines that a page shows."""


def outputs() -> dict[str, str]:
    """Returns what each command prints after its line, as a terminal with 88 columns shows it."""
    with ThreadPoolExecutor(4) as pool:
        return dict(zip(LINES, pool.map(printed, LINES), strict=True))


def printed(name: str) -> str:
    """Returns what one command prints."""
    place, line = LINES[name]
    with TemporaryDirectory() as empty:
        run = subprocess.run(  # noqa: S603
            [sys.executable, "-m", "nodepools", *line.split()],
            cwd=PROJECT / place if place else Path(empty),
            env={**environ, "COLUMNS": "88", "NO_COLOR": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
    shown = run.stdout.rstrip().splitlines()
    cut = [*shown[:LONGEST], "..."] if len(shown) > LONGEST else shown
    return "\n".join([f"$ nodepools {line}", *cut])
