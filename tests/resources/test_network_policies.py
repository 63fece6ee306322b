"""Network policies in programs that do not use our components: a NodeClass is found whose controller nothing turns on."""

from datetime import date

import pytest

from nodepools.resources.resource import UNKNOWN
from nodepools.resources.resource_checks import check_resource, check_stack
from tests.resources.foreign import eks_cluster, node_class, provider_of, resource

DAY = date(2026, 11, 21)
EKS = eks_cluster()
ON = provider_of(EKS)
DENY = node_class("strict", provider=ON, networkPolicy="DefaultDeny")
PATCH = "kubernetes:core/v1:ConfigMapPatch"
FOUND = [("EKS096", "strict", "spec.networkPolicy", "warning")]


def config_map(data, *, name="amazon-vpc-cni", token="kubernetes:core/v1:ConfigMap"):  # noqa: S107
    return resource(token, "switch", {"metadata": {"namespace": "kube-system", "name": name}, "data": data}, provider=ON)


SWITCH = {"enable-network-policy-controller": "true"}


@pytest.mark.parametrize(
    ("program", "found"),
    [
        pytest.param([DENY], FOUND, id="no switch"),
        pytest.param([DENY, config_map({"enable-network-policy-controller": "false"})], FOUND, id="switched off"),
        pytest.param([DENY, config_map({"other": "x"})], FOUND, id="a ConfigMap without the switch"),
        pytest.param([DENY, config_map(SWITCH, name="other")], FOUND, id="another ConfigMap"),
        pytest.param([DENY, config_map(SWITCH)], [], id="switched on"),
        pytest.param([DENY, config_map(SWITCH, token=PATCH)], [], id="by a patch"),
        pytest.param([DENY, config_map(SWITCH, name=UNKNOWN)], [], id="by an object whose name is not known"),
        pytest.param([DENY, config_map(UNKNOWN)], [], id="by what is not known yet"),
        pytest.param([DENY, resource("kubernetes:yaml/v2:ConfigFile", "f", {"file": "x.yaml"}, provider=ON)], [], id="perhaps by a file"),
        pytest.param([DENY, resource("kubernetes:helm.sh/v4:Chart", "c", {"chart": "x"}, provider=ON)], [], id="perhaps by a chart"),
        pytest.param([node_class("open", provider=ON, networkPolicy="DefaultAllow")], [], id="what EKS does of itself"),
        pytest.param([node_class("open", provider=ON, networkPolicy=UNKNOWN)], [], id="a policy that is not known"),
    ],
)
def test_the_switch(program, found):
    told = check_stack([EKS, ON, *program], today=DAY)
    hits = [(one.finding.code, one.urn.rpartition("::")[2], one.finding.path, one.finding.severity) for one in told if one.finding.code == "EKS096"]
    assert hits == found


def test_of_a_class_alone_nobody_knows_what_is_beside_it():
    assert "EKS096" not in {finding.code for one in (DENY, EKS) for finding in check_resource(one, today=DAY)}
