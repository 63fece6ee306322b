"""Ids that follow from the inputs of a resource, because its name is declared. Ids that a cloud chooses, as of a VPC, do not."""

from collections.abc import Mapping
from typing import Final

from nodepools.model.steps import mapping

Inputs = Mapping[str, object]
_GROUP: Final = "/subscriptions/{subscription}/resourceGroups/{resourceGroupName}"
_CLUSTER: Final = f"{_GROUP}/providers/Microsoft.ContainerService/managedClusters/{{resourceName}}"
_IDENTITY: Final = f"{_GROUP}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/{{resourceName}}"
_CREDENTIAL: Final = f"{_IDENTITY}/federatedIdentityCredentials/{{federatedIdentityCredentialResourceName}}"
_EXTENSION: Final = "/{resourceUri}/providers/Microsoft.Insights"
_NETWORK: Final = f"{_GROUP}/providers/Microsoft.Network/virtualNetworks/{{virtualNetworkName}}"
_TEMPLATES: Final[Mapping[str, str]] = {
    "azure-native:containerservice:ManagedCluster": _CLUSTER,
    "azure-native:containerservice:AgentPool": f"{_CLUSTER}/agentPools/{{agentPoolName}}",
    "azure-native:containerservice:MaintenanceConfiguration": f"{_CLUSTER}/maintenanceConfigurations/{{configName}}",
    "azure-native:resources:ResourceGroup": _GROUP,
    "azure-native:managedidentity:UserAssignedIdentity": _IDENTITY,
    "azure-native:network:VirtualNetwork": _NETWORK,
    "azure-native:network:Subnet": f"{_NETWORK}/subnets/{{subnetName}}",
    "azure-native:network:NatGateway": f"{_GROUP}/providers/Microsoft.Network/natGateways/{{natGatewayName}}",
    "azure-native:network:PublicIPAddress": f"{_GROUP}/providers/Microsoft.Network/publicIPAddresses/{{publicIpAddressName}}",
    "azure-native:managedidentity:FederatedIdentityCredential": _CREDENTIAL,
    "azure-native:monitor:AzureMonitorWorkspace": f"{_GROUP}/providers/Microsoft.Monitor/accounts/{{azureMonitorWorkspaceName}}",
    "azure-native:monitor:DataCollectionEndpoint": f"{_GROUP}/providers/Microsoft.Insights/dataCollectionEndpoints/{{dataCollectionEndpointName}}",
    "azure-native:monitor:DataCollectionRule": f"{_GROUP}/providers/Microsoft.Insights/dataCollectionRules/{{dataCollectionRuleName}}",
    "azure-native:monitor:DataCollectionRuleAssociation": f"{_EXTENSION}/dataCollectionRuleAssociations/{{associationName}}",
    "azure-native:monitor:DiagnosticSetting": f"{_EXTENSION}/diagnosticSettings/{{name}}",
    "azure-native:authorization:RoleAssignment": "/{scope}/providers/Microsoft.Authorization/roleAssignments/{roleAssignmentName}",
    "aws:cloudwatch/logGroup:LogGroup": "{name}",
    "aws:ec2/routeTableAssociation:RouteTableAssociation": "{subnetId}/{routeTableId}",
    "aws:eks/cluster:Cluster": "{name}",
    "aws:eks/accessEntry:AccessEntry": "{clusterName}:{principalArn}",
    "aws:eks/accessPolicyAssociation:AccessPolicyAssociation": "{clusterName}#{principalArn}#{policyArn}",
    "aws:eks/addon:Addon": "{clusterName}:{addonName}",
    "aws:iam/role:Role": "{name}",
    "aws:iam/rolePolicy:RolePolicy": "{role}:{name}",
    "aws:iam/rolePolicyAttachment:RolePolicyAttachment": "{role}/{policyArn}",
}
"""Ids by type, as `pulumi import` reads them, with names of inputs in braces."""
_PREFIXES: Final = ("scope", "resourceUri")
"""Inputs that are ids of other resources, with which an id begins."""
_ROUTE: Final = "aws:ec2/route:Route"
_DESTINATIONS: Final = ("destinationCidrBlock", "destinationIpv6CidrBlock", "destinationPrefixListId")
CHOSEN: Final[Mapping[str, str]] = {
    "aws:ec2/egressOnlyInternetGateway:EgressOnlyInternetGateway": "aws ec2 describe-egress-only-internet-gateways",
    "aws:ec2/eip:Eip": "aws ec2 describe-addresses",
    "aws:ec2/internetGateway:InternetGateway": "aws ec2 describe-internet-gateways",
    "aws:ec2/natGateway:NatGateway": "aws ec2 describe-nat-gateways",
    "aws:ec2/routeTable:RouteTable": "aws ec2 describe-route-tables",
    "aws:ec2/securityGroup:SecurityGroup": "aws ec2 describe-security-groups",
    "aws:ec2/subnet:Subnet": "aws ec2 describe-subnets",
    "aws:ec2/vpc:Vpc": "aws ec2 describe-vpcs",
    "aws:ec2/vpcEndpoint:VpcEndpoint": "aws ec2 describe-vpc-endpoints",
    "aws:eks/podIdentityAssociation:PodIdentityAssociation": "aws eks list-pod-identity-associations --cluster-name CLUSTER",
    "aws:iam/openIdConnectProvider:OpenIdConnectProvider": "aws iam list-open-id-connect-providers",
}
"""Types of our components whose ids the cloud chooses, or that contain the account, each with the command that lists them."""


def resource_id(of_type: str, inputs: Inputs, subscription: str | None) -> str | None:
    """The id of a resource; `None` if it does not follow from its inputs."""
    if of_type.startswith("kubernetes:"):
        return _object_id(mapping(inputs.get("metadata")))
    template = _route_template(inputs) if of_type == _ROUTE else _TEMPLATES.get(of_type)
    if template is None:
        return None
    known = {name: value.strip("/") if name in _PREFIXES else value for name, value in inputs.items() if isinstance(value, str)}
    return _filled(template, {**known, **({"subscription": subscription} if subscription is not None else {})})


def _route_template(inputs: Inputs) -> str | None:
    """The id of a route has the destination, which is one of several inputs."""
    return next((f"{{routeTableId}}_{{{name}}}" for name in _DESTINATIONS if isinstance(inputs.get(name), str)), None)


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


def has_template(of_type: str) -> bool:
    """Resources of this type have ids that follow from their inputs."""
    return of_type in _TEMPLATES or of_type == _ROUTE or of_type.startswith("kubernetes:")


def needs_subscription(of_type: str) -> bool:
    """The id of this type contains the subscription."""
    return "{subscription}" in _TEMPLATES.get(of_type, "")
