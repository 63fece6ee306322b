"""Node groups and agent pools in what `aws` and `az` print."""

import json
from pathlib import Path
from typing import Any

import pytest

from nodepools.manifests.existing.existing_pools import read_existing, read_existing_pools
from nodepools.placement.node_pools import ClusterPools
from nodepools.placement.workloads.reader import read_workloads
from nodepools.reading.bounded_input import TextError
from tests.clouds.test_eks_self_managed import LINUX

ARN = "arn:aws:eks:eu-west-1:111122223333:nodegroup/shop/web/1"
GROUP = {
    "nodegroupName": "web",
    "nodegroupArn": ARN,
    "clusterName": "shop",
    "amiType": "AL2023_x86_64_STANDARD",
    "scalingConfig": {"minSize": 1, "maxSize": 6, "desiredSize": 3},
    "instanceTypes": ["m6i.large"],
    "subnets": ["subnet-1"],
    "taints": [{"key": "team", "value": "a", "effect": "NO_SCHEDULE"}],
    "labels": {"tier": "web"},
}
TEMPLATE = {"name": "shop-web", "version": "3", "id": "lt-1"}
VERSION = {"LaunchTemplateId": "lt-1", "LaunchTemplateName": "shop-web", "VersionNumber": 3, "LaunchTemplateData": {"InstanceType": "m6i.xlarge"}}
SUBNETS = {"Subnets": [{"SubnetId": "subnet-1", "AvailabilityZone": "eu-west-1a", "CidrBlock": "10.0.0.0/24", "AvailableIpAddressCount": 1}]}
CLUSTER_ID = "/subscriptions/0/resourcegroups/rg/providers/Microsoft.ContainerService/managedClusters/shop"
AGENT_POOL = {
    "id": f"{CLUSTER_ID}/agentPools/web",
    "type": "Microsoft.ContainerService/managedClusters/agentPools",
    "name": "web",
    "vmSize": "Standard_D4s_v5",
    "count": 3,
    "enableAutoScaling": True,
    "minCount": 2,
    "maxCount": 5,
    "osSku": "Ubuntu",
    "nodeTaints": ["team=a:NoSchedule"],
    "nodeLabels": {"tier": "web"},
    "availabilityZones": ["2", "1"],
    "osDiskSizeGb": 128,
    "kubeletDiskType": "OS",
    "maxPods": 110,
    "currentOrchestratorVersion": "1.34.2",
}
D4, D8 = "Standard_D4s_v5", "Standard_D8s_v5"
MACHINES = {"typePropertiesType": "VirtualMachines", "vmSize": None, "count": None, "enableAutoScaling": False}
FIXED = {"virtualMachinesProfile": {"scale": {"manual": [{"size": D4, "count": 3}, {"size": D8, "count": 2}]}}}
UNCOUNTED = {"web": "how many nodes it can have is not in the export"}
RUNNING = {"virtualMachineNodesStatus": [{"size": D8, "count": 3}]}
AKS = {"id": CLUSTER_ID, "type": "Microsoft.ContainerService/managedClusters", "kind": "Base", "location": "westeurope", "name": "shop"}
NODE = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n", "labels": {"eks.amazonaws.com/nodegroup": "web"}}}
AUTOSCALER = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "ca"},
    "spec": {"template": {"spec": {"containers": [{"image": "registry.k8s.io/autoscaling/cluster-autoscaler:v1.34.0"}]}}},
}


def group(**changed: Any) -> dict[str, Any]:
    return {"nodegroup": {**GROUP, **changed}}


def scaled(profile: object) -> dict[str, Any]:
    return {"virtualMachinesProfile": {"scale": {"autoscale": profile}}}


def read(*values: object) -> tuple[ClusterPools, list[str]]:
    failed: list[str] = []
    found = read_existing_pools(
        [(json.dumps(value), f"{number}.json") for number, value in enumerate(values)], lambda error: failed.append(str(error))
    )
    return found, failed


def test_a_node_group() -> None:
    found, failed = read(group(), SUBNETS)
    [web] = found.static
    assert not failed
    assert (web.address, web.min_nodes, web.max_nodes, web.now, web.sure_nodes) == ("web", 1, 6, 3, 3)
    assert [str(taint) for taint in web.taints] == ["team=a:NoSchedule"]
    assert web.variants[0]["topology.kubernetes.io/zone"] == "eu-west-1a"
    assert not found.unsure


