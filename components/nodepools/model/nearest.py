"""Suggestions for unknown names."""

from collections.abc import Iterable


def nearest(name: str, known: Iterable[str], alike: float = 0.6) -> str | None:
    """The closest match to `name` among `known`, ignoring case; `None` if no similarity reaches `alike` (0 to 1)."""
    from difflib import get_close_matches  # slow to import, and needed only for findings

    by_lowercase = {candidate.lower(): candidate for candidate in known}
    return next((by_lowercase[match] for match in get_close_matches(name.lower(), sorted(by_lowercase), 1, alike)), None)
