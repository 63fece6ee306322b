"""The program that the README shows first: every command answers for it, its tests pass, and strict pyright finds nothing in it."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.program

SCRIPT = Path(sys.executable).with_name("nodepools")


@pytest.fixture
def shop(project: Path, tmp_path: Path) -> Path:
    ignored = shutil.ignore_patterns("__pycache__", ".pytest_cache")
    return shutil.copytree(project / "examples" / "shop", tmp_path / "shop", ignore=ignored)


def run(*words: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, cwd=cwd, capture_output=True, text=True, check=False)


def committed(shop: Path, message: str) -> None:
    for words in (["init", "--quiet"], ["add", "--all"], ["-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "-m", message]):
        subprocess.run(["git", *words], cwd=shop, check=True)


def test_the_readme_shows_it(project: Path):
    """Without the registry, the workspace and its docstring."""
    [shown] = re.findall(r"^```python\n(import pulumi\n.*?)^```$", (project / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    lines = (project / "examples/shop/__main__.py").read_text().splitlines()
    others = [line for line in shown.splitlines() if line.partition("  # ")[0] not in {text.partition("  # ")[0] for text in lines}]
    assert others == ["from pulumi_azure_native import network, resources"]


@pytest.mark.parametrize(
    ("command", "first"),
    [
        ("check", "dev: no errors or warnings, 2 notes"),
        ("explain k8s/web.yaml", "dev: web (Deployment ×6) fits shop/web"),
        ("cost", "dev: 1,191.36 USD per month for nodes"),
        ("preview", "dev: registers 20 resources: not checked here\nnext: nodepools check  # changes nothing\n"),
    ],
)
def test_commands_answer(shop: Path, command: str, first: str):
    told = run(SCRIPT, *command.split(), cwd=shop)
    assert (told.returncode, told.stdout[: len(first)]) == (0, first), told.stderr


def test_two_commits_are_compared(shop: Path):
    committed(shop, "one")
    program = shop / "__main__.py"
    edits = [("count=3)}", "count=5)}"), ('Standard_D4ds_v5", count=5', 'Standard_D8ds_v5", count=5')]
    for old, new in edits:
        assert old in program.read_text()
        program.write_text(program.read_text().replace(old, new))
    committed(shop, "two")
    told = run(SCRIPT, "diff", "HEAD~1", "HEAD", cwd=shop)
    assert told.stdout.startswith("dev: 2 edits; the worst one rotates shop/web"), told.stdout + told.stderr
    assert "count: 3 → 5" in told.stdout


def test_its_tests_pass_and_fail_where_the_release_does_not_wait(shop: Path):
    assert run(sys.executable, "-m", "pytest", "-q", cwd=shop).returncode == 0
    program = shop / "__main__.py"
    program.write_text(program.read_text().replace("kubeconfig=cluster.kubeconfig)", 'kubeconfig="of another cluster")'))
    told = run(sys.executable, "-m", "pytest", "-q", cwd=shop)
    assert re.findall(r"^FAILED (\S+)", told.stdout, re.MULTILINE) == [
        "tests/test_graph.py::test_the_release_comes_after_the_pools_and_goes_before_them"
    ]


def test_it_is_typed_to_the_last(project: Path, shop: Path):
    told = run(sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable, "--project", shop, cwd=project)
    report = json.loads(told.stdout)
    assert (report["summary"]["filesAnalyzed"], report["generalDiagnostics"]) == (4, [])
