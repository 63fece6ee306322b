"""Random workloads on nodes that Karpenter's own provisioner creates: what kube-scheduler's own filters bind in the end is within our intervals.

Karpenter plans nodes for the pods that are pending, kube-scheduler binds pods to the nodes that are there, until nothing moves. Which pods come
together, which node is ready first and which machine the cloud provides are decided at random, several times for each case.
"""

import json
import os
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import pytest

from nodepools.clouds.eks.pools import eks_cloud
from nodepools.manifests.existing.existing_pools import read_existing_pools
from nodepools.model.eks.node_class import EksNodePool
from nodepools.model.karpenter import Requirement
from nodepools.model.kubernetes.label import Taint
from nodepools.placement.cloud_labels import CAPACITY, REGION, LabelValues
from nodepools.placement.machine_index import Machine, TypeIndex
from nodepools.placement.node_pools import ClusterPools, KarpenterPool
from nodepools.placement.verdict import Verdict
from nodepools.replicas.explained import Explained
from tests.oracle.placement.asking import raw_pool
from tests.oracle.replicas.random_cases import HOST, RACK, ZONE, Object, ours, pods_of, theirs, workloads

FRESH = int(os.environ.get("PLACEMENT_SEED", random.SystemRandom().randrange(10**9)))  # printed with the counts
CASES, ORDERS = 150, 6
ZONES, CAPACITIES, IN = ("us-east-1a", "us-east-1b", "us-east-1c"), ("on-demand", "spot"), "us-east-1"
SIZES: Final = ("c5.large", "c5.xlarge", "m5.large", "m5.2xlarge", "r5.large", "m6g.xlarge")
TYPE, ARCH = "node.kubernetes.io/instance-type", "kubernetes.io/arch"
CLOUD = replace(eks_cloud(), index=TypeIndex(tuple(one for one in eks_cloud().index.machines if one.name in SIZES)))
PLACES = {ZONE: LabelValues(frozenset(ZONES)), CAPACITY: LabelValues(frozenset(CAPACITIES)), REGION: LabelValues(frozenset({IN}))}


@dataclass(frozen=True)
class Case:
    """A cluster, and what is deployed to it."""

    nodes: Sequence[Object]
    pools: Sequence[EksNodePool]
    found: Sequence[Object]
    daemons: Sequence[Object]
    machines: Sequence[Object]

    @property
    def provisioned(self) -> tuple[KarpenterPool, ...]:
        return tuple(KarpenterPool(f"pool-{place}", f"pool-{place}", CLOUD, pool, pool.labels, {}, PLACES) for place, pool in enumerate(self.pools))

    def asked(self) -> Object:
        return {
            "nodes": self.nodes,
            "pods": [pods_of(workload) for workload in self.found],
            "daemons": self.daemons,
            "pools": [raw_pool(pool) for pool in self.provisioned],
            "cloud": {
                "machines": self.machines,
                "wellKnown": sorted(CLOUD.well_known),
                "zones": ZONES,
                "capacityTypes": CAPACITIES,
                "region": IN,
            },
            "seeds": list(range(ORDERS)),
        }

    def answered(self) -> list[Explained]:
        static = read_existing_pools([(json.dumps({"kind": "List", "items": self.nodes}), "nodes")]).static if self.nodes else ()
        answers = ours(ClusterPools(None, static, self.provisioned), [*self.found, *self.daemons])
        return [explained for explained in answers if not explained.answer.workload.is_daemon]


def case(chance: random.Random) -> Case:
    return Case(
        nodes=[_node(chance, number) for number in range(chance.choice((0, 0, 1, 2)))],
        pools=[_pool(chance) for _ in range(chance.choice((1, 1, 2, 3)))],
        found=workloads(chance, (*ZONES, "us-east-1f")),
        daemons=[_daemon(chance)] if chance.random() < 0.3 else [],
        machines=[_machine(chance, machine) for machine in CLOUD.index.machines],
    )


def _node(chance: random.Random, number: int) -> Object:
    labels = {HOST: f"n{number}", "kubernetes.io/os": "linux", ZONE: chance.choice(ZONES)}
    if chance.random() < 0.3:
        labels[RACK] = chance.choice("12")
    taints = [{"key": "team", "value": "ml", "effect": "NoSchedule"}] if chance.random() < 0.3 else []
    status = {"allocatable": {"cpu": f"{chance.choice((1000, 1900))}m", "memory": "8Gi", "pods": str(chance.choice((2, 30)))}}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": f"n{number}", "labels": labels}, "spec": {"taints": taints}, "status": status}


def _pool(chance: random.Random) -> EksNodePool:
    asked: list[Requirement] = []
    if chance.random() < 0.4:
        asked.append(Requirement(ZONE, chance.choice(("In", "NotIn")), chance.sample(ZONES, chance.choice((1, 2)))))
    if chance.random() < 0.4:
        asked.append(Requirement(TYPE, "In", chance.sample(SIZES, chance.choice((1, 2)))))
    labels: dict[str, str] = {}
    if chance.random() < 0.3:
        labels[RACK] = chance.choice("12")
    elif chance.random() < 0.4:
        asked.append(chance.choice((Requirement(RACK, "In", ["1", "2"]), Requirement(RACK, "Exists"))))
    return EksNodePool(
        weight=chance.choice((None, None, 10, 50)),
        requirements=asked,
        labels=labels,
        taints=[Taint("team", "ml", "NoSchedule")] if chance.random() < 0.2 else [],
        limits=chance.choice(
            ({}, {}, {"cpu": 2}, {"cpu": 4}, {"cpu": 9}, {"memory": "12Gi"}, {"nodes": "1"}, {"nodes": "2"}, {"cpu": 8, "nodes": "1"})
        ),
    )


