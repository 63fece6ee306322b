"""`nodepools calendar`: a calendar for people, and windows for programs."""

import json

import pytest
import yaml
from typer.testing import CliRunner

from nodepools.cli.program import app

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
    return lambda *arguments: CliRunner().invoke(app, ["calendar", *arguments])


def test_a_calendar_in_the_time_of_a_place_and_its_summer(windows):
    said = windows("pool.yaml", "--tz", "Europe/Paris", "--start", "2026-03-27", "--days", "4", "--details").stdout.splitlines()
    assert said[0] == "pool.yaml: disruption of web: open at Fri 2026-03-27 00:00 Europe/Paris, until Fri 2026-03-27 10:00 Europe/Paris (10 h)"
    at = said.index("web")
    assert said[at + 2 : at + 6] == [
        "  Fri 2026-03-27  .oooo.....########......",
        "  Sat 2026-03-28  .oooo...................",
        "  Sun 2026-03-29  .ooooo..................",
        "  Mon 2026-03-30  ..oooo.....########.....",
    ]
    assert any(line.startswith("  # closed   o limited   . open") for line in said)


def test_an_hour_that_is_repeated_has_the_state_of_both(windows, tmp_path):
    with_budgets(tmp_path, [{"nodes": "0", "schedule": "0 1 * * *", "duration": "4h"}])
    said = windows("pool.yaml", "--tz", "Europe/Paris", "--start", "2026-10-24", "--days", "2", "--details").stdout.splitlines()
    assert "  Sat 2026-10-24  ...####................." in said
    assert "  Sun 2026-10-25  ..####.................." in said  # 02:00 in summer time is open, 02:00 in winter time is not


def with_budgets(tmp_path, budgets, **disruption):
    raw = yaml.safe_load(POOL)
    raw["spec"]["disruption"] = {"consolidateAfter": "30s", **({} if budgets is None else {"budgets": budgets}), **disruption}
    (tmp_path / "pool.yaml").write_text(yaml.safe_dump(raw))


DRIFT_AT_NINE = {"nodes": "0", "schedule": "0 9 * * *", "duration": "8h", "reasons": ["Drifted"]}


@pytest.mark.parametrize(
    ("budgets", "disruption", "titles"),
    [
        pytest.param([{"nodes": "0"}], {}, ["web"], id="the same for all reasons"),
        pytest.param([DRIFT_AT_NINE], {}, ["web (Drifted)", "web (Empty, Underutilized)"], id="another time for drift"),
        pytest.param([DRIFT_AT_NINE], {"consolidateAfter": "Never"}, ["web"], id="without consolidation"),
        pytest.param([DRIFT_AT_NINE], {"consolidationPolicy": "WhenEmpty"}, ["web (Drifted)", "web (Empty)"], id="empty nodes only"),
    ],
)
def test_a_calendar_for_the_reasons_with_the_same_times(windows, tmp_path, budgets, disruption, titles):
    with_budgets(tmp_path, budgets, **disruption)
    said = windows("pool.yaml", "--at", "2026-11-20T00:00Z", "--days", "1", "--details").stdout
    assert sorted(line for line in said.splitlines() if line.startswith("web")) == titles
    assert ("consolidation is off" in said) == (disruption == {"consolidateAfter": "Never"})


WEEKEND = {"nodes": "0", "schedule": "0 5 * * mon", "duration": "140h"}


