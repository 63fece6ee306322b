"""Drains, lost zones, removed and rotated nodes: what `upgrade` and `explain` predict is what evictions, the controllers and the scheduler do."""

import json
import os
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from nodepools import AksClusterArgs, AksNetworkArgs, Platform, SystemPool, UserPool, upgrade
from nodepools.clouds.registry import catalog
from nodepools.model.severity import Severity
from nodepools.placement.static_pools import StaticPool
from tests.cli.conftest import Starter
from tests.oracle.cluster.compared import differences, from_export, lacks_pods, without
from tests.oracle.cluster.control_plane import ControlPlane, Object
from tests.oracle.cluster.random_platforms import HOST, ZONE, nodes_of
from tests.oracle.cluster.test_against_control_plane import SEED, case

DISRUPTIONS = int(os.environ.get("CLUSTER_DISRUPTIONS", "6"))
TRIES = 5
"""How often pods are evicted: another of the same budget may have to be ready first."""
ROOMY = Platform(
    name="oracle",
    clusters={
        "weu": AksClusterArgs(
            location="westeurope",
            kubernetes_version="1.35",
            network=AksNetworkArgs(cidr="10.10.0.0/16"),
            system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=1),
            pools={"web": UserPool(vm_size="Standard_D8ds_v5", count=3, zones=[1, 2, 3])},
        )
    },
)
AMOUNTS = (0, 1, 2, 3, "0%", "1%", "34%", "50%", "67%", "100%")


def _protected(chance: random.Random, name: str) -> list[Object]:
    """A workload with room on every node, and its PodDisruptionBudgets."""
    spec = {"containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": "10m"}}}]}
    template = {"metadata": {"labels": {"app": name, "tier": "web"}}, "spec": spec}
    kind, replicas = chance.choice(("Deployment", "Deployment", "StatefulSet", "ReplicaSet")), chance.choice((1, 2, 3, 5))
    meta = {"name": name, "namespace": "default"}
    selector = {"matchLabels": {"app": name}}
    owner = {"replicas": replicas, "selector": selector, "template": template, **({"serviceName": name} if kind == "StatefulSet" else {})}
    made: list[Object] = [{"apiVersion": "apps/v1", "kind": kind, "metadata": meta, "spec": owner}]
    for number in range(chance.choice((0, 1, 1, 1, 1, 2))):
        allowed = {chance.choice(("minAvailable", "maxUnavailable")): chance.choice(AMOUNTS)}
        selects = chance.choice((selector, selector, {"matchExpressions": [{"key": "app", "operator": "In", "values": [name, "none"]}]}))
        budget = {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {**meta, "name": f"{name}-{number}"}}
        made.append({**budget, "spec": {"selector": selects, **allowed}})
    return made


