"""`--record`, `nodepools compare` and `nodepools ledger`: predictions next to simulated histories of clusters."""

import json
from collections.abc import Mapping, Sequence
from copy import deepcopy
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

OLD = """name: shop
clusters:
  weu:
    kind: AksCluster
    location: westeurope
    kubernetes_version: "1.35"
    network: {kind: AksNetwork, cidr: 10.10.0.0/16}
    system_pool: {vm_size: Standard_D4ds_v5, count: 2}
    pools:
      web: {kind: UserPool, vm_size: Standard_D4ds_v5, count: 2}
      batch: {kind: UserPool, vm_size: Standard_D4ds_v5, scale: {min: 1, max: 5}}
    node_provisioning:
      node_pools:
        general: {requirements: [{key: kubernetes.io/arch, operator: In, values: [amd64]}]}
        spare: {requirements: [{key: kubernetes.io/arch, operator: In, values: [amd64]}]}
"""
NEW = OLD.replace("web: {kind: UserPool, vm_size: Standard_D4ds_v5", "web: {kind: UserPool, vm_size: Standard_D8ds_v5").replace(
    "general: {", "general: {labels: {tier: app}, "
)
"""The agent pool `web` rotates, and Karpenter replaces the nodes of `general`."""
HOUR = timedelta(hours=1)
NOW = datetime.now(UTC).replace(microsecond=0)
BEFORE, AFTER = NOW - 24 * HOUR, NOW + 24 * HOUR
WEB_OLD, WEB_NEW = "webcaq1", "webi6o9"


def at(time: datetime) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")


class Cluster:
    """A cluster whose nodes come and go."""

    def __init__(self) -> None:
        self.objects: list[dict[str, Any]] = []
        self.time = BEFORE

    def node(self, name: str, labels: Mapping[str, str], **more: str) -> "Cluster":
        info = {"kubeletVersion": more.get("version", "v1.35.2"), "bootID": f"boot-{name}-{self.time}", "machineID": f"machine-{name}-{self.time}"}
        labels = {"kubernetes.azure.com/node-image-version": "AKSUbuntu-2404-1", **labels}
        self.objects.append(
            {
                "apiVersion": "v1",
                "kind": "Node",
                "metadata": {"name": name, "uid": f"uid-{name}-{self.time}", "creationTimestamp": at(self.time), "labels": labels},
                "spec": {"providerID": f"azure:///{name}"},
                "status": {"nodeInfo": info, "capacity": {"cpu": "4"}},
            }
        )
        return self

    def agent(self, name: str, generation: str, key: str, **more: str) -> "Cluster":
        return self.node(name, {"kubernetes.azure.com/agentpool": generation, "nodepools/name": key}, **more)

    def karpenter(self, name: str, pool: str, digest: str, **more: str) -> "Cluster":
        conditions = [{"type": "Drifted", "status": "True", "reason": more["drift"]}] if "drift" in more else []
        annotations = {"karpenter.sh/nodepool-hash": digest, "karpenter.sh/nodepool-hash-version": "v3"}
        self.objects.append(
            {
                "apiVersion": "karpenter.sh/v1",
                "kind": "NodeClaim",
                "metadata": {"name": f"claim-{name}", "uid": f"claim-{name}", "annotations": annotations, "labels": {"karpenter.sh/nodepool": pool}},
                "status": {"nodeName": name, "providerID": f"azure:///{name}", "conditions": conditions},
            }
        )
        return self.node(name, {"karpenter.sh/nodepool": pool}, **more)

    def pod(self, name: str, *, pending: bool = False, owner: str = "web-5d4f") -> "Cluster":
        conditions = [{"type": "PodScheduled", "status": "False", "reason": "Unschedulable"}] if pending else []
        owners = [{"kind": "ReplicaSet", "name": owner}]
        spec: dict[str, Any] = {"containers": [{"name": "c", "image": "i"}], **({} if pending else {"nodeName": "s0"})}
        metadata = {"name": name, "namespace": "shop", "uid": name, "ownerReferences": owners}
        status = {"phase": "Pending" if pending else "Running", "conditions": conditions}
        self.objects.append({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec, "status": status})
        return self

    def event(self, node: str, message: str) -> "Cluster":
        about = {"kind": "Node", "name": node}
        metadata = {"name": f"{node}.1", "namespace": "default", "uid": f"{node}.1"}
        event = {"apiVersion": "v1", "kind": "Event", "metadata": metadata, "involvedObject": about, "reason": "DisruptionTerminating"}
        self.objects.append({**event, "message": message, "lastTimestamp": at(NOW + HOUR)})
        return self

    def without(self, *names: str) -> "Cluster":
        """The cluster a day later, in which these nodes are gone."""
        later = Cluster()
        later.time = AFTER
        told = [one for one in deepcopy(self.objects) if one["kind"] != "Event"]
        later.objects = [one for one in told if one["metadata"]["name"].removeprefix("claim-") not in names]
        return later

    def reimaged(self, name: str, image: str) -> "Cluster":
        """The node has another installation, and is registered again."""
        found = next(one for one in self.objects if one["metadata"]["name"] == name)
        found["metadata"]["uid"] += "-again"
        found["metadata"]["labels"]["kubernetes.azure.com/node-image-version"] = image
        found["status"]["nodeInfo"].update(bootID="other", machineID="other")
        return self

    def export(self, folder: Path, name: str) -> str:
        for one in self.objects:
            if one["kind"] == "Node":
                one["status"]["conditions"] = [{"type": "Ready", "status": "True", "lastHeartbeatTime": at(self.time)}]
        (folder / name).mkdir(exist_ok=True)
        (folder / name / "weu.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": self.objects}))
        return name


