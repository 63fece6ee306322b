"""The administrator account of Linux nodes: `linuxProfile`."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple, cast

from nodepools.model.base import Model
from nodepools.model.unknowns import UNKNOWN
from nodepools.wire.effects import Change
from nodepools.wire.reading import UNREADABLE, Reading, Why, is_known
from nodepools.wire.rows import Row
from nodepools.wire.table import Table, Written
from nodepools.wire.wire_paths import Pattern, Steps, Way, path
from nodepools.wire.writing import Writing

_KEY: Final = "keyData"


class OnlyKey(NamedTuple):
    """A public key, in a list that can contain one."""

    field: str
    wire: str
    change: Change | None = None

    def write(self, part: Model, out: Writing) -> None:
        """Writes the list."""
        key = out.value(part, self.field)
        out.put(self.wire, [{out.spell(_KEY): key}] if is_known(key) else key)

    def read(self, written: Written, reading: Reading, place: Steps) -> Written:
        """The key; unknown if the list does not contain one key."""
        held = reading.at(written, self.wire)
        if held is None:
            return {}
        try:
            [one] = cast("list[Mapping[str, object]]", held) if is_known(held) else [{_KEY: UNKNOWN}]
            key = one[_KEY]
        except UNREADABLE:
            reading.leave((*place, *path(self.wire)), held, Why.UNREADABLE)
            key = UNKNOWN
        return {self.field: key}

    def ways(self) -> Iterator[Way]:
        """The list."""
        yield Way((self.field,), path(self.wire), self.change, self)

    def claims(self) -> Iterator[Pattern]:
        """The list."""
        yield path(self.wire)


LINUX: Final = Table(Row("admin_username", "adminUsername"), OnlyKey("ssh_key", "ssh.publicKeys"))
"""`linuxProfile`."""
