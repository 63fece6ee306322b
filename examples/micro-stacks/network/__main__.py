"""The network of a cluster. Its owner changes address ranges; the stack of the cluster only reads the outputs."""

import pulumi
from pulumi_azure_native import network, resources

location = pulumi.Config("azure-native").require("location")
group = resources.ResourceGroup("network", location=location, opts=pulumi.ResourceOptions(protect=True))
virtual_network = network.VirtualNetwork(
    "network",
    resource_group_name=group.name,
    location=group.location,
    address_space=network.AddressSpaceArgs(address_prefixes=["10.60.0.0/16"]),
    opts=pulumi.ResourceOptions(protect=True, ignore_changes=["subnets"]),  # subnets are resources of their own
)
nodes = network.Subnet("nodes", resource_group_name=group.name, virtual_network_name=virtual_network.name, address_prefix="10.60.0.0/20")
pulumi.export("node_subnet_id", nodes.id)
pulumi.export("cidr", "10.60.0.0/16")
