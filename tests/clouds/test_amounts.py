"""Amounts between two bounds: an answer is certain or unknown."""

import pytest

from nodepools.clouds.amounts import NOTHING, Amount, exactly, largest, total, verdict

ANY = Amount()


@pytest.mark.parametrize(
    ("needed", "available", "answer"),
    [
        pytest.param(exactly(5), exactly(5), "fits", id="as much as there is"),
        pytest.param(exactly(6), exactly(5), "does_not_fit", id="one more"),
        pytest.param(Amount(4, 6), exactly(5), "unknown", id="perhaps more"),
        pytest.param(Amount(1, None), exactly(5), "unknown", id="no upper bound"),
        pytest.param(Amount(6, None), exactly(5), "does_not_fit", id="too many, however many more"),
        pytest.param(exactly(5), Amount(4, 6), "unknown", id="perhaps less than needed"),
        pytest.param(exactly(5), Amount(4, None), "unknown", id="at least a little less"),
        pytest.param(exactly(1), None, "unknown", id="nothing is known of what there is"),
    ],
)
def test_a_verdict_needs_certainty(needed, available, answer):
    assert verdict(needed, available) == answer


@pytest.mark.parametrize(
    ("made", "amount"),
    [
        pytest.param(exactly(2) + Amount(1, 3), Amount(3, 5), id="sums add both bounds"),
        pytest.param(ANY + exactly(2), Amount(2, None), id="a sum with an unbounded amount is unbounded"),
        pytest.param(Amount(1, 2).times(Amount(3, 4)), Amount(3, 8), id="products multiply both bounds"),
        pytest.param(exactly(2).times(ANY), ANY, id="a product with an unbounded amount is unbounded"),
        pytest.param(exactly(0).times(ANY), NOTHING, id="zero times any number is zero"),
        pytest.param(total([]), NOTHING, id="nothing adds up to nothing"),
        pytest.param(largest([]), NOTHING, id="the largest of nothing"),
        pytest.param(largest([Amount(1, 9), exactly(3)]), Amount(3, 9), id="the largest of both bounds"),
        pytest.param(largest([ANY, exactly(3)]), Amount(3, None), id="the largest has no bound where one has none"),
    ],
)
def test_amounts_are_combined_by_bounds(made, amount):
    assert made == amount


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (exactly(1234), "1,234"),
        (Amount(1, 2000), "1 to 2,000"),
        (Amount(3, None), "at least 3"),
        (ANY, "any number"),
    ],
)
def test_amounts_are_readable(amount, text):
    assert str(amount) == text
    assert amount.to_json() == {"minimum": amount.minimum, "maximum": amount.maximum}
