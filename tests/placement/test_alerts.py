"""Alerts on declared pools: their numbers and times are those of the declaration, and Prometheus' own tool fires them when it must."""

import json
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from nodepools import AksNodePool, AutoMode, Autoscale, EksClusterArgs, EksNodePool, Platform, UserPool, Weekly, derive
from nodepools.clouds.registry import catalog
from nodepools.model.maintenance import Budget, Disruption
from nodepools.placement.alerts import ClusterAlerts, rule_file
from nodepools.placement.workloads.reader import read_workloads
from tests.placement.conftest import SIZE, aks, nap

NIGHTLY = Disruption(budgets=(Budget(nodes="0", schedule="0 6 * * *", duration="20h", reasons=("Drifted",)), Budget(nodes="1")))
ALWAYS_CLOSED = Disruption(budgets=(Budget(nodes="0", reasons=("Drifted", "Underutilized")),))


def controller(kind: str, api: str = "apps/v1", **spec: Any) -> dict[str, Any]:
    pods = {
        "metadata": {"labels": {"a": "b"}},
        "spec": {"containers": [{"name": "a", "image": "a:1"}], "restartPolicy": spec.pop("restart", "Always")},
    }
    named = {"selector": {"matchLabels": {"a": "b"}}} if api == "apps/v1" else {}
    return {"apiVersion": api, "kind": kind, "metadata": {"name": "web", "namespace": "shop"}, "spec": {**named, "template": pods, **spec}}


JOB = controller("Job", "batch/v1", restart="Never")
WORKLOADS = {
    "Deployment": controller("Deployment"),
    "StatefulSet": controller("StatefulSet", serviceName="web"),
    "Job": JOB,
    "CronJob": {**JOB, "kind": "CronJob", "spec": {"schedule": "0 1 * * *", "jobTemplate": {"spec": JOB["spec"]}}},
    "Pod": {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "web", "namespace": "shop"},
        "spec": {"containers": [{"name": "a", "image": "a:1"}]},
    },
}


def alerts(cluster: Any, *workloads: Mapping[str, Any]) -> ClusterAlerts:
    [pools] = catalog(Platform(name="dev", clusters={"weu": cluster}))
    return ClusterAlerts("dev-weu", pools, [read for one in workloads for read in read_workloads(one)], cluster.applied_node_pools)


def named(found: ClusterAlerts, name: str) -> list[tuple[str, str, str]]:
    rules: list[Any] = found.group()["rules"]  # pyright: ignore[reportAssignmentType]
    return [(rule["labels"]["subject"], rule["expr"], rule["for"]) for rule in rules if rule["alert"] == name]


def test_an_autoscaled_pool_has_an_alert_at_its_declared_maximum_and_a_fixed_one_has_none():
    found = alerts(aks(web=UserPool(vm_size=SIZE, name="web", scale=Autoscale(1, 7)), fixed=UserPool(vm_size=SIZE, count=3)))
    nodes = 'kube_node_labels{cluster=~"|dev-weu",label_kubernetes_azure_com_agentpool="web"}'
    assert named(found, "AgentPoolAtMaximum") == [("weu/web", f"count(count by (node) ({nodes})) >= 7", "30m")]


def test_each_limit_has_an_alert_at_80_percent_of_it():
    limits = {"cpu": "1500m", "memory": "1Ti", "nodes": 10, "nvidia.com/gpu": "0"}
    pools = {"web": EksNodePool(limits=limits), "fixed": EksNodePool(replicas=3, limits={"nodes": 3})}
    found = alerts(EksClusterArgs(region="us-east-1", kubernetes_version="1.35", auto_mode=AutoMode(node_pools=pools)))
    ends = [expression.rpartition(" >= ")[2] for subject, expression, _ in named(found, "NodePoolNearLimit") if subject == "weu/web"]
    assert ends == ["0.8 * 1.5", "0.8 * 1099511627776", "0.8 * 10"]
    assert len(named(found, "NodePoolNearLimit")) == len(ends)


