"""The page of evidence has one line for each file that was sent, with numbers that are counted again; files that were edited are rejected."""

import json
import runpy
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

VERDICTS = ["seen", "seen", "contradicted", "unknown"]
EVIDENCE: Mapping[str, Any] = {
    "format": 1,
    "cloud": "aks",
    "day": "2026-12-05",
    "versions": {"nodepools": "0.2.0"},
    "predictions": [{"verdict": verdict} for verdict in VERDICTS],
    "came_true": 2,
    "contradicted": 1,
    "not_decided": 1,
    "failed": None,
    "left": 0,
}


@pytest.fixture
def tool(project: Path) -> Mapping[str, Any]:
    return runpy.run_path(str(project / "tools/evidence.py"))


def written(folder: Path, name: str = "2026-12-05-aks.json", **edits: Any) -> Path:
    file = folder / name
    file.write_text(json.dumps({**EVIDENCE, **edits}))
    return file


def test_the_page_is_that_of_the_files(tool: Mapping[str, Any], project: Path):
    readme = (project / "docs/evidence/README.md").read_text()
    assert tool["page"]() == readme
    assert ("There is none yet" in readme) is not any((project / "docs/evidence").glob("*.json"))


def test_the_newest_file_is_first_and_a_failure_is_said(tool: Mapping[str, Any], tmp_path: Path):
    written(tmp_path)
    written(tmp_path, "2026-12-09-eks.json", day="2026-12-09", cloud="eks", failed="up: exit code 1", left=3)
    head, _, *rows = tool["table"](tmp_path).splitlines()
    assert head.startswith("| day | cloud |")
    assert rows == [
        "| [2026-12-09](2026-12-09-eks.json) | EKS | 0.2.0 | 2 | 1 | 1 | failed, with resources left |",
        "| [2026-12-05](2026-12-05-aks.json) | AKS | 0.2.0 | 2 | 1 | 1 | destroyed |",
    ]
    assert "| [2026-12-09]" in tool["page"](tmp_path)


@pytest.mark.parametrize(
    ("edits", "text"),
    [
        pytest.param({"came_true": 3}, "other numbers than predictions", id="a number that was edited"),
        pytest.param(
            {"predictions": [{"verdict": "great"}] * 4, "came_true": 0, "contradicted": 0, "not_decided": 0}, "other numbers", id="verdicts"
        ),
        pytest.param({"format": 2}, "another format", id="another format"),
        pytest.param({"cloud": "[x](https://example.com)"}, "another format", id="a link instead of a cloud"),
        pytest.param({"predictions": None}, "not a file of the kit", id="no predictions"),
        pytest.param({"day": "2026-12-06"}, "must be named 2026-12-06-aks.json", id="another name"),
    ],
)
def test_a_file_that_the_kit_did_not_write_is_rejected(tool: Mapping[str, Any], tmp_path: Path, edits: dict[str, Any], text: str):
    with pytest.raises(ValueError, match=text.replace("[", r"\[")):
        tool["row"](written(tmp_path, **edits))


def test_what_is_not_json_is_rejected(tool: Mapping[str, Any], tmp_path: Path):
    file = tmp_path / "2026-12-05-aks.json"
    file.write_text("{")
    with pytest.raises(ValueError, match="not a file of the kit"):
        tool["table"](tmp_path)
