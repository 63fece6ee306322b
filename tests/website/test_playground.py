"""The playground: its examples answer without a problem, and what it leaves out is not imported. `make test-playground` tries a browser."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import started
from website.layout import PROJECT
from website.playground.examples import EXAMPLES
from website.playground.python_parts import HERE, LEFT_OUT

pytestmark = pytest.mark.program

LINES = {
    "check": {False: ["check", "pools.yaml"], True: ["check", "--file", "pools.yaml"]},
    "explain": {
        False: ["explain", "pods.yaml", "--existing", "pools.yaml"],
        True: ["explain", "pods.yaml", "--file", "pools.yaml"],
    },
    "capacity": {True: ["capacity", "--file", "pools.yaml"]},
    "upgrade": {True: ["upgrade", "--file", "pools.yaml", "--to", "1.36", "--workloads", "pods.yaml"]},
    "calendar": {False: ["calendar", "--existing", "pools.yaml"]},
    "diff": {False: ["diff", "pools.yaml", "new.yaml"]},
}
"""The command line for manifests, and for a platform, as page/commands.mjs makes it."""
CODES = {"A NodePool with faults": {"EKS044", "EKS045"}}


@pytest.mark.parametrize("example", [pytest.param(example, id=example.title) for example in EXAMPLES])
def test_an_example_answers_what_its_title_says(example, tmp_path: Path):
    shown = example.shown(PROJECT)
    for name, text in shown["files"].items():
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    is_platform = re.search(r"^clusters\s*:", shown["files"]["pools"], re.MULTILINE) is not None
    answer = json.loads(started(*LINES[example.command][is_platform], "--format", "json", cwd=tmp_path).out)
    assert (answer["complete"], answer["problems"]) == (True, [])
    assert {found["code"] for found in answer["findings"] if found["severity"] == "error"} == CODES.get(example.title, set())


COMMANDS = [
    f"nodepools.cli.{name}"
    for name in (
        "check.command",
        "diff.command",
        "explain.command",
        "calendar",
        "capacity",
        "upgrade.command",
        "diff.existing",
        "inputs.manifest_checks",
        "existing.existing_cluster",
    )
]


def test_commands_of_the_page_do_not_import_what_it_leaves_out():
    names = tuple(f"nodepools.{name.removesuffix('.py')}" for name in LEFT_OUT)
    code = (
        "import sys\n"
        "from nodepools.cli.program import app\n"
        f"import {', '.join(COMMANDS)}\n"
        f"print([name for name in sys.modules if name in {names!r} or name.startswith({tuple(f'{name}.' for name in names)!r})])\n"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"


def test_the_page_has_the_pydantic_core_that_its_pydantic_requires():
    pins = dict(re.findall(r"^([\w-]+)==(\S+)", (HERE / "wheels.txt").read_text(encoding="utf-8"), re.MULTILINE))
    locked = (PROJECT / "requirements.lock").read_text(encoding="utf-8")
    assert f"\npydantic=={pins['pydantic']} " in locked
    assert f"\npydantic-core=={pins['pydantic-core']} " in locked