def test_budgets_block_a_day_longer_than_they_are_declared_to():
    found = alerts(nap(web=AksNodePool(disruption=NIGHTLY), never=AksNodePool(disruption=ALWAYS_CLOSED)))
    times = [(subject, expression.partition("reason=~")[2][:22], wait) for subject, expression, wait in named(found, "NodePoolBudgetBlocks")]
    assert [(subject, wait) for subject, _, wait in times] == [("weu/web", "44h"), ("weu/web", "24h"), ("weu/never", "24h")]
    assert 'reason="drifted"' in named(found, "NodePoolBudgetBlocks")[0][1]
    assert times[1][1] == '"empty|underutilized"}'
    assert 'reason="empty"' in named(found, "NodePoolBudgetBlocks")[2][1]


def test_budgets_of_a_maintenance_window_are_declared_too():
    window = Weekly(days="sun", start="02:00", hours=6, tz="Europe/Paris")
    found = alerts(derive(nap(web=AksNodePool()), maintenance=window))
    outside, inside = 7 * 24 - 5, 24  # of the 6 hours, 5 are open in summer and in winter
    assert [wait for _, _, wait in named(found, "NodePoolBudgetBlocks")] == [f"{outside + 24}h", f"{inside}h"]


def test_without_metrics_of_karpenter_budgets_have_no_alert_and_it_is_said():
    found = alerts(EksClusterArgs(region="us-east-1", kubernetes_version="1.35"))
    assert list(found.alerts()) == []
    [said] = found.not_watched
    assert said.startswith("no alert on budgets of weu/general-purpose, weu/system: ")


@pytest.mark.parametrize(
    ("kind", "owners"),
    [
        ("Pod", []),
        ("StatefulSet", ["kube_pod_owner"]),
        ("Job", ["kube_pod_owner"]),
        ("Deployment", ["kube_pod_owner", "kube_replicaset_owner"]),
        ("CronJob", ["kube_pod_owner", "kube_job_owner"]),
    ],
)
def test_pods_are_those_of_the_workload(kind: str, owners: list[str]):
    [(subject, expression, wait)] = named(alerts(aks(), WORKLOADS[kind]), "PodsPendingThatFit")
    assert (subject, wait) == (f"shop/{kind}/web", "30m")
    assert re.findall(r"kube_\w+_owner", expression) == owners


def test_a_workload_of_an_unknown_kind_has_no_alert_and_it_is_said():
    [pod] = read_workloads(WORKLOADS["Pod"])
    pool = alerts(aks()).pools
    found = ClusterAlerts("dev-weu", pool, [replace(pod, kind="Rollout")])
    assert found.not_watched == ("no alert on pods of shop/Rollout/web: kube-state-metrics does not tell which pods its kind creates",)
    assert list(found.alerts()) == []
    assert rule_file([found]) == {"groups": [{"name": "nodepools/dev-weu", "rules": []}]}


UP = "1x600"
AT = {"cluster": "dev-weu", "job": "a"}


def series(metric: str, values: str = UP, **labels: str) -> dict[str, str]:
    told = ",".join(f'{key}="{value}"' for key, value in labels.items())
    return {"series": f"{metric}{{{told}}}", "values": values}


def node(name: str, label: str, value: str, cpu: int, **more: str) -> list[dict[str, str]]:
    """A node as two replicas of kube-state-metrics show it."""
    return [
        one
        for job in ("a", "b")
        for one in (
            series("kube_node_labels", node=name, job=job, **{label: value}, **more),
            series("kube_node_status_capacity", f"{cpu}x600", node=name, job=job, resource="cpu", **more),
        )
    ]


