"""What GitHub reads of the repository has the shape that it documents: an issue form with a mistake is not shown."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

GITHUB = Path(__file__).resolve().parents[1] / ".github"
CHECK = Path(sys.executable).with_name("check-jsonschema")


def files() -> Iterator[object]:
    for path in sorted(GITHUB.rglob("*.yml")):
        if path.parent.name == "workflows":
            schema = "github-workflows"
        elif path.parent.name == "ISSUE_TEMPLATE":
            schema = "github-issue-config" if path.stem == "config" else "github-issue-forms"
        else:
            schema = path.stem
        yield pytest.param(path, schema, id=f"{path.name} is a file of {schema}")


@pytest.mark.skipif(not CHECK.exists(), reason="check-jsonschema is not installed")
@pytest.mark.parametrize(("path", "schema"), list(files()))
def test_a_file_that_github_reads_is_valid(path: Path, schema: str) -> None:
    done = subprocess.run([CHECK, "--builtin-schema", f"vendor.{schema}", path], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "ok -- validation done\n"), done.stdout
