"""Drains and lost zones: what `upgrade` and `explain` predict is what the eviction subresource, the controllers and the scheduler do."""

import json
import os
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from nodepools import AksClusterArgs, AksNetworkArgs, Platform, SystemPool, UserPool, upgrade
from nodepools.clouds.registry import catalog
from nodepools.model.severity import Severity
from tests.cli.conftest import Starter
from tests.oracle.cluster.compared import differences, from_export
from tests.oracle.cluster.control_plane import ControlPlane, Object
from tests.oracle.cluster.random_platforms import ZONE, nodes_of
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


def _drained(cluster: ControlPlane, node: str) -> set[str]:
    """The apps of the pods that cannot be evicted from a node."""
    path = f"/api/v1/nodes/{node}"
    _, body = cluster.server.send("GET", path)
    cluster.server.send("PUT", path, {**body, "spec": {**body["spec"], "unschedulable": True}})
    for _ in range(TRIES):
        left = [pod for pod in cluster.settle() if pod["spec"].get("nodeName") == node]
        for pod in left:
            meta = {key: pod["metadata"][key] for key in ("name", "namespace")}
            at = f"{cluster.path('Pod', meta['namespace'])}/{meta['name']}/eviction"
            status, body = cluster.server.send("POST", at, {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": meta})
            assert status in (201, 429, 500), body
    left = [pod for pod in cluster.settle() if pod["spec"].get("nodeName") == node]
    _, body = cluster.server.send("GET", path)
    cluster.server.send("PUT", path, {**body, "spec": {"providerID": body["spec"]["providerID"]}})
    return {pod["metadata"]["labels"]["app"] for pod in left}


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


def _without(export: Object, lost: Mapping[str, Object]) -> Object:
    """The export, as it is when nodes are gone with the pods on them."""
    kept = [
        one
        for one in export["items"]
        if not (one["kind"] == "Node" and one["metadata"]["name"] in lost) and not (one["kind"] == "Pod" and one["spec"].get("nodeName") in lost)
    ]
    return {**export, "items": kept}


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
        if chance.random() < 0.3 or len(lost) == len(nodes):
            lost = dict(chance.sample(sorted(nodes.items()), 1))
        if not one.before or len(lost) == len(nodes):
            continue
        control_plane.clear()
        control_plane.apply([*one.nodes, *one.next_to, *one.before])
        before = control_plane.settle()
        predicted = from_export(starter, tmp_path, _without(control_plane.export(), lost), one.before)
        for name in lost:
            control_plane.lose(name)
        pods = control_plane.settle()
        counts.update(lost=1)
        if isinstance(predicted, str):
            wrong.append(f"{number}: refused: {predicted}")
            continue
        said = differences(predicted, before, pods, [name for name in nodes if name not in lost], counts)
        wrong += [f"{number} without {sorted(lost)}: {text}" for text in said]
    print(f"\nseed {SEED}: {dict(counts)}")
    assert not wrong, "\n".join(wrong)
