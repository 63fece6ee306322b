"""Regions of Azure and AWS, including all sovereign clouds and partitions. A region that is missing can be newer than the table.

Each table is one small file, read when first used: its source, then each cloud with its regions.
"""

from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path

from nodepools.data.table_dates import table_day


@dataclass(frozen=True, slots=True)
class Regions:
    """The regions of all clouds of one provider."""

    day: date
    """Date of the table."""
    names: frozenset[str]


@cache
def azure_regions() -> Regions:
    """Azure regions, by the names of Resource Manager. `azure_name` converts other spellings."""
    return _read("azure_regions.txt")


@cache
def aws_regions() -> Regions:
    """AWS regions."""
    return _read("aws_regions.txt")


def azure_name(location: str) -> str:
    """The name of a location. Resource Manager also accepts the display name, such as `West Europe`, in any case."""
    return location.replace(" ", "").lower()


def _read(name: str) -> Regions:
    _, _, *clouds = Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines()
    return Regions(table_day(name), frozenset(region for cloud in clouds for region in cloud.split()[1:]))
