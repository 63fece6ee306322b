"""NodePools as manifests have them: with the defaults that every version of their Karpenter has."""

import pytest

from nodepools.clouds.karpenter_requests import object_request


@pytest.mark.parametrize(
    ("kind", "policy"),
    [
        pytest.param("EC2NodeClass", "WhenEmptyOrUnderutilized", id="self-managed"),
        pytest.param("AKSNodeClass", "WhenEmptyOrUnderutilized", id="node auto provisioning"),
        pytest.param("NodeClass", None, id="Auto Mode: Balanced from 1.37 on"),
    ],
)
def test_the_default_policy_of_auto_mode_depends_on_the_version(kind, policy):
    spec = {"template": {"spec": {"nodeClassRef": {"kind": kind, "name": "default"}}}}
    request = object_request({"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "web"}, "spec": spec})
    assert request is not None
    assert request.sent["disruption"].get("consolidationPolicy") == policy
    assert request.sent["disruption"]["consolidateAfter"] == "0s"
