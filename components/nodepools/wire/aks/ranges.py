"""A row for address ranges, which Azure has under one name where there is one, and in a list under another where both families have one."""

from collections.abc import Iterator, Mapping, Sequence
from ipaddress import ip_network
from typing import NamedTuple, cast

from nodepools.model.base import Model
from nodepools.model.unknowns import UNKNOWN
from nodepools.wire.effects import Change
from nodepools.wire.reading import Reading, Why, is_known
from nodepools.wire.table import Written
from nodepools.wire.wire_paths import Pattern, Steps, Way, path
from nodepools.wire.writing import Says, Writing


class Ranges(NamedTuple):
    """The range of IPv4 and that of IPv6. Azure takes one range or the list, never both."""

    field: str
    field_v6: str
    one: str
    """The place of one range; empty where that is in a list too."""
    both: str
    """The list, in the order of the families."""
    says: Says
    """The ranges that are sent: none, one, or one of each family."""
    change: Change
    default: object = None
    """That of IPv4 when nothing is sent."""

    def write(self, part: Model, out: Writing) -> None:
        """Writes one range by its own name, two as a list."""
        ranges = out.value(part, self.field, self.says)
        if ranges is UNKNOWN:
            out.put(self._alone, UNKNOWN)
            return
        sent = cast("Sequence[object]", ranges)
        if len(sent) == 1 and self.one:
            out.put(self.one, sent[0])
        else:
            out.put(self.both, sent)

    def read(self, written: Written, reading: Reading, at: Steps) -> Written:
        """Each range by its family; where there is a list, what it does not have is unknown."""
        one, both = reading.at(written, self.one) if self.one else None, reading.at(written, self.both)
        alone = {self.field: one if is_known(one) else UNKNOWN} if one is not None else {}
        if both is None:
            return alone
        try:
            families = {self._by_family[ip_network(cidr).version]: cidr for cidr in cast("Sequence[str]", both)}
        except (TypeError, ValueError):
            if is_known(both):
                reading.leave((*at, *path(self.both)), both, Why.UNREADABLE)
            return {self.field: UNKNOWN, self.field_v6: UNKNOWN, **alone}
        return {self.field: UNKNOWN, **families, **alone}

    def ways(self) -> Iterator[Way]:
        """The range of IPv4 alone, and the list, which has that of IPv6."""
        yield Way((self.field,), path(self._alone), self.change, self, default=self.default)
        yield Way((self.field_v6,), path(self.both), self.change, self)

    def claims(self) -> Iterator[Pattern]:
        """Both places."""
        yield from {path(self._alone), path(self.both)}

    @property
    def _by_family(self) -> Mapping[int, str]:
        return {4: self.field, 6: self.field_v6}

    @property
    def _alone(self) -> str:
        return self.one if self.one else self.both
