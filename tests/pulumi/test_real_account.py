"""`examples/real-account` from start to end, with the real Pulumi CLI on simulated clouds: nodes are those of the pools that the clouds have."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.pulumi.simulated_clouds import COMPONENTS, SimulatedClouds

KIT = Path(__file__).parents[2] / "examples/real-account"
CERTAIN_END = 900
KUBECTL = '''#!{python}
"""The nodes of agent pools as the simulated clouds have them: a new version is a new installation under the same name."""
import hashlib, json, os, pathlib, sys

if "get" in sys.argv:
    objects = json.loads((pathlib.Path(os.environ["SIMCLOUD_DIR"]) / "state.json").read_text())["objects"]
    nodes = []
    for at, found in objects.items():
        if "/agentPools/" not in at:
            continue
        pool, told = at.rpartition("/")[2], json.dumps(found, sort_keys=True, default=str)
        known = json.loads(told)
        version = "1.36.1" if '"1.36' in told else "1.35.2"
        number = hashlib.sha256(f"{{pool}}{{version}}".encode()).hexdigest()
        key = "system" if pool.startswith("system") else "web"
        nodes.append({{
            "apiVersion": "v1", "kind": "Node",
            "metadata": {{
                "name": f"aks-{{pool}}-1-vmss000000", "uid": number[:12], "creationTimestamp": "2026-11-29T08:00:00Z",
                "labels": {{"kubernetes.azure.com/agentpool": pool, "nodepools/name": key}},
            }},
            "spec": {{"providerID": f"azure:///{{pool}}/0"}},
            "status": {{
                "nodeInfo": {{"kubeletVersion": f"v{{version}}", "bootID": number[:8], "machineID": number[8:16]}},
                "conditions": [{{"type": "Ready", "status": "True"}}],
            }},
        }})
    print(json.dumps({{"apiVersion": "v1", "kind": "List", "items": nodes}}))
'''


@pytest.mark.parametrize("cloud", ["aks"])
def test_a_rehearsal_leaves_nothing(clouds: SimulatedClouds, tmp_path: Path, cloud: str):
    kit, tools = tmp_path / "kit", tmp_path / "tools"
    shutil.copytree(KIT, kit)
    tools.mkdir()
    (tools / "kubectl").write_text(KUBECTL.format(python=sys.executable), encoding="utf-8")
    (tools / "kubectl").chmod(0o755)
    (kit / "Pulumi.yaml").write_text("name: real-account\nruntime: python\n", encoding="utf-8")
    environment = {**clouds.environment, "PATH": os.pathsep.join([str(tools), clouds.environment["PATH"]]), "PYTHONPATH": str(COMPONENTS)}
    evidence = tmp_path / "evidence.json"
    command = [sys.executable, str(kit / "run.py"), cloud, "--settle", "0.001", "--evidence", str(evidence)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=CERTAIN_END)
    found: dict[str, Any] = json.loads(evidence.read_text(encoding="utf-8"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert (found["failed"], found["left"], found["contradicted"]) == (None, 0, 0)
    left = [at for at in clouds.objects() if "/agentPools/" in at or "managedClusters" in at or "cluster/" in at]
    assert not left
    assert "simulated" not in evidence.read_text(encoding="utf-8")  # the passphrase
