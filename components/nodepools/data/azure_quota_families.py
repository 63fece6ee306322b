"""The quota family of each Azure VM size: Azure limits the vCPUs of each family, and of all families of a region together.

The table is one file, read when first used. Names of families are those of the usage API and of Azure's error messages, which differ in case:
compare them without regard to it. A size with constrained vCPUs has the family of its base size.
"""

from collections.abc import Mapping
from functools import cache

from nodepools.data.table_files import lines_of

_FILE = "azure_quota_families.txt"


def quota_family(size: str) -> str | None:
    """The family of a VM size, such as `standardDDSv5Family`; `None` for an unknown size. Case is ignored, as Azure does."""
    return _table().get(size.lower().removeprefix("standard_"))


@cache
def _table() -> Mapping[str, str]:
    lines = (line.partition(": ") for line in lines_of(_FILE))
    return {size.lower(): family for family, _, sizes in lines for size in sizes.split()}