def test_a_list_of_names_lacks_only_groups_that_no_file_describes() -> None:
    listing = {"nodegroups": ["web", "api"]}
    assert read(group(), listing)[1] == [
        "1.json: has only the names of node groups: export each of them with `aws eks describe-nodegroup`; missing: `api`"
    ]
    assert not read(group(), listing, group(nodegroupName="api"))[1]


def test_several_in_one_file() -> None:
    found, failed = read([group(), group(nodegroupName="api")])
    assert [pool.address for pool in found.static] == ["web", "api"]
    assert not failed


def test_a_launch_template_hides_settings_until_it_is_exported_without_user_data() -> None:
    hidden, _ = read(group(launchTemplate=TEMPLATE))
    shown, _ = read(group(launchTemplate=TEMPLATE), {"LaunchTemplateVersions": [VERSION]})
    assert "user data of its launch template `shop-web`" in hidden.unsure["web"]
    assert not shown.unsure


def test_user_data_is_secret_and_only_that_it_is_there_is_kept() -> None:
    data = {**VERSION["LaunchTemplateData"], "UserData": "c2VjcmV0LXZhbHVl"}  # type: ignore[dict-item]
    found, _ = read(group(launchTemplate=TEMPLATE), {"LaunchTemplateVersions": [{**VERSION, "LaunchTemplateData": data}]})
    assert "user data" in found.unsure["web"]
    assert "c2VjcmV0" not in repr(found)


def test_instance_types_can_be_in_the_launch_template() -> None:
    found, _ = read(group(launchTemplate=TEMPLATE, instanceTypes=[]), {"LaunchTemplateVersions": [VERSION]})
    assert found.static[0].size == "m6i.xlarge"


def test_another_version_of_the_launch_template_says_nothing() -> None:
    found, _ = read(group(launchTemplate=TEMPLATE), {"LaunchTemplateVersions": [{**VERSION, "VersionNumber": 2}]})
    assert "user data" in found.unsure["web"]


def test_a_cluster_autoscaler_among_the_objects_scales_the_group() -> None:
    found, _ = read(group(), AUTOSCALER)
    assert found.static[0].sure_nodes == 6


@pytest.mark.parametrize("image", ["registry.k8s.io/pause:3.10", 7])
def test_other_deployments_do_not(image: object) -> None:
    found, _ = read(group(), {**AUTOSCALER, "spec": {"template": {"spec": {"containers": [{"image": image}]}}}})
    assert found.static[0].sure_nodes == 3


def test_nodes_that_run_are_not_counted_twice() -> None:
    found, _ = read(group(), NODE)
    node, web = found.static
    assert (node.address, web.max_nodes) == ("n", 5)
    assert found.unsure == {"web": "more nodes than those that run are not certain to be added"}


def test_a_group_whose_nodes_all_run_is_its_nodes() -> None:
    found, _ = read(group(scalingConfig={"minSize": 1, "maxSize": 1, "desiredSize": 1}), NODE)
    assert [pool.address for pool in found.static] == ["n"]
    assert [pool.address for pool in found.emptied] == ["web"]


def test_next_to_nodepools() -> None:
    found, failed = read_existing_pools([(LINUX, "pool.yaml"), (json.dumps(group(nodegroupName="own")), "own.json")]), []
    assert ([pool.address for pool in found.static], [pool.address for pool in found.provisioned], failed) == (["own"], ["web"], [])


@pytest.mark.parametrize(
    ("shown", "has_others"),
    [
        (NODE, False),
        ({"fargateProfile": {"fargateProfileName": "jobs", "clusterName": "shop", "selectors": [{"namespace": "jobs"}]}}, True),
        ({**NODE, "metadata": {"name": "fargate-1", "labels": {"eks.amazonaws.com/compute-type": "fargate"}}}, True),
    ],
)
def test_fargate_can_run_pods_that_fit_no_node(shown: object, *, has_others: bool) -> None:
    failed: list[TextError] = []
    sources = [(json.dumps(value), f"{number}.json") for number, value in enumerate([group(), shown])]
    pools = read_existing(sources, failed.append).pools_with_pods
    [workload] = read_workloads({"kind": "Pod", "metadata": {"name": "a", "namespace": "jobs"}, "spec": {"containers": [{"name": "a"}]}})
    assert (pools.others_may_run(workload), pools.unread, failed) == (has_others, False, [])


