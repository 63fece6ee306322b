"""The resource monitor of a program under test: records every request, and responds like an engine with an empty cloud, with invented outputs."""

from collections.abc import Callable, Mapping
from typing import TypeAlias, cast
from urllib.parse import urlparse
from urllib.request import url2pathname

from google.protobuf.empty_pb2 import Empty
from google.protobuf.struct_pb2 import Struct
from pulumi.runtime import mocks
from pulumi.runtime.proto import resource_pb2 as proto
from pulumi.runtime.proto.callback_pb2 import Callback

from nodepools.engine.errors import is_own
from nodepools.engine.invokes import ACCOUNT, ZERO, Fixture, partition_of, text
from nodepools.engine.monitor import STACK_REFERENCE
from nodepools.engine.property_values import (
    STACK_TYPE,
    JsonValue,
    default_type,
    hide,
    json_of,
    make_urn,
    outputs_from_inputs,
    package_of,
    plain_of,
    struct_of,
    unknown,
)
from nodepools.engine.protocol import stack_of
from nodepools.engine.resource_registry import DuplicateUrnError, Registered, Registry
from nodepools.engine.transforms import Transforms
from nodepools.model.values import dataclass, field

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


def _key(name: str, inputs: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    region = text(inputs, "region", "us-east-1")
    return {"arn": f"arn:{partition_of(region)}:kms:{region}:{ACCOUNT}:key/{name}"}


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


DEFAULTS: Mapping[str, OutputFixture] = {
    "aws:ec2/vpc:Vpc": lambda _, inputs: {"ipv6CidrBlock": "2001:db8:1234:1a00::/56"} if inputs.get("assignGeneratedIpv6CidrBlock") is True else {},
    "aws:eks/cluster:Cluster": _eks_cluster,
    "aws:iam/role:Role": _role,
    "aws:kms/key:Key": _key,
    "azure-native:containerservice:AgentPool": _named("agentPoolName"),
    "azure-native:containerservice:ManagedCluster": _managed_cluster,
    "azure-native:managedidentity:UserAssignedIdentity": _named("resourceName", principalId=ZERO, clientId=ZERO, tenantId=ZERO),
    "azure-native:managedidentity:FederatedIdentityCredential": _named("federatedIdentityCredentialResourceName"),
    "azure-native:network:Subnet": _subnet,
    "azure-native:network:VirtualNetwork": _virtual_network,
    "azure-native:network:PublicIPAddress": _named("publicIpAddressName", ipAddress="192.0.2.1"),
    "azure-native:resources:ResourceGroup": _named("resourceGroupName"),
}


_KNOWN_TO_AZURE = ("name", "location")
"""The outputs that azure-native knows in the preview of an update. It treats all others as unknown."""


class UnknownCallError(LookupError):
    """The program called a provider function without a configured result."""


@dataclass(frozen=True)
class Scene:
    """The surroundings of a program."""

    project: str
    stack: str
    preview: bool
    config: Mapping[str, str]
    outputs: Mapping[str, OutputFixture]
    calls: Mapping[str, Fixture]
    stack_outputs: Mapping[str, Mapping[str, JsonValue]]
    existing: Mapping[str, Struct] = field(default_factory=dict[str, Struct])
    """Inputs of existing resources, by URN."""


class NoMocks(mocks.Mocks):
    """Placeholder for the mocks that Pulumi requires: the recorder answers itself."""

    def call(self, args: mocks.MockCallArgs) -> tuple[dict[str, object], None]:
        """Never called."""
        raise NotImplementedError(args.token)

    def new_resource(self, args: mocks.MockResourceArgs) -> tuple[str | None, dict[str, object]]:
        """Never called."""
        raise NotImplementedError(args.typ)


@dataclass
class Recorder(mocks.MockMonitor):
    """Records requests. Pulumi's own mocks show no parents or options, create wrong URNs, accept duplicate URNs, and run no transforms."""

    scene: Scene
    transforms: Transforms = field(default_factory=Transforms)

    def __post_init__(self) -> None:
        super().__init__(NoMocks())
        self._registry = Registry()

    @property
    def requests(self) -> Mapping[str, proto.RegisterResourceRequest]:
        """The registrations by URN; those of resources that are only read have the same form."""
        return {urn: _as_registration(found.request) for urn, found in self._registry.resources().items()}

    @property
    def reads(self) -> Mapping[str, proto.ReadResourceRequest]:
        """The resources that are only read."""
        return {urn: found.request for urn, found in self._registry.resources().items() if isinstance(found.request, proto.ReadResourceRequest)}

    @property
    def registered(self) -> Mapping[str, Struct]:
        """The outputs of components and of the stack."""
        return self._registry.outputs()

    def RegisterResource(self, request: proto.RegisterResourceRequest) -> proto.RegisterResourceResponse:  # noqa: N802  # as gRPC names it
        """Records the request after inheritance and transforms. In a preview, only the inputs are known."""
        self._registry.complete(request, self.transforms)
        urn = make_urn(self.scene.stack, self.scene.project, request.parent, request.type, request.name)
        self._keep(urn, request)
        if not request.custom:
            return proto.RegisterResourceResponse(urn=urn)
        state = outputs_from_inputs(request.type, request.object)
        if self.scene.preview and urn not in self.scene.existing:
            hide(state, request.additionalSecretOutputs, known=False)
            return proto.RegisterResourceResponse(urn=urn, object=state)
        fixture = self.scene.outputs.get(request.type, self.scene.outputs.get(default_type(request.type)))
        made = dict(fixture(request.name, plain_of(request.object))) if fixture else {}
        id_ = str(made.pop("id", f"{request.name}-id"))
        state.update(made)
        is_updated = self.scene.preview and self.scene.existing[urn] != request.object
        if is_updated and package_of(default_type(request.type)) == "azure-native":
            state = Struct(fields={name: value if name in _KNOWN_TO_AZURE else unknown() for name, value in state.fields.items()})
        hide(state, request.additionalSecretOutputs, known=not is_updated)
        return proto.RegisterResourceResponse(urn=urn, id=id_, object=state)

    def RegisterResourceOutputs(self, request: proto.RegisterResourceOutputsRequest) -> Empty:  # noqa: N802
        """Records the outputs of a component or of the stack.

        The mocks of the SDK make a stack with the URN of the program's and without outputs, and nothing orders the two calls.
        """
        if request.outputs.fields or request.urn not in self.registered:
            self._registry.set_outputs(request.urn, request.outputs)
        return Empty()

    def ReadResource(self, request: proto.ReadResourceRequest) -> proto.ReadResourceResponse:  # noqa: N802
        """Reads a resource as if it existed. A stack reference has the outputs of the scene."""
        urn = make_urn(self.scene.stack, self.scene.project, request.parent, request.type, request.name)
        state = Struct(fields=request.properties.fields)
        if request.type == STACK_REFERENCE:
            state.update(self._exports(request.id))
        self._keep(urn, request)
        return proto.ReadResourceResponse(urn=urn, properties=state)

    def Invoke(self, request: proto.ResourceInvokeRequest) -> proto.ResourceInvokeResponse:  # noqa: N802
        """Returns the configured result of a provider function."""
        self.transforms.apply_to_invoke(request)
        answer = self.scene.calls.get(request.tok)
        if answer is None:
            raise UnknownCallError(
                f'no result for `{request.tok}`: pass `calls={{"{request.tok}": lambda args: {{...}}}}`; its arguments are {json_of(request.args)}'
            )
        result = answer(self._registry.provider_settings(request, self.scene.config) | plain_of(request.args))
        return proto.ResourceInvokeResponse(**{"return": struct_of(result)})  # type: ignore[arg-type]  # `return` cannot be a keyword argument

    def RegisterStackTransform(self, request: Callback) -> Empty:  # noqa: N802
        """Adds a transform of all resources."""
        self.transforms.add_to_stack(request)
        return Empty()

    def RegisterStackInvokeTransform(self, request: Callback) -> Empty:  # noqa: N802
        """Adds a transform of all invokes."""
        self.transforms.add_to_invokes(request)
        return Empty()

    def _exports(self, stack: str) -> Mapping[str, JsonValue]:
        """The outputs of another stack; unknown in a preview, unless the test sets them."""
        if stack in self.scene.stack_outputs:
            return {"outputs": self.scene.stack_outputs[stack], "secretOutputNames": []}
        if not self.scene.preview:
            raise UnknownCallError(f'no outputs for the stack `{stack}`: pass `stacks={{"{stack}": {{...}}}}`')
        return {}

    def _keep(self, urn: str, request: proto.RegisterResourceRequest | proto.ReadResourceRequest) -> None:
        """The mocks of the SDK register the stack a second time."""
        if request.type == STACK_TYPE and self._registry.get(urn) is not None:
            return
        try:
            self._registry.add(urn, Registered(request, "", Struct()))
        except DuplicateUrnError:
            raise _twice(urn, request) from None


def _as_registration(request: proto.RegisterResourceRequest | proto.ReadResourceRequest) -> proto.RegisterResourceRequest:
    if isinstance(request, proto.RegisterResourceRequest):
        return request
    return proto.RegisterResourceRequest(
        type=request.type, name=request.name, parent=request.parent, custom=True, object=request.properties, dependencies=request.dependencies
    )


def _twice(urn: str, request: proto.RegisterResourceRequest | proto.ReadResourceRequest) -> DuplicateUrnError:
    """Adds where the program registers the second: the registration runs later, without a traceback to it."""
    error = DuplicateUrnError(urn)
    lines = [(url2pathname(urlparse(uri).path), line) for uri, line in stack_of(request)][::-1]
    error.add_note("\n".join(f'  File "{file}", line {line}' for file, line in lines if file and is_own(file)))
    return error