@pytest.mark.parametrize(
    ("budgets", "at", "first"),
    [
        pytest.param(
            [],
            "2026-11-20T12:00Z",
            "web: open at all times: no disruption budget or maintenance window sets closed hours; nothing to wait for",
            id="nothing is limited",
        ),
        pytest.param(
            [{"nodes": "5", "schedule": "0 0 * * 1-5", "duration": "24h"}],
            "2026-11-28T12:00Z",
            "web: open at all times: no disruption budget or maintenance window sets closed hours; nothing to wait for",
            id="limited at other times",
        ),
        pytest.param(
            [{"nodes": "10%"}],
            "2026-11-20T12:00Z",
            "web: open at all times: no disruption budget or maintenance window sets closed hours; nothing to wait for",
            id="limited always",
        ),
        pytest.param([{"nodes": "0"}], "2026-11-20T12:00Z", "web: closed for a year or longer", id="never"),
        pytest.param(
            [WEEKEND],
            "2026-11-25T22:30Z",
            "web: closed at Wed 2026-11-25 22:30 UTC, until Sun 2026-11-29 01:00 UTC (3 d 2 h), then open for 1 d 4 h; nothing to do until then",
            id="closed until a window",
        ),
        pytest.param(
            [WEEKEND],
            "2026-11-29T03:00Z",
            "web: open at Sun 2026-11-29 03:00 UTC, until Mon 2026-11-30 05:00 UTC (1 d 2 h)",
            id="in a window",
        ),
        pytest.param(
            [{"nodes": "0", "schedule": "0 0 1 3 *", "duration": "24h"}],
            "2026-03-01T12:00Z",
            "web: closed at Sun 2026-03-01 12:00 UTC, until Mon 2026-03-02 00:00 UTC (12 h), then open for 364 d; nothing to do until then",
            id="a window that ends after the days of the calendar",
        ),
        pytest.param(
            [{"nodes": "0", "schedule": "0 0 29 2 *", "duration": "1h"}],
            "2026-11-20T12:00Z",
            "web: open for a year or longer",
            id="closed in a leap year only",
        ),
    ],
)
def test_the_first_line_has_the_next_change(windows, tmp_path, budgets, at, first):
    with_budgets(tmp_path, budgets)
    assert windows("pool.yaml", "--at", at).stdout.splitlines()[0] == f"pool.yaml: disruption of {first}"


def test_the_first_line_is_about_now(windows, tmp_path):
    with_budgets(tmp_path, [{"nodes": "0", "schedule": "* * * * *", "duration": "1h"}])
    assert windows("pool.yaml").stdout.splitlines()[0] == "pool.yaml: disruption of web: closed for a year or longer"
    with_budgets(tmp_path, [{"nodes": "0", "schedule": "0 0 1 1 *", "duration": "24h"}])
    assert (
        windows("pool.yaml")
        .stdout.splitlines()[0]
        .startswith(("pool.yaml: disruption of web: open now, until ", "pool.yaml: disruption of web: closed until "))
    )


@pytest.mark.parametrize(
    ("budgets", "arguments", "allowed"),
    [
        pytest.param([{"nodes": "1", "reasons": ["Drifted"]}], ["--node-count", "40"], (1, None, None), id="null is unlimited"),
        pytest.param([{"nodes": "10%"}, DRIFT_AT_NINE], ["--node-count", "11"], (0, 2, 2), id="percentages are rounded up"),
        pytest.param([{"nodes": "10%"}, DRIFT_AT_NINE], [], (0, "unknown", "unknown"), id="a percentage of an unknown number"),
        pytest.param([], ["--node-count", "40"], (None, None, None), id="an empty list limits nothing"),
        pytest.param(None, ["--node-count", "40"], (4, 4, 4), id="the default"),
        pytest.param([DRIFT_AT_NINE], ["--at", "2026-11-20T08:59:59Z"], (None, None, None), id="a second before the lock"),
        pytest.param([DRIFT_AT_NINE], ["--at", "2026-11-20T18:00:00+01:00"], (None, None, None), id="at the end of the lock, elsewhere"),
        pytest.param([DRIFT_AT_NINE], ["--at", "2026-11-20T11:00", "--tz", "Europe/Paris"], (0, None, None), id="in the time zone"),
    ],
)
def test_json_has_what_is_allowed_for_each_reason(windows, tmp_path, budgets, arguments, allowed):
    with_budgets(tmp_path, budgets)
    at = [] if "--at" in arguments else ["--at", "2026-11-20T12:00:00Z"]
    [pool] = json.loads(windows("pool.yaml", *at, *arguments, "--format", "json").stdout)["pools"]
    assert tuple(pool["reasons"][reason]["allowed"] for reason in ("Drifted", "Empty", "Underutilized")) == allowed
    assert pool["broken"] is False


def test_a_static_pool_has_as_many_nodes_as_it_declares(windows, tmp_path):
    raw = yaml.safe_load(POOL)
    raw["spec"] |= {"replicas": 30, "disruption": {"consolidateAfter": "30s"}}
    (tmp_path / "pool.yaml").write_text(yaml.safe_dump(raw))
    assert "  open  web: always; nodes at a time: 3\n" in windows("pool.yaml", "--days", "1").stdout
    assert "  open  web: always; nodes at a time: 1\n" in windows("pool.yaml", "--days", "1", "--node-count", "5").stdout


