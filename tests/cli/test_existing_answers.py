"""`upgrade` and `capacity` with `--existing` alone: what a cluster needs, and its upgrade."""

import json
from pathlib import Path

import pytest

FILES = "examples/node-groups/exports"
BUDGET = """
kind: PodDisruptionBudget
apiVersion: policy/v1
metadata: {name: web, namespace: shop}
spec: {maxUnavailable: 0, selector: {matchLabels: {app: web}}}
"""


def test_the_plan_of_the_example(nodepools, project):
    answer = nodepools("upgrade", "--to", "1.35", "--existing", FILES, "--format", "json", cwd=project)
    found = json.loads(answer.out)
    [cluster] = found["clusters"]
    assert answer.status == 0
    assert [step["name"] for step in cluster["steps"]] == ["shop", "batch", "system", "web", "general"]
    assert (cluster["from"], cluster["to"]) == ("1.34", "1.35")
    assert found["coverage"] == {"nodes": None, "covered": 5, "without_pool": 0}


def test_a_budget_fails_the_update_of_a_node_group(nodepools, project, tmp_path):
    (tmp_path / "budget.yaml").write_text(BUDGET)
    workloads = ["--workloads", "examples/node-groups/workloads.yaml", "--workloads", str(tmp_path / "budget.yaml")]
    answer = nodepools("upgrade", "--to", "1.35", "--existing", FILES, *workloads, cwd=project)
    assert answer.status == 1
    assert answer.out.splitlines()[0] == "shop to 1.35: blocked by 1 error (shop: PDB shop/web)"
    assert "PodDisruptionBudget `shop/web` (`maxUnavailable: 0`) never allows an eviction" in answer.out


def pod(name):
    owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web-5f6d7c8b9", "controller": True}
    metadata = {
        "uid": name,
        "name": name,
        "namespace": "shop",
        "labels": {"app": "web", "pod-template-hash": "5f6d7c8b9"},
        "ownerReferences": [owner],
    }
    spec = {"nodeName": "ip-10-0-0-1", **POD}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec, "status": {"phase": "Running"}}


POD = {"nodeSelector": {"tier": "web"}, "containers": [{"name": "web", "image": "web", "resources": {"requests": {"cpu": "1"}}}]}
PODS = [pod("web-5f6d7c8b9-aaaaa"), pod("web-5f6d7c8b9-bbbbb")]
TEMPLATE = {"metadata": {"labels": {"app": "web"}}, "spec": POD}
WEB = {"uid": "w", "name": "web", "namespace": "shop"}
DEPLOYMENT = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": WEB,
    "spec": {"replicas": 2, "selector": {"matchLabels": {"app": "web"}}, "template": TEMPLATE},
}
RUNNING_BUDGET = {
    "apiVersion": "policy/v1",
    "kind": "PodDisruptionBudget",
    "metadata": WEB,
    "spec": {"minAvailable": 2, "selector": {"matchLabels": {"app": "web"}}},
    "status": {"disruptionsAllowed": 0, "currentHealthy": 2, "desiredHealthy": 2, "expectedPods": 2},
}
LOGS = {"containers": [{"name": "logs", "image": "logs"}]}
DAEMONS = {
    "apiVersion": "apps/v1",
    "kind": "DaemonSet",
    "metadata": {"uid": "d", "name": "logs", "namespace": "kube-system"},
    "spec": {"selector": {"matchLabels": {"app": "logs"}}, "template": {"metadata": {"labels": {"app": "logs"}}, "spec": LOGS}},
}


@pytest.mark.parametrize(
    ("items", "of", "asks"),
    [
        pytest.param([RUNNING_BUDGET, *PODS], "Pod `shop/web-5f6d7c8b9-aaaaa`", True, id="pods alone"),
        pytest.param([RUNNING_BUDGET, DEPLOYMENT, *PODS], "Deployment `shop/web`", True, id="a Deployment with its pods"),
        pytest.param([RUNNING_BUDGET, DEPLOYMENT, DAEMONS], "Deployment `shop/web`", False, id="all workloads"),
    ],
)
def test_budgets_and_workloads_of_exports_count_as_those_of_manifests(nodepools, project, tmp_path, items, of, asks):
    """Also of a pipe, which can be read once."""
    (tmp_path / "objects.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    (tmp_path / "manifests.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [RUNNING_BUDGET, DEPLOYMENT]}))
    exports = ["--existing", FILES, "--existing", str(tmp_path / "objects.json")]
    piped = [*exports[:3], "-"]
    for given, more in ((exports, []), (exports, ["--workloads", str(tmp_path / "manifests.json")]), (piped, [])):
        answer = nodepools("upgrade", "--to", "1.35", *given, *more, cwd=project, stdin=(tmp_path / "objects.json").read_text())
        assert answer.status == 1
        assert answer.out.splitlines()[0] == "shop to 1.35: blocked by 1 error (shop: PDB shop/web)"
        text = " ".join(answer.out.split())
        assert "never allows an eviction with 2 replicas" in text
        assert (of if not more else "Deployment `shop/web`") in text
        assert ("the manifests of what runs" in text) is (asks and not more)
        assert "has 1 replica" not in text


