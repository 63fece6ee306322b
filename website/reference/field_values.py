"""The values that a field accepts, in words: type, range, length and unit of time."""

from collections.abc import Iterable, Sequence
from typing import Annotated, Final, Literal, get_args, get_origin

from annotated_types import Ge, Gt, Le, Lt, MaxLen, MinLen
from pydantic.fields import FieldInfo

from nodepools.model.kubernetes.duration import BudgetDuration, Duration, DurationOrNever
from nodepools.rules.engine.field_annotations import bare, is_mapping, is_model, options

_TYPES: Final = {str: "text", int: "whole number", float: "number", bool: "`True` or `False`", object: "text or a Pulumi output"}
_DURATIONS: Final = (
    (Duration, "a duration, such as `1h30m`"),
    (DurationOrNever, "a duration, such as `720h`, or `Never`"),
    (BudgetDuration, "a duration of hours and minutes, such as `8h30m`"),
)


_INT64: Final = 2**63 - 1
_READABLE: Final = 50
"""The length of a pattern that still says something to a reader."""


def typed(info: FieldInfo) -> str:
    """Returns the values that a field accepts."""
    words = _duration(info.metadata) or _typed(info.annotation)
    return ", ".join([words, *_limits(info.metadata, is_counted=_is_counted(info.annotation))])


def anchor(name: str) -> str:
    """Returns the permanent anchor of a class."""
    return name.lower()


def _typed(annotation: object) -> str:
    return " or ".join(dict.fromkeys(_one(option) for option in _options(annotation))) or "nothing"


def _options(annotation: object) -> list[object]:
    """Returns the members of a union, of which durations keep what checks them."""
    durations = [member for member in (annotation, *get_args(annotation)) if _duration_of(member)]
    return durations or options(annotation)


def _one(option: object) -> str:
    if _duration_of(option):
        return _duration_of(option)
    option = bare(option)
    arguments: Sequence[object] = get_args(option)
    if is_model(option):
        return f"[{option.__name__}](#{anchor(option.__name__)})"
    if get_origin(option) is Literal:
        return ", ".join(f"`{word!r}`" for word in arguments)
    if is_mapping(option):
        return f"mapping of names to {_typed(arguments[1])}"
    if arguments:
        return f"list of {_typed(arguments[0])}"
    return _TYPES.get(option, getattr(option, "__name__", str(option))) if isinstance(option, type) else str(option)


def _duration_of(annotation: object) -> str:
    return _duration(get_args(annotation)[1:]) if get_origin(annotation) is Annotated else ""


def _duration(metadata: Iterable[object]) -> str:
    """Returns the words for text that is checked as a duration."""
    checks = list(metadata)
    return next((words for alias, words in _DURATIONS if get_args(alias)[1] in checks), "")


def _limits(metadata: Iterable[object], *, is_counted: bool) -> Iterable[str]:
    unit = " entries" if is_counted else " characters"
    for each in metadata:
        match each:
            case Ge(ge=value):
                yield f"at least {value}"
            case Gt(gt=value):
                yield f"more than {value}"
            case Le(le=value) if value != _INT64:
                yield f"at most {value}"
            case Lt(lt=value):
                yield f"less than {value}"
            case MinLen(min_length=value) if value > 1 or is_counted:
                yield f"at least {value}{unit}"
            case MinLen():
                yield "not empty"
            case MaxLen(max_length=value):
                yield f"at most {value}{unit}"
            case _ if isinstance(pattern := getattr(each, "pattern", None), str) and len(pattern) <= _READABLE:
                yield f"which matches `{pattern}`"
            case _:
                pass


def _is_counted(annotation: object) -> bool:
    """The length of a list or mapping, not of text, is limited."""
    return any(get_args(option) and get_origin(option) is not Literal for option in options(annotation))
