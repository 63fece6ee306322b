"""When AKS may touch a cluster of its own accord. Facts: docs/facts/aks.md § 8."""

from collections.abc import Sequence
from typing import Annotated, Literal, TypeAlias

from pydantic import Discriminator, Field

from nodepools.model.base import Model
from nodepools.model.ref import KNOWN

WeekDay: TypeAlias = Literal["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
_DATE = r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$"


class Daily(Model):
    """Every so many days. For node images only."""

    kind: Literal["Daily"] = "Daily"
    interval_days: int = Field(default=1, ge=1, le=7, kw_only=False)
    """Days from one to the next, 1 to 7."""


class Weekly(Model):
    """On one day of the week: there is no way to name two."""

    kind: Literal["Weekly"] = "Weekly"
    day_of_week: WeekDay = Field(kw_only=False)
    """The day."""
    interval_weeks: int = Field(default=1, ge=1, le=4)
    """Weeks from one to the next, 1 to 4."""


class MonthlyOnDate(Model):
    """On one day of the month."""

    kind: Literal["MonthlyOnDate"] = "MonthlyOnDate"
    day_of_month: int = Field(ge=1, le=31, kw_only=False)
    """The day, 1 to 31."""
    interval_months: int = Field(default=1, ge=1, le=6)
    """Months from one to the next, 1 to 6."""


class MonthlyOnWeekDay(Model):
    """On the first Monday of the month, say."""

    kind: Literal["MonthlyOnWeekDay"] = "MonthlyOnWeekDay"
    week_index: Literal["First", "Second", "Third", "Fourth", "Last"] = Field(kw_only=False)
    """Which of them."""
    day_of_week: WeekDay = Field(kw_only=False)
    """The day."""
    interval_months: int = Field(default=1, ge=1, le=6)
    """Months from one to the next, 1 to 6."""


Schedule = Annotated[Daily | Weekly | MonthlyOnDate | MonthlyOnWeekDay, Discriminator("kind"), KNOWN]


class Dates(Model):
    """From one date to another, both with it."""

    start: str = Field(pattern=_DATE, kw_only=False)
    """`2026-12-20`."""
    end: str = Field(pattern=_DATE, kw_only=False)
    """`2027-01-06`."""


class MaintenanceWindow(Model):
    """A time in which AKS may upgrade. Upgrades begin in it, as well as AKS can, and may outlast it."""

    schedule: Schedule
    """On which days."""
    duration_hours: int = Field(default=4, ge=4, le=24)
    """Its length, 4 to 24 hours."""
    start_time: str = Field(default="00:00", pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")
    """`02:00`, by `utc_offset`."""
    utc_offset: str = Field(default="+00:00", pattern=r"^[+-](0[0-9]|1[0-4]):[0-5][0-9]$")
    """`+01:00`. It is fixed: there is no daylight saving."""
    start_date: str | None = Field(default=None, pattern=_DATE)
    """First day on which it counts; at once when left out."""
    not_allowed: Sequence[Dates] = ()
    """When nothing is upgraded, though the schedule says so."""


class WeeklyHours(Model):
    """Hours of a day of the week, UTC."""

    day: WeekDay = Field(kw_only=False)
    """The day."""
    hours: Sequence[Annotated[int, Field(ge=0, le=23)]] = Field(min_length=1, kw_only=False)
    """0 to 23: each stands for the hour that begins with it."""


class Maintenance(Model):
    """The three maintenance configurations that a cluster can have. What is left out may happen at any time."""

    releases: Sequence[WeeklyHours] = ()
    """`default`: when AKS may roll its own weekly releases out."""
    upgrades: MaintenanceWindow | None = None
    """`aksManagedAutoUpgradeSchedule`: when `auto_upgrade` may upgrade Kubernetes."""
    node_images: MaintenanceWindow | None = None
    """`aksManagedNodeOSUpgradeSchedule`: when node images may be upgraded, by `node_os_upgrade` and by node auto provisioning."""
