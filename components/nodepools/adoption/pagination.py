"""Pages of lists: a file with one page of several is incomplete, and what is missing in it would look as if it did not exist."""

from collections.abc import Mapping
from typing import Final

from nodepools.model.plain_data import mapping

_WITHOUT_LIMITS: Final = "export it without `--max-items` and `--no-paginate`"
_NEXT: Final[Mapping[str, str]] = {
    "nextLink": "use `az aks`, which prints all of them, or join the pages",
    "nextToken": _WITHOUT_LIMITS,
    "NextToken": _WITHOUT_LIMITS,
}
_CONTINUE: Final = "has more pages (`metadata.continue`): use `kubectl get -o yaml`, which prints all of them"


def more_pages(written: Mapping[str, object]) -> str | None:
    """Says that a page is not the last one, and what prints all; `None` if it is."""
    found = [f"has more pages (`{name}`): {way}" for name, way in _NEXT.items() if written.get(name)]
    if mapping(written.get("metadata")).get("continue"):
        found.append(_CONTINUE)
    return found[0] if found else None
