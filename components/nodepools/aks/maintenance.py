"""When AKS may touch a cluster: its maintenance configurations, of which there are three names."""

from collections.abc import Sequence
from typing import assert_never

import pulumi
from pulumi_azure_native import containerservice

from nodepools.component.scope import Scope
from nodepools.manifests.overlay import given
from nodepools.model.aks.maintenance import (
    AbsoluteMonthlySchedule,
    DailySchedule,
    MaintenanceConfigurations,
    MaintenanceWindow,
    RelativeMonthlySchedule,
    Schedule,
    WeeklySchedule,
)


def maintenance_configurations(
    scope: Scope, declared: MaintenanceConfigurations, cluster: containerservice.ManagedCluster, resource_group: pulumi.Input[str]
) -> Sequence[containerservice.MaintenanceConfiguration]:
    """Registers them. They need the cluster, and nothing needs them."""
    return [
        containerservice.MaintenanceConfiguration(
            scope.name(name),
            config_name=name,
            resource_group_name=resource_group,
            resource_name_=cluster.name,
            **arguments,  # type: ignore[arg-type]  # made for it
            opts=scope.options(depends_on=[cluster]),
        )
        for name, arguments in maintenance_arguments(declared).items()
    ]


def maintenance_arguments(declared: MaintenanceConfigurations) -> dict[str, dict[str, object]]:
    """By name of the configuration."""
    return {name: {"maintenance_window": _window(window)} for name, window in declared.by_name().items()}


def _window(declared: MaintenanceWindow) -> dict[str, object]:
    return {
        "schedule": _schedule(declared.schedule),
        "duration_hours": declared.duration_hours,
        "start_time": declared.start_time,
        "utc_offset": declared.utc_offset,
        **given(start_date=declared.start_date, not_allowed_dates=[{"start": span.start, "end": span.end} for span in declared.not_allowed]),
    }


def _schedule(declared: Schedule) -> dict[str, object]:
    match declared:
        case DailySchedule():
            return {"daily": {"interval_days": declared.interval_days}}
        case WeeklySchedule():
            return {"weekly": {"day_of_week": declared.day_of_week, "interval_weeks": declared.interval_weeks}}
        case AbsoluteMonthlySchedule():
            return {"absolute_monthly": {"day_of_month": declared.day_of_month, "interval_months": declared.interval_months}}
        case RelativeMonthlySchedule():
            day = {"week_index": declared.week_index, "day_of_week": declared.day_of_week}
            return {"relative_monthly": {**day, "interval_months": declared.interval_months}}
        case _:
            assert_never(declared)
