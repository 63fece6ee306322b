"""The table of maintenance configurations: complete on both sides, and undone by reading."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from pulumi_azure_native.containerservice import _inputs
from pulumi_azure_native.containerservice.maintenance_configuration import MaintenanceConfiguration

from nodepools.model.aks.maintenance import CONFIGURATIONS, Dates, MaintenanceConfigurations, MaintenanceWindow
from nodepools.model.base import Model
from nodepools.model.derive import derive
from nodepools.model.unknowns import UNKNOWN, partial
from nodepools.wire.aks.maintenance import CONFIGURATION, DATES, SCHEDULES
from nodepools.wire.paths import differences, model_of, wire_of
from nodepools.wire.reading import Reading, Why, read, write
from nodepools.wire.table import Effect, Table, python_name
from tests.wire.completeness import arguments, declared, fields, inputs, names_below, without_reason, without_source
from tests.wire.declared import windows

SCHEDULE = ("maintenanceWindow", "schedule")
PARTS: dict[str, tuple[type[Model], Table, str]] = {
    **{name: (kind, table, f"{kind.__name__}Args") for name, (kind, table) in SCHEDULES.items()},
    "dates": (Dates, DATES, "DateSpanArgs"),
}


def test_every_argument_of_the_sdk_has_a_row() -> None:
    assert {python_name(name) for name in names_below(CONFIGURATION)} == arguments(MaintenanceConfiguration)
    assert names_below(CONFIGURATION, ("maintenanceWindow",)) == inputs(_inputs.MaintenanceWindowArgs)
    assert set(SCHEDULES) == inputs(_inputs.ScheduleArgs)


def test_every_field_has_one_row() -> None:
    assert fields(CONFIGURATION) == declared(MaintenanceWindow)
    assert set(CONFIGURATIONS.values()) == set(MaintenanceConfigurations.model_fields), "each is a configuration of its own"


@pytest.mark.parametrize(("kind", "table", "sdk"), PARTS.values(), ids=PARTS)
def test_every_part_is_complete(kind: type[Model], table: Table, sdk: str) -> None:
    assert names_below(table) == inputs(getattr(_inputs, sdk))
    assert fields(table) == declared(kind)


def test_a_row_says_what_a_change_does_and_who_says_so() -> None:
    assert without_source(CONFIGURATION) == without_reason(CONFIGURATION) == []
    assert [one for _, table in SCHEDULES.values() for one in without_source(table)] == []


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(windows())
def test_what_is_written_is_read_and_written_again(window: MaintenanceWindow) -> None:
    wire = write(CONFIGURATION, window)
    reading = Reading()
    assert MaintenanceWindow.model_validate(read(CONFIGURATION, wire, reading)) == window
    assert reading.left == []


def schedule(said: object) -> dict[str, object]:
    return {"maintenanceWindow": {"schedule": said}}


READ: list[tuple[str, dict[str, object], dict[str, object], list[tuple[tuple[str, ...], Why]]]] = [
    ("nothing", {}, {}, []),
    ("a schedule", schedule({"daily": {"intervalDays": 2}, "weekly": None}), {"schedule": {"kind": "DailySchedule", "interval_days": 2}}, []),
    ("a schedule that is not known", schedule(UNKNOWN), {"schedule": UNKNOWN}, []),
    ("one of which nothing is known", schedule({"daily": UNKNOWN}), {"schedule": UNKNOWN}, []),
    ("a schedule that is none", schedule("daily"), {"schedule": UNKNOWN}, [(SCHEDULE, Why.UNREADABLE)]),
    ("of no class", schedule({"yearly": {}}), {"schedule": UNKNOWN}, [(SCHEDULE, Why.UNREADABLE)]),
    ("of two classes", schedule({"daily": {}, "weekly": {}}), {"schedule": UNKNOWN}, [(SCHEDULE, Why.UNREADABLE)]),
    ("of a class that is none", schedule({"daily": 7}), {"schedule": UNKNOWN}, [((*SCHEDULE, "daily"), Why.NO_PART)]),
    (
        "with more than the class has",
        schedule({"daily": {"color": "red"}}),
        {"schedule": {"kind": "DailySchedule"}},
        [((*SCHEDULE, "daily", "color"), Why.NO_SUCH_FIELD)],
    ),
    ("hours of a week", {"timeInWeek": [{"day": "Sunday"}]}, {}, [(("timeInWeek",), Why.UNMODELED)]),
]


@pytest.mark.parametrize(("wire", "found", "left"), [row[1:] for row in READ], ids=[row[0] for row in READ])
def test_what_is_not_understood_is_unknown_and_listed(wire: Mapping[str, Any], found: object, left: object) -> None:
    reading = Reading()
    assert read(CONFIGURATION, wire, reading) == found
    assert [(one.steps, one.why) for one in reading.left] == left


WINDOW = MaintenanceWindow.model_validate({"schedule": {"kind": "DailySchedule"}})


def test_a_schedule_that_is_not_known_is_sent_as_unknown() -> None:
    assert write(CONFIGURATION, partial(WINDOW, ("schedule",)))["maintenanceWindow"] == {
        "schedule": UNKNOWN,
        "durationHours": 4,
        "startTime": "00:00",
        "utcOffset": "+00:00",
    }


def test_paths_go_both_ways() -> None:
    assert wire_of(CONFIGURATION, ("not_allowed", 1, "end")) == ("maintenanceWindow", "notAllowedDates", 1, "end")
    assert model_of(CONFIGURATION, ("maintenanceWindow", "notAllowedDates", 1, "end")) == ("not_allowed", 1, "end")
    assert wire_of(CONFIGURATION, ("schedule", "day_of_week")) == SCHEDULE, "which class it is decides where in it"
    assert model_of(CONFIGURATION, (*SCHEDULE, "daily")) == ("schedule",)


def test_a_change_touches_the_configuration_alone() -> None:
    after = derive(WINDOW, schedule={"kind": "DailySchedule", "interval_days": 2}, utc_offset="+01:00")
    found = {
        one.model: one.effect for one in differences(CONFIGURATION, write(CONFIGURATION, WINDOW), write(CONFIGURATION, after), "MaintenanceWindow")
    }
    assert found == {("schedule",): Effect.IN_PLACE, ("utc_offset",): Effect.IN_PLACE}
