"""The NodePools that other people wrote, on the command line: each has an answer, and no run is refused."""

from pathlib import Path

import pytest

from tests.cli.conftest import Run

COUNT = 116
POD = "kind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: a, resources: {requests: {cpu: 1}}}], tolerations: [{operator: Exists}]}\n"


@pytest.fixture
def files(project: Path) -> list[Path]:
    folder = project.parent / "shared" / "manifests"
    if not folder.is_dir():
        pytest.skip("the manifests of others are not at hand: they are not ours to ship")
    return sorted(folder.glob("*.yaml"))


def test_each_is_explained(nodepools: Run, files: list[Path], tmp_path: Path) -> None:
    pod = tmp_path / "pod.yaml"
    pod.write_text(POD)
    answers = [nodepools("explain", str(pod), "--existing", str(file), "--format", "json", cwd=tmp_path) for file in files]
    judged = [one for answer in answers for one in answer.json["pods"][0]["pools"]]
    assert ({answer.status for answer in answers}, len(judged)) == ({0}, COUNT)
    assert {one["verdict"] for one in judged} == {"fits", "unknown"}
    assert all(one["reasons"] for one in judged if one["verdict"] == "unknown")


def test_each_is_checked(nodepools: Run, files: list[Path], tmp_path: Path) -> None:
    answers = [nodepools("check", str(file), "--format", "json", cwd=tmp_path) for file in files]
    assert {answer.status for answer in answers} == {1}
    assert all(answer.json["complete"] for answer in answers)


def test_each_has_a_calendar(nodepools: Run, files: list[Path], tmp_path: Path) -> None:
    answers = [nodepools("calendar", str(file), "--format", "json", cwd=tmp_path) for file in files]
    assert ({answer.status for answer in answers}, sum(len(answer.json["pools"]) for answer in answers)) == ({0}, COUNT)
