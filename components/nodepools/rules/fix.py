"""What clears a finding: a text, and where it is mechanical, operations on the declaration."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from nodepools.model.base import Model
from nodepools.model.steps import Steps
from nodepools.rules.finding_text import Spelling, literal, ref, rendered
from nodepools.rules.path import spelled

Kind: TypeAlias = Literal["set", "remove", "add", "rename"]


@dataclass(frozen=True, slots=True)
class Operation:
    """One edit of a declaration."""

    op: Kind
    path: Steps
    """From the part that the finding is about; in a finding of `check`, from the top of the declaration."""
    value: object = None
    """What is set; the entry that is added, a mapping for entries of a mapping; the new name."""
    of: type[Model] | None = None
    """The class of the enclosing part that `path` starts from, where that is not the part of the finding."""

    @property
    def text(self) -> str:
        """The operation as a sentence, with references: "Set `count` to `2`"."""
        field = ref(self.path, of=self.of)
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
        return {"op": self.op, "path": spelled(self.path)} | ({"value": value} if self.op != "remove" else {})


@dataclass(frozen=True, slots=True)
class Fix:
    """The change that clears a finding. All operations belong together: one alone need not help."""

    text: str
    """An imperative that can be typed. A rule leaves it empty where the operations say it all."""
    operations: tuple[Operation, ...] = ()
    only_in_declarations: bool = False
    """It uses something that only declarations have: a finding of an object of an API has no fix."""

    def spelled(self, spelling: Spelling) -> "Fix":
        """The same fix, as another output spells it."""
        return replace(self, text=rendered(self.text, spelling))


FixLike: TypeAlias = str | Operation | Sequence[Operation] | Fix | None
"""What a rule can give: advice as text, one or more operations, or both."""


def fix_of(given: FixLike) -> Fix | None:
    """The fix that a rule gives."""
    if isinstance(given, Fix) or given is None:
        return given
    if isinstance(given, str):
        return Fix(given)
    return Fix("", (given,) if isinstance(given, Operation) else tuple(given))


def sentence(operations: Sequence[Operation]) -> str:
    """All operations as one sentence, with references."""
    first, *others = (one.text for one in operations)
    lower = [f"{text[0].lower()}{text[1:]}" for text in others]
    return ", ".join([first, *lower[:-1], *(f"and {text}" for text in lower[-1:])])


def set_to(path: "str | Steps", value: object, *, of: type[Model] | None = None) -> Operation:
    """Sets the field at `path` to `value`: a plain value, or a part."""
    return Operation("set", _steps(path), value, of)


def remove(path: "str | Steps", *, of: type[Model] | None = None) -> Operation:
    """Removes the field, the key or the entry at `path`, so that its default applies."""
    return Operation("remove", _steps(path), of=of)


def add(path: "str | Steps", value: object, *, of: type[Model] | None = None) -> Operation:
    """Adds an entry to the list at `path`, or the entries of a mapping to the mapping at `path`."""
    return Operation("add", _steps(path), value, of)


def rename(path: "str | Steps", name: str, *, of: type[Model] | None = None) -> Operation:
    """Renames the key or field at `path`."""
    return Operation("rename", _steps(path), name, of)


def _steps(path: "str | Steps") -> Steps:
    return tuple(path.split(".")) if isinstance(path, str) else path
