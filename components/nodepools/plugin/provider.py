"""Serves the components to the engine, which creates them for programs in other languages.

Arguments arrive in the engine's protocol: there, numbers are floats, names are in camelCase, and `None` does not exist.
"""

import json
import re
from collections.abc import Coroutine, Iterable, Iterator, Mapping, Sequence
from inspect import get_annotations
from types import NoneType, UnionType
from typing import Annotated, Final, TypeVar, Union, cast, get_args, get_origin

import pulumi
from pulumi.errors import InputPropertiesError
from pulumi.output import Unknown
from pulumi.provider import ConstructResult, Provider
from pydantic import ValidationError
from pydantic.fields import FieldInfo

from nodepools.clouds.registry import cloud_of
from nodepools.engine.signatures import UNKNOWNS
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.base import Model
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.path import path_text
from nodepools.model.platform import AnyCluster
from nodepools.model.steps import Step
from nodepools.model.values import dataclass, field, replace
from nodepools.public_names import MissingExtraError
from nodepools.rules.engine.field_annotations import bare, kind_of, models_of, options
from nodepools.rules.engine.finding import DeclarationError, Finding, Fix, Severity, flow
from nodepools.rules.engine.runner import check, declaration_error
from nodepools.rules.engine.schema_findings import shape_findings

DECLARED: tuple[type[AksClusterArgs], type[EksClusterArgs]] = (AksClusterArgs, EksClusterArgs)
"""The declarations of components in other languages."""
SWITCH = "enabled"
"""The property that turns off a part with a default: other languages cannot send Python's `None`."""
NOTHING = "none"
"""The value for the same in a field of text."""


def wire_name(field: str) -> str:
    """`vm_size` as `vmSize`."""
    return re.sub(r"_(.)", lambda found: "_" if found[1] == "_" else found[1].upper(), field)


def field_name(word: str) -> str:
    """`vmSize` as `vm_size`. An underscore is doubled: `vm_size` is not a name there, and must not become a field."""
    return re.sub(r"_|[A-Z]", lambda found: "__" if found[0] == "_" else f"_{found[0].lower()}", word)


def wire_steps(steps: Iterable[Step], whole: type[Model]) -> list[Step]:
    """A path inside `whole` as other languages write it: fields are renamed, keys are not."""
    written: list[Step] = []
    here: object = whole
    for step in steps:
        models = models_of(here)
        written.append(wire_name(step) if models and isinstance(step, str) else step)
        here = next(_fields_named(str(step), models), None) if models else inner(here)
    return written


def annotation_of(field: FieldInfo) -> object:
    """The type of a field, with the metadata that pydantic keeps separately."""
    return Annotated[field.annotation, *field.metadata] if field.metadata else field.annotation


def inner(annotation: object) -> object:
    """The type of the entries of a list or a mapping."""
    return next((get_args(bare(option))[-1] for option in options(annotation) if get_args(bare(option))), None)


def is_ref(annotation: object) -> bool:
    """Whether it accepts a reference, which can be an Output: an `object` with validation. Without validation it accepts anything."""
    if get_origin(annotation) is Annotated:
        validated = get_args(annotation)[0]
        return validated is object or is_ref(validated)
    return get_origin(annotation) in (Union, UnionType) and any(is_ref(part) for part in get_args(annotation))


def is_switchable(field: FieldInfo) -> bool:
    """Whether `None` differs from the default."""
    return NoneType in get_args(bare(field.annotation)) and not field.is_required() and field.default is not None


def _fields_named(name: str, models: Iterable[type[Model]]) -> Iterator[object]:
    yield from (annotation_of(model.model_fields[name]) for model in models if name in model.model_fields)


M = TypeVar("M", bound=Model)
V = TypeVar("V")


def read(model: type[M], inputs: Mapping[str, object]) -> M:
    """The declaration in `inputs`. Their schema is checked here, the rest by the component.

    Raises:
        DeclarationError: they do not match the schema; with all findings, those of the rules about the rest too. Paths are as the caller writes them.
    """
    reading = _Reading()
    given = reading.fields(inputs, model, _Place(model))
    shape: list[Finding] = []
    try:
        declared = model.model_validate(given)
    except ValidationError as error:
        shape = shape_findings(error, model, given)
    else:
        if not reading.findings:
            return declared
    raise DeclarationError([*reading.findings, *(in_their_words(finding, model) for finding in declaration_error(shape, model, given).findings)])


def in_their_words(finding: Finding, whole: type[Model]) -> Finding:
    """The same finding, as a caller in another language writes the declaration."""
    steps = tuple(wire_steps(finding.steps, whole))
    return replace(finding.spelled(_Camel(whole)), path=path_text(steps), steps=steps)


@dataclass(frozen=True, slots=True)
class _Camel:
    """How other languages write a declaration of the class `whole`."""

    whole: type[Model]

    def field(self, steps: Sequence[Step], within: int) -> str | None:
        return path_text(wire_steps(steps, self.whole)[within:])

    def literal(self, value: object) -> str:
        return flow(value, wire_name)


@dataclass(frozen=True, slots=True)
class _Place:
    """The place of a value."""

    annotation: object
    steps: tuple[Step, ...] = ()
    source: "pulumi.Output[object] | None" = None
    """The Output that contained it: values that are not plain depend on it."""

    def inside(self, annotation: object, step: Step) -> "_Place":
        """A part of it."""
        return _Place(annotation, (*self.steps, step), self.source)

    def entry(self, step: Step) -> "_Place":
        """An entry of a list or a mapping."""
        return self.inside(inner(self.annotation), step)


