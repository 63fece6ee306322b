"""`nodepools upgrade`: the plan, the support calendar, and the calendar file."""

import pytest
import yaml

from .inputs import BLOCKED

PLATFORM = """
name: shop
clusters:
  weu:
    kind: AksCluster
    location: westeurope
    kubernetes_version: "1.35"
    network: {kind: AksNetwork, cidr: 10.10.0.0/16}
    system_pool: {vm_size: Standard_D4ds_v5, count: 2}
    pools:
      web: {kind: UserPool, vm_size: Standard_D4ds_v5, count: 3, upgrade: {max_surge: "1"}}
"""
WORKLOADS = (
    BLOCKED
    + """---
apiVersion: flowcontrol.apiserver.k8s.io/v1beta3
kind: FlowSchema
metadata: {name: web}
"""
)


@pytest.fixture
def upgrade(nodepools, tmp_path):
    (tmp_path / "p.yaml").write_text(PLATFORM)
    (tmp_path / "w.yaml").write_text(WORKLOADS)
    return lambda *arguments, **how: nodepools("upgrade", "--file", "p.yaml", "--today", "2026-11-22", *arguments, cwd=tmp_path, **how)


def test_the_plan_has_a_verdict_what_decides_it_and_steps_in_order(upgrade):
    answer = upgrade("--to", "1.36")
    assert (answer.status, answer.err) == (0, "")
    assert answer.out.splitlines()[:10] == [
        "p.yaml to 1.36: unknown whether the upgrade can go through until 2 things are known: manifests of what runs, quotas for surge nodes",
        (
            "next: nodepools upgrade --file p.yaml --today 2026-11-22 --to 1.36 --workloads MANIFESTS --existing EXPORTS"
            "  # changes nothing; EXPORTS: a folder with the output of "
            "`az vm list-usage --location REGION`; REGION: that of the cluster; "
            "MANIFESTS: a folder of manifests, or of what `kubectl get deploy,sts,ds,job,cronjob,pdb,pvc -A -o yaml` prints"
        ),
        "",
        "What decides whether the upgrade can go through",
        "  ?  the manifests of what runs, for PodDisruptionBudgets, volumes and removed APIs (`--workloads`)",
        "  ?  quotas for the surge nodes, which `az vm list-usage --location REGION` shows (`--existing`)",
        "",
        "weu: 1.35 → 1.36, unknown",
        "  1  set `clusters.weu.kubernetes_version` to `1.36`, and run `pulumi up`: upgrades control plane `weu`",
        "  2  the same `pulumi up` upgrades pool `web` (3 nodes)",
    ]
    details = upgrade("--to", "1.36", "--details").out
    assert "\n    3 nodes, 1 extra, 3 batches; at most 1 h 30 min for drains; needs in addition: 4 vcpus (standardDDSv5Family)\n" in details
    assert details.count("the update of the control plane, reimaging and capacity of the cloud") == 1
    assert upgrade("--to", "1.36", "--strict").status == 1


EKS = "name: shop\nclusters:\n  use1: {kind: EksCluster, region: us-east-1, kubernetes_version: '1.35'}\n"


def test_an_upgrade_is_not_blocked_if_all_that_files_can_tell_is_given(nodepools, tmp_path):
    (tmp_path / "p.yaml").write_text(EKS)
    (tmp_path / "w.yaml").write_text(WORKLOADS.split("---", maxsplit=1)[0].replace("nodeSelector: {nodepools/name: web}, ", ""))
    arguments = ("upgrade", "--file", "p.yaml", "--today", "2026-11-22", "--to", "1.36")
    answer = nodepools(*arguments, "--workloads", "w.yaml", "--strict", cwd=tmp_path)
    assert answer.out.splitlines()[0] == "p.yaml to 1.36: not blocked: 1 \N{MULTIPLICATION SIGN} pulumi up; 4 things to check by hand"
    assert (answer.status, "Check by hand before you start" in answer.out) == (0, True)
    document = nodepools(*arguments, "--format", "json", cwd=tmp_path).json
    assert (document["verdict"], document["clusters"][0]["verdict"], len(document["clusters"][0]["undecided"])) == ("unknown", "unknown", 1)


def test_a_version_that_no_cloud_lists_names_the_newest(upgrade):
    answer = upgrade("--to", "1.99")
    assert (answer.status, "`--to 1.99` is newer than the newest known versions: 1.37 of AKS" in answer.err) == (2, True)


