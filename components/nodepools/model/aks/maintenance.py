"""The maintenance configurations of an AKS cluster: when AKS can upgrade it, and the times at which one is open. Facts: docs/facts/aks.md § 8."""

from calendar import monthrange
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta, timezone
from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, Discriminator, Field
from pydantic_core import PydanticCustomError

from nodepools.model.base import Model
from nodepools.model.derive import derive
from nodepools.model.disruption_calendar import State, Window
from nodepools.model.maintenance import AnyWindow, MaybeWindow, offsets
from nodepools.model.ref import KNOWN

WeekDay: TypeAlias = Literal["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
Configuration: TypeAlias = Literal["releases", "upgrades", "node_images"]
CONFIGURATIONS: Mapping[str, Configuration] = {
    "default": "releases",
    "aksManagedAutoUpgradeSchedule": "upgrades",
    "aksManagedNodeOSUpgradeSchedule": "node_images",
}
"""AKS's names of the configurations, and the names of our fields."""
_WEEK: tuple[WeekDay, ...] = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
_DATE = r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$"
_SHORTEST = 4


def _exists(text: str) -> str:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        message = "must be a day and a time of day that exist" if "T" in text else "must be a day that exists"
        raise PydanticCustomError("calendar", message) from None
    return text


Moment: TypeAlias = Annotated[str, AfterValidator(_exists)]
"""A day, or a day with a time of day, in a form that the pattern of its field says."""


class DailySchedule(Model):
    """Every given number of days. Not for AKS releases."""

    kind: Literal["DailySchedule"] = "DailySchedule"
    interval_days: int = Field(default=1, ge=1, le=7, kw_only=False)
    """Days between two maintenance windows, 1 to 7."""


class WeeklySchedule(Model):
    """On one day of the week. AKS does not support several days."""

    kind: Literal["WeeklySchedule"] = "WeeklySchedule"
    day_of_week: WeekDay = Field(kw_only=False)
    """Day of the week."""
    interval_weeks: int = Field(default=1, ge=1, le=4)
    """Weeks between two maintenance windows, 1 to 4."""


class AbsoluteMonthlySchedule(Model):
    """On one day of the month. Not for AKS releases."""

    kind: Literal["AbsoluteMonthlySchedule"] = "AbsoluteMonthlySchedule"
    day_of_month: int = Field(ge=1, le=31, kw_only=False)
    """Day of the month, 1 to 31."""
    interval_months: int = Field(default=1, ge=1, le=6)
    """Months between two maintenance windows, 1 to 6."""


class RelativeMonthlySchedule(Model):
    """On a weekday of the month, such as the first Monday. Not for AKS releases."""

    kind: Literal["RelativeMonthlySchedule"] = "RelativeMonthlySchedule"
    week_index: Literal["First", "Second", "Third", "Fourth", "Last"] = Field(kw_only=False)
    """Which of these weekdays in the month."""
    day_of_week: WeekDay = Field(kw_only=False)
    """Day of the week."""
    interval_months: int = Field(default=1, ge=1, le=6)
    """Months between two maintenance windows, 1 to 6."""


Schedule = Annotated[DailySchedule | WeeklySchedule | AbsoluteMonthlySchedule | RelativeMonthlySchedule, Discriminator("kind"), KNOWN]


class Dates(Model):
    """A range of dates, including both."""

    start: Moment = Field(pattern=_DATE, kw_only=False)
    """First day, such as `2026-12-20`."""
    end: Moment = Field(pattern=_DATE, kw_only=False)
    """Last day, such as `2027-01-06`."""


class MaintenanceWindow(Model):
    """A time in which AKS can start upgrades. Starting in the window is best effort, and an upgrade can run beyond its end."""

    schedule: Schedule
    """On which days the window opens."""
    duration_hours: int = Field(default=4, ge=4, le=24)
    """Length of the window, 4 to 24 hours."""
    start_time: str = Field(default="00:00", pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")
    """Start of the window in `utc_offset`, such as `02:00`."""
    utc_offset: str = Field(default="+00:00", pattern=r"^[+-](0[0-9]|1[0-4]):[0-5][0-9]$")
    """UTC offset of `start_time`, such as `+01:00`. It is fixed: there is no daylight saving time."""
    start_date: Moment | None = Field(default=None, pattern=_DATE)
    """First day on which the window applies. Default: immediately."""
    not_allowed: Sequence[Dates] = ()
    """Dates on which AKS starts no upgrades, even if the schedule includes them."""


class MaintenanceConfigurations(Model):
    """The three maintenance configurations of an AKS cluster. Those that are not set are derived from `maintenance`."""

    releases: MaintenanceWindow | None = None
    """`default`: when AKS can roll out its weekly releases to the control plane and the add-ons. On one day of the week."""
    upgrades: MaintenanceWindow | None = None
    """`aksManagedAutoUpgradeSchedule`: when `auto_upgrade` can upgrade Kubernetes."""
    node_images: MaintenanceWindow | None = None
    """`aksManagedNodeOSUpgradeSchedule`: when `node_os_upgrade` and node auto provisioning can upgrade node images."""

    def by_name(self) -> dict[str, MaintenanceWindow]:
        """The configurations that are set, by their names in AKS."""
        windows: dict[str, MaintenanceWindow | None] = {name: getattr(self, field) for name, field in CONFIGURATIONS.items()}
        return {name: window for name, window in windows.items() if window is not None}

    def completed(self, window: MaybeWindow, configurations: Iterable[Configuration]) -> "MaintenanceConfigurations":
        """Fills in `window` for those of `configurations` that are not set, if AKS supports it."""
        missing: list[Configuration] = [name for name in configurations if getattr(self, name) is None]
        made = {name: of_window(window, name) for name in missing if window is not None and why_unsupported(window, name) is None}
        return derive(self, made)


class UnsupportedWindowError(ValueError):
    """AKS does not support the maintenance window; the message says why."""


def of_window(window: AnyWindow, configuration: Configuration) -> MaintenanceWindow:
    """Converts `window` for AKS: with the UTC offset of winter, and shortened so that it also lies inside the window in summer.

    Raises:
        UnsupportedWindowError: AKS does not support it.
    """
    hours, offset = window.minutes // 60, min(offsets(window.tz))
    if hours < _SHORTEST:
        shortened = "" if hours == window.hours else f" ({window.hours} minus the hour by which daylight saving time moves it)"
        raise UnsupportedWindowError(f"is {hours} hours long{shortened}; AKS accepts {_SHORTEST} to 24")
    sign, (ahead, minutes) = "-" if offset < 0 else "+", divmod(abs(offset), 60)
    return MaintenanceWindow(
        schedule=_schedule(window.weekdays, configuration), duration_hours=hours, start_time=window.start, utc_offset=f"{sign}{ahead:02}:{minutes:02}"
    )


def why_unsupported(window: AnyWindow, configuration: Configuration) -> str | None:
    """Why AKS does not support `window`; `None` if it does."""
    try:
        of_window(window, configuration)
    except UnsupportedWindowError as why:
        return str(why)
    return None


def _schedule(weekdays: Sequence[int], configuration: Configuration) -> DailySchedule | WeeklySchedule:
    if len(weekdays) == 1:
        return WeeklySchedule(_WEEK[weekdays[0]])
    if configuration == "releases":
        raise UnsupportedWindowError(f"opens on {len(weekdays)} days of the week; AKS accepts one")
    if len(weekdays) < len(_WEEK):
        raise UnsupportedWindowError(f"opens on {len(weekdays)} days of the week; AKS accepts one day or every day")
    return DailySchedule()


_FROM_MONDAY = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_NTH = ("First", "Second", "Third", "Fourth")


def open_windows(window: MaintenanceWindow, start: datetime, end: datetime) -> list[Window] | None:
    """Open and closed times from `start` to `end`, without gaps; `None` if they depend on the day from which AKS counts the interval."""
    if _interval(window.schedule) != 1:
        return None
    found: list[Window] = []
    here = start
    for opens, closes in _spans(window, start, end):
        if here < opens:
            found.append(Window(here, opens, State.CLOSED))
        begin, here = max(here, opens), min(closes, end)
        found.append(Window(begin, here, State.OPEN))
    if here < end:
        found.append(Window(here, end, State.CLOSED))
    return found


def _spans(window: MaintenanceWindow, start: datetime, end: datetime) -> Iterator[tuple[datetime, datetime]]:
    zone, length = _zone(window.utc_offset), timedelta(hours=window.duration_hours)
    hour, minute = window.start_time.split(":")
    day = start.astimezone(zone).date() - timedelta(days=1)
    while datetime.combine(day, time.min, zone) < end:
        opens = datetime.combine(day, time(int(hour), int(minute)), zone).astimezone(UTC)
        if opens < end and opens + length > start and _counts(window, day):
            yield opens, opens + length
        day += timedelta(days=1)


def _counts(window: MaintenanceWindow, day: date) -> bool:
    begun = window.start_date is None or window.start_date <= day.isoformat()
    return begun and _falls_on(window.schedule, day) and not any(span.start <= day.isoformat() <= span.end for span in window.not_allowed)


def _falls_on(schedule: Schedule, day: date) -> bool:
    match schedule:
        case DailySchedule():
            return True
        case WeeklySchedule():
            return _FROM_MONDAY[day.weekday()] == schedule.day_of_week
        case AbsoluteMonthlySchedule():
            return day.day == schedule.day_of_month
        case _:  # RelativeMonthlySchedule
            last = day.day + len(_FROM_MONDAY) > monthrange(day.year, day.month)[1]
            nth = last if schedule.week_index == "Last" else (day.day - 1) // len(_FROM_MONDAY) == _NTH.index(schedule.week_index)
            return nth and _FROM_MONDAY[day.weekday()] == schedule.day_of_week


def _interval(schedule: Schedule) -> int:
    match schedule:
        case DailySchedule():
            return schedule.interval_days
        case WeeklySchedule():
            return schedule.interval_weeks
        case _:
            return schedule.interval_months


def _zone(offset: str) -> timezone:
    ahead = timedelta(hours=int(offset[1:3]), minutes=int(offset[4:]))
    return timezone(-ahead if offset.startswith("-") else ahead)
