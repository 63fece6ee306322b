"""A thousand NodePools in one file: checked, against only parsing the YAML. In one process, in turn; medians."""

import gc
from statistics import median
from time import perf_counter

import yaml

from nodepools.cli.main import _OBJECTS
from nodepools.manifests.karpenter import node_pool
from nodepools.manifests.manifest_objects import objects
from nodepools.manifests.object_checks import check_objects
from nodepools.model.disruption import Budget, Disruption
from nodepools.model.eks.auto_mode import EksNodePool
from nodepools.model.karpenter import Requirement
from nodepools.model.kubernetes.taint import Taint
from nodepools.wire.karpenter import EKS_NODE_CLASS

POOLS = 1000


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


def manifests(times: int = 5) -> None:
    text = yaml.safe_dump_all([node_pool(f"pool-{number}", pool(number), EKS_NODE_CLASS) for number in range(POOLS)], sort_keys=False)
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