def test_exports_of_another_cluster_are_told_in_the_first_line(upgrade, tmp_path):
    (tmp_path / "other.json").write_text(CLUSTER.replace("shop-weu", "other"))
    answer = upgrade("--to", "1.36", "--existing", "other.json")
    assert answer.out.splitlines()[0] == (
        "p.yaml to 1.36: unknown whether the upgrade can go through: `other` is not a cluster of p.yaml, "
        "and 2 more things must be known (not complete: 1 problem)"
    )
    assert answer.status == 2


def test_the_room_for_surge_nodes_is_what_capacity_counts(upgrade):
    lines = upgrade("--to", "1.36", "--details").out.splitlines()
    at = lines.index("Addresses, ports and quotas with surge nodes at the largest size of the pools")
    assert lines[at + 1 : at + 3] == ["  weu: node addresses (nodes): 6 of 16,379", "  weu: pod addresses (pods): 1,536 of 65,536"]
    assert "    weu: vCPUs (cores in westeurope): 24" in lines
    [cluster] = upgrade("--to", "1.36", "--format", "json").json["clusters"]
    room = {(one["what"], one["name"]): one for one in cluster["room"]}
    assert room["nodes", "web"]["available"] == {"minimum": 1000, "maximum": 1000}
    assert room["vcpus", "cores in westeurope"]["available"] is None
    runbook = upgrade("--to", "1.36", "--format", "markdown").out
    assert "* weu: node addresses (nodes): 6 of 16,379" in runbook


def test_versions_that_one_apply_sets_are_one_edit(upgrade, tmp_path):
    (tmp_path / "p.yaml").write_text(PLATFORM.replace("count: 3,", 'count: 3, kubernetes_version: "1.35",'))
    text = " ".join(upgrade("--to", "1.36").out.split())
    assert "set `clusters.weu.kubernetes_version` and `clusters.weu.pools.web.kubernetes_version` to `1.36`, and run `pulumi up`" in text


def test_a_blocker_is_printed_once_and_fails(upgrade):
    answer = upgrade("--to", "1.37", "--workloads", "w.yaml")
    assert answer.status == 1
    assert answer.out.splitlines()[0] == "p.yaml to 1.37: blocked by 1 error (weu: PDB shop/web)"
    assert answer.out.count("never allows an eviction with 2 replicas") == 1
    assert "(UnsatisfiablePDB) (steps 1, 2, 4, 5)" in answer.out
    assert "Kubernetes has not served `flowcontrol.apiserver.k8s.io/v1beta3` of FlowSchema `web` since 1.32 (w.yaml:16:1)" in answer.out


def test_a_warning_fails_with_strict_only(upgrade, tmp_path):
    (tmp_path / "w.yaml").write_text(
        WORKLOADS.replace("nodeSelector: {nodepools/name: web}, ", "terminationGracePeriodSeconds: 3600, ").split("---")[0]
    )
    assert [upgrade("--to", "1.36", "--workloads", "w.yaml", *more).status for more in ((), ("--strict",))] == [0, 1]
    edit = "Deployment shop/web: Set `terminationGracePeriodSeconds` to at most 1800, or `upgrade.drain_timeout` of `weu/web` to at least 60 minutes"
    assert (
        f"{edit}, and before the upgrade, run `kubectl apply -f w.yaml --context CONTEXT` in weu"
        in upgrade("--to", "1.36", "--workloads", "w.yaml").out
    )
    piped = upgrade("--to", "1.36", "--workloads", "-", stdin=(tmp_path / "w.yaml").read_text()).out
    assert edit in piped
    assert "kubectl apply" not in piped


def test_json_has_the_steps_and_what_blocks_them(upgrade):
    answer = upgrade("--to", "1.36", "--workloads", "w.yaml", "--format", "json")
    [cluster] = answer.json["clusters"]
    assert (answer.status, answer.json["complete"], cluster["cluster"], cluster["bounded_minutes"]) == (1, True, "weu", 150)
    assert [(step["what"], step["name"], step["bounded_minutes"]) for step in cluster["steps"]] == [
        ("control_plane", "weu", 0),
        ("pool", "web", 90),
        ("first_pool", "system", 60),
    ]
    assert [blocker["code"] for blocker in cluster["steps"][1]["blocked_by"]] == ["UpgradeFailed"]


