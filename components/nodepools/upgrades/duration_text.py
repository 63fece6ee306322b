"""Lengths of time as people read them."""

from typing import Final

_HOUR: Final = 60
_DAY: Final = 24 * _HOUR


def minutes_text(minutes: int) -> str:
    """`45 min`, `7 h 30 min`, `15 days`."""
    if minutes >= 2 * _DAY and not minutes % _DAY:
        return f"{minutes // _DAY} days"
    hours, rest = divmod(minutes, _HOUR)
    return " ".join(text for text in (f"{hours:,} h" if hours else "", f"{rest} min" if rest else "") if text)