def _drained(cluster: ControlPlane, node: str, *, uncordon: bool = True) -> set[str]:
    """The apps of the pods that cannot be evicted from a node; those of DaemonSets stay."""
    path = f"/api/v1/nodes/{node}"
    _, body = cluster.server.send("GET", path)
    cluster.server.send("PUT", path, {**body, "spec": {**body["spec"], "unschedulable": True}})
    for _ in range(TRIES):
        left = _evictable(cluster, node)
        if not left:
            break
        for pod in left:
            meta = {key: pod["metadata"][key] for key in ("name", "namespace")}
            at = f"{cluster.path('Pod', meta['namespace'])}/{meta['name']}/eviction"
            status, body = cluster.server.send("POST", at, {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": meta})
            assert status in (201, 429, 500), body
    left = _evictable(cluster, node)
    if uncordon:
        _, body = cluster.server.send("GET", path)
        cluster.server.send("PUT", path, {**body, "spec": {"providerID": body["spec"]["providerID"]}})
    return {pod["metadata"]["labels"]["app"] for pod in left}


def _evictable(cluster: ControlPlane, node: str) -> list[Object]:
    on_node = [pod for pod in cluster.settle() if pod["spec"].get("nodeName") == node]
    return [pod for pod in on_node if not any(owner["kind"] == "DaemonSet" for owner in pod["metadata"].get("ownerReferences", ()))]


def _blocked(written: Sequence[Object]) -> set[str]:
    """The apps whose PodDisruptionBudgets block, as `upgrade` says."""
    [found] = upgrade(ROOMY, "1.36", workloads=json.dumps({"apiVersion": "v1", "kind": "List", "items": written}))
    names = {(blocker.subject or "").rpartition("/")[2] for blocker in found.blockers if blocker.severity is Severity.ERROR}
    return {name.partition("-")[0] for name in names}


def test_drains_stop_where_upgrade_says(control_plane: ControlPlane) -> None:
    wrong: list[str] = []
    counts: Counter[str] = Counter()
    for number in range(DISRUPTIONS):
        chance = random.Random(f"{SEED}/drain/{number}")  # noqa: S311  # the same cases for a seed
        written = [one for name in ("web", "api", "batch", "cache") for one in _protected(chance, name)]
        control_plane.clear()
        web = next(pool for pool in catalog(ROOMY)[0].static if pool.address == "weu/web")
        nodes = list(nodes_of(web, 3, chance))
        assert not control_plane.apply([*nodes, *written])
        control_plane.settle()
        stuck = {app for one in nodes if one["kind"] == "Node" for app in _drained(control_plane, one["metadata"]["name"])}
        expected = _blocked(written)
        counts.update(drained=1, stuck=len(stuck))
        if stuck != expected:
            wrong.append(f"{number}: upgrade names {sorted(expected)}, and {sorted(stuck)} cannot be drained: {json.dumps(written)}")
    print(f"\nseed {SEED}: {dict(counts)}")
    assert not wrong, "\n".join(wrong)


def test_what_is_predicted_without_a_zone_or_a_node(control_plane: ControlPlane, starter: Starter, tmp_path: Path) -> None:
    wrong: list[str] = []
    counts: Counter[str] = Counter()
    number = 0
    while counts["lost"] < DISRUPTIONS:
        number += 1
        one, chance = case(f"{SEED}/lost/{number}"), random.Random(number)  # noqa: S311  # the same cases for a seed
        nodes = {made["metadata"]["name"]: made for made in one.nodes if made["kind"] == "Node"}
        zone = chance.choice(sorted({made["metadata"]["labels"][ZONE] for made in nodes.values()}))
        lost = {name: made for name, made in nodes.items() if made["metadata"]["labels"][ZONE] == zone}
        is_zone = zone.startswith("westeurope-") and chance.random() < 0.7
        if not is_zone:
            lost = dict(chance.sample(sorted(nodes.items()), 1))
        workloads = [written for written in one.before if written["kind"] not in ("Job", "Pod")]  # a Job waits before it creates others
        if not workloads or len(lost) == len(nodes):
            continue
        control_plane.clear()
        if control_plane.apply([*one.nodes, *one.next_to, *workloads]):
            continue
        before = control_plane.settle()
        export = control_plane.export()
        predicted = [from_export(starter, tmp_path, without(export, lost), workloads)]
        if is_zone:
            predicted.append(from_export(starter, tmp_path, export, workloads, "--without", f"zone={zone[-1]}"))
        control_plane.lose(*lost)
        pods = control_plane.settle()
        counts.update(lost=1)
        left = [name for name in nodes if name not in lost]
        for answers in predicted:
            if isinstance(answers, str):
                said = [] if lacks_pods(workloads, pods) else [f"refused: {answers}"]
            else:
                said = list(differences(answers, before, pods, left, counts))
            wrong += [f"{number} without {sorted(lost)}: {text}" for text in said]
    print(f"\nseed {SEED}: {dict(counts)}")
    assert not wrong, "\n".join(wrong)


def _surge(pool: StaticPool, old: str, taken: Mapping[str, Object], chance: random.Random) -> list[Object]:
    """A new node of the pool of another one, in any of the pool's zones."""
    made = list(nodes_of(pool, len(taken) + 1, chance))[-2:]
    name = f"{old}-new"
    for one in made:
        one["metadata"]["name"] = name
    made[0]["metadata"]["labels"][HOST] = made[1]["spec"]["drivers"][0]["nodeID"] = name
    return made


def test_what_is_predicted_of_a_removed_and_of_a_rotated_node(control_plane: ControlPlane, starter: Starter, tmp_path: Path) -> None:
    """An autoscaler drains a node, and removes it; a rotation first adds another. A node whose pods a PodDisruptionBudget keeps stays."""
    wrong: list[str] = []
    counts: Counter[str] = Counter()
    number = 0
    while counts["removed"] + counts["rotated"] < DISRUPTIONS:
        number += 1
        one, chance = case(f"{SEED}/moved/{number}"), random.Random(number)  # noqa: S311  # the same cases for a seed
        nodes = {made["metadata"]["name"]: made for made in one.nodes if made["kind"] == "Node"}
        workloads = [written for written in one.before if written["kind"] not in ("Job", "Pod")]  # as above
        if not workloads or len(nodes) < 2:
            continue
        is_rotated = counts["rotated"] < counts["removed"]
        control_plane.clear()
        if control_plane.apply([*one.nodes, *one.next_to, *workloads, *_budgets(workloads, chance)]):
            continue
        before = control_plane.settle()
        old = chance.choice(sorted({pod["spec"]["nodeName"] for pod in before if pod["spec"].get("nodeName")}) or sorted(nodes))
        pool = next(pool for pool in catalog(one.declared)[0].static if pool.address.rpartition("/")[2] == old.rpartition("-")[0])
        new = _surge(pool, old, nodes, chance) if is_rotated else []
        export = control_plane.export()
        assert not control_plane.apply(new)
        after = {**export, "items": [*export["items"], *(made for made in new if made["kind"] == "Node")]}
        answers = from_export(starter, tmp_path, without(after, {old: nodes[old]}), workloads)
        if _drained(control_plane, old, uncordon=False):
            counts.update(kept=1)
            continue
        control_plane.lose(old)
        pods = control_plane.settle()
        counts.update(rotated=int(is_rotated), removed=int(not is_rotated))
        left = [*(name for name in nodes if name != old), *(made["metadata"]["name"] for made in new if made["kind"] == "Node")]
        if isinstance(answers, str):
            said = [] if lacks_pods(workloads, pods) else [f"refused: {answers}"]
        else:
            said = list(differences(answers, before, pods, left, counts, "unschedulable"))
        wrong += [f"{number} {'rotated' if is_rotated else 'removed'} {old}: {text}" for text in said]
    print(f"\nseed {SEED}: {dict(counts)}")
    assert not wrong, "\n".join(wrong)


def _budgets(workloads: Sequence[Object], chance: random.Random) -> list[Object]:
    """PodDisruptionBudgets of some workloads."""
    return [
        {
            "apiVersion": "policy/v1",
            "kind": "PodDisruptionBudget",
            "metadata": {"name": one["metadata"]["name"], "namespace": one["metadata"]["namespace"]},
            "spec": {"selector": one["spec"]["selector"], chance.choice(("minAvailable", "maxUnavailable")): chance.choice(AMOUNTS)},
        }
        for one in workloads
        if chance.random() < 0.4
    ]
