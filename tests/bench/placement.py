"""Speed of `explain`: 10,000 pods in 500 shapes x 20 static pools and 80 NodePools, with the whole table of EC2 types.

Each run is a process of its own, which reads the table and the pods anew as a command does. Beside it Karpenter's own library, asked about the
same pods and pools by the oracle of the tests; without Go that is left out, visibly.
"""

import json
import random
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

from nodepools.clouds.eks.pools import eks_choices, eks_cloud
from nodepools.model.eks.node_class import EksNodePool
from nodepools.model.karpenter import Requirement
from nodepools.model.kubernetes.label import Taint
from nodepools.placement.explain import explain
from nodepools.placement.machine_index import Bounds
from nodepools.placement.node_pools import ClusterPools, KarpenterPool
from nodepools.placement.static_pools import StaticPool
from nodepools.placement.workloads.reader import read_workloads
from tests.oracle.placement.asking import Oracle, build, described, raw_node, raw_pool

ARCH, CATEGORY, CPU = "kubernetes.io/arch", "eks.amazonaws.com/instance-category", "eks.amazonaws.com/instance-cpu"
TEAMS = [f"team-{number}" for number in range(10)]
ZONES, REGION = ["us-east-1a", "us-east-1b", "us-east-1c"], "us-east-1"
GIB = 1024**3 * 1000
PODS, SHAPES, STATIC, PROVISIONED = 10_000, 500, 20, 80
RUNS, ASKED_OF_KARPENTER = 5, 20


def pods(many, shapes, seed=1):
    """`many` raw pods of `shapes` shapes, as files hold them."""
    pick = random.Random(seed)  # noqa: S311  # no secret
    specs = []
    for number in range(shapes):
        term = [{"key": ARCH, "operator": "In", "values": [pick.choice(["amd64", "arm64"])]}, {"key": CPU, "operator": "Gt", "values": ["3"]}]
        prefer = [{"weight": 5, "preference": {"matchExpressions": [{"key": CATEGORY, "operator": "In", "values": [pick.choice("cmr")]}]}}]
        affinity = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchExpressions": term}]}}
        affinity |= {"preferredDuringSchedulingIgnoredDuringExecution": prefer} if pick.random() < 0.3 else {}
        requests = {"cpu": f"{100 + number}m", "memory": pick.choice(["1Gi", "8Gi", "60Gi"])}
        specs.append(
            {
                "nodeSelector": {"team": pick.choice(TEAMS)} if pick.random() < 0.5 else {},
                "affinity": {"nodeAffinity": affinity},
                "tolerations": [{"key": "team", "operator": "Exists"}] if pick.random() < 0.5 else [],
                "containers": [{"name": "main", "resources": {"requests": requests}}],
            }
        )
    return [{"kind": "Pod", "metadata": {"name": f"pod-{number}"}, "spec": specs[number % shapes]} for number in range(many)]


def nodes(many, seed=2):
    """Labels, taints and what there is for pods, of static pools."""
    pick = random.Random(seed)  # noqa: S311  # no secret
    return [({ARCH: "amd64", "team": pick.choice(TEAMS)}, _taints(pick)) for _ in range(many)]


def node_pools(many, seed=3):
    """NodePools where they stand."""
    pick = random.Random(seed)  # noqa: S311  # no secret
    places = []
    for number in range(many):
        asked = [Requirement(CATEGORY, "In", pick.sample("cmrg", 2)), Requirement(CPU, "Lt", [str(pick.choice([9, 17, 65]))])]
        pool = EksNodePool(weight=pick.choice([None, 10, 50]), requirements=asked, taints=_taints(pick), labels={"team": pick.choice(TEAMS)})
        places.append(KarpenterPool(f"pool-{number}", f"pool-{number}", eks_cloud(), pool, pool.labels, {}, eks_choices(REGION, ZONES)))
    return tuple(places)


def _taints(pick):
    return (Taint("team", pick.choice(TEAMS)),) if pick.random() < 0.4 else ()


OFFERS = {"cpu": Bounds(3000, 4000), "memory": Bounds(12 * GIB, 16 * GIB)}


