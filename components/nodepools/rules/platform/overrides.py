"""Rules about `overrides`: names and types of arguments of providers and of fields of objects, secrets, and fields that are overridden."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.node_class import AksNodeClass
from nodepools.model.aks.node_provisioning import AksNodePool
from nodepools.model.aks.pools import UserPool
from nodepools.model.base import Model
from nodepools.model.eks.access import PodIdentity
from nodepools.model.eks.auto_mode import EksNodePool
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.eks.node_class import EksNodeClass
from nodepools.model.per_cloud import AnyCluster, PerCloud, is_cluster
from nodepools.model.redaction import has_secret_form, hides
from nodepools.model.scalars import scalars
from nodepools.model.secret_places import is_public_key
from nodepools.model.steps import Steps
from nodepools.rules.aks.overrides import checked_aks_overrides
from nodepools.rules.eks.overrides import checked_eks_overrides
from nodepools.rules.engine.finding import PartFinding, Severity
from nodepools.rules.engine.finding_text import ref
from nodepools.rules.engine.fix import Fix, FixLike, certain, remove, rename, set_to
from nodepools.rules.engine.path import path_text, value_at
from nodepools.rules.engine.registry import DECLARED_FIELDS, OVERRIDES, Sample, finding, rule
from nodepools.rules.engine.samples import SIZE, aks, aks_pool
from nodepools.wire.aks.agent_pool import INLINE, POOL
from nodepools.wire.aks.cluster import CLUSTER as AKS_CLUSTER
from nodepools.wire.aks.node_class import NODE_CLASS as AKS_CLASS
from nodepools.wire.eks.add_ons import POD_IDENTITY
from nodepools.wire.eks.cluster import CLUSTER as EKS_CLUSTER
from nodepools.wire.eks.node_class import NODE_CLASS as EKS_CLASS
from nodepools.wire.karpenter import AKS_NODE_CLASS, EKS_NODE_CLASS, node_pool_table
from nodepools.wire.names import python_name
from nodepools.wire.table import Table

if TYPE_CHECKING:
    from nodepools.data.argument_types import Overridden, Override

Overridable = AnyCluster | AgentPool | AksNodeClass | EksNodeClass | AksNodePool | EksNodePool | PodIdentity
"""The parts that have `overrides`."""
_NAMED: Final = 2
"""At most so many fields are named in one finding."""


class Target(NamedTuple):
    """What the overrides of one class of parts are merged into."""

    source: str
    """The source of its types: `AZURE`, `AWS` or `OBJECTS`."""
    type: str
    rows: Table
    set_by_us: Mapping[str, str] = {}
    """Arguments that the component itself sets, with the field for each; empty without a field."""

    @property
    def is_object(self) -> bool:
        """It is a Kubernetes object, whose cluster decides which fields it has."""
        return self.source == "OBJECTS"

    @property
    def arguments(self) -> "Overridden":
        """The types of its arguments."""
        from nodepools.data import argument_types  # only for declarations with overrides

        source, spell = argument_types.Source[self.source], str if self.is_object else python_name
        return argument_types.Overridden(source, self.type, spell, converts=self.source == "AWS", checks_text=self.source != "AZURE")


_SEPARATE: Final = {"agent_pool_name": "name", "resource_group_name": "", "resource_name_": ""}
_FIRST_POOL: Final = Target("AZURE", "ManagedClusterAgentPoolProfile", INLINE, {"agent_pool_name": "name"})
_TARGETS: Final[Mapping[type[object], Target]] = {
    AksClusterArgs: Target("AZURE", "ManagedCluster", AKS_CLUSTER, {"resource_group_name": "resource_group"}),
    AgentPool: Target("AZURE", "AgentPool", POOL, _SEPARATE),
    EksClusterArgs: Target("AWS", "Cluster", EKS_CLUSTER),
    PodIdentity: Target("AWS", "PodIdentityAssociation", POD_IDENTITY),
    AksNodePool: Target("OBJECTS", "NodePool", node_pool_table(AKS_NODE_CLASS)),
    EksNodePool: Target("OBJECTS", "NodePool", node_pool_table(EKS_NODE_CLASS)),
    AksNodeClass: Target("OBJECTS", "AKSNodeClass", AKS_CLASS),
    EksNodeClass: Target("OBJECTS", "NodeClass", EKS_CLASS),
}
_checked: Final = PerCloud(aks=checked_aks_overrides, eks=checked_eks_overrides)
"""The overrides of a cluster that other rules check."""


def _with_text_for_a_number() -> UserPool:
    return UserPool(vm_size=SIZE, overrides={"mode": "Gateway", "gateway_profile": {"public_ip_prefix_size": "30"}})


def _target(part: Overridable, cluster: AksClusterArgs | None) -> Target:
    if cluster is not None and part is cluster.system_pool:
        return _FIRST_POOL
    return next(_TARGETS[kind] for kind in type(part).__mro__ if kind in _TARGETS)


def _overrides(part: Overridable, cluster: AksClusterArgs | None) -> Iterator[tuple[Target, "Override"]]:
    if part.overrides:
        target = _target(part, cluster)
        yield from ((target, one) for one in target.arguments.overrides(part.overrides))


@rule(
    "PLT020",
    Severity.NOTE,
    source="nodepools: overrides replace the arguments that are sent; rules read fields",
    sample=Sample("overrides.enable_fips", lambda: UserPool(vm_size=SIZE, overrides={"enable_fips": True})),
    limits=(OVERRIDES, DECLARED_FIELDS),
)
def unchecked_override(part: Overridable, cluster: AksClusterArgs | None) -> Iterator[PartFinding]:
    """Rules check the names and types of overrides, and few of their values; they check the value of a field."""
    evaluated = _checked(part) if is_cluster(part) else frozenset[str]()
    given: dict[str, list[Steps | None]] = {}
    for target, one in filter(lambda pair: pair[1].why.name == "NOTHING", _overrides(part, cluster)):
        given.setdefault(str(one.at[0]), []).append(_field_of(target.rows, one.wire))
    for name, fields in given.items():
        if name not in evaluated:
            named = [field for field in dict.fromkeys(fields) if field is not None]
            message = f"No rule checks the value of the override `{name}`"
            if named and None not in fields and len(named) <= _NAMED:
                message = f"The override `{name}` has a field, which rules check: use {' and '.join(map(ref, named))}"
            yield finding(part, message, path=("overrides", name))


@rule(
    "PLT021",
    Severity.WARNING,
    source="nodepools: everyone who can read the code can read the declaration",
    sample=Sample(
        "overrides.service_principal_profile.secret",
        lambda: aks(overrides={"service_principal_profile": {"client_id": "1f3e", "secret": "correct horse battery"}}),
    ),
    limits=(OVERRIDES, DECLARED_FIELDS),
)
def plain_text_override(part: Overridable) -> Iterator[PartFinding]:
    """A secret in plain text in `overrides` can be read by everyone who can read the declaration."""
    for place, text in scalars(part.overrides):
        if isinstance(text, str) and text and not is_public_key(place, text) and (hides(place, text) or has_secret_form(text)):
            fix = "Use a stack output, or a secret of the Pulumi configuration"
            yield finding(part, "An override contains a secret in plain text", path=("overrides", *place), fix=fix)


@rule(
    "PLT022",
    Severity.ERROR,
    source="the Python SDKs pulumi-azure-native and pulumi-aws: other arguments are rejected at the top, and dropped or rejected inside",
    sample=Sample("overrides.networkProfile", lambda: aks(overrides={"networkProfile": {"network_plugin": "none"}})),
    limits=(OVERRIDES, DECLARED_FIELDS),
)
def unknown_override(part: Overridable, cluster: AksClusterArgs | None) -> Iterator[PartFinding]:
    """Overrides are arguments of the provider in its Python spelling, or fields of `spec` of a Kubernetes object."""
    for target, one in _overrides(part, cluster):
        name = str(one.at[-1])
        if len(one.at) == 1 and name in target.set_by_us:
            field = target.set_by_us[name]
            message = f"The component sets `{name}` itself: {f'use {ref(field)}' if field else 'it cannot be overridden'}"
            yield finding(part, message, path=("overrides", name), fix=remove(("overrides", name)))
        elif one.why.name == "UNKNOWN" and one.is_certain:
            message, fix = _unknown(part, target, one)
            yield finding(part, message, path=("overrides", *one.at), fix=fix)


@rule(
    "PLT023",
    Severity.WARNING,
    source="nodepools: tables of the arguments of the SDKs, and of the fields of CRDs, each of one version",
    sample=Sample("overrides.disruptionn", lambda: aks_pool(overrides={"disruptionn": {"consolidateAfter": "5m"}})),
    limits=(OVERRIDES, DECLARED_FIELDS),
)
def override_of_another_version(part: Overridable, cluster: AksClusterArgs | None) -> Iterator[PartFinding]:
    """A name that is not in the table is newer than the table, or a typing error, which the API rejects or ignores."""
    for target, one in _overrides(part, cluster):
        if one.why.name == "UNKNOWN" and not one.is_certain and not (len(one.at) == 1 and one.at[0] in target.set_by_us):
            message, fix = _unknown(part, target, one)
            yield finding(part, message, path=("overrides", *one.at), fix=fix)


@rule(
    "PLT024",
    Severity.ERROR,
    source="types of the SDKs and of CRDs: the provider's check, AKS or an API server rejects others; pulumi-aws converts numbers and text",
    sample=Sample("overrides.gateway_profile.public_ip_prefix_size", _with_text_for_a_number),
    limits=(OVERRIDES, DECLARED_FIELDS),
)
def override_of_wrong_type(part: Overridable, cluster: AksClusterArgs | None) -> Iterator[PartFinding]:
    """The value of an override has the type of its argument, and a required argument is not removed."""
    for target, one in _overrides(part, cluster):
        at, name = ("overrides", *one.at), path_text(one.at)
        if one.why.name == "REQUIRED" and not (len(one.at) == 1 and one.at[0] in target.set_by_us):
            yield finding(part, f"`{name}` is required: it cannot be removed", path=at, fix=remove(at))
        elif one.why.name == "TYPE":
            yield finding(part, f"`{name}` must be {one.expected}", path=at, fix=_converted(at, value_at(part, at), one.expected))


@rule(
    "PLT025",
    Severity.WARNING,
    source="pulumi, serialize_property: a name inside an argument that is not in Python's spelling is passed on as it is",
    sample=Sample(
        "overrides.network_profile.staticEgressGatewayProfile",
        lambda: aks(overrides={"network_profile": {"staticEgressGatewayProfile": {"enabled": True}}}),
    ),
    limits=(OVERRIDES, DECLARED_FIELDS),
)
def override_in_the_spelling_of_the_api(part: Overridable, cluster: AksClusterArgs | None) -> Iterator[PartFinding]:
    """A nested name in the spelling of the API is sent, but rules and `diff` do not find it, and it does not replace what fields send next to it."""
    for _, one in _overrides(part, cluster):
        if one.why.name == "SPELLING" and one.near is not None:
            at = ("overrides", *one.at)
            message = f"`{one.at[-1]}` is the spelling of the API: rules and `diff` read `{one.near}`, Python's spelling"
            yield finding(part, message, path=at, fix=rename(at, one.near))


def _unknown(part: Overridable, target: Target, one: "Override") -> tuple[str, FixLike]:
    """The message and the fix for a name that no argument has."""
    at, name = ("overrides", *one.at), str(one.at[-1])
    owner = path_text(one.at[:-1]) if len(one.at) > 1 else f"{target.type}.spec" if target.is_object else target.type
    message = f"`{name}` is not {'a field' if target.is_object else 'an argument'} of `{owner}`"
    if not one.is_certain:
        message = f"{message}, unless it is newer than {target.arguments.source.origin}"
    field = _field_named(part, target.rows, one)
    if field is not None and not _is_same(name, one.near):
        return f"{message}: use the field {ref(field)}", Fix("", (set_to(field, value_at(part, at)), remove(at)))
    if one.near is None or one.near in target.set_by_us:
        return f"{message} in {target.arguments.source.origin}" if one.is_certain else message, remove(at)
    return f"{message}: the nearest is `{one.near}`", _renamed(part, at, one.near)


def _renamed(part: Overridable, at: Steps, near: str) -> FixLike:
    """Renames the last step; certain if only case and separators differ, and nothing has that name yet."""
    around = value_at(part, at[:-1])
    if isinstance(around, Mapping) and near in around:
        return remove(at)
    return certain(rename(at, near)) if _is_same(str(at[-1]), near) else rename(at, near)


def _is_same(name: str, near: str | None) -> bool:
    return near is not None and name.replace("_", "").lower() == near.replace("_", "").lower()


def _converted(at: Steps, value: object, expected: str) -> FixLike:
    """The value in the expected type, if it is the same value for certain."""
    if expected == "text" and isinstance(value, int) and not isinstance(value, bool):
        return certain(set_to(at, str(value)))
    if expected == "a whole number" and isinstance(value, str) and value.isascii() and value.isdigit():
        return certain(set_to(at, int(value)))
    if expected == "true or false" and isinstance(value, str) and value.lower() in {"true", "false"}:
        return certain(set_to(at, value.lower() == "true"))
    return None


def _field_of(rows: Table, wire: Steps) -> Steps | None:
    """The field that sends the argument at `wire`, or one that it is in."""
    ways = [way for way in rows.leaves if way.model and way.wire == wire[: len(way.wire)] and way.wire and way.model[0] != "overrides"]
    return tuple(step for step in max(ways, key=lambda way: len(way.wire)).model if isinstance(step, str)) if ways else None


def _field_named(part: Model, rows: Table, one: "Override") -> Steps | None:
    """The field with the name of an unknown argument: of the part, or sent to the argument that the name is in."""
    name = str(one.at[-1])
    if len(one.at) == 1 and name in type(part).model_fields:
        return (name,)
    ways = (way.model for way in rows.leaves if len(one.at) > 1 and way.model and way.model[-1] == name and way.wire[:-1] == one.wire)
    return next((tuple(step for step in model if isinstance(step, str)) for model in ways), None)
