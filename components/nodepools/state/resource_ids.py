"""Ids that follow from the inputs of a resource, because its name is declared. Ids that a cloud chooses, as of a VPC, do not."""

from collections.abc import Mapping
from typing import Final

from nodepools.model.plain_data import mapping

Inputs = Mapping[str, object]
_GROUP: Final = "/subscriptions/{subscription}/resourceGroups/{resourceGroupName}"
_CLUSTER: Final = f"{_GROUP}/providers/Microsoft.ContainerService/managedClusters/{{resourceName}}"
_NETWORK: Final = f"{_GROUP}/providers/Microsoft.Network/virtualNetworks/{{virtualNetworkName}}"
_TEMPLATES: Final[Mapping[str, str]] = {
    "azure-native:containerservice:ManagedCluster": _CLUSTER,
    "azure-native:containerservice:AgentPool": f"{_CLUSTER}/agentPools/{{agentPoolName}}",
    "azure-native:containerservice:MaintenanceConfiguration": f"{_CLUSTER}/maintenanceConfigurations/{{configName}}",
    "azure-native:resources:ResourceGroup": _GROUP,
    "azure-native:managedidentity:UserAssignedIdentity": f"{_GROUP}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/{{resourceName}}",
    "azure-native:network:VirtualNetwork": _NETWORK,
    "azure-native:network:Subnet": f"{_NETWORK}/subnets/{{subnetName}}",
    "azure-native:authorization:RoleAssignment": "/{scope}/providers/Microsoft.Authorization/roleAssignments/{roleAssignmentName}",
    "aws:eks/cluster:Cluster": "{name}",
    "aws:eks/accessEntry:AccessEntry": "{clusterName}:{principalArn}",
    "aws:eks/accessPolicyAssociation:AccessPolicyAssociation": "{clusterName}#{principalArn}#{policyArn}",
    "aws:eks/addon:Addon": "{clusterName}:{addonName}",
    "aws:iam/role:Role": "{name}",
    "aws:iam/rolePolicyAttachment:RolePolicyAttachment": "{role}/{policyArn}",
}
"""Ids by type, as `pulumi import` reads them, with names of inputs in braces."""


def resource_id(of_type: str, inputs: Inputs, subscription: str | None) -> str | None:
    """The id of a resource; `None` if it does not follow from its inputs."""
    if of_type.startswith("kubernetes:"):
        return _object_id(mapping(inputs.get("metadata")))
    template = _TEMPLATES.get(of_type)
    if template is None:
        return None
    known = {name: value.strip("/") if name == "scope" else value for name, value in inputs.items() if isinstance(value, str)}
    return _filled(template, {**known, **({"subscription": subscription} if subscription is not None else {})})


def _filled(template: str, values: Mapping[str, str]) -> str | None:
    try:
        return template.format_map(values)
    except KeyError:  # an input that is not known
        return None


def _object_id(metadata: Inputs) -> str | None:
    name, namespace = metadata.get("name"), metadata.get("namespace")
    if not isinstance(name, str):
        return None
    return f"{namespace}/{name}" if isinstance(namespace, str) else name


def needs_subscription(of_type: str) -> bool:
    """The id of this type contains the subscription."""
    return "{subscription}" in _TEMPLATES.get(of_type, "")
