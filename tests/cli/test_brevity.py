"""The default output of each command for what this repository declares: the answer first, at most 40 lines by 100 columns."""

from pathlib import Path
from typing import Final

import pytest

from tests.cli.conftest import Run

COLUMNS: Final = 100
LINES: Final = 40
ANSWERED: Final = [
    "check",
    "check --stack prod",
    "check --all",
    "check examples/node-groups",
    "check examples/workloads",
    "check examples/convert-nap examples/adopt-eks",
    "capacity --stack prod",
    "capacity --all",
    "doctor",
    "doctor --stack prod",
    "rules",
    "rules AKS014",
    "upgrade --stack prod",
    "upgrade --all",
]
"""Commands whose answer is a report. The others (`cost`, `diff`, `explain`, `convert`, `adopt`, …) belong here, too, as soon as theirs are."""


@pytest.mark.parametrize("command", ANSWERED)
def test_a_default_output_is_short(nodepools: Run, project: Path, command: str):
    answer = nodepools(*command.split(), cwd=project, env={"COLUMNS": str(COLUMNS)})
    lines = answer.out.splitlines()
    assert lines, answer.err
    assert len(lines) <= LINES, answer.out
    assert [line for line in lines if len(line) > COLUMNS and len(line.split()) > 1] == []
    assert lines[0].strip() == lines[0]


@pytest.mark.parametrize("command", ["check --file platform.yaml", "doctor --file platform.yaml"])
@pytest.mark.parametrize("columns", [80, 120])
def test_no_word_is_broken(nodepools: Run, project: Path, command: str, columns: int):
    folder = project / "examples/drift"
    narrow, wide = (nodepools(*command.split(), cwd=folder, env={"COLUMNS": str(size)}).out for size in (columns, 1000))
    assert {word for line in narrow.splitlines() if "--details shows" not in line for word in line.split()} <= set(wide.split()) | {"|"} | {
        word for word in narrow.split() if word.endswith((":", ";"))
    }
