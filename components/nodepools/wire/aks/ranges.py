"""A row for CIDR ranges. Azure has one argument for a single range, and another one, a list, for ranges of both IP families."""

from collections.abc import Iterator, Mapping, Sequence
from ipaddress import ip_network
from typing import NamedTuple, cast

from nodepools.model.base import Model
from nodepools.model.steps import Steps
from nodepools.model.unknowns import UNKNOWN
from nodepools.wire.effects import Change
from nodepools.wire.reading import Reading, Why, is_known
from nodepools.wire.table import Written
from nodepools.wire.wire_paths import FieldPath, Pattern, path
from nodepools.wire.writing import Compute, Writing


class Ranges(NamedTuple):
    """The IPv4 and the IPv6 range. Azure accepts a single range or the list, never both."""

    field: str
    field_v6: str
    one: str
    """Place of a single range; empty if that is in a list too."""
    both: str
    """The list, in the order of the IP families."""
    compute: Compute
    """The ranges to send: none, one, or one of each family."""
    change: Change
    default: object = None
    """The cloud default of the IPv4 range."""

    def write(self, part: Model, out: Writing) -> None:
        """Writes a single range to its own argument, two as a list."""
        ranges = out.value(part, self.field, self.compute)
        if ranges is UNKNOWN:
            out.put(self._alone, UNKNOWN)
            return
        sent = cast("Sequence[object]", ranges)
        if len(sent) == 1 and self.one:
            out.put(self.one, sent[0])
        else:
            out.put(self.both, sent)

    def read(self, written: Written, reading: Reading, place: Steps) -> Written:
        """Each range by its family. A range that is missing in the list is unknown."""
        one, both = reading.at(written, self.one) if self.one else None, reading.at(written, self.both)
        alone = {self.field: one if is_known(one) else UNKNOWN} if one is not None else {}
        if both is None:
            return alone
        try:
            families = {self._by_family[ip_network(cidr).version]: cidr for cidr in cast("Sequence[str]", both)}
        except (TypeError, ValueError):
            if is_known(both):
                reading.report_unread((*place, *path(self.both)), both, Why.UNREADABLE)
            return {self.field: UNKNOWN, self.field_v6: UNKNOWN, **alone}
        return {self.field: UNKNOWN, **families, **alone}

    def field_paths(self) -> Iterator[FieldPath]:
        """The IPv4 range alone, and the list, which has the IPv6 range."""
        yield FieldPath((self.field,), path(self._alone), self.change, self, default=self.default)
        yield FieldPath((self.field_v6,), path(self.both), self.change, self)

    def read_paths(self) -> Iterator[Pattern]:
        """Both places."""
        yield from {path(self._alone), path(self.both)}

    @property
    def _by_family(self) -> Mapping[int, str]:
        return {4: self.field, 6: self.field_v6}

    @property
    def _alone(self) -> str:
        return self.one if self.one else self.both
