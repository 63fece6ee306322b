"""Karpenter's own controllers with its kwok provider on the control plane. Its machines are those of our tables; the tests play the kubelets."""

import json
import os
import random
import shutil
import subprocess
import tempfile
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import yaml

from nodepools.placement.machine_index import Machine
from nodepools.placement.node_pools import KarpenterPool
from tests.oracle import go_programs
from tests.oracle.cluster.control_plane import PATHS, ControlPlane, Object
from tests.oracle.conftest import free_port
from tests.oracle.go_programs import HERE
from tests.oracle.placement.asking import raw_pool

CLASS: Final = {"group": "karpenter.kwok.sh", "kind": "KWOKNodeClass", "name": "default"}
OWN_PATHS: Final = {
    "NodePool": "/apis/karpenter.sh/v1/nodepools",
    "NodeClaim": "/apis/karpenter.sh/v1/nodeclaims",
    "KWOKNodeClass": "/apis/karpenter.kwok.sh/v1alpha1/kwoknodeclasses",
    "Event": "/api/v1/namespaces/{}/events",
}
RESERVED: Final = {"cpu": 100, "memory": 10 * 1024**2 * 1000}
"""What the kwok provider takes from every machine, in thousandths."""
DISK: Final = "200Gi"
LONG_AGO: Final = "2026-01-01T00:00:00Z"
_QUIET: Final = 3
"""Seconds without a change while pods wait: Karpenter waits for more pods before it launches a node, and tries those that wait again."""
_BOUND: Final = 0.5
"""The same when no pod waits."""
_DRIFT: Final = 4
"""Seconds without another drifted node."""
_ROLLED: Final = 5
"""Seconds without a drifted node or one that goes."""
_CONSOLIDATED: Final = 8
"""The same for consolidation, which leaves nodes alone for some seconds after pods were to be scheduled on them."""
_WAITS: Final[Mapping[str, Mapping[str, str]]] = {
    "disruption/controller.go": {"pollingPeriod = 10 * time.Second": "pollingPeriod = time.Second"},
    "disruption/consolidation.go": {"commandValidationDelay = 15 * time.Second": "commandValidationDelay = time.Second"},
    "node/termination/controller.go": {"MinDrainTime  = 5 * time.Second": "MinDrainTime  = time.Second"},
    "provisioning/controller.go": {"RequeueAfter: 10 * time.Second": "RequeueAfter: 2 * time.Second"},
    "state/statenode.go": {"max(2*options.FromContext(ctx).BatchMaxDuration, 10*time.Second)": "2*options.FromContext(ctx).BatchMaxDuration"},
}
"""How long Karpenter's controllers wait before they look again, and for what; no option sets it. What they decide is as in their release."""
CONSOLIDATES: Final[Object] = {"consolidationPolicy": "WhenEmptyOrUnderutilized", "consolidateAfter": "0s"}


def build(into: Path) -> Path:
    """Karpenter's program, of the version that the oracles have; what only the program needs is added to a copy of its list of modules."""
    for name in ("go.mod", "go.sum"):
        shutil.copy(HERE / name, into / name)
    with (into / "go.mod").open("a") as modules:
        modules.write(f"\nreplace sigs.k8s.io/karpenter => {_impatient()}\n")
    return go_programs.build("karpenter", into, "sigs.k8s.io/karpenter/kwok", "-mod=mod", f"-modfile={into / 'go.mod'}")


def _impatient() -> Path:
    """A copy of its module with shorter waits; in the same place each time, because `go build` compiles what moved."""
    module = _module()
    copied = Path(tempfile.gettempdir()) / f"nodepools-oracles-{module.name}"
    shutil.copytree(module, copied, copy_function=shutil.copyfile, dirs_exist_ok=True)
    for name, waits in _WAITS.items():
        file = copied / "pkg/controllers" / name
        text = file.read_text()
        for wait, shorter in waits.items():
            assert wait in text, f"{name} has no {wait}"
            text = text.replace(wait, shorter)
        file.write_text(text)
    return copied


def _module() -> Path:
    command = ["go", "mod", "download", "-json", "sigs.k8s.io/karpenter"]
    done = subprocess.run(command, cwd=HERE, capture_output=True, text=True, check=True)
    return Path(json.loads(done.stdout)["Dir"])


def crds() -> list[Object]:
    """The CRDs of that version, from its module."""
    files = [file for folder in ("pkg/apis/crds", "kwok/apis/crds") for file in sorted((_module() / folder).glob("*.yaml"))]
    return [yaml.safe_load(file.read_text()) for file in files]


def instance_types(machines: Sequence[Machine], zones: Sequence[str], capacities: Sequence[str], region: str, chance: random.Random) -> list[Object]:
    """The machines as the kwok provider reads them: what is not known of one is decided at random."""
    keys = {key for one in machines for key in one.labels}
    return [_instance_type(one, keys, [(zone, capacity) for zone in zones for capacity in capacities], region, chance) for one in machines]


