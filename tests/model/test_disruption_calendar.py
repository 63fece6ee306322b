"""For which reasons the nodes of a pool may be disrupted, when, and how many."""

import random
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from nodepools import Budget, Disruption
from nodepools.model.disruption_calendar import State, active_minutes, allowed, disruption_calendar
from nodepools.model.kubernetes.cron import Schedule
from nodepools.model.maintenance import REASONS, BudgetNodes

START = datetime(2026, 11, 21, tzinfo=UTC)  # a Saturday
CELLS = {State.CLOSED: "#", State.LIMITED: "o", State.OPEN: "."}


def told(*budgets: Budget, start: datetime = START, days: int = 1) -> list[str]:
    """Each interval, with the state of drifted, empty and underutilized nodes."""
    found = disruption_calendar(Disruption(budgets=budgets), start, start + timedelta(days=days)).intervals()
    assert found[0].start == start
    assert found[-1].end == start + timedelta(days=days)
    assert all(one.end == other.start for one, other in pairwise(found))
    return [f"{one.start:%H:%M} {''.join(CELLS[one.states[reason]] for reason in REASONS)}" for one in found]


NIGHT = Budget(nodes="0", schedule="0 22 * * *", duration="8h")


@pytest.mark.parametrize(
    ("budgets", "found"),
    [
        pytest.param([], ["00:00 ..."], id="an empty list limits nothing"),
        pytest.param([Budget()], ["00:00 ooo"], id="a tenth at any time"),
        pytest.param([Budget(nodes="0")], ["00:00 ###"], id="none, ever"),
        pytest.param([Budget(nodes="00%")], ["00:00 ###"], id="none, in another spelling"),
        pytest.param([NIGHT], ["00:00 ###", "06:00 ...", "22:00 ###"], id="a lock over midnight, begun the day before"),
        pytest.param([NIGHT, Budget(nodes="20%")], ["00:00 ###", "06:00 ooo", "22:00 ###"], id="the most restrictive wins"),
        pytest.param(
            [Budget(nodes="5", schedule="0 6 * * *", duration="2h"), Budget(nodes="3", schedule="0 7 * * *", duration="2h")],
            ["00:00 ...", "06:00 ooo", "09:00 ..."],
            id="two that overlap",
        ),
        pytest.param([Budget(nodes="1", reasons=["Drifted"])], ["00:00 o.."], id="reasons that no budget names are unlimited"),
        pytest.param([Budget(nodes="0", reasons=["Empty", "Underutilized"])], ["00:00 .##"], id="closed for two reasons"),
        pytest.param(
            [Budget(), Budget(nodes="0", reasons=["Drifted"], schedule="0 9 * * *", duration="1h")], ["00:00 ooo", "09:00 #oo", "10:00 ooo"]
        ),
        pytest.param([Budget(nodes="0", reasons=[])], ["00:00 ..."], id="no reason at all: a budget without effect"),
        pytest.param([Budget(nodes="0", reasons=["NodeNotHealthy"])], ["00:00 ..."], id="a reason of no release"),
        pytest.param([Budget(nodes="0", schedule="0 9 * * 7", duration="1h")], ["00:00 ###"], id="a schedule that cannot be read closes the pool"),
        pytest.param(
            [Budget(nodes="5", schedule="0 9 * * 7", duration="1h", reasons=["Empty"])], ["00:00 ###"], id="for reasons of other budgets too"
        ),
        pytest.param([Budget(nodes="0", schedule="0 * * * *", duration="2h")], ["00:00 ###"], id="a lock that overlaps itself"),
        pytest.param([Budget(nodes="0", schedule="0 * * * *", duration="1h")], ["00:00 ###"], id="a lock as long as its period"),
        pytest.param(
            [Budget(nodes="0", schedule="15 */12 * * *", duration="11h45m")],
            ["00:00 ...", "00:15 ###", "12:00 ...", "12:15 ###"],
            id="a lock that is shorter than its period",
        ),
        pytest.param([Budget(nodes="0", schedule="0 9 1 1 *", duration="1h")], ["00:00 ..."], id="a lock on another day"),
        pytest.param([Budget(nodes="0", schedule="0 9 * * *", duration="0m")], ["00:00 ..."], id="a lock of no length"),
        pytest.param([Budget(nodes="0", schedule="0 9 * * *")], ["00:00 ..."], id="a schedule without a duration is never active"),
        pytest.param([Budget(nodes="0", duration="1h")], ["00:00 ###"], id="a duration without a schedule cannot be read"),
        pytest.param([Budget(nodes="0", schedule="0 0 30 2 *", duration="1h")], ["00:00 ###"], id="a day that never comes is always active"),
        pytest.param([Budget(nodes="3", schedule="0 0 30 2 *")], ["00:00 ooo"], id="also without a duration"),
        pytest.param([Budget(nodes="0", schedule="0 0 1 1 *", duration="99999999999999h")], ["00:00 ###"], id="longer than any calendar"),
        pytest.param([Budget(nodes="2147483647")], ["00:00 ..."], id="Karpenter's own number for unlimited"),
        pytest.param([Budget(nodes="4294967296")], ["00:00 ###"], id="a count that overflows to zero"),
        pytest.param(
            [Budget(nodes="9" * 5000, reasons=["Empty"])], ["00:00 ###"], id="a count that no integer holds closes the pool for all reasons"
        ),
    ],
)
def test_states_of_a_day(budgets: list[Budget], found: list[str]) -> None:
    assert told(*budgets) == found


