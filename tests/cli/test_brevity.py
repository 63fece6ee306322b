"""The default output of each command for what this repository declares: the answer first, at most 40 lines by 100 columns."""

import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from nodepools.rules.engine.registry import all_codes
from tests.cli.conftest import Run
from tests.cli.terminal import Terminal

COLUMNS: Final = 100
LINES: Final = 40
NOON: Final = "2026-11-26T12:00:00+00:00"
PROJECTS: Final = {
    ".": ("dev", "staging", "prod"),
    "examples/user-project": ("dev", "prod"),
    **{f"examples/{name}": ("dev",) for name in ("aks-automatic", "aks-existing-network", "aks-nap", "aks-pools", "eks-auto", "eks-gpu-arm")},
}
OF_STACKS: Final = ("check", "explain WORKLOADS", "calendar", "cost", "capacity", "upgrade")
OBSERVED: Final = {
    "aks-billing": "aks-billing",
    "aks-search": "aks-search",
    "eks-data-eu": "data-eu",
    "eks-platform-prod": "platform-prod",
    "eks-shop": "shop",
    "erp_Prod": "erp_Prod",
    "ml-9f2c41": "ml-9f2c41",
}
"""Folders with exports of clusters, and the name of each cluster."""
ANSWERED: Final = [
    (".", "check", "dev"),
    (".", "check --all", "dev, prod, staging"),
    (".", "check examples/node-groups", "examples/node-groups"),
    (".", "check examples/workloads", "examples/workloads"),
    (".", "check examples/convert-nap examples/adopt-eks", "examples/convert-nap, examples/adopt-eks"),
    (".", "capacity --all", "all stacks"),
    (".", "cost --all", "all stacks"),
    (".", "calendar --all", "all stacks"),
    (".", "upgrade --all", "all stacks"),
    (".", "explain WORKLOADS --all", "all stacks"),
    (".", "doctor", "dev"),
    (".", "doctor --stack prod", "prod"),
    (".", "rules", f"{len(list(all_codes()))} rules"),
    (".", "rules AKS014", "AKS014"),
    (".", "diff tests/golden/plans/dev.json tests/golden/plans/prod.json", "tests/golden/plans/dev.json → tests/golden/plans/prod.json"),
    (
        ".",
        "diff tests/golden/plans/prod.json tests/golden/plans/dev.json --workloads WORKLOADS",
        "tests/golden/plans/prod.json → tests/golden/plans/dev.json",
    ),
    (".", "upgrade --to 1.37 --workloads WORKLOADS --workloads examples/upgrade", "dev to 1.37"),
    (".", "upgrade --to 1.37 --stack dev --existing examples/upgrade-in-progress", "dev to 1.37"),
    ("examples", "diff drift/platform.yaml --existing drift/live", "drift/platform.yaml → dev"),
    ("examples", "diff convert/karpenter.yaml node-groups/static.yaml", "convert/karpenter.yaml → node-groups/static.yaml"),
    ("examples", "explain node-groups/workloads.yaml --existing node-groups/exports", "node-groups/exports"),
    ("examples", "capacity --existing node-groups/exports", "shop"),
    ("examples", "calendar --existing node-groups/exports", "node-groups/exports"),
    ("examples", "upgrade --to 1.36 --existing node-groups/exports --workloads node-groups/workloads.yaml", "shop to 1.36"),
    ("examples", "explain WORKLOADS --existing convert-nap/nodepools.yaml", "convert-nap/nodepools.yaml"),
    ("examples", "adopt adopt -o out.py", "shop-west"),
    ("examples", "adopt adopt-eks -o out.py", "shop"),
    ("examples", "adopt pending interrupted/state.json", "dev"),
    ("examples", "convert convert --to auto-mode -o out", "convert"),
    ("examples", "convert convert-nap --to nap -o out", "convert-nap"),
    ("examples/eks-auto", "instances --pool auto/default", "dev: auto/default"),
    ("examples/eks-gpu-arm", "instances --pool ml/gpu", "dev: ml/gpu"),
    ("observed", "diff eks-shop/objects.yaml eks-data-eu/objects.yaml", "eks-shop/objects.yaml → eks-data-eu/objects.yaml"),
    ("observed", f"adopt {' '.join(OBSERVED)} -o out.py", "aks-billing, aks-search, erp-prod and 4 more"),
]
"""Where a command is run, the command, and what it is about."""


def _of_stacks() -> Iterator[tuple[str, str, str]]:
    for folder, stacks in PROJECTS.items():
        yield from ((folder, f"{command} --stack {stack}", stack) for stack in stacks for command in OF_STACKS)


def _of_clusters() -> Iterator[tuple[str, str, str]]:
    for folder, name in OBSERVED.items():
        yield "observed", f"explain WORKLOADS --existing {folder}", folder
        yield "observed", f"capacity --existing {folder}", name
        yield "observed", f"upgrade --to 1.36 --existing {folder}", f"{name} to 1.36"
        yield "observed", f"adopt {folder} -o out.py", name.lower().replace("_", "-")


CASES: Final = [
    *(pytest.param(*case, id=f"{case[0]}: {case[1]}") for case in ANSWERED),
    *(pytest.param(*case, id=f"{case[0]}: {case[1]}", marks=pytest.mark.sweep) for case in (*_of_stacks(), *_of_clusters())),
]


@pytest.mark.parametrize(("folder", "command", "about"), CASES)
def test_a_default_output_is_short(nodepools: Run, project: Path, tmp_path: Path, folder: str, command: str, about: str):
    place = project / folder if folder != "observed" else project.parent / "shared/data/observed"
    if not place.is_dir():
        pytest.skip("the exports of observed clusters are not next to this project")
    if "-o" in command.split():
        place = shutil.copytree(place, tmp_path / folder)
    arguments = [str(project / "examples/workloads") if word == "WORKLOADS" else word for word in command.split()]
    answer = nodepools(*arguments, cwd=place, env={"COLUMNS": str(COLUMNS), "RUN_AT": NOON})
    lines = answer.out.splitlines()
    assert lines, answer.err
    assert len(lines) <= LINES, answer.out
    assert [line for line in lines if len(line) > COLUMNS >= len(max(line.split(), key=len))] == []
    assert re.match(rf"{re.escape(about)}[: ]", lines[0]), lines[0]


@pytest.mark.parametrize("command", ["check --file platform.yaml", "doctor --file platform.yaml"])
@pytest.mark.parametrize("columns", [80, 120])
def test_no_word_is_broken(nodepools: Run, project: Path, command: str, columns: int):
    folder = project / "examples/drift"
    narrow, wide = (nodepools(*command.split(), cwd=folder, env={"COLUMNS": str(size)}).out for size in (columns, 1000))
    assert {word for line in narrow.splitlines() if "--details shows" not in line for word in line.split()} <= set(wide.split()) | {"|", "\\"} | {
        word for word in narrow.split() if word.endswith((":", ";"))
    }


def test_a_problem_wraps_on_a_terminal_and_is_one_line_elsewhere(nodepools: Run, project: Path):
    command = ["diff", "live", "platform.yaml"]
    folder, narrow = project / "examples/drift", {"COLUMNS": "60"}
    long = [line for line in nodepools(*command, cwd=folder, env=narrow).err.splitlines() if line.startswith("notice: ") and len(line) > 60]
    assert long
    with Terminal([sys.executable, "-m", "nodepools", *command], folder, narrow, only_stderr=True) as terminal:
        lines = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", terminal.rest()).replace("\r", "").splitlines()
    assert max(map(len, lines)) <= 60
    assert all(line in " ".join(" ".join(lines).split()) for line in long)
