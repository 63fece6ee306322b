"""When the support of each cluster's version ends, and how late its upgrade can begin."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, Literal

from nodepools.clouds.aks.steps import ExistingAksSteps
from nodepools.clouds.eks.steps import ExistingEksSteps
from nodepools.clouds.fleet import Fleet
from nodepools.clouds.registry import cloud_of
from nodepools.clouds.step import ClusterSteps, Round, bounded
from nodepools.data.version_support import SOON, minor
from nodepools.model.maintenance import DAYS, AnyWindow, opening_on
from nodepools.model.platform import Platform
from nodepools.model.values import dataclass
from nodepools.upgrades.progress import versions_now

Verdict = Literal["ended", "soon", "supported", "unknown"]
_VERDICTS: Final[tuple[Verdict, ...]] = ("ended", "soon", "unknown", "supported")
"""Worst first."""
NOT_EXPORTED: Final[Mapping[tuple[str, str], Fleet]] = {}
"""No running cluster was exported."""
_HOURS_OF_A_MONTH: Final = 730


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterSupport:
    """The support of one cluster's version. Ends are `None` as long as the cloud has not announced them."""

    cluster: str
    version: str
    newest: str
    """The newest version of the cloud, as of `as_of`."""
    newer: str | None
    """That the version is newer than the table."""
    following: str | None
    """The lowest newer version whose support ends without extra cost, and not soon; otherwise the newest; `None` if no newer one is known."""
    standard_end: date | None
    extended_end: date | None
    uses_extended: bool
    """The declaration keeps the version after standard support."""
    if_missed: str
    extra_usd_per_hour: float
    """What the cluster costs more per hour after standard support."""
    bounded_minutes: int | None
    """The limited parts of the upgrade to the next version; `None` if one of them has no limit."""
    window: AnyWindow | None
    """The maintenance window of the cluster."""
    has_unknown_window: bool = False
    today: date
    as_of: date
    """The day of the table of versions."""
    source: str

    @property
    def end(self) -> date | None:
        """When the support that the declaration uses ends without extra cost or conditions, or ended with them."""
        return self.extended_end if self.uses_extended and not self.extra_usd_per_hour else self.standard_end

    @property
    def named_end(self) -> tuple[Literal["standard", "extended"], date] | None:
        """The end to tell, with its kind."""
        return None if self.end is None else ("extended" if self.end == self.extended_end else "standard", self.end)

    @property
    def verdict(self) -> Verdict:
        """Whether the end has passed."""
        if self.end is None:
            return "unknown"
        if self.end < self.today:
            return "ended"
        return "soon" if self.end <= self.today + SOON else "supported"

    @property
    def latest_start(self) -> date | None:
        """The last day on which the limited parts of the next upgrade end before support does. Other parts have no limit."""
        return None if self._latest is None else self._latest.date()

    @property
    def is_late(self) -> bool:
        """That day has passed, or support has ended: nothing is gained by another date."""
        return self.verdict == "ended" or (self.latest_start is not None and self.latest_start < self.today)

    @property
    def latest_window(self) -> datetime | None:
        """When the last maintenance window opens in which the upgrade can start for that, for people who upgrade in windows."""
        if self._latest is None or self.window is None:
            return None
        days = (self._latest.date() - timedelta(days=back) for back in range(-1, len(DAYS) + 1))
        opening = (opening_on(self.window, day) for day in days)
        return next((moment for moment in opening if moment is not None and moment <= self._latest), None)

    @property
    def _latest(self) -> datetime | None:
        """The last moment to start."""
        if self.end is None or self.bounded_minutes is None:
            return None
        midnight = datetime.combine(self.end + timedelta(days=1), time.min, UTC)
        return midnight - timedelta(minutes=self.bounded_minutes, microseconds=1)

    @property
    def usd_per_month(self) -> float:
        """The extra cost of a month of 730 hours."""
        return round(self.extra_usd_per_hour * _HOURS_OF_A_MONTH, 2)

    @property
    def days_left(self) -> int | None:
        """Days until the end; negative after it."""
        return (self.end - self.today).days if self.end is not None else None

    def to_json(self) -> dict[str, object]:
        """As plain data."""
        return {
            "cluster": self.cluster,
            "version": self.version,
            "newest": self.newest,
            "verdict": self.verdict,
            "support_ends": self.standard_end and self.standard_end.isoformat(),
            "extended_ends": self.extended_end and self.extended_end.isoformat(),
            "uses_extended": self.uses_extended,
            "days_left": self.days_left,
            "if_missed": self.if_missed,
            "cost_if_missed": {"usd_per_hour": self.extra_usd_per_hour, "usd_per_month": self.usd_per_month},
            "bounded_minutes": self.bounded_minutes,
            "latest_start": self.latest_start and self.latest_start.isoformat(),
            "latest_window": self.latest_window and self.latest_window.isoformat(),
            "as_of": self.as_of.isoformat(),
            "source": self.source,
        }


def support(platforms: Sequence[Platform], today: date, fleets: Mapping[tuple[str, str], Fleet] = NOT_EXPORTED) -> list[ClusterSupport]:
    """The clusters of all platforms, those whose support ends first at the top. With several platforms, names begin with that of the platform.

    A cluster of `fleets` has the version that runs: an automatic upgrade can have raised it.
    """
    places = [(platform, key) for platform in platforms for key in platform.clusters]
    found = [_support(platform, key, today, fleets.get((platform.name, key)), prefix=len(platforms) > 1) for platform, key in places]
    return sorted(  # of what has ended, the oldest version is first
        found, key=lambda one: (_VERDICTS.index(one.verdict), (one.standard_end if one.verdict == "ended" else one.end) or date.max, one.cluster)
    )


def _support(platform: Platform, key: str, today: date, fleet: Fleet | None, *, prefix: bool) -> ClusterSupport:
    cluster, stem = platform.cluster(key), platform.stem(key)
    cloud = cloud_of(cluster)
    steps = cloud.upgrade(key, stem, cloud.pools(key, stem))
    now = None if fleet is None else versions_now(steps, cluster.kubernetes_version, fleet)
    version = cluster.kubernetes_version if fleet is None or not fleet.control_plane else fleet.control_plane
    rounds = steps.rounds(f"1.{minor(version) + 1}", now)
    return support_of(f"{platform.name}/{key}" if prefix else key, version, steps, rounds, today, window=cluster.maintenance)


def support_of(
    name: str,
    version: str,
    cloud: ClusterSteps | ExistingAksSteps | ExistingEksSteps,
    rounds: Iterable[Round],
    today: date,
    *,
    window: AnyWindow | Literal["unknown"] | None,
) -> ClusterSupport:
    """The support of a version of a cloud. `rounds` lead to the next version."""
    table, extends, row = cloud.of_cloud.table, cloud.extends, cloud.of_cloud.table.of(version)
    is_over = table.has_ended(version, today, extended=True)
    return ClusterSupport(
        cluster=name,
        version=version,
        newest=table.newest.version,
        newer=table.newer(version),
        following=table.advised(version, today, extended=extends and not cloud.of_cloud.extra_usd_per_hour),
        standard_end=table.end(version),
        extended_end=table.end(version, extended=True),
        uses_extended=extends,
        if_missed=cloud.of_cloud.if_missed[2 if is_over else extends],
        extra_usd_per_hour=cloud.of_cloud.extra_usd_per_hour if extends and not is_over else 0.0,
        bounded_minutes=bounded(step for each in rounds for step in each.steps),
        window=None if window == "unknown" else window,
        has_unknown_window=window == "unknown",
        today=today,
        as_of=row.read if row is not None else table.day,
        source=table.source,
    )
