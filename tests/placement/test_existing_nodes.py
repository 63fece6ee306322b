"""The nodes of a running cluster, with the room that their pods leave."""

from dataclasses import replace
from typing import Any

import pytest

from nodepools import EksNodePool, Platform, Requirement, UserPool
from nodepools.clouds.registry import catalog
from nodepools.placement.existing_nodes import ExistingPods, existing_pools, several_clusters
from nodepools.placement.explain import explain
from nodepools.placement.machine_index import Bounds
from nodepools.placement.node_pools import ClusterPools
from nodepools.placement.static_pools import StaticPool
from nodepools.placement.workloads.reader import read_workloads
from nodepools.placement.workloads.workload import Workload
from tests.placement.conftest import aks, eks

UNEXPORTED = "its room is not known, because pods were not exported"

AGENT_POOL = "kubernetes.azure.com/agentpool"
NODE = StaticPool("n", ({},), size="n", offers={"cpu": Bounds(1930, 1930), "x": Bounds(0, None)}, names=frozenset({"n"}), max_pods=2)
UNSIZED = StaticPool("n", ({},), names=frozenset({"n"}))


def pod(name: str = "web", node: str = "", cpu: str = "1") -> Workload:
    spec = {"nodeName": node, "containers": [{"resources": {"requests": {"cpu": cpu}}}]}
    [found] = read_workloads({"kind": "Pod", "metadata": {"name": name}, "spec": spec})
    return found


def bound(*amounts: str, node: str = "n") -> ExistingPods:
    return ExistingPods(tuple(pod(f"p{number}", node, cpu) for number, cpu in enumerate(amounts)))


ROWS = [
    pytest.param(NODE, ExistingPods(), ("fits", ""), id="a node without pods"),
    pytest.param(NODE, bound("1800m"), ("cannot", "Insufficient cpu: pod requests 1 cpu, `n` has 130m"), id="a pod takes its room"),
    pytest.param(NODE, bound("1800m", node="other"), ("fits", ""), id="on another node it does not"),
    pytest.param(NODE, bound("3"), ("cannot", "Insufficient cpu: pod requests 1 cpu, `n` has none"), id="more than there is"),
    pytest.param(NODE, bound("1m", "1m"), ("cannot", "Too many pods: the node runs as many as it can"), id="as many pods as it runs"),
    pytest.param(NODE, None, ("unknown", UNEXPORTED), id="no pods in the input"),
    pytest.param(
        UNSIZED, bound("1"), ("unknown", "pod requests 1 cpu: how much a node has cannot be determined offline"), id="a node of unknown size"
    ),
]


@pytest.mark.parametrize(("node", "pods", "expected"), ROWS)
def test_room(node: StaticPool, pods: ExistingPods | None, expected: tuple[str, str]) -> None:
    [answer] = explain([pod()], [existing_pools(ClusterPools(None), [node], pods)])
    [evaluated] = answer.pools
    assert (evaluated.verdict.value, "".join(reason.message for reason in evaluated.reasons)) == expected


NOT_REPORTED = "what is used of them is not known without its `status.resources`, as `kubectl get nodepools -o yaml` prints it"


def declared(cluster: Any) -> ClusterPools:
    [pools] = catalog(Platform(name="dev", clusters={"c": cluster}))
    return pools


def test_an_agent_pool_adds_the_nodes_that_do_not_run() -> None:
    pools = declared(aks(web=UserPool(vm_size="Standard_D2ds_v5", count=3)))
    name = next(pool.variants[0][AGENT_POOL] for pool in pools.static if pool.address == "c/web")
    node = StaticPool("n", ({AGENT_POOL: name},), names=frozenset({"n"}))
    found = {pool.address: (pool.min_nodes, pool.max_nodes) for pool in existing_pools(pools, [node], ExistingPods()).static}
    assert (found["n"], found["c/web"]) == ((1, 1), (2, 2))


