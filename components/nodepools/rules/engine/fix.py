"""The fix of a finding: a text, and operations on the declaration.

A fix never guesses. `check --fix` writes only operations that a rule calls `certain`: they keep the meaning, and only its spelling changes. All other
operations are a suggestion: they are tried before their text is shown, and the user decides.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from nodepools.model.base import Model
from nodepools.model.nearest import respelled
from nodepools.model.redaction import scrubbed
from nodepools.model.steps import Steps
from nodepools.rules.engine.finding_text import Spelling, literal, ref, render_refs
from nodepools.rules.engine.path import path_text

Kind: TypeAlias = Literal["set", "remove", "add", "rename"]


@dataclass(frozen=True, slots=True)
class Operation:
    """One edit of a declaration."""

    op: Kind
    path: Steps
    """Starts at the part of the finding; in findings of `check`, at the top of the declaration."""
    value: object = None
    """The value to set, the entry to add (a mapping adds its items), or the new name."""
    of: type[Model] | None = None
    """The class of the enclosing part that `path` starts from; `None` for the part of the finding."""

    @property
    def text(self) -> str:
        """The operation as a sentence, with references: "Set `count` to `2`"."""
        field = ref(self.path, part=self.of)
        match self.op:
            case "set":
                return f"Set {field} to {literal(self.value)}"
            case "remove":
                return f"Remove {field}"
            case "add":
                return f"Add {literal(self.value)} to {field}"
            case _:
                return f"Rename {field} to `{self.value}`"

    def to_json(self, value: object) -> dict[str, object]:
        """The operation as JSON data, with `value` as JSON can hold it."""
        return {"op": self.op, "path": path_text(self.path)} | ({"value": value} if self.op != "remove" else {})


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
    return Fix(f"{operation.text}, if that is meant", (operation,))


def sentence(operations: Sequence[Operation]) -> str:
    """All operations as one sentence, with references."""
    first, *others = (operation.text for operation in operations)
    lower = [f"{text[0].lower()}{text[1:]}" for text in others]
    return ", ".join([first, *lower[:-1], *(f"and {text}" for text in lower[-1:])])


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
