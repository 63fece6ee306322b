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
    assert said[-2].startswith("# blocked   o limited   . free")


def test_json_has_every_window_in_utc(windows):
    found = json.loads(windows("pool.yaml", "--from", "2026-11-20", "--days", "1", "--format", "json").stdout)["windows"]
    assert [(one["state"], one["nodes"]) for one in found] == [("limited", "10%"), ("free", "100%"), ("blocked", "0"), ("free", "100%")]
    assert found[2]["from"] == "2026-11-20T09:00:00+00:00"


def test_the_pools_of_a_stack(nodepools, project):
    assert "use1/compute" in nodepools("windows", "--stack", "dev", cwd=project).out


@pytest.mark.parametrize(
    "wrong", [["--tz", "Mars/Olympus"], ["--from", "tomorrow"], ["--from", "0001-01-01"], ["--from", "9999-12-31"], ["--days", "0"]]
)
def test_wrong_use(windows, wrong):
    answer = windows("pool.yaml", *wrong)
    assert answer.exit_code == 2
    assert wrong[0] in answer.output


def test_files_that_cannot_be_read(windows, tmp_path):
    (tmp_path / "bad.yaml").write_text("a: [")
    assert windows("bad.yaml").exit_code == 2


PLATFORM = """name: dev
maintenance: {kind: Weekly, days: sat, start: "01:00", hours: 5, tz: Europe/Paris}
clusters:
  weu:
    kind: AksCluster
    location: westeurope
    kubernetes_version: "1.36"
    system_pool: {vm_size: Standard_D4ds_v5, count: 3}
    node_provisioning: {node_pools: {general: {}, nightly: {maintenance: {kind: Daily, start: "22:00", hours: 6}}}}
    auto_upgrade: patch
    maintenance_configurations: {upgrades: {schedule: {kind: WeeklySchedule, day_of_week: Sunday, interval_weeks: 2}}}
  neu:
    kind: AksCluster
    location: northeurope
    kubernetes_version: "1.36"
    system_pool: {vm_size: Standard_D4ds_v5, count: 3}
    maintenance: {kind: Daily, start: "01:00", hours: 4}
"""


@pytest.fixture
def of_platform(windows, tmp_path):
    (tmp_path / "platform.yaml").write_text(PLATFORM)
    return lambda *arguments: windows("--file", "platform.yaml", *arguments)


def rows(said: str) -> dict[str, str]:
    """The row of the one day, by what it is of."""
    return {lines[0]: lines[2].split()[-1] for block in said.split("\n\n") if len(lines := block.strip().split("\n")) > 2}


def test_a_window_holds_in_winter_and_in_summer_and_the_nearest_wins(of_platform):
    winter = rows(of_platform("--tz", "Europe/Paris", "--from", "2026-12-05", "--days", "1").stdout)
    summer = rows(of_platform("--tz", "Europe/Paris", "--from", "2026-07-04", "--days", "1").stdout)
    assert winter == {
        "weu/general": "#oooo###################",
        "weu/nightly": "ooooo##################o",
        "weu  AKS releases (control plane and add-ons)": "#....###################",
        "weu  node image upgrades (agent pools and node auto provisioning)": "#....###################",
        "neu  AKS releases (control plane and add-ons): at any time": "........................",
        "neu  node image upgrades (agent pools and node auto provisioning)": "##....##################",
    }
    assert summer["weu/general"] == "##oooo##################"


def test_json_has_the_configurations_of_aks(of_platform):
    found = json.loads(of_platform("--from", "2026-12-05", "--days", "1", "--format", "json").stdout)["maintenance"]
    assert {one["configuration"] for one in found if one["cluster"] == "weu"} == {"releases", "node_images"}
    assert [one["state"] for one in found if one["cluster"] == "weu" and one["configuration"] == "releases"] == ["free", "blocked"]


def test_what_only_aks_knows_is_said(of_platform):
    assert "weu  Kubernetes upgrades: on dates that only AKS knows\n" in of_platform("--days", "1").stdout
