"""`.pre-commit-hooks.yaml`: each hook runs a valid command line, and pre-commit accepts the file."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.conftest import started
from tests.cli.inputs import MISSPELT_POOL

pytestmark = pytest.mark.program

PROJECT = Path(__file__).resolve().parents[2]
HOOKS: list[dict[str, Any]] = yaml.safe_load((PROJECT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("name", "text", "status"), [("bad.yaml", MISSPELT_POOL, 1), ("good.yaml", MISSPELT_POOL.replace("amd46", "amd64"), 0)])
def test_the_hook_for_manifests_checks_the_files_that_it_gets(tmp_path: Path, name: str, text: str, status: int):
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert started(*_words("nodepools-check"), name, cwd=tmp_path).status == status


@pytest.mark.parametrize(("count", "status"), [("count=2,", 0), ("count=0,", 1)])
def test_the_hook_for_projects_checks_all_stacks(project: Path, tmp_path: Path, count: str, status: int):
    shutil.copytree(project / "stacks", tmp_path / "stacks", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(project / "Pulumi.yaml", tmp_path)
    dev = tmp_path / "stacks/dev.py"
    dev.write_text(dev.read_text(encoding="utf-8").replace("count=2,", count), encoding="utf-8")
    assert started(*_words("nodepools-check-project"), cwd=tmp_path).status == status


def test_every_hook_is_in_the_guide():
    page = (PROJECT / "docs/guides/ci.md").read_text(encoding="utf-8")
    assert re.findall(r"^      - id: (.*)$", page, re.MULTILINE) == [hook["id"] for hook in HOOKS]


def test_pre_commit_accepts_the_hooks():
    if shutil.which("pre-commit") is None:
        pytest.skip("pre-commit is not installed: pip install pre-commit")
    subprocess.run(["pre-commit", "validate-manifest", ".pre-commit-hooks.yaml"], cwd=PROJECT, check=True)


def _words(hook: str) -> list[str]:
    [entry] = [one["entry"] for one in HOOKS if one["id"] == hook]
    program, *words = entry.split()
    assert program == "nodepools"
    return words
