"""Objects of self-managed Karpenter that a program registers, though no component does."""

from datetime import date
from typing import Any

import pytest

from nodepools.resources.resource import Resource
from nodepools.resources.resource_checks import check_stack
from nodepools.rules.engine.registry import all_rules

all_rules()
DAY = date(2026, 11, 21)
TERM = {"tags": {"karpenter.sh/discovery": "web"}}
CLASS: dict[str, Any] = {
    "role": "nodes",
    "amiSelectorTerms": [{"alias": "al2023@v20260801"}],
    "subnetSelectorTerms": [TERM],
    "securityGroupSelectorTerms": [TERM],
}


def found(kind: str, api_version: str, spec: dict[str, Any]) -> list[tuple[str, str]]:
    inputs = {"apiVersion": api_version, "kind": kind, "metadata": {"name": "own"}, "spec": spec}
    resource = Resource("urn", f"kubernetes:{api_version}:{kind}", "own", inputs)
    return [(one.finding.code, one.finding.path) for one in check_stack([resource], today=DAY)]


ROWS = [
    pytest.param({}, [], id="a sound class"),
    pytest.param({"amiSelectorTerms": [{"alias": "al2023"}]}, [("SMK006", "spec.amiSelectorTerms[0].alias")], id="an alias without a version"),
    pytest.param({"metadataOptions": {"httpTokens": "optional"}}, [("SMK030", "spec.metadataOptions.httpTokens")], id="no tokens"),
    pytest.param({"instanceProfile": "nodes"}, [("SMK010", "spec.instanceProfile")], id="a role and a profile"),
]


@pytest.mark.parametrize(("changes", "expected"), ROWS)
def test_a_node_class(changes: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    assert found("EC2NodeClass", "karpenter.k8s.aws/v1", {**CLASS, **changes}) == expected


def test_a_node_pool() -> None:
    requirements = [
        {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["on-demand"]},
        {"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64"]},
        {"key": "eks.amazonaws.com/instance-cpu", "operator": "In", "values": ["4"]},
    ]
    reference = {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "own"}
    spec = {"template": {"spec": {"nodeClassRef": reference, "requirements": requirements, "expireAfter": "720h"}}}
    assert found("NodePool", "karpenter.sh/v1", spec) == [("SMK040", "spec.template.spec.requirements[2]")]