def test_markdown_is_a_runbook(upgrade):
    lines = upgrade("--to", "1.36", "--workloads", "w.yaml", "--format", "markdown").out.splitlines()
    assert lines[0] == "**p.yaml to 1.36: blocked by 1 error (weu: PDB shop/web)**"
    assert any(line.startswith("* [ ] weu PodDisruptionBudget `shop/web`") and line.endswith("(steps 1, 2)") for line in lines)
    at = lines.index("**weu: 1.35 → 1.36, blocked**")
    assert [line for line in lines[at:] if line.startswith("* [ ] ")][:3] == [
        "* [ ] 1 set `clusters.weu.kubernetes_version` to `1.36`, and run `pulumi up`: upgrades control plane `weu`",
        "* [ ] 2 the same `pulumi up` upgrades pool `web` (3 nodes)",
        "* [ ] 3 upgrades first system pool `system` (2 nodes), which `pulumi up` never upgrades",
    ]


def test_the_command_of_a_step_is_below_it_in_markdown(upgrade):
    lines = upgrade("--to", "1.36", "--format", "markdown").out.splitlines()
    [at] = [number for number, line in enumerate(lines) if line.startswith("* [ ] 3 upgrades")]
    assert lines[at + 1].strip("` *").startswith("az aks nodepool upgrade --resource-group shop-weu"), lines[at + 1]


def test_a_declared_version_leaves_the_first_pool_whose_version_is_in_no_request(upgrade):
    for form in ("text", "markdown"):
        answer = upgrade("--to", "1.35", "--format", form)
        command = "az aks nodepool upgrade --resource-group shop-weu --cluster-name shop-weu --name system --kubernetes-version 1.35"
        assert (answer.status, command in answer.out) == (0, True)
        assert "The declaration does not say whether it has run: `az aks nodepool show" in answer.out


def test_a_declared_version_is_no_proof_that_nodes_have_it(nodepools, tmp_path):
    (tmp_path / "p.yaml").write_text(EKS)
    arn = "arn:aws:eks:us-east-1:111122223333:cluster/shop-use1"
    (tmp_path / "use1.json").write_text(f'{{"cluster": {{"arn": "{arn}", "name": "shop-use1", "version": "1.35", "status": "ACTIVE"}}}}')
    known = "every known version is already 1.35; the rest is"
    for exports, told, by in (
        ([], "1.35 is already declared; what runs is", "versions that run"),
        (["--existing", "use1.json"], known, "the versions of `general-purpose` and `system`, which the exports do not show"),
    ):
        answer = nodepools("upgrade", "--file", "p.yaml", "--today", "2026-11-22", "--to", "1.35", *exports, cwd=tmp_path)
        assert (answer.status, answer.out.splitlines()[0]) == (0, f"p.yaml to 1.35: {told} unknown until 1 thing is known: {by}")


def test_a_lower_version_fails(upgrade):
    for form in ("text", "markdown"):
        answer = upgrade("--to", "1.34", "--format", form)
        assert (answer.status, "AKS cannot return a control plane to Kubernetes 1.34 from 1.35" in answer.out) == (1, True)


def test_an_add_on_without_a_version_is_updated_by_hand(nodepools, tmp_path):
    cluster = "{kind: EksCluster, region: us-east-1, kubernetes_version: '1.35', add_ons: {metrics-server: {}}}"
    (tmp_path / "p.yaml").write_text(f"name: dev\nclusters: {{use1: {cluster}}}\n")
    said = nodepools("upgrade", "--file", "p.yaml", "--to", "1.36", cwd=tmp_path).out
    command = "run `aws eks describe-addon-versions --addon-name metrics-server --kubernetes-version 1.36`"
    assert f"{command}, and `aws eks update-addon` with the one it marks as default: upgrades add-on" in " ".join(said.split())


def test_the_end_of_support_is_shown_without_a_version(upgrade):
    answer = upgrade()
    assert answer.out.splitlines()[:5] == [
        "p.yaml: weu first: standard support of 1.35 ends 2027-03-31, in 129 days; start by 2027-03-31",
        "next: nodepools upgrade --file p.yaml --today 2026-11-22 --to 1.36  # changes nothing; shows the steps, and what blocks them",
        "",
        "  verdict      cluster  version  newest  support ends  extended ends  start by    last window",
        "  ✔ supported  weu      1.35     1.37    2027-03-31    2028-03-31     2027-03-31  none",
    ]
    assert "| ✔ supported | weu | 1.35 | 1.37 | 2027-03-31 | 2028-03-31 | 2027-03-31 | none |" in upgrade("--format", "markdown").out
    document = upgrade("--format", "json").json
    [cluster] = document["clusters"]
    assert (document["verdict"], cluster["verdict"], cluster["days_left"]) == ("supported", "supported", 129)