def test_text_has_the_numbers_at_the_time(windows, tmp_path):
    with_budgets(tmp_path, [{"nodes": "10%"}, {"nodes": "3"}, DRIFT_AT_NINE, {"nodes": "5%", "reasons": ["Empty"]}])
    said = windows("pool.yaml", "--at", "2026-11-20T12:00:00Z", "--tz", "Europe/Paris", "--days", "1", "--details").stdout
    assert said.splitlines()[0] == (
        "pool.yaml: disruption of web (Drifted): closed at Fri 2026-11-20 13:00 Europe/Paris, except for empty and underutilized nodes, "
        "until Fri 2026-11-20 18:00 Europe/Paris (5 h), then open for 16 h; nothing to do until then"
    )
    amounts = "Empty 10% or 3 or 5%, the smaller number, Underutilized 10% or 3, the smaller number"
    assert f"  open    web (Empty, Underutilized): always; nodes at a time: {amounts}\n" in said
    assert "0     6     12    18      Europe/Paris" in said


def test_a_budget_that_never_decides_is_told(windows, tmp_path):
    with_budgets(tmp_path, [{"nodes": "10%"}, {"nodes": "33%", "schedule": "0 2 * * sat", "duration": "4h"}])
    said = windows("pool.yaml").stdout
    assert "\n    web: the budget of 33% has no effect: one of 10% is active at all its times, and the lowest wins\n" in said


NOT_HELD = {
    "a window that opens": ({"nodes": "0", "schedule": "0 9 * * *", "duration": "8h"}, "replaces its nodes once the window opens"),
    "none that opens": ({"nodes": "0", "schedule": "@daily", "duration": "24h"}, "replaces none of its nodes: change its `budgets` first"),
    "none for drift": ({"nodes": "0", "reasons": ["Drifted"]}, "replaces none of its nodes: change its `budgets` first"),
    "none for empty nodes": ({"nodes": "0", "reasons": ["Empty"]}, ""),
}


@pytest.mark.parametrize(("budget", "told"), NOT_HELD.values(), ids=NOT_HELD)
def test_what_becomes_of_a_change_while_a_window_is_closed(windows, tmp_path, budget, told):
    with_budgets(tmp_path, [budget])
    said = " ".join(windows("pool.yaml", "--at", "2026-11-24T10:00Z").stdout.split())
    assert (told in said, said.count("a change of a NodePool")) == (True, bool(told))


def test_json_has_every_interval_in_utc(windows):
    [pool] = json.loads(windows("pool.yaml", "--start", "2026-11-20", "--days", "1", "--format", "json").stdout)["pools"]
    assert [one["reasons"]["Drifted"] for one in pool["intervals"]] == ["limited", "open", "closed", "open"]
    assert pool["intervals"][2]["start"] == "2026-11-20T09:00:00+00:00"
    assert (pool["pool"], pool["path"], pool["time"]) == ("web", "pool.yaml", "2026-11-20T00:00:00+00:00")
    assert pool["intervals"][0] == {
        "start": "2026-11-20T00:00:00+00:00",
        "end": "2026-11-20T04:00:00+00:00",
        "reasons": {"Drifted": "limited", "Empty": "limited", "Underutilized": "limited"},
    }


def test_a_schedule_that_cannot_be_read_closes_the_pool_and_is_an_error(windows, tmp_path):
    with_budgets(tmp_path, [{"nodes": "10%"}, {"nodes": "5", "schedule": "0 9 * * sat-sun", "duration": "8h", "reasons": ["Empty"]}])
    answer = windows("pool.yaml", "--format", "json", "--node-count", "40")
    document = json.loads(answer.stdout)
    [pool] = document["pools"]
    assert (answer.exit_code, document["complete"]) == (1, True)
    assert pool["broken"] is True
    assert {reason["allowed"] for reason in pool["reasons"].values()} == {0}
    assert [set(one["reasons"].values()) for one in pool["intervals"]] == [{"closed"}]
    assert [(one["code"], one["path"]) for one in document["findings"]] == [("KAR021", "spec.disruption.budgets[1].schedule")]
    text = windows("pool.yaml", "--days", "1")
    assert text.stdout.splitlines()[0] == (
        "pool.yaml: web: closed for every reason: a schedule of its budgets is invalid, so Karpenter disrupts no node"
    )
    assert "KAR021 error" in text.stdout


