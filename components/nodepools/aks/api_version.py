"""The resources of AKS that a cluster can send with another version of Azure's API than the default of azure-native.

Each version is a package of its own, which azure-native is when it gets the version as a parameter; `pulumi package add azure-native containerservice
VERSION` generates an SDK for it. No SDK is needed here: names and types of the arguments are in a table, and the outputs that are read are those of
the default version. Aliases connect the types of all versions, so that a change of the version is an update of the same resource. Such a package does
not read the configuration of `azure-native`, so it has a provider with the same settings. Source: pulumi/pulumi-azure-native,
provider/pkg/provider/provider_parameterize.go, and pulumi/pulumi, pkg/resource/deploy/step_generator.go: `providerChanged` (2026-11).
"""

import json
from base64 import b64encode
from collections.abc import Awaitable, Iterator, Mapping, Sequence
from importlib.metadata import version
from inspect import signature
from typing import Any, Final, cast

import pulumi
from pulumi_azure_native import ProviderArgs, containerservice

from nodepools.data.argument_types import arguments, sendable_versions
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.values import dataclass
from nodepools.wire.table import camel, python_name

_BASE: Final = "azure-native"
_MODULE: Final = "containerservice"


@dataclass(frozen=True, slots=True)
class Api:
    """The version that the resources of one cluster are sent with."""

    version: str | None = None
    """`None` for the default of azure-native."""
    provider: pulumi.ProviderResource | None = None
    """The provider of the package of this version."""

    @property
    def package(self) -> str:
        """The package that has the resources."""
        return package_of(self.version)

    def reference(self) -> Awaitable[str | None] | None:
        """What the engine calls the package."""
        return _registered(self.version) if self.version is not None else None


DEFAULT: Final = Api()


def package_of(api_version: str | None) -> str:
    """The package of one version."""
    return _BASE if api_version is None else f"{_BASE}_{_MODULE}_v{api_version.replace('-', '')}"


def token(package: str, kind: str) -> str:
    """The type of a resource: `azure-native_containerservice_v20260501:containerservice:AgentPool`."""
    return f"{package}:{_MODULE}:{kind}"


def api_of(component: pulumi.ComponentResource, name: str, args: AksClusterArgs) -> Api:
    """The version of a cluster, with a new provider for it.

    Raises:
        RunError: the component got a provider of azure-native, whose settings cannot be read in a program.
    """
    if args.api_version in (None, sendable_versions()[0]):
        return DEFAULT
    made = Api(args.api_version)
    if args.subscription_id is None and component.get_provider(token(_BASE, "")) is not None:
        raise pulumi.RunError(
            f"{name}: `api_version` cannot be used with a provider of azure-native, whose settings a program cannot read. "
            "Set `subscription_id` on the cluster, or the configuration of the stack (`pulumi config set azure-native:subscriptionId`), instead"
        )
    settings = {"subscriptionId": args.subscription_id} if args.subscription_id is not None else dict(_configured())
    opts = pulumi.ResourceOptions(parent=component)
    return Api(args.api_version, pulumi.ProviderResource(made.package, f"{name}-{_MODULE}", settings, opts, package_ref=made.reference()))


def _configured() -> Iterator[tuple[str, pulumi.Input[str]]]:
    """The settings in the configuration of the stack, which the default provider of azure-native reads."""
    config = pulumi.Config(_BASE)
    for name in signature(ProviderArgs).parameters:
        key = camel(name)
        value = config.get_secret(key) if pulumi.runtime.is_config_secret(f"{_BASE}:{key}") else config.get(key)
        if value is not None:
            yield key, value


async def _registered(api_version: str) -> str:
    of = version("pulumi-azure-native")
    parameter = b64encode(json.dumps({"module": _MODULE, "version": f"v{api_version.replace('-', '')}"}, separators=(",", ":")).encode())
    return await pulumi.runtime.register_package(_BASE, of, "", package_of(api_version), of, b64encode(parameter).decode())


