"""Programs in the style of public examples: what they register, in the providers' own words. None of them uses our components."""

from collections.abc import Mapping
from typing import Any

from nodepools.resources.resource import Resource

PREFIX = "urn:pulumi:dev::shop"
PLAIN = [
    {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["on-demand"]},
    {"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64"]},
]


def resource(token: str, name: str, inputs: Mapping[str, Any], *needs: Resource, provider: Resource | None = None) -> Resource:
    """A resource that depends on others."""
    return Resource(
        f"{PREFIX}::{token}::{name}",
        token,
        name,
        inputs,
        dependencies=tuple(one.urn for one in needs),
        provider=provider.urn if provider is not None else None,
    )


def managed_cluster(name: str = "shop", token: str = "azure-native:containerservice:ManagedCluster", **inputs: Any) -> Resource:  # noqa: S107
    """A cluster as the template `kubernetes-azure-python` has it, with a second node, a system taint and Entra ID."""
    return resource(
        token,
        name,
        {
            "resourceGroupName": "rg",
            "resourceName": name,
            "location": "westeurope",
            "kubernetesVersion": "1.36",
            "dnsPrefix": name,
            "sku": {"name": "Base", "tier": "Standard"},
            "aadProfile": {"managed": True, "enableAzureRBAC": True},
            "disableLocalAccounts": True,
            "apiServerAccessProfile": {"authorizedIPRanges": ["203.0.113.0/24"]},
            "identity": {"type": "SystemAssigned"},
            "agentPoolProfiles": [system()],
            **inputs,
        },
    )


def system(**inputs: Any) -> dict[str, Any]:
    """A system pool inside a cluster."""
    return {
        "name": "agentpool",
        "mode": "System",
        "osType": "Linux",
        "type": "VirtualMachineScaleSets",
        "vmSize": "Standard_D4s_v5",
        "count": 3,
        "maxPods": 110,
        "nodeLabels": {},
        "nodeTaints": ["CriticalAddonsOnly=true:NoSchedule"],
        **inputs,
    }


def agent_pool(name: str, *needs: Resource, token: str = "azure-native:containerservice:AgentPool", **inputs: Any) -> Resource:  # noqa: S107
    """A pool beside the cluster `shop`."""
    given = {"resourceGroupName": "rg", "resourceName": "shop", "agentPoolName": name, "mode": "User", "vmSize": "Standard_D4s_v5", "count": 2}
    return resource(token, name, {**given, **inputs}, *needs)


def eks_cluster(name: str = "shop", **inputs: Any) -> Resource:
    """A cluster in Auto Mode as the documentation of AWS makes one."""
    return resource(
        "aws:eks/cluster:Cluster",
        name,
        {
            "name": name,
            "region": "us-east-1",
            "version": "1.36",
            "roleArn": "arn:aws:iam::111122223333:role/cluster",
            "accessConfig": {"authenticationMode": "API"},
            "bootstrapSelfManagedAddons": False,
            "computeConfig": {"enabled": True, "nodePools": ["general-purpose"], "nodeRoleArn": "arn:aws:iam::111122223333:role/nodes"},
            "kubernetesNetworkConfig": {"elasticLoadBalancing": {"enabled": True}},
            "storageConfig": {"blockStorage": {"enabled": True}},
            "vpcConfig": {"subnetIds": ["subnet-1", "subnet-2"], "publicAccessCidrs": ["203.0.113.0/24"]},
            **inputs,
        },
    )


def provider_of(cluster: Resource) -> Resource:
    """The Kubernetes provider of a cluster."""
    return resource("pulumi:providers:kubernetes", f"{cluster.name}-k8s", {"kubeconfig": "…"}, cluster)


def node_pool(name: str, group: str, *, provider: Resource | None = None, node_class: str = "default", **spec: Any) -> Resource:
    """A NodePool, as a CustomResource registers it."""
    kinds = {"eks.amazonaws.com": "NodeClass", "karpenter.azure.com": "AKSNodeClass"}
    template = {
        "metadata": {"labels": spec.pop("labels", {})},
        "spec": {
            "nodeClassRef": {"group": group, "kind": kinds.get(group, "EC2NodeClass"), "name": node_class},
            "requirements": spec.pop("requirements", PLAIN),
            "taints": spec.pop("taints", []),
            **({"expireAfter": spec.pop("expireAfter")} if "expireAfter" in spec else {}),
        },
    }
    manifest = {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": name}}
    return resource("kubernetes:karpenter.sh/v1:NodePool", name, {**manifest, "spec": {"template": template, **spec}}, provider=provider)


def node_class(name: str, *, provider: Resource | None = None, **spec: Any) -> Resource:
    """A NodeClass of EKS Auto Mode."""
    terms = {"role": "nodes", "subnetSelectorTerms": [{"id": "subnet-1"}], "securityGroupSelectorTerms": [{"id": "sg-1"}]}
    manifest = {"apiVersion": "eks.amazonaws.com/v1", "kind": "NodeClass", "metadata": {"name": name}}
    return resource("kubernetes:eks.amazonaws.com/v1:NodeClass", name, {**manifest, "spec": {**terms, **spec}}, provider=provider)
