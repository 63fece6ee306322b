"""A resource as any program, saved plan or state has it, and whether it is checked. Unknown values and secrets are distinct from plain values."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Final, TypeAlias, cast

from nodepools.engine.signatures import OUTPUT, SECRET, SIGNATURE, UNKNOWNS
from nodepools.engine.signatures import UNKNOWN as UNKNOWN_SIGNATURE
from nodepools.model.steps import mapping, sequence
from nodepools.model.unknowns import UNKNOWN
from nodepools.model.values import dataclass, field, replace

if TYPE_CHECKING:
    from nodepools.engine.plan import PlannedResource


__all__ = ["UNKNOWN", "Inputs", "Resource", "Secret", "all_marks", "closed", "has_secrets", "of_engine", "of_plan", "opened", "with_marks"]


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret value. Rules check it like any other value, and it is never printed."""

    value: object = field(repr=False)


Inputs: TypeAlias = Mapping[str, object]
"""Plain data in the provider's spelling. Any value can be `UNKNOWN` or a `Secret`."""


@dataclass(frozen=True, slots=True)
class Resource:
    """One resource of a program."""

    urn: str
    type: str
    """The type token, `azure-native:containerservice:AgentPool`."""
    name: str
    inputs: Inputs
    parent: str | None = None
    dependencies: tuple[str, ...] = ()
    """URNs of the resources that any input depends on."""
    property_dependencies: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """URNs of the resources that each input depends on."""
    provider: str | None = None
    """URN of the resource's provider, if the program names one."""
    options: Mapping[str, object] = field(default_factory=dict[str, object])
    """The other resource options, in the engine's spelling (`protect`, `ignoreChanges`)."""


def has_secrets(value: object) -> bool:
    """Tells whether the value is or contains a secret."""
    if isinstance(value, Mapping):
        return any(map(has_secrets, cast("Mapping[str, object]", value).values()))
    return isinstance(value, Secret) or (isinstance(value, list | tuple) and any(map(has_secrets, cast("Iterable[object]", value))))


def opened(resource: Resource) -> Resource:
    """Returns the resource with its secrets as plain values, for checks and never for output."""
    return replace(resource, inputs=cast("Inputs", _replaced(resource.inputs, lambda secret: secret.value)))


def closed(resource: Resource) -> Resource:
    """Returns the resource with its secrets unknown: no text about it can contain a secret."""
    return replace(resource, inputs=cast("Inputs", _replaced(resource.inputs, lambda _: UNKNOWN)))


def _replaced(value: object, instead: Callable[[Secret], object]) -> object:
    if isinstance(value, Secret):
        return _replaced(instead(value), instead)
    if isinstance(value, Mapping):
        return {name: _replaced(part, instead) for name, part in cast("Mapping[str, object]", value).items()}
    return [_replaced(part, instead) for part in cast("Iterable[object]", value)] if isinstance(value, list | tuple) else value


def of_plan(planned: Iterable["PlannedResource"]) -> list[Resource]:
    """Returns the resources of a registration plan. A plan marks secrets without their values: they are unknown."""
    made: list[Resource] = []
    for one in planned:
        inputs, provider = mapping(of_engine(_marked(one.inputs))), one.options.get("provider")
        needs = one.dependencies, one.property_dependencies, provider if isinstance(provider, str) else None
        made.append(Resource(one.urn, one.type, one.name, inputs, one.parent, *needs, one.options))
    return made


def of_engine(value: object) -> object:
    """Returns a value of the engine's protocol, read from JSON. A secret becomes a `Secret`, a float without a fraction becomes an integer."""
    if isinstance(value, str):
        return UNKNOWN if value in UNKNOWNS else value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list | tuple):
        return [of_engine(part) for part in cast("Iterable[object]", value)]
    return _of_mapping(cast("Mapping[str, object]", value)) if isinstance(value, Mapping) else value


def _of_mapping(given: Mapping[str, object]) -> object:
    match given.get(SIGNATURE):
        case None:
            return {str(name): of_engine(part) for name, part in given.items()}
        case signature if signature == SECRET:
            return Secret(of_engine(given.get("value")))
        case signature if signature == OUTPUT:
            known = of_engine(given["value"]) if "value" in given else UNKNOWN
            return Secret(known) if given.get("secret") is True else known
        case _:
            return UNKNOWN  # an asset, an archive, or a resource: rules read none of these


_AZURE: Final = re.compile(r"azure-native(?:_\w+)?:containerservice(?:/v\w+)?:(\w+)")
"""`azure-native:containerservice:AgentPool`, `…/v20240901:AgentPool`, and packages that are generated for one API version."""
_LOGS: Final = re.compile(r"azure-native(?:_\w+)?:(?:insights|monitor)(?:/v\w+)?:(\w+)|azure:monitoring/\w+:(\w+)")
"""Azure Monitor, which is `insights` in version 2 of the SDK. The provider `azure` can associate resources of `azure-native`."""
_AWS: Final = re.compile(r"aws:eks/\w+:(\w+)")
_OBJECT: Final = re.compile(r"kubernetes:(?P<version>[^:]+):(?P<kind>\w+)")
_GROUPS: Final = ("karpenter.sh", "eks.amazonaws.com", "karpenter.azure.com", "karpenter.k8s.aws")


SUBNET: Final = "terraform:subnet"