def test_without_budgets_the_default_of_kubernetes_holds() -> None:
    assert disruption_calendar(Disruption(), START, START + timedelta(days=1)).intervals()[0].states == dict.fromkeys(REASONS, State.LIMITED)
    assert allowed(Disruption(), START)["Empty"].of(11) == 2


@pytest.mark.parametrize(
    ("start", "found"),
    [
        pytest.param(datetime(2096, 2, 28, tzinfo=UTC), ["00:00 ..."], id="the leap day is tomorrow"),
        pytest.param(datetime(2096, 2, 29, tzinfo=UTC), ["00:00 ###"], id="the leap day, and no other for eight years"),
        pytest.param(datetime(2097, 1, 1, tzinfo=UTC), ["00:00 ###"], id="none in this year and the five after it"),
        pytest.param(datetime(2098, 12, 31, tzinfo=UTC), ["00:00 ###"], id="the last day without one in five years"),
        pytest.param(datetime(2099, 1, 2, tzinfo=UTC), ["00:00 ..."], id="one in five years again"),
    ],
)
def test_a_leap_day_around_a_century_without_one(start: datetime, found: list[str]) -> None:
    assert told(Budget(nodes="0", schedule="0 0 29 2 *", duration="24h"), start=start) == found


@pytest.mark.parametrize(
    ("nodes", "of", "permitted"),
    [
        ("10%", 1, 1),
        ("10%", 10, 1),
        ("10%", 11, 2),
        ("1%", 100, 1),
        ("0%", 50, 0),
        ("100%", 7, 7),
        ("10%", 0, 0),
        ("5", 3, 5),
        ("0", 3, 0),
        ("007", 3, 7),
        ("2147483647", 3, None),
        ("3000000000", 3, 0),
        ("99999999999999999999", 3, 0),
    ],
)
def test_nodes_of_a_budget(nodes: str, of: int, permitted: int | None) -> None:
    assert BudgetNodes(nodes).of(of) == permitted


@pytest.mark.parametrize(
    ("budgets", "permitted", "independent"),
    [
        pytest.param([Budget(nodes="10%"), Budget(nodes="3")], (3, 3, 3), False, id="the smaller of both"),
        pytest.param([Budget(nodes="10%"), Budget(nodes="0", reasons=["Drifted"])], (0, 4, 4), False, id="none for one reason"),
        pytest.param([Budget(nodes="1", reasons=["Drifted"])], (1, None, None), True, id="unlimited for the others"),
        pytest.param([NIGHT], (0, 0, 0), True, id="the lock of the night"),
        pytest.param([Budget(nodes="5", schedule="x", duration="1h", reasons=["Empty"])], (0, 0, 0), True, id="a schedule that cannot be read"),
    ],
)
def test_allowed_at_a_time(budgets: list[Budget], permitted: tuple[int | None, ...], *, independent: bool) -> None:
    found = allowed(Disruption(budgets=budgets), START + timedelta(seconds=59))
    assert tuple(found[reason].of(40) for reason in REASONS) == permitted
    assert all(found[reason].is_independent_of_nodes for reason in REASONS) is independent


def test_the_most_restrictive_state_between_two_times() -> None:
    calendar = disruption_calendar(Disruption(budgets=[NIGHT, Budget(nodes="1", reasons=["Empty"])]), START, START + timedelta(days=1))
    at = [START + timedelta(hours=hour) for hour in range(25)]
    assert [calendar.worst("Drifted", at[hour], at[hour + 1]) for hour in (5, 6, 22)] == [State.CLOSED, State.OPEN, State.CLOSED]
    assert calendar.worst("Empty", at[6], at[22]) is State.LIMITED
    assert calendar.worst("Empty", at[0] - timedelta(hours=5), at[0]) is State.OPEN  # before the calendar begins