def test_the_runbook(nodepools, project):
    answer = nodepools("upgrade", "--to", "1.35", "--existing", FILES, "--format", "markdown", cwd=project)
    assert "aws eks update-nodegroup-version --cluster-name shop --region eu-west-1 --nodegroup-name web" in answer.out


WRONG = [
    pytest.param(["--existing", FILES, "--to", "1.33"], "must be at least 1.34", id="a lower version"),
    pytest.param(["--existing", FILES, "--to", "1.99"], "newer than the newest known versions: 1.37 of AKS", id="a version that does not exist"),
    pytest.param(["--existing", f"{FILES}/web.json", "--to", "1.35"], "the version of the control plane is not known", id="no control plane"),
    pytest.param(["--existing", "nowhere", "--to", "1.35"], "nowhere", id="no file"),
    pytest.param(["--existing", "pyproject.toml", "--to", "1.35"], "pyproject.toml", id="another file"),
]


@pytest.mark.parametrize(("words", "told"), WRONG)
def test_what_cannot_be_planned_is_one_line(nodepools, project, words, told):
    answer = nodepools("upgrade", *words, cwd=project)
    assert answer.status == 2
    assert told in answer.err


def test_recorded_agent_pools_are_planned(nodepools, project):
    folder = Path(project).parent / "shared/data/observed/erp_Prod"
    if not folder.exists():
        pytest.skip("the recordings are not at hand")
    answer = nodepools("upgrade", "--to", "1.34", "--existing", str(folder), cwd=project)
    assert "az aks nodepool upgrade" in answer.out, answer.err


def test_capacity_of_the_example(nodepools, project):
    answer = nodepools("capacity", "--existing", FILES, "--existing", f"{FILES}/subnets.json", "--format", "json", cwd=project)
    found = json.loads(answer.out)
    assert answer.status == 0
    assert {item["what"] for item in found["clusters"][0]["items"]} == {"node_subnet", "vcpus", "spot_vcpus"}
    assert [room["pool"] for room in found["rooms"]] == ["batch", "system", "web", "general", "general"]
    assert found["coverage"] == {"nodes": None, "covered": 5, "without_pool": 0}


def test_capacity_of_files_without_a_cluster(nodepools, project):
    assert "there is no Node" in nodepools("capacity", "--existing", f"{FILES}/subnets.json", cwd=project).err


NODES = """
apiVersion: v1
kind: List
items:
  - apiVersion: v1
    kind: Node
    metadata: {name: node-1, labels: {eks.amazonaws.com/nodegroup: web, tier: web}}
    status: {allocatable: {cpu: "2", memory: 7Gi, pods: "29"}}
"""


def test_node_groups_next_to_a_running_cluster(nodepools, project, tmp_path):
    (tmp_path / "nodes.yaml").write_text(NODES)
    files = ["--existing", str(tmp_path / "nodes.yaml"), "--existing", f"{FILES}/web.json"]
    answer = nodepools("explain", "examples/node-groups/workloads.yaml", "--existing", f"{FILES}/karpenter.yaml", *files, cwd=project)
    assert "? web" in answer.out
    assert "more nodes than those that run are not certain to be added" in answer.out
    assert "The answer covers 1 of 1 nodes" in answer.out


def test_one_export_settles_what_is_unknown_and_limits_are_raised_only_after_it(nodepools, project):
    told = nodepools("explain", "examples/node-groups/workloads.yaml", "--existing", FILES, "--format", "json", cwd=project).json["next"]
    assert told == [
        "Save the output of `kubectl get nodes,pods,deployments -A -o yaml` in a file, and add `--existing FILE`",
        "Run this again; only if it is still unknown: Raise `limits` of NodePool `general` (cpu 200) for Deployment `search`",
    ]
    known = nodepools("capacity", "--existing", FILES, cwd=project).out
    assert "how much nodes take at most is not known in 3" in " ".join(known.split())  # its one NodePool has limits
    assert "no maximum" not in known


def test_nodes_alone_have_no_capacity_to_count(nodepools, tmp_path):
    labels = {"kubernetes.io/os": "linux", "node.kubernetes.io/instance-type": "m5.large"}
    status = {"allocatable": {"cpu": "2", "memory": "8Gi", "pods": "30"}}
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1", "labels": labels}, "spec": {}, "status": status}
    (tmp_path / "nodes.json").write_text(json.dumps(node))
    answer = nodepools("capacity", "--existing", "nodes.json", cwd=tmp_path)
    assert (answer.status, answer.out) == (2, "")
    assert "nodes alone do not say what their pools can need. Save the output of `kubectl get nodepools -o yaml`" in answer.err