def _instance_type(one: Machine, keys: set[str], places: Sequence[tuple[str, str]], region: str, chance: random.Random) -> Object:
    labels = {key: one.labels.get(key) for key in sorted(keys)}
    shared = [
        *({"key": key, "operator": "In", "values": [value]} if value else {"key": key, "operator": "DoesNotExist"} for key, value in labels.items()),
        {"key": "topology.kubernetes.io/region", "operator": "In", "values": [region]},
    ]
    price = float(one.labels["eks.amazonaws.com/instance-cpu"] or 1) * (1 + chance.random())
    return {
        "name": one.name,
        "architecture": one.labels["kubernetes.io/arch"],
        "operatingSystems": ["linux"],
        "resources": _resources(one, chance),
        "offerings": [
            {
                "Price": price * (0.4 if capacity == "spot" else 1),
                "Available": True,
                "Requirements": [
                    *shared,
                    {"key": "topology.kubernetes.io/zone", "operator": "In", "values": [zone]},
                    {"key": "karpenter.sh/capacity-type", "operator": "In", "values": [capacity]},
                ],
            }
            for zone, capacity in places
        ],
    }


def _resources(one: Machine, chance: random.Random) -> dict[str, str]:
    part = chance.choice((0, 0.5, 1))
    found = {"ephemeral-storage": DISK}
    for name, bounds in one.offers.items():
        reserved = RESERVED.get(name, 0)
        most = max(bounds.least, (bounds.most if bounds.most is not None else bounds.least) - reserved)
        amount = int(bounds.least + part * (most - bounds.least))
        if amount and name != "ephemeral-storage":
            found[name] = f"{amount + reserved}m" if name in RESERVED else str(amount // 1000)
    return found


def node_pool(place: KarpenterPool) -> Object:
    """A declared NodePool as an object, with the node class of the provider; its nodes stay."""
    made = raw_pool(place)
    spec: Object = dict(made["spec"])  # type: ignore[call-overload]
    template = spec["template"]
    template["spec"] |= {"nodeClassRef": CLASS, "expireAfter": "336h"}
    spec["disruption"] = {"consolidationPolicy": "WhenEmpty", "consolidateAfter": "Never", "budgets": [{"nodes": "0"}]}
    return {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": made["metadata"], "spec": spec}


@dataclass
class Provisioned(ControlPlane):
    """A cluster whose nodes Karpenter launches."""

    def begin(self, pools: Sequence[Object]) -> None:
        """An empty cluster with these NodePools, all ready."""
        self.clear()
        for pool in pools:
            status, body = self.server.send("POST", OWN_PATHS["NodePool"], pool)
            assert status == 201, body
        self._until(lambda: all(_is_ready(one) for one in self.all("NodePool")), "NodePools are not ready")

    def clear(self) -> None:
        for one in self.all("NodePool"):
            self.server.send("DELETE", f"{OWN_PATHS['NodePool']}/{one['metadata']['name']}")
        super().clear()
        self.server.send("DELETE", OWN_PATHS["NodeClaim"])
        self._until(lambda: not self.all("NodeClaim") and not self.all("Node") and not self.all("NodePool"), "nodes are not deleted")

    def _until(self, holds: Any, message: str) -> None:
        end = time.monotonic() + 90
        while not holds():
            assert time.monotonic() < end, message
            time.sleep(0.2)

    def _provision(self) -> bool:
        """Plays the kubelets of new nodes; true while a machine is launched."""
        for node in self.all("Node"):
            if not _is_ready(node):
                conditions = [{"type": "Ready", "status": "True", "reason": "KubeletReady", "lastTransitionTime": LONG_AGO}]
                path = f"{PATHS['Node']}/{node['metadata']['name']}/status"
                self.server.send("PUT", path, {**node, "status": {**node["status"], "conditions": conditions}})
        launched = any(not _is(one, "Initialized") for one in self.all("NodeClaim"))
        return super()._provision() or launched

    def _quiet_for(self, pods: Sequence[Object]) -> float:
        return _BOUND if all(pod["spec"].get("nodeName") for pod in pods) else self.quiet

    def _is_complete(self, pods: Sequence[Object]) -> bool:
        """Also: Karpenter says of each pod that waits that it cannot launch a node for it."""
        _, body = self.server.send("GET", "/api/v1/events?fieldSelector=reason%3DFailedScheduling")
        said = {one["involvedObject"].get("uid") for one in body["items"] if one["source"].get("component") == "karpenter"}
        return super()._is_complete(pods) and all(pod["spec"].get("nodeName") or pod["metadata"]["uid"] in said for pod in pods)

    def drifted_after(self, pool: Object) -> list[Object]:
        """The NodeClaims that Karpenter finds drifted after it has this NodePool; a budget keeps them."""
        path = f"{OWN_PATHS['NodePool']}/{pool['metadata']['name']}"
        _, now = self.server.send("GET", path)
        status, body = self.server.send("PUT", path, {**now, "spec": pool["spec"]})
        assert status == 200, body
        before, since, end = None, time.monotonic(), time.monotonic() + 60
        while time.monotonic() - since < _DRIFT:
            assert time.monotonic() < end, "NodeClaims do not settle"
            found = [one["metadata"]["name"] for one in self.all("NodeClaim") if _is(one, "Drifted")]
            if found != before:
                before, since = found, time.monotonic()
            time.sleep(0.2)
        return [one for one in self.all("NodeClaim") if _is(one, "Drifted")]

    def rolled_by(self, pool: Object, quiet: float = _ROLLED) -> None:
        """Waits until Karpenter, after it has this NodePool without a budget, has replaced what it replaces."""
        path = f"{OWN_PATHS['NodePool']}/{pool['metadata']['name']}"
        _, now = self.server.send("GET", path)
        disruption = {**pool["spec"]["disruption"], "budgets": [{"nodes": "100%"}]}
        status, body = self.server.send("PUT", path, {**now, "spec": {**pool["spec"], "disruption": disruption}})
        assert status == 200, body
        before, since, end = None, time.monotonic(), time.monotonic() + 300
        while time.monotonic() - since < quiet:
            assert time.monotonic() < end, "Karpenter does not end"
            moved = self._provision()
            moved |= any([self._as_kubelet(pod) for pod in self.all("Pod")])  # noqa: C419  # each of them
            claims = self.all("NodeClaim")
            is_rolling = any(_is(one, "Drifted") or one["metadata"].get("deletionTimestamp") for one in claims)
            found = sorted(one["metadata"]["name"] for one in claims)
            if moved or is_rolling or found != before:
                before, since = found, time.monotonic()
            time.sleep(0.2)

    def consolidated_by(self, pool: Object) -> None:
        """Waits until Karpenter, after it may consolidate the nodes of this NodePool at once, launches and deletes no more."""
        self.rolled_by({**pool, "spec": {**pool["spec"], "disruption": CONSOLIDATES}}, quiet=_CONSOLIDATED)

    def beat(self) -> None:
        """The kubelets tell the time."""
        at = datetime.now(UTC).strftime("%Y-%m-%dT%XZ")
        for node in self.all("Node"):
            conditions = [{**one, "lastHeartbeatTime": at} for one in node["status"]["conditions"]]
            path = f"{PATHS['Node']}/{node['metadata']['name']}/status"
            status, body = self.server.send("PUT", path, {**node, "status": {**node["status"], "conditions": conditions}})
            assert status == 200, body

    def pool_of(self, node: str) -> str:
        found = next(one for one in self.all("Node") if one["metadata"]["name"] == node)
        return found["metadata"]["labels"]["karpenter.sh/nodepool"]


def _is(one: Mapping[str, Any], condition: str) -> bool:
    return any(found["type"] == condition and found["status"] == "True" for found in one.get("status", {}).get("conditions", ()))


def _is_ready(one: Mapping[str, Any]) -> bool:
    return _is(one, "Ready")


@contextmanager
def karpenter(plane: ControlPlane, types: Sequence[Object], folder: Path) -> Generator[Provisioned]:
    """Karpenter on a control plane, with these machines."""
    PATHS.update(OWN_PATHS)
    program = build(folder)
    plane.server.installs(crds())
    (folder / "types.json").write_text(json.dumps(types))
    made = Provisioned(plane.server, plane.scheduler, plane.kubeconfig, quiet=_QUIET)
    node_class = {"apiVersion": f"{CLASS['group']}/v1alpha1", "kind": CLASS["kind"], "metadata": {"name": CLASS["name"]}, "spec": {}}
    ready = {
        "type": "Ready",
        "status": "True",
        "reason": "Ready",
        "message": "",
        "lastTransitionTime": "2026-01-01T00:00:00Z",
        "observedGeneration": 1,
    }
    assert not made.apply([{**node_class, "status": {"conditions": [ready]}}])
    environment = {
        **os.environ,
        "KUBECONFIG": str(plane.kubeconfig),
        "DISABLE_LEADER_ELECTION": "true",
        "INSTANCE_TYPES_FILE_PATH": str(folder / "types.json"),
        "METRICS_PORT": str(free_port()),
        "HEALTH_PROBE_PORT": str(free_port()),
        "BATCH_IDLE_DURATION": "300ms",
        "BATCH_MAX_DURATION": "2s",
    }
    with (folder / "karpenter.log").open("w") as log:
        process = subprocess.Popen([str(program)], env=environment, stdout=log, stderr=log)
    try:
        yield made
    finally:
        assert process.poll() is None, (folder / "karpenter.log").read_text()[-2000:]
        process.terminate()
        process.wait()
