"""When the nodes of a pool may be replaced."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from nodepools import Budget, Disruption
from nodepools.model.disruption_calendar import windows

START = datetime(2026, 11, 21, tzinfo=UTC)  # a Saturday


def told(*budgets: Budget, days: int = 1) -> list[str]:
    found = windows(Disruption(budgets=budgets), START, START + timedelta(days=days))
    assert found[0].start == START
    assert found[-1].end == START + timedelta(days=days)
    assert all(one.end == other.start for one, other in pairwise(found))
    return [f"{one.start:%H:%M} {one.state} {one.nodes}" for one in found]


NIGHT = Budget(nodes="0", schedule="0 22 * * *", duration="8h")


@pytest.mark.parametrize(
    ("budgets", "found"),
    [
        pytest.param([], ["00:00 limited 10%"], id="the default is a tenth"),
        pytest.param([Budget(nodes="0")], ["00:00 blocked 0"], id="none, ever"),
        pytest.param([Budget(nodes="00%")], ["00:00 blocked 00%"], id="none, in another spelling"),
        pytest.param([NIGHT], ["00:00 blocked 0", "06:00 free 100%", "22:00 blocked 0"], id="a window over midnight, begun the day before"),
        pytest.param([NIGHT, Budget(nodes="20%")], ["00:00 blocked 0", "06:00 limited 20%", "22:00 blocked 0"], id="the most restrictive wins"),
        pytest.param(
            [Budget(nodes="5", schedule="0 6 * * *", duration="2h"), Budget(nodes="3", schedule="0 7 * * *", duration="2h")],
            ["00:00 free 100%", "06:00 limited 5", "07:00 limited 3", "09:00 free 100%"],
            id="two that overlap",
        ),
        pytest.param([Budget(nodes="0", reasons=["Drifted"])], ["00:00 limited 0"], id="one reason alone is no block"),
        pytest.param(
            [Budget(nodes="0", reasons=["Drifted"]), Budget(nodes="0%", reasons=["Empty", "Underutilized"])],
            ["00:00 blocked 0"],
            id="all reasons are",
        ),
        pytest.param([Budget(nodes="0", schedule="0 9 * * 7", duration="1h")], ["00:00 blocked 0"], id="what cannot be read blocks for good"),
        pytest.param([Budget(nodes="0", schedule="0 * * * *", duration="2h")], ["00:00 blocked 0"], id="spans that meet are one"),
        pytest.param([Budget(nodes="0", schedule="0 9 1 1 *", duration="1h")], ["00:00 free 100%"], id="what does not come is free"),
        pytest.param([Budget(nodes="0", schedule="0 9 * * *")], ["00:00 blocked 0"], id="half a window is taken as always"),
    ],
)
def test_states_of_a_day(budgets: list[Budget], found: list[str]) -> None:
    assert told(*budgets) == found
