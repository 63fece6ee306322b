"""Maintenance configurations in Azure's API: each has a window, and a schedule of one kind in it."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple, cast

from nodepools.model.aks.maintenance import AbsoluteMonthlySchedule, DailySchedule, RelativeMonthlySchedule, WeeklySchedule
from nodepools.model.base import Model
from nodepools.model.steps import Steps
from nodepools.model.unknowns import UNKNOWN
from nodepools.wire.aks.sources import OURS, PATH, WINDOW
from nodepools.wire.reading import Reading, Why, Writing
from nodepools.wire.rows import Each, Note, Row
from nodepools.wire.table import Change, FieldPath, Table, Written, own_place, path


class OneOf(NamedTuple):
    """A part of one of several classes. The wire has a different name for each."""

    field: str
    wire: str
    kinds: Mapping[str, tuple[type[Model], Table]]
    """Name on the wire to class and table."""
    change: Change

    def write(self, part: Model, out: Writing) -> None:
        """Writes the part under the name of its class."""
        inner = out.value(part, self.field)
        for name, (kind, table) in self.kinds.items():
            if isinstance(inner, kind):
                out.put(f"{self.wire}.{name}", out.entry(table, inner))
        if inner is UNKNOWN:
            out.put(self.wire, UNKNOWN)

    def read(self, written: Written, reading: Reading, place: Steps) -> Written:
        """The part and its class; unknown if no class matches, or several do."""
        held = reading.at(written, self.wire)
        if held is None:
            return {}
        entries = cast("Written", held).items() if isinstance(held, Mapping) else ()
        match [(name, entry) for name, entry in entries if entry is not None]:
            case [(name, inner)] if name in self.kinds:
                kind, table = self.kinds[name]
                found = reading.entry(table, inner, (*place, *path(self.wire), name)) if inner is not UNKNOWN else None
                return {self.field: {"kind": kind.__name__, **found} if found is not None else UNKNOWN}
            case _:
                if held is not UNKNOWN:
                    reading.report_unread((*place, *path(self.wire)), cast("object", held), Why.UNREADABLE)
                return {self.field: UNKNOWN}

    def field_paths(self) -> Iterator[FieldPath]:
        """Its place. The class determines what is inside."""
        yield FieldPath((self.field,), path(self.wire), self.change, self)

    read_paths = own_place


_KIND: Final = Note("ours", "kind", OURS)
SCHEDULES: Final[Mapping[str, tuple[type[Model], Table]]] = {
    "daily": (DailySchedule, Table(Row("interval_days", "intervalDays", WINDOW), _KIND)),
    "weekly": (WeeklySchedule, Table(Row("day_of_week", "dayOfWeek", WINDOW), Row("interval_weeks", "intervalWeeks", WINDOW), _KIND)),
    "absoluteMonthly": (
        AbsoluteMonthlySchedule,
        Table(Row("day_of_month", "dayOfMonth", WINDOW), Row("interval_months", "intervalMonths", WINDOW), _KIND),
    ),
    "relativeMonthly": (
        RelativeMonthlySchedule,
        Table(
            Row("week_index", "weekIndex", WINDOW), Row("day_of_week", "dayOfWeek", WINDOW), Row("interval_months", "intervalMonths", WINDOW), _KIND
        ),
    ),
}
DATES: Final = Table(Row("start", "start"), Row("end", "end"))
"""An entry of `notAllowedDates`."""
_HOURS: Final = "read 2026-11-28: hours of a week in the format before maintenance windows, which replace it"
CONFIGURATION: Final = Table(
    Note("derived", "configName", PATH, "one of three names"),
    Note("derived", "resourceName", PATH, "the cluster"),
    Note("derived", "resourceGroupName", PATH, "the resource group of the cluster"),
    OneOf("schedule", "maintenanceWindow.schedule", SCHEDULES, WINDOW),
    Row("duration_hours", "maintenanceWindow.durationHours", WINDOW),
    Row("start_time", "maintenanceWindow.startTime", WINDOW),
    Row("utc_offset", "maintenanceWindow.utcOffset", WINDOW, default="+00:00"),
    Row("start_date", "maintenanceWindow.startDate", WINDOW),
    Each("not_allowed", "maintenanceWindow.notAllowedDates", DATES, WINDOW),
    *(Note("refused", name, WINDOW, _HOURS) for name in ("timeInWeek", "notAllowedTime")),
    *(Note("read_only", name) for name in ("id", "name", "type", "systemData", "azureApiVersion")),
)
"""A MaintenanceConfiguration; the model has its window."""