@dataclass
class _Reading:
    """One reading, with the findings about what no model has."""

    findings: list[Finding] = field(default_factory=list[Finding])

    def fields(self, given: Mapping[str, object], model: type[Model], place: _Place) -> dict[str, object]:
        """The arguments of `model`. Unknown fields stay, so that the model rejects them by name."""
        read: dict[str, object] = {}
        for word, value in given.items():
            name = field_name(word)
            known = model.model_fields.get(name)
            inside = place.inside(annotation_of(known) if known is not None else object, word)
            read[name] = self._switched(value, inside) if known is not None and is_switchable(known) else self._value(value, inside)
        return read

    def _switched(self, value: object, place: _Place) -> object:
        """`None` for a part that is turned off, otherwise the value."""
        if value == NOTHING:
            return None
        if not isinstance(value, Mapping):
            return self._value(value, place)
        parts = dict(cast("Mapping[str, object]", value))
        on = parts.pop(SWITCH, True)
        if not isinstance(on, bool):
            steps = (*place.steps, SWITCH)
            message, fix = f"`{SWITCH}` must be `true` or `false`", Fix(f"Set `{SWITCH}` to `true` or `false`, a plain value")
            self.findings.append(
                Finding("CFG004", Severity.ERROR, path_text(steps), _eventual(on, place), message, fix, "nodepools.plugin", steps=steps)
            )
        return None if on is False else self._value(parts, place)

    def _value(self, value: object, place: _Place) -> object:
        """`value` as Python has it at `place`; the model rejects what is not valid."""
        value, place = _opened(value, place)
        if isinstance(value, Mapping):
            return self._parts(cast("Mapping[str, object]", value), place)
        if isinstance(value, list):
            return [self._value(part, place.entry(index)) for index, part in enumerate(cast("Sequence[object]", value))]
        if isinstance(value, float) and value.is_integer():
            return int(value)
        return _eventual(value, place)

    def _parts(self, parts: Mapping[str, object], place: _Place) -> object:
        models = models_of(place.annotation)
        if models:
            model = models[0] if len(models) == 1 else next((model for model in models if kind_of(model) == parts.get("kind")), None)
            return self.fields(parts, model, place) if model is not None else dict(parts)
        return {key: self._value(part, place.entry(key)) for key, part in parts.items()}


def _eventual(value: object, place: _Place) -> object:
    """`value`; an Output if it is not known yet, or is a reference from an Output."""
    if isinstance(value, str) and value in UNKNOWNS:
        value = Unknown()
    if isinstance(value, Unknown) or (isinstance(value, str) and place.source is not None and is_ref(place.annotation)):
        return place.source.apply(lambda _: value, run_with_unknowns=True) if place.source is not None else pulumi.Output.from_input(value)
    return value


def _opened(value: object, place: _Place) -> tuple[object, _Place]:
    """The value inside an Output of a list or a mapping: it came with the request, without waiting.

    Languages that cannot mark a part of a property as an Output send the whole property as one. A secret stays closed: any part can be secret.
    """
    if not isinstance(value, pulumi.Output) or is_ref(place.annotation):
        return cast("object", value), place
    output = cast("pulumi.Output[object]", value)
    held = None if _settled(output.is_secret()) else _settled(output.future(with_unknowns=True))
    return (cast("object", held), replace(place, source=output)) if isinstance(held, Mapping | list) else (output, place)


def _settled(coming: Coroutine[object, None, V]) -> V | None:
    """The result of a coroutine that does not wait; `None` if it would wait."""
    try:
        coming.send(None)
    except StopIteration as done:
        return cast("V", done.value)
    coming.close()
    return None


AKS, EKS = "nodepools:index:AksCluster", "nodepools:index:EksCluster"
_MODELS: Final[Mapping[str, type[AnyCluster]]] = {AKS: AksClusterArgs, EKS: EksClusterArgs}
"""The declaration of a component, by the type of the component."""


class ClusterProvider(Provider):
    """Creates `AksCluster` and `EksCluster` for programs in any language."""

    def __init__(self, schema: str) -> None:
        super().__init__(str(json.loads(schema)["version"]), schema)

    def construct(self, name: str, resource_type: str, inputs: pulumi.Inputs, options: pulumi.ResourceOptions | None = None) -> ConstructResult:
        """Registers a cluster, and logs the warnings about it.

        Raises:
            InputPropertiesError: the declaration has errors. The message lists all findings; nothing is registered.
        """
        try:
            cluster, warnings = _made(name, resource_type, inputs, options)
        except (DeclarationError, pulumi.RunError, MissingExtraError) as error:
            # No paths: the engine prints the value at each path, secrets too.
            raise InputPropertiesError(str(error), []) from None
        for warning in warnings:
            pulumi.log.warn(str(warning), cluster)
        return ConstructResult(cluster.urn, {wire_name(output): getattr(cluster, output) for output in get_annotations(type(cluster))})


def _made(
    name: str, resource_type: str, inputs: Mapping[str, object], options: pulumi.ResourceOptions | None
) -> tuple[pulumi.ComponentResource, Sequence[Finding]]:
    if resource_type not in _MODELS:
        raise pulumi.RunError(f"there is no component {resource_type}: there are {' and '.join(_MODELS)}")
    args, warnings = _checked(_MODELS[resource_type], inputs)
    return cloud_of(args).component(name, options), warnings


def _checked(model: type[M], inputs: Mapping[str, object]) -> tuple[M, Sequence[Finding]]:
    """The declaration, with its warnings."""
    declared = read(model, inputs)
    findings = [in_their_words(finding, model) for finding in check(declared, own=False)]
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    if errors:
        raise DeclarationError(errors)
    return declared, [finding for finding in findings if finding.severity is Severity.WARNING]
