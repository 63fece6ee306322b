"""API versions that Kubernetes stops serving, by the minor version from which they are missing.

The table is one file, read when first used. Only kinds that people keep in manifests, and only beta versions: clouds do not serve alpha ones.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from nodepools.data.table_files import rows_of

SOURCE: Final = "https://kubernetes.io/docs/reference/using-api/deprecation-guide/"
_NONE: Final = "-"


@dataclass(frozen=True, slots=True)
class Removal:
    """One kind in one API version."""

    minor: int
    """The first minor version of Kubernetes that does not serve it."""
    replacement: str | None
    """The API version to use instead; `None` if nothing replaces the kind."""


@cache
def removals() -> Mapping[tuple[str, str], Removal]:
    """All removals, by API version and kind."""
    rows = rows_of("removed_apis.txt")
    return {(version, kind): Removal(int(minor), None if other == _NONE else other) for minor, version, kind, other in rows}


def removal(api_version: str, kind: str) -> Removal | None:
    """When Kubernetes stops serving a kind in an API version; `None` if no removal is planned or known."""
    return removals().get((api_version, kind))