@pytest.mark.parametrize(
    ("policy", "today", "told"),
    [
        ("EXTENDED", "2026-11-27", "extended support of 1.31 ended 2026-11-26, 1 day ago"),
        ("EXTENDED", "2026-11-26", "standard support of 1.31 ended 2025-11-26, 365 days ago"),
        ("STANDARD", "2026-11-27", "standard support of 1.31 ended 2025-11-26, 366 days ago"),
    ],
)
def test_the_last_end_that_passed_is_the_one_that_counts(nodepools, tmp_path, policy, today, told):
    (tmp_path / "p.yaml").write_text(EKS.replace("'1.35'", f"'1.31', upgrade_policy: {policy}"))
    answer = nodepools("upgrade", "--file", "p.yaml", "--today", today, cwd=tmp_path)
    assert answer.out.splitlines()[0] == f"p.yaml: use1 first: {told}"


def test_the_last_window_is_in_the_calendar(nodepools, tmp_path):
    window = "maintenance: {kind: Weekly, days: sun, start: '02:00', hours: 6, tz: Europe/Paris}\n    "
    (tmp_path / "p.yaml").write_text(PLATFORM.replace("location: westeurope", f"{window}location: westeurope"))
    answer = nodepools("upgrade", "--file", "p.yaml", "--today", "2026-11-22", "--ics", "support.ics", cwd=tmp_path)
    assert (answer.status, answer.out.splitlines()[4].split()[-1]) == (0, "2027-03-28")
    assert "SUMMARY:weu: Kubernetes 1.35: last maintenance window to start the upgrade" in (tmp_path / "support.ics").read_text()
    over = nodepools("upgrade", "--file", "p.yaml", "--today", "2026-11-22", "--ics", "p.yaml", cwd=tmp_path)
    assert (over.status, "p.yaml: is an input" in over.err) == (2, True)


def test_a_version_without_support_can_be_left(nodepools, tmp_path):
    """`check` rejects it."""
    (tmp_path / "p.yaml").write_text(PLATFORM.replace("1.35", "1.29"))
    answer = nodepools("upgrade", "--file", "p.yaml", "--today", "2026-11-22", cwd=tmp_path)
    assert (answer.status, "weu first: " in answer.out.splitlines()[0]) == (0, True)
    assert answer.out.splitlines()[4].split()[:2] == ["✘", "ended"]
    ended = nodepools("upgrade", "--file", "p.yaml", "--today", "2029-01-01", cwd=tmp_path).out
    assert ["now", "none"] in [line.split()[-2:] for line in ended.splitlines() if "✘ ended" in line]
    assert (
        answer.out.splitlines()[1]
        == "next: nodepools upgrade --file p.yaml --today 2026-11-22 --to 1.35  # changes nothing; shows the steps, and what blocks them"
    )
    assert nodepools("upgrade", "--file", "p.yaml", "--today", "2026-11-22", "--strict", cwd=tmp_path).status == 1
    assert nodepools("upgrade", "--file", "p.yaml", "--to", "1.30", "--today", "2026-11-22", cwd=tmp_path).out.count("control plane `weu`") == 1


def test_all_stacks_are_one_table(nodepools, project):
    lines = nodepools("upgrade", "--all", "--today", "2026-11-22", cwd=project).out.splitlines()
    assert [line.split()[2] for line in lines[4:13]] == sorted(
        (line.split()[2] for line in lines[4:13]), key=lambda name: (not name.endswith("use1"), name)
    )
    assert "dev/weu" in nodepools("upgrade", "--all", "--to", "1.36", "--today", "2026-11-22", cwd=project).out


def test_the_calendar_file_has_an_event_for_each_date(upgrade, tmp_path):
    assert upgrade("--ics", "support.ics").status == 0
    written = (tmp_path / "support.ics").read_bytes().decode()
    lines = written.split("\r\n")
    assert (lines[0], lines[-2], lines[-1]) == ("BEGIN:VCALENDAR", "END:VCALENDAR", "")
    assert "\n" not in written.replace("\r\n", "")
    assert [line for line in lines if line.startswith("DTSTART")] == ["DTSTART;VALUE=DATE:20270331"] * 2
    assert "SUMMARY:weu: Kubernetes 1.35: standard support ends" in lines
    assert max(len(line.encode()) for line in lines) <= 75
    assert len({line for line in lines if line.startswith("UID")}) == 2


