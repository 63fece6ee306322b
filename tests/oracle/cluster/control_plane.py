"""What the tests ask of the control plane: objects are created, the kubelets and the provisioner of disks are played, and all is awaited."""

import http.client
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.oracle.crds.conftest import Server

Object = dict[str, Any]
Claimed = tuple[str, str, str]
"""The field of a pod that names a claim of devices, the namespace and the name."""
PATHS: Final = {
    "Namespace": "/api/v1/namespaces",
    "Node": "/api/v1/nodes",
    "CSINode": "/apis/storage.k8s.io/v1/csinodes",
    "StorageClass": "/apis/storage.k8s.io/v1/storageclasses",
    "PersistentVolume": "/api/v1/persistentvolumes",
    "PriorityClass": "/apis/scheduling.k8s.io/v1/priorityclasses",
    "RuntimeClass": "/apis/node.k8s.io/v1/runtimeclasses",
    **{kind: f"/api/v1/namespaces/{{}}/{kind.lower()}s" for kind in ("Pod", "LimitRange", "ResourceQuota", "PersistentVolumeClaim")},
    **{kind: f"/apis/apps/v1/namespaces/{{}}/{kind.lower()}s" for kind in ("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet")},
    "Job": "/apis/batch/v1/namespaces/{}/jobs",
    "PodDisruptionBudget": "/apis/policy/v1/namespaces/{}/poddisruptionbudgets",
    "DeviceClass": "/apis/resource.k8s.io/v1/deviceclasses",
    "ResourceSlice": "/apis/resource.k8s.io/v1/resourceslices",
    "DeviceTaintRule": "/apis/resource.k8s.io/v1/devicetaintrules",
    **{kind: f"/apis/resource.k8s.io/v1/namespaces/{{}}/{kind.lower()}s" for kind in ("ResourceClaim", "ResourceClaimTemplate")},
}
"""Where objects of a kind are; `{}`: their namespace."""
EXPORTED: Final = (
    *("Node", "Pod", "PersistentVolume", "PersistentVolumeClaim", "StorageClass", "Namespace", "LimitRange", "ResourceQuota"),
    *("PriorityClass", "RuntimeClass", "PodDisruptionBudget", "Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "Job"),
    *("DeviceClass", "DeviceTaintRule", "ResourceSlice", "ResourceClaim", "ResourceClaimTemplate"),
)
_CLEARED: Final = (
    *("Deployment", "StatefulSet", "DaemonSet", "Job", "ReplicaSet"),
    *("PersistentVolumeClaim", "LimitRange", "ResourceQuota", "PodDisruptionBudget", "ResourceClaimTemplate"),
)
_TRIED: Final = 5
"""Seconds after which another try changes nothing."""
SELECTED = "volume.kubernetes.io/selected-node"
_QUEUE = re.compile(r'^scheduler_pending_pods\{queue="(\w+)"\} (\S+)$', re.MULTILINE)


@dataclass
class ControlPlane:
    """A cluster without kubelets: `settle` does their work."""

    server: Server
    scheduler: Server
    kubeconfig: Path
    quiet: float = 0.5
    """Seconds without a change."""

    def pending_pods(self) -> Mapping[str, float]:
        """The lengths of the scheduler's queues, as its metrics tell."""
        connection = http.client.HTTPSConnection("127.0.0.1", self.scheduler.port, context=self.scheduler.context, timeout=30)
        try:
            connection.request("GET", "/metrics")
            return {queue: float(number) for queue, number in _QUEUE.findall(connection.getresponse().read().decode())}
        finally:
            connection.close()

    def path(self, kind: str, namespace: str) -> str:
        return PATHS[kind].format(namespace)

    def apply(self, objects: Iterable[Object]) -> list[tuple[Object, str]]:
        """Creates objects with their status, or replaces them; returns those that the server rejects, with its reason."""
        rejected: list[tuple[Object, str]] = []
        for one in objects:
            path = self.path(one["kind"], one["metadata"].get("namespace", "default"))
            status, body = self.server.send("POST", path, one)
            if status == 409:
                status, body = self.server.send("PUT", f"{path}/{one['metadata']['name']}", one)
                status = 201 if status == 200 else status
            if status == 201 and one.get("status"):
                status, body = self.server.send("PUT", f"{path}/{one['metadata']['name']}/status", {**body, "status": one["status"]})
                assert status == 200, body
            elif status != 201:
                rejected.append((one, body["message"]))
        return rejected

    def all(self, kind: str) -> list[Object]:
        """All objects of a kind, with the kind, as `kubectl get -A` prints them."""
        path = PATHS[kind].replace("/namespaces/{}", "")
        status, body = self.server.send("GET", path)
        assert status == 200, body
        return [{"apiVersion": body["apiVersion"], "kind": kind, **item} for item in body["items"]]

    def export(self) -> Object:
        return {"apiVersion": "v1", "kind": "List", "items": [one for kind in EXPORTED for one in self.all(kind)]}

    def clear(self) -> None:
        """Deletes everything but namespaces."""
        spaces = [one["metadata"]["name"] for one in self.all("Namespace")]
        for kind in _CLEARED:
            for space in spaces:
                self.server.send("DELETE", f"{self.path(kind, space)}?propagationPolicy=Background")
        end = time.monotonic() + 60
        while pods := self.all("Pod"):
            for pod in pods:
                self._delete_now(pod)
            self._delete_claims()
            assert time.monotonic() < end, "pods are not deleted"
        self._delete_claims()
        for kind in ("Node", "CSINode", "PersistentVolume", "StorageClass", "RuntimeClass", "ResourceSlice", "DeviceClass", "DeviceTaintRule"):
            self.server.send("DELETE", PATHS[kind])
        for volume in self.all("PersistentVolume"):
            self._unprotect(volume)
        for one in self.all("PriorityClass"):
            if not one["metadata"]["name"].startswith("system-"):
                self.server.send("DELETE", f"{PATHS['PriorityClass']}/{one['metadata']['name']}")

    def _delete_claims(self) -> None:
        for kind in ("PersistentVolumeClaim", "ResourceClaim"):
            for claim in self.all(kind):
                self._unprotect(claim)

    def _unprotect(self, one: Object) -> None:
        path = f"{self.path(one['kind'], one['metadata'].get('namespace', ''))}/{one['metadata']['name']}"
        one["metadata"]["finalizers"] = []
        self.server.send("PUT", path, one)
        self.server.send("DELETE", path)

    def _delete_now(self, pod: Object) -> None:
        self.server.send("DELETE", f"{self.path('Pod', pod['metadata']['namespace'])}/{pod['metadata']['name']}?gracePeriodSeconds=0")

    def lose(self, *nodes: str) -> None:
        """Nodes that are gone, all before their pods: the controllers of these create others."""
        for node in nodes:
            self.server.send("DELETE", f"{PATHS['Node']}/{node}")
            self.server.send("DELETE", f"{PATHS['CSINode']}/{node}")
        for one in self.all("ResourceSlice"):
            if one["spec"].get("nodeName") in nodes:
                self.server.send("DELETE", f"{PATHS['ResourceSlice']}/{one['metadata']['name']}")
        for pod in self.all("Pod"):
            if pod["spec"].get("nodeName") in nodes:
                self._delete_now(pod)

    def settle(self, seconds: float = 60) -> list[Object]:
        """All pods, when nothing moves any more."""
        before, since, end = None, time.monotonic(), time.monotonic() + seconds
        while True:
            moved = self._provision()
            pods = self.all("Pod")
            moved |= any([self._as_kubelet(pod) for pod in pods])  # noqa: C419  # each of them
            seen = [(pod["metadata"]["uid"], pod["spec"].get("nodeName"), bool(_unschedulable(pod))) for pod in pods]
            if moved or seen != before:
                before, since = seen, time.monotonic()
            queues = self.pending_pods()
            claimable = self._claimable()
            decided = all(node or waits or gated(pod) or not claimable >= _claims(pod) for (_, node, waits), pod in zip(seen, pods, strict=True))
            quiet = time.monotonic() - since
            tries_again = queues["backoff"] and self.all("Node")  # without any node, every pod is tried again and again
            fails = quiet > _TRIED  # a selector of devices that fails: the scheduler tries the pod again and again
            idle = decided and not queues["active"] and (fails or not tries_again)
            if idle and quiet > self._quiet_for(pods) and (quiet > 5 * self.quiet or self._is_complete(pods)):
                return pods
            assert time.monotonic() < end, f"it does not settle: {queues}, {[one for one in seen if not one[1] and not one[2]]}"
            time.sleep(0.15)

    def _quiet_for(self, _: Sequence[Object]) -> float:
        """Seconds without a change, after which nothing of these pods moves."""
        return self.quiet

    def _claimable(self) -> set[Claimed]:
        """The claims and the templates that pods can name."""
        kinds = {"ResourceClaim": "resourceClaimName", "ResourceClaimTemplate": "resourceClaimTemplateName"}
        return {(of, one["metadata"]["namespace"], one["metadata"]["name"]) for kind, of in kinds.items() for one in self.all(kind)}

    def _is_complete(self, pods: Sequence[Object]) -> bool:
        """Controllers have created all pods, or will create no more."""
        waiting = {owner["uid"] for pod in pods if not pod["spec"].get("nodeName") for owner in pod["metadata"].get("ownerReferences", ())}
        return all(
            one["metadata"]["uid"] in waiting or _created(one)
            for kind in ("Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "Job")
            for one in self.all(kind)
        )

    def _as_kubelet(self, pod: Object) -> bool:
        """What the kubelet of a pod's node does: starts it, and ends it when it is deleted."""
        if pod["metadata"].get("deletionTimestamp"):
            self._delete_now(pod)
            return True
        if not pod["spec"].get("nodeName") or pod.get("status", {}).get("phase") != "Pending":
            return False
        conditions = [*pod["status"].get("conditions", ()), {"type": "Ready", "status": "True"}]
        path = f"{self.path('Pod', pod['metadata']['namespace'])}/{pod['metadata']['name']}/status"
        self.server.send("PUT", path, {**pod, "status": {**pod["status"], "phase": "Running", "conditions": conditions}})
        return True

    def _provision(self) -> bool:
        """What the CSI provisioner does: a disk in the zone of the node that the scheduler selected."""
        classes = {one["metadata"]["name"]: one for one in self.all("StorageClass")}
        nodes = {one["metadata"]["name"]: one for one in self.all("Node")}
        made = False
        for claim in self.all("PersistentVolumeClaim"):
            metadata, spec = claim["metadata"], claim["spec"]
            selected = metadata.get("annotations", {}).get(SELECTED)
            if selected is None or claim["status"]["phase"] != "Pending" or spec.get("volumeName"):
                continue
            name = f"pvc-{metadata['uid']}"
            driver = classes[spec["storageClassName"]]["provisioner"]
            zone = nodes[selected]["metadata"]["labels"][ZONE_OF_DISKS]
            topology = [{"matchExpressions": [{"key": ZONE_OF_DISKS, "operator": "In", "values": [zone]}]}]
            volume = {
                "apiVersion": "v1",
                "kind": "PersistentVolume",
                "metadata": {"name": name, "annotations": {"pv.kubernetes.io/provisioned-by": driver}},
                "spec": {
                    "capacity": spec["resources"]["requests"],
                    "accessModes": spec["accessModes"],
                    "storageClassName": spec["storageClassName"],
                    "persistentVolumeReclaimPolicy": "Delete",
                    "claimRef": {
                        "kind": "PersistentVolumeClaim",
                        "namespace": metadata["namespace"],
                        "name": metadata["name"],
                        "uid": metadata["uid"],
                    },
                    "csi": {"driver": driver, "volumeHandle": name},
                    "nodeAffinity": {"required": {"nodeSelectorTerms": topology}},
                },
            }
            made |= not self.apply([volume])
        return made


ZONE_OF_DISKS = "topology.disk.csi.azure.com/zone"


def _created(one: Object) -> bool:
    spec, status = one["spec"], one.get("status", {})
    failed = any(condition["type"] == "ReplicaFailure" and condition["status"] == "True" for condition in status.get("conditions", ()))
    match one["kind"]:
        case "Job":
            return status.get("active") == min(spec["parallelism"], spec["completions"])
        case "DaemonSet":
            return "observedGeneration" in status and status["currentNumberScheduled"] == status["desiredNumberScheduled"]
        case _:
            return status.get("observedGeneration") == one["metadata"]["generation"] and (failed or status.get("replicas") == spec["replicas"])


def _unschedulable(pod: Object) -> str:
    """Why the scheduler did not schedule a pod, if it waits for no other controller."""
    found = (one for one in pod.get("status", {}).get("conditions", ()) if one["type"] == "PodScheduled" and one["status"] == "False")
    message = next((one.get("message", "") for one in found), "")
    return "" if "waiting for ephemeral volume controller" in message else message


def _claims(pod: Object) -> set[Claimed]:
    """What names its claims of devices; the scheduler does not try it before all exist."""
    named = pod["spec"].get("resourceClaims", ())
    return {(of, pod["metadata"]["namespace"], name) for one in named for of, name in one.items() if of != "name"}


def gated(pod: Object) -> bool:
    return bool(pod["spec"].get("schedulingGates"))


def reason(pods: Sequence[Object]) -> Iterator[str]:
    """The scheduler's reasons for pods without a node."""
    return (_unschedulable(pod) for pod in pods if not pod["spec"].get("nodeName"))