def budget(allowed: int, taken: int, nodes: int, reason: str = "empty") -> list[dict[str, str]]:
    return [
        series("karpenter_nodepools_allowed_disruptions", f"{allowed}x600", nodepool="web", reason=reason),
        series("karpenter_nodepools_nodes_consuming_budgets", f"{taken}x600", nodepool="web", reason=reason),
        series("karpenter_nodepools_usage", f"{nodes}x600", nodepool="web", resource_type="nodes"),
    ]


def pod(*owners: tuple[str, dict[str, str]], name: str = "web") -> list[dict[str, str]]:
    unschedulable = series("kube_pod_status_unschedulable", namespace="shop", pod=name)
    return [unschedulable, *(series(metric, namespace="shop", **labels) for metric, labels in owners)]


def owned(kind: str, name: str, of: str = "web") -> tuple[str, dict[str, str]]:
    return "kube_pod_owner", {"pod": of, "owner_kind": kind, "owner_name": name}


AGENT, KARPENTER = "label_kubernetes_azure_com_agentpool", "label_karpenter_sh_nodepool"
SCALED = aks(web=UserPool(vm_size=SIZE, name="web", scale=Autoscale(1, 2)))
LIMITED = nap(web=AksNodePool(limits={"cpu": 10}))
OF_OTHERS = {"cluster": "other"}
TWO = [*node("a", AGENT, "web", 4), *node("b", AGENT, "web", 4)]
EIGHT = [*node("a", KARPENTER, "web", 4), *node("b", KARPENTER, "web", 4)]
WEB_5 = ("kube_replicaset_owner", {"replicaset": "web-5", "owner_kind": "Deployment", "owner_name": "web"})
API_5 = ("kube_replicaset_owner", {"replicaset": "api-5", "owner_kind": "Deployment", "owner_name": "api"})
WEB_9 = ("kube_job_owner", {"job_name": "web-9", "owner_kind": "CronJob", "owner_name": "web"})

FIRES = [
    pytest.param(alerts(SCALED), TWO, "31m", "AgentPoolAtMaximum", True, id="a pool has its most nodes"),
    pytest.param(alerts(SCALED), TWO, "29m", "AgentPoolAtMaximum", False, id="for less than half an hour"),
    pytest.param(alerts(SCALED), node("a", AGENT, "web", 4), "31m", "AgentPoolAtMaximum", False, id="one node less"),
    pytest.param(alerts(SCALED), [*TWO[:4], *node("b", AGENT, "old", 4)], "31m", "AgentPoolAtMaximum", False, id="a node of another pool"),
    pytest.param(
        alerts(SCALED),
        [*node("a", AGENT, "web", 4), *node("b", AGENT, "web", 4, **OF_OTHERS)],
        "31m",
        "AgentPoolAtMaximum",
        False,
        id="another cluster",
    ),
    pytest.param(
        alerts(SCALED),
        [*node("a", AGENT, "web", 4, cluster="dev-weu"), *node("b", AGENT, "web", 4, cluster="dev-weu")],
        "31m",
        "AgentPoolAtMaximum",
        True,
        id="with the label cluster",
    ),
    pytest.param(alerts(LIMITED), EIGHT, "16m", "NodePoolNearLimit", True, id="8 of 10 vCPUs"),
    pytest.param(alerts(LIMITED), EIGHT[:4], "16m", "NodePoolNearLimit", False, id="4 of 10 vCPUs"),
    pytest.param(
        alerts(LIMITED), [*EIGHT[:4], *node("b", KARPENTER, "other", 4)], "16m", "NodePoolNearLimit", False, id="a node of another NodePool"
    ),
    pytest.param(alerts(nap(web=AksNodePool(limits={"nodes": 2}))), EIGHT, "16m", "NodePoolNearLimit", True, id="2 of 2 nodes"),
    pytest.param(alerts(LIMITED), budget(1, 1, 3), "25h", "NodePoolBudgetBlocks", True, id="a node that does not drain holds the budget"),
    pytest.param(alerts(LIMITED), budget(0, 0, 3), "25h", "NodePoolBudgetBlocks", True, id="a budget of zero that is not declared"),
    pytest.param(alerts(LIMITED), budget(0, 0, 3), "23h", "NodePoolBudgetBlocks", False, id="for less than a day"),
    pytest.param(alerts(LIMITED), budget(0, 0, 0), "25h", "NodePoolBudgetBlocks", False, id="10 % of no node"),
    pytest.param(alerts(LIMITED), budget(2, 1, 3), "25h", "NodePoolBudgetBlocks", False, id="one more may be disrupted"),
    pytest.param(alerts(LIMITED), budget(0, 0, 3, "unhealthy"), "25h", "NodePoolBudgetBlocks", False, id="a reason of which nothing is declared"),
    pytest.param(
        alerts(nap(web=AksNodePool(disruption=NIGHTLY))), budget(0, 0, 3, "drifted"), "43h", "NodePoolBudgetBlocks", False, id="declared windows"
    ),
    *(
        pytest.param(alerts(aks(), WORKLOADS[kind]), pods, "31m", "PodsPendingThatFit", fires, id=f"{kind}: {what}")
        for kind, what, pods, fires in (
            ("Pod", "its name", pod(), True),
            ("Pod", "another one", pod(name="other"), False),
            ("StatefulSet", "its pod", pod(owned("StatefulSet", "web")), True),
            ("StatefulSet", "of a Job of that name", pod(owned("Job", "web")), False),
            ("Deployment", "its pod", pod(owned("ReplicaSet", "web-5"), WEB_5), True),
            ("Deployment", "of another one", pod(owned("ReplicaSet", "api-5"), API_5, WEB_5), False),
            ("CronJob", "its pod", pod(owned("Job", "web-9"), WEB_9), True),
            ("Job", "its pod", pod(owned("Job", "web")), True),
        )
    ),
    pytest.param(alerts(SCALED), [], "61m", "NodePoolMetricsMissing", True, id="no metrics"),
    pytest.param(alerts(SCALED), TWO, "61m", "NodePoolMetricsMissing", False, id="metrics"),
]