REJECTED = {
    "a schedule of another form": (
        {"schedule": "@every 1h", "duration": "30m"},
        "The API server rejects the schedule `@every 1h`: it must have five fields, or begin with a name such as `@daily`",
    ),
    "a schedule without a duration": ({"schedule": "0 9 * * *"}, "A disruption budget with `schedule` requires `duration`"),
    "a duration without a schedule": ({"duration": "2h"}, "A disruption budget with `duration` requires `schedule`"),
}


@pytest.mark.parametrize(("budget", "why"), REJECTED.values(), ids=REJECTED)
@pytest.mark.parametrize("nodes", ["0", "5"])
def test_a_budget_that_the_api_server_rejects_changes_no_pool(windows, tmp_path, budget, why, nodes):
    """It neither closes nor opens anything: the budgets that are in the cluster stay."""
    with_budgets(tmp_path, [{"nodes": nodes, **budget}])
    answer = windows("pool.yaml", "--days", "1")
    assert answer.exit_code == 1
    assert answer.stdout.splitlines()[0] == ("pool.yaml: web: the API server rejects one of its budgets, so what is in the cluster does not change")
    assert why in answer.stdout
    assert not any(line.lstrip().startswith(("open ", "closed ")) for line in answer.stdout.splitlines())
    assert json.loads(windows("pool.yaml", "--format", "json").stdout)["pools"][0]["broken"] is True


def test_an_error_is_in_the_first_line(windows, tmp_path):
    with_budgets(tmp_path, [{"nodes": "110%"}])
    answer = windows("pool.yaml", "--days", "1")
    assert (answer.exit_code, "; 1 error (not complete" in answer.stdout.splitlines()[0]) == (1, True)


def test_a_pool_that_cannot_be_read_is_a_problem(windows, tmp_path):
    with_budgets(tmp_path, [{"nodes": 5}])
    answer = windows("pool.yaml")
    assert (answer.exit_code, "(not complete: " in answer.stdout.splitlines()[0]) == (1, True)
    assert "pool.yaml: the NodePool `web` is invalid or not supported: run `nodepools check pool.yaml`" in answer.stderr


def test_two_pools_with_the_same_name_are_two(windows, tmp_path):
    (tmp_path / "other.yaml").write_text(POOL)
    assert len(json.loads(windows("pool.yaml", "other.yaml", "--format", "json").stdout)["pools"]) == 2
    (tmp_path / "other.yaml").write_text(POOL.rstrip().rpartition("disruption:")[0] + 'disruption: {budgets: [{nodes: "0"}]}\n')
    assert "\n  closed  other.yaml: web: for a year or longer\n" in windows("pool.yaml", "other.yaml").stdout


def test_files_of_one_folder_are_not_one_cluster(windows, tmp_path):
    (tmp_path / "k8s").mkdir()
    (tmp_path / "k8s" / "a.yaml").write_text(POOL)
    (tmp_path / "k8s" / "b.yaml").write_text(POOL.rpartition("    budgets:")[0])
    [said, *_] = windows("k8s", "--at", "2026-11-30T10:00").stdout.splitlines()
    assert ("of k8s/b.yaml: web: open at all times" in said, "nothing to do until then" in said) == (True, False)


def test_the_pools_of_a_stack(nodepools, project):
    assert "use1/compute" in nodepools("calendar", "--stack", "dev", cwd=project).out


