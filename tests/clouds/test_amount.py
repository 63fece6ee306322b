"""Money with and without a figure."""

import pytest

from nodepools.clouds.prices import NOTHING, Amount, total, unbounded, unknown

TWO, THREE = Amount(2.0), Amount(3.0)
DARK, ENDLESS = unknown("no price"), unbounded("no limits")
AT_LEAST_TWO = Amount(None, "no price", minimum=2.0)


@pytest.mark.parametrize(
    ("amounts", "whole"),
    [
        pytest.param([], NOTHING, id="nothing costs nothing"),
        pytest.param([TWO, THREE], Amount(5.0), id="figures add up"),
        pytest.param([TWO, DARK], AT_LEAST_TWO, id="what is not known stays so, and keeps what is"),
        pytest.param([DARK, TWO], AT_LEAST_TWO, id="in either order"),
        pytest.param([AT_LEAST_TWO, THREE], Amount(None, "no price", minimum=5.0), id="what is known adds up"),
        pytest.param([DARK, ENDLESS, TWO], Amount(None, "no limits", unbounded=True, minimum=2.0), id="what has no bound wins"),
        pytest.param([ENDLESS, DARK], ENDLESS, id="in either order too"),
    ],
)
def test_a_total(amounts, whole):
    assert total(amounts) == whole


@pytest.mark.parametrize(
    ("amount", "number", "found"),
    [
        pytest.param(TWO, 3, Amount(6.0), id="so many of it"),
        pytest.param(DARK, 3, DARK, id="of what is not known, neither"),
        pytest.param(DARK, 0, NOTHING, id="none of it is nothing"),
        pytest.param(ENDLESS, 0, NOTHING, id="of no kind"),
        pytest.param(AT_LEAST_TWO, 3, Amount(None, "no price", minimum=6.0), id="of what is known in part"),
        pytest.param(AT_LEAST_TWO, 0, NOTHING, id="none of that"),
    ],
)
def test_so_many_of_it(amount, number, found):
    assert amount.times(number) == found


@pytest.mark.parametrize(
    ("amount", "text", "json"),
    [
        pytest.param(Amount(1234.5), "1,234.50", {"amount": 1234.5}, id="a figure"),
        pytest.param(Amount(0.0), "0.00", {"amount": 0.0}, id="zero is a figure"),
        pytest.param(DARK, "unknown", {"amount": None, "minimum": 0.0, "message": "no price", "unbounded": False}, id="not known"),
        pytest.param(ENDLESS, "no maximum", {"amount": None, "minimum": 0.0, "message": "no limits", "unbounded": True}, id="without bound"),
        pytest.param(AT_LEAST_TWO, "at least 2.00", {"amount": None, "minimum": 2.0, "message": "no price", "unbounded": False}, id="known in part"),
    ],
)
def test_how_it_reads(amount, text, json):
    assert (str(amount), amount.to_json()) == (text, json)
