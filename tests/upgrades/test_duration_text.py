"""Lengths of time as people read them."""

import pytest

from nodepools.upgrades.progress import minutes_text


@pytest.mark.parametrize(
    ("minutes", "text"),
    [(45, "45 min"), (60, "1 h"), (450, "7 h 30 min"), (1440, "24 h"), (1710, "28 h 30 min"), (21600, "15 days"), (2881, "48 h 1 min")],
)
def test_minutes(minutes: int, text: str) -> None:
    assert minutes_text(minutes) == text
