"""Speed of `capacity`: 100 clusters of stack dev in turn, each in a network of its own. Each run is a whole process, which checks them too."""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

PROJECT = Path(__file__).resolve().parents[2]
CLUSTERS, RUNS = 100, 3
STACK = f"""
from nodepools import Platform, derive
from stacks.dev import PLATFORM as DEV

KINDS = list(DEV.clusters.items())


def numbered(number):
    key, cluster = KINDS[number % 3]
    cluster = derive(cluster, {{"network": {{"cidr": f"10.{{100 + number}}.0.0/16"}}}})
    return f"{{key}}-{{number}}", cluster


PLATFORM = Platform(name="many", maintenance=DEV.maintenance, clusters=dict(map(numbered, range({CLUSTERS}))))
"""


COUNT = """
from time import perf_counter
from nodepools import capacity, load

platform = load("many")
start = perf_counter()
capacity(platform)
print(perf_counter() - start)
"""


def printed(command: list[str], folder: Path) -> str:
    return subprocess.run([sys.executable, *command], cwd=folder, capture_output=True, text=True, check=True).stdout


def seconds(folder: Path) -> tuple[float, float]:
    """Of counting alone, with the tables of machine types; and of the whole command, which checks the declaration first."""
    start = perf_counter()
    found = printed(["-m", "nodepools", "capacity", "--stack", "many", "--format", "json"], folder)
    whole = perf_counter() - start
    assert len(json.loads(found)["clusters"]) == CLUSTERS
    return float(printed(["-c", COUNT], folder)), whole


def capacity() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "Pulumi.yaml").write_text("name: bench\nruntime: python\n")
        shutil.copytree(PROJECT / "stacks", folder / "stacks", ignore=shutil.ignore_patterns("__pycache__"))
        (folder / "stacks" / "many.py").write_text(STACK)
        counting, whole = zip(*[seconds(folder) for _ in range(RUNS)], strict=True)
        print(f"capacity of {CLUSTERS} clusters: {median(counting):.2f} s to count, {median(whole):.2f} s with the check before it; {RUNS} runs")


if __name__ == "__main__":
    capacity()
