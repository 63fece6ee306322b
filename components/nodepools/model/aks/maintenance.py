"""When AKS may touch a cluster of its own accord: its maintenance configurations. Facts: docs/facts/aks.md § 8."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Literal, TypeAlias

from pydantic import Discriminator, Field

from nodepools.model.base import Model
from nodepools.model.derive import derive
from nodepools.model.maintenance import AnyWindow, MaybeWindow, offsets
from nodepools.model.ref import KNOWN

WeekDay: TypeAlias = Literal["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
Configuration: TypeAlias = Literal["releases", "upgrades", "node_images"]
CONFIGURATIONS: Mapping[str, Configuration] = {
    "default": "releases",
    "aksManagedAutoUpgradeSchedule": "upgrades",
    "aksManagedNodeOSUpgradeSchedule": "node_images",
}
"""The names that AKS has for them, and ours."""
_WEEK: tuple[WeekDay, ...] = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
_DATE = r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$"
_SHORTEST = 4


class DailySchedule(Model):
    """Every so many days. Not for AKS's own releases."""

    kind: Literal["DailySchedule"] = "DailySchedule"
    interval_days: int = Field(default=1, ge=1, le=7, kw_only=False)
    """Days from one to the next, 1 to 7."""


class WeeklySchedule(Model):
    """On one day of the week: there is no way to name two."""

    kind: Literal["WeeklySchedule"] = "WeeklySchedule"
    day_of_week: WeekDay = Field(kw_only=False)
    """The day."""
    interval_weeks: int = Field(default=1, ge=1, le=4)
    """Weeks from one to the next, 1 to 4."""


class AbsoluteMonthlySchedule(Model):
    """On one day of the month. Not for AKS's own releases."""

    kind: Literal["AbsoluteMonthlySchedule"] = "AbsoluteMonthlySchedule"
    day_of_month: int = Field(ge=1, le=31, kw_only=False)
    """The day, 1 to 31."""
    interval_months: int = Field(default=1, ge=1, le=6)
    """Months from one to the next, 1 to 6."""


class RelativeMonthlySchedule(Model):
    """On the first Monday of the month, say. Not for AKS's own releases."""

    kind: Literal["RelativeMonthlySchedule"] = "RelativeMonthlySchedule"
    week_index: Literal["First", "Second", "Third", "Fourth", "Last"] = Field(kw_only=False)
    """Which of them."""
    day_of_week: WeekDay = Field(kw_only=False)
    """The day."""
    interval_months: int = Field(default=1, ge=1, le=6)
    """Months from one to the next, 1 to 6."""


Schedule = Annotated[DailySchedule | WeeklySchedule | AbsoluteMonthlySchedule | RelativeMonthlySchedule, Discriminator("kind"), KNOWN]


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


class MaintenanceConfigurations(Model):
    """The three maintenance configurations that a cluster can have, as AKS knows them. One that is left out comes of `maintenance`."""

    releases: MaintenanceWindow | None = None
    """`default`: when AKS may roll its own weekly releases out, to the control plane and the add-ons. On one day of the week."""
    upgrades: MaintenanceWindow | None = None
    """`aksManagedAutoUpgradeSchedule`: when `auto_upgrade` may upgrade Kubernetes."""
    node_images: MaintenanceWindow | None = None
    """`aksManagedNodeOSUpgradeSchedule`: when node images may be upgraded, by `node_os_upgrade` and by node auto provisioning."""

    def by_name(self) -> dict[str, MaintenanceWindow]:
        """Those that are set, by the names that AKS has for them."""
        windows: dict[str, MaintenanceWindow | None] = {name: getattr(self, field) for name, field in CONFIGURATIONS.items()}
        return {name: window for name, window in windows.items() if window is not None}

    def completed(self, window: MaybeWindow, wanted: Iterable[Configuration]) -> "MaintenanceConfigurations":
        """Those that are declared, and for the others that are wanted `window`, where AKS has words for it."""
        missing: list[Configuration] = [name for name in wanted if getattr(self, name) is None]
        made = {name: of_window(window, name) for name in missing if window is not None and why_unsupported(window, name) is None}
        return derive(self, made)


class UnsupportedWindowError(ValueError):
    """AKS has no words for a window; the message says why."""


def of_window(window: AnyWindow, configuration: Configuration) -> MaintenanceWindow:
    """`window` in AKS's words: by the offset of winter, and so much shorter that it is inside in summer too.

    Raises:
        UnsupportedWindowError: there are none.
    """
    hours, offset = window.minutes // 60, min(offsets(window.tz))
    if hours < _SHORTEST:
        less = "" if hours == window.hours else f" ({window.hours} less what summer time takes)"
        msg = f"is {hours} hours long{less}, and AKS supports {_SHORTEST} to 24"
        raise UnsupportedWindowError(msg)
    sign, (ahead, minutes) = "-" if offset < 0 else "+", divmod(abs(offset), 60)
    return MaintenanceWindow(
        schedule=_schedule(window.weekdays, configuration),
        duration_hours=hours,
        start_time=window.start,
        utc_offset=f"{sign}{ahead:02}:{minutes:02}",
    )


def why_unsupported(window: AnyWindow, configuration: Configuration) -> str | None:
    """Why AKS has no words for `window`; `None` where it has."""
    try:
        of_window(window, configuration)
    except UnsupportedWindowError as why:
        return str(why)
    return None


def _schedule(weekdays: Sequence[int], configuration: Configuration) -> DailySchedule | WeeklySchedule:
    if len(weekdays) == 1:
        return WeeklySchedule(_WEEK[weekdays[0]])
    if configuration == "releases":
        msg = f"opens on {len(weekdays)} weekdays, and AKS supports one"
        raise UnsupportedWindowError(msg)
    if len(weekdays) < len(_WEEK):
        msg = f"opens on {len(weekdays)} weekdays, and AKS supports one or every day"
        raise UnsupportedWindowError(msg)
    return DailySchedule()
