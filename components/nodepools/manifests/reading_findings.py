"""Findings about fields and values of an object that do not fit its model."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from nodepools.model.nearest import respelled
from nodepools.model.path import Operation, path_text
from nodepools.model.steps import Step
from nodepools.rules.engine.finding import Finding, Severity
from nodepools.rules.engine.fix import Fix, remove, rename
from nodepools.wire.reading import UnreadField, Why
from nodepools.wire.strict_reading import unknown_names

NOT_A_MAPPING: Final = ("{field} must be an object with named fields", "Write the fields with their values")
REQUIRED: Final = "{field} is required"
_TEXTS: Final[Mapping[Why, tuple[str, str, str]]] = {
    Why.MISSING: ("CFG001", REQUIRED, "Add {field}"),
    Why.NO_ENTRY: ("CFG008", "{field} must not be empty", "Add an entry to {field}"),
    Why.NO_SUCH_FIELD: ("CFG002", "{field} is not a field of this object: the API server drops it without an error", "Remove it"),
    Why.ELSEWHERE: ("CFG002", "{field} is not a field here: the API server drops it without an error", "Move it to `{known}`"),
    Why.FOREIGN: ("CFG002", "{field} is a field of {known}, and not valid in this object", "Remove it"),
    Why.ANOTHER_WORD: ("CFG003", "{field} must be `{known}`", "Set {field} to `{known}`"),
    Why.NO_PART: ("CFG003", *NOT_A_MAPPING),
    Why.NO_MAPPING: ("CFG004", *NOT_A_MAPPING),
    Why.EMPTY: ("CFG006", "{field} must not be empty", "Remove it"),
    Why.UNREADABLE: ("CFG006", "{field} has a value that is not valid here", "Correct the value, or remove the field"),
    Why.UNMODELED: ("CFG006", "{field} is not supported here", "Remove it"),
}
"""Code, message and fix for each reason; `{field}` is the field in backticks, `{known}` the valid value or where the field belongs."""


@dataclass(slots=True)
class Misread:
    """Findings about the fields and values of one object that do not fit its model."""

    source: str
    """The definition of the object."""
    foreign: Mapping[str, str] = field(default_factory=dict[str, str])
    """Fields of other objects that people expect in this one, and the objects."""
    findings: list[Finding] = field(default_factory=list[Finding])

    def finding(self, code: str, path: tuple[Step, ...], value: object, message: str, fix: str, *operations: Operation) -> None:
        """Adds a finding. In its texts `{field}` is the field at `path`."""
        name = field_name(path)
        message, fix = message.replace("{field}", name), fix.replace("{field}", name)
        certain = any(operation.op == "rename" and respelled(str(path[-1]), (str(operation.value),)) for operation in operations)
        advice = Fix(fix, operations, is_certain=certain)
        self.findings.append(Finding(code, Severity.ERROR, path_text(path), value, message, advice, self.source, steps=path))

    def only(self, written: Mapping[str, object], known: Sequence[str], path: tuple[Step, ...]) -> None:
        """Adds the fields that are not among those that are `known`."""
        self.left(unknown_names(written, known, path, self.foreign))

    def left(self, left: Iterable[UnreadField]) -> None:
        """Adds a finding for each entry."""
        for leftover in left:
            code, message, fix = _TEXTS[leftover.why]
            operations = _operations(leftover)
            if leftover.why is Why.NO_SUCH_FIELD and operations:
                fix = "Rename it to `{known}`"
            known = str(leftover.known)
            self.finding(code, leftover.steps, leftover.value, message.replace("{known}", known), fix.replace("{known}", known), *operations)


def _operations(left: UnreadField) -> tuple[Operation, ...]:
    """Returns the operations that fix a field of another object, or one close to a known name. Any other unknown field can be new."""
    if left.why is Why.FOREIGN:
        return (remove(left.steps),)
    return (rename(left.steps, str(left.known)),) if left.why is Why.NO_SUCH_FIELD and left.known is not None else ()


def field_name(steps: tuple[Step, ...]) -> str:
    """The field at `steps` in backticks, without the fields around it: `taints[0]`."""
    first = next((index for index in reversed(range(len(steps))) if isinstance(steps[index], str)), 0)
    return f"`{path_text(steps[first:])}`" if steps else "The object"
