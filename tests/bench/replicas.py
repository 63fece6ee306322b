"""How long it takes to count the replicas of workloads with topology constraints: explaining included, processor time.

Also with what decides next to them: quotas, LimitRanges, priorities, gangs, and claims of devices on nodes that run and have pods. The garbage
collector runs as rarely as in a command.
"""

import gc
import json
import subprocess
import sys
from statistics import median
from time import process_time

from nodepools.placement.existing_nodes import ExistingPods, existing_pools
from nodepools.placement.node_pools import ClusterPools
from nodepools.placement.static_pools import StaticPool
from nodepools.placement.workloads.objects import read_workload_objects
from nodepools.placement.workloads.reader import read_workloads
from nodepools.replicas.explained import explain_replicas
from tests.bench.placement import OFFERS, node_pools, nodes, pods

WORKLOADS, SHAPES, STATIC, PROVISIONED, RUNS = 1000, 250, 6, 24, 7
LIMIT = 1.5


def workloads(many, shapes):
    """Deployments, each spread over zones; every second one with anti-affinity over nodes."""
    return [_deployment(number, pod["spec"]) for number, pod in enumerate(pods(many, shapes))]


def _deployment(number, spec):
    labels = {"app": f"app-{number}"}
    chosen = {"labelSelector": {"matchLabels": labels}}
    spread = {
        "topologyKey": "topology.kubernetes.io/zone",
        "maxSkew": 1,
        "minDomains": number % 3 + 1,
        "whenUnsatisfiable": "DoNotSchedule",
        **chosen,
    }
    apart = {"requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": "kubernetes.io/hostname", **chosen}]}
    affinity = {**spec["affinity"], **({"podAntiAffinity": apart} if number % 2 else {})}
    template = {"metadata": {"labels": labels}, "spec": {**spec, "affinity": affinity, "topologySpreadConstraints": [spread]}}
    return {"kind": "Deployment", "metadata": {"name": labels["app"]}, "spec": {"replicas": number % 7 + 1, "template": template}}


def once():
    """One run in this process: the table of types, the reading of the raw workloads, the counts."""
    raw = workloads(WORKLOADS, SHAPES)
    start = process_time()
    static = tuple(StaticPool(f"static-{n}", (labels,), taints, OFFERS) for n, (labels, taints) in enumerate(nodes(STATIC)))
    found = explain_replicas([workload for one in raw for workload in read_workloads(one)], [ClusterPools("c", static, node_pools(PROVISIONED))])
    assert len(found) == WORKLOADS
    return process_time() - start


def with_objects():
    """The same with objects, on nodes that run next to the NodePools."""
    raw, objects = workloads(WORKLOADS, SHAPES), [*_OBJECTS]
    for number, one in enumerate(raw):
        spec = one["spec"]["template"]["spec"] = {**one["spec"]["template"]["spec"]}  # shapes are shared
        if number % 10 == 0:
            spec["resourceClaims"] = [{"name": "gpu", "resourceClaimTemplateName": f"of-{number % 70}"}]
        if number % 20 == 1:
            spec["schedulingGroup"] = {"podGroupName": f"gang-{number}"}
            policy = {"schedulingPolicy": {"gang": {"minCount": 2}}}
            objects.append({**_of("scheduling.k8s.io/v1beta1", "PodGroup", f"gang-{number}"), "spec": policy})
        if number % 5 == 2:
            spec["priorityClassName"] = "high"
    found = [StaticPool(f"n{n}", (labels,), taints, OFFERS, names=frozenset({f"n{n}"})) for n, (labels, taints) in enumerate(nodes(STATIC))]
    start = process_time()
    of = read_workload_objects(objects)
    bound = tuple(workload for one in objects if one["kind"] == "Pod" for workload in read_workloads(one, existing=True))
    pools = existing_pools(ClusterPools("c", (), node_pools(PROVISIONED)), found, ExistingPods(bound))
    assert len(explain_replicas([workload for one in raw for workload in read_workloads(one)], [pools], of)) == WORKLOADS
    return process_time() - start


def _of(version, kind, name):
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name, "namespace": "default", "uid": name}}


def _on(node):
    """The devices of a node, and its pods: two have one each."""
    devices = [{"name": f"d{number}", "attributes": {"numa": {"int": number // 4}}} for number in range(8)]
    pool = {"name": node, "generation": 1, "resourceSliceCount": 1}
    yield {**_of("resource.k8s.io/v1", "ResourceSlice", node), "spec": {"driver": "gpu", "nodeName": node, "pool": pool, "devices": devices}}
    for number in range(10):
        spec = {"nodeName": node, "containers": [{"name": "main", "resources": {"requests": {"cpu": "100m"}}}]}
        pod = {**_of("v1", "Pod", f"{node}-{number}"), "spec": spec}
        if number < 2:
            spec["resourceClaims"] = [{"name": "gpu", "resourceClaimName": pod["metadata"]["name"]}]
            result = {"request": "gpu", "driver": "gpu", "pool": node, "device": f"d{number}"}
            status = {"allocation": {"devices": {"results": [result]}}, "reservedFor": [{"resource": "pods", "name": f"{node}-{number}"}]}
            yield {**_of("resource.k8s.io/v1", "ResourceClaim", f"{node}-{number}"), "spec": {"devices": {"requests": [_GPU]}}, "status": status}
        yield pod


_GPU = {"name": "gpu", "exactly": {"deviceClassName": "gpu"}}
_OBJECTS = [
    {**_of("v1", "ResourceQuota", "quota"), "spec": {"hard": {"pods": "3000", "requests.cpu": "9000"}}},
    {**_of("v1", "LimitRange", "limits"), "spec": {"limits": [{"type": "Container", "defaultRequest": {"memory": "64Mi"}}]}},
    {**_of("scheduling.k8s.io/v1", "PriorityClass", "high"), "value": 1000},
    {**_of("resource.k8s.io/v1", "DeviceClass", "gpu"), "spec": {"selectors": [{"cel": {"expression": "device.driver == 'gpu'"}}]}},
    *(
        {
            **_of("resource.k8s.io/v1", "ResourceClaimTemplate", f"of-{number}"),
            "spec": {"spec": {"devices": {"requests": [{**_GPU, "exactly": {"deviceClassName": "gpu", "count": 1 + number // 10 % 3}}]}}},
        }
        for number in range(0, 70, 10)
    ),
    *(one for number in range(STATIC) for one in _on(f"n{number}")),
]


def replicas():
    """The report; more than the limit is an error."""
    of = f"replicas of {WORKLOADS:,} workloads with topology x {STATIC + PROVISIONED} pools"
    for what, also in (("once", ""), ("with_objects", ", with quotas, gangs, priorities and claims of devices")):
        command = [sys.executable, "-m", "tests.bench.replicas", what]
        taken = median(json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout) for _ in range(RUNS))
        print(f"{of}{also}: {taken:.2f} s of processor in the median of {RUNS} (limit {LIMIT} s)")
        assert also or taken < LIMIT


if __name__ == "__main__":
    gc.set_threshold(1_000_000)
    print(json.dumps({"once": once, "with_objects": with_objects}[sys.argv[1]]())) if len(sys.argv) > 1 else replicas()
