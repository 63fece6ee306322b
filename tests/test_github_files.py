"""What GitHub reads of the repository has the shape that it documents: an issue form with a mistake is not shown."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

GITHUB = Path(__file__).resolve().parents[1] / ".github"
CHECK = Path(sys.executable).with_name("check-jsonschema")


def schema_of(path: Path) -> str:
    if path.parent.name == "workflows":
        return "github-workflows"
    if path.parent.name == "ISSUE_TEMPLATE":
        return "github-issue-config" if path.stem == "config" else "github-issue-forms"
    return path.stem


def schemas() -> Mapping[str, list[Path]]:
    """The files of each schema: they are checked together, because the start of the program takes longer than its check."""
    found: dict[str, list[Path]] = {}
    for path in sorted(GITHUB.rglob("*.yml")):
        found.setdefault(schema_of(path), []).append(path)
    return found


@pytest.mark.skipif(not CHECK.exists(), reason="check-jsonschema is not installed")
@pytest.mark.parametrize("schema", schemas())
def test_files_that_github_reads_are_valid(schema: str) -> None:
    done = subprocess.run([CHECK, "--builtin-schema", f"vendor.{schema}", *schemas()[schema]], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "ok -- validation done\n"), done.stdout