@pytest.mark.parametrize(("namespace", "runs"), [("jobs", False), ("other", True)])
def test_a_pod_on_fargate_that_no_profile_selects_shows_that_profiles_are_missing(namespace: str, *, runs: bool) -> None:
    profile = {"fargateProfile": {"selectors": [{"namespace": "jobs", "labels": {"team": "a"}}]}}
    node = {**NODE, "metadata": {"name": "fargate-1", "labels": {"eks.amazonaws.com/compute-type": "fargate"}}}
    there = {"containers": [{"name": "a"}], "nodeName": "fargate-1"}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "namespace": namespace, "uid": "1", "labels": {"team": "a"}}, "spec": there}
    failed: list[TextError] = []
    found = read_existing([(json.dumps(value), f"{number}.json") for number, value in enumerate([profile, node, pod])], failed.append)
    [workload] = read_workloads({"kind": "Pod", "metadata": {"name": "b", "namespace": "b"}, "spec": {"containers": [{"name": "a"}]}})
    assert (found.pools_with_pods.others_may_run(workload), failed) == (runs, [])


def test_agent_pools_with_their_cluster() -> None:
    found, failed = read([AGENT_POOL], AKS)
    [web] = found.static
    assert not failed
    assert (web.min_nodes, web.max_nodes, web.now, web.max_pods) == (2, 5, 3, 110)
    assert [labels["topology.kubernetes.io/zone"] for labels in web.variants] == ["westeurope-1", "westeurope-2"]


def test_agent_pools_without_their_cluster_have_no_region() -> None:
    [web] = read([AGENT_POOL])[0].static
    assert "topology.kubernetes.io/region" not in web.variants[0]


@pytest.mark.parametrize("shown", [[], ["kubeegressgateway.azure.com/mode=true:NoSchedule"]], ids=["not shown", "shown"])
def test_a_gateway_pool_has_the_taint_of_its_mode(shown: list[str]) -> None:
    [web] = read([{**AGENT_POOL, "mode": "Gateway", "nodeTaints": shown}])[0].static
    assert [str(taint) for taint in web.taints] == ["kubeegressgateway.azure.com/mode=true:NoSchedule"]


def test_a_cluster_shows_its_agent_pools_itself() -> None:
    profile = {name: value for name, value in AGENT_POOL.items() if name not in ("id", "type")}
    [web] = read({**AKS, "agentPoolProfiles": [profile]})[0].static
    assert web.variants[0]["topology.kubernetes.io/region"] == "westeurope"


@pytest.mark.parametrize(
    ("changed", "nodes"),
    [
        pytest.param({"powerState": {"code": "Stopped"}}, (0, 0, 0), id="stopped"),
        pytest.param({"enableAutoScaling": False}, (3, 3, 3), id="not autoscaled"),
        pytest.param({**MACHINES, **FIXED}, (5, 5, 5), id="single machines"),
        pytest.param({**MACHINES, **FIXED, **RUNNING}, (5, 5, 3), id="single machines, of which some run"),
        pytest.param({**MACHINES, **scaled({"size": D4, "minCount": 1, "maxCount": 9})}, (1, 9, 1), id="autoscaled machines"),
        pytest.param({**MACHINES, **scaled([{"size": D8, "minCount": 1, "maxCount": 9}]), **RUNNING}, (1, 9, 3), id="autoscaled machines in a list"),
        pytest.param({**MACHINES, **RUNNING}, (0, 3, 3), id="machines without a profile"),
        pytest.param({**MACHINES, "mode": "Machines"}, (0, 1, 0), id="machines created one by one, of which nothing is known"),
    ],
)
def test_the_nodes_of_an_agent_pool(changed: dict[str, Any], nodes: tuple[int, int, int]) -> None:
    [web] = read([{**AGENT_POOL, **changed}])[0].static
    assert (web.min_nodes, web.max_nodes, web.now) == nodes


