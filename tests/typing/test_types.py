"""What editors accept and refuse, as pyright says in its strict mode."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

SAMPLES = Path(__file__).parent / "samples"


@pytest.fixture(scope="session")
def underlined() -> dict[str, set[tuple[int, str]]]:
    """File to the lines that pyright underlines, and the names of its rules."""
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable, "--project", str(SAMPLES.parent)]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    found: dict[str, set[tuple[int, str]]] = {path.name: set() for path in SAMPLES.glob("*.py")}
    report = json.loads(told.stdout)
    assert report["summary"]["filesAnalyzed"] == len(found)
    for one in report["generalDiagnostics"]:
        found[Path(one["file"]).name].add((one["range"]["start"]["line"] + 1, one.get("rule", one["message"])))
    return found


def marked(name: str) -> set[tuple[int, str]]:
    lines = (SAMPLES / name).read_text(encoding="utf-8").splitlines()
    return {(number, line.rpartition("  # ")[2]) for number, line in enumerate(lines, start=1) if line.rpartition("  # ")[2].startswith("report")}


@pytest.mark.program
def test_what_is_right_is_not_underlined(underlined: dict[str, set[tuple[int, str]]]) -> None:
    assert underlined["accepted.py"] == set()


def test_what_is_wrong_is_underlined_where_it_is(underlined: dict[str, set[tuple[int, str]]]) -> None:
    told = {(line, rule) for line, rule in underlined["refused.py"] if not rule.startswith("reportUnknown")}
    assert told == marked("refused.py")
