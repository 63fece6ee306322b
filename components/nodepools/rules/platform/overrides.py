"""Rules about `overrides`: names and types of arguments of providers and of fields of objects, secrets, and fields that are overridden."""

from collections.abc import Iterator

from nodepools.model.aks.agent_pool import AgentPool, UserPool
from nodepools.model.aks.cluster import AksClusterArgs, AksNodeClass, AksNodePool
from nodepools.model.eks.access import PodIdentity
from nodepools.model.eks.node_class import EksNodeClass, EksNodePool
from nodepools.model.platform import AnyCluster
from nodepools.model.redaction import has_secret_form, hides
from nodepools.model.secret_places import is_public_key
from nodepools.model.steps import scalars
from nodepools.rules.aks.overrides import checked_aks_overrides
from nodepools.rules.eks.overrides import checked_eks_overrides
from nodepools.rules.engine.finding import PartFinding
from nodepools.rules.engine.registry import DECLARED_FIELDS, OVERRIDES, error, finding, limited, note, sample, warning
from nodepools.rules.engine.samples import SIZE, aks, aks_pool

Overridable = AnyCluster | AgentPool | AksNodeClass | EksNodeClass | AksNodePool | EksNodePool | PodIdentity
"""The parts that have `overrides`."""


def _found(code: str, part: Overridable, cluster: AksClusterArgs | None) -> Iterator[PartFinding]:
    """The findings of one rule."""
    if part.overrides:
        from nodepools.rules.engine.override_findings import override_findings  # reads tables that other declarations do not need

        yield from (one for of, one in override_findings(part, part.overrides, cluster) if of == code)


def _with_text_for_a_number() -> UserPool:
    return UserPool(vm_size=SIZE, overrides={"mode": "Gateway", "gateway_profile": {"public_ip_prefix_size": "30"}})


@note("PLT020", "nodepools: overrides replace the arguments that are sent; rules read fields")
@limited(OVERRIDES, DECLARED_FIELDS)
@sample("overrides.enable_fips", lambda: UserPool(vm_size=SIZE, overrides={"enable_fips": True}))
def unchecked_override(part: Overridable, cluster: AksClusterArgs | None) -> Iterator[PartFinding]:
    """Rules check the names and types of overrides, and few of their values; they check the value of a field."""
    evaluated = checked_aks_overrides(part) | checked_eks_overrides(part)
    yield from (one for one in _found("PLT020", part, cluster) if one.at[1] not in evaluated)


@warning("PLT021", "nodepools: everyone who can read the code can read the declaration")
@limited(OVERRIDES, DECLARED_FIELDS)
@sample(
    "overrides.service_principal_profile.secret",
    lambda: aks(overrides={"service_principal_profile": {"client_id": "1f3e", "secret": "correct horse battery"}}),
)
def plain_text_override(part: Overridable) -> Iterator[PartFinding]:
    """A secret in plain text in `overrides` can be read by everyone who can read the declaration."""
    for place, text in scalars(part.overrides):
        if isinstance(text, str) and text and not is_public_key(place, text) and (hides(place, text) or has_secret_form(text)):
            fix = "Use a stack output, or a secret of the Pulumi configuration"
            yield finding(part, "An override contains a secret in plain text", path=("overrides", *place), fix=fix)


@error("PLT022", "the Python SDKs pulumi-azure-native and pulumi-aws: other arguments are rejected at the top, and dropped or rejected inside")
@limited(OVERRIDES, DECLARED_FIELDS)
@sample("overrides.network_profile.podCIDR", lambda: aks(overrides={"network_profile": {"podCIDR": "10.244.0.0/16"}}))
def unknown_override(part: Overridable, cluster: AksClusterArgs | None) -> Iterator[PartFinding]:
    """Overrides are arguments of the provider in its Python spelling, or fields of `spec` of a Kubernetes object."""
    yield from _found("PLT022", part, cluster)


@warning("PLT023", "nodepools: tables of the arguments of the SDKs, and of the fields of CRDs, each of one version")
@limited(OVERRIDES, DECLARED_FIELDS)
@sample("overrides.disruptionn", lambda: aks_pool(overrides={"disruptionn": {"consolidateAfter": "5m"}}))
def override_of_another_version(part: Overridable, cluster: AksClusterArgs | None) -> Iterator[PartFinding]:
    """A name that is not in the table is newer than the table, or a typing error, which the API rejects or ignores."""
    yield from _found("PLT023", part, cluster)


@error("PLT024", "types of the SDKs and of CRDs: the provider's check, AKS or an API server rejects others; pulumi-aws converts numbers and text")
@limited(OVERRIDES, DECLARED_FIELDS)
@sample("overrides.gateway_profile.public_ip_prefix_size", _with_text_for_a_number)
def override_of_wrong_type(part: Overridable, cluster: AksClusterArgs | None) -> Iterator[PartFinding]:
    """The value of an override has the type of its argument and is within the bounds of its field, and a required argument is not removed."""
    yield from _found("PLT024", part, cluster)


@warning("PLT025", "pulumi, serialize_property: a name inside an argument that is not in Python's spelling is passed on as it is")
@limited(OVERRIDES, DECLARED_FIELDS)
@sample(
    "overrides.network_profile.staticEgressGatewayProfile",
    lambda: aks(overrides={"network_profile": {"staticEgressGatewayProfile": {"enabled": True}}}),
)
def override_in_the_spelling_of_the_api(part: Overridable, cluster: AksClusterArgs | None) -> Iterator[PartFinding]:
    """A nested name in the spelling of the API is sent, but rules and `diff` do not find it, and it does not replace what fields send next to it."""
    yield from _found("PLT025", part, cluster)
