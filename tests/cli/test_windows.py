"""`nodepools windows`: a calendar for people, and windows for programs."""

import json

import pytest
from typer.testing import CliRunner

from nodepools.cli.app import app

POOL = """apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: web}
spec:
  template:
    spec:
      nodeClassRef: {group: eks.amazonaws.com, kind: NodeClass, name: default}
      requirements: []
  disruption:
    consolidateAfter: 30s
    budgets: [{nodes: "0", schedule: "0 9 * * mon-fri", duration: 8h}, {nodes: 10%, schedule: "@daily", duration: 4h}]
"""


@pytest.fixture
def windows(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pool.yaml").write_text(POOL)
    return lambda *arguments: CliRunner().invoke(app, ["windows", *arguments])


def test_a_calendar_in_the_time_of_a_place_and_its_summer(windows):
    said = windows("pool.yaml", "--tz", "Europe/Paris", "--from", "2026-03-27", "--days", "4").stdout.splitlines()
    assert said[0] == "web"
    assert said[2:6] == [
        "  Fri 2026-03-27 .oooo.....########......",
        "  Sat 2026-03-28 .oooo...................",
        "  Sun 2026-03-29 .ooooo..................",
        "  Mon 2026-03-30 ..oooo.....########.....",
    ]
    assert said[-1].startswith("# blocked   o limited   . free")


def test_json_has_every_window_in_utc(windows):
    found = json.loads(windows("pool.yaml", "--from", "2026-11-20", "--days", "1", "--format", "json").stdout)["windows"]
    assert [(one["state"], one["nodes"]) for one in found] == [("limited", "10%"), ("free", "100%"), ("blocked", "0"), ("free", "100%")]
    assert found[2]["from"] == "2026-11-20T09:00:00+00:00"


def test_the_pools_of_a_stack(nodepools, project):
    assert "use1/compute" in nodepools("windows", "--stack", "dev", cwd=project).out


@pytest.mark.parametrize("wrong", [["--tz", "Mars/Olympus"], ["--from", "tomorrow"], ["--days", "0"]])
def test_wrong_use(windows, wrong):
    assert windows("pool.yaml", *wrong).exit_code == 2


def test_files_that_cannot_be_read(windows, tmp_path):
    (tmp_path / "bad.yaml").write_text("a: [")
    assert windows("bad.yaml").exit_code == 2
