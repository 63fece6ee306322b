"""Random workloads on random nodes: kube-scheduler's own filters schedule as many pods of each as our interval says, in whatever order pods come."""

import json
import os
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from nodepools.manifests.existing.existing_pools import read_existing_pools
from nodepools.placement.existing_nodes import ExistingPods, existing_pools
from nodepools.placement.node_pools import ClusterPools
from tests.oracle.replicas.random_cases import HOST, RACK, ZONE, Object, ours, pods_of, theirs, workloads

FRESH = int(os.environ.get("PLACEMENT_SEED", random.SystemRandom().randrange(10**9)))  # printed with the counts
CASES, ORDERS = 400, 6


def nodes(chance: random.Random) -> list[Object]:
    return [_node(chance, number) for number in range(chance.choice((1, 2, 3, 3, 4, 5)))]


def _node(chance: random.Random, number: int) -> Object:
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


def running(made: Sequence[Mapping[str, Any]]) -> ClusterPools:
    live = read_existing_pools([(json.dumps({"kind": "List", "items": made}), "nodes")])
    return existing_pools(ClusterPools(None), live.static, ExistingPods())


@pytest.mark.parametrize("seed", [1, 20261122, pytest.param(FRESH, id="a fresh seed")])
def test_as_many_pods_are_scheduled_as_the_interval_says(schedulers: Path, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311  # the same cases for a seed
    cases = [(nodes(chance), workloads(chance, "abd")) for _ in range(CASES)]
    asked = [{"nodes": made, "pods": [pods_of(workload) for workload in found], "seeds": list(range(ORDERS))} for made, found in cases]
    counts: Counter[str] = Counter()
    wrong: list[object] = []
    for (made, found), orders in zip(cases, theirs(schedulers, asked), strict=True):
        for place, explained in enumerate(ours(running(made), found)):
            reached = sorted({sum(order[place].values()) for order in orders})
            counted, amount = explained.count, explained.count.scheduled
            least, most = amount.minimum, amount.maximum if amount.maximum is not None else counted.wanted
            counts.update(["workloads", counted.verdict.value])
            counts.update(["exact"] * (least == most) + ["lowest reached"] * (reached[0] == least) + ["highest reached"] * (reached[-1] == most))
            if not least <= reached[0] <= reached[-1] <= most:
                wrong.append((made, found, place, str(amount), reached))
    print(f"\nseed {seed}: {dict(counts)}")
    assert not wrong, wrong[:1]
    assert counts["exact"] > 0.5 * counts["workloads"]
