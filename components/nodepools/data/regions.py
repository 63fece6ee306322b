"""Regions of Azure and of AWS, those of every sovereign cloud and partition too. A region that is not among them may be newer than the table.

Each table is shipped in one small file, read when it is first asked: where it comes from, of which day it is, then each cloud with its regions.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Regions:
    """The regions of all clouds of one maker."""

    day: str
    """The day of the table, `2026-08-21`."""
    names: frozenset[str]


@cache
def azure_regions() -> Regions:
    """Regions of Azure, by the names that Resource Manager uses: `azure_name` brings others to that form."""
    return _read("azure_regions.txt")


@cache
def aws_regions() -> Regions:
    """Regions of AWS."""
    return _read("aws_regions.txt")


def azure_name(location: str) -> str:
    """The name of a location: Resource Manager takes the display name too, `West Europe`, in capitals or not."""
    return location.replace(" ", "").lower()


def _read(name: str) -> Regions:
    _, day, _, *clouds = Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines()
    return Regions(day.removeprefix("# "), frozenset(region for cloud in clouds for region in cloud.split()[1:]))
