"""Networks of AKS clusters that others register: what AKS refuses, and what it accepts close by."""

from datetime import date

import pytest

from nodepools.model.severity import Severity
from nodepools.resources.resource import UNKNOWN
from nodepools.resources.resource_checks import check_stack
from tests.resources.foreign import agent_pool, managed_cluster, system

DAY = date(2026, 11, 21)
VNET = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets"
OVERLAY = {"networkPlugin": "azure", "networkPluginMode": "overlay"}
FLAT = {"networkPlugin": "azure"}
ZONE = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/privateDnsZones/privatelink"
OWN = [system(vnetSubnetID=f"{VNET}/nodes")]
POOL = agent_pool("web", vnetSubnetID=f"{VNET}/nodes")
AKS_MADE = agent_pool("web")
PORTS = {"allocatedOutboundPorts": 16_000, "managedOutboundIPs": {"count": 1}}
CACHE = {"artifactSource": "Cache"}
SERVER = {"enablePrivateCluster": True}


def cluster(profile, /, *, pools=None, **inputs):
    return managed_cluster(networkProfile=profile, agentPoolProfiles=OWN if pools is None else pools, **inputs)


def found(*resources):
    return sorted(
        f"{one.finding.code} {one.urn.rpartition('::')[2]} {one.finding.path}"
        for one in check_stack(resources, today=DAY)
        if one.finding.severity is Severity.ERROR
    )


