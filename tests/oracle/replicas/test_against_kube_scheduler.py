"""Random workloads on random nodes: kube-scheduler's own filters schedule as many pods of each as our interval says, in whatever order pods come."""

import json
import os
import random
import subprocess
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from nodepools.manifests.live_pools import read_live_pools
from nodepools.placement.cluster_pools import Pools
from nodepools.placement.running_cluster import RunningPods, running_pools
from nodepools.placement.workload_reader import read_workloads
from nodepools.replicas.count import Count
from nodepools.replicas.explained import explain_replicas

FRESH = int(os.environ.get("PLACEMENT_SEED", random.SystemRandom().randrange(10**9)))  # printed with the counts
CASES, ORDERS = 400, 6
HOST, ZONE, RACK = "kubernetes.io/hostname", "topology.kubernetes.io/zone", "example.com/rack"
KEYS = (HOST, ZONE, ZONE, RACK)
APPS = ("web", "api")


def nodes(chance: random.Random) -> list[dict[str, Any]]:
    return [_node(chance, number) for number in range(chance.choice((1, 2, 3, 3, 4, 5)))]


def _node(chance: random.Random, number: int) -> dict[str, Any]:
    labels = {HOST: f"n{number}", "kubernetes.io/os": "linux"}
    if chance.random() < 0.9:
        labels[ZONE] = chance.choice("abc")
    if chance.random() < 0.4:
        labels[RACK] = chance.choice("12")
    taints = [{"key": "team", "value": chance.choice(("ml", "web")), "effect": "NoSchedule"}] if chance.random() < 0.2 else []
    spec = {"taints": taints, **({"unschedulable": True} if chance.random() < 0.05 else {})}
    allocatable = {"cpu": f"{chance.choice((1000, 1900, 3860))}m", "memory": "8Gi", "pods": str(chance.choice((2, 4, 30)))}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": f"n{number}", "labels": labels},
        "spec": spec,
        "status": {"allocatable": allocatable},
    }


def workloads(chance: random.Random) -> list[dict[str, Any]]:
    return [_workload(chance, app) for app in chance.sample(APPS, chance.choice((1, 1, 2)))]


def _workload(chance: random.Random, app: str) -> dict[str, Any]:
    container: dict[str, Any] = {"name": "c", "image": "i", "resources": {"requests": {"cpu": chance.choice(("100m", "400m", "900m", "2"))}}}
    if chance.random() < 0.15:
        container["ports"] = [{"containerPort": 80, "hostPort": 80}]
    spec: dict[str, Any] = {"containers": [container]}
    if chance.random() < 0.3:
        spec["tolerations"] = [{"key": "team", "operator": "Exists"}]
    if chance.random() < 0.2:
        spec["nodeSelector"] = {ZONE: chance.choice("abd")}
    if chance.random() < 0.5:
        spec["topologySpreadConstraints"] = [_spread(chance, app) for _ in range(chance.choice((1, 1, 2)))]
    affinity = {name: _terms(chance) for name in ("podAffinity", "podAntiAffinity") if chance.random() < 0.2}
    if affinity:
        spec["affinity"] = affinity
    template = {"metadata": {"labels": {"app": app}}, "spec": spec}
    metadata = {"name": app, "namespace": "default"}
    selector = {"matchLabels": {"app": app}}
    replicas = chance.choice((1, 2, 3, 4, 6))
    return {"kind": "Deployment", "metadata": metadata, "spec": {"replicas": replicas, "selector": selector, "template": template}}


def _spread(chance: random.Random, app: str) -> dict[str, Any]:
    constraint = {
        "topologyKey": chance.choice(KEYS),
        "maxSkew": chance.choice((1, 1, 2)),
        "whenUnsatisfiable": chance.choice(("DoNotSchedule", "DoNotSchedule", "DoNotSchedule", "ScheduleAnyway")),
        "labelSelector": {"matchLabels": {"app": chance.choice((app, app, *APPS))}},
    }
    if constraint["whenUnsatisfiable"] == "DoNotSchedule" and chance.random() < 0.3:
        constraint["minDomains"] = chance.choice((1, 2, 3, 4))
    for policy in ("nodeAffinityPolicy", "nodeTaintsPolicy"):
        if chance.random() < 0.2:
            constraint[policy] = chance.choice(("Honor", "Ignore"))
    return constraint


def _terms(chance: random.Random) -> dict[str, Any]:
    term = {"topologyKey": chance.choice(KEYS), "labelSelector": {"matchLabels": {"app": chance.choice(APPS)}}}
    return {"requiredDuringSchedulingIgnoredDuringExecution": [term]}


def pods_of(workload: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The pods that its controller creates."""
    template, name = workload["spec"]["template"], workload["metadata"]["name"]
    return [
        {"metadata": {**template["metadata"], "name": f"{name}-{number}", "namespace": "default"}, "spec": template["spec"]}
        for number in range(workload["spec"]["replicas"])
    ]


def ours(made: Sequence[Mapping[str, Any]], found: Sequence[Mapping[str, Any]]) -> list[Count]:
    live = read_live_pools([(json.dumps({"kind": "List", "items": made}), "nodes")])
    pools = running_pools(Pools(None), live.static, RunningPods())
    return [explained.count for explained in explain_replicas(list(read_workloads(found)), [pools])]


Case = tuple[list[dict[str, Any]], list[dict[str, Any]]]


def theirs(program: Path, cases: Sequence[Case]) -> list[list[list[int]]]:
    lines = [json.dumps({"nodes": made, "pods": [pods_of(workload) for workload in found], "seeds": list(range(ORDERS))}) for made, found in cases]
    done = subprocess.run([str(program)], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("seed", [1, 20261122, pytest.param(FRESH, id="a fresh seed")])
def test_as_many_pods_are_scheduled_as_the_interval_says(kube_scheduler: Path, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311  # the same cases for a seed
    cases = [(nodes(chance), workloads(chance)) for _ in range(CASES)]
    counts: Counter[str] = Counter()
    wrong: list[object] = []
    for (made, found), orders in zip(cases, theirs(kube_scheduler, cases), strict=True):
        for place, counted in enumerate(ours(made, found)):
            reached = sorted({order[place] for order in orders})
            amount = counted.scheduled
            least, most = amount.at_least, amount.at_most if amount.at_most is not None else counted.wanted
            counts.update(["workloads", counted.verdict.value])
            counts.update(["exact"] * (least == most) + ["lowest reached"] * (reached[0] == least) + ["highest reached"] * (reached[-1] == most))
            if not least <= reached[0] <= reached[-1] <= most:
                wrong.append((made, found, place, str(amount), reached))
    print(f"\nseed {seed}: {dict(counts)}")
    assert not wrong, wrong[:1]
    assert counts["exact"] > 0.5 * counts["workloads"]