@pytest.mark.parametrize(
    "wrong",
    [
        ["--tz", "Mars/Olympus"],
        ["--start", "tomorrow"],
        ["--start", "0001-01-01"],
        ["--start", "9999-12-31"],
        ["--days", "0"],
        ["--at", "noon"],
        ["--at", "1066-10-14"],
        ["--node-count", "-1"],
    ],
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


def hours(said: str) -> dict[str, str]:
    """The row of the one day, by the title of its section."""
    lines = said.splitlines()
    return {lines[number - 2]: line.split()[-1] for number, line in enumerate(lines) if line.startswith("  every day")}


def test_a_window_holds_in_winter_and_in_summer_and_the_nearest_wins(of_platform):
    winter = hours(of_platform("--tz", "Europe/Paris", "--start", "2026-12-05", "--days", "1", "--details").stdout)
    summer = hours(of_platform("--tz", "Europe/Paris", "--start", "2026-07-04", "--days", "1", "--details").stdout)
    assert winter == {
        "weu/general (Drifted, Underutilized)": "#oooo###################",
        "weu/general, weu/nightly (Empty)": "oooooooooooooooooooooooo",
        "weu/nightly (Drifted, Underutilized)": "ooooo##################o",
        "weu (AKS releases, node images)": "#....###################",
        "neu (AKS releases)": "........................",
        "neu (node images)": "##....##################",
    }
    assert summer["weu/general (Drifted, Underutilized)"] == "##oooo##################"


def test_equal_times_are_one_row(of_platform):
    lines = of_platform("--at", "2026-12-02T00:00Z").stdout.splitlines()
    assert lines[0].startswith(
        "platform.yaml: automatic upgrades of neu (node images): closed at Wed 2026-12-02 00:00 UTC, until Wed 2026-12-02 01:00 UTC (1 h), then "
    )
    assert lines[2:9] == [
        "  closed   neu (node images): until Wed 2026-12-02 01:00 UTC (1 h), then open for 4 h",
        "  closed   weu/general (Drifted, Underutilized): until Sat 2026-12-05 00:00 UTC (3 d), then open for 4 h",
        "  closed   weu (AKS releases, node images): until Sat 2026-12-05 00:00 UTC (3 d), then open for 4 h",
        "  open     weu/nightly (Drifted, Underutilized): until Wed 2026-12-02 04:00 UTC (4 h); nodes at a time: 10%",
        "  open     weu/general, weu/nightly (Empty): always; nodes at a time: 10%",
        "  open     neu (AKS releases): always",
        "  unknown  weu (Kubernetes upgrades): on dates that only AKS knows",
    ]


def test_json_has_the_configurations_of_aks(of_platform):
    found = json.loads(of_platform("--start", "2026-12-05", "--days", "1", "--format", "json").stdout)["maintenance"]
    assert {one["configuration"] for one in found if one["cluster"] == "weu"} == {"releases", "node_images"}
    assert [one["state"] for one in found if one["cluster"] == "weu" and one["configuration"] == "releases"] == ["open", "closed"]


def test_what_only_aks_knows_is_said(of_platform):
    assert "weu (Kubernetes upgrades): on dates that only AKS knows\n" in of_platform("--days", "1").stdout


CLUSTER = "/subscriptions/1/resourceGroups/shop/providers/Microsoft.ContainerService/managedClusters/west"
SHOWN = {
    "id": CLUSTER,
    "type": "Microsoft.ContainerService/ManagedClusters",
    "name": "west",
    "location": "westeurope",
    "kubernetesVersion": "1.35",
    "identity": {"type": "SystemAssigned"},
    "autoUpgradeProfile": {"upgradeChannel": "patch", "nodeOsUpgradeChannel": "NodeImage"},
    "agentPoolProfiles": [
        {"name": "sys", "type": "VirtualMachineScaleSets", "mode": "System", "osType": "Linux", "vmSize": "Standard_D4ds_v5", "count": 2}
    ],
}
WEEKLY = {
    "schedule": {"weekly": {"intervalWeeks": 1, "dayOfWeek": "Saturday"}},
    "durationHours": 4,
    "utcOffset": "+00:00",
    "startDate": "2025-03-01",
    "startTime": "23:00",
}


def _configuration(name: str, **fields: object) -> dict[str, object]:
    return {"id": f"{CLUSTER}/maintenanceConfigurations/{name}", "name": name, **fields}


IMAGES = _configuration("aksManagedNodeOSUpgradeSchedule", maintenanceWindow={**WEEKLY, "schedule": {"daily": {"intervalDays": 3}}})
UPGRADES = _configuration("aksManagedAutoUpgradeSchedule", maintenanceWindow=WEEKLY)
OLD_FORM = _configuration("default", timeInWeek=[{"day": "Sunday", "hourSlots": [1]}], maintenanceWindow=None)
EXPORTED = [
    pytest.param(
        [UPGRADES],
        0,
        "west (Kubernetes upgrades): closed at Sat 2026-11-28 12:00 UTC, until Sat 2026-11-28 23:00 UTC (11 h), then open for 4 h",
        id="a window",
    ),
    pytest.param([UPGRADES, OLD_FORM], 2, "AKS releases: the form of this maintenance window cannot be read", id="the old form is not always open"),
    pytest.param(
        [IMAGES], 0, "automatic upgrades of west (node images): open on dates that only AKS knows", id="dates of AKS next to what is always open"
    ),
    pytest.param([], 0, "unknown: no maintenance windows could be read", id="not exported"),
]


@pytest.mark.parametrize("identity", [{"type": "SystemAssigned"}, None], ids=["an identity", "a service principal"])
@pytest.mark.parametrize(("configurations", "status", "told"), EXPORTED)
def test_maintenance_windows_of_exports(nodepools, tmp_path, configurations, status, told, identity):
    for name, value in (("show", {**SHOWN, "identity": identity}), ("windows", configurations)):
        (tmp_path / f"{name}.json").write_text(json.dumps(value))
    answer = nodepools("calendar", "--existing", ".", "--at", "2026-11-28T12:00Z", cwd=tmp_path, env={"COLUMNS": "200"})
    assert answer.status == status, answer.all
    assert told in answer.all
    assert "(AKS releases): no window" not in answer.all


def test_names_that_are_too_long_for_their_kinds_say_that_it_is_a_part(nodepools, tmp_path):
    long = json.dumps([{**SHOWN, "name": "a-cluster-with-a-long-name"}, UPGRADES]).replace("/west", "/a-cluster-with-a-long-name")
    for number, value in enumerate(json.loads(long)):
        (tmp_path / f"{number}.json").write_text(json.dumps(value))
    answer = nodepools("calendar", "--existing", ".", "--at", "2026-11-28T12:00Z", cwd=tmp_path, env={"COLUMNS": "200"})
    assert answer.out.startswith(".: some automatic upgrades of a-cluster-with-a-long-name: closed at")


def test_a_cluster_that_the_model_does_not_have_is_a_problem(nodepools, tmp_path):
    for name, value in (("show", {**SHOWN, "agentPoolProfiles": []}), ("windows", [UPGRADES])):
        (tmp_path / f"{name}.json").write_text(json.dumps(value))
    answer = nodepools("calendar", "--existing", ".", cwd=tmp_path)
    assert (answer.status, "has no Linux system pool" in answer.err, "unknown: no maintenance windows" in answer.out) == (2, True, True)


def test_a_window_that_is_open_for_less_than_its_hours_says_why(nodepools, tmp_path):
    network = "{kind: ExistingEksNetwork, vpc_id: vpc-1, private_subnet_ids: [subnet-a, subnet-b]}"
    cluster = "{kind: EksCluster, region: us-east-1, kubernetes_version: '1.35', network: " + network + ", maintenance: "
    window = "{{kind: Weekly, days: sun, start: '02:00', hours: 6, tz: {}}}}}"
    zones = {"a": "Europe/Paris", "b": "Europe/Paris", "c": "UTC"}
    (tmp_path / "p.yaml").write_text("name: dev\nclusters:\n" + "".join(f"  {key}: {cluster}{window.format(tz)}\n" for key, tz in zones.items()))
    lines = nodepools("calendar", "--file", "p.yaml", cwd=tmp_path).out.splitlines()
    assert [line.strip() for line in lines if "summer" in line] == [
        (
            "a, b: `sun 02:00 for 6h, Europe/Paris` is open for 5 h: "
            "clouds keep its hours in UTC, and only these are inside it in summer and in winter time"
        )
    ]


def test_what_is_open_at_all_times_says_how_to_limit_it(windows, nodepools, tmp_path):
    (tmp_path / "pool.yaml").write_text(POOL.rpartition("    budgets:")[0])
    how = 'add `{nodes: "0", schedule: "0 8 * * mon-fri", duration: 10h}` to `budgets`'
    assert f"\n  web: Karpenter can replace nodes at any time: to limit it, {how}\n" in windows("pool.yaml").stdout
    reasons = 'budgets: [{nodes: "0", schedule: "0 5 * * mon", duration: 140h, reasons: [Drifted]}]'
    (tmp_path / "pool.yaml").write_text(POOL.rpartition("    budgets:")[0] + f"    {reasons}\n")
    assert "at any time" not in windows("pool.yaml").stdout
    pool = "{vm_size: Standard_D4ds_v5, count: 2}"
    cluster = f"{{kind: AksCluster, location: westeurope, kubernetes_version: '1.35', system_pool: {pool}}}"
    (tmp_path / "p.yaml").write_text(f"name: a\nclusters:\n  weu: {cluster}\n")
    said = nodepools("calendar", "--file", "p.yaml", cwd=tmp_path).out
    assert said.startswith(
        "p.yaml: automatic upgrades of weu: open at all times: no disruption budget or maintenance window sets closed hours; nothing to wait for\n"
    )
    assert "\n  weu: AKS can upgrade at any time: to limit it, set `maintenance`, or run `az aks maintenanceconfiguration add`\n" in said
