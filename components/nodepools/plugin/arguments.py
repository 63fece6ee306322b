"""Arguments as they come over the wire, read into the models: numbers are floats there, names are in camelCase, and nothing is `None`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar, cast

import pulumi
from pulumi.output import Unknown
from pydantic import ValidationError
from pydantic.fields import FieldInfo

from nodepools.model.base import Model
from nodepools.plugin.texts import wire_text
from nodepools.plugin.words import NOTHING, SWITCH, annotation_of, field_name, inner, is_switchable, wire_steps
from nodepools.rules.annotation import kind_of, models_of
from nodepools.rules.fault import DeclarationError, Fault, Severity
from nodepools.rules.path import Step, spelled
from nodepools.rules.shape import shape_faults

M = TypeVar("M", bound=Model)


def read(model: type[M], inputs: Mapping[str, object]) -> M:
    """What `inputs` declare. Their shape is judged here, the rest by the component.

    Raises:
        DeclarationError: they are of the wrong shape; all faults, with paths in the caller's words.
    """
    reading = _Reading()
    given = reading.fields(inputs, model, ())
    try:
        declared = model.model_validate(given)
    except ValidationError as error:
        raise DeclarationError([*reading.faults, *(in_their_words(fault, model) for fault in shape_faults(error, model))]) from None
    if reading.faults:
        raise DeclarationError(reading.faults)
    return declared


def in_their_words(fault: Fault, whole: type[Model]) -> Fault:
    """The same fault, as a caller from another language knows it."""
    steps = tuple(wire_steps(fault.steps, whole))
    return replace(fault, path=spelled(steps), steps=steps, message=wire_text(fault.message), fix=wire_text(fault.fix))


@dataclass
class _Reading:
    """One reading, with the faults that the models cannot see: what they are about is in no model."""

    faults: list[Fault] = field(default_factory=list[Fault])

    def fields(self, given: Mapping[str, object], model: type[Model], path: tuple[Step, ...]) -> dict[str, object]:
        """The arguments of `model`. What is none of its fields stays, to be refused by name."""
        read: dict[str, object] = {}
        for word, value in given.items():
            name = field_name(word)
            known = model.model_fields.get(name)
            if known is None:
                read[name] = _plain(value)
            elif is_switchable(known):
                read[name] = self._switched(value, known, (*path, word))
            else:
                read[name] = self._value(value, annotation_of(known), (*path, word))
        return read

    def _switched(self, value: object, known: FieldInfo, path: tuple[Step, ...]) -> object:
        """`None`, where that is what they say."""
        if value == NOTHING:
            return None
        if not isinstance(value, Mapping):
            return _plain(value)
        parts = dict(cast("Mapping[str, object]", value))
        on = parts.pop(SWITCH, True)
        if not isinstance(on, bool):
            steps = (*path, SWITCH)
            shown = pulumi.Output.from_input(on) if isinstance(on, Unknown) else on
            message, fix = "should be true or false", "write true or false, a plain value"
            self.faults.append(Fault("CFG004", Severity.ERROR, spelled(steps), shown, message, fix, "nodepools.plugin", steps=steps))
        return None if on is False else self._value(parts, annotation_of(known), path)

    def _value(self, value: object, annotation: object, path: tuple[Step, ...]) -> object:
        """`value`, as what `annotation` takes is written in Python; what does not fit is left for the model to refuse."""
        if isinstance(value, Mapping):
            parts = cast("Mapping[str, object]", value)
            models = models_of(annotation)
            if not models:
                return {key: self._value(part, inner(annotation), (*path, key)) for key, part in parts.items()}
            model = _meant(models, parts)
            return self.fields(parts, model, path) if model is not None else _plain(parts)
        if isinstance(value, list):
            return [self._value(part, inner(annotation), (*path, place)) for place, part in enumerate(cast("Sequence[object]", value))]
        return _plain(value)


def _meant(models: Sequence[type[Model]], parts: Mapping[str, object]) -> type[Model] | None:
    """The one that belongs there, or of several the one that is named."""
    return models[0] if len(models) == 1 else next((model for model in models if kind_of(model) == parts.get("kind")), None)


def _plain(value: object) -> object:
    """`value` to the bottom: whole numbers are whole again, and what is not known yet is an Output."""
    if isinstance(value, Mapping):
        return {key: _plain(part) for key, part in cast("Mapping[str, object]", value).items()}
    if isinstance(value, list):
        return [_plain(part) for part in cast("Sequence[object]", value)]
    if isinstance(value, Unknown):
        return pulumi.Output.from_input(value)
    return int(value) if isinstance(value, float) and value.is_integer() else value
