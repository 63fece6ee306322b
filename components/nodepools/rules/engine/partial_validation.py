"""Validates values into a model as far as they are known and valid.

In resources of other programs, an invalid value is not a finding: other versions of a cloud's API have other values. It becomes unknown, and no
rule reads it. It is reported only if the cloud is guaranteed to reject it. In declarations every invalid value is reported, and rules check the
rest.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias, TypeVar, cast, get_args, get_origin

from annotated_types import Ge
from pydantic import ValidationError

from nodepools.model.base import Model
from nodepools.model.invalid_parts import is_faulty
from nodepools.model.schema import STRICT
from nodepools.model.steps import Step, Steps
from nodepools.model.unknowns import UNKNOWN, partial_below
from nodepools.model.values import dataclass
from nodepools.rules.engine.field_annotations import is_mapping, kind_of, models_of, options, with_kinds, words_of
from nodepools.rules.engine.finding import Finding
from nodepools.rules.engine.schema_findings import intended_field, shape_findings

M = TypeVar("M", bound=Model)
Certain: TypeAlias = Callable[[Finding], bool]

_ROUNDS: Final = 20
_TRIES: Final = 2
"""An invalid field is first removed, then gets a placeholder."""
_PLACEHOLDERS: Final[Mapping[str, object]] = {"kubernetes_version": "1.0", "values": ["0"], "start": "2000-01-01", "end": "2000-01-01"}
"""Placeholders for unknown values of fields that do not accept any text or number; no rule reads them."""


def never(_: Finding) -> bool:
    """Reports no schema finding: the cloud can accept each of them."""
    return False


def always(_: Finding) -> bool:
    """Reports every schema finding: the only schema is as strict as the model."""
    return True


def validate_partial(
    kind: type[M], values: Mapping[str, object], certain: Certain = never, *, strict: bool = False
) -> tuple[M | None, list[Finding]]:
    """Returns the model with its unknown fields, and the schema findings that are `certain`, in the model's terms.

    The model is `None` if no placeholder fits an unknown value.

    Args:
        kind: the model.
        values: the fields of the model and of its parts; `UNKNOWN` can be among them.
        certain: tells whether the cloud is guaranteed to reject the value of a schema finding.
        strict: text is not accepted as a number.
    """
    context = STRICT if strict else None
    if _is_complete(values):  # and usually valid
        try:
            return kind.model_validate(values, strict=strict, context=context), []
        except ValidationError:
            pass  # below, with a copy from which invalid values are removed
    held = cast("dict[str, object]", _copied(values))
    missing = [_innermost(kind, steps, held) for steps in _unknown(held, ())]
    unknown, incomplete = {field.steps for field in missing}, set[Steps]()
    for field in missing:
        field.held.pop(str(field.steps[-1]), None)
    replaced: Counter[Steps] = Counter()
    findings: list[Finding] = []
    for _ in range(_ROUNDS):
        try:
            made = kind.model_validate(held, strict=strict, context=context)
        except ValidationError as error:
            rejected = [(finding, _innermost(kind, finding.steps, held)) for finding in shape_findings(error, kind) if finding.steps]
            findings += [finding for finding, field in rejected if certain(finding) and not _follows_from(unknown, field.steps)]
            meant = {one.steps: operation.value for one in findings for operation in one.operations if operation.path == one.steps}
            for field in {field.steps: field for field in (_not_twice(kind, field, held, replaced) for _, field in rejected)}.values():
                if field.entry is None and field.steps in meant and not replaced[field.steps]:
                    field.held[str(field.steps[-1])] = meant[field.steps]
                else:
                    (unknown if field.entry is None else incomplete).update(field.ways())
                    field.replace()
                replaced[field.steps] += 1
            if not rejected:
                break
        else:
            return partial_below(made, unknown, incomplete), findings
    return None, findings


def readable(kind: type[M], written: Mapping[str, object]) -> M | None:
    """Returns an invalid declaration without its invalid fields; `None` if too little is left to check.

    Rules report nothing that depends on the removed fields.
    """
    return validate_partial(kind, cast("Mapping[str, object]", with_kinds(kind, _copied(written))), always)[0]


@dataclass(frozen=True, slots=True)
class _Field:
    """A field of the model or of one of its parts, with the mapping that contains it."""

    model: type[Model]
    held: dict[str, object]
    steps: Steps
    entry: str | None = None
    """The key of the invalid part if the field is a mapping of parts: the other parts stay."""

    def ways(self) -> Iterator[Steps]:
        """Yields the path of the field and, for an unknown name, the path of the field that is probably intended."""
        name = str(self.steps[-1])
        yield self.steps
        close = intended_field(name, self.model) if name not in self.model.model_fields else None
        if close is not None:
            yield (*self.steps[:-1], close)

    def replace(self) -> None:
        """Removes the value, or sets a placeholder if the field is required or has no value."""
        name = str(self.steps[-1])
        if self.entry is not None:
            cast("dict[str, object]", self.held[name]).pop(self.entry, None)
            return
        was_set = self.held.pop(name, None) is not None
        field = self.model.model_fields.get(name)
        if field is not None and (field.is_required() or not was_set):
            least = next((rule.ge for rule in field.metadata if isinstance(rule, Ge)), 1)
            self.held[name] = _PLACEHOLDERS.get(name, _sample(field.annotation, least))


def _not_twice(kind: type[Model], field: _Field, held: dict[str, object], replaced: Counter[Steps]) -> _Field:
    """Returns the field, or its parent if the field is invalid both without a value and with a placeholder."""
    while replaced[field.steps] >= _TRIES and len(field.steps) > 1:
        field = _innermost(kind, field.steps[:-1], held)
    return field


def _innermost(kind: type[Model], steps: Steps, held: dict[str, object]) -> _Field:
    """Returns the innermost field that can be replaced alone: `taints` for `taints[1].effect` if taints are texts."""
    [name, *rest] = steps
    field = _Field(kind, held, (name,))
    if name not in kind.model_fields:
        return field
    annotation = kind.model_fields[str(name)].annotation
    inner, inside = held.get(str(name)), _models(annotation)
    way: Steps = (name,)
    in_a_list = False
    if rest and isinstance(inner, list):
        inner, in_a_list = cast("list[object]", inner)[cast("int", rest[0])], True
        way, rest = (name, rest[0]), rest[1:]
    elif rest and isinstance(inner, dict) and is_mapping(annotation) and inside:
        field = _Field(kind, held, (name,), str(rest[0]))
        inner = cast("dict[str, object]", inner).get(str(rest[0]))
        way, rest = (name, rest[0]), rest[1:]
    if not rest or not inside or not isinstance(inner, dict):
        return field
    part = cast("dict[str, object]", inner)
    model = next((model for model in inside if kind_of(model) == part.get("kind")), inside[0])
    if in_a_list and rest[0] not in model.model_fields:  # not a part of the model
        return field
    deeper = _innermost(model, tuple(rest), part)
    return _Field(deeper.model, deeper.held, (*way, *deeper.steps), deeper.entry)


def _models(annotation: object) -> list[type[Model]]:
    """Returns the models that a field contains, directly or in a list."""
    return models_of(annotation) or [model for option in options(annotation) for inner in get_args(option) for model in models_of(inner)]


def _follows_from(unknown: set[Steps], steps: Steps) -> bool:
    """Tells whether the finding is about an unknown field, or caused by one: its placeholder can conflict with the fields next to it."""
    return any(steps[: len(other)] == other or (len(other) > 1 and steps[:-1] == other[:-1]) for other in unknown)


def _sample(annotation: object, least: object) -> object:
    words = words_of(annotation)
    if words:
        return words[0]
    if models := models_of(annotation):  # the next round adds its required fields
        return {"kind": kind_of(models[0])} if "kind" in models[0].model_fields else {}
    if is_mapping(annotation):
        return {}
    if any(get_origin(option) is Sequence for option in options(annotation)):
        return [_sample(inner, least) if models_of(inner) else "unknown" for option in options(annotation) for inner in get_args(option)[:1]]
    return least if int in options(annotation) else "unknown"


def _is_complete(value: object) -> bool:
    """Tells whether every value inside `value` is known, and every part of a declaration inside it is valid."""
    if isinstance(value, dict):
        return all(map(_is_complete, cast("dict[str, object]", value).values()))
    if isinstance(value, list | tuple):
        return all(map(_is_complete, cast("Sequence[object]", value)))
    return value is not UNKNOWN and not is_faulty(value)


def _unknown(value: object, steps: Steps) -> Iterator[Steps]:
    if value is UNKNOWN:
        yield steps
    elif isinstance(value, Mapping):
        for name, part in cast("Mapping[str, object]", value).items():
            yield from _unknown(part, (*steps, name))
    elif isinstance(value, list):
        for index, part in enumerate(cast("list[object]", value)):
            yield from _unknown(part, (*steps, index))


def _copied(value: object) -> object:
    if is_faulty(value):
        return _copied(vars(value))
    if isinstance(value, Mapping):
        return {name: _copied(part) for name, part in cast("Mapping[str, object]", value).items()}
    return [_copied(part) for part in cast("Sequence[object]", value)] if isinstance(value, list | tuple) else value


def without(values: Mapping[str, object], paths: Iterable[Steps]) -> dict[str, object]:
    """Returns `values` with unknown ones at `paths`."""
    held = cast("dict[str, object]", _copied(values))
    for *path, last in paths:
        inner: object = held
        for step in path:
            inner = cast("Mapping[Step, object]", inner)[step]
        cast("dict[Step, object]", inner)[last] = UNKNOWN
    return held
