"""Makes a model of what is written, as far as that is known and the model can hold it.

Of other programs' resources, what it cannot hold is no finding: other versions of a cloud's API have other words. It is unknown then, and no rule
is asked of it; only where a cloud is certain to refuse it, it is reported. Of our own declarations all of it is, and the rules judge the rest.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, TypeVar, cast, get_args, get_origin

from annotated_types import Ge
from pydantic import ValidationError

from nodepools.model.base import Model
from nodepools.model.invalid_parts import is_faulty
from nodepools.model.unknowns import UNKNOWN, partial_below
from nodepools.rules.finding import Finding
from nodepools.rules.path import Step
from nodepools.rules.schema_findings import meant, shape_findings
from nodepools.rules.type_hints import is_mapping, kind_of, models_of, options, words_of

M = TypeVar("M", bound=Model)
Steps: TypeAlias = tuple[Step, ...]
Certain: TypeAlias = Callable[[Finding], bool]

_ROUNDS: Final = 20
_TRIES: Final = 2
"""A field is left out, then something is put there."""
_STAND_INS: Final[Mapping[str, object]] = {"kubernetes_version": "1.0", "values": ["0"], "start": "2000-01-01", "end": "2000-01-01"}
"""What stands for a value that is not known, where not any text or number would do; it is never read."""


def never(_: Finding) -> bool:
    """No shape is certain to be refused."""
    return False


def always(_: Finding) -> bool:
    """All of them are: there is one schema, and the model is as strict."""
    return True


def validate_partial(kind: type[M], said: Mapping[str, object], certain: Certain = never, *, strict: bool = False) -> tuple[M | None, list[Finding]]:
    """The model, with what is not known of it left open, and those findings of shape, in the model's words, that are `certain`.

    There is no model where nothing can stand in for what is not known.

    Args:
        kind: the model.
        said: fields of it and of its parts, `UNKNOWN` among their values.
        certain: of a finding of shape, whether whoever takes the resource is sure to refuse it.
        strict: no text is taken for a number.
    """
    held = cast("dict[str, object]", _copied(said))
    missing = [_innermost(kind, steps, held) for steps in _unknown(held, ())]
    unknown, incomplete = {field.steps for field in missing}, set[Steps]()
    for field in missing:
        field.held.pop(str(field.steps[-1]), None)
    replaced: Counter[Steps] = Counter()
    findings: list[Finding] = []
    for _ in range(_ROUNDS):
        try:
            made = kind.model_validate(held, strict=strict)
        except ValidationError as error:
            refused = [(finding, _innermost(kind, finding.steps, held)) for finding in shape_findings(error, kind) if finding.steps]
            findings += [finding for finding, field in refused if certain(finding) and not _beside(unknown, field.steps)]
            for field in {field.steps: field for field in (_not_twice(kind, field, held, replaced) for _, field in refused)}.values():
                (unknown if field.entry is None else incomplete).update(field.ways())
                field.stand_in()
                replaced[field.steps] += 1
            if not refused:
                break
        else:
            return partial_below(made, unknown, incomplete), findings
    return None, findings


def readable(kind: type[M], written: Mapping[str, object]) -> M | None:
    """A declaration that was `written` with findings of shape, without what has them; none where too little is left to judge.

    Rules say nothing that would need what is left out.
    """
    return validate_partial(kind, written)[0]


@dataclass(frozen=True, slots=True)
class _Field:
    """A field of the model, or of a part of it, where it is said."""

    model: type[Model]
    held: dict[str, object]
    steps: Steps
    entry: str | None = None
    """The key under which it holds what is wrong, where that is one of several parts: the others stay."""

    def ways(self) -> Iterator[Steps]:
        """The way to it; of a name that is no field, to the field that is probably meant."""
        name = str(self.steps[-1])
        yield self.steps
        close = meant(name, self.model) if name not in self.model.model_fields else None
        if close is not None:
            yield (*self.steps[:-1], close)

    def stand_in(self) -> None:
        """Takes away what is said; where nothing is not enough, something is put there."""
        name = str(self.steps[-1])
        if self.entry is not None:
            cast("dict[str, object]", self.held[name]).pop(self.entry, None)
            return
        was_said = self.held.pop(name, None) is not None
        field = self.model.model_fields.get(name)
        if field is not None and (field.is_required() or not was_said):
            least = next((rule.ge for rule in field.metadata if isinstance(rule, Ge)), 1)
            self.held[name] = _STAND_INS.get(name, _sample(field.annotation, least))


def _not_twice(kind: type[Model], field: _Field, held: dict[str, object], replaced: Counter[Steps]) -> _Field:
    """Itself, or the field around it where neither nothing nor what stood in for it will do."""
    while replaced[field.steps] >= _TRIES and len(field.steps) > 1:
        field = _innermost(kind, field.steps[:-1], held)
    return field


def _innermost(kind: type[Model], steps: Steps, held: dict[str, object]) -> _Field:
    """The last field on the way that is said as one: of `taints[1].effect`, where taints are texts, that is `taints`."""
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
    if in_a_list and rest[0] not in model.model_fields:  # no part of ours at all
        return field
    deeper = _innermost(model, tuple(rest), part)
    return _Field(deeper.model, deeper.held, (*way, *deeper.steps), deeper.entry)


def _models(annotation: object) -> list[type[Model]]:
    """The models that a field holds, by themselves or in a list."""
    return models_of(annotation) or [model for option in options(annotation) for inner in get_args(option) for model in models_of(inner)]


def _beside(unknown: set[Steps], steps: Steps) -> bool:
    """It is what is unknown, or follows from that: what stands in for it may not go with its neighbours."""
    return any(steps[: len(other)] == other or (len(other) > 1 and steps[:-1] == other[:-1]) for other in unknown)


def _sample(annotation: object, least: object) -> object:
    words = words_of(annotation)
    if words:
        return words[0]
    if models := models_of(annotation):  # what it needs in turn is put there next
        return {"kind": kind_of(models[0])} if "kind" in models[0].model_fields else {}
    if is_mapping(annotation):
        return {}
    if any(get_origin(option) is Sequence for option in options(annotation)):
        return ["unknown"]
    return least if int in options(annotation) else "unknown"


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


def without(said: Mapping[str, object], ways: Iterable[Steps]) -> dict[str, object]:
    """`said`, of which nothing is known at the end of `ways`."""
    held = cast("dict[str, object]", _copied(said))
    for *way, last in ways:
        inner: object = held
        for step in way:
            inner = cast("Mapping[Step, object]", inner)[step]
        cast("dict[Step, object]", inner)[last] = UNKNOWN
    return held
