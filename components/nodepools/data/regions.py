"""Regions of Azure and AWS, including all sovereign clouds and partitions. A region that is missing can be newer than the table."""

import re
from datetime import date
from functools import cache
from itertools import takewhile
from typing import Final, NamedTuple

from nodepools.data.table_files import rows_of, table_day

_PARTS: Final = re.compile(r"((?:[a-z]+-)*)([a-z]+)((?:-?[0-9]+)?)")
"""Country and partition in a name of AWS, the direction or all words of Azure, and the number."""
_COUNTRY: Final = 2
"""Letters of a country's code, with which names of Azure can begin: another letter there can be another country."""
_SEPARATORS: Final = re.compile(r"[-_.\s\u200b-\u200d\ufeff]")
"""Between and around words, seen and unseen."""
_WITHOUT_ZONES: Final = ":0"
_AUTOMATIC: Final = "Automatic"
"""How the row with the regions of AKS Automatic begins."""


class Regions(NamedTuple):
    """The regions of all clouds of one provider."""

    day: date
    """Date of the table."""
    names: frozenset[str]
    without_zones: frozenset[str]
    """Regions that are known to have no availability zones."""
    automatic: frozenset[str]
    """Regions of AKS Automatic: Microsoft's list of 2026-07-24, and those that its list of November 2026 has more, which was not read wholly."""

    def misspelt(self, name: str) -> tuple[str, ...]:
        """The regions of which `name` is a misspelling, in order; none if it can be a region that is newer than the table.

        Newer regions have another number, another country, or other words, which are not one edit from those of a known region.
        """
        if name in self.names:
            return ()
        letters, parts = _SEPARATORS.sub("", name.lower()), _PARTS.fullmatch(name)
        same = [region for region in self.names if _SEPARATORS.sub("", region) == letters]
        known = {region: match for region in self.names if (match := _PARTS.fullmatch(region)) is not None}
        if same or parts is None or parts[2] in {match[2] for match in known.values()}:
            return tuple(same)
        near = {region: match[3] for region, match in known.items() if match[1] == parts[1] and _is_one_edit(parts[2], match[2])}
        same_number = [region for region, number in near.items() if number == parts[3]]
        return tuple(sorted(same_number if same_number else near))


@cache
def azure_regions() -> Regions:
    """Azure regions, by the names of Resource Manager. `azure_name` converts other spellings."""
    return _read("azure_regions.txt")


@cache
def aws_regions() -> Regions:
    """AWS regions."""
    return _read("aws_regions.txt")


def _is_one_edit(one: str, other: str) -> bool:
    """One letter more, less or other, or two neighbors exchanged."""
    start = _alike(one, other)
    one, other = one[start:], other[start:]
    end = _alike(one[::-1], other[::-1])
    one, other = one[: len(one) - end], other[: len(other) - end]
    if len(one) == len(other) == 1:
        return start >= _COUNTRY
    return max(len(one), len(other)) == 1 or (len(one) == len("ab") and one == other[::-1])


def _alike(one: str, other: str) -> int:
    """The number of letters with which both begin."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _read(name: str) -> Regions:
    rows = {first: regions for first, *regions in rows_of(name)}
    automatic = frozenset(rows.pop(_AUTOMATIC, ()))
    marked = [region for regions in rows.values() for region in regions]
    without_zones = frozenset(region.removesuffix(_WITHOUT_ZONES) for region in marked if region.endswith(_WITHOUT_ZONES))
    return Regions(table_day(name), frozenset(region.removesuffix(_WITHOUT_ZONES) for region in marked), without_zones, automatic)
