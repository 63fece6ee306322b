"""A resource as any Pulumi program registers it. Values that are unknown in a preview, and secrets, are distinct from plain values."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias, cast

from nodepools.engine.signatures import OUTPUT, SECRET, SIGNATURE, UNKNOWNS
from nodepools.model.unknowns import UNKNOWN

if TYPE_CHECKING:
    from nodepools.engine.plan import PlannedResource

__all__ = ["UNKNOWN", "Inputs", "Resource", "Secret", "closed", "has_secrets", "of_engine", "of_plan", "opened"]


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
    """The Pulumi name."""
    inputs: Inputs
    parent: str | None = None
    """URN of the parent."""
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
    return [
        Resource(
            urn=planned_step.urn,
            type=planned_step.type,
            name=planned_step.name,
            inputs={name: _of_plan(value) for name, value in planned_step.inputs.items()},
            parent=planned_step.parent,
            dependencies=planned_step.dependencies,
            property_dependencies=planned_step.property_dependencies,
            provider=provider if isinstance(provider := planned_step.options.get("provider"), str) else None,
            options=planned_step.options,
        )
        for planned_step in planned
    ]


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


def _of_plan(value: object) -> object:
    if isinstance(value, list | tuple):
        return [_of_plan(part) for part in cast("Iterable[object]", value)]
    if not isinstance(value, Mapping):
        return value
    given = cast("Mapping[str, object]", value)
    if given == {"$unknown": True}:
        return UNKNOWN
    if given == {"$secret": True}:
        return Secret(UNKNOWN)
    return {name: _of_plan(part) for name, part in given.items()}
