"""What a resource inherits from its parent, like `inheritFromParent` and `resolveProvider` of Pulumi's engine."""

from collections.abc import Mapping

from pulumi.runtime.proto.resource_pb2 import RegisterResourceRequest

from nodepools.engine.urns import package_of, provider_urn, type_of


def inherit(child: RegisterResourceRequest, parent: RegisterResourceRequest) -> None:
    """Sets the options of `child` that are not set. The SDK has already inherited providers and `protect`."""
    if not child.deletedWith:
        child.deletedWith = parent.deletedWith
    if not child.HasField("protect") and parent.HasField("protect"):
        child.protect = parent.protect
    if not child.HasField("retainOnDelete") and parent.HasField("retainOnDelete"):
        child.retainOnDelete = parent.retainOnDelete
    if not child.provider and parent.provider:
        serves = package_of(type_of(provider_urn(parent.provider)))
        if not child.custom or serves == package_of(child.type):
            child.provider = parent.provider


def inherit_providers(child: RegisterResourceRequest, from_parent: Mapping[str, str]) -> None:
    """Inherits providers from a parent component: all for a component, the one of its package for a custom resource."""
    if child.custom:
        package = package_of(child.type)
        child.provider = child.provider or child.providers.get(package, "") or from_parent.get(package, "")
        return
    for package, reference in from_parent.items():
        if package not in child.providers:
            child.providers[package] = reference
