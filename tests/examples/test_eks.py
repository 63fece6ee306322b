"""The examples of EKS: each previews, has nothing wrong with it, and shows what it says."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from nodepools.engine.project import read_project
from nodepools.engine.run import Program, run

pytestmark = [pytest.mark.program, pytest.mark.usefixtures("hosts")]

SCRIPT = Path(sys.executable).with_name("nodepools")


@pytest.fixture(scope="module")
def plan(project):
    """The registration plan of a stack of an example, by kind."""

    def planned(example, stack="dev"):
        settings = read_project(project / "examples" / example, stack)
        made = run(Program(settings.directory, settings.name, stack, settings.config, settings.secret_keys), timeout=120)
        assert not [one for one in made.diagnostics if one.severity == "error"]
        kinds = {}
        for resource in made.to_json()["resources"]:
            kinds.setdefault(resource["type"].rpartition(":")[2], []).append(resource)
        return kinds

    return planned


@pytest.fixture
def command(project):
    """The command line, in the folder of an example."""

    def ran(example, *words):
        done = subprocess.run(
            [SCRIPT, *words, "--format", "json"], cwd=project / "examples" / example, capture_output=True, text=True, check=False, timeout=120
        )
        return json.loads(done.stdout)

    return ran


def requirements(node_pool):
    return [(one["key"], one["operator"], one["values"]) for one in node_pool["inputs"]["spec"]["template"]["spec"]["requirements"]]


ASKED = [
    ("karpenter.sh/capacity-type", "In", ["spot", "on-demand"]),
    ("eks.amazonaws.com/instance-category", "In", ["c", "m", "r"]),
    ("eks.amazonaws.com/instance-cpu", "In", ["2", "4", "8"]),
    ("kubernetes.io/arch", "In", ["amd64"]),
]


def test_with_the_built_in_pools_on_nothing_is_registered_for_the_pool_but_itself(plan):
    kinds = plan("eks-auto")
    [pool] = kinds["NodePool"]
    assert pool["inputs"]["metadata"]["name"] == "default"
    assert pool["inputs"]["spec"]["template"]["spec"]["nodeClassRef"] == {"group": "eks.amazonaws.com", "kind": "NodeClass", "name": "default"}
    assert requirements(pool) == ASKED
    assert not {"NodeClass", "AccessEntry", "AccessPolicyAssociation"} & kinds.keys()
    assert {role["name"] for role in kinds["Role"]} == {"dev-auto-cluster-role", "dev-auto-node-role"}
    assert kinds["Cluster"][0]["inputs"]["computeConfig"]["nodePools"] == ["general-purpose", "system"]


def test_with_the_built_in_pools_off_it_has_a_class_a_role_and_an_entry_of_its_own(plan):
    kinds = plan("eks-auto", "own")
    [pool], [node_class], [entry] = kinds["NodePool"], kinds["NodeClass"], kinds["AccessEntry"]
    assert requirements(pool) == ASKED
    assert pool["inputs"]["spec"]["template"]["spec"]["nodeClassRef"]["name"] == node_class["inputs"]["metadata"]["name"]
    assert {role["name"] for role in kinds["Role"]} == {"own-auto-cluster-role", "own-auto-node-role-private"}
    assert entry["inputs"]["type"] == "EC2"
    assert kinds["AccessPolicyAssociation"][0]["inputs"]["policyArn"].endswith("cluster-access-policy/AmazonEKSAutoNodePolicy")
    assert kinds["Cluster"][0]["inputs"]["computeConfig"] == {"enabled": True}
    assert entry["urn"] in {urn for one in kinds["AccessPolicyAssociation"] for urn in one["dependencies"]}
    assert node_class["urn"] in pool["dependencies"]


def test_the_pool_admits_173_types(command):
    assert len(command("eks-auto", "instances", "--pool", "auto/default")["instance_types"]) == 173


def test_an_unpinned_pod_goes_to_general_purpose_and_a_pinned_one_to_default(command):
    pods = {pod["name"]: pod for pod in command("eks-auto", "explain", "pods")["pods"]}
    assert (pods["unpinned"]["verdict"], pods["unpinned"]["pool"]) == ("fits", "auto/general-purpose")
    assert (pods["pinned"]["verdict"], pods["pinned"]["pool"]) == ("fits", "auto/default")


def test_without_the_built_in_pools_both_go_to_default(command):
    pods = {pod["name"]: pod["pool"] for pod in command("eks-auto", "explain", "--stack", "own", "pods")["pods"]}
    assert pods == {"unpinned": "auto/default", "pinned": "auto/default"}


def test_gpu_and_graviton_pools_are_what_they_say(plan):
    kinds = plan("eks-gpu-arm")
    pools = {pool["inputs"]["metadata"]["name"]: pool["inputs"]["spec"] for pool in kinds["NodePool"]}
    assert set(pools) == {"arm", "web-spot", "web", "gpu", "neuron", "steady"}
    assert (pools["web-spot"]["weight"], pools["web"]["weight"]) == (20, 10)
    assert pools["gpu"]["template"]["spec"]["taints"] == [{"key": "nvidia.com/gpu", "effect": "NoSchedule"}]
    assert (pools["steady"]["replicas"], pools["steady"]["limits"]) == (2, {"nodes": "3"})
    assert [policy["name"] for policy in kinds["RolePolicy"]] == ["dev-ml-cluster-role-custom-tags"], "tags of a class need it"


def test_in_a_vpc_that_exists_nothing_of_the_network_is_registered(plan):
    kinds = plan("eks-existing-vpc")
    assert not {"Vpc", "Subnet", "NatGateway", "Route", "RouteTable", "InternetGateway"} & kinds.keys()
    subnets = [f"subnet-0a00000000000000{number}" for number in (1, 2, 3)]
    assert kinds["Cluster"][0]["inputs"]["vpcConfig"]["subnetIds"] == subnets
    assert kinds["NodeClass"][0]["inputs"]["spec"]["subnetSelectorTerms"] == [{"id": subnet} for subnet in subnets]


@pytest.mark.parametrize(("example", "stack"), [("eks-auto", "dev"), ("eks-auto", "own"), ("eks-gpu-arm", "dev")])
def test_nothing_is_wrong_with_an_example(command, example, stack):
    found = command(example, "check", "--stack", stack)
    assert [finding["code"] for finding in found["findings"] if finding["severity"] != "note"] == []
