"""Which changes fail `nodepools diff`: those with an effect that fails it, unless they are accepted."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from nodepools.cli.exit_codes import usage_error
from nodepools.cli.inputs.input_files import text
from nodepools.clouds.change import Change
from nodepools.loading import UnreadableError
from nodepools.reading.limits import TextError
from nodepools.wire.effects import Effect

_ACCEPTANCE_FORM: Final = re.compile(r"(?P<path>\S+) (?P<effect>[a-z_]+) (?P<value>.+?): (?P<reason>\S.*)")
PENDING: Final = "pending"
"""The word for a workload whose pods can use no pool any more."""
_PRINTED_NULL: Final = ("not set", "removed")
"""How a missing value is printed."""
_USAGE: Final = "`--accept` must be `PATH EFFECT NEW_VALUE: REASON`, such as `clusters.weu.pools.web removes_nodes null: moved to batch`, or a file"


@dataclass(frozen=True, slots=True)
class Acceptance:
    """One accepted change."""

    path: str
    effect: str
    """The word of an effect, or `pending`."""
    value: object
    reason: str

    def covers(self, change: Change, worst: Effect) -> bool:
        """It is about this change, or about the worst one of the same edit: one field can change several resources. A rejected one needs its own."""
        is_it = self.effect == change.effect.value or (self.effect == worst.value and change.effect is not Effect.REFUSED)
        return is_it and (self.path, self.value) == (change.path, change.new)

    def is_of(self, stranded: "Stranded") -> bool:
        """It is about this workload."""
        return (self.path, self.effect, self.value) == (stranded.workload, PENDING, stranded.cluster)

    def __str__(self) -> str:
        return f"{self.path} {self.effect} {json.dumps(self.value)}"


@dataclass(frozen=True, slots=True)
class Stranded:
    """A workload whose pods could use a pool of a cluster, and can use none any more."""

    workload: str
    """Its namespace, kind and name: `shop/Deployment/web`."""
    cluster: str

    @property
    def acceptance(self) -> Acceptance:
        """What accepts it, without a reason."""
        return Acceptance(self.workload, PENDING, self.cluster, "")


def acceptances(written: Iterable[str]) -> list[Acceptance]:
    """Reads acceptances, and files with one in each line.

    Raises:
        InputError: one has another form.
        UnreadableError: a file cannot be read.
    """
    return [_parsed(line) for entry in written for line in _acceptance_lines(entry)]


def _acceptance_lines(entry: str) -> Iterator[str]:
    path = Path(entry)
    if _ACCEPTANCE_FORM.fullmatch(entry) is not None or "\0" in entry or not path.is_file():
        yield entry
        return
    try:
        lines = text(path).splitlines()
    except TextError as error:
        raise UnreadableError(str(error)) from None
    yield from (line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#"))


def _parsed(line: str) -> Acceptance:
    found = _ACCEPTANCE_FORM.fullmatch(line)
    if found is None or found["effect"] not in _WORDS:
        usage_error(f"{_USAGE}, not `{line}`")
    value, reason = _value_and_reason(f"{found['value']}: {found['reason']}")
    return Acceptance(found["path"], found["effect"], value, reason)


def _value_and_reason(written: str) -> tuple[object, str]:
    """Splits before the reason. JSON can have colons: the first split whose value is JSON, otherwise the first."""
    parts = written.split(": ")
    splits = [(": ".join(parts[:number]), ": ".join(parts[number:])) for number in range(1, len(parts))]
    value, reason = next((split for split in splits if _is_json(split[0])), splits[0])
    return _accepted_value(value), reason


def _is_json(written: str) -> bool:
    try:
        json.loads(written)
    except (ValueError, RecursionError):
        return False
    return True


def _accepted_value(written: str) -> object:
    if written in _PRINTED_NULL:
        return None
    try:
        return json.loads(written)
    except (ValueError, RecursionError):
        return written


_WORDS: Final = (*(effect.value for effect in Effect), PENDING)
_DEMANDED: Final = (Effect.IN_PLACE_PODS, Effect.REPLACES, Effect.REMOVES_NODES, Effect.DELETES, Effect.REFUSED, Effect.UNKNOWN)
_FAILING: Final = [*(effect.value for effect in _DEMANDED), PENDING]
"""What has to be accepted."""
_Edit = tuple[str, str]
"""The path and the new value of a field."""


@dataclass(frozen=True, slots=True)
class Demands:
    """The effects that fail the command, and the changes that their author accepts."""

    failing: frozenset[Effect]
    accepted: Sequence[Acceptance]
    pending: bool = True
    """Workloads that can use no pool any more fail it too."""

    def decided(self, changes: Sequence[Change], stranded: Sequence[Stranded] = ()) -> "Decided":
        """What they require of changes, and of workloads that can use no pool any more."""
        edits: dict[_Edit, list[Effect]] = {}
        for change in changes:
            edits.setdefault(_edit(change), []).append(change.effect)
        worst = {edit: max(effects, key=lambda effect: effect.severity) for edit, effects in edits.items()}
        covered = [(one, [change for change in changes if one.covers(change, worst[_edit(change)])]) for one in self.accepted]
        reasons = {id(change): one.reason for one, found in reversed(covered) for change in found}
        failing = frozenset(id(change) for change in changes if change.effect in self.failing and id(change) not in reasons)
        rejected = frozenset(edit for edit, effects in edits.items() if Effect.REFUSED in effects)
        unmatched = tuple(one for one, found in covered if not found and not any(map(one.is_of, stranded)))
        left = tuple(one for one in stranded if self.pending and not any(each.is_of(one) for each in self.accepted))
        return Decided(worst, rejected, failing, reasons, unmatched, left, self.pending)


@dataclass(frozen=True, slots=True)
class Decided:
    """Changes with what is required of them. Changes are known by their identity; those of one field to one value are one edit."""

    worst: Mapping[_Edit, Effect]
    rejected: frozenset[_Edit]
    """Edits that the cloud rejects."""
    failing: frozenset[int]
    reasons: Mapping[int, str]
    """Why changes are accepted."""
    unmatched: Sequence[Acceptance]
    """Acceptances of no change."""
    stranded: Sequence[Stranded] = ()
    """Workloads that can use no pool any more, and must be accepted."""
    is_strict: bool = True
    """Such workloads have to be accepted."""

    def fails(self, change: Change) -> bool:
        """The change has an effect that fails the command, and is not accepted."""
        return id(change) in self.failing

    def is_rejected(self, change: Change) -> bool:
        """It fails the command, and belongs to an edit that the cloud rejects: accepting it does not make it work."""
        return self.fails(change) and _edit(change) in self.rejected

    def reason(self, change: Change) -> str:
        """Why it is accepted; empty if it is not."""
        return self.reasons.get(id(change), "")

    def acceptance(self, change: Change) -> Acceptance:
        """What accepts its edit, without a reason."""
        return Acceptance(change.path, self.worst[_edit(change)].value, change.new, "")


def demands(fail_on: str | None, accept: Iterable[str]) -> Demands:
    """Reads `--fail-on` and `--accept`.

    Raises:
        InputError: an effect does not exist, or an acceptance has another form.
        UnreadableError: a file of acceptances cannot be read.
    """
    names = [name.strip() for name in fail_on.split(",") if name.strip()] if fail_on is not None else _FAILING
    known = {effect.value: effect for effect in Effect}
    wrong = [name for name in names if name not in _WORDS]
    if wrong:
        usage_error(f"`--fail-on` must be effects, separated by commas, not `{wrong[0]}`: one of {', '.join(f'`{name}`' for name in _WORDS)}")
    return Demands(frozenset(known[name] for name in names if name != PENDING), acceptances(accept), PENDING in names)


def _edit(change: Change) -> _Edit:
    return change.path, json.dumps(change.new, default=str, sort_keys=True)
