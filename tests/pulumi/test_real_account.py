"""`examples/real-account` from start to end, with the real Pulumi CLI on simulated clouds: nodes are those of the pools that the clouds have."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.pulumi.simulated_clouds import COMPONENTS, SimulatedClouds

KIT = Path(__file__).parents[2] / "examples/real-account"
CERTAIN_END = 900
KUBECTL = '''#!{python}
"""The nodes of the pools that the simulated clouds have. Agent pools install a version under the same name; Karpenter replaces nodes."""
import datetime, hashlib, json, os, pathlib, sys

def node(name, provider, labels, version, created):
    number = hashlib.sha256((name + version + created).encode()).hexdigest()
    beat = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    return {{
        "apiVersion": "v1", "kind": "Node",
        "metadata": {{"name": name, "uid": hashlib.sha256((name + created).encode()).hexdigest(), "creationTimestamp": created, "labels": labels}},
        "spec": {{"providerID": provider + name}},
        "status": {{
            "nodeInfo": {{"kubeletVersion": "v" + version, "bootID": number[:8], "machineID": number[8:16]}},
            "conditions": [{{"type": "Ready", "status": "True", "lastHeartbeatTime": beat}}],
        }},
    }}

folder = pathlib.Path(os.environ["SIMCLOUD_DIR"])
if "create" in sys.argv:
    (folder / "rejecting").touch()  # what comes from now on, if anything is to be rejected
if "get" in sys.argv:
    objects = json.loads((folder / "state.json").read_text())["objects"]
    version = "1.36.1" if '"1.36' in json.dumps(objects) else "1.35.2"
    items = [{{"apiVersion": "v1", "kind": "Pod", "metadata": {{"name": "a", "namespace": "default"}}, "status": {{"phase": "Running"}}}}]
    for at, found in objects.items():
        if "/agentPools/" in at:
            pool, own = at.rpartition("/")[2], "1.36.1" if str(found["inputs"].get("orchestratorVersion")).startswith("1.36") else "1.35.2"
            labels = {{"kubernetes.azure.com/agentpool": pool, "nodepools/name": "system" if pool.startswith("system") else "web"}}
            items.append(node(f"aks-{{pool}}-1-vmss000000", "azure:///", labels, own, "2026-11-29T08:00:00Z"))
        elif found["type"].endswith(":NodePool"):
            pool = found["inputs"]["metadata"]["name"]
            template = json.dumps([found["inputs"]["spec"]["template"], version], sort_keys=True)
            number = hashlib.sha256(template.encode()).hexdigest()[:8]
            known = folder / number  # its nodes exist since kubectl found this template first
            if not known.exists():
                known.write_text(datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"))
            labels = {{"karpenter.sh/nodepool": pool, **found["inputs"]["spec"]["template"].get("metadata", {{}}).get("labels", {{}})}}
            items.append(node(f"i-{{number}}", "aws:///us-east-1a/", labels, version, known.read_text()))
            items.append({{
                "apiVersion": "karpenter.sh/v1", "kind": "NodeClaim",
                "metadata": {{"name": f"{{pool}}-{{number}}", "annotations": {{"karpenter.sh/nodepool-hash": number}}}},
                "status": {{"nodeName": f"i-{{number}}"}},
            }})
    print(json.dumps({{"apiVersion": "v1", "kind": "List", "items": items}}))
'''
SEEN = {
    "aks": {("edit", "web", "rotates"), ("edit", "system", "none"), ("upgrade", "web", "reimages"), ("upgrade", "system", "none")},
    "eks": {("edit", "web", "rolls"), ("upgrade", "web", "rolls")},
}


@dataclass(frozen=True)
class Rehearsal:
    """A copy of the kit, with a `kubectl` for the simulated clouds."""

    clouds: SimulatedClouds
    folder: Path

    @property
    def kit(self) -> Path:
        return self.folder / "kit"

    def run(self, cloud: str) -> tuple[subprocess.CompletedProcess[str], dict[str, Any]]:
        """The result of the kit, and its evidence."""
        path = os.pathsep.join([str(self.folder / "tools"), self.clouds.environment["PATH"]])
        environment = {**self.clouds.environment, "PATH": path, "PYTHONPATH": str(COMPONENTS)}
        evidence = self.folder / "evidence.json"
        command = [sys.executable, str(self.kit / "run.py"), cloud, "--settle", "0.001", "--evidence", str(evidence)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=CERTAIN_END)
        assert "simulated" not in evidence.read_text(encoding="utf-8")  # the passphrase
        return done, json.loads(evidence.read_text(encoding="utf-8"))

    def left(self) -> list[str]:
        """What the clouds still have."""
        return list(self.clouds.objects())


@pytest.fixture
def rehearsal(clouds: SimulatedClouds, tmp_path: Path) -> Rehearsal:
    made = Rehearsal(clouds, tmp_path)
    shutil.copytree(KIT, made.kit)
    (made.kit / "Pulumi.yaml").write_text("name: real-account\nruntime: python\n", encoding="utf-8")
    kubectl = tmp_path / "tools/kubectl"
    kubectl.parent.mkdir()
    kubectl.write_text(KUBECTL.format(python=sys.executable), encoding="utf-8")
    kubectl.chmod(0o755)
    return made


@pytest.mark.parametrize("cloud", ["aks", "eks"])
def test_predictions_come_true_and_nothing_is_left(rehearsal: Rehearsal, cloud: str):
    done, found = rehearsal.run(cloud)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (found["failed"], found["left"], found["contradicted"], found["not_decided"]) == (None, 0, 0, 0), found["predictions"]
    assert {(one["step"], one["pool"], one["effect"]) for one in found["predictions"] if one["verdict"] == "seen"} == SEEN[cloud]
    assert rehearsal.left() == []


def test_an_edit_that_the_cloud_rejects_is_torn_down(rehearsal: Rehearsal):
    rehearsal.clouds.environment["REJECTED"] = "AgentPool"
    done, found = rehearsal.run("aks")
    failed = [one["step"] for one in found["steps"] if one["exit_code"] != 0]
    assert (done.returncode, failed, found["left"], found["predictions"]) == (1, ["edit"], 0, []), done.stdout + done.stderr
    assert found["failed"].startswith("edit: exit code ")
    assert [one["step"] for one in found["steps"]][-4:] == ["destroy", "what is left", "remove the stack", "version of pulumi"]
    assert rehearsal.left() == []