def test_python_stacks_are_not_written(nodepools, project):
    answer = nodepools("upgrade", "--to", "1.36", "--write", cwd=project)
    assert (answer.status, "use it with `--file PLATFORM.yaml`" in answer.err) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(("--to", "latest"), "`--to` must be a Kubernetes version such as `1.36`, not `latest`", id="not a version"),
        pytest.param(("--write",), "use it with `--to VERSION`", id="nothing to write"),
        pytest.param(("--to", "1.36", "--ics", "a.ics"), "it cannot be combined with `--to`", id="a calendar of a plan"),
    ],
)
def test_options_that_cannot_be_used(upgrade, arguments, message):
    answer = upgrade(*arguments)
    assert (answer.status, message in answer.err) == (2, True)


def test_write_sets_the_versions_of_the_next_round(upgrade, tmp_path):
    file = tmp_path / "p.yaml"
    file.write_text(PLATFORM.lstrip().replace('"1.35"\n', '"1.35"  # a comment\n').replace("count: 3,", 'count: 3, kubernetes_version: "1.35",'))
    before = file.read_text().splitlines()
    answer = upgrade("--to", "1.37", "--write")
    assert (answer.status, answer.err.splitlines()) == (
        0,
        [
            "notice: p.yaml: clusters.weu.kubernetes_version is now 1.36",
            "notice: p.yaml: clusters.weu.pools.web.kubernetes_version is now 1.36",
        ],
    )
    after = file.read_text()
    assert len(after.splitlines()) == len(before)
    assert after.count("1.36") == 2
    assert "# a comment" in after
    assert "control plane `weu`" not in upgrade("--to", "1.36").out
    assert upgrade("--to", "1.37").out.count("control plane `weu`") == 1


def test_write_leaves_a_blocked_cluster_alone(upgrade, tmp_path):
    answer = upgrade("--to", "1.36", "--write", "--workloads", "w.yaml")
    assert (answer.status, (tmp_path / "p.yaml").read_text()) == (1, PLATFORM)
    assert "versions of weu are unchanged, because its next round is blocked" in answer.err


def test_quotas_of_exports_are_compared(upgrade, tmp_path):
    (tmp_path / "westeurope.json").write_text('[{"name": {"value": "standardDDSv5Family"}, "limit": "20", "currentValue": "20"}]')
    assert "ErrCode_InsufficientVCPUQuota" in upgrade("--to", "1.36", "--existing", "westeurope.json").out


def test_exports_of_a_declared_cluster_have_budgets_and_workloads(nodepools, tmp_path):
    """Those of one cluster concern no other cluster."""
    other = PLATFORM.replace(
        "clusters:", "clusters:\n  neu: {kind: AksCluster, location: northeurope, kubernetes_version: '1.35', system_pool: SIZE}"
    )
    (tmp_path / "p.yaml").write_text(other.replace("SIZE", "{vm_size: Standard_D4ds_v5, count: 2}"))
    found = [{**one, "metadata": {**one["metadata"], "uid": one["metadata"]["name"]}} for one in yaml.safe_load_all(BLOCKED)]
    for one in found:
        if one["kind"] == "PodDisruptionBudget":
            one["status"] = {"disruptionsAllowed": 0, "currentHealthy": 1, "desiredHealthy": 1, "expectedPods": 1}
    (tmp_path / "weu.yaml").write_text(yaml.safe_dump({"apiVersion": "v1", "kind": "List", "items": found}))
    words = ("upgrade", "--file", "p.yaml", "--to", "1.36", "--today", "2026-11-22", "--existing", "weu.yaml")
    answer = nodepools(*words, "--format", "json", cwd=tmp_path)
    blocked = {
        one["cluster"]: {each["message"].partition(" ")[0] for step in one["steps"] for each in step["blocked_by"]} for one in answer.json["clusters"]
    }
    assert answer.status == 1
    assert {name for name, kinds in blocked.items() if "PodDisruptionBudget" in kinds} == {"weu"}
    assert nodepools(*words, cwd=tmp_path).out.partition("next: ")[2].startswith("weu: PDB ")


