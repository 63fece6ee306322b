"""Maintenance configurations of any program, from azure-native's inputs to the model: the inverse of maintenance.py. No SDK is needed."""

import re
from collections.abc import Mapping
from typing import Final, cast

from nodepools.manifests.inputs import Each, Spelling, field, said
from nodepools.model.aks.maintenance import MaintenanceWindow
from nodepools.rules.validated import validated

_KINDS: Final = {
    "daily": "DailySchedule",
    "weekly": "WeeklySchedule",
    "absoluteMonthly": "AbsoluteMonthlySchedule",
    "relativeMonthly": "RelativeMonthlySchedule",
}


def _schedule(value: object) -> dict[str, object]:
    [(word, inner)] = cast("Mapping[str, Mapping[str, object]]", value).items()
    return {"kind": _KINDS[word], **{re.sub("[A-Z]", lambda capital: f"_{capital[0].lower()}", name): part for name, part in inner.items()}}


CONFIGURATION: Final[Spelling] = {
    "maintenanceWindow": {
        "schedule": field("schedule", read=_schedule),
        "durationHours": field("duration_hours"),
        "startTime": field("start_time"),
        "utcOffset": field("utc_offset"),
        "startDate": field("start_date"),
        "notAllowedDates": Each(("not_allowed",), {"start": field("start"), "end": field("end")}),
    }
}
"""The inputs of a MaintenanceConfiguration."""


def maintenance_window(written: Mapping[str, object]) -> MaintenanceWindow | None:
    """Its window, as far as that is known; none where only the hours of the week are said, in the former way."""
    if written.get("maintenanceWindow") is None:
        return None
    made, _ = validated(MaintenanceWindow, said(CONFIGURATION, written))
    return made
