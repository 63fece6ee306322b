"""Maintenance windows as people say them: as budgets that block the rest, and in AKS's words."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from nodepools import AksNodePool, Budget, Daily, Disruption, EksNodePool, Platform, Weekly
from nodepools.aks import MaintenanceConfigurations, MaintenanceWindow, WeeklySchedule
from nodepools.model.aks.maintenance import UnsupportedWindowError, of_window, why_unsupported
from nodepools.model.disruption_calendar import State, disruption_calendar
from nodepools.model.maintenance import DAYS


def told(window: Daily | Weekly) -> list[str]:
    return [f"{budget.schedule} for {budget.duration}" for budget in window.disruption_budgets()]


@pytest.mark.parametrize(
    ("window", "blocked"),
    [
        pytest.param(Daily(start="01:00", hours=4), ["0 5 * * * for 20h"], id="every night"),
        pytest.param(Daily(start="22:30", hours=4), ["30 2 * * * for 20h"], id="over midnight"),
        pytest.param(Daily(start="00:00", hours=24), [], id="all day"),
        pytest.param(Daily(start="00:00", hours=24, tz="Europe/Paris"), [], id="all day, whatever the clock says"),
        pytest.param(Weekly(days="mon-sun", start="00:00", hours=24), [], id="all week"),
        pytest.param(Weekly(days="sat", start="01:00", hours=5), ["0 6 * * 6 for 163h"], id="one day of the week"),
        pytest.param(Weekly(days="sat", start="01:00", hours=5, tz="Europe/Paris"), ["0 4 * * 6 for 164h"], id="an hour less, for summer time"),
        pytest.param(Weekly(days="sun", start="00:00", hours=2, tz="Asia/Tokyo"), ["0 17 * * 6 for 166h"], id="the day before, in UTC"),
        pytest.param(Weekly(days="sat,sun", start="01:00", hours=5), ["0 6 * * 0 for 139h", "0 6 * * 6 for 19h"], id="two days"),
        pytest.param(Weekly(days="mon,tue", start="00:00", hours=24), ["0 0 * * 3 for 120h"], id="two that meet"),
        pytest.param(
            Weekly(days="sat,sun", start="00:00", hours=24, tz="Europe/Paris"), ["0 22 * * 0 for 121h"], id="two that meet lose their hour once"
        ),
        pytest.param(Weekly(days="mon-fri", start="22:00", hours=5), ["0 3 * * 2,3,4,5 for 19h", "0 3 * * 6 for 67h"], id="nights of working days"),
        pytest.param(Weekly(days="fri-mon", start="00:00", hours=24), ["0 0 * * 2 for 72h"], id="a span over the end of the week"),
        pytest.param(Daily(start="01:00", hours=2, tz="Asia/Kolkata"), ["30 21 * * * for 22h"], id="half an hour beside the others"),
    ],
)
def test_what_is_blocked(window: Daily | Weekly, blocked: list[str]) -> None:
    assert told(window) == blocked


@pytest.mark.parametrize(
    ("days", "found"),
    [
        pytest.param("sat", [6], id="one"),
        pytest.param("sat,sun", [0, 6], id="two"),
        pytest.param("sat,sat", [6], id="one, said twice"),
        pytest.param("mon-fri", [1, 2, 3, 4, 5], id="a span"),
        pytest.param("sat-mon,wed", [0, 1, 3, 6], id="a span over the end of the week, and a day"),
        pytest.param("sun-sun", [0], id="a span of one"),
    ],
)
def test_days(days: str, found: list[int]) -> None:
    assert list(Weekly(days=days, start="01:00", hours=5).weekdays) == found


@pytest.mark.parametrize(
    ("window", "why"),
    [
        pytest.param({"start": "01:00", "hours": 1, "tz": "Europe/Paris"}, "too short", id="nothing is left in summer and winter"),
        pytest.param({"start": "01:00", "hours": 3, "tz": "Mars/Olympus"}, "not a known time zone", id="no such place"),
        pytest.param({"start": "01:00", "hours": 3, "tz": "Europe"}, "not a known time zone", id="a folder of places"),
        pytest.param({"start": "01:00", "hours": 3, "tz": "America/New_York" * 300}, "not a known time zone", id="folders in folders"),
        pytest.param({"start": "1am", "hours": 3}, "pattern", id="no time of day"),
        pytest.param({"start": "01:00", "hours": 25}, "less than or equal to 24", id="more than a day"),
        pytest.param({"start": "01:00", "hours": 3, "days": "sat - sun", "kind": "Weekly"}, "days", id="days with blanks"),
        pytest.param({"start": "01:00", "hours": 3, "days": "saturday", "kind": "Weekly"}, "days", id="days in full"),
    ],
)
def test_what_cannot_be(window: dict[str, object], why: str) -> None:
    with pytest.raises(ValidationError, match=why):
        (Weekly if "days" in window else Daily).model_validate(window)


zones = st.sampled_from(["UTC", "Europe/Paris", "America/New_York", "Asia/Tokyo", "Australia/Sydney", "Australia/Lord_Howe", "Africa/Casablanca"])


@given(zones, st.integers(0, 23), st.integers(2, 12), st.sets(st.sampled_from(["mon", "wed", "sat", "sun"]), min_size=1), st.integers(0, 350))
def test_nothing_is_free_outside_of_the_window_in_summer_or_winter(tz: str, hour: int, hours: int, days: set[str], day: int) -> None:
    window = Weekly(days=",".join(sorted(days)), start=f"{hour:02}:00", hours=hours, tz=tz)
    start = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=day)
    for free in disruption_calendar(Disruption(budgets=window.disruption_budgets()), start, start + timedelta(days=7)).intervals():
        if free.states["Drifted"] is State.OPEN and free.start > start:
            there = free.start.astimezone(ZoneInfo(tz))
            opened = there.hour * 60 + there.minute - hour * 60
            assert opened in {0, 30, 60, 30 - 24 * 60, 60 - 24 * 60}
            assert f"{there - timedelta(minutes=opened % (24 * 60)):%a}".lower() in days
            assert free.end - free.start <= timedelta(hours=hours) * len(days)


@given(zones, st.integers(0, 23), st.integers(5, 24), st.sampled_from(DAYS), st.integers(0, 51))
def test_what_aks_is_told_lies_in_the_window_in_summer_and_in_winter(tz: str, hour: int, hours: int, day: str, week: int) -> None:
    window = Weekly(days=day, start=f"{hour:02}:00", hours=hours, tz=tz)
    said = of_window(window, "upgrades")
    assert isinstance(said.schedule, WeeklySchedule)
    offset = timedelta(hours=int(said.utc_offset[1:3]), minutes=int(said.utc_offset[4:])) * (-1 if said.utc_offset[0] == "-" else 1)
    sunday = datetime(2026, 1, 4, tzinfo=UTC) + timedelta(weeks=week)
    opens = sunday + timedelta(days=DAYS.index(day), hours=hour) - offset
    assert said.schedule.day_of_week[:3].lower() == day
    for moment in (opens, opens + timedelta(hours=said.duration_hours) - timedelta(minutes=1)):
        there = moment.astimezone(ZoneInfo(tz)).replace(tzinfo=UTC)
        begun = sunday + timedelta(days=DAYS.index(day), hours=hour)
        assert begun <= there < begun + timedelta(hours=hours)


@pytest.mark.parametrize(
    ("window", "why"),
    [
        pytest.param(
            Weekly(days="mon-fri", start="22:00", hours=5),
            "opens on 5 days of the week; AKS accepts one day or every day",
            id="some days",
        ),
        pytest.param(Daily(start="01:00", hours=3), "is 3 hours long; AKS accepts 4 to 24", id="too short"),
        pytest.param(
            Daily(start="01:00", hours=4, tz="Europe/Paris"),
            "is 3 hours long (4 minus the hour by which daylight saving time moves it); AKS accepts 4 to 24",
            id="in Paris",
        ),
    ],
)
def test_what_aks_has_no_words_for(window: Daily | Weekly, why: str) -> None:
    assert why_unsupported(window, "node_images") == why
    with pytest.raises(UnsupportedWindowError, match="AKS accepts"):
        of_window(window, "node_images")


def test_every_day_is_daily_and_nothing_for_releases() -> None:
    assert of_window(Weekly(days="mon-sun", start="01:00", hours=4), "upgrades").schedule.kind == "DailySchedule"
    assert why_unsupported(Daily(start="01:00", hours=4), "releases") == "opens on 7 days of the week; AKS accepts one"


def test_an_offset_behind_utc_and_half_an_hour() -> None:
    assert of_window(Daily(start="01:00", hours=5, tz="America/New_York"), "upgrades").utc_offset == "-05:00"
    assert of_window(Daily(start="01:00", hours=5, tz="Asia/Kolkata"), "upgrades").utc_offset == "+05:30"


def test_what_is_declared_is_kept_and_the_rest_comes_of_the_window() -> None:
    own = MaintenanceWindow(schedule=WeeklySchedule("Monday"))
    completed = MaintenanceConfigurations(upgrades=own).completed(Weekly(days="sat", start="01:00", hours=4), ["upgrades", "node_images"])
    assert completed.upgrades == own
    assert completed.releases is None
    assert completed.node_images is not None
    assert MaintenanceConfigurations().completed(None, ["upgrades"]) == MaintenanceConfigurations()


SATURDAY, SUNDAY = Weekly(days="sat", start="01:00", hours=5), Weekly(days="sun", start="01:00", hours=5)


@pytest.mark.parametrize(
    ("pool", "around", "budgets"),
    [
        pytest.param(EksNodePool(), None, ["10%"], id="no window, and the default"),
        pytest.param(EksNodePool(), SATURDAY, ["10%", "0 6 * * 6 for 163h"], id="that of the cluster, and the cloud's 10% in it"),
        pytest.param(AksNodePool(maintenance=SUNDAY), SATURDAY, ["10%", "0 6 * * 0 for 163h"], id="its own wins"),
        pytest.param(AksNodePool(maintenance=SUNDAY), None, ["10%", "0 6 * * 0 for 163h"], id="its own, alone"),
        pytest.param(
            EksNodePool(disruption=Disruption(consolidate_after="5m", budgets=[Budget(nodes="1")])),
            SATURDAY,
            ["1", "0 6 * * 6 for 163h"],
            id="beside its own budgets",
        ),
    ],
)
def test_a_pool_within_a_window(pool: EksNodePool, around: Weekly | None, budgets: list[str]) -> None:
    applied = pool.with_window_budgets(around)
    assert [f"{one.schedule} for {one.duration}" if one.schedule else one.nodes for one in applied.disruption.applied_budgets] == budgets
    assert applied.disruption.consolidate_after == pool.disruption.consolidate_after
    assert applied.with_window_budgets(None) == applied


@pytest.mark.parametrize(
    ("given", "reasons"),
    [
        pytest.param({}, ("Drifted", "Underutilized"), id="by default what moves running pods"),
        pytest.param({"reasons": ["Drifted"]}, ("Drifted",), id="consolidation as usual"),
        pytest.param({"reasons": ["Underutilized", "Drifted", "Drifted"]}, ("Drifted", "Underutilized"), id="each once, in one order"),
        pytest.param({"reasons": ["Underutilized", "Empty", "Drifted"]}, None, id="all of them: a budget without reasons"),
    ],
)
def test_a_window_closes_the_pool_for_its_reasons(given: dict[str, object], reasons: tuple[str, ...] | None) -> None:
    for window in (Weekly(days="sat", start="01:00", hours=5, **given), Daily(start="01:00", hours=5, **given)):
        assert [budget.reasons for budget in window.disruption_budgets()] == [reasons]


@pytest.mark.parametrize("reasons", [[], ["Expired"], ["Drifted"] * 4])
def test_reasons_that_cannot_be(reasons: list[str]) -> None:
    with pytest.raises(ValidationError, match="reasons"):
        Daily.model_validate({"start": "01:00", "hours": 5, "reasons": reasons})


def test_how_a_window_is_shown() -> None:
    assert str(SATURDAY) == "sat 01:00 for 5h, UTC"
    assert str(Daily(start="01:00", hours=5, tz="Europe/Paris")) == "daily 01:00 for 5h, Europe/Paris"


def test_a_cluster_as_it_is_deployed_has_the_window_of_its_platform() -> None:
    eks = {"kind": "EksCluster", "region": "us-east-1", "kubernetes_version": "1.36", "auto_mode": {"node_pools": {"web": {}}}}
    own = {**eks, "maintenance": {"kind": "Weekly", "days": "sun", "start": "01:00", "hours": 5}}
    platform = Platform.model_validate({"name": "dev", "maintenance": SATURDAY, "clusters": {"use1": eks, "usw2": own}})
    assert platform.cluster("use1").maintenance == SATURDAY
    assert platform.cluster("usw2").maintenance == SUNDAY
    assert platform.clusters["use1"].maintenance is None
    assert platform.cluster("use1").tags["cluster"] == "use1"
    applied = {key: platform.cluster(key).applied_node_pools["web"].disruption.budgets[-1].schedule for key in platform.clusters}
    assert applied == {"use1": "0 6 * * 6", "usw2": "0 6 * * 0"}


@pytest.mark.parametrize(
    ("schedule", "duration", "admitted", "readable"),
    [
        (None, None, True, True),
        ("0 9 * * 1-5", "8h", True, True),
        ("0 9 * * 1-5", None, False, False),
        (None, "8h", False, False),
        ("61 9 * * *", "8h", True, False),
        ("0 9 * *", "8h", False, False),
    ],
)
def test_a_budget_that_the_api_server_accepts_can_be_one_that_karpenter_cannot_read(
    schedule: str | None, duration: str | None, *, admitted: bool, readable: bool
) -> None:
    budget = Budget(nodes="0", schedule=schedule, duration=duration)
    assert (budget.is_admitted, budget.is_readable) == (admitted, readable)
