"""Names in sentences: the first of them, and how many more there are."""

import pytest

from nodepools.model.listing import listed, quoted


@pytest.mark.parametrize(
    ("names", "text"),
    [
        pytest.param([], "", id="no name"),
        pytest.param(["a", "b"], "a, b", id="all of them"),
        pytest.param(["a", "b", "c"], "a, b and 1 more", id="one is left out"),
        pytest.param(["a"] * 1003, "a, a and 1,001 more", id="many"),
    ],
)
def test_listed(names: list[str], text: str) -> None:
    assert listed(names, 2) == text


def test_quoted() -> None:
    assert quoted(["a", "b"], 1) == "`a` and 1 more"
