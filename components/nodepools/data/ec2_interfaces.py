"""Network interfaces of EC2 instance types, and how many IPv4 addresses each interface has.

The table is one file, read when first used. Its first line has the source. A type that is missing can be newer.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from nodepools.data.table_files import lines_of

_FILE = "ec2_interfaces.txt"


@dataclass(frozen=True, slots=True)
class Interfaces:
    """Network interfaces of an instance type."""

    count: int
    addresses: int
    """IPv4 addresses of each interface; the first is its primary address."""


@cache
def ec2_interfaces() -> Mapping[str, Interfaces]:
    """The interfaces of all types, by type."""
    lines = (line.partition(": ") for line in lines_of(_FILE))
    return {f"{family}.{size}": _read(numbers) for family, _, sizes in lines for size, _, numbers in (cell.partition("=") for cell in sizes.split())}


def _read(numbers: str) -> Interfaces:
    count, _, addresses = numbers.partition("x")
    return Interfaces(int(count), int(addresses))
