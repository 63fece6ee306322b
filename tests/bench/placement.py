"""Pods and pools for the speed of `explain`: 10,000 pods in 500 shapes, 20 static pools and 80 NodePools, the whole table of EC2 types."""

import random
import resource
from time import perf_counter

from nodepools.model.eks.auto_mode import EksNodePool
from nodepools.model.karpenter import Requirement
from nodepools.model.kubernetes.pod import read_pod
from nodepools.model.kubernetes.taint import Taint
from nodepools.placement.catalog import Pools
from nodepools.placement.clouds import eks_cloud
from nodepools.placement.explain import explain
from nodepools.placement.nodes import Nodes
from nodepools.placement.places import eks_choices
from nodepools.placement.provisioned import Provisioned
from nodepools.placement.types import Bounds
from nodepools.placement.workload import Workload

ARCH, CATEGORY, CPU = "kubernetes.io/arch", "eks.amazonaws.com/instance-category", "eks.amazonaws.com/instance-cpu"
TEAMS = [f"team-{number}" for number in range(10)]
GIB = 1024**3 * 1000


def pods(many, shapes, seed=1):
    """`many` pods of `shapes` shapes, each read from a spec of its own as files hold them."""
    pick = random.Random(seed)  # noqa: S311  # no secret
    made = []
    for number in range(shapes):
        selector = {"team": pick.choice(TEAMS)} if pick.random() < 0.5 else {}
        term = [{"key": ARCH, "operator": "In", "values": [pick.choice(["amd64", "arm64"])]}, {"key": CPU, "operator": "Gt", "values": ["3"]}]
        prefer = [{"weight": 5, "preference": {"matchExpressions": [{"key": CATEGORY, "operator": "In", "values": [pick.choice("cmr")]}]}}]
        affinity = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchExpressions": term}]}}
        affinity |= {"preferredDuringSchedulingIgnoredDuringExecution": prefer} if pick.random() < 0.3 else {}
        requests = {"cpu": f"{100 + number}m", "memory": pick.choice(["1Gi", "8Gi", "60Gi"])}
        tolerations = [{"key": "team", "operator": "Exists"}] if pick.random() < 0.5 else []
        made.append(
            {
                "nodeSelector": selector,
                "affinity": {"nodeAffinity": affinity},
                "tolerations": tolerations,
                "containers": [{"resources": {"requests": requests}}],
            }
        )
    return [Workload(f"pod-{number}", "default", "Pod", read_pod(made[number % shapes])) for number in range(many)]


def pools(static, provisioned, seed=2):
    """Static pools and NodePools of one cluster."""
    pick = random.Random(seed)  # noqa: S311  # no secret
    offers = {"cpu": Bounds(3000, 4000), "memory": Bounds(12 * GIB, 16 * GIB)}
    nodes = tuple(Nodes(f"static-{n}", ({ARCH: "amd64", "team": pick.choice(TEAMS)},), _taints(pick), offers) for n in range(static))
    places = []
    for number in range(provisioned):
        asked = [Requirement(CATEGORY, "In", pick.sample("cmrg", 2)), Requirement(CPU, "Lt", [str(pick.choice([9, 17, 65]))])]
        pool = EksNodePool(weight=pick.choice([None, 10, 50]), requirements=asked, taints=_taints(pick), labels={"team": pick.choice(TEAMS)})
        places.append(Provisioned(f"pool-{number}", f"pool-{number}", eks_cloud(), pool, pool.labels, {}, eks_choices("us-east-1")))
    return Pools("c", nodes, tuple(places))


def _taints(pick):
    return (Taint("team", pick.choice(TEAMS)),) if pick.random() < 0.4 else ()


def seconds(many, shapes, static, provisioned):
    """How long it takes, tables and readings of pools included."""
    asked, among = pods(many, shapes), pools(static, provisioned)
    start = perf_counter()
    explain(asked, [among])
    return perf_counter() - start


if __name__ == "__main__":
    whole = seconds(10_000, 500, 20, 80)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    half_pools, half_shapes = seconds(10_000, 500, 10, 40), seconds(10_000, 250, 20, 80)
    print(f"explain of 10,000 pods in 500 shapes x 100 pools  {whole:.2f} s, {whole / 50_000 * 1e6:.0f} µs a distinct pair, {most:.0f} MB")
    print(f"  with half the pools {half_pools / whole:.2f} x, with half the shapes {half_shapes / whole:.2f} x: linear is 0.50")