MORE = [
    pytest.param(EksNodePool(), "", id="as many nodes as needed"),
    pytest.param(EksNodePool(limits={"cpu": "100"}), f"the NodePool has limits (cpu 100): {NOT_REPORTED}", id="limits"),
    pytest.param(
        EksNodePool(replicas=2), "the NodePool is static: more nodes than those that run are not certain to be added", id="a static NodePool"
    ),
]


@pytest.mark.parametrize(("pool", "expected"), MORE)
def test_pools_that_may_add_nodes(pool: EksNodePool, expected: str) -> None:
    assert existing_pools(declared(eks(any=pool)), [], ExistingPods()).unsure.get("c/any", "") == expected


def test_what_is_not_certain_is_unknown() -> None:
    pools = existing_pools(declared(eks(any=EksNodePool(limits={"cpu": "100"}))), [], ExistingPods())
    [evaluated] = explain([pod()], [pools])[0].pools
    assert (evaluated.verdict.value, evaluated.reasons[-1].message) == (
        "unknown",
        f"the NodePool has limits (cpu 100): {NOT_REPORTED}",
    )
    [missed] = explain(list(read_workloads({"kind": "Pod", "spec": {"nodeSelector": {"a": "b"}, "containers": [{}]}})), [pools])[0].pools
    assert missed.verdict.value == "cannot"


@pytest.mark.parametrize(
    ("reported", "pods", "expected"),
    [
        ({"nodes": 1000, "cpu": 8000}, ExistingPods(), ""),
        ({"nodes": 2000, "cpu": 8000}, ExistingPods(), "its `status.resources` counts other nodes than those in the input"),
        ({"nodes": 1000, "cpu": 4000}, ExistingPods(), "its `status.resources` counts other nodes than those in the input"),
        ({}, ExistingPods(), NOT_REPORTED),
        ({"nodes": 1000, "cpu": 8000}, ExistingPods(only=("shop",)), "pods that were not exported can take what is left of them"),
        ({"nodes": 1000, "cpu": 8000}, None, "pods that were not exported can take what is left of them"),
    ],
)
def test_limits_are_certain_if_all_nodes_of_the_pool_and_all_pods_were_read(
    reported: dict[str, int], pods: ExistingPods | None, expected: str
) -> None:
    pools = declared(eks(any=EksNodePool(limits={"cpu": "16"})))
    pools = replace(pools, provisioned=tuple(replace(pool, reported=reported) for pool in pools.provisioned))
    found = existing_pools(pools, [of_pool("a", cpu=8000, nodes=1000)], pods)
    told = f"the NodePool has limits (cpu 16, 8 of it used): {expected}"
    assert found.unsure.get("c/any", "") == (told if expected else "")


def of_pool(name: str, **counts: int) -> StaticPool:
    return StaticPool(name, ({"karpenter.sh/nodepool": "any"},), names=frozenset({name}), cordoned=True, counts=counts)


LIMITED = [
    pytest.param(
        {"cpu": "9"},
        [of_pool("a", cpu=8000)],
        "one node of any allowed instance type would exceed the NodePool's limits (cpu 9, 8 of it used)",
        id="less than a node is left",
    ),
    pytest.param(
        {"cpu": "16"},
        [of_pool("a", cpu=8000)],
        f"the NodePool has limits (cpu 16, 8 of it used): {NOT_REPORTED}",
        id="enough",
    ),
    pytest.param({"cpu": "9"}, [of_pool("a")], f"the NodePool has limits (cpu 9): {NOT_REPORTED}", id="the node is removed"),
    pytest.param(
        {"nodes": "2"},
        [of_pool("a", nodes=1000), of_pool("b", nodes=1000)],
        "as many nodes run as `limits.nodes` allows: the NodePool launches no node",
        id="two of two nodes",
    ),
    pytest.param(
        {"cpu": "9"},
        [StaticPool("other", ({},), names=frozenset({"other"}), cordoned=True, counts={"cpu": 8000})],
        f"the NodePool has limits (cpu 9): {NOT_REPORTED}",
        id="a node of another pool",
    ),
]


