"""Speed of `adopt`: 100 clusters in one run, as exports of AKS and EKS. Each run is a whole process, which reads, declares and checks them."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

from tests.adoption.existing import ID, cluster, pool
from tests.adoption.existing_eks import ADMIN, described, entry, listed, node_pool, policies

CLUSTERS, RUNS = 100, 3


def export(folder: Path, number: int) -> None:
    """One cluster in a folder of its own, of each cloud in turn."""
    folder.mkdir()
    if number % 2:
        pools = [pool("agentpool", "System"), *(pool(f"web{place}", enableAutoScaling=True, minCount=1, maxCount=9) for place in range(4))]
        for name, value in (("show.json", cluster()), ("nodepool-list.json", pools)):
            (folder / name).write_text(json.dumps(value).replace(ID, f"{ID}-{number}").replace("Shop_West", f"West-{number}"))
        return
    name = f"shop-{number}"
    (folder / "describe-cluster.json").write_text(json.dumps(described(name)))
    (folder / "describe-access-entry.json").write_text(json.dumps(entry(ADMIN, name)))
    (folder / "policies.json").write_text(json.dumps(policies(ADMIN, "AmazonEKSClusterAdminPolicy", cluster=name)))
    (folder / "objects.yaml").write_text(json.dumps(listed(*(node_pool(f"pool-{place}") for place in range(4)))))


def seconds(folder: Path) -> float:
    start = perf_counter()
    command = [sys.executable, "-m", "nodepools", "adopt", str(folder / "live"), "-o", str(folder / "fleet.py")]
    subprocess.run(command, capture_output=True, text=True, check=True)
    return perf_counter() - start


def adoption() -> None:
    """Prints the median."""
    with tempfile.TemporaryDirectory() as scratch:
        Path(scratch, "live").mkdir()
        for number in range(CLUSTERS):
            export(Path(scratch, "live", str(number)), number)
        print(f"adopt of {CLUSTERS} clusters in one run: {median(seconds(Path(scratch)) for _ in range(RUNS)):.1f} s; {RUNS} runs")