CLUSTER = "/subscriptions/1/resourceGroups/shop/providers/Microsoft.ContainerService/managedClusters/west"
SUBNET = "/subscriptions/1/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/hub/subnets/nodes"
SYSTEM = {"name": "sys", "mode": "System", "vmSize": "Standard_D4ds_v5", "count": 3, "currentOrchestratorVersion": "1.35.1", "vnetSubnetId": SUBNET}
SHOWN = {
    "id": CLUSTER,
    "type": "Microsoft.ContainerService/ManagedClusters",
    "name": "west",
    "location": "westeurope",
    "currentKubernetesVersion": "1.35.1",
    "supportPlan": "KubernetesOfficial",
    "autoUpgradeProfile": {"upgradeChannel": "patch"},
    "networkProfile": {"networkPlugin": "azure", "networkPluginMode": "overlay"},
    "agentPoolProfiles": [{**SYSTEM, "upgradeSettings": {"maxSurge": "1"}}],
}


def usage(limit: int) -> list[dict[str, object]]:
    return [{"name": {"value": name}, "limit": limit, "currentValue": 0} for name in ("cores", "standardDDSv5Family")]


@pytest.fixture
def exported(nodepools, tmp_path):
    """Runs a command on an AKS cluster, with more exports by the names of their files."""

    def run(command, *options, shown=SHOWN, **exports):
        for name, value in {"show": shown, **exports}.items():
            (tmp_path / f"{name}.json").write_text(json.dumps(value))
        return nodepools(command, "--existing", ".", *options, cwd=tmp_path, env={"COLUMNS": "200"})

    return run


def test_the_end_of_support_of_a_cluster_as_it_exists(exported):
    lines = exported("upgrade", "--today", "2026-11-28").out.splitlines()
    assert lines[0].startswith(".: west first: standard support of 1.35.1 ends 2027-")
    assert lines[1] == "next: nodepools upgrade --existing . --today 2026-11-28 --to 1.36  # changes nothing; shows the steps, and what blocks them"
    [cluster] = json.loads(exported("upgrade", "--format", "json", shown={**SHOWN, "supportPlan": "AKSLongTermSupport"}).out)["clusters"]
    assert cluster["uses_extended"]


@pytest.mark.parametrize(("policy", "price"), [("EXTENDED", 0.5), ("STANDARD", 0)])
def test_extended_support_of_eks_costs_more(nodepools, project, tmp_path, policy, price):
    arn = "arn:aws:eks:us-east-1:123456789012:cluster/shop"
    shown = {"cluster": {"name": "shop", "arn": arn, "version": "1.34", "upgradePolicy": {"supportType": policy}}}
    (tmp_path / "cluster.json").write_text(json.dumps(shown))
    files = ["--existing", str(tmp_path / "cluster.json"), "--existing", f"{FILES}/web.json"]
    [cluster] = json.loads(nodepools("upgrade", *files, "--format", "json", cwd=project).out)["clusters"]
    assert (cluster["uses_extended"], cluster["cost_if_missed"]["usd_per_hour"]) == (policy == "EXTENDED", price)


def test_a_channel_that_aks_follows_by_itself_can_stop_the_control_plane(exported):
    assert "while `auto_upgrade` is `patch`" in exported("upgrade", "--to", "1.36").out
    assert "auto_upgrade" not in exported("upgrade", "--to", "1.36", shown={**SHOWN, "autoUpgradeProfile": None}).out


QUOTAS = [{"id": SUBNET, "name": "nodes", "addressPrefix": "10.1.0.0/16", "ipConfigurations": []}]


@pytest.mark.parametrize(
    ("shown", "told"),
    [
        pytest.param({"provisioningState": "Succeeded", "powerState": {"code": "Running"}}, "not blocked: 1 × az aks upgrade", id="it is ready"),
        pytest.param(
            {"provisioningState": "Failed"}, "unknown whether the upgrade can go through until 1 thing is known: whether the cloud", id="failed"
        ),
        pytest.param({"provisioningState": "Upgrading"}, "unknown whether the upgrade can go through until 1 thing is known: the end of", id="busy"),
        pytest.param({"powerState": {"code": "Stopped"}}, "blocked by 1 error (west: stopped cluster)", id="stopped"),
        pytest.param(
            {"agentPoolProfiles": [{**SYSTEM, "upgradeSettings": {"maxSurge": "1"}, "provisioningState": "Failed"}]},
            "unknown whether the upgrade can go through until 1 thing is known: whether the cloud accepts an upgrade in the state `Failed`",
            id="a pool failed",
        ),
    ],
)
def test_the_state_of_the_cluster_decides_whether_an_upgrade_starts(exported, tmp_path, shown, told):
    (tmp_path.parent / "w.yaml").write_text("apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: a:1}]}\n")
    every, options = {**SHOWN, "autoUpgradeProfile": None, **shown}, ("--to", "1.36", "--today", "2026-11-28", "--workloads", "../w.yaml")
    answer = exported("upgrade", *options, shown=every, usage=usage(500), subnets=QUOTAS)
    assert answer.out.splitlines()[0].startswith(f"west to 1.36: {told}"), answer.out


