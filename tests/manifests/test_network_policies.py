"""NodeClasses of files that speak of network policies, and the ConfigMap that turns their controller on."""

import json

import pytest

from nodepools import EksNodeClass
from nodepools.clouds.karpenter_objects import eks_node_class
from nodepools.manifests.manifest_objects import objects
from nodepools.manifests.object_checks import check_objects
from nodepools.model.severity import Severity

Object = dict[str, object]
GROUPS: list[dict[str, object]] = [{"id": "sg-1"}]
SUBNETS: list[dict[str, object]] = [{"id": "subnet-1"}, {"id": "subnet-2"}]


def node_class(name: str = "strict", **fields: object) -> Object:
    declared = EksNodeClass.model_validate({"network_policy": "DefaultDeny", **fields})
    return eks_node_class(name, declared, str, role="node", subnets=SUBNETS, security_groups=GROUPS)


def config_map(value: object = "true", *, name: str = "amazon-vpc-cni", namespace: str | None = "kube-system") -> Object:
    metadata = {"name": name} | ({"namespace": namespace} if namespace is not None else {})
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {"enable-network-policy-controller": value}}


def told(*written: Object) -> list[str]:
    text = "\n---\n".join(json.dumps(one) for one in written)
    findings = check_objects(list(objects(text, "x.yaml"))).findings
    return [f"{finding.severity} {finding.object} {finding.path}" for finding in findings if finding.code == "EKS096"]


CLASS = "warning x.yaml#NodeClass/strict spec.networkPolicy"
OFF = "warning x.yaml#ConfigMap/amazon-vpc-cni data.enable-network-policy-controller"


@pytest.mark.parametrize(
    ("written", "found"),
    [
        pytest.param([node_class()], [CLASS], id="a class that denies, and no switch"),
        pytest.param([node_class(), config_map()], [], id="with the switch"),
        pytest.param([config_map(), node_class()], [], id="in whatever order"),
        pytest.param([node_class(), config_map(namespace=None)], [], id="with the switch in the namespace of whoever applies it"),
        pytest.param([node_class(), config_map(namespace="default")], [CLASS], id="with the switch in another namespace"),
        pytest.param([node_class(), config_map(name="aws-node")], [CLASS], id="with another ConfigMap"),
        pytest.param([node_class(), config_map("false")], [OFF], id="switched off"),
        pytest.param([node_class(), config_map(True)], [OFF], id="a truth, which is not the text that the controller reads"),
        pytest.param([node_class(), {**config_map(), "data": None}], [OFF], id="an empty ConfigMap"),
        pytest.param([node_class(), node_class("again"), config_map("false")], [OFF], id="two classes and one cause"),
        pytest.param([node_class(network_policy="DefaultAllow")], [], id="what every cluster prints"),
        pytest.param(
            [node_class(network_policy="DefaultAllow", network_policy_event_logs="Enabled")],
            ["warning x.yaml#NodeClass/strict spec.networkPolicyEventLogs"],
            id="logs of decisions that nobody takes",
        ),
        pytest.param([node_class(network_policy="DefaultAllow"), config_map("false")], [], id="off, where nobody needs it"),
        pytest.param([config_map("false")], [], id="a ConfigMap alone"),
        pytest.param([node_class(), {"apiVersion": "v1", "kind": "ConfigMap", "metadata": "x"}], [CLASS], id="an object of no name"),
    ],
)
def test_the_switch(written: list[Object], found: list[str]) -> None:
    assert told(*written) == found


@pytest.mark.parametrize("given", [[node_class()], [node_class(), config_map("false")]], ids=["no switch", "off"])
def test_the_fix_can_be_typed_and_helps(given: list[Object]) -> None:
    text = "\n---\n".join(json.dumps(one) for one in given)
    [finding] = [finding for finding in check_objects(list(objects(text, "x.yaml"))).findings if finding.code == "EKS096"]
    assert finding.severity is Severity.WARNING
    assert 'enable-network-policy-controller: "true"' in finding.fix.text
    assert told(node_class(), config_map()) == []
