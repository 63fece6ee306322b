"""Changes that their author accepts, each with a reason: `PATH EFFECT VALUE: REASON`."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from nodepools.changes.change import Change
from nodepools.cli.exit_codes import usage_error
from nodepools.cli.input_files import text
from nodepools.loading import UnreadableError
from nodepools.reading.limits import TextError
from nodepools.wire.effects import Effect

_FORM: Final = re.compile(r"(?P<path>\S+) (?P<effect>[a-z_]+) (?P<value>.+?): (?P<reason>\S.*)")
_PRINTED_NULL: Final = ("not set", "removed")
"""How a missing value is printed."""
_USAGE: Final = "`--accept` must be `PATH EFFECT NEW_VALUE: REASON`, such as `clusters.weu.pools.web removes_nodes null: moved to batch`, or a file"


@dataclass(frozen=True, slots=True)
class Acceptance:
    """One accepted change."""

    path: str
    effect: Effect
    value: object
    reason: str

    def covers(self, change: Change, worst: Effect) -> bool:
        """It is about this change, or about the worst one of the same edit: one field can change several resources. A rejected one needs its own."""
        is_it = self.effect is change.effect or (self.effect is worst and change.effect is not Effect.REFUSED)
        return is_it and (self.path, self.value) == (change.path, change.new)

    def __str__(self) -> str:
        return f"{self.path} {self.effect.value} {json.dumps(self.value)}"


def acceptances(written: Iterable[str]) -> list[Acceptance]:
    """Reads acceptances, and files with one in each line.

    Raises:
        InputError: one has another form.
        UnreadableError: a file cannot be read.
    """
    return [_parsed(line) for entry in written for line in _lines(entry)]


def _lines(entry: str) -> Iterator[str]:
    path = Path(entry)
    if _FORM.fullmatch(entry) is not None or "\0" in entry or not path.is_file():
        yield entry
        return
    try:
        lines = text(path).splitlines()
    except TextError as error:
        raise UnreadableError(str(error)) from None
    yield from (line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#"))


def _parsed(line: str) -> Acceptance:
    found = _FORM.fullmatch(line)
    if found is None or found["effect"] not in {effect.value for effect in Effect}:
        usage_error(f"{_USAGE}, not `{line}`")
    value, reason = _value_and_reason(f"{found['value']}: {found['reason']}")
    return Acceptance(found["path"], Effect(found["effect"]), value, reason)


def _value_and_reason(written: str) -> tuple[object, str]:
    """Splits before the reason. JSON can have colons: the first split whose value is JSON, otherwise the first."""
    parts = written.split(": ")
    splits = [(": ".join(parts[:number]), ": ".join(parts[number:])) for number in range(1, len(parts))]
    value, reason = next((split for split in splits if _is_json(split[0])), splits[0])
    return _value(value), reason


def _is_json(written: str) -> bool:
    try:
        json.loads(written)
    except (ValueError, RecursionError):
        return False
    return True


def _value(written: str) -> object:
    if written in _PRINTED_NULL:
        return None
    try:
        return json.loads(written)
    except (ValueError, RecursionError):
        return written
