"""Diagrams: the text line by line for a small platform, and what people read in it."""

import re

import pytest

from nodepools import (
    AksClusterArgs,
    AksNetworkArgs,
    AutoMode,
    Autoscale,
    EksClusterArgs,
    EksNetworkArgs,
    EksNodeClass,
    EksNodePool,
    Platform,
    Spot,
    SystemPool,
    UserPool,
    keys,
)
from nodepools.cli.clusters.diagram import drawn, mermaid
from nodepools.placement.workloads.reader import read_workloads

NETWORK = AksNetworkArgs(cidr="10.10.0.0/16")
SIZE = "Standard_D4ds_v5"


def weu(**pools):
    return AksClusterArgs(
        location="westeurope", kubernetes_version="1.35", network=NETWORK, system_pool=SystemPool(vm_size=SIZE, count=2), pools=pools
    )


def use1(node_classes=None, built_in=(), **pools):
    mode = AutoMode(built_in_node_pools=built_in, node_classes=node_classes if node_classes is not None else {}, node_pools=pools)
    return EksClusterArgs(region="us-east-1", kubernetes_version="1.35", network=EksNetworkArgs(cidr="10.30.0.0/16"), auto_mode=mode)


def pod(name="web", kind="Pod", **spec):
    inner = {"containers": [{"name": "main"}], **spec}
    return {"kind": kind, "metadata": {"name": name}, "spec": inner if kind == "Pod" else {"template": {"spec": inner}}}


def lines(*objects, must_fit=(), **clusters):
    platform = Platform(name="dev", clusters=clusters, must_fit=must_fit)
    return [line.strip() for line in mermaid(drawn(platform, list(read_workloads(list(objects))))).splitlines()]


def test_a_cluster_is_a_frame_with_its_pools():
    assert lines(weu=weu(web=UserPool(vm_size=SIZE, scale=Autoscale(1, 5))))[:8] == [
        "---",
        "title: dev",
        "---",
        "flowchart LR",
        'subgraph cluster_weu["weu: AKS 1.35, westeurope; NAP Manual"]',
        f'pool_weu_system["system: SystemPool<br/>{SIZE}<br/>2 nodes<br/>taint CriticalAddonsOnly=true:NoSchedule"]',
        f'pool_weu_web["web: UserPool<br/>{SIZE}<br/>1 to 5 nodes"]',
        "end",
    ]


@pytest.mark.parametrize(
    ("clusters", "line"),
    [
        pytest.param(
            {"weu": weu(batch=UserPool(vm_size=SIZE, count=1, spot=Spot()))},
            f'pool_weu_batch["batch: UserPool (spot)<br/>{SIZE}<br/>1 nodes<br/>taint kubernetes.azure.com/scalesetpriority=spot:NoSchedule"]:::spot',
            id="a spot pool has a thick frame and says so",
        ),
        pytest.param(
            {"use1": use1(built_in=["system"])},
            '<br/>set by the cloud<br/>weight 0, no limits<br/>taint CriticalAddonsOnly:NoSchedule"]:::builtin',
            id="a pool of the cloud has a dashed frame",
        ),
        pytest.param(
            {"use1": use1({"private": EksNodeClass()}, web=EksNodePool(node_class="private"))},
            "pool_use1_web --- class_use1_private",
            id="a pool is tied to its class",
        ),
        pytest.param(
            {"use1": use1(web=EksNodePool(requirements=[keys.eks.instance_cpu.more_than(4)]))},
            'pool_use1_web["web: NodePool<br/>eks.amazonaws.com/instance-cpu Gt [4]<br/>weight 0, no limits"]',
            id="a NodePool says what its nodes may be",
        ),
        pytest.param(
            {"use1": use1(web=EksNodePool(requirements=[keys.eks.instance_family.one_of(f"m{number}") for number in range(1, 9)]))},
            "<br/>and 3 more<br/>weight 0, no limits",
            id="many requirements are cut",
        ),
    ],
)
def test_a_pool(clusters, line):
    assert any(line in found for found in lines(**clusters)), lines(**clusters)


@pytest.mark.parametrize(
    ("spec", "found"),
    [
        pytest.param({}, ["workload_Pod_web --> pool_weu_web"], id="a solid arrow to the pool that takes it"),
        pytest.param({"nodeSelector": {"tier": "none"}}, [], id="none where no pool does"),
        pytest.param(
            {"containers": [{"name": "main", "resources": {"requests": {"memory": "12Gi"}}}]},
            ["workload_Pod_web -. unknown .-> pool_weu_web"],
            id="a dotted one where that is not certain",
        ),
    ],
)
def test_a_workload_goes_to_its_pool(spec, found):
    arrows = [line for line in lines(pod(**spec), weu=weu(web=UserPool(vm_size=SIZE, count=1))) if line.startswith("workload") and ">" in line[12:]]
    assert [line for line in arrows if "[" not in line] == found


def test_a_workload_without_a_pool_says_so():
    assert 'workload_Pod_web(["web: Pod<br/>fits no pool"]):::pending' in lines(pod(nodeSelector={"tier": "none"}), weu=weu())


def test_a_daemon_set_goes_everywhere_it_can():
    found = lines(pod("logs", "DaemonSet"), weu=weu(web=UserPool(vm_size=SIZE, count=1), batch=UserPool(vm_size=SIZE, count=1)))
    assert [line for line in found if line.startswith("workload_DaemonSet_logs -->")] == [
        "workload_DaemonSet_logs --> pool_weu_web",
        "workload_DaemonSet_logs --> pool_weu_batch",
    ]


def test_a_daemon_set_that_is_not_certain_on_one_pool_is_drawn_there_too():
    many = {"kind": "Deployment", "metadata": {"name": "many"}, "spec": {"replicas": 90, "template": {}}}
    asked = [{"name": "c", "resources": {"requests": {"cpu": "100m"}}}]
    many["spec"]["template"] = {"spec": {"nodeSelector": {"nodepools/name": "web"}, "containers": asked}}
    daemon = pod("logs", "DaemonSet")
    daemon["spec"]["template"]["spec"]["containers"] = [{"name": "c", "resources": {"requests": {"cpu": "500m"}}}]
    found = lines(daemon, many, weu=weu(web=UserPool(vm_size=SIZE, count=1), batch=UserPool(vm_size=SIZE, count=1)))
    assert {line.removeprefix("workload_DaemonSet_logs ") for line in found if line.startswith("workload_DaemonSet_logs -")} == {
        "-. unknown .-> pool_weu_web",
        "--> pool_weu_batch",
    }


def test_workloads_that_the_platform_names_are_drawn_too():
    assert "workload_Pod_named --> pool_weu_web" in lines(must_fit=[pod("named")], weu=weu(web=UserPool(vm_size=SIZE, count=1)))


def test_names_that_are_alike_but_for_punctuation_have_boxes_of_their_own():
    found = lines(pod("a-b"), pod("a.b"), weu=weu())
    assert [line.partition("(")[0] for line in found if line.startswith("workload")] == ["workload_Pod_a_b", "workload_Pod_a_b_2"]


def test_nothing_that_is_written_can_end_a_label():
    exists = {"name": 'x"]; click <script>`#', "uid": "1"}  # the API server has accepted it
    found = lines({**pod(), "metadata": exists}, weu=weu())
    [line] = [line for line in found if line.startswith("workload")]
    assert line == 'workload_Pod_x____click__script___(["x#quot;]; click #lt;script#gt;#96;#35;: Pod<br/>fits no pool"]):::pending'
    assert re.fullmatch(r'\w+\(\["[^"]*"\]\):::pending', line)