@pytest.mark.parametrize(("limits", "nodes", "expected"), LIMITED)
def test_running_nodes_count_against_limits(limits: dict[str, str], nodes: list[StaticPool], expected: str) -> None:
    pool = EksNodePool(limits=limits, requirements=[Requirement("node.kubernetes.io/instance-type", "In", ["c5.xlarge"])])
    pools = existing_pools(declared(eks(any=pool)), nodes, ExistingPods())
    evaluated = next(found for found in explain([pod()], [pools])[0].pools if found.pool == "c/any")
    assert evaluated.reasons[-1].message == expected


CONDITIONS = [
    pytest.param({"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "0/3 nodes"}, "0/3 nodes", id="unschedulable"),
    pytest.param({"type": "PodScheduled", "status": "False", "reason": "SchedulingGated", "message": "gated"}, "", id="gated"),
    pytest.param({"type": "Ready", "status": "False"}, "", id="another condition"),
]


def test_what_kube_scheduler_reports_is_about_the_nodes_that_exist() -> None:
    pools = existing_pools(declared(eks(any=EksNodePool())), [], ExistingPods())
    [found] = read_workloads({"kind": "Pod", "spec": {"containers": [{}]}, "status": {"conditions": [{**CONDITIONS[0].values[0]}]}})
    [answer] = explain([found], [pools])
    assert answer.notices == (
        "kube-scheduler reported in the pod's status: 0/3 nodes (this is about the nodes that exist: Karpenter can launch one of `c/any`)",
    )


@pytest.mark.parametrize(("condition", "expected"), CONDITIONS)
def test_what_kube_scheduler_reports(condition: dict[str, Any], expected: str) -> None:
    [found] = read_workloads({"kind": "Pod", "spec": {"containers": [{}]}, "status": {"conditions": [condition]}})
    [answer] = explain([found], [ClusterPools(None, (NODE,))])
    assert found.unschedulable == expected
    assert [note for note in answer.notices if "reported" in note] == (
        [f"kube-scheduler reported in the pod's status: {expected}"] if expected else []
    )


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ([{"kubernetes.azure.com/mode": "user"}] * 2, True),
        ([{"eks.amazonaws.com/nodegroup": "web"}], False),
        ([{"kubernetes.azure.com/mode": "user"}, {}], None),
        ([{"kubernetes.azure.com/mode": "user", "eks.amazonaws.com/nodegroup": "web"}], None),
        ([], None),
    ],
)
def test_labels_of_all_nodes_tell_whether_the_cloud_adds_node_selectors_of_namespaces(labels: list[dict[str, str]], *, expected: bool | None) -> None:
    nodes = [StaticPool(f"n{number}", (one,)) for number, one in enumerate(labels)]
    assert existing_pools(ClusterPools(None), nodes, None).adds_node_selectors is expected
    assert existing_pools(ClusterPools(None, adds_node_selectors=False), nodes, None).adds_node_selectors is False


@pytest.mark.parametrize(
    ("regions", "groups", "several"),
    [
        ([], [], 0),
        (["eu-west-1", "eu-west-1"], ["mc-a", "MC-a"], 0),
        (["eu-west-1", "us-east-1"], ["mc-a"], 1),
        (["westeurope"], ["mc-a", "mc-b"], 1),
        (["westeurope", "northeurope"], ["mc-a", "mc-b"], 2),
    ],
)
def test_nodes_of_several_clusters(regions: list[str], groups: list[str], several: int) -> None:
    ids = [f"azure:///subscriptions/s/resourceGroups/{group}/providers/Microsoft.Compute/virtualMachineScaleSets/v" for group in groups]
    nodes = [StaticPool("n", ({"topology.kubernetes.io/region": region},), (), {}) for region in regions]
    nodes += [StaticPool("n", ({},), (), {}, provider_id=each) for each in ids]
    assert len(list(several_clusters(nodes))) == several
