"""Declared agent pools whose nodes are in any of their zones: kube-scheduler's own filters schedule as many pods as our interval says."""

import random
from collections import Counter
from pathlib import Path

import pytest

from nodepools.clouds.registry import catalog
from tests.oracle.cluster.random_platforms import nodes_of, platform
from tests.oracle.replicas.random_cases import ours, pods_of, theirs, workloads

CASES, ORDERS = 500, 4
ZONES = ("westeurope-1", "westeurope-2", "westeurope-3")


@pytest.mark.parametrize("seed", [12, 20261130])
def test_no_zone_is_certain_to_have_a_node(schedulers: Path, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311  # the same cases for a seed
    cases = [(catalog(platform(chance))[0], workloads(chance, ZONES)) for _ in range(CASES)]
    nodes = [[one for pool in pools.static for one in nodes_of(pool, pool.max_nodes, chance) if one["kind"] == "Node"] for pools, _ in cases]
    asked = [
        {"nodes": made, "pods": [pods_of(workload) for workload in found], "seeds": list(range(ORDERS))}
        for made, (_, found) in zip(nodes, cases, strict=True)
    ]
    counts: Counter[str] = Counter()
    wrong: list[object] = []
    for (pools, found), orders in zip(cases, theirs(schedulers, asked), strict=True):
        for place, explained in enumerate(ours(pools, found)):
            reached, amount = {sum(order[place].values()) for order in orders}, explained.count.scheduled
            most = explained.count.wanted if amount.maximum is None else amount.maximum
            counts.update(["workloads", explained.count.verdict.value])
            if not amount.minimum <= min(reached) <= max(reached) <= most:
                wrong.append((found, place, str(amount), reached))
    print(f"\nseed {seed}: {dict(counts)}")
    assert not wrong, (len(wrong), wrong[0])