ID = "/subscriptions/s/resourcegroups/shop-weu/providers/Microsoft.ContainerService/managedClusters/shop-weu"
CLUSTER = (
    f'{{"id": "{ID}", "name": "shop-weu",'
    ' "type": "Microsoft.ContainerService/ManagedClusters", "currentKubernetesVersion": "1.36.2", "provisioningState": "Failed"}'
)
OBJECTS = """
apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Node
  metadata: {name: n0, labels: {nodepools/name: web, kubernetes.azure.com/cluster: shop-weu-nodes}}
  status: {nodeInfo: {kubeletVersion: v1.36.2}}
- apiVersion: v1
  kind: Node
  metadata: {name: n1, labels: {nodepools/name: web, kubernetes.azure.com/cluster: shop-weu-nodes}}
  spec: {unschedulable: true}
  status: {nodeInfo: {kubeletVersion: v1.35.4}}
- apiVersion: v1
  kind: Pod
  metadata: {name: w, namespace: shop, labels: {app: web}}
  spec: {nodeName: n1}
  status: {conditions: [{type: Ready, status: "True"}]}
- apiVersion: policy/v1
  kind: PodDisruptionBudget
  metadata: {name: web, namespace: shop}
  spec: {maxUnavailable: 0, selector: {matchLabels: {app: web}}}
  status: {disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1}
"""


@pytest.fixture
def midway(upgrade, tmp_path):
    (tmp_path / "cluster.json").write_text(CLUSTER)
    (tmp_path / "objects.yaml").write_text(OBJECTS)
    return lambda *arguments: upgrade("--to", "1.36", "--existing", "cluster.json", "--existing", "objects.yaml", *arguments)


def test_the_plan_begins_where_the_cluster_is(midway):
    lines = midway().out.splitlines()
    assert lines[:7] == [
        "p.yaml to 1.36: weu at 1.36.2 with 1 of 2 nodes done: blocked by 1 error (weu: PDB shop/web)",
        (
            "next: kubectl patch poddisruptionbudget web --namespace shop --type merge "
            '--patch \'{"spec":{"minAvailable":null,"maxUnavailable":1}}\' --context CONTEXT'
            "  # changes the cluster; weu: PDB shop/web holds the drain; CONTEXT: that of weu"
        ),
        (
            "then: nodepools upgrade --file p.yaml --today 2026-11-22 --to 1.36 --existing EXPORTS"
            "  # changes nothing; shows whether that is enough; EXPORTS: new ones, made after the change"
        ),
        "then: p.yaml:4: weu: Set `clusters.weu.kubernetes_version` to `1.36`",
        "",
        "What blocks it",
        ("  weu  PodDisruptionBudget `shop/web` allows no eviction of `shop/w`: 1 of 1 pods are ready, and 1 must stay (`maxUnavailable: 0`)"),
    ]
    assert "  pool `web`       1 at 1.36, 1 draining" in lines
    assert (
        "  note: The control plane has 1.36, and the declaration says 1.35: set `kubernetes_version` to `1.36` first, because "
        "`pulumi up` would send the lower version"
    ) in lines
    assert "  1  set `clusters.weu.kubernetes_version` to `1.36`, and run `pulumi up`: upgrades pool `web` (3 nodes)" in lines


def test_a_stopped_cluster_has_no_steps(midway, tmp_path):
    (tmp_path / "cluster.json").write_text(CLUSTER.replace('"Failed"', '"Succeeded", "powerState": {"code": "Stopped"}'))
    answer = midway()
    assert answer.status == 1
    assert answer.out.splitlines()[0] == "p.yaml to 1.36: blocked by 1 error (weu: stopped cluster)"
    assert "Run `az aks start`, then export the cluster again" in answer.out


def test_a_pod_that_holds_a_node_fails_the_command(midway):
    assert (midway().status, midway("--format", "markdown").status) == (1, 1)
    [cluster] = midway("--format", "json").json["clusters"]
    assert [hold["pods"] for hold in cluster["progress"]["holds"]] == [["shop/w"]]
    assert [step["what"] for step in cluster["steps"]] == ["pool", "first_pool"]


def test_a_cluster_that_is_done_says_so(upgrade, tmp_path):
    done = OBJECTS.replace("v1.35.4", "v1.36.2").replace("unschedulable: true", "")
    system = (
        "{name: s, labels: {nodepools/name: system, kubernetes.azure.com/cluster: shop-weu-nodes}}, status: {nodeInfo: {kubeletVersion: v1.36.2}}}"
    )
    (tmp_path / "objects.yaml").write_text(f"{done}- {{apiVersion: v1, kind: Node, metadata: {system}\n")
    answer = upgrade("--to", "1.36", "--existing", "objects.yaml")
    assert (answer.status, answer.out.splitlines()[0]) == (0, "p.yaml to 1.36: nothing to do: every cluster and pool has it")


