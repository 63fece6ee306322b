"""`nodepools diff` of two platforms with 20 clusters and 400 pools."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter

SCRIPT = Path(sys.executable).with_name("nodepools")
CLUSTERS, POOLS = 20, 20
LIMIT = 3


def platform(vm_size: str, limit: int, version: str) -> str:
    """A platform as YAML: every other cluster is in AWS."""
    lines = ["name: bench", "clusters:"]
    for number in range(CLUSTERS):
        lines += list(eks(number, limit, version) if number % 2 else aks(number, vm_size, version))
    return "\n".join(lines) + "\n"


def aks(number: int, vm_size: str, version: str) -> Iterator[str]:
    """A cluster with agent pools."""
    yield from (f"  c{number}:", "    kind: AksCluster", "    location: westeurope", f'    kubernetes_version: "{version}"')
    yield from ("    system_pool: {vm_size: Standard_D4ds_v5, count: 2}", "    pools:")
    yield from (f"      p{pool}: {{kind: UserPool, vm_size: {vm_size}, scale: {{min: 1, max: 9}}}}" for pool in range(POOLS))


def eks(number: int, limit: int, version: str) -> Iterator[str]:
    """A cluster with NodePools that allow any instance type."""
    yield from (f"  c{number}:", "    kind: EksCluster", "    region: us-east-1", f'    kubernetes_version: "{version}"')
    yield from ("    network: {kind: EksNetwork, cidr: 10.0.0.0/16, zones: [us-east-1a, us-east-1b]}", "    auto_mode:", "      node_pools:")
    yield from (f'        p{pool}: {{limits: {{cpu: "{limit}"}}}}' for pool in range(POOLS))


def changes(times: int = 3) -> None:
    """Prints the median of whole processes in which every pool changes."""
    with tempfile.TemporaryDirectory() as scratch:
        old, new = Path(scratch, "old.yaml"), Path(scratch, "new.yaml")
        old.write_text(platform("Standard_D2ds_v5", 100, "1.35"))
        new.write_text(platform("Standard_D8ds_v5", 200, "1.36"))
        taken: list[float] = []
        for _ in range(times):
            start = perf_counter()
            subprocess.run([str(SCRIPT), "diff", str(old), str(new)], check=True, capture_output=True)
            taken.append(perf_counter() - start)
    print(f"diff of {CLUSTERS} clusters and {CLUSTERS * POOLS} pools, all changed: {median(taken):.2f} s; at most {LIMIT} s")
