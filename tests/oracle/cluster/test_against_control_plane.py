"""Random AKS clusters and workloads: what `explain` predicts is what a real control plane does."""

import os
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from nodepools import Platform
from nodepools.clouds.registry import catalog
from tests.cli.conftest import Starter
from tests.oracle.cluster.compared import Predicted, differences, from_declaration, from_export, lacks_pods
from tests.oracle.cluster.control_plane import ControlPlane, Object
from tests.oracle.cluster.random_devices import add_novelties, claims, devices
from tests.oracle.cluster.random_platforms import nodes_of, platform
from tests.oracle.cluster.random_workloads import changed, objects, workloads

SEED = int(os.environ.get("CLUSTER_SEED", "40"))
PLACEMENTS = int(os.environ.get("CLUSTER_PLACEMENTS", "40"))
WITH_DEVICES = 0.4
"""The share of clusters with devices."""
APPS = ("web", "api", "batch", "cache", "agent", "shop")


@dataclass(frozen=True)
class Case:
    """A cluster with its nodes, what runs in it, and what is deployed then."""

    declared: Platform
    nodes: Sequence[Object]
    next_to: Sequence[Object]
    before: Sequence[Object]
    found: Sequence[Object]
    most_nodes: bool

    @property
    def names(self) -> list[str]:
        return [one["metadata"]["name"] for one in self.nodes if one["kind"] == "Node"]


def case(seed: str) -> Case:
    chance, own = random.Random(seed), random.Random(f"{seed}/own")  # noqa: S311  # the same cases for a seed
    declared = platform(chance)
    pools = catalog(declared)[0].static
    most = chance.random() < 0.6
    names = chance.sample(APPS, len(APPS))
    keys = [pool.address.rpartition("/")[2] for pool in pools]
    first, count = chance.choice((0, 0, 1, 2, 3)), chance.choice((1, 1, 2, 3))
    before = workloads(chance, names[:first], keys)
    with_devices = own.random() < WITH_DEVICES
    add_novelties(before, own, with_devices=with_devices)
    scaled = [changed(one, chance) for one in before if one["spec"].get("replicas") and chance.random() < 0.4]
    found = workloads(chance, names[first : first + count], keys)
    add_novelties(found, own, with_devices=with_devices)
    nodes = [one for pool in pools for one in nodes_of(pool, pool.max_nodes if most else pool.min_nodes, chance)]
    for one in nodes if before else ():  # a declaration does not tell
        if one["kind"] == "Node" and chance.random() < 0.05:
            one["spec"]["unschedulable"] = True
    next_to = [*objects(chance), *(devices(nodes, own) if with_devices else ())]
    return Case(declared, nodes, next_to, before, [*scaled, *found], most)


def predictions(one: Case, cluster: ControlPlane, starter: Starter, folder: Path) -> Iterator[Predicted | str]:
    yield from_export(starter, folder, cluster.export(), one.found)
    if not one.before:
        yield from_declaration(one.declared, [*one.next_to, *one.found], most_nodes=one.most_nodes)


def existing(one: Case, cluster: ControlPlane, starter: Starter, folder: Path, counts: Counter[str]) -> list[str]:
    cluster.clear()
    assert not cluster.apply([*one.nodes, *one.next_to])
    if one.before:
        cluster.apply(one.before)
        cluster.settle()
    before = cluster.all("Pod")
    predicted = list(predictions(one, cluster, starter, folder))
    rejected = cluster.apply(one.found)
    pods = cluster.settle()
    counts.update(claiming=sum(map(claims, one.found)))
    found: list[str] = []
    for answers in predicted:
        if isinstance(answers, str):
            found += [] if rejected or lacks_pods(one.found, pods) else [f"refused: {answers}"]
        else:
            found += [f"{'export' if answers.by_node else 'declared'}: {text}" for text in differences(answers, before, pods, one.names, counts)]
    return found


def test_what_is_predicted_is_observed(control_plane: ControlPlane, starter: Starter, tmp_path: Path) -> None:
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    number = 0
    while counts["placements"] < PLACEMENTS:
        number += 1
        seed = f"{SEED}/{number}"
        start = time.monotonic()
        said = [f"{seed} {text}" for text in existing(case(seed), control_plane, starter, tmp_path, counts)]
        wrong += said
        print(f"{seed} {time.monotonic() - start:.1f}", *said, sep="\n   ", flush=True)
    print(f"\nseed {SEED}: {number} clusters, {dict(counts)}")
    assert not wrong, "\n".join(wrong)
