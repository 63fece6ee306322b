"""Simulated histories: the objects of a cluster before and after a change, as an API server lists them."""

import json
from collections.abc import Mapping
from copy import deepcopy
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

HOUR = timedelta(hours=1)
NOW = datetime.now(UTC).replace(microsecond=0)
BEFORE, AFTER = NOW - 24 * HOUR, NOW + 24 * HOUR


def at(time: datetime) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")


class Cluster:
    """A cluster whose nodes come and go."""

    def __init__(self, time: datetime = BEFORE) -> None:
        self.objects: list[dict[str, Any]] = []
        self.time = time
        self.ready: dict[str, str] = {}
        """The status of the condition `Ready`, where it is not `True`."""

    def moved(self, time: datetime) -> "Cluster":
        """The same at another time: new nodes are created then."""
        self.time = time
        return self

    def node(self, name: str, labels: Mapping[str, str], **more: str) -> "Cluster":
        started = f"{name}-{self.time:%d%H%M}"
        info = {"kubeletVersion": more.get("version", "v1.35.2"), "bootID": f"boot-{started}", "machineID": f"machine-{started}"}
        labels = {"kubernetes.azure.com/node-image-version": "AKSUbuntu-2404-1", **labels}
        self.objects.append(
            {
                "apiVersion": "v1",
                "kind": "Node",
                "metadata": {"name": name, "uid": f"uid-{started}", "creationTimestamp": at(self.time), "labels": labels},
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

    def pod(self, name: str, *, pending: bool = False, owner: str = "web-5d4f", **why: str) -> "Cluster":
        conditions = [{"type": "PodScheduled", "status": "False", "reason": "Unschedulable", **why}] if pending else []
        owners = [{"kind": "ReplicaSet", "name": owner}]
        spec: dict[str, Any] = {"containers": [{"name": "c", "image": "i"}], **({} if pending else {"nodeName": "s0"})}
        metadata = {"name": name, "namespace": "shop", "uid": name, "ownerReferences": owners}
        status = {"phase": "Pending" if pending else "Running", "conditions": conditions}
        self.objects.append({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec, "status": status})
        return self

    def event(self, node: str, message: str, time: datetime = NOW + HOUR) -> "Cluster":
        about = {"kind": "Node", "name": node}
        metadata = {"name": f"{node}.1", "namespace": "default", "uid": f"{node}.1"}
        event = {"apiVersion": "v1", "kind": "Event", "metadata": metadata, "involvedObject": about, "reason": "DisruptionTerminating"}
        self.objects.append({**event, "message": message, "lastTimestamp": at(time)})
        return self

    def without(self, *names: str) -> "Cluster":
        """The cluster a day later, in which these nodes are gone."""
        later = Cluster()
        later.time = AFTER
        told = [one for one in deepcopy(self.objects) if one["kind"] != "Event"]
        later.objects = [one for one in told if one["metadata"]["name"].removeprefix("claim-") not in names]
        return later

    def reimaged(self, name: str, image: str, version: str = "v1.35.2") -> "Cluster":
        """The node has another installation, and is registered again."""
        found = self._named(name)
        found["metadata"]["uid"] += "-again"
        found["metadata"]["labels"]["kubernetes.azure.com/node-image-version"] = image
        found["status"]["nodeInfo"].update(bootID="other", machineID="other", kubeletVersion=version)
        return self

    def restarted(self, name: str) -> "Cluster":
        """The node has started again."""
        self._named(name)["status"]["nodeInfo"]["bootID"] = "other"
        return self

    def _named(self, name: str) -> dict[str, Any]:
        return next(one for one in self.objects if one["kind"] == "Node" and one["metadata"]["name"] == name)

    def exported(self) -> list[dict[str, Any]]:
        """The objects, with the time of the export."""
        for one in self.objects:
            if one["kind"] == "Node":
                one["status"]["conditions"] = [
                    {"type": "Ready", "status": self.ready.get(one["metadata"]["name"], "True"), "lastHeartbeatTime": at(self.time)}
                ]
        return self.objects

    def export(self, folder: Path, name: str) -> str:
        """Writes a folder with one list."""
        (folder / name).mkdir(exist_ok=True)
        (folder / name / "weu.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": self.exported()}))
        return name