def once(many, shapes, static, provisioned):
    """One run in this process: the table of types, the reading of the raw pods, the answers."""
    raw = pods(many, shapes)
    wall, used = perf_counter(), process_time()
    static_pools = tuple(StaticPool(f"static-{n}", (labels,), taints, OFFERS) for n, (labels, taints) in enumerate(nodes(static)))
    among = ClusterPools("c", static_pools, node_pools(provisioned))
    workloads = [workload for one in raw for workload in read_workloads(one)]
    reading = process_time() - used
    answers = explain(workloads, [among])
    assert len(answers) == many
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"wall": perf_counter() - wall, "cpu": process_time() - used, "reading": reading, "mb": most}


def runs(times, many, shapes, static, provisioned):
    """So many runs, each in a process of its own."""
    command = [sys.executable, "-m", "tests.bench.placement", *map(str, (many, shapes, static, provisioned))]
    return [json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout) for _ in range(times)]


def whole():
    done = runs(RUNS, PODS, SHAPES, STATIC, PROVISIONED)
    wall, cpu, mb = ([run[key] for run in done] for key in ("wall", "cpu", "mb"))
    pair = median(run["cpu"] - run["reading"] for run in done) / (SHAPES * (STATIC + PROVISIONED)) * 1e6
    print(
        f"explain of {PODS:,} pods in {SHAPES} shapes x {STATIC + PROVISIONED} pools: {min(wall):.2f} s at the least, {median(wall):.2f} s in the "
        f"median; processor {min(cpu):.2f} and {median(cpu):.2f} s, of which reading {median(run['reading'] for run in done):.2f} s; "
        f"{max(mb):.0f} MB; {pair:.0f} µs a distinct pair; {RUNS} runs"
    )


def growth():
    """What a further pool, and a further shape, costs: the same at every size where it grows in a straight line."""
    print("  pools  processor  a pool        shapes  processor  a shape")
    for pools, shapes in zip((25, 50, 100, 200), (125, 250, 500, 1000), strict=True):
        by_pools = min(run["cpu"] - run["reading"] for run in runs(3, PODS, SHAPES, pools // 5, pools - pools // 5))
        by_shapes = min(run["cpu"] - run["reading"] for run in runs(3, PODS, shapes, STATIC, PROVISIONED))
        print(
            f"  {pools:5}  {by_pools:7.2f} s  {by_pools / pools * 1000:5.1f} ms      "
            f"{shapes:6}  {by_shapes:7.2f} s  {by_shapes / shapes * 1000:6.2f} ms"
        )


def against_karpenter():
    """Processor time a pair of both, over the same pods and pools."""
    if shutil.which("go") is None:
        print("  against Karpenter's own library: not measured, there is no go on PATH")
        return
    pairs = ASKED_OF_KARPENTER * (STATIC + PROVISIONED)
    ours = median(run["cpu"] - run["reading"] for run in runs(RUNS, ASKED_OF_KARPENTER, ASKED_OF_KARPENTER, STATIC, PROVISIONED)) / pairs
    places = [raw_pool(place) for place in node_pools(PROVISIONED)]
    has = {name: bounds.least for name, bounds in OFFERS.items()}
    there = [raw_node(f"static-{n}", labels, list(taints), has, False) for n, (labels, taints) in enumerate(nodes(STATIC))]  # not cordoned
    with tempfile.TemporaryDirectory() as scratch:
        oracle = Oracle(build(Path(scratch)))
        oracle.begin(described(eks_cloud(), ZONES, ["on-demand", "spot"], REGION))
        told = [oracle.ask({"pod": one["spec"], "pools": places, "nodes": there}) for one in pods(ASKED_OF_KARPENTER, ASKED_OF_KARPENTER)]
        oracle.end()
    theirs = sum(one["seconds"] for one in told) / pairs
    print(
        f"  against Karpenter's own library, which walks every type for each pair: {ours * 1e6:.0f} µs a pair, the first use of the index "
        f"among them, to {theirs * 1e6:.0f} µs: {theirs / ours:.0f} times faster; {pairs:,} pairs"
    )


def placement():
    """The whole report."""
    whole()
    growth()
    against_karpenter()


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(once(*map(int, sys.argv[1:]))))
    else:
        placement()