def test_a_pool_that_the_exports_do_not_show_is_not_done(upgrade, tmp_path):
    (tmp_path / "p.yaml").write_text(PLATFORM.replace("1.35", "1.36") + "      batch: {kind: UserPool, vm_size: Standard_D4ds_v5, count: 3}\n")
    done = OBJECTS.replace("v1.35.4", "v1.36.2").replace("unschedulable: true", "").replace("disruptionsAllowed: 0", "disruptionsAllowed: 1")
    system = (
        "{name: s, labels: {nodepools/name: system, kubernetes.azure.com/cluster: shop-weu-nodes}}, status: {nodeInfo: {kubeletVersion: v1.36.2}}}"
    )
    (tmp_path / "objects.yaml").write_text(f"{done}- {{apiVersion: v1, kind: Node, metadata: {system}\n")
    answer = upgrade("--to", "1.36", "--existing", "objects.yaml", "--existing", "objects.yaml")
    assert (answer.status, answer.out.splitlines()[0]) == (
        0,
        (
            "p.yaml to 1.36: every known version is already 1.36; the rest is unknown until 1 thing is known: "
            "the versions of `batch`, which the exports do not show"
        ),
    )
    assert "the versions of `batch`, which the exports do not show" in answer.out


def test_pools_alone_and_clusters_of_aws_are_read(nodepools, tmp_path):
    (tmp_path / "p.yaml").write_text(PLATFORM + "  use1: {kind: EksCluster, region: us-east-1, kubernetes_version: '1.35'}\n")
    pool = CLUSTER.replace('shop-weu",', 'shop-weu/agentPools/system",', 1).replace("ManagedClusters", "ManagedClusters/agentPools")
    pool = pool.replace('"provisioningState"', '"vmSize": "Standard_D4ds_v5", "count": 1, "provisioningState"')
    (tmp_path / "pools.json").write_text(f"[{pool}]".replace("currentKubernetesVersion", "currentOrchestratorVersion"))
    for file, name in (("use1.json", "shop-use1"), ("other.json", "other")):
        arn = f"arn:aws:eks:us-east-1:111122223333:cluster/{name}"
        (tmp_path / file).write_text(f'{{"cluster": {{"arn": "{arn}", "name": "{name}", "version": "1.36", "status": "ACTIVE"}}}}')
    files = [word for file in ("pools.json", "use1.json", "other.json") for word in ("--existing", file)]
    answer = nodepools("upgrade", "--file", "p.yaml", "--today", "2026-11-22", "--to", "1.36", *files, cwd=tmp_path)
    assert "  pool `system`  Failed  no nodes in the exports" in answer.out
    assert "use1 now\n  control plane    1.36\n" in answer.out
    told = "other.json: `arn:aws:eks:us-east-1:111122223333:cluster/other` is not a cluster that is declared here"
    assert (answer.status, told in answer.err) == (2, True)


def test_exports_without_versions_are_not_the_place_where_an_upgrade_is(nodepools, tmp_path):
    (tmp_path / "p.yaml").write_text(PLATFORM)
    (tmp_path / "weu.yaml").write_text(
        "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: web, namespace: shop}\nspec: {selector: {}, maxUnavailable: 1}\n"
        "status: {currentHealthy: 2, desiredHealthy: 1, disruptionsAllowed: 1, expectedPods: 2, observedGeneration: 1}\n"
    )
    answer = nodepools("upgrade", "--file", "p.yaml", "--today", "2026-11-22", "--to", "1.36", "--existing", "weu.yaml", cwd=tmp_path)
    assert answer.out.startswith("p.yaml to 1.36: unknown whether the upgrade can go through")
    assert "The exports do not have the version of the control plane" in answer.out


def test_nodes_that_can_be_in_several_clusters_need_a_file_name(nodepools, tmp_path):
    second = PLATFORM.split("clusters:\n")[1].replace("weu:", "neu:").replace("10.10.", "10.20.").replace("westeurope", "northeurope")
    (tmp_path / "p.yaml").write_text(PLATFORM + second)
    for file, status in (("objects.yaml", 2), ("objects-neu.yaml", 1)):
        (tmp_path / file).write_text(OBJECTS.replace(", kubernetes.azure.com/cluster: shop-weu-nodes", ""))
        answer = nodepools("upgrade", "--file", "p.yaml", "--today", "2026-11-22", "--to", "1.36", "--existing", file, cwd=tmp_path)
        assert (answer.status, "put the key of the cluster into the name of the file" in answer.err) == (status, status == 2)


def test_what_is_not_recognized_names_what_is(upgrade, tmp_path):
    (tmp_path / "other.json").write_text('{"a": 1}')
    answer = upgrade("--to", "1.36", "--existing", "other.json")
    assert (answer.status, "other.json: is not recognized: use the output of `az aks show`" in answer.err) == (2, True)


