"""Outputs of created resources, in addition to their inputs: obviously invented values."""

from collections.abc import Callable, Mapping
from typing import TypeAlias, cast

from nodepools.engine.invokes import ACCOUNT, ZERO, partition_of, text
from nodepools.engine.property_values import JsonValue

OutputFixture: TypeAlias = Callable[[str, Mapping[str, JsonValue]], Mapping[str, JsonValue]]
"""Computes additional outputs from the Pulumi name and the inputs; `id` is the resource ID."""


def _named(field: str, **more: JsonValue) -> OutputFixture:
    """In azure-native the physical name is an input with another name."""
    return lambda name, inputs: {"name": text(inputs, field, name), **more}


def _managed_cluster(name: str, inputs: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    cluster = text(inputs, "resourceName", name)
    return {
        "id": f"/subscriptions/{ZERO}/resourceGroups/made-up/providers/Microsoft.ContainerService/managedClusters/{cluster}",
        "name": cluster,
        "fqdn": f"{cluster}-00000000.hcp.example.azmk8s.io",
        "privateFQDN": f"{cluster}-00000000.example.privatelink.azmk8s.io",
        "oidcIssuerProfile": {"enabled": True, "issuerURL": f"https://oidc.example/{cluster}/"},
        "resourceUID": ZERO,
        **_identities(inputs),
        "networkProfile": _with_addresses(inputs.get("networkProfile")),
    }


def _identities(inputs: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    """The identities that Azure creates, of nodes and of add-ons."""
    made: JsonValue = {"objectId": ZERO, "clientId": ZERO, "resourceId": f"/subscriptions/{ZERO}"}
    profiles = inputs.get("addonProfiles")
    add_ons = profiles.items() if isinstance(profiles, Mapping) else ()
    return {
        "identityProfile": inputs.get("identityProfile", {"kubeletidentity": made}),
        "addonProfiles": {name: {**one, "identity": made} if isinstance(one, Mapping) else one for name, one in add_ons},
    }


def _with_addresses(profile: JsonValue) -> JsonValue:
    """The network profile with one outbound address of the load balancer."""
    held: Mapping[str, JsonValue] = profile if isinstance(profile, Mapping) else {}
    balancer = held.get("loadBalancerProfile")
    address = f"/subscriptions/{ZERO}/resourceGroups/made-up/providers/Microsoft.Network/publicIPAddresses/outbound"
    addresses: JsonValue = {"effectiveOutboundIPs": [{"id": address}]}
    return {**held, "loadBalancerProfile": {**balancer, **addresses} if isinstance(balancer, Mapping) else addresses}


def _virtual_network(name: str, inputs: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    network = text(inputs, "virtualNetworkName", name)
    return {"id": f"/subscriptions/{ZERO}/resourceGroups/made-up/providers/Microsoft.Network/virtualNetworks/{network}", "name": network}


def _subnet(name: str, inputs: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    network, subnet = text(inputs, "virtualNetworkName", "network"), text(inputs, "subnetName", name)
    within = f"/subscriptions/{ZERO}/resourceGroups/made-up/providers/Microsoft.Network/virtualNetworks/{network}"
    return {"id": f"{within}/subnets/{subnet}", "name": subnet}


def _role(name: str, inputs: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    role = text(inputs, "name", name)
    return {"arn": f"arn:aws:iam::{ACCOUNT}:role{text(inputs, 'path', '/')}{role}", "name": role}


def _eks_cluster(name: str, inputs: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    cluster, region = text(inputs, "name", name), text(inputs, "region", "us-east-1")
    return {
        "name": cluster,
        "arn": f"arn:{partition_of(region)}:eks:{region}:{ACCOUNT}:cluster/{cluster}",
        "endpoint": f"https://{cluster}.example.{region}.eks.amazonaws.com",
        "certificateAuthority": {"data": "bWFkZSB1cA=="},
        "vpcConfig": {**cast("Mapping[str, JsonValue]", inputs.get("vpcConfig", {})), "clusterSecurityGroupId": "sg-0000000000000000"},
        "identities": [{"oidcs": [{"issuer": f"https://oidc.example/{cluster}"}]}],
    }


def _vpc(_: str, inputs: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    return {"ipv6CidrBlock": "2001:db8:1234:1a00::/56"} if inputs.get("assignGeneratedIpv6CidrBlock") is True else {}


DEFAULTS: Mapping[str, OutputFixture] = {
    "aws:ec2/vpc:Vpc": _vpc,
    "aws:eks/cluster:Cluster": _eks_cluster,
    "aws:iam/role:Role": _role,
    "azure-native:containerservice:AgentPool": _named("agentPoolName"),
    "azure-native:containerservice:ManagedCluster": _managed_cluster,
    "azure-native:managedidentity:UserAssignedIdentity": _named("resourceName", principalId=ZERO, clientId=ZERO, tenantId=ZERO),
    "azure-native:managedidentity:FederatedIdentityCredential": _named("federatedIdentityCredentialResourceName"),
    "azure-native:network:Subnet": _subnet,
    "azure-native:network:VirtualNetwork": _virtual_network,
    "azure-native:network:PublicIPAddress": _named("publicIpAddressName", ipAddress="192.0.2.1"),
    "azure-native:resources:ResourceGroup": _named("resourceGroupName"),
}
