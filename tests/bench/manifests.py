"""A thousand NodePools in one file: in one process, against only parsing the YAML; as whole processes, next to kubectl-validate. In turn; medians."""

import gc
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

import yaml

from nodepools.cli.main import _OBJECTS
from nodepools.clouds.karpenter_objects import node_pool
from nodepools.manifests.manifest_objects import objects
from nodepools.manifests.object_checks import check_objects
from nodepools.model.eks.node_class import EksNodePool
from nodepools.model.karpenter import Requirement
from nodepools.model.kubernetes.label import Taint
from nodepools.model.maintenance import Budget, Disruption
from nodepools.wire.karpenter import EKS_NODE_CLASS

POOLS = 1000
SCRIPT = Path(sys.executable).with_name("nodepools")
KUBECTL_VALIDATE = "sigs.k8s.io/kubectl-validate@v0.0.4"
KARPENTER = "sigs.k8s.io/karpenter@v1.14.0"
"""Its module has the CRD of NodePools."""


def pool(number: int) -> EksNodePool:
    return EksNodePool(
        weight=number % 100 + 1,
        limits={"cpu": 200, "memory": "800Gi"},
        labels={"team": f"team-{number}", "tier": "web"},
        taints=[Taint("team", f"team-{number}")],
        requirements=[
            Requirement("karpenter.sh/capacity-type", "In", ["spot", "on-demand"]),
            Requirement("kubernetes.io/arch", "In", ["amd64"]),
            Requirement("eks.amazonaws.com/instance-category", "In", ["c", "m", "r"]),
            Requirement("eks.amazonaws.com/instance-generation", "Gt", ["4"]),
        ],
        disruption=Disruption(consolidate_after="5m", budgets=[Budget(nodes="10%"), Budget(nodes="0", schedule="0 9 * * mon-fri", duration="8h")]),
        expire_after="300h",
    )


def seconds(text: str) -> tuple[float, float]:
    start = perf_counter()
    verdict = check_objects(list(objects(text, "pools.yaml")))
    middle = perf_counter()
    list(yaml.load_all(text, Loader=yaml.CSafeLoader))
    assert len(verdict.read) == POOLS
    return middle - start, perf_counter() - middle


def taken(command: list[str]) -> float:
    start = perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return perf_counter() - start


def peer(folder: Path) -> tuple[str, Path] | None:
    """kubectl-validate and a folder of CRDs for it; `None` without Go. The Go module proxy has both; the first build takes minutes."""
    go = shutil.which("go")
    if go is None:
        return None
    environment = {**os.environ, "GOBIN": str(folder)}
    subprocess.run([go, "install", KUBECTL_VALIDATE], env=environment, cwd=folder, check=True, capture_output=True)
    module = json.loads(subprocess.run([go, "mod", "download", "-json", KARPENTER], cwd=folder, check=True, capture_output=True).stdout)
    (folder / "crds").mkdir()
    shutil.copy(Path(module["Dir"], "pkg/apis/crds/karpenter.sh_nodepools.yaml"), folder / "crds")
    return str(folder / "kubectl-validate"), folder / "crds"


def processes(times: int = 5) -> None:
    """Prints whole processes on the same file."""
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch, "pools.yaml")
        file.write_text(pools_text())
        found = peer(Path(scratch))
        commands = {"check": [str(SCRIPT), "check", str(file)]}
        if found is not None:
            validate, crds = found
            commands["check --crds"] = [*commands["check"], "--crds", str(crds)]
            commands["kubectl-validate"] = [validate, str(file), "--local-crds", str(crds)]
        rounds = [{name: taken(command) for name, command in commands.items()} for _ in range(times + 1)][1:]
    shown = ", ".join(f"{name} {median(one[name] for one in rounds):.2f} s" for name in commands)
    without = "" if found is not None else "; Go is not installed, so kubectl-validate and its CRDs were NOT measured"
    print(f"{POOLS} NodePools in one file, whole processes: {shown}; {times} runs in turn{without}")


def pools_text() -> str:
    return yaml.safe_dump_all([node_pool(f"pool-{number}", pool(number), EKS_NODE_CLASS) for number in range(POOLS)], sort_keys=False)


def manifests(times: int = 5) -> None:
    text = pools_text()
    gc.set_threshold(_OBJECTS)  # as the command does
    seconds(text)
    pairs = [seconds(text) for _ in range(times)]
    ours, parsing, ratio = median(a for a, _ in pairs), median(b for _, b in pairs), median(a / b for a, b in pairs)
    print(
        f"check of {POOLS} NodePools in one file: {ours:.2f} s, {ours / POOLS * 1000:.2f} ms an object, "
        f"{ratio:.2f} x only parsing the YAML with libyaml ({parsing:.2f} s); {times} pairs"
    )


if __name__ == "__main__":
    manifests()
    processes()
