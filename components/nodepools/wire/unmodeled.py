"""Rows without a field of the model: constants, and notes on names that only one side has."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from nodepools.model.base import Model
from nodepools.model.steps import Steps
from nodepools.model.unknowns import UNKNOWN
from nodepools.wire.effects import Change
from nodepools.wire.reading import Compute, Reading, Why, Writing
from nodepools.wire.table import Written
from nodepools.wire.wire_paths import FieldPath, Pattern, path


class Always(NamedTuple):
    """A place with the same value in every object."""

    wire: str
    word: object
    change: Change | None = None

    def write(self, part: Model, out: Writing) -> None:
        """Writes the constant."""
        del part
        out.put(self.wire, self.word)

    def read(self, written: Written, reading: Reading, place: Steps) -> Written:
        """Lists any other value."""
        value = reading.at(written, self.wire)
        if value is not None and value is not UNKNOWN and value != self.word:
            reading.report_unread((*place, *path(self.wire)), value, Why.ANOTHER_WORD, self.word)
        return {}

    def field_paths(self) -> Iterator[FieldPath]:
        """Its place."""
        yield FieldPath((), path(self.wire), self.change, self)

    def read_paths(self) -> Iterator[Pattern]:
        """Its place."""
        yield path(self.wire)


class Note(NamedTuple):
    """A field or an argument that the other side does not have, so that each has a row."""

    kind: Literal["ours", "derived", "unmodeled", "refused", "read_only"]
    """`ours`: a field that is never sent. `derived`: an argument that follows from other fields. `unmodeled`: an argument that only `overrides` can
    set. `refused`: an argument that `overrides` cannot set either. `read_only`: an argument that only the cloud sets."""
    name: str
    change: Change | None = None
    why: str = ""
    compute: Compute | None = None
    """The value of a derived argument; `None` if the component sends it."""
    since: str = ""
    """The first version of the API that has the argument; empty if the one that the SDKs send by default has it."""

    def write(self, part: Model, out: Writing) -> None:
        """Writes a derived argument."""
        if self.compute is not None:
            out.put(self.name, out.value(part, "", self.compute))

    def read(self, written: Written, reading: Reading, place: Steps) -> Written:
        """Lists an argument that has no field."""
        if self.kind in {"unmodeled", "refused"} and (value := reading.at(written, self.name)) is not None:
            reading.report_unread((*place, *path(self.name)), value, Why.UNMODELED, self.why)
        return {}

    def field_paths(self) -> Iterator[FieldPath]:
        """Its place on its own side."""
        is_ours = self.kind == "ours"
        yield FieldPath((self.name,) if is_ours else (), () if is_ours else path(self.name), self.change, self, since=self.since)

    def read_paths(self) -> Iterator[Pattern]:
        """Its argument."""
        if self.kind != "ours":
            yield path(self.name)