@pytest.mark.parametrize(
    ("budgets", "minutes", "openings", "is_limited"),
    [
        pytest.param([], 48 * 60, 1, False, id="no budget"),
        pytest.param([Budget()], 48 * 60, 1, True, id="a budget that is always active"),
        pytest.param([Budget(nodes="0")], 0, 0, True, id="a lock"),
        pytest.param([Budget(nodes="0", schedule="0 12 * * *", duration="1h")], 46 * 60, 3, False, id="a lock at noon"),
        pytest.param([Budget(nodes="0", schedule="0 0 * * *", duration="1h")], 46 * 60, 2, False, id="a lock at midnight, where the calendar starts"),
        pytest.param([Budget(nodes="0", schedule="0 23 * * *", duration="1h")], 46 * 60, 2, False, id="a lock that ends with the calendar"),
        pytest.param([Budget(nodes="0", reasons=["Empty"])], 48 * 60, 1, False, id="a lock for another reason"),
        pytest.param([Budget(schedule="0 0 * * *", duration="23h")], 48 * 60, 1, False, id="a budget for most of the day"),
        pytest.param([Budget(schedule="0 0 * * *", duration="24h")], 48 * 60, 1, True, id="a budget for the whole day"),
    ],
)
def test_the_open_time_of_two_days(budgets: list[Budget], minutes: int, openings: int, *, is_limited: bool) -> None:
    midnight = datetime(2026, 11, 23, tzinfo=UTC)
    calendar = disruption_calendar(Disruption(budgets=budgets), midnight, midnight + timedelta(days=2))
    assert (calendar.open_minutes("Drifted"), calendar.openings("Drifted")) == (minutes, openings)
    assert (calendar.is_always_limited("Drifted"), calendar.is_never_open("Drifted")) == (is_limited, not minutes)


def is_active(budget: Budget, at: datetime) -> bool:
    """Karpenter's own way, step by step: the first start after (now - duration) is not after now."""
    assert budget.schedule is not None
    assert budget.duration is not None
    schedule = Schedule.parse(budget.schedule)
    minutes = int(budget.duration.removesuffix("m"))
    moments = (at - timedelta(minutes=number) for number in range(minutes))
    return any(schedule.starts_on(moment) and moment.hour * 60 + moment.minute in schedule.minutes_of_day for moment in moments)


@pytest.mark.parametrize("seed", range(40))
def test_active_minutes_are_those_that_a_walk_back_finds(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311  # the same cases in every run
    minute, hour = chance.choice(["0", "15", "*/7", "50-59", "30,45"]), chance.choice(["*", "0", "23", "9-17", "*/5"])
    day, month, weekday = chance.choice(["*", "1", "21", "*/10"]), chance.choice(["*", "11", "12"]), chance.choice(["*", "6", "mon-fri", "0,3"])
    budget = Budget(schedule=f"{minute} {hour} {day} {month} {weekday}", duration=f"{chance.choice([1, 7, 59, 60, 61, 180, 1441])}m")
    start = START + timedelta(days=chance.randrange(60), minutes=chance.randrange(1440))
    mask = active_minutes(budget, start, 2000)
    for number in chance.sample(range(2000), 60):
        assert bool(mask >> number & 1) is is_active(budget, start + timedelta(minutes=number)), (budget, start, number)


def test_the_next_change_is_the_end_of_a_time_with_one_state():
    found = disruption_calendar(Disruption(budgets=[NIGHT]), START, START + timedelta(days=2))
    moments = [START]
    while (change := found.next_change("Drifted", moments[-1])) is not None:
        moments.append(change)
    assert [f"{moment:%d %H:%M}" for moment in moments] == ["21 00:00", "21 06:00", "21 22:00", "22 06:00", "22 22:00"]
    assert disruption_calendar(Disruption(budgets=[]), START, START + timedelta(days=2)).next_change("Empty", START) is None


def test_when_a_state_began():
    """Two hours from 10:00 are closed, and everything else is open; what began before the first minute is not known."""
    closed = Disruption(budgets=[Budget(nodes="0", schedule="0 10 * * *", duration="2h")])
    start = datetime(2026, 11, 21, 8, tzinfo=UTC)
    calendar = disruption_calendar(closed, start, start + timedelta(hours=8))
    began = {hour: calendar.last_change("Drifted", start.replace(hour=hour)) for hour in (9, 10, 11, 13)}
    assert {hour: moment.hour if moment is not None else None for hour, moment in began.items()} == {9: None, 10: 10, 11: 10, 13: 12}