@pytest.mark.parametrize(
    ("changed", "size", "sizes", "unsure"),
    [
        pytest.param({}, D4, (), {}, id="a scale set"),
        pytest.param({**MACHINES, **FIXED}, "", (D4, D8), {}, id="two sizes"),
        pytest.param({**MACHINES, **scaled({"size": D4, "minCount": 1, "maxCount": 9})}, D4, (), {}, id="one size"),
        pytest.param({**MACHINES, **RUNNING}, D8, (), UNCOUNTED, id="the size of the nodes that run, without a profile"),
        pytest.param({**MACHINES, **scaled({"minCount": 1, "maxCount": 9})}, "", (), {}, id="a profile without a size"),
        pytest.param(MACHINES, "", (), UNCOUNTED, id="nothing"),
    ],
)
def test_the_sizes_of_an_agent_pool(changed: dict[str, Any], size: str, sizes: tuple[str, ...], unsure: dict[str, str]) -> None:
    found, _ = read([{**AGENT_POOL, **changed}])
    [web] = found.static
    assert (web.size, tuple(sorted(web.choices.get("node.kubernetes.io/instance-type", ())))) == (size, sizes)
    assert found.unsure == unsure


WRONG = [
    pytest.param([{**AGENT_POOL, **MACHINES, **scaled(3)}], "0.json: agent pool `web`: `autoscale` must be an object", id="profile"),
    pytest.param([{**AGENT_POOL, **MACHINES, **scaled({"size": "a"})}], "0.json: agent pool `web`: `minCount` must be a whole number", id="bound"),
    pytest.param(group(taints=[{"key": "a", "effect": "NoSchedule"}]), "0.json: node group `web`: the effect of a taint must be one of", id="effect"),
    pytest.param(group(nodegroupArn="web"), "0.json: node group `web`: `nodegroupArn` must be an ARN with a region", id="ARN"),
    pytest.param(group(amiType=None), "0.json: node group `web`: it has no `amiType`, which `aws eks describe-nodegroup` prints", id="image"),
    pytest.param(group(scalingConfig={}), "0.json: node group `web`: `scalingConfig.minSize` must be a whole number", id="size"),
    pytest.param(group(labels=["a"]), "0.json: node group `web`: `labels` must be an object", id="labels"),
    pytest.param({"nodegroups": ["web"]}, "0.json: has only the names of node groups: export each of them", id="names"),
    pytest.param({**SUBNETS, "NextToken": "x"}, "0.json: has more pages", id="pages"),
    pytest.param([{**AGENT_POOL, "vmSize": None}], "0.json: agent pool `web`: it has no `vmSize`", id="size of machines"),
    pytest.param([{**AGENT_POOL, "nodeTaints": ["a"]}], "0.json: agent pool `web`: a taint must be `key=value:Effect`, but is `a`", id="taint"),
    pytest.param([{"id": "a"}], "0.json:1:1: should be a Kubernetes object, not a list", id="something else"),
    pytest.param({"a": 1}, "0.json:1:1: should be a Kubernetes object: it has no kind", id="no export"),
]


@pytest.mark.parametrize(("value", "said"), WRONG)
def test_what_cannot_be_read_is_named(value: object, said: str) -> None:
    _, failed = read(value)
    assert [line.startswith(said) for line in failed] == [True], failed


def test_pools_of_several_clusters_are_not_mixed() -> None:
    with pytest.raises(TextError, match=r"the files have pools of several clusters \(`shop`, `erp`\): pass those of one"):
        read(group(), group(clusterName="erp"))


def test_recorded_clusters_are_read() -> None:
    folder = Path(__file__).parents[3] / "shared/data/observed"
    if not folder.exists():
        pytest.skip("the recordings are not at hand")
    for name in ("erp_Prod", "aks-billing", "aks-search", "ml-9f2c41"):
        found, failed = read(*(json.loads((folder / name / file).read_text()) for file in ("nodepool-list.json", "show.json")))
        assert found.static, name
        assert not failed


def test_documents_one_after_the_other_are_no_json() -> None:
    failed: list[str] = []
    text = json.dumps(group())
    read_existing_pools([(text + text, "groups.json")], lambda error: failed.append(str(error)))
    assert failed[0].endswith("several JSON documents need a file each, or `jq -s .`, which makes a list of them")
