"""IPv6 ranges of clusters with both families: what Azure refuses beside what it takes."""

import pytest

from nodepools import Autoscale, ExistingAksNetwork, UserPool
from nodepools.model.base import Model
from nodepools.rules.engine.samples import SIZE, aks

BOTH = {"ip_families": ["IPv4", "IPv6"]}
SUBNET = ExistingAksNetwork(subnet_id="/subscriptions/s/resourceGroups/n/providers/Microsoft.Network/virtualNetworks/v/subnets/a")
SMALL = {"web": "10.224.64.0/28", "system": "10.224.64.16/28"}


def dual(network: object = None, pools: object = None, **profile: object) -> Model:
    fields = {"network": network, "pools": pools}
    return aks(network_profile={**BOTH, **profile}, **{name: value for name, value in fields.items() if value is not None})


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(dual(), [], id="with the defaults"),
        pytest.param(dual(SUBNET), [], id="in a network that exists"),
        pytest.param(dual(plugin="none"), [], id="with a plugin that is brought"),
        pytest.param(aks(network={"cidr_v6": "fd00:10::/48"}), [], id="a network of both families for a cluster of one"),
        pytest.param(aks(network_profile={"pod_cidr_v6": "fd00:20::/64"}), ["AKS133 network_profile.pod_cidr_v6"], id="pods of one family"),
        pytest.param(aks(network_profile={"service_cidr_v6": "fd00:20::/112"}), ["AKS133 network_profile.service_cidr_v6"], id="services of one"),
        pytest.param(dual(service_cidr_v6="fd00:20::/108"), [], id="as many services as AKS takes"),
        pytest.param(dual(service_cidr_v6="fd00:20::/107"), ["AKS134 network_profile.service_cidr_v6"], id="more than that"),
        pytest.param(dual(service_cidr_v6="fd12:3456:789a::/112"), ["AKS135 network_profile.service_cidr_v6"], id="services among the pods"),
        pytest.param(dual(pod_cidr_v6="fd12:3456:789b::/64"), ["AKS135 network_profile.pod_cidr_v6"], id="pods in the network that is made"),
        pytest.param(dual(SUBNET, pod_cidr_v6="fd12:3456:789b::/64"), [], id="not in one that exists"),
        pytest.param(
            dual({"cidr_v6": "fd12:3456:789a::/48"}),
            ["AKS135 network_profile.pod_cidr_v6", "AKS135 network_profile.service_cidr_v6"],
            id="a network around the defaults",
        ),
        pytest.param(dual({"cidr_v6": "fd00:10::/64"}), [], id="a network of one subnet"),
        pytest.param(dual({"cidr_v6": "fd00:10::/65"}), ["AKS136 network.cidr_v6"], id="of less"),
        pytest.param(dual({"cidr_v6": "fd00:10::/64", "pool_subnets": {"web": "10.224.64.0/24"}}), ["AKS136 network.cidr_v6"], id="of one for two"),
        pytest.param(dual({"cidr_v6": "fd00:10::/62", "pool_subnets": {"web": "10.224.64.0/24"}}), [], id="of four quarters"),
        pytest.param(dual({"cidr_v6": "fd00:10::/56", "pool_subnets": SMALL}), ["AKS136 network.cidr_v6"], id="two small subnets in one place"),
        pytest.param(dual({"cidr_v6": "fd00:10::/48", "pool_subnets": SMALL}), [], id="with room between them"),
        pytest.param(
            dual({"cidr_v6": "fd00:10::/64", "node_subnet_cidr": "10.99.0.0/24"}),
            ["AKS042 network.node_subnet_cidr"],
            id="a subnet outside has no place",
        ),
        pytest.param(
            dual(pod_cidr_v6="fd00:20::/76", pools={"web": UserPool(vm_size=SIZE, scale=Autoscale(1, 13))}), [], id="a /80 for each of sixteen nodes"
        ),
        pytest.param(
            dual(pod_cidr_v6="fd00:20::/76", pools={"web": UserPool(vm_size=SIZE, scale=Autoscale(1, 14))}),
            ["AKS137 network_profile.pod_cidr_v6"],
            id="and not for the seventeenth",
        ),
        pytest.param(dual(pod_cidr_v6="fd00:20::/96"), ["AKS137 network_profile.pod_cidr_v6"], id="less than a node takes"),
    ],
)
def test_ranges(declared: Model, found: list[str], judged) -> None:
    assert judged(declared) == found
