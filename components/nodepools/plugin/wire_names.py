"""Names of fields in Python and in other languages: `vm_size` and `vmSize`."""

import re
from collections.abc import Iterable, Iterator
from types import NoneType, UnionType
from typing import Annotated, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.base import Model
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.steps import Step
from nodepools.rules.engine.field_annotations import bare, models_of, options

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
