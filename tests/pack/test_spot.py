"""Workloads of production and spot pools: a row is the pods' way, the pools, and whether it is complained of."""

from typing import Any

import pytest

from nodepools.pack.organization import ORGANIZATION
from nodepools.pack.policy import Stack
from nodepools.resources.resource import UNKNOWN, Resource, Secret

(POLICY,) = (policy for policy in ORGANIZATION if policy.name == "no-spot-only-production")
SPOT_TAINT = "kubernetes.azure.com/scalesetpriority=spot:NoSchedule"


def agent_pool(name: str, **inputs: Any) -> Resource:
    return Resource(name, "azure-native:containerservice:AgentPool", name, {"mode": "User", "vmSize": "Standard_D4ds_v5", "count": 3, **inputs})


def node_pool(name: str, capacity: Any = ("on-demand",), *, labels: Any = None, group: str = "eks.amazonaws.com", **spec: Any) -> Resource:
    kind = {"eks.amazonaws.com": "NodeClass", "karpenter.azure.com": "AKSNodeClass"}.get(group, "X")
    inside = {
        "nodeClassRef": {"group": group, "kind": kind, "name": "default"},
        "requirements": [{"key": "karpenter.sh/capacity-type", "operator": "In", "values": capacity}],
        **spec,
    }
    inputs = {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "spec": {"template": {"metadata": {"labels": labels or {}}, "spec": inside}}}
    return Resource(name, "kubernetes:karpenter.sh/v1:NodePool", name, inputs)


def deployment(namespace: Any = "production", **pod: Any) -> Resource:
    inputs = {"kind": "Deployment", "metadata": {"namespace": namespace}, "spec": {"template": {"spec": {"containers": [{"image": UNKNOWN}], **pod}}}}
    return Resource("checkout", "kubernetes:apps/v1:Deployment", "checkout", inputs)


SPOT = agent_pool("spot", scaleSetPriority="Spot", nodeLabels={"tier": "web"})
STAYS = agent_pool("stays", nodeLabels={"tier": "web"})
OTHER = agent_pool("other", nodeLabels={"tier": "batch"})
WEB = {"nodeSelector": {"tier": "web"}}

ROWS = [
    pytest.param([SPOT, deployment()], True, id="a spot pool alone"),
    pytest.param([SPOT, STAYS, deployment()], False, id="another beside it"),
    pytest.param([SPOT, STAYS, deployment(**WEB)], False, id="another of the same label"),
    pytest.param([SPOT, OTHER, deployment(**WEB)], True, id="another of another label"),
    pytest.param([SPOT, deployment("staging")], False, id="another namespace"),
    pytest.param([SPOT, deployment(None)], False, id="the default namespace"),
    pytest.param([SPOT, deployment(UNKNOWN)], False, id="a namespace that is not known"),
    pytest.param([SPOT, deployment(nodeSelector=UNKNOWN)], False, id="a selector that is not known"),
    pytest.param([SPOT, deployment(nodeSelector=Secret({"tier": "web"}))], True, id="a secret selector"),
    pytest.param([deployment()], False, id="no pools: they are in another stack"),
    pytest.param([OTHER, deployment(**WEB)], False, id="no pool at all for it: that is not about spot"),
    pytest.param([SPOT, agent_pool("dark", nodeLabels=UNKNOWN), deployment()], False, id="a pool that is not known"),
    pytest.param([SPOT, agent_pool("dark", nodeTaints=[UNKNOWN]), deployment()], False, id="taints that are not known"),
    pytest.param([SPOT, agent_pool("odd", nodeTaints=["???"]), deployment()], False, id="taints that are none"),
    pytest.param([SPOT, agent_pool("kept", nodeTaints=["team=ml:NoSchedule"]), deployment()], True, id="another that it does not tolerate"),
    pytest.param(
        [agent_pool("spot", scaleSetPriority="Spot", nodeTaints=[SPOT_TAINT]), OTHER, deployment()], False, id="spot that it does not tolerate"
    ),
    pytest.param(
        [SPOT, agent_pool("system", mode="System"), deployment(nodeSelector={"kubernetes.azure.com/mode": "system"})],
        False,
        id="a label of the cloud",
    ),
    pytest.param([node_pool("spot", ["spot"]), deployment()], True, id="a NodePool of spot"),
    pytest.param([node_pool("both", ["spot", "on-demand"]), deployment()], False, id="a NodePool of both"),
    pytest.param([node_pool("spot", ["spot"]), node_pool("stays"), deployment()], False, id="a NodePool beside it"),
    pytest.param([node_pool("spot", ["spot"], group="karpenter.azure.com"), deployment()], True, id="a NodePool on AKS"),
    pytest.param([node_pool("spot", ["spot"], group="karpenter.k8s.aws"), deployment()], False, id="a NodePool that nobody knows here"),
    pytest.param([node_pool("dark", UNKNOWN), SPOT, deployment()], False, id="a NodePool that is not known"),
    pytest.param([Resource("g", "aws:eks/nodeGroup:NodeGroup", "g", {"capacityType": "SPOT"}), deployment()], True, id="a node group of spot"),
    pytest.param([Resource("g", "aws:eks/nodeGroup:NodeGroup", "g", {}), SPOT, deployment()], False, id="a node group beside it"),
    pytest.param(
        [Resource("g", "aws:eks/nodeGroup:NodeGroup", "g", {"labels": UNKNOWN}), SPOT, deployment(**WEB)], False, id="labels that are not known"
    ),
]


@pytest.mark.parametrize(("resources", "complained"), ROWS)
def test_production_has_somewhere_else_to_go(resources, complained):
    found = list(POLICY.function({"namespaces": ["production"]}).of_stack(Stack(resources, {})))
    assert [urn for urn, _ in found] == (["checkout"] if complained else [])


def test_without_the_setting_nothing_is_asked():
    assert not list(POLICY.function({}).of_stack(Stack([SPOT, deployment()], {})))


KINDS = [
    pytest.param("kubernetes:apps/v1:StatefulSet", {"spec": {"template": {"spec": {}}}}, True, id="a StatefulSet"),
    pytest.param("kubernetes:batch/v1:CronJob", {"spec": {"jobTemplate": {"spec": {"template": {"spec": {}}}}}}, True, id="a CronJob"),
    pytest.param("kubernetes:core/v1:Pod", {"spec": {}}, True, id="a Pod"),
    pytest.param("kubernetes:apps/v1:DaemonSet", {"spec": {"template": {"spec": {}}}}, False, id="a DaemonSet goes everywhere"),
    pytest.param("kubernetes:core/v1:Service", {"spec": {}}, False, id="what makes no pods"),
    pytest.param("docker:index:Pod", {"spec": {}}, False, id="a Pod of another provider"),
    pytest.param("kubernetes:core/v1:Pod", {"spec": {"nodeSelector": ["odd"]}}, False, id="no selector"),
]


@pytest.mark.parametrize(("type_", "inputs", "complained"), KINDS)
def test_kinds_of_workloads(type_, inputs, complained):
    workload = Resource("it", type_, "it", {"metadata": {"namespace": "production"}, **inputs})
    assert bool(list(POLICY.function({"namespaces": ["production"]}).of_stack(Stack([SPOT, workload], {})))) is complained
