"""Findings about a declaration that was read from an object of an API, in the terms of that object, with the edits that fix it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, cast

from nodepools.model.base import Model
from nodepools.model.path import Operation, path_text, value_at
from nodepools.model.steps import Step, Steps
from nodepools.model.unknowns import UNKNOWN
from nodepools.model.values import dataclass, replace
from nodepools.rules.engine.codes import OBJECT_CODES
from nodepools.rules.engine.finding import Finding, Fix, Wired, applied, fix_of, render_refs, sentence
from nodepools.wire.reading import write
from nodepools.wire.table import Table


class Edit(NamedTuple):
    """One edit of an object."""

    op: Literal["set", "remove", "add"]
    wire: Steps
    value: object = None


def edits(before: object, after: object, place: Steps = ()) -> Iterator[Edit]:
    """The edits that turn `before` into `after`. Values that are unknown on either side are left alone."""
    if before == after or before is UNKNOWN or after is UNKNOWN:
        return
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        yield from _of_mapping(cast("Mapping[str, object]", before), cast("Mapping[str, object]", after), place)
    elif isinstance(before, list) and isinstance(after, list):
        yield from _of_list(cast("list[object]", before), cast("list[object]", after), place)
    else:
        yield Edit("set", place, after)


def _of_mapping(before: Mapping[str, object], after: Mapping[str, object], place: Steps) -> Iterator[Edit]:
    for name in before:
        if name not in after:
            yield Edit("remove", (*place, name))
    for name, value in after.items():
        if name in before:
            yield from edits(before[name], value, (*place, name))
        else:
            yield Edit("set", (*place, name), value)


def _of_list(before: Sequence[object], after: Sequence[object], place: Steps) -> Iterator[Edit]:
    if len(after) > len(before) and after[: len(before)] == before:
        yield from (Edit("add", place, value) for value in after[len(before) :])
    elif len(after) == len(before):
        for index, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from edits(old, new, (*place, index))
    else:
        kept = [index for index, value in enumerate(before) if value not in after]
        shorter = [value for value in before if value in after]
        yield from (Edit("remove", (*place, index)) for index in reversed(kept)) if shorter == after else (Edit("set", place, after),)


@dataclass(frozen=True, slots=True)
class Source:
    """The object that a part of the declaration was read from."""

    steps: Steps
    """Path of the part in the declaration."""
    at: Steps
    """Path of the part in the object."""
    table: Table


def wired(finding: Finding, declaration: Model, source: Source, wire: Callable[[Steps], Steps | None]) -> Finding:
    """`finding` with the texts and operations of the object.

    A fix is dropped if it changes a field that only declarations have, or another object.

    Args:
        finding: a finding of `declaration`.
        declaration: what was checked.
        source: the object.
        wire: translates a path of the declaration to a path of this object or of another one.
    """
    if finding.texts is None:
        return finding
    spelling = Wired(wire)
    message = render_refs(finding.texts.message, spelling)
    raw = finding.texts.fix
    if raw is not None and raw.only_in_declarations:
        return replace(finding, in_python=False, message=message, fix=None)
    if raw is None or not raw.operations:
        return replace(finding, in_python=False, message=message, fix=raw.spelled(spelling) if raw is not None else None)
    operations = tuple(_operations(raw.operations, declaration, source))
    if not operations:
        return replace(finding, in_python=False, message=message, fix=None)
    sets_default = any(one.op == "remove" for one in raw.operations) and any(one.op != "remove" for one in operations)  # the cloud has another one
    is_own = finding.texts.has_own_fix_text and not sets_default
    text = render_refs(raw.text, spelling) if is_own else render_refs(sentence(operations), Wired(tuple))
    return replace(finding, in_python=False, message=message, fix=Fix(text, operations, is_certain=raw.is_certain))


def _operations(operations: Sequence[Operation], declaration: Model, source: Source) -> Iterator[Operation]:
    """The same operations on the object; none if one of them is outside the part, or replaces the part itself."""
    if any(operation.path[: len(source.steps)] != source.steps or operation.path == source.steps for operation in operations):
        return
    before, after = (cast("Model", value_at(model, source.steps)) for model in (declaration, applied(declaration, operations)))
    ignored = {
        leave.wire for leave in source.table.leaves if leave.change and leave.change.ignored_with and vars(after).get(leave.change.ignored_with)
    }
    old, new = (write(source.table, part, source.table.standalone) for part in (before, after))
    for edit in edits(old, new):
        if edit.wire not in ignored:
            yield Operation(edit.op, (*source.at, *edit.wire), edit.value)


def object_finding(code: str, path: tuple[Step, ...], message: str, *, fix: str | None, source: str, value: object = None) -> Finding:
    """Returns a finding about an object, with the severity of its code."""
    return Finding(code, OBJECT_CODES[code].severity, path_text(path), value, message, fix_of(fix), source, steps=path)
