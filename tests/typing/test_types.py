"""What editors accept and refuse, as pyright says in its strict mode."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from nodepools import partial
from tools.partial_stub import TARGET, text

SAMPLES = Path(__file__).parent / "samples"


@pytest.fixture(scope="session")
def report() -> dict:
    """What pyright reports about the samples."""
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable, "--project", str(SAMPLES.parent)]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    return json.loads(told.stdout)


@pytest.fixture(scope="session")
def underlined(report: dict) -> dict[str, set[tuple[int, str]]]:
    """File to the lines that pyright underlines, and the names of its rules."""
    found: dict[str, set[tuple[int, str]]] = {path.name: set() for path in SAMPLES.glob("*.py")}
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


def test_a_misspelled_field_of_a_change_is_named_where_it_is(report: dict) -> None:
    lines = (SAMPLES / "refused.py").read_text(encoding="utf-8").splitlines()
    named = [one for one in report["generalDiagnostics"] if one["message"] == 'No parameter named "zonez"']
    shown = [lines[one["range"]["start"]["line"]][one["range"]["start"]["character"] :] for one in named]
    assert len(shown) == 2
    assert all(text.startswith("zonez=") for text in shown), "the change of a pool, alone and within those of a platform"


def test_the_stub_of_changes_is_that_of_the_models() -> None:
    assert TARGET.read_text(encoding="utf-8") == text(), "run `python tools/partial_stub.py`"


def test_a_change_is_a_dict_and_other_names_do_not_exist() -> None:
    assert partial.UserPool(zones=[1]) == {"zones": [1]}
    assert not hasattr(partial, "UserPol")
