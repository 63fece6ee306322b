"""Creations that Pulumi began and did not record: the cloud can have created the resource, and rejects a second creation.

A killed `pulumi up` leaves a record of the operation. If only the answer of the cloud was lost, there is none: the next `pulumi up` fails because the
resource exists. Its output then names the resource, and a preview has its inputs and its parent. Ids follow from inputs if the name is declared; ids
that a cloud chooses, as of a VPC, do not.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from shlex import quote
from typing import Final

from nodepools.engine.property_values import PROVIDER_PREFIX, STACK_TYPE, default_type
from nodepools.model.steps import mapping, sequence
from nodepools.model.values import dataclass
from nodepools.state.deployment import Pending, Recorded, State

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
    "aws:eks/identityProviderConfig:IdentityProviderConfig": "aws eks list-identity-provider-configs --cluster-name CLUSTER",
    "aws:eks/podIdentityAssociation:PodIdentityAssociation": "aws eks list-pod-identity-associations --cluster-name CLUSTER",
    "aws:iam/openIdConnectProvider:OpenIdConnectProvider": "aws iam list-open-id-connect-providers",
    "aws:kms/key:Key": "aws kms list-keys",
}
"""Types of our components whose ids the cloud chooses, or that contain the account, each with the command that lists them."""


_SHOWN: Final[Mapping[str, str]] = {
    "azure-native:containerservice:AgentPool": "az aks nodepool show -g {resourceGroupName} --cluster-name {resourceName} -n {agentPoolName}",
    "azure-native:containerservice:ManagedCluster": "az aks show -g {resourceGroupName} -n {resourceName}",
    "azure-native:resources:ResourceGroup": "az group show -n {resourceGroupName}",
    "aws:eks/cluster:Cluster": "aws eks describe-cluster --name {name} --region {region}",
}
"""The commands that show a resource of a type, with names of inputs in braces."""


def look(one: Recorded, id_: str) -> str | None:
    """The command that shows a resource with this id, if it exists; `None` for types without one."""
    words = {name: quote(value) for name, value in one.inputs.items() if isinstance(value, str)}
    kind, found = default_type(one.type), _SUBSCRIPTION.match(id_)
    command = _filled(_SHOWN[kind], words) if kind in _SHOWN else None
    if command is not None:
        return f"{command} --subscription {quote(found[1])}" if found is not None else command
    return f"az resource show --ids {quote(id_)}" if found is not None and id_.count("/providers/") == 1 else None


def resource_id(of_type: str, inputs: Inputs, subscription: str | None) -> str | None:
    """The id of a resource; `None` if it does not follow from its inputs."""
    if of_type.startswith("kubernetes:"):
        return _object_id(mapping(inputs.get("metadata")))
    template = _route_template(inputs) if of_type == _ROUTE else _TEMPLATES.get(default_type(of_type))
    if template is None:
        return None
    known = {name: value.strip("/") if name in _PREFIXES else value for name, value in inputs.items() if isinstance(value, str)}
    return _filled(template, {**known, **({"subscription": subscription} if subscription is not None else {})})


def listing(of_type: str, inputs: Inputs) -> str | None:
    """The command that lists the resources with the region, the cluster and the name of one whose id the cloud chooses; `None` for other types."""
    command = CHOSEN.get(of_type)
    if command is None:
        return None
    name, region, cluster = mapping(inputs.get("tags")).get("Name"), inputs.get("region"), inputs.get("clusterName")
    option = "--filter" if of_type.endswith("NatGateway") else "--filters"
    words = [command.replace("CLUSTER", quote(cluster)) if isinstance(cluster, str) else command]
    words += [f"{option} Name=tag:Name,Values={quote(name)}"] if isinstance(name, str) and " ec2 " in command else []
    words += [] if " iam " in command else [f"--region {quote(region)}" if isinstance(region, str) else "--region REGION"]
    return " ".join(words)


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


def needs_subscription(of_type: str) -> bool:
    """The id of this type contains the subscription."""
    return "{subscription}" in _TEMPLATES.get(default_type(of_type), "")


_SUBSCRIPTION: Final = re.compile(r"/subscriptions/([^/]+)/", re.IGNORECASE)
PLACEHOLDER: Final = "<PLACEHOLDER>"
_HEADING: Final = re.compile(r"\s*\S+:(?P<kind>\w+) \((?P<name>[^()]+)\):\s*$")
_EXISTS: Final = re.compile(r"already exist|already in use|AlreadyExist|ResourceInUse", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PendingCreation:
    """A resource that the cloud may have, and the state does not."""

    resource: Recorded
    id: str | None
    """`None` if the cloud chose it, or the subscription is not known."""
    lacks_subscription: bool = False


@dataclass(frozen=True, slots=True)
class Interrupted:
    """The operations of a state that did not end."""

    creations: tuple[PendingCreation, ...]
    recorded: tuple[Recorded, ...]
    """Creations that the state has now: they are recovered."""
    replaced: tuple[PendingCreation, ...]
    """Creations of which the state has the resource that they replace: it has the same URN."""
    others: tuple[Pending, ...]
    """Updates, deletions and others: the next `pulumi up` does them again."""


def interrupted(state: State, subscription: str | None = None, rejected: Sequence[Recorded] = ()) -> Interrupted:
    """What did not end.

    Args:
        state: the state.
        subscription: that of resources whose provider has none in the state.
        rejected: creations that failed because the resource exists.
    """
    known = state.by_urn()
    recorded = [one.resource for one in state.pending if one.operation == "creating"]
    creating = list({one.urn: one for one in (*rejected, *recorded)}.values())
    of = [(one, _subscription(one, known, subscription)) for one in creating]
    all_ = [PendingCreation(one, resource_id(one.type, one.inputs, its), its is None and needs_subscription(one.type)) for one, its in of]
    replaced = tuple(one for one, (_, its) in zip(all_, of, strict=True) if _replaces(one.resource, known.get(one.resource.urn), its))
    return Interrupted(
        tuple(one for one in all_ if one.resource.urn not in known),
        tuple(one.resource for one in all_ if one.resource.urn in known and one not in replaced),
        replaced,
        tuple(one for one in state.pending if one.operation != "creating"),
    )


def _replaces(new: Recorded, old: Recorded | None, subscription: str | None) -> bool:
    """Compares ids that follow from inputs: providers also have ids of their own, as of a route.

    If the cloud chooses the id, what the state has is the new one only if it was imported, and has what the creation sent.
    """
    if old is None:
        return False
    before, after = (resource_id(one.type, one.inputs, subscription if subscription is not None else "-") for one in (old, new))
    if before is not None and after is not None:
        return before.lower() != after.lower()
    sent = ((name, value) for name, value in new.inputs.items() if name in old.inputs and isinstance(value, str | int))
    return not old.is_imported or any(old.inputs[name] != value for name, value in sent)


def _subscription(one: Recorded, known: Mapping[str, Recorded], default: str | None) -> str | None:
    """The subscription of its provider, or of another resource of that provider."""
    provider = known.get(one.provider)
    declared = provider.inputs.get("subscriptionId") if provider is not None else None
    if isinstance(declared, str):
        return declared
    found = (_SUBSCRIPTION.match(other.id) for other in known.values() if other.provider == one.provider)
    return next((match[1] for match in found if match is not None), default)


def pending_imports(creations: Iterable[PendingCreation], state: State) -> dict[str, object]:
    """The import file of the creations. An id that is not known is a placeholder, as in the import files of Pulumi.

    Parents and providers are already in the state: the file names them in its `nameTable`, by keys that no resource of the file has.
    """
    known = state.by_urn()
    found = list(creations)
    names = [one.resource.name for one in found]
    table: dict[str, str] = {}
    entries: list[dict[str, object]] = []
    for one in found:
        resource = one.resource
        provider = known.get(resource.provider)
        by_default = provider is None or provider.name.startswith("default")
        handle = resource.name if names.count(resource.name) == 1 else f"{resource.name}-{resource.kind}"
        version = provider.inputs.get("version") if provider is not None and by_default else None
        entries.append(
            {
                "type": resource.type,
                "name": handle,
                **({"logicalName": resource.name} if handle != resource.name else {}),
                "id": one.id if one.id is not None else PLACEHOLDER,
                **_reference("parent", known.get(resource.parent), table),
                **({} if by_default else _reference("provider", provider, table)),
                **({"version": version} if isinstance(version, str) else {}),
            }
        )
    return {"nameTable": table, "resources": entries}


def _reference(field: str, to: Recorded | None, table: dict[str, str]) -> dict[str, str]:
    if to is None or to.type == STACK_TYPE:
        return {}
    key = f"{to.name} ({to.kind if not to.type.startswith(PROVIDER_PREFIX) else f'provider {to.kind}'})"
    table[key] = to.urn
    return {field: key}


class NotPreviewError(Exception):
    """A value that is not a preview. The message says why."""


def refused_creations(preview: object, output: str) -> list[Recorded]:
    """Creations that failed because the resource exists.

    Args:
        preview: what `pulumi preview --json` prints: the inputs, the parent and the provider of each resource to create.
        output: what the failed `pulumi up` printed.

    Raises:
        NotPreviewError: `preview` is something else.
    """
    steps = mapping(preview).get("steps")
    if not sequence(steps):
        raise NotPreviewError("is not a preview: write one with `pulumi preview --json`")
    created = [mapping(step) for step in sequence(steps)]
    planned = [Recorded(mapping(step.get("newState"))) for step in created if step.get("op") == "create"]
    existing = set(_existing(output))
    return [one for one in planned if (one.kind, one.name) in existing]


def _existing(output: str) -> Iterator[tuple[str, str]]:
    """Kinds and names of resources whose creation failed because they exist: Pulumi prints a heading for each resource, and errors below it."""
    heading: tuple[str, str] | None = None
    for line in output.splitlines():
        found = _HEADING.match(line)
        if found is not None:
            heading = (found["kind"], found["name"])
        elif heading is not None and _EXISTS.search(line):
            yield heading
