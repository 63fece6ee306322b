"""The name that was probably meant."""

from collections.abc import Iterable


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The one of `known` that is most like `name`, capitals aside; `None` where none is alike."""
    from difflib import get_close_matches  # costs more than all the rest, and only findings need it

    small = {one.lower(): one for one in known}
    return next((small[match] for match in get_close_matches(name.lower(), small, 1)), None)
