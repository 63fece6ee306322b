"""How many files a reader opens from `main` to the function that decides: those of the calls that are open at that moment."""

import subprocess
import sys
from pathlib import Path

import pytest

# The ground layers describe values and their rows: a reader knows them already.
_GROUND = ("model/", "wire/", "reading/", "data/")
_MEASURE = """
import sys
deepest, ground = {}, tuple(sys.argv.pop(1).split(","))
places = tuple(sys.argv.pop(1).split(","))

def opened(frame, event, _):
    if event != "call" or not _file(frame).startswith(places) or _file(frame).endswith("__init__.py"):
        return
    files = {_file(frame)}
    while (frame := frame.f_back) is not None:
        if _file(frame) and frame.f_code.co_name == "<module>" or _file(frame).startswith(places):
            return  # an import decides nothing, and what decides has its own parts
        files.add(_file(frame))
    count = [name for name in files if name and not name.startswith(ground)]
    if len(count) > len(deepest.get("files", ())):
        deepest["files"] = count

def _file(frame):
    return frame.f_code.co_filename.partition("/components/nodepools/")[2]

from nodepools.cli.main import main
sys.setprofile(opened)
try:
    main()
except SystemExit:
    pass
sys.setprofile(None)
print("WALK", *sorted(deepest.get("files", ())))
"""
RULES = ("rules/aks/", "rules/eks/", "rules/nap/", "rules/karpenter/", "rules/platform/")
PLACEMENT = ("placement/machine_filter.py", "replicas/workload_bounds.py")
EFFECTS = ("changes/directions.py", "changes/request_changes.py", "changes/nodes.py")
PLATFORM = """
name: dev
clusters:
  weu:
    kind: AksCluster
    location: westeurope
    kubernetes_version: "1.35"
    system_pool: {vm_size: Standard_D4ds_v5, count: 2}
    pools:
      web: {kind: UserPool, vm_size: SIZE, scale: {min: 1, max: 3}}
"""
POD = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      topologySpreadConstraints:
        - {maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: web}}}
      containers: [{name: web, image: web, resources: {requests: {cpu: "1", memory: 1Gi}}}]
"""


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("command", "places", "most"),
    [
        pytest.param(("check", "--file", "dev.yaml"), RULES, 8, id="check"),
        pytest.param(("explain", "web.yaml", "--file", "dev.yaml"), PLACEMENT, 10, id="explain"),
        pytest.param(("diff", "dev.yaml", "prod.yaml"), EFFECTS, 12, id="diff"),
    ],
)
def test_few_files_are_on_the_walk(tmp_path: Path, command: tuple[str, ...], places: tuple[str, ...], most: int) -> None:
    (tmp_path / "web.yaml").write_text(POD)
    for name, size in (("dev", 2), ("prod", 4)):
        (tmp_path / f"{name}.yaml").write_text(PLATFORM.replace("SIZE", f"Standard_D{size}ds_v5"))
    run = [sys.executable, "-c", _MEASURE, ",".join(_GROUND), ",".join(places), *command]
    done = subprocess.run(run, capture_output=True, text=True, cwd=tmp_path, check=False, timeout=300)
    walk = next(line for line in done.stdout.splitlines() if line.startswith("WALK")).split()[1:]
    assert any(name.startswith(places) for name in walk), done.stderr
    assert len(walk) <= most, " > ".join(walk)