class Kind(Enum):
    """The kinds of resources that rules distinguish."""

    AKS_CLUSTER = "ManagedCluster"
    AGENT_POOL = "AgentPool"
    MAINTENANCE = "MaintenanceConfiguration"
    LOG_RULE = "DataCollectionRule"
    LOG_ASSOCIATION = "DataCollectionRuleAssociation"
    EKS_CLUSTER = "Cluster"
    ACCESS_ENTRY = "AccessEntry"
    ACCESS_POLICY = "AccessPolicyAssociation"
    POD_IDENTITY = "PodIdentityAssociation"
    ADD_ON = "Addon"
    IDENTITY_PROVIDER = "IdentityProviderConfig"
    SUBNET = "a subnet of a plan of Terraform"
    OBJECT = "a Karpenter object"
    OTHER = "not checked"


_OF_AZURE: Final = {kind.value: kind for kind in (Kind.AKS_CLUSTER, Kind.AGENT_POOL, Kind.MAINTENANCE)}
_OF_LOGS: Final = {kind.value: kind for kind in (Kind.LOG_RULE, Kind.LOG_ASSOCIATION)}
_OF_AWS: Final = {
    kind.value: kind for kind in (Kind.EKS_CLUSTER, Kind.ACCESS_ENTRY, Kind.ACCESS_POLICY, Kind.POD_IDENTITY, Kind.ADD_ON, Kind.IDENTITY_PROVIDER)
}


def kind_of(resource: Resource) -> Kind:
    """Returns the kind of `resource`."""
    if resource.type == SUBNET:
        return Kind.SUBNET
    azure, logs, aws = (pattern.fullmatch(resource.type) for pattern in (_AZURE, _LOGS, _AWS))
    if azure is not None:
        return _OF_AZURE.get(azure[1], Kind.OTHER)
    if logs is not None:
        return _OF_LOGS.get(logs[1] if logs[1] is not None else logs[2], Kind.OTHER)
    if aws is not None:
        return _OF_AWS.get(aws[1], Kind.OTHER)
    version = manifest_of(resource).get("apiVersion")
    return Kind.OBJECT if isinstance(version, str) and version.partition("/")[0] in _GROUPS else Kind.OTHER


def manifest_of(resource: Resource) -> Mapping[str, object]:
    """Returns the Kubernetes object of the resource, with the kind of its type token; an empty one for other resources."""
    token = _OBJECT.fullmatch(resource.type)
    if token is None:
        return {}
    typed = {"apiVersion": token["version"], "kind": token["kind"]} if "/" in token["version"] else {}
    return {**typed, **resource.inputs}


def name_of(manifest: Mapping[str, object]) -> str | None:
    """Returns the name of the object, if it is known."""
    name = mapping(manifest.get("metadata")).get("name")
    return name if isinstance(name, str) else None


def of_plan_json(entries: Iterable[object]) -> list[Resource]:
    """Returns the resources; what is not one is ignored."""
    return [_planned(cast("Mapping[str, object]", entry)) for entry in entries if isinstance(entry, Mapping)]


def _planned(entry: Mapping[str, object]) -> Resource:
    urn, inputs = str(entry.get("urn")), mapping(of_engine(_marked(entry.get("inputs"))))
    needs, options = tuple(map(str, sequence(entry.get("dependencies")))), mapping(entry.get("options"))
    return Resource(urn, str(entry.get("type")), urn.rpartition("::")[2], inputs, str(entry.get("parent")), needs, options=options)


def _marked(value: object) -> object:
    """The engine's own marks instead of those of a plan for secret and unknown values."""
    if isinstance(value, Mapping):
        held = cast("Mapping[str, object]", value)
        if held == {"$unknown": True}:
            return UNKNOWN_SIGNATURE
        if held == {"$secret": True}:
            return {SIGNATURE: SECRET, "value": UNKNOWN_SIGNATURE}
        return {name: _marked(part) for name, part in held.items()}
    return [_marked(part) for part in cast("Sequence[object]", value)] if isinstance(value, list | tuple) else value


def all_marks(one: object, other: object) -> object:
    """What Terraform marks in one of two places, or in both."""
    if one is True or other is True:
        return True
    names = {**mapping(one), **mapping(other)}
    if names:
        return {name: all_marks(mapping(one).get(name), mapping(other).get(name)) for name in names}
    every = sequence(one), sequence(other)
    return [all_marks(*(_at(side, number) for side in every)) for number in range(max(map(len, every)))]


def with_marks(value: object, sensitive: object, unknown: object) -> object:
    """A value with what Terraform marks as sensitive, and as known later."""
    if unknown is True:
        return UNKNOWN
    if sensitive is True and not any(isinstance(one, Mapping) for one in sequence(value)):
        return Secret(value) if value is not None else None
    if sensitive is True:  # of a block, the values are secret, and the names of its arguments are not
        sensitive = [dict.fromkeys(mapping(one), True) for one in sequence(value)]
    held, later = mapping(value), mapping(unknown)
    if isinstance(value, Mapping) or (value is None and later):
        secrets = mapping(sensitive)
        return {name: with_marks(held.get(name), secrets.get(name), later.get(name)) for name in {**held, **later}}
    if isinstance(value, list) or (value is None and sequence(unknown)):
        every, secret, after = sequence(cast("object", value)), sequence(sensitive), sequence(unknown)
        return [with_marks(_at(every, number), _at(secret, number), _at(after, number)) for number in range(max(len(every), len(after)))]
    return value


def _at(values: Sequence[object], number: int) -> object:
    return values[number] if number < len(values) else None