def running() -> Cluster:
    cluster = Cluster().agent("s0", "system", "system").agent("s1", "system", "system")
    cluster.agent("w0", WEB_OLD, "web").agent("w1", WEB_OLD, "web").agent("b0", "batchgy1s", "batch")
    return cluster.karpenter("g0", "general", "1").karpenter("g1", "general", "1").karpenter("p0", "spare", "7").pod("web-5d4f-x")


def changed(*, old: Sequence[str] = ("w0", "w1", "g0", "g1")) -> Cluster:
    """What the edit does."""
    later = running().without(*old)
    later.agent("w2", WEB_NEW, "web").agent("w3", WEB_NEW, "web")
    later.time += HOUR
    return later.karpenter("g2", "general", "2").karpenter("g3", "general", "2")


class Ledger:
    """A folder with a record."""

    def __init__(self, run: Any, folder: Path) -> None:
        self.folder = folder
        self.run = lambda *arguments: run(*arguments, cwd=folder)
        (folder / "old.yaml").write_text(OLD)
        (folder / "new.yaml").write_text(NEW)

    def record(self, *more: str, cluster: Cluster | None = None) -> Any:
        existing = ("--existing", cluster.export(self.folder, "before")) if cluster is not None else ()
        return self.run("diff", "old.yaml", "new.yaml", "--record", "r.json", *existing, *more)

    def compare(self, cluster: Cluster, *more: str) -> Any:
        return self.run("compare", "r.json", "--file", "new.yaml", "--existing", cluster.export(self.folder, "after"), *more)

    def verdicts(self, cluster: Cluster, *more: str) -> dict[str, tuple[str, str]]:
        told = json.loads(self.compare(cluster, "--format", "json", *more).out)
        return {one["pool"]: (one["verdict"], one["message"]) for one in told["results"]}


@pytest.fixture
def book(nodepools, tmp_path):
    return Ledger(nodepools, tmp_path)


@pytest.fixture
def recorded(book):
    assert book.record(cluster=running()).status == 0
    return book


def test_a_change_that_did_what_was_predicted(recorded):
    answer = recorded.compare(changed())
    assert answer.status == 0, answer.all