KARPENTER = """
kind: Deployment
metadata: {name: karpenter, namespace: kube-system}
spec: {template: {spec: {containers: [{name: proxy}, {name: controller, image: "public.ecr.aws/karpenter/controller:1.8.2@sha256:00"}]}}}
"""


def test_a_karpenter_among_the_workloads_is_compared_on_eks_only(nodepools, project, tmp_path):
    (tmp_path / "karpenter.yaml").write_text(KARPENTER)
    lines = nodepools("upgrade", "--stack", "dev", "--to", "1.36", "--workloads", str(tmp_path), cwd=project).out.splitlines()
    told = [line.strip() for line in lines if "kube-system/Deployment/karpenter:" in line]
    message = "kube-system/Deployment/karpenter: Karpenter 1.8.2 does not support Kubernetes 1.36, which requires 1.13 or newer"
    assert told == [f"use1  {message} (step 1)"]


def test_the_version_that_is_current_is_no_way(nodepools, tmp_path):
    network = "{kind: ExistingEksNetwork, vpc_id: vpc-1, private_subnet_ids: [subnet-a, subnet-b]}"
    cluster = f'{{kind: EksCluster, region: us-east-1, kubernetes_version: "1.35", network: {network}}}'
    (tmp_path / "p.yaml").write_text(f"name: dev\nclusters:\n  use1: {cluster}\n")
    answer = nodepools("upgrade", "--file", "p.yaml", "--to", "1.35", cwd=tmp_path)
    assert answer.out.startswith("p.yaml to 1.35: 1.35 is already declared; what runs is unknown until 1 thing is known: versions that run\n")
    assert "1.35 → 1.35" not in nodepools("upgrade", "--file", "p.yaml", "--to", "1.35", "--details", cwd=tmp_path).out


def test_what_was_given_and_does_not_say_enough_is_not_asked_for_twice(upgrade, tmp_path):
    (tmp_path / "bad.yaml").write_text("kind: [\n")
    (tmp_path / "quota.json").write_text("[]")
    for given, told in {
        "--workloads bad.yaml": "# changes nothing; after you correct the files of `--workloads`",
        "--workloads none.yaml": "# changes nothing; after you correct the files of `--workloads`",
        "--existing quota.json": "# changes nothing; after you add `az vm list-usage --location REGION` to the files of `--existing`",
    }.items():
        steps = " ".join(upgrade("--to", "1.36", *given.split()).out.split())
        assert told in steps
        assert not any(f"{given.split()[0]} {word}" in steps for word in ("MANIFESTS", "EXPORTS"))


def test_a_cause_that_clusters_share_is_one_row(nodepools, project):
    answer = nodepools("upgrade", "--stack", "dev", "--to", "1.37", "--workloads", "examples/upgrade", cwd=project)
    rows = [line for line in answer.out.partition("What blocks it")[2].splitlines() if line.startswith("  neu, weu")]
    assert len(rows) == 1
    whole = nodepools("upgrade", "--stack", "dev", "--to", "1.37", "--workloads", "examples/upgrade", "--details", cwd=project).out
    assert "    neu: step 6\n    weu: step 5\n" in whole


@pytest.mark.parametrize(("kind", "foreign"), [("aks", "aws "), ("eks", "az ")])
@pytest.mark.parametrize("version", ["1.28", "1.31", "1.34", "1.35"])
def test_no_plan_names_the_commands_of_another_cloud(nodepools, tmp_path, kind, foreign, version):
    aks = f'{{kind: AksCluster, location: westeurope, kubernetes_version: "{version}", system_pool: {{vm_size: Standard_D4ds_v5, count: 2}}}}'
    network = "{kind: EksNetwork, cidr: 10.0.0.0/16, zones: [us-east-1a, us-east-1b]}"
    eks = f'{{kind: EksCluster, region: us-east-1, kubernetes_version: "{version}", network: {network}, auto_mode: {{}}}}'
    (tmp_path / "p.yaml").write_text(f"name: shop\nclusters: {{a: {aks if kind == 'aks' else eks}}}\n")
    for more in (("--to", "1.36"), ("--to", "1.37"), ()):
        answer = nodepools("upgrade", "--file", "p.yaml", "--today", "2026-11-28", *more, "--format", "json", cwd=tmp_path)
        assert answer.status != 2
        assert f"`{foreign}" not in answer.out
        assert f'"{foreign}' not in answer.out
