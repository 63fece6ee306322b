"""The way of one cluster to a version, with everything that blocks it."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Final, Literal

from nodepools.clouds.amounts import Amount, verdict
from nodepools.clouds.fleet import is_busy
from nodepools.clouds.item import NOUNS, Item, What
from nodepools.clouds.step import Blocker, Kind, Round, Step, bounded
from nodepools.data.version_support import EKS_GROUP_SKEW, EKS_SKEW_LIMITS, KUBE_PROXY_SKEW, SKEW_SOURCE, minor
from nodepools.model.listing import joined, listed
from nodepools.model.severity import Severity
from nodepools.model.values import dataclass
from nodepools.placement.cloud_labels import COMPUTE_TYPE, NODE_GROUP
from nodepools.placement.coverage import Coverage
from nodepools.upgrades.progress import Progress

Verdict = Literal["blocked", "unknown", "not_blocked"]
_SOURCE = "https://learn.microsoft.com/azure/aks/upgrade-options"
STOPPED: Final = Blocker(
    kind=Kind.STOPPED,
    severity=Severity.ERROR,
    message="The cluster is stopped: AKS upgrades only clusters that run",
    fix="Run `az aks start`, then export the cluster again",
    source="https://learn.microsoft.com/azure/aks/start-stop-cluster (2026-11)",
)


def room_blockers(items: Iterable[Item], refusals: Mapping[str, str]) -> Iterator[Blocker]:
    """What an upgrade at the largest size of the pools has no room for. `refusals` are the error codes of the cloud by `what`."""
    found: dict[tuple[str, str], Item] = {}
    for item in items:
        if _counts(item, refusals) and verdict(item.sizes.upgrade, item.room) == "does_not_fit":
            found.setdefault((item.what, item.name), item)
    for item in found.values():
        is_certain = verdict(item.sizes.minimum, item.room) == "does_not_fit"
        size = "at their smallest size" if is_certain else "at their largest size"
        yield Blocker(
            kind=Kind.CAPACITY,
            severity=Severity.ERROR if is_certain else Severity.WARNING,
            message=f"{item.noun} ({item.name}): the pools {size} need {item.sizes.upgrade} with surge nodes, and {item.room} are available",
            fix=f"{item.remedy}, or lower `max_surge`" if item.remedy is not None else "Lower `max_surge`",
            source=_SOURCE,
            refusal=refusals[item.what],
        )


def skew_blockers(nodes: Iterable[tuple[str, Mapping[str, str], str]], new: str) -> Iterator[Blocker]:
    """Nodes that no step before the control plane raises, each with its name, labels and the version of its kubelet."""
    behind = dict[tuple[int, str], list[str]]()
    for name, labels, kubelet in nodes:
        number = minor(new) - minor(kubelet) if kubelet else 0
        is_of_eks = NODE_GROUP in labels or labels.get(COMPUTE_TYPE) == "fargate"
        if number > (EKS_GROUP_SKEW if is_of_eks else KUBE_PROXY_SKEW):
            rule = EKS_SKEW_LIMITS if is_of_eks and number <= KUBE_PROXY_SKEW else f"Kubernetes supports {KUBE_PROXY_SKEW}"
            behind.setdefault((number, rule), []).append(f"`{name}`")
    for (number, rule), names in behind.items():
        message = f"{listed(names, 2)} would be {number} minor versions behind the control plane: {rule}"
        yield Blocker(kind=Kind.SKEW, severity=Severity.WARNING, message=message, fix="Upgrade or replace these nodes first", source=SKEW_SOURCE)


@dataclass(frozen=True, slots=True)
class Room:
    """What an upgrade needs with surge nodes at the largest size of the pools, next to what is available."""

    what: What
    name: str
    needed: Amount
    available: Amount | None
    """`None` if it cannot be determined offline."""

    def __str__(self) -> str:
        return f"{NOUNS[self.what]} ({self.name}): {self.needed}{f' of {self.available}' if self.available is not None else ''}"

    def to_json(self) -> dict[str, object]:
        """As plain data."""
        available = self.available.to_json() if self.available is not None else None
        return {"what": self.what, "name": self.name, "needed": self.needed.to_json(), "available": available}


def rooms(items: Iterable[Item], refusals: Mapping[str, str]) -> list[Room]:
    """Addresses, ports, nodes and vCPUs, each counted once."""
    found: dict[tuple[str, str], Room] = {}
    for item in items:
        if _counts(item, refusals):
            found.setdefault((item.what, item.name), Room(item.what, item.name, item.sizes.upgrade, item.room))
    return list(found.values())


@dataclass(frozen=True, slots=True)
class Undecided:
    """What was not given, and decides whether an upgrade is blocked or finished."""

    text: str
    option: str = ""
    """The option of `upgrade` that gives it, or `capacity`, which counts it; empty if nothing more can be given."""
    more: str = ""
    """What its files lack, if the option was given."""
    is_version: bool = False
    """What runs now is not known."""
    short: str = ""
    """A few words, if the text is longer than up to its colon."""
    shown_by: str = ""
    """The commands whose output is enough, if those of `nodepools doctor --exports` do not show it."""

    def __str__(self) -> str:
        return self.text

    @property
    def name(self) -> str:
        """In a few words."""
        return self.short or self.text.partition(": ")[0]


_NO_WORKLOADS = Undecided(
    "the manifests of what runs, for PodDisruptionBudgets, volumes and removed APIs (`--workloads`)",
    "--workloads",
    "correct the files of `--workloads`",
    short="manifests of what runs",
)
_EXPORTS: Mapping[str, tuple[str, frozenset[What]]] = {
    "quotas": ("`az vm list-usage --location REGION`", frozenset({"vcpus"})),
    "subnets": ("`az network vnet subnet list`", frozenset({"node_subnet", "pod_subnet"})),
}  # what shows the room for surge nodes


def undecided(needed: Iterable[Room], *, has_workloads: bool, has_others: bool = False) -> Iterator[Undecided]:
    """What the steps of an upgrade leave open as long as it is not given; `has_others`: it needs more than is `needed`, which cannot be counted."""
    if not has_workloads:
        yield _NO_WORKLOADS
    unknown = {room.what for room in needed if verdict(room.needed, room.available) == "unknown"}
    if has_others or unknown:
        shown = [name for name, (_, whats) in _EXPORTS.items() if not has_others and not unknown.isdisjoint(whats)]
        lacking = shown if shown else list(_EXPORTS)
        names, exports = joined(lacking), joined([_EXPORTS[name][0] for name in lacking])
        text = f"{names} for the surge nodes, which {exports} show{'s' * (len(lacking) == 1)} (`--existing`)"
        yield Undecided(text, "--existing", f"add {exports} to the files of `--existing`", short=f"{names} for surge nodes", shown_by=exports)


def unsettled(states: Iterable[str]) -> Iterator[Undecided]:
    """What the states of a cluster and of its pools leave open: an operation runs, or has failed."""
    others = [state for state in states if state.lower() not in ("", "succeeded", "active", "running")]
    if busy := next(filter(is_busy, others), ""):
        yield Undecided(f"the end of the operation that runs (`{busy}`): the cloud rejects others until then")
    elif others:
        yield Undecided(f"whether the cloud accepts an upgrade in the state `{others[0]}`: it can require a repair first")


def _counts(item: Item, refusals: Mapping[str, str]) -> bool:
    """The cloud or its nodes need it; the figures of manuals stop no upgrade."""
    return item.what in refusals and item.checked_by != "planning"


@dataclass(frozen=True, slots=True)
class ClusterUpgrade:
    """The way of one cluster to a version."""

    cluster: str
    old: str
    """The lowest version of control plane and pools."""
    control_plane: str
    """The version of the control plane, which support is about."""
    new: str
    support_ends: date | None
    """When standard support of the version that is left ends."""
    rounds: tuple[Round, ...]
    blocked_by: tuple[Blocker, ...] = ()
    """Why there are no steps."""
    not_checked: tuple[str, ...] = ()
    """What can stop the upgrade and cannot be determined offline."""
    progress: Progress | None = None
    """Where the running cluster is, if it was exported."""
    room: tuple[Room, ...] = ()
    """What it needs with surge nodes."""
    is_over: bool = False
    """Standard support has ended already."""
    coverage: Coverage | None = None
    """The share of the nodes that the steps are about, if the cluster has others."""
    undecided: tuple[Undecided, ...] = ()
    """What was not given, and decides whether the upgrade is blocked or finished."""

    @property
    def steps(self) -> list[Step]:
        """All steps, in order."""
        return [step for each in self.rounds for step in each.steps]

    @property
    def next_steps(self) -> tuple[Step, ...]:
        """The steps of the first round: what one change of the declaration contains."""
        return self.rounds[0].steps if self.rounds else ()

    @property
    def blockers(self) -> list[Blocker]:
        """Everything that blocks it or one of its steps."""
        return [*self.blocked_by, *(blocker for step in self.steps for blocker in step.blocked_by)]

    @property
    def verdict(self) -> Verdict:
        """`not_blocked` only if everything that files can tell was given, and nothing in it can stop the upgrade."""
        holds = self.progress.holds if self.progress is not None else ()
        if any(blocker.is_error for blocker in self.blockers) or any(hold.is_draining for hold in holds):
            return "blocked"
        can_stop = any(blocker.severity is Severity.WARNING for blocker in self.blockers)
        return "unknown" if self.undecided or holds or can_stop else "not_blocked"

    @property
    def bounded_minutes(self) -> int | None:
        """The limited parts of all agent pools together; `None` if one of them has no limit."""
        return bounded(self.steps)

    def to_json(self) -> dict[str, object]:
        """As plain data."""
        return {
            "cluster": self.cluster,
            "verdict": self.verdict,
            "undecided": list(map(str, self.undecided)),
            "from": self.old,
            "to": self.new,
            "support_ends": self.support_ends.isoformat() if self.support_ends is not None else None,
            "steps": [step.to_json(number) for number, step in enumerate(self.steps, 1)],
            "bounded_minutes": self.bounded_minutes,
            "blocked_by": [blocker.to_json() for blocker in self.blocked_by],
            "room": [room.to_json() for room in self.room],
            "not_checked": list(self.not_checked),
            "coverage": self.coverage.to_json() if self.coverage is not None else None,
            "progress": self.progress.to_json() if self.progress is not None else None,
        }
