"""The network profile of an AKS cluster that exists."""

import pytest

from nodepools.clouds.aks.existing_agent_pools import ExistingNetwork, existing_network
from nodepools.model.kubernetes.raw_fields import PodError

BALANCED = {"outboundType": "loadBalancer", "networkPlugin": "azure"}


def test_nothing_is_known() -> None:
    assert existing_network({}) == ExistingNetwork()


@pytest.mark.parametrize(
    ("profile", "expected"),
    [
        ({"networkPlugin": "kubenet", "podCidr": "10.244.0.0/16"}, ExistingNetwork("kubenet", "10.244.0.0/16")),
        ({"networkPluginMode": "Overlay", "podCidr": "10.244.0.0/16"}, ExistingNetwork("overlay", "10.244.0.0/16")),
        ({"networkPluginMode": "overlay", "podCidr": None}, ExistingNetwork("overlay")),
        (
            {**BALANCED, "loadBalancerProfile": {"allocatedOutboundPorts": None, "managedOutboundIPs": {"count": 2}}},
            ExistingNetwork("azure", outbound_addresses=2),
        ),
        (
            {**BALANCED, "loadBalancerProfile": {"allocatedOutboundPorts": 1024, "outboundIPs": {"publicIPs": [{"id": "a"}, {"id": "b"}]}}},
            ExistingNetwork("azure", ports=1024, outbound_addresses=2),
        ),
        (
            {**BALANCED, "loadBalancerProfile": {"allocatedOutboundPorts": 8, "outboundIPPrefixes": {"publicIPPrefixes": [{"id": "a"}]}}},
            ExistingNetwork("azure", ports=8),
        ),
        ({"outboundType": "userAssignedNATGateway", "loadBalancerProfile": {"allocatedOutboundPorts": 8}}, ExistingNetwork()),
    ],
)
def test_profiles(profile: dict[str, object], expected: ExistingNetwork) -> None:
    assert existing_network(profile) == expected


@pytest.mark.parametrize("cidr", ["fd00::/64", "10.244.0.0/99", "pods"])
def test_an_invalid_range_is_named(cidr: str) -> None:
    with pytest.raises(PodError, match="`podCidr` must be a range of IPv4 addresses"):
        existing_network({"networkPluginMode": "overlay", "podCidr": cidr})