def _machine(chance: random.Random, machine: Machine) -> Object:
    """A machine with what is not known of it decided at random."""
    cpu, memory = machine.offers["cpu"], machine.offers["memory"]
    assert cpu.most is not None
    assert memory.most is not None
    has = int(memory.most * chance.choice((0.9, 0.95, 1)))
    pods = chance.choice(("29", "58"))
    part = chance.choice((0, 0.5, 1))
    usable = {
        "cpu": f"{int(cpu.least + part * (cpu.most - cpu.least))}m",
        "memory": f"{int(memory.least + part * (has - memory.least))}m",
        "pods": pods,
    }
    capacity = {"cpu": f"{cpu.most}m", "memory": f"{has}m", "pods": pods}
    return {"name": machine.name, "labels": dict(machine.labels), "capacity": capacity, "allocatable": usable}


def _daemon(chance: random.Random) -> Object:
    container: Object = {"name": "c", "image": "i", "resources": {"requests": {"cpu": chance.choice(("50m", "300m"))}}}
    if chance.random() < 0.2:
        container["ports"] = [{"containerPort": 80, "hostPort": 80}]
    spec: Object = {"containers": [container]}
    if chance.random() < 0.7:
        spec["tolerations"] = [{"operator": "Exists"}]
    if chance.random() < 0.2:
        term = {"topologyKey": HOST, "labelSelector": {"matchLabels": {"app": chance.choice(("web", "api"))}}}
        spec["affinity"] = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}
    labels = {"app": chance.choice(("agent", "agent", "web", "api"))}
    metadata = {"name": "agent", "namespace": "default", "uid": "agent"}
    template = {"metadata": {"labels": labels}, "spec": spec}
    return {"kind": "DaemonSet", "metadata": metadata, "spec": {"selector": {"matchLabels": labels}, "template": template}}


def differences(explained: Explained, orders: Sequence[Mapping[str, int]]) -> list[str]:
    """What a workload's interval and verdicts say, and the schedulers do not."""
    amount, wanted = explained.count.scheduled, explained.count.wanted
    reached = sorted({sum(places.values()) for places in orders})
    most = amount.maximum if amount.maximum is not None else wanted
    found = [] if amount.minimum <= reached[0] <= reached[-1] <= most else [f"{amount} of {wanted}, and in the end {reached}"]
    used = {place for places in orders for place in places}
    excluded = {evaluated.pool for evaluated in explained.answer.pools if evaluated.verdict is Verdict.CANNOT}
    return [*found, *(f"cannot use {place}, and does" for place in sorted(used & excluded))]


def beyond_shortage(answered: Sequence[Explained], orders: Sequence[Sequence[Mapping[str, int]]]) -> list[str]:
    """The orders in which workloads that share pools have more pods than is possible."""
    short = [(place, explained.shortage) for place, explained in enumerate(answered) if explained.shortage is not None]
    return [
        f"{shortage}, and {sum(sum(order[place].values()) for place, _ in short)} are scheduled"
        for _, shortage in short[:1]
        for order in orders
        if sum(sum(order[place].values()) for place, other in short if other is shortage) > shortage.most
    ]


@pytest.mark.parametrize("seed", [1, 20261122, pytest.param(FRESH, id="a fresh seed")])
def test_as_many_pods_are_scheduled_as_the_interval_says(schedulers: Path, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311  # the same cases for a seed
    cases = [case(chance) for _ in range(CASES)]
    counts: Counter[str] = Counter()
    wrong: list[Any] = []
    for number, (one, orders) in enumerate(zip(cases, theirs(schedulers, [one.asked() for one in cases]), strict=True)):
        answered = one.answered()
        counts.update(["shortages"] * sum(explained.shortage is not None for explained in answered))
        if exceeded := beyond_shortage(answered, orders):
            wrong.append((number, exceeded, one))
        for place, explained in enumerate(answered):
            places = [order[place] for order in orders]
            amount, reached = explained.count.scheduled, sorted(sum(order.values()) for order in places)
            counts.update(["workloads", explained.count.verdict.value])
            counts.update(["exact"] * (amount.minimum == amount.maximum) + ["one end"] * (reached[0] == reached[-1]))
            counts.update(["lowest reached"] * (reached[0] == amount.minimum) + ["highest reached"] * (reached[-1] == amount.maximum))
            if said := differences(explained, places):
                wrong.append((number, place, said, explained.count, one.found, one.pools, one.nodes, one.daemons, places))
    print(f"\nseed {seed}: {dict(counts)}")
    assert not wrong, (len(wrong), wrong[0])
    assert counts["exact"] > 0.35 * counts["workloads"]