@pytest.fixture(scope="module")
def promtool() -> str:
    found = shutil.which("promtool")
    if found is None:
        pytest.skip("promtool is not installed: go install -tags remove_all_sd github.com/prometheus/prometheus/cmd/promtool@v0.316.0")
    return found


@pytest.mark.program
def test_prometheus_fires_them_when_it_must(promtool: str, tmp_path: Path):
    tests: list[dict[str, Any]] = []
    for number, case in enumerate(FIRES):
        found, inputs, at, name, fires = case.values
        rules: list[Any] = found.group()["rules"]
        (tmp_path / f"{number}.yaml").write_text(json.dumps(rule_file([found])), encoding="utf-8")
        expected = [_expected(rule) for rule in rules if rule["alert"] == name] if fires else []
        tests.append(
            {
                "rule_files": [f"{number}.yaml"],
                "evaluation_interval": "5m" if at.endswith("h") else "1m",
                "tests": [
                    {
                        "name": case.id,
                        "interval": "5m",
                        "input_series": inputs,
                        "alert_rule_test": [{"eval_time": at, "alertname": name, "exp_alerts": expected}],
                    }
                ],
            }
        )
    files: list[str] = []
    for number, test in enumerate(tests):
        files.append(f"test-{number}.yaml")
        (tmp_path / files[-1]).write_text(yaml.safe_dump(test), encoding="utf-8")
    done = subprocess.run([promtool, "test", "rules", *files], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def _expected(rule: Mapping[str, Any]) -> dict[str, Any]:
    """The alert with its labels: those of budgets name the NodePool and the reason, too."""
    more = {"nodepool": "web", "reason": "empty"} if rule["alert"] == "NodePoolBudgetBlocks" else {}
    return {"exp_labels": {**rule["labels"], **more}, "exp_annotations": rule["annotations"]}