def test_health_issues_of_eks_are_named(nodepools, project, tmp_path):
    arn = "arn:aws:eks:us-east-1:123456789012:cluster/shop"
    shown = {"cluster": {"name": "shop", "arn": arn, "version": "1.34", "status": "ACTIVE", "health": {"issues": [{"code": "Ec2SubnetNotFound"}]}}}
    (tmp_path / "cluster.json").write_text(json.dumps(shown))
    files = ["--existing", str(tmp_path / "cluster.json"), "--existing", f"{FILES}/web.json"]
    assert "in the state `unhealthy (Ec2SubnetNotFound)`" in nodepools("upgrade", *files, "--to", "1.35", cwd=project).out


def test_no_step_sets_the_channel_that_an_automatic_cluster_has_for_good(exported):
    automatic = {**SHOWN, "sku": {"name": "Automatic", "tier": "Standard"}, "autoUpgradeProfile": {"upgradeChannel": "stable"}}
    answer = exported("upgrade", "--to", "1.36", shown=automatic).out
    assert "while `auto_upgrade` is `stable`" in answer
    assert "Wait until AKS Automatic has upgraded the cluster" in answer
    assert "Set `auto_upgrade`" not in answer


def test_an_old_version_can_be_rejected(exported):
    old = {**SHOWN, "currentKubernetesVersion": "1.31.9", "agentPoolProfiles": [{**SYSTEM, "currentOrchestratorVersion": "1.31.9"}]}
    assert "Support of Kubernetes 1.32 ended on 2026-" in exported("upgrade", "--to", "1.36", "--today", "2026-11-28", shown=old).out


SUBNETS = [{"id": SUBNET, "addressPrefix": "10.0.0.0/24", "ipConfigurations": []}]


@pytest.mark.parametrize(
    ("limit", "told"),
    [(100, ""), (14, "need 16 with surge nodes"), (11, "blocked")],
)
def test_surge_nodes_need_quota(exported, limit, told):
    answer = exported("upgrade", "--to", "1.36", westeurope=usage(limit), subnets=SUBNETS)
    assert told in answer.out
    assert "for the surge nodes, which" not in answer.out


def test_addresses_of_agent_pools(exported):
    answer = json.loads(exported("capacity", "--format", "json", westeurope=usage(100), subnets=SUBNETS).out)
    assert (answer["verdict"], [item["what"] for item in answer["clusters"][0]["items"]]) == (
        "fits",
        ["node_subnet", "nodes", "nodes", "pods", "vcpus", "vcpus"],
    )


def test_usage_of_another_region_is_not_that_of_the_cluster(exported):
    answer = exported("capacity", northeurope=usage(100), subnets=SUBNETS)
    assert answer.out.splitlines()[0].split(":")[1] == " unknown"
    assert "no exported cluster is in the region of the exported 2 quotas: not counted (northeurope)" in answer.err


def test_what_shows_a_cluster_can_be_invalid(exported):
    answer = exported("upgrade", "--to", "1.36", shown={**SHOWN, "networkProfile": {"networkPluginMode": 1}})
    assert (answer.status, "networkPluginMode" in answer.err) == (2, True)


def test_a_quota_without_numbers_is_a_problem(exported):
    answer = exported("capacity", westeurope=[{"name": {"value": "cores"}, "limit": -1, "currentValue": 0}])
    assert (answer.status, "must be a number" in answer.err) == (2, True)


@pytest.mark.parametrize(
    "command", [["capacity"], ["explain", "pod.yaml"], ["upgrade", "--to", "1.36"], ["calendar"], ["instances", "--pool", "web"]]
)
@pytest.mark.parametrize(
    ("text", "why"), [('{"items": [', "Expecting value: the file ends too early, write or export it again"), ('{"items": [}', "Expecting value")]
)
def test_json_that_is_broken_is_described_as_json(nodepools, command, text, why, tmp_path):
    (tmp_path / "broken.json").write_text(text)
    (tmp_path / "pod.yaml").write_text("apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: web}]}\n")
    answer = nodepools(*command, "--existing", "broken.json", cwd=tmp_path)
    assert answer.status == 2
    assert "broken.json:1:" in answer.err
    assert f"is not valid JSON: {why}" in answer.err
    assert "YAML" not in answer.err
