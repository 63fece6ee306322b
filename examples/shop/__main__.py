"""A cluster next to the resources that it uses: a network, a registry, a workspace and a Helm release."""

import pulumi
from nodepools import AksCluster, AksClusterArgs, ExistingAksNetwork, SystemPool, UserPool
from pulumi_azure_native import containerregistry, network, operationalinsights, resources
from pulumi_kubernetes import Provider
from pulumi_kubernetes.helm.v3 import Release

# Without `baseline="cis"`: a program of components has none; a `Platform` has.
group = resources.ResourceGroup("shop", location="westeurope")
vnet = network.VirtualNetwork("shop", resource_group_name=group.name, address_space={"address_prefixes": ["10.10.0.0/16"]})
nodes = network.Subnet("nodes", resource_group_name=group.name, virtual_network_name=vnet.name, address_prefix="10.10.0.0/22")
registry = containerregistry.Registry("shop", resource_group_name=group.name, sku={"name": "Premium"})
workspace = operationalinsights.Workspace("shop", resource_group_name=group.name, sku={"name": "PerGB2018"})
cluster = AksCluster(
    "shop",
    AksClusterArgs(
        location="westeurope",
        kubernetes_version="1.35",
        network=ExistingAksNetwork(subnet_id=nodes.id),
        registries=[registry.id],
        log_analytics_workspace_id=workspace.id,
        system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=3),
        pools={"web": UserPool(vm_size="Standard_D4ds_v5", count=3)},
    ),
)
inside = pulumi.ResourceOptions(provider=Provider("shop", kubeconfig=cluster.kubeconfig))
Release("ingress", chart="ingress-nginx", repository_opts={"repo": "https://kubernetes.github.io/ingress-nginx"}, opts=inside)
pulumi.export("kubeconfig", cluster.kubeconfig)  # a secret
