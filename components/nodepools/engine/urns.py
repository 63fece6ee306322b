"""Names of resources, as the Pulumi engine makes them."""

STACK_TYPE = "pulumi:pulumi:Stack"
PROVIDER_PREFIX = "pulumi:providers:"


def make_urn(stack: str, project: str, parent: str, type_: str, name: str) -> str:
    """The URN of a new resource. It holds the types of all its parents, the stack aside, but none of their names."""
    parents = qualified_type(parent)
    qualified = type_ if parents in ("", STACK_TYPE) else f"{parents}${type_}"
    return f"urn:pulumi:{stack}::{project}::{qualified}::{name}"


def qualified_type(urn: str) -> str:
    """The types of all its parents and its own, joined by `$`; empty for the empty URN."""
    return urn.split("::", 3)[2] if urn else ""


def type_of(urn: str) -> str:
    """Its own type, without those of its parents."""
    return qualified_type(urn).rpartition("$")[2]


def package_of(token: str) -> str:
    """The provider package that serves a type or a function: `aws` of `aws:eks/cluster:Cluster`, and of its provider."""
    return token.removeprefix(PROVIDER_PREFIX) if token.startswith(PROVIDER_PREFIX) else token.partition(":")[0]


def provider_urn(reference: str) -> str:
    """The URN of a provider reference, which is `<urn>::<id>`; the id says nothing in a plan."""
    return reference.rpartition("::")[0]