class _OfVersion(pulumi.CustomResource):
    """Between a class of the SDK and its base: what the SDK registers is registered with the type and the package of the version."""

    _api: Api
    _newer: Mapping[str, object]

    def __init__(self, t: str, name: str, props: Any, opts: pulumi.ResourceOptions) -> None:  # noqa: ANN401  # arguments of any class of the SDK
        kind = t.rpartition(":")[2]
        packages = (package_of(None), *map(package_of, sendable_versions()[1:]))
        aliases = [pulumi.Alias(type_=token(package, kind)) for package in packages if package != self._api.package]
        opts = pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(aliases=aliases, provider=self._api.provider))
        cast("dict[str, object]", vars(props)).update(self._newer)
        super().__init__(token(self._api.package, kind), name, props, opts, package_ref=self._api.reference())

    def _split(self, api: Api, kind: str, given: Mapping[str, object]) -> Mapping[str, Any]:
        """The arguments that the SDK has. Others, and names inside all of them, are spelled as the API has them."""
        self._api, self._newer = api, {}
        if api.version is None:
            return given
        in_the_sdk = signature(getattr(containerservice, f"{kind}Args")).parameters
        of_api = arguments(kind) or {}
        known = {python_name(name): name for name in of_api}
        self._newer = {known[name]: spelled(of_api[known[name]].type, given[name]) for name in given if name.removesuffix("_") not in in_the_sdk}
        return {name: spelled(of_api[known[name]].type, value) for name, value in given.items() if known[name] not in self._newer}


def spelled(type_: str, value: object) -> object:
    """A value in Python's spelling as the API spells it."""
    if isinstance(value, list | tuple):
        return [spelled(type_[1:-1], part) for part in cast("Sequence[object]", value)]
    if not isinstance(value, Mapping):
        return value
    given = cast("Mapping[str, object]", value)
    if type_.startswith("{"):
        return {name: spelled(type_[1:-1], part) for name, part in given.items()}
    names = {python_name(name): argument for name, argument in (arguments(type_) or {}).items()}
    return {names[name].name if name in names else name: spelled(names[name].type, part) if name in names else part for name, part in given.items()}


class ManagedCluster(containerservice.ManagedCluster, _OfVersion):
    """`azure-native:containerservice:ManagedCluster`, whose identity is not converted.

    Identities are a list of ids in the request and a mapping in the response. The SDK checks the response against its types: with mocks that
    return the inputs, as most do, every output of the cluster would fail.
    """

    def __init__(self, api: Api, name: str, given: Mapping[str, object], opts: pulumi.ResourceOptions) -> None:
        super().__init__(name, opts=opts, **self._split(api, "ManagedCluster", given))  # pyright: ignore[reportUnknownMemberType]  # of the SDK

    @property
    @pulumi.getter
    def identity(self) -> pulumi.Output[Any]:
        """The identity of the cluster. Not used here."""
        return pulumi.get(self, "identity")  # pyright: ignore[reportUnknownMemberType]  # Pulumi's own helper is untyped


class AgentPool(containerservice.AgentPool, _OfVersion):
    """`azure-native:containerservice:AgentPool`."""

    def __init__(self, api: Api, name: str, given: Mapping[str, object], opts: pulumi.ResourceOptions) -> None:
        super().__init__(name, opts=opts, **self._split(api, "AgentPool", given))  # pyright: ignore[reportUnknownMemberType]  # of the SDK


class MaintenanceConfiguration(containerservice.MaintenanceConfiguration, _OfVersion):
    """`azure-native:containerservice:MaintenanceConfiguration`."""

    def __init__(self, api: Api, name: str, given: Mapping[str, object], opts: pulumi.ResourceOptions) -> None:
        super().__init__(name, opts=opts, **self._split(api, "MaintenanceConfiguration", given))  # pyright: ignore[reportUnknownMemberType]  # of the SDK
