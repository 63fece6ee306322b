"""What a rollout does, as far as it is known before it starts: effects, nodes, time, the answers of its gates, and the way back."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Final, Literal

from nodepools.changes.platform_changes import diff
from nodepools.clouds.amounts import Amount, total
from nodepools.clouds.change import Change, summary
from nodepools.clouds.registry import cloud_of
from nodepools.clouds.step import PULUMI_UP, VERSION_FIELD, Blocker, Unbounded, bounded
from nodepools.data.version_support import day_or_today, minor
from nodepools.model.listing import counted, grouped, listed
from nodepools.model.platform import Platform
from nodepools.model.values import dataclass
from nodepools.rollout.plan import (
    MUST_FIT_CODES,
    Command,
    FleetStack,
    Gate,
    MustFit,
    NothingAbove,
    NothingRefused,
    Plan,
    PlannedWave,
    RegionHasVersion,
    Rollout,
)
from nodepools.rules.engine.finding import Finding, Severity
from nodepools.rules.engine.runner import check
from nodepools.upgrades.cluster_upgrade import ClusterUpgrade
from nodepools.upgrades.platform_upgrades import Inputs, upgrades, with_edits
from nodepools.wire.table import Effect

Answer = Literal["yes", "no", "unknown"]
_NAMED: Final = 3
_SEVERITY: Final[Mapping[Answer, int]] = {"yes": 0, "unknown": 1, "no": 2}


@dataclass(frozen=True, slots=True)
class StackChange:
    """What one `pulumi up` of a stack does."""

    stack: FleetStack
    changes: tuple[Change, ...]
    errors: tuple[Finding, ...] = ()
    """Errors of the declaration that is rolled out."""
    must_fit: Answer = "unknown"
    unfit: str = ""
    """Why its workloads do not fit, or why that is unknown."""
    upgrade: "Upgrade | None" = None
    """`None` for edits, whose time is not known."""
    ways_back: tuple[str, ...] = ()
    """What its clouds say about lower versions."""
    undecided: str = ""
    """What decides whether a raised version is rejected, if that is unknown."""

    @property
    def worst(self) -> Effect:
        """The most severe effect."""
        return max((change.effect for change in self.changes), key=lambda effect: effect.severity, default=Effect.NONE)

    @property
    def nodes(self) -> Amount:
        """Nodes that are replaced, removed or restarted: those of one pool once."""
        places = grouped(((change.pool is not None, change.at), change) for change in self.changes if change.nodes is not None)
        of_clusters, of_pools = ({at: _of_one(some) for (is_pool, at), some in places.items() if is_pool is which} for which in (False, True))
        least = {at: nodes.minimum for at, nodes in of_clusters.items()}
        for name in {at.partition("/")[0] for at in of_pools}:  # a change of a cluster can be about the nodes of its pools
            least[name] = max(least.get(name, 0), sum(nodes.minimum for at, nodes in of_pools.items() if at.partition("/")[0] == name))
        return Amount(sum(least.values()), total([*of_pools.values(), *of_clusters.values()]).maximum)

    def to_json(self) -> dict[str, object]:
        """As plain data."""
        return {
            "stack": self.stack.name,
            "effect": self.worst.value,
            "summary": summary(self.changes),
            "nodes": self.nodes.to_json(),
            "by_hand": list(self.upgrade.by_hand) if self.upgrade is not None else [],
            "regions": list(self.stack.regions),
        }


def _of_one(changes: Sequence[Change]) -> Amount:
    """The nodes of several changes of one pool: the same ones, unless each change is about some of them."""
    every = [change.nodes for change in changes if change.nodes is not None and change.effect is not Effect.ROLLS_SOME]
    some = [change.nodes for change in changes if change.nodes is not None and change.effect is Effect.ROLLS_SOME]
    least = max(nodes.minimum for nodes in (*every, *some))
    most = [nodes.maximum for nodes in every] if every else [total(some).maximum]
    return Amount(least, None if None in most else max(bound for bound in most if bound is not None))


@dataclass(frozen=True, slots=True)
class Upgrade:
    """The first round of an upgrade, which is one change of the declaration."""

    changes: tuple[Change, ...]
    blocked: tuple[str, ...]
    """What is certain to stop it."""
    by_hand: tuple[str, ...]
    """Commands that follow `pulumi up`."""
    minutes: int | None
    """The part of the time that has a limit; `None` if it is not known."""
    unbounded: tuple[Unbounded, ...]
    later_versions: tuple[str, ...]
    """Versions that need a rollout of their own afterwards."""
    undecided: str = ""
    """What decides whether it is blocked, if that is unknown."""


def upgraded(platform: Platform, to: str, today: date) -> tuple[Platform, Upgrade]:
    """The declaration after the first round of an upgrade, and that round."""
    plans = upgrades(platform, to, today, Inputs())
    steps = [step for plan in plans for step in plan.next_steps]
    limits = [bounded(plan.next_steps) for plan in plans]
    known = [limit for limit in limits if limit is not None]
    new = with_edits(platform, (edit for step in steps for edit in step.edits))
    return new, Upgrade(
        diff(platform, new, today).all,
        tuple(dict.fromkeys(blocker.message for plan in plans for blocker in (*plan.blocked_by, *_of_first(plan)) if blocker.is_error)),
        tuple(dict.fromkeys(step.how for step in steps if step.how not in ("", PULUMI_UP))),
        sum(known) if len(known) == len(limits) else None,
        tuple(dict.fromkeys(part for step in steps for part in step.unbounded)),
        tuple(sorted({each.version for plan in plans for each in plan.rounds[1:]})),
        _undecided(plans),
    )


def _undecided(plans: Iterable[ClusterUpgrade]) -> str:
    """What decides whether the first steps of the clusters are blocked; empty if it is known."""
    unknown = [plan for plan in plans if plan.next_steps and plan.verdict == "unknown"]
    warnings = (blocker.message for plan in unknown for blocker in (*plan.blocked_by, *_of_first(plan)))
    return next(warnings, "`nodepools upgrade` decides it, from manifests and quotas") if unknown else ""


def _of_first(plan: ClusterUpgrade) -> Iterator[Blocker]:
    return (blocker for step in plan.next_steps for blocker in step.blocked_by)


def stack_change(
    name: str, sides: tuple[Platform | None, Platform], changes: Sequence[Change], today: date | None, upgrade: Upgrade | None = None
) -> StackChange:
    """What the edits from one declaration of a stack to another do."""
    old, new = sides
    found = check(new, today=today, own=False, fixes=False)
    errors = tuple(finding for finding in found if finding.severity is Severity.ERROR)
    unfit = [finding for finding in found if finding.code in MUST_FIT_CODES]
    fit: Answer = "yes" if new.must_fit else "unknown"
    reasons = [] if new.must_fit else ["it declares no `must_fit`"]
    for finding in unfit:
        fit, reasons = ("no" if "no" in (fit, MUST_FIT_CODES[finding.code]) else "unknown"), [*reasons, finding.message]
    back = tuple(_ways_back(old, new)) if old is not None else ()
    undecided = upgrade.undecided if upgrade is not None else _undecided(_raised(old, new, today)) if old is not None else ""
    return StackChange(FleetStack.of(name, new), tuple(changes), errors, fit, "; ".join(reasons), upgrade, back, undecided)


def _raised(old: Platform, new: Platform, today: date | None) -> Iterator[ClusterUpgrade]:
    """The upgrades that edits of versions are."""
    both = {key: (old.cluster(key).kubernetes_version, new.cluster(key).kubernetes_version) for key in old.clusters if key in new.clusters}
    raised = {key: after for key, (before, after) in both.items() if after != before and minor(after) >= minor(before)}
    for to in dict.fromkeys(raised.values()):  # each call plans all clusters
        yield from (plan for plan in upgrades(old, to, day_or_today(today), Inputs()) if raised.get(plan.cluster) == to)


def _ways_back(old: Platform, new: Platform) -> Iterator[str]:
    """What the cloud of each cluster with a higher version says about the way back."""
    for key in old.clusters.keys() & new.clusters.keys():
        cluster, after = old.cluster(key), new.cluster(key).kubernetes_version
        if minor(after) > minor(cluster.kubernetes_version):
            cloud = cloud_of(cluster)
            rounds = cloud.upgrade(key, old.stem(key), cloud.pools(key, old.stem(key))).rounds(after)
            yield from (step.note for each in rounds for step in each.steps if step.what == "control_plane")


@dataclass(frozen=True, slots=True)
class GateAnswer:
    """A gate of a wave, as far as it is known now."""

    gate: str
    answer: Answer
    reason: str
    stacks: tuple[str, ...] = ()
    """Those that decide it."""

    def to_json(self) -> dict[str, object]:
        """As plain data."""
        return {"gate": self.gate, "answer": self.answer, "reason": self.reason, "stacks": list(self.stacks)}


def gate_answer(gate: Gate, stacks: Sequence[StackChange]) -> GateAnswer:
    """What a gate says about the stacks of a wave: `yes` only if it holds for each of them."""
    if isinstance(gate, Command):
        return GateAnswer(str(gate), "unknown", "the command runs before the wave")
    found: list[tuple[str, Answer, str]] = [(stack.stack.name, *_of_stack(gate, stack)) for stack in stacks]
    worst: Answer = "yes"
    for _, answer, _ in found:
        worst = answer if _SEVERITY[answer] > _SEVERITY[worst] else worst
    reasons = grouped((reason, name) for name, answer, reason in found if answer == worst)
    if worst == "yes":
        return GateAnswer(str(gate), worst, f"holds for {counted(len(found), 'stack')}")
    told = [reason if len(names) == len(found) else f"{listed(names, _NAMED)}: {reason}" for reason, names in reasons.items()]
    return GateAnswer(str(gate), worst, listed(told, _NAMED), tuple(name for names in reasons.values() for name in names))


def _of_stack(gate: NothingRefused | NothingAbove | MustFit | RegionHasVersion, stack: StackChange) -> tuple[Answer, str]:
    match gate:
        case MustFit():
            return stack.must_fit, stack.unfit
        case RegionHasVersion():
            return "unknown", "not known offline: the gate asks the cloud"
        case NothingRefused():
            refused = [change for change in stack.changes if change.effect is Effect.REFUSED]
            blocked = stack.upgrade.blocked if stack.upgrade is not None else ()
            errors = (f"{finding.code} {finding.path}: {finding.message}" for finding in stack.errors)
            told = [*(change.message for change in refused), *blocked, *errors]
            if told:
                return "no", told[0]
            limit = Effect.REFUSED
        case NothingAbove(effect=name):
            limit = Effect(name)
    above = [change for change in stack.changes if change.effect > limit]
    certain = [change for change in above if change.effect is not Effect.UNKNOWN]
    if certain:
        return "no", f"{certain[0].effect.value} {certain[0].at} ({certain[0].path})"
    if above:
        return "unknown", f"the effect of {above[0].path} is unknown"
    return ("unknown", stack.undecided) if isinstance(gate, NothingRefused) and stack.changes and stack.undecided else ("yes", "")


_WAYS_BACK: Final[Mapping[Effect, tuple[str, str]]] = {
    Effect.CREATES: ("revert the edit: `pulumi up` deletes what was created", "what pods have put on the new nodes is lost"),
    Effect.IN_PLACE: ("revert the edit: `pulumi up` updates in place again, and nodes stay", ""),
    Effect.IN_PLACE_LATER: ("revert the edit before the next image upgrade: no node has it yet", ""),
    Effect.IN_PLACE_PODS: ("revert the edit: `pulumi up` updates in place again", "pods that were evicted are not what they were"),
    Effect.REIMAGES: ("revert the edit: nodes are drained and reimaged again, in batches", "local data of nodes is lost"),
    Effect.ROTATES: ("revert the edit: the pool rotates again", "local data of nodes is lost"),
    Effect.ROLLS_SOME: ("revert the edit: Karpenter replaces nodes again", "local data of nodes is lost"),
    Effect.ROLLS: ("revert the edit: Karpenter replaces every node again", "local data of nodes is lost"),
    Effect.DELETES: ("revert the edit: `pulumi up` creates it again, empty", "what was in it cannot be brought back"),
    Effect.REMOVES_NODES: (
        "revert the edit: a fixed number of nodes is launched again, and an autoscaler launches nodes when pods need them",
        "local data of nodes is lost",
    ),
    Effect.REPLACES: (
        "revert the edit: it is deleted and created once more",
        "what was in it cannot be brought back: workloads, volumes, identities",
    ),
    Effect.REFUSED: ("nothing to undo: the cloud rejects it", ""),
    Effect.UNKNOWN: ("unknown: no source documents what the edit does", "unknown"),
}
"""How each effect is undone, and what cannot be. Effects that send nothing have no entry."""


@dataclass(frozen=True, slots=True)
class WayBack:
    """How one effect is undone."""

    effect: str
    how: str
    not_undone: str
    stacks: tuple[str, ...]

    def to_json(self) -> dict[str, object]:
        """As plain data."""
        return {"effect": self.effect, "how": self.how, "not_undone": self.not_undone, "stacks": list(self.stacks)}


@dataclass(frozen=True, slots=True)
class WavePrediction:
    """One wave with what is known about it."""

    wave: PlannedWave
    stacks: tuple[StackChange, ...]
    gates: tuple[GateAnswer, ...]

    @property
    def nodes(self) -> Amount:
        """Nodes that are replaced, removed or restarted."""
        return total(stack.nodes for stack in self.stacks)

    @property
    def minutes(self) -> int | None:
        """The part of the time of its batches that has a limit: the slowest stack of each; `None` if one is not known."""
        of_stack = {
            stack.stack.name: stack.upgrade.minutes if stack.upgrade is not None else 0 if not stack.changes else None for stack in self.stacks
        }
        batches = [[of_stack[name] for name in batch] for batch in self.wave.batches]
        if any(None in batch for batch in batches):
            return None
        return sum(max(limit for limit in batch if limit is not None) for batch in batches)

    @property
    def ways_back(self) -> list[WayBack]:
        """The effects of its stacks, the most severe first, each with its way back; then those to lower versions."""
        effects = grouped((effect, stack.stack.name) for stack in self.stacks for effect in {change.effect for change in stack.changes})
        versions = grouped((text, stack.stack.name) for stack in self.stacks for text in stack.ways_back)
        worst_first = sorted(effects.keys() & _WAYS_BACK.keys(), key=lambda effect: -effect.severity)
        of_versions = (WayBack(VERSION_FIELD, "", text, tuple(dict.fromkeys(names))) for text, names in versions.items())
        only = "revert the edit, a version if its cloud can" if versions else "revert the edit"
        ways = ((effect, *_WAYS_BACK[effect]) for effect in worst_first)
        return [
            *(WayBack(effect.value, how.replace("revert the edit", only), lost, tuple(effects[effect])) for effect, how, lost in ways),
            *of_versions,
        ]

    def to_json(self) -> dict[str, object]:
        """As plain data."""
        return {
            "wave": self.wave.name,
            "gates": [gate.to_json() for gate in self.gates],
            "batches": [list(batch) for batch in self.wave.batches],
            "soak_seconds": self.wave.soak,
            "nodes": self.nodes.to_json(),
            "bounded_minutes": self.minutes,
            "ways_back": [way.to_json() for way in self.ways_back],
            "stacks": [stack.to_json() for stack in self.stacks],
        }


@dataclass(frozen=True, slots=True)
class Prediction:
    """A plan with what is known about it."""

    plan: Plan
    waves: tuple[WavePrediction, ...]

    @property
    def minutes(self) -> int | None:
        """The part of the time of all waves that has a limit, without soaks."""
        found = [wave.minutes for wave in self.waves]
        return None if None in found else sum(limit for limit in found if limit is not None)

    @property
    def unbounded(self) -> list[Unbounded]:
        """Parts of the time that have no limit."""
        upgrades = [stack.upgrade for wave in self.waves for stack in wave.stacks if stack.upgrade is not None]
        return list(dict.fromkeys(part for upgrade in upgrades for part in upgrade.unbounded))

    @property
    def failing(self) -> "tuple[WavePrediction, GateAnswer] | None":
        """The first wave that does not start, with its gate."""
        return next(((wave, gate) for wave in self.waves for gate in wave.gates if gate.answer == "no"), None)


def predicted(rollout: Rollout, plan: Plan, changes: Mapping[str, StackChange]) -> Prediction:
    """What is known about a plan; `changes` has every stack."""
    waves = (
        WavePrediction(
            wave, stacks := tuple(changes[name] for name in wave.stacks), tuple(gate_answer(gate, stacks) for gate in (*rollout.gates, *own.gates))
        )
        for wave, own in zip(plan.waves, rollout.waves, strict=True)
    )
    return Prediction(plan, tuple(waves))
