"""Suggestions for misspelled names."""

from collections.abc import Iterable


def nearest(name: str, known: Iterable[str], alike: float = 0.6) -> str | None:
    """The closest match to `name` among `known`, ignoring case; `None` if no similarity reaches `alike` (0 to 1)."""
    from difflib import get_close_matches  # costs more than all the rest, and only findings need it

    small = {one.lower(): one for one in known}
    return next((small[match] for match in get_close_matches(name.lower(), sorted(small), 1, alike)), None)
