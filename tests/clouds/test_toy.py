"""A third cloud is its own modules, one entry in a list and one in a union: nothing else of the library knows which clouds there are."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import nodepools

LIBRARY, TOY = Path(nodepools.__file__).parent, Path(__file__).parent / "toy"
PLATFORM = """
name: toy
clusters:
  box:
    kind: ToyCluster
    place: eu-central-1
    pools:
      web: {{size: {size}, count: {count}}}
"""
POD = """
apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  containers: [{name: web}]
  nodeSelector: {toy.example/pool: web, toy.example/size: SIZE}
"""


def edited(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, path
    path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the library with the toy cloud."""
    root = tmp_path_factory.mktemp("toy")
    copy = shutil.copytree(LIBRARY, root / "nodepools")
    shutil.copy(TOY / "declaration.py", copy / "model" / "toy.py")
    shutil.copy(TOY / "cloud.py", copy / "clouds" / "toy.py")
    union, registry = copy / "model" / "platform.py", copy / "clouds" / "registry.py"
    edited(union, "AksClusterArgs | EksClusterArgs\n", "AksClusterArgs | EksClusterArgs | ToyClusterArgs\n")
    edited(union, "from typing import", "from nodepools.model.toy import ToyClusterArgs\nfrom typing import")
    edited(registry, "[AksCloud.of, EksCloud.of]", "[AksCloud.of, EksCloud.of, ToyCloud.of]")
    edited(registry, "from nodepools.clouds.eks.cloud", "from nodepools.clouds.toy import ToyCloud\nfrom nodepools.clouds.eks.cloud")
    return root


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two declarations of a cluster in the toy cloud, and two pods."""
    folder = tmp_path_factory.mktemp("project")
    for name, size, count in (("old", "small", 2), ("new", "large", 6)):
        (folder / f"{name}.yaml").write_text(PLATFORM.format(size=size, count=count), encoding="utf-8")
        (folder / f"{size}.yaml").write_text(POD.replace("SIZE", size), encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("command", "status", "lines"),
    [
        pytest.param("check --file old.yaml", 0, ["old.yaml: no findings; nothing to correct"], id="check"),
        pytest.param("explain small.yaml --file old.yaml", 0, ["old.yaml: web (Pod) fits box/web; nothing to change"], id="explain a pod that fits"),
        pytest.param(
            "explain large.yaml --file old.yaml",
            1,
            ["old.yaml: web (Pod) stays Pending everywhere: no pool has label toy.example/size=large"],
            id="explain a pod that does not",
        ),
        pytest.param(
            "diff old.yaml new.yaml",
            1,
            ["  in_place  box/web  count: 2 → 6", "  box      146.00  1,752.00", "  1. replace Pool/toy-box-web"],
            id="diff",
        ),
        pytest.param("capacity --file new.yaml", 1, ["new.yaml: does not fit: box needs 6 nodes, 5 available"], id="capacity"),
        pytest.param("cost --file old.yaml", 0, ["old.yaml: 146.00 USD per month for nodes"], id="cost"),
    ],
)
def test_commands_answer_for_a_cluster_of_a_third_cloud(command: str, status: int, lines: list[str], library: Path, project: Path) -> None:
    env = {**os.environ, "PYTHONPATH": str(library), "NO_COLOR": "1", "COLUMNS": "200"}
    done = subprocess.run([sys.executable, "-m", "nodepools", *command.split()], cwd=project, env=env, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (status, "")
    assert [line for line in lines if line not in done.stdout.splitlines()] == []
