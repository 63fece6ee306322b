"""URNs of resources, in the format of Pulumi's engine."""

import re

_OF_VERSION = re.compile(r"^(azure-native)_(\w+?)_v\d+(?=:\2:)")
STACK_TYPE = "pulumi:pulumi:Stack"
PROVIDER_PREFIX = "pulumi:providers:"


def make_urn(stack: str, project: str, parent: str, type_: str, name: str) -> str:
    """The URN of a new resource. It contains the types of all parents except the stack, but not their names."""
    parents = qualified_type(parent)
    qualified = type_ if parents in ("", STACK_TYPE) else f"{parents}${type_}"
    return f"urn:pulumi:{stack}::{project}::{qualified}::{name}"


def qualified_type(urn: str) -> str:
    """The types of the parents and of the resource, joined by `$`; empty for an empty URN."""
    return urn.split("::", 3)[2] if urn else ""


def type_of(urn: str) -> str:
    """The type of the resource, without those of its parents."""
    return qualified_type(urn).rpartition("$")[2]


def default_type(type_: str) -> str:
    """The type in the package of the default version of the API: azure-native has a package for each other version."""
    return _OF_VERSION.sub(r"\1", type_)


def package_of(token: str) -> str:
    """The provider package that serves a type or a function: `aws` of `aws:eks/cluster:Cluster`, and of its provider."""
    return token.removeprefix(PROVIDER_PREFIX) if token.startswith(PROVIDER_PREFIX) else token.partition(":")[0]


def provider_urn(reference: str) -> str:
    """The URN in a provider reference (`<urn>::<id>`); the id has no meaning in a plan."""
    return reference.rpartition("::")[0]
