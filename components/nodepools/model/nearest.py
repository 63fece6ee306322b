"""The name that was probably meant."""

from collections.abc import Iterable


def nearest(name: str, known: Iterable[str], alike: float = 0.6) -> str | None:
    """The one of `known` that is most like `name`, capitals aside; `None` where none is `alike`, from 0 to 1."""
    from difflib import get_close_matches  # costs more than all the rest, and only findings need it

    small = {one.lower(): one for one in known}
    return next((small[match] for match in get_close_matches(name.lower(), sorted(small), 1, alike)), None)
