"""The three maintenance configurations of a cluster."""

import pytest

from nodepools import Daily, Dates, Maintenance, MaintenanceWindow, MonthlyOnDate, MonthlyOnWeekDay, Weekly, WeeklyHours
from nodepools.aks.maintenance import maintenance_arguments


@pytest.mark.parametrize(
    ("schedule", "made"),
    [
        pytest.param(Daily(), {"daily": {"interval_days": 1}}, id="daily"),
        pytest.param(Weekly("Sunday", interval_weeks=2), {"weekly": {"day_of_week": "Sunday", "interval_weeks": 2}}, id="weekly"),
        pytest.param(MonthlyOnDate(15), {"absolute_monthly": {"day_of_month": 15, "interval_months": 1}}, id="on a date"),
        pytest.param(
            MonthlyOnWeekDay("First", "Monday"),
            {"relative_monthly": {"week_index": "First", "day_of_week": "Monday", "interval_months": 1}},
            id="on a day of the week",
        ),
    ],
)
def test_schedules(schedule, made):
    window = maintenance_arguments(Maintenance(node_images=MaintenanceWindow(schedule=schedule)))["aksManagedNodeOSUpgradeSchedule"]
    assert window["maintenance_window"]["schedule"] == made


def test_a_window_in_full():
    window = MaintenanceWindow(
        schedule=Weekly("Sunday"),
        duration_hours=8,
        start_time="22:30",
        utc_offset="-05:00",
        start_date="2027-01-01",
        not_allowed=[Dates("2026-12-20", "2027-01-06")],
    )
    assert maintenance_arguments(Maintenance(upgrades=window)) == {
        "aksManagedAutoUpgradeSchedule": {
            "maintenance_window": {
                "schedule": {"weekly": {"day_of_week": "Sunday", "interval_weeks": 1}},
                "duration_hours": 8,
                "start_time": "22:30",
                "utc_offset": "-05:00",
                "start_date": "2027-01-01",
                "not_allowed_dates": [{"start": "2026-12-20", "end": "2027-01-06"}],
            }
        }
    }


def test_hours_of_releases():
    made = maintenance_arguments(Maintenance(releases=[WeeklyHours("Saturday", [1, 2, 3])]))
    assert made == {"default": {"time_in_week": [{"day": "Saturday", "hour_slots": [1, 2, 3]}]}}
    assert maintenance_arguments(Maintenance()) == {}


def test_each_is_a_resource_after_the_cluster(deploy):
    window = MaintenanceWindow(schedule=Weekly("Sunday"))
    graph = deploy(maintenance=Maintenance(upgrades=window, node_images=window))
    names = {made.inputs["configName"]: made for made in graph.all("MaintenanceConfiguration")}
    assert set(names) == {"aksManagedAutoUpgradeSchedule", "aksManagedNodeOSUpgradeSchedule"}
    assert all(made.depends_on("ManagedCluster/dev-weu") for made in names.values())


@pytest.mark.parametrize("hours", [3, 25])
def test_a_window_is_4_to_24_hours(hours):
    with pytest.raises(ValueError, match="duration_hours"):
        MaintenanceWindow(schedule=Daily(), duration_hours=hours)
