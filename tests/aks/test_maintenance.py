"""The maintenance configurations of a cluster: of the window that people say, and in AKS's own words."""

import pytest

from nodepools import Daily, Weekly, check
from nodepools.aks import (
    AbsoluteMonthlySchedule,
    DailySchedule,
    Dates,
    MaintenanceConfigurations,
    MaintenanceWindow,
    RelativeMonthlySchedule,
    WeeklySchedule,
)
from nodepools.aks.cluster import maintenance_arguments

SATURDAY = Weekly(days="sat", start="01:00", hours=5, tz="Europe/Paris")


@pytest.mark.parametrize(
    ("schedule", "made"),
    [
        pytest.param(DailySchedule(), {"daily": {"interval_days": 1}}, id="daily"),
        pytest.param(WeeklySchedule("Sunday", interval_weeks=2), {"weekly": {"day_of_week": "Sunday", "interval_weeks": 2}}, id="weekly"),
        pytest.param(AbsoluteMonthlySchedule(15), {"absolute_monthly": {"day_of_month": 15, "interval_months": 1}}, id="on a date"),
        pytest.param(
            RelativeMonthlySchedule("First", "Monday"),
            {"relative_monthly": {"week_index": "First", "day_of_week": "Monday", "interval_months": 1}},
            id="on a day of the week",
        ),
    ],
)
def test_schedules(schedule, made):
    declared = MaintenanceConfigurations(node_images=MaintenanceWindow(schedule=schedule))
    assert maintenance_arguments(declared)["aksManagedNodeOSUpgradeSchedule"]["maintenance_window"]["schedule"] == made


def test_a_window_in_full():
    window = MaintenanceWindow(
        schedule=WeeklySchedule("Sunday"),
        duration_hours=8,
        start_time="22:30",
        utc_offset="-05:00",
        start_date="2027-01-01",
        not_allowed=[Dates("2026-12-20", "2027-01-06")],
    )
    assert maintenance_arguments(MaintenanceConfigurations(upgrades=window)) == {
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


def registered(graph):
    return {made.inputs["configName"]: made.inputs["maintenanceWindow"] for made in graph.all("MaintenanceConfiguration")}


def test_a_cluster_without_a_window_has_no_configuration(deploy):
    assert registered(deploy()) == {}


def test_each_is_a_resource_after_the_cluster(deploy):
    graph = deploy(maintenance=SATURDAY, auto_upgrade="patch")
    made = graph.all("MaintenanceConfiguration")
    assert {one.inputs["configName"] for one in made} == {"default", "aksManagedAutoUpgradeSchedule", "aksManagedNodeOSUpgradeSchedule"}
    assert all(one.depends_on("ManagedCluster/dev-weu") for one in made)


def test_a_human_window_is_by_the_offset_of_winter_and_an_hour_shorter(deploy):
    assert registered(deploy(maintenance=SATURDAY))["aksManagedNodeOSUpgradeSchedule"] == {
        "schedule": {"weekly": {"dayOfWeek": "Saturday", "intervalWeeks": 1}},
        "durationHours": 4,
        "startTime": "01:00",
        "utcOffset": "+01:00",
    }


@pytest.mark.parametrize(
    ("changes", "names"),
    [
        pytest.param({}, {"default", "aksManagedNodeOSUpgradeSchedule"}, id="node images come by themselves"),
        pytest.param({"node_os_upgrade": "None"}, {"default"}, id="nothing but releases is on"),
        pytest.param({"node_os_upgrade": "None", "auto_upgrade": "patch"}, {"default", "aksManagedAutoUpgradeSchedule"}, id="upgrades alone"),
        pytest.param({"maintenance": Daily(start="01:00", hours=5)}, {"aksManagedNodeOSUpgradeSchedule"}, id="releases keep no daily window"),
    ],
)
def test_what_is_made_follows_what_is_turned_on(deploy, changes, names):
    assert set(registered(deploy(**{"maintenance": SATURDAY, **changes}))) == names


def test_an_explicit_configuration_takes_the_place_of_the_one_that_comes_of_the_window(deploy):
    own = MaintenanceWindow(schedule=AbsoluteMonthlySchedule(1), start_time="03:00")
    made = registered(deploy(maintenance=SATURDAY, maintenance_configurations=MaintenanceConfigurations(node_images=own)))
    assert made["aksManagedNodeOSUpgradeSchedule"]["schedule"] == {"absoluteMonthly": {"dayOfMonth": 1, "intervalMonths": 1}}
    assert made["default"]["schedule"] == {"weekly": {"dayOfWeek": "Saturday", "intervalWeeks": 1}}


@pytest.mark.parametrize("hours", [3, 25])
def test_a_window_is_4_to_24_hours(hours):
    assert [finding.path for finding in check(MaintenanceWindow(schedule=DailySchedule(), duration_hours=hours))] == ["duration_hours"]
