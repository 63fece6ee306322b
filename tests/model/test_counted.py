"""Numbers with their nouns."""

import pytest

from nodepools.model.listing import counted


@pytest.mark.parametrize(
    ("number", "noun", "text"),
    [(1, "pool", "1 pool"), (0, "pool", "0 pools"), (1200, "pool", "1,200 pools"), (1, "batch", "1 batch"), (2, "batch", "2 batches")],
)
def test_a_noun_agrees_with_its_number(number: int, noun: str, text: str) -> None:
    assert counted(number, noun) == text
