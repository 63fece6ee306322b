"""How long it takes to count the replicas of workloads with topology constraints: explaining included, processor time."""

import json
import subprocess
import sys
from statistics import median
from time import process_time

from nodepools.placement.node_pools import ClusterPools
from nodepools.placement.static_pools import StaticPool
from nodepools.placement.workloads.reader import read_workloads
from nodepools.replicas.explained import explain_replicas
from tests.bench.placement import OFFERS, node_pools, nodes, pods

WORKLOADS, SHAPES, STATIC, PROVISIONED, RUNS = 1000, 250, 6, 24, 7
LIMIT = 1.5


def workloads(many, shapes):
    """Deployments, each spread over zones; every second one with anti-affinity over nodes."""
    return [_deployment(number, pod["spec"]) for number, pod in enumerate(pods(many, shapes))]


def _deployment(number, spec):
    labels = {"app": f"app-{number}"}
    chosen = {"labelSelector": {"matchLabels": labels}}
    spread = {
        "topologyKey": "topology.kubernetes.io/zone",
        "maxSkew": 1,
        "minDomains": number % 3 + 1,
        "whenUnsatisfiable": "DoNotSchedule",
        **chosen,
    }
    apart = {"requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": "kubernetes.io/hostname", **chosen}]}
    affinity = {**spec["affinity"], **({"podAntiAffinity": apart} if number % 2 else {})}
    template = {"metadata": {"labels": labels}, "spec": {**spec, "affinity": affinity, "topologySpreadConstraints": [spread]}}
    return {"kind": "Deployment", "metadata": {"name": labels["app"]}, "spec": {"replicas": number % 7 + 1, "template": template}}


def once():
    """One run in this process: the table of types, the reading of the raw workloads, the counts."""
    raw = workloads(WORKLOADS, SHAPES)
    start = process_time()
    static = tuple(StaticPool(f"static-{n}", (labels,), taints, OFFERS) for n, (labels, taints) in enumerate(nodes(STATIC)))
    found = explain_replicas([workload for one in raw for workload in read_workloads(one)], [ClusterPools("c", static, node_pools(PROVISIONED))])
    assert len(found) == WORKLOADS
    return process_time() - start


def replicas():
    """The report; more than the limit is an error."""
    command = [sys.executable, "-m", "tests.bench.replicas", "once"]
    taken = median(json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout) for _ in range(RUNS))
    of = f"replicas of {WORKLOADS:,} workloads with topology x {STATIC + PROVISIONED} pools"
    print(f"{of}: {taken:.2f} s of processor in the median of {RUNS} (limit {LIMIT} s)")
    assert taken < LIMIT


if __name__ == "__main__":
    print(json.dumps(once())) if len(sys.argv) > 1 else replicas()