RANGES = [f"203.0.113.{number}/32" for number in range(201)]
ROWS = {
    "201 ranges are refused": (
        [cluster(OVERLAY, apiServerAccessProfile={"authorizedIPRanges": RANGES}), POOL],
        ["AKS212 shop apiServerAccessProfile.authorizedIPRanges"],
    ),
    "where the server is in a network of AKS's they are accepted": (
        [cluster(OVERLAY, pools=[system()], apiServerAccessProfile={"authorizedIPRanges": RANGES, "enableVnetIntegration": True}), AKS_MADE],
        [],
    ),
    "overlay with IPv4 and IPv6 is accepted": ([cluster({**OVERLAY, "ipFamilies": ["IPv4", "IPv6"]}), POOL], []),
    "IPv6 alone is refused": ([cluster({**OVERLAY, "ipFamilies": ["IPv6"]}), POOL], ["AKS200 shop networkProfile.ipFamilies"]),
    "IPv6 with Calico is refused": (
        [cluster({**OVERLAY, "ipFamilies": ["IPv4", "IPv6"], "networkPolicy": "calico"}), POOL],
        ["AKS202 shop networkProfile.networkPolicy"],
    ),
    "IPv6 in the nodes' subnet is refused": (
        [cluster({**FLAT, "ipFamilies": ["IPv4", "IPv6"]}), POOL],
        ["AKS203 shop networkProfile.ipFamilies"],
    ),
    "IPv6 with kubenet is not judged": ([cluster({"networkPlugin": "kubenet", "ipFamilies": ["IPv4", "IPv6"]}), POOL], []),
    "families that are not known are not judged": ([cluster({**FLAT, "ipFamilies": UNKNOWN}), POOL], []),
    "more ports than an address has are refused": (
        [cluster({**OVERLAY, "loadBalancerProfile": PORTS}), POOL],
        ["AKS206 shop networkProfile.loadBalancerProfile.allocatedOutboundPorts"],
    ),
    "of an unknown number of addresses they are not judged": (
        [cluster({**OVERLAY, "loadBalancerProfile": {**PORTS, "managedOutboundIPs": UNKNOWN}}), POOL],
        [],
    ),
    "beside pools that are not known they are not judged": (
        [cluster({**OVERLAY, "loadBalancerProfile": {**PORTS, "allocatedOutboundPorts": 8000}}), agent_pool("web", count=UNKNOWN)],
        [],
    ),
    "a balancer beside routes is refused": (
        [cluster({**OVERLAY, "outboundType": "userDefinedRouting", "loadBalancerProfile": {"idleTimeoutInMinutes": 4}}), POOL],
        ["AKS208 shop networkProfile.outboundType"],
    ),
    "routes in a subnet of one's own are accepted": ([cluster({**OVERLAY, "outboundType": "userDefinedRouting"}), POOL], []),
    "in a subnet that is not known as well": (
        [cluster({**OVERLAY, "outboundType": "userDefinedRouting"}, pools=[system(vnetSubnetID=UNKNOWN)]), POOL],
        [],
    ),
    "in the network of AKS they are refused": (
        [cluster({**OVERLAY, "outboundType": "userDefinedRouting"}, pools=[system()]), AKS_MADE],
        ["AKS046 shop networkProfile.outboundType"],
    ),
    "a gateway of AKS in its network is accepted": ([cluster({**OVERLAY, "outboundType": "managedNATGateway"}, pools=[system()]), AKS_MADE], []),
    "in a network of one's own it is refused": (
        [cluster({**OVERLAY, "outboundType": "managedNATGateway"}), POOL],
        ["AKS044 shop networkProfile.outboundType"],
    ),
    "where the subnet is not known nothing is said": (
        [cluster({**OVERLAY, "outboundType": "managedNATGateway"}, pools=[system(vnetSubnetID=UNKNOWN)]), POOL],
        [],
    ),
    "a subnet of one's own beside one of AKS's is refused": ([cluster(OVERLAY, pools=[system()]), POOL], ["AKS234 web vnetSubnetID"]),
    "no way out and no cache is refused": (
        [cluster({**OVERLAY, "outboundType": "none"}, apiServerAccessProfile=SERVER), POOL],
        ["AKS209 shop networkProfile.outboundType"],
    ),
    "a cache is enough": ([cluster({**OVERLAY, "outboundType": "none"}, apiServerAccessProfile=SERVER, bootstrapProfile=CACHE), POOL], []),
    "one that is not known may be": (
        [cluster({**OVERLAY, "outboundType": "none"}, apiServerAccessProfile=SERVER, bootstrapProfile={"artifactSource": UNKNOWN}), POOL],
        [],
    ),
    "so may a whole profile": ([cluster({**OVERLAY, "outboundType": "none"}, apiServerAccessProfile=SERVER, bootstrapProfile=UNKNOWN), POOL], []),
    "a server without a name is refused": (
        [cluster(OVERLAY, apiServerAccessProfile={**SERVER, "privateDNSZone": "none", "enablePrivateClusterPublicFQDN": False}), POOL],
        ["AKS214 shop apiServerAccessProfile.enablePrivateClusterPublicFQDN"],
    ),
    "the zone of another region is refused": (
        [cluster(OVERLAY, location="westeurope", apiServerAccessProfile={**SERVER, "privateDNSZone": f"{ZONE}.eastus.azmk8s.io"}), POOL],
        ["AKS215 shop apiServerAccessProfile.privateDNSZone"],
    ),
    "that of the region is accepted": (
        [cluster(OVERLAY, location="westeurope", apiServerAccessProfile={**SERVER, "privateDNSZone": f"{ZONE}.westeurope.azmk8s.io"}), POOL],
        [],
    ),
    "the server in the subnet of the nodes is refused": (
        [cluster(OVERLAY, apiServerAccessProfile={**SERVER, "subnetId": f"{VNET}/nodes"}), agent_pool("web", vnetSubnetID=f"{VNET}/more")],
        ["AKS217 shop agentPoolProfiles[0].vnetSubnetID"],
    ),
    "DNS outside of the services is refused": (
        [cluster({**OVERLAY, "serviceCidr": "10.96.0.0/16", "dnsServiceIP": "10.0.0.10"}), POOL],
        ["AKS220 shop networkProfile.dnsServiceIP"],
    ),
    "DNS inside of them is accepted": ([cluster({**OVERLAY, "serviceCidr": "10.96.0.0/16", "dnsServiceIP": "10.96.0.10"}), POOL], []),
    "DNS inside of the default range is accepted": ([cluster({**OVERLAY, "dnsServiceIP": "10.0.0.10"}), POOL], []),
    "DNS that is not known is not judged": ([cluster({**OVERLAY, "dnsServiceIP": UNKNOWN}), POOL], []),
    "more nodes than the default range has blocks for are refused": (
        [cluster(OVERLAY), agent_pool("web", vnetSubnetID=f"{VNET}/nodes", count=300)],
        ["AKS051 shop networkProfile.podCidr"],
    ),
    "two modes of one pod subnet are refused": (
        [
            cluster(FLAT, pools=[system(vnetSubnetID=f"{VNET}/nodes", podSubnetID=f"{VNET}/pods")]),
            agent_pool("web", vnetSubnetID=f"{VNET}/nodes", podSubnetID=f"{VNET}/pods", podIPAllocationMode="StaticBlock"),
        ],
        ["AKS224 web podIPAllocationMode"],
    ),
    "kubenet with Azure network policies is refused": (
        [cluster({"networkPlugin": "kubenet", "networkPolicy": "azure"}), POOL],
        ["AKS230 shop networkProfile.networkPlugin"],
    ),
    "kubenet with Calico is accepted": ([cluster({"networkPlugin": "kubenet", "networkPolicy": "calico"}), POOL], []),
}


@pytest.mark.parametrize(("resources", "errors"), ROWS.values(), ids=ROWS)
def test_a_network_of_others(resources, errors):
    assert found(*resources) == errors
