"""The guide for editors: its problem matchers find every finding with a position in real output."""

import json
import re
import shutil
from pathlib import Path
from typing import Any, cast

import pytest
from typer.main import get_command

from nodepools.cli.program import app
from tests.cli.conftest import Answer, started
from tests.cli.inputs import MISSPELT_POOL, TAINTED

pytestmark = pytest.mark.program

Problem = dict[str, str]


@pytest.fixture(scope="module")
def page(project: Path) -> str:
    return (project / "docs/guides/editors.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def task(page: str) -> dict[str, Any]:
    blocks = [json.loads(block) for block in re.findall(r"^```json\n(.*?)^```", page, re.MULTILINE | re.DOTALL)]
    [task] = [task for block in blocks for task in block.get("tasks", ())]
    return task


def matched(matcher: dict[str, Any], output: str) -> list[Problem]:
    """What VS Code makes of output: it applies the patterns to consecutive lines."""
    one_or_more = matcher["pattern"]
    patterns = cast("list[dict[str, Any]]", one_or_more if isinstance(one_or_more, list) else [one_or_more])
    lines, found = output.splitlines(), list[Problem]()
    for start in range(len(lines)):
        matches = [re.search(pattern["regexp"], line) for pattern, line in zip(patterns, lines[start:], strict=False)]
        if len(matches) < len(patterns) or None in matches:
            continue
        problem: Problem = {"severity": matcher.get("severity", "")}
        for pattern, match in zip(patterns, matches, strict=True):
            assert match is not None
            problem |= {name: match[group] for name, group in pattern.items() if name != "regexp"}
        found.append(problem)
    return found


def check(folder: Path, task: dict[str, Any], *arguments: str) -> Answer:
    return started("check", *arguments, cwd=folder, env=task["options"]["env"])


CASES = [
    pytest.param(["--file", "platform.yaml", "--details"], id="a platform file"),
    pytest.param(["k8s", "--details"], id="manifests"),
    pytest.param(["k8s", "my pools", "--details"], id="a folder with a space"),
    pytest.param(["--all", "--details"], id="all stacks"),
    pytest.param(["--stack", "dev", "--details"], id="a stack"),
]


@pytest.mark.parametrize("arguments", CASES)
def test_every_finding_with_a_position_is_a_problem(project: Path, task: dict[str, Any], tmp_path: Path, arguments: list[str]):
    shutil.copytree(project / "stacks", tmp_path / "stacks", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(project / "Pulumi.yaml", tmp_path)
    for name, text in (("platform.yaml", TAINTED), ("k8s/pool.yaml", MISSPELT_POOL), ("my pools/pool: 2.yaml", MISSPELT_POOL)):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    findings = check(tmp_path, task, *arguments, "--format", "json").json["findings"]
    expected = {(str(one["line"]), str(one["column"]), one["code"], one["severity"], one["message"]) for one in findings if one["line"]}
    problems = matched(task["problemMatcher"][0], check(tmp_path, task, *arguments).out)
    names = ("line", "column", "code", "severity", "message")
    assert problems
    assert {tuple(problem[name] for name in names) for problem in problems} <= expected
    assert {(problem["code"], problem["message"]) for problem in problems} == {(code, message) for *_, code, _, message in expected}
    assert [problem["file"] for problem in problems if not (tmp_path / problem["file"]).is_file()] == []


def test_a_stack_that_cannot_be_imported_is_a_problem(project: Path, task: dict[str, Any], tmp_path: Path):
    (tmp_path / "stacks").mkdir()
    (tmp_path / "stacks/dev.py").write_text("x = 1\ny = (\n", encoding="utf-8")
    shutil.copy(project / "Pulumi.yaml", tmp_path)
    [problem] = matched(task["problemMatcher"][1], check(tmp_path, task, "--all").err)
    assert problem == {"severity": "error", "file": "stacks/dev.py", "line": "2", "column": None, "message": "'(' was never closed"}


def test_a_file_that_cannot_be_read_is_a_problem(task: dict[str, Any], tmp_path: Path):
    (tmp_path / "pool.yaml").write_text("a: [", encoding="utf-8")
    [problem] = matched(task["problemMatcher"][1], check(tmp_path, task, "pool.yaml").err)
    assert problem == {
        "severity": "error",
        "file": "pool.yaml",
        "line": "2",
        "column": "1",
        "message": "is not valid YAML: did not find expected node content",
    }


def test_the_command_lines_of_the_page_are_valid(page: str, task: dict[str, Any]):
    lines: list[list[str]] = [task["args"], *(json.loads(words) for words in re.findall(r'`"args": (\[.*?\])`', page))]
    assert len(lines) == 3
    for name, *arguments in lines:
        with get_command(app).make_context("nodepools", [name, *arguments], resilient_parsing=True):
            pass
