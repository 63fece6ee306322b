"""The fix of a finding: a text, and operations, which are applied to a copy of the declaration.

A fix never guesses. `check --fix` writes only operations that a rule calls `certain`: they keep the meaning, and only its spelling changes. All other
operations are a suggestion: they are tried before their text is shown, and the user decides.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, TypeVar, cast

from nodepools.model.base import FrozenDict, Model, freeze
from nodepools.model.nearest import respelled
from nodepools.model.path import Operation, child
from nodepools.model.redaction import scrubbed
from nodepools.model.steps import Step, Steps
from nodepools.model.unknowns import with_field
from nodepools.rules.engine.finding_text import Spelling, literal, ref, render_refs

REPLACES: Final = "; Pulumi replaces an existing cluster"


@dataclass(frozen=True, slots=True)
class Fix:
    """The change that clears a finding. Its operations belong together: a single one may not help."""

    text: str
    """An imperative. Empty in a rule whose operations say everything: their text is used then."""
    operations: tuple[Operation, ...] = ()
    """What the text suggests. It is tried before the fix is offered."""
    is_certain: bool = False
    """The operations are the intended ones without doubt: `check --fix` writes them, and reports contain them."""
    only_in_declarations: bool = False
    """It uses something that only declarations have: a finding of an object of an API has no fix."""

    def spelled(self, spelling: Spelling) -> "Fix":
        """The same fix in the spelling of another output."""
        return replace(self, text=render_refs(self.text, spelling))

    def without(self, contents: Sequence[str]) -> "Fix":
        """The same fix without the texts of secrets."""
        return replace(self, text=scrubbed(self.text, contents))


FixLike: TypeAlias = str | Operation | Sequence[Operation] | Fix | None
"""What a rule can return as its fix: advice as text, operations, or both."""


def fix_of(fix: FixLike) -> Fix | None:
    """The fix that a rule returns in any form."""
    if isinstance(fix, Fix) or fix is None:
        return fix
    if isinstance(fix, str):
        return Fix(fix)
    return Fix("", (fix,) if isinstance(fix, Operation) else tuple(fix))


def certain(fix: FixLike) -> Fix:
    """A fix that `check --fix` writes: one edit after which the same is meant, in a spelling that is accepted.

    An edit of hardware, scale, price or behavior is never certain, however likely it is.
    """
    made = fix_of(fix)
    if made is None or not made.operations:
        raise ValueError("a fix without operations cannot be certain")
    return replace(made, is_certain=True)


def correct_spelling(path: "str | Steps", given: str | Sequence[str], known: str | list[str]) -> Fix:
    """Sets the field at `path` to what is `known`: certain if the letters are those of the given text or texts, otherwise a question."""
    operation = set_to(path, known)
    before, after = ([text] if isinstance(text, str) else text for text in (given, known))
    if all(respelled(old, (new,)) is not None for old, new in zip(before, after, strict=True)):
        return certain(operation)
    return Fix(f"{sentence([operation])}, if that is meant", (operation,))


def sentence(operations: Sequence[Operation]) -> str:
    """All operations as one sentence, with references."""
    first, *others = map(_text, operations)
    lower = [f"{text[0].lower()}{text[1:]}" for text in others]
    return ", ".join([first, *lower[:-1], *(f"and {text}" for text in lower[-1:])])


def _text(operation: Operation) -> str:
    """The operation as a sentence, with references: "Set `count` to `2`"."""
    field = ref(operation.path, part=operation.of)
    match operation.op:
        case "set":
            return f"Set {field} to {literal(operation.value)}"
        case "remove":
            return f"Remove {field}"
        case "add":
            return f"Add {literal(operation.value)} to {field}"
        case _:
            return f"Rename {field} to `{operation.value}`"


def replacing(*operations: Operation) -> Fix:
    """Operations on a cluster that can exist, which replace it: the text says so."""
    return Fix(f"{sentence(operations)}{REPLACES}", operations)


def set_to(path: "str | Steps", value: object, *, part: type[Model] | None = None) -> Operation:
    """Sets the field at `path` to `value`: a plain value, or a part."""
    return Operation("set", _steps(path), value, part)


def remove(path: "str | Steps", *, part: type[Model] | None = None) -> Operation:
    """Removes the field, the key or the entry at `path`, so that its default applies."""
    return Operation("remove", _steps(path), of=part)


def add(path: "str | Steps", value: object, *, part: type[Model] | None = None) -> Operation:
    """Adds an entry to the list at `path`, or the items of a mapping to the mapping at `path`."""
    return Operation("add", _steps(path), value, part)


def rename(path: "str | Steps", name: str, *, part: type[Model] | None = None) -> Operation:
    """Renames the key or field at `path`."""
    return Operation("rename", _steps(path), name, part)


def _steps(path: "str | Steps") -> Steps:
    return tuple(path.split(".")) if isinstance(path, str) else path


M = TypeVar("M", bound=Model)
_ABSENT = object()


def applied(declaration: M, operations: Sequence[Operation]) -> M:
    """`declaration` with all `operations` applied, in their order. Values are not validated.

    Raises:
        LookupError: the path of an operation does not exist.
    """
    edited: object = declaration
    for operation in operations:
        edited = _edited(edited, operation.path, operation)
    return cast("M", edited)


def _edited(value: object, steps: Steps, operation: Operation) -> object:
    """`value` with the operation applied at `steps`."""
    if not steps:
        return freeze(operation.value) if operation.op == "set" else _added(value, operation.value)
    step, rest = steps[0], steps[1:]
    if not rest and operation.op == "remove":
        return _with(value, step, _ABSENT)
    if not rest and operation.op == "rename":
        return _with(_with(value, step, _ABSENT), str(operation.value), child(value, step))
    return _with(value, step, _edited(child(value, step), rest, operation))


def _with(value: object, step: Step, new: object) -> object:
    """`value` with `new` at `step`, or without `step` where `new` is absent."""
    if isinstance(value, Model):
        default = type(value).model_fields[str(step)].get_default(call_default_factory=True, validated_data={})
        return with_field(value, str(step), default if new is _ABSENT else new, is_set=new is not _ABSENT)
    entries = _entries(value)
    if new is _ABSENT:
        del entries[step]
    else:
        entries[step] = new
    return freeze(entries)


def _entries(value: object) -> dict[Step, object]:
    """A copy of a mapping or a list that can be edited: a list is edited by index like a mapping by key."""
    if isinstance(value, tuple):
        return cast("dict[Step, object]", list(cast("tuple[object, ...]", value)))
    if isinstance(value, Mapping):
        return dict(cast("Mapping[Step, object]", value))
    msg = "the path of an operation does not exist"
    raise LookupError(msg)


def _added(value: object, new: object) -> object:
    """A list or a mapping with `new` added."""
    if isinstance(new, Mapping):
        return FrozenDict({**(cast("Mapping[str, object]", value) if isinstance(value, Mapping) else {}), **cast("Mapping[str, object]", new)})
    return (*(cast("Sequence[object]", value) if isinstance(value, tuple) else ()), new)
