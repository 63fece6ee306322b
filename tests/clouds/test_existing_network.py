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
        ({"networkPlugin": "kubenet", "podCidr": "10.244.0.0/16"}, ExistingNetwork(pods_have_own_addresses=True)),
        ({"networkPluginMode": "Overlay", "podCidr": "10.244.0.0/16"}, ExistingNetwork(pods_have_own_addresses=True, pod_cidr="10.244.0.0/16")),
        ({"networkPluginMode": "overlay", "podCidr": None}, ExistingNetwork(pods_have_own_addresses=True)),
        (
            {**BALANCED, "loadBalancerProfile": {"allocatedOutboundPorts": None, "managedOutboundIPs": {"count": 2}}},
            ExistingNetwork(outbound_addresses=2),
        ),
        (
            {**BALANCED, "loadBalancerProfile": {"allocatedOutboundPorts": 1024, "outboundIPs": {"publicIPs": [{"id": "a"}, {"id": "b"}]}}},
            ExistingNetwork(ports=1024, outbound_addresses=2),
        ),
        (
            {**BALANCED, "loadBalancerProfile": {"allocatedOutboundPorts": 8, "outboundIPPrefixes": {"publicIPPrefixes": [{"id": "a"}]}}},
            ExistingNetwork(ports=8),
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
