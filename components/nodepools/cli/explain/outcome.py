"""What `nodepools explain` answers for one workload in one stack, in a sentence: one cluster that runs its pods is enough."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final

from nodepools.cli.output.report import Tone
from nodepools.clouds.amounts import Amount
from nodepools.model.listing import grouped, joined, listed, quoted
from nodepools.model.values import dataclass
from nodepools.placement.causes import Remedy, cause, remedies, shared_reasons
from nodepools.placement.coverage import Coverage
from nodepools.placement.existing_nodes import OTHER_PORT, PREFERRED
from nodepools.placement.explain import Answer
from nodepools.placement.static_pools import NO_NODES, rejecting
from nodepools.placement.suggestions import pool_with
from nodepools.placement.verdict import Kind, PoolVerdict, Purpose, Verdict
from nodepools.placement.workloads.pod_changes import Select, SetZones
from nodepools.placement.workloads.workload import Workload
from nodepools.replicas.count import Count, Outcome, Pending, PendingReason, PoolEdit, best
from nodepools.replicas.explained import Explained
from nodepools.replicas.shortages import Shortage, stack_of

MARKS: Final = {Verdict.FITS: "✔", Verdict.CANNOT: "✘", Verdict.UNKNOWN: "?"}
TONES: Final = {Verdict.FITS: Tone.GOOD, Verdict.CANNOT: Tone.BAD, Verdict.UNKNOWN: Tone.CAUTION}
WORST: Final = (Outcome.CANNOT, Outcome.PARTLY, Outcome.UNKNOWN, Outcome.FITS)
_TIMES: Final = "\N{MULTIPLICATION SIGN}"
_NAMED: Final = 3
"""Pools that a sentence names."""

ALL_FIT: Final = "it fits"


@dataclass(frozen=True)
class Placement:
    """The answers for one workload in the clusters of one stack."""

    stack: str
    """Empty if there is only one."""
    group: tuple[Explained, ...]
    where: str = "everywhere"
    """Where pods stay Pending that fit no pool."""

    @property
    def workload(self) -> Workload:
        """The workload as the first cluster has it."""
        return self.group[0].answer.workload

    @property
    def answers(self) -> list[Answer]:
        """Those on pools."""
        return [one.answer for one in self.group]

    @property
    def pools(self) -> list[PoolVerdict]:
        """The pools of all clusters."""
        return [pool for answer in self.answers for pool in answer.pools]

    @cached_property
    def verdict(self) -> Outcome:
        """`fits` and `cannot` are certain; `partly` if no cluster runs all pods, and one runs some."""
        found = {one.count.verdict for one in self.group if one.count.wanted} or {Outcome.FITS}
        return next(verdict for verdict in (Outcome.FITS, Outcome.UNKNOWN, Outcome.PARTLY, Outcome.CANNOT) if verdict in found)

    @cached_property
    def before(self) -> "Placement | None":
        """The same before a loss; `None`: nothing is lost."""
        whole = tuple(one.before for one in self.group if one.before is not None)
        return Placement(self.stack, whole, self.where) if whole else None

    @property
    def name(self) -> str:
        """The name, the kind, and how many pods there are, if there are several."""
        many = self.workload.replicas
        return f"{self.workload.shown} ({self.workload.kind}{'' if many in (None, 1) or self.workload.suspended else f' {_TIMES}{many:,}'})"

    @property
    def count(self) -> Count:
        """That in the cluster that runs most pods."""
        return best([one.count for one in self.group])

    @property
    def shortage(self) -> Shortage | None:
        """Why its pods and those of others cannot all be scheduled."""
        return self.group[0].shortage

    @property
    def waits(self) -> list[Pending]:
        """Why pods stay Pending that fit a pool, those that keep most pods Pending first."""
        hidden = {PendingReason.NO_POOL, *([PendingReason.VOLUME] if self._fits_at_its_volumes else [])}
        return [] if self.verdict is Outcome.FITS else [reason for reason in self.count.pending if reason.kind not in hidden]

    @cached_property
    def _fits_at_its_volumes(self) -> bool:
        """The pods fit no pool, and one change is enough where their volumes are: then these are not the cause."""
        closed = self.verdict is Outcome.CANNOT and all(pool.verdict is Verdict.CANNOT for pool in self.pools)
        held = closed and any(reason.kind is PendingReason.VOLUME for reason in self.count.pending)
        return held and any(self.then(remedy) == ALL_FIT for remedy in remedies(self.answers))

    @cached_property
    def remedies(self) -> list[Remedy]:
        """The single changes after which the pods fit a pool, if they fit none."""
        fits = self.verdict is Outcome.FITS or self.waits or any(pool.verdict is Verdict.FITS for pool in self.pools)
        found = [] if fits or self._empty_pool else remedies(self.answers)
        return [one for one in found if not (self.group[0].requires and isinstance(one.change, SetZones))]

    @property
    def _empty_pool(self) -> str:
        """A pool that lacks nothing but nodes; empty: there is none."""
        return next((pool.pool for pool in self.pools if {one.message for one in pool.decisive} == {NO_NODES}), "")

    def then(self, remedy: Remedy) -> str:
        """How many pods fit after a change, next to those of the other workloads: `it fits`, `1 of 20 fit`."""
        mine = [one for one in self.group if any(pool.pool in remedy.pools for pool in one.answer.pools)]
        after = best([one.count if one.after is None else one.after(remedy.change) for one in mine])
        if after.wanted == 1 and after.verdict is Outcome.UNKNOWN:
            return "it may fit"
        return ALL_FIT if after.verdict is Outcome.FITS else f"{after} fit"

    @property
    def missing(self) -> str:
        """The pool to add if no change of the pods is offered after which they fit one, or may; empty otherwise."""
        if self.verdict is not Outcome.CANNOT or self.remedies or self.closing or (self.waits and not self._is_closed):
            return ""
        subjects = {shared.reason.subject for shared in shared_reasons(self.pools, Verdict.CANNOT) if shared.reason.kind is not Kind.TAINT}
        lacking = next(iter(subjects)) if len(subjects) == 1 else ""
        others = [pool for pool in self.pools if pool.purpose is not Purpose.SYSTEM and all(one.subject != lacking for one in pool.decisive)]
        named = [lacking] if lacking and not others else sorted(subjects) if all(subjects) and 1 < len(subjects) <= _NAMED else []
        return pool_with(named) if named else "a pool that the pods fit"

    @property
    def _is_closed(self) -> bool:
        """What the API server rejects fits no pool once it is accepted, and no single change of the pods is enough."""
        told = {hold.message for hold in self.workload.holds}
        closed = all(pool.verdict is Verdict.CANNOT and {one.message for one in pool.decisive} - told for pool in self.pools)
        return closed and {reason.kind for reason in self.waits} == {PendingReason.ADMISSION} and not remedies(self.answers)

    @property
    def if_image_runs(self) -> list[Remedy]:
        """The change of the pods that only their image decides, with one of the closest pools, which they then fit; empty: there is none."""
        tried = [(pool.pool, answer.fix(pool)) for answer in self.answers for pool in answer.pools[:_NAMED] if pool.purpose <= Purpose.ORDINARY]
        found = [(name, list(fix.steps.values())) for name, fix in tried if fix is not None and fix.verdict is Verdict.FITS]
        return [Remedy(step, (name,)) for name, [step, *more] in found if not more and isinstance(step, Select) and step.condition][:1]

    @property
    def nearest(self) -> str:
        """The labels that pools have, nearest to those that the pods select and no pool has."""
        fixes = [fix for answer in self.answers for pool in answer.pools if (fix := answer.fix(pool)) is not None]
        steps = [step for fix in fixes for step in fix.steps.values() if isinstance(step, Select) and not step.condition]
        return listed(list(dict.fromkeys(f"`{step.key}={value}`" for step in steps for value in step.values)), 2)

    @property
    def closing(self) -> str:
        """What to change if pools lack only nodes, or pods that run keep the pods off by required (anti-)affinity; empty otherwise."""
        if self.verdict is Outcome.UNKNOWN and self.shortage is not None and not self.waits:
            return PoolEdit(f"Allow more nodes in {quoted(self.shortage.pools, _NAMED)}")
        if self.verdict is not Outcome.CANNOT or self.waits or self.remedies:
            return ""
        if self._empty_pool:
            return PoolEdit(f"Give `{self._empty_pool}` nodes (start it if it is stopped)")
        keeping = [remedies for pool in self.pools if any(remedies := [reason.remedy for reason in pool.decisive])]
        if not keeping:
            return ""
        enough = next((remedies for remedies in keeping if all(remedies)), None)
        remedy = next(filter(None, enough or keeping[0]))
        if enough:
            return remedy if remedy in (PREFERRED, OTHER_PORT) else PoolEdit(remedy)  # of a pod that runs, in no file of the input
        return PoolEdit(f"Add a pool that the pods fit, and {remedy[:1].lower()}{remedy[1:]}")

    @property
    def is_changeable(self) -> bool:
        """Some change of the pods makes them fit a pool."""
        return any(answer.fix(pool) is not None for answer in self.answers for pool in answer.pools)

    @property
    def choices(self) -> list[str]:
        """The first choice of each cluster that runs all pods."""
        return [one.answer.pool for one in self.group if one.count.verdict is Outcome.FITS and one.answer.pool is not None]

    @property
    def equals(self) -> list[str]:
        """The first choices, with the pools that are as good."""
        fitting = [one.answer for one in self.group if one.count.verdict is Outcome.FITS]
        return [name for answer in fitting for name in answer.first_pools]

    @cached_property
    def reason(self) -> str:
        """Why not all pods are scheduled for certain; empty if they are."""
        if self.verdict is Outcome.FITS:
            return ""
        return self.waits[0].message if self.waits else cause(self.answers)

    def told(self, name: str) -> str:
        """The answer as a sentence about `name`: `web fits weu/web`."""
        if self.workload.is_daemon:
            return f"{name}{self._of_daemon}"
        if self.workload.suspended:
            return f"{name} has {self._of_suspended}"
        already = f" ({self.workload.running:,} already run{'s' * (self.workload.running == 1)})" if self.workload.running else ""
        match self.verdict:
            case Outcome.FITS:
                return f"{name} has no pods to schedule" if self.is_empty else f"{name} fits{self._chosen}{already}{self.elsewhere}"
            case Outcome.CANNOT:
                fails = not self.waits and rejecting(self.workload.pod, self.pools)  # a scheduler binds the pods
                return f"{name} {'fails' if fails else 'stays Pending'} {self.where}: {self.reason}"
            case Outcome.PARTLY:
                where = "" if self.where == Placement.where else f" {self.where}"
                return f"{name}: {self._scheduled}{where}{already}: {self.reason}"
            case _:
                every, counted = ("all of ", f", {self._scheduled}") if self.count.wanted > 1 else ("", "")
                return f"unknown whether {every}{name} fit{'s' * (not every)}{counted}{already}: {self.reason}"

    @property
    def is_empty(self) -> bool:
        """There are no pods to schedule, so that its pools do not matter."""
        return not any(one.count.wanted for one in self.group)

    @property
    def short(self) -> str:
        """The pools, or the cause, next to the verdict in a row."""
        if self.is_empty:
            is_daemon, idle = self.workload.is_daemon, self._of_suspended if self.workload.suspended else "no pods to schedule"
            return self._of_daemon.strip() if is_daemon else idle
        if self.verdict is Outcome.FITS:
            return self._of_daemon.strip() if self.workload.is_daemon else f"{listed(self.equals, _NAMED)}{self.elsewhere}"
        return self.reason if self.verdict is Outcome.CANNOT or self.count.wanted == 1 else f"{self._scheduled}: {self.reason}"

    @property
    def told_briefly(self) -> str:
        """`fits weu/web`, `runs 10 to 15 of 100`, `stays Pending`, `is unknown`."""
        if self.verdict is Outcome.FITS:
            return f"fits{self._chosen}"
        return "stays Pending" if self.verdict is Outcome.CANNOT else f"runs {self.count}" if self.count.wanted > 1 else "is unknown"

    @property
    def _scheduled(self) -> str:
        return f"{self.count} {'is' if self.count.wanted == 1 else 'are'} scheduled"

    @property
    def _chosen(self) -> str:
        left = len(self.equals) - _NAMED
        names = joined([*self.equals[:_NAMED], *([f"{left:,} more"] if left > 0 else [])], "or")
        return f" {names}" if names else ""

    @property
    def elsewhere(self) -> str:
        """The clusters that do not run all pods, next to one that does: `; not in neu (1 of 4)`."""
        fits = self.verdict is Outcome.FITS
        failing = [(one.answer.cluster or "", one.count) for one in self.group if fits and one.count.verdict is not Outcome.FITS]
        parts: list[str] = []
        for word, misses in (("not", True), ("not certain", False)):
            alike = [(name.rpartition("/")[2], count) for name, count in failing if count.misses_some is misses]
            some = [f"{name}{f' ({count})' if count.scheduled.maximum else ''}" for name, count in alike]
            parts += [f"; {word} in {listed(some, _NAMED)}"] if some else []
        return "".join(parts)

    @property
    def _rejection(self) -> str:
        """Why there are none of its pods on whichever pool; empty: there can be."""
        return next((hold.message for hold in self.workload.holds if hold.maximum == 0), "")

    @property
    def is_stuck(self) -> bool:
        """It is suspended, and no pool takes its pods when it is resumed."""
        closed = not self.workload.holds and all(pool.verdict is Verdict.CANNOT for pool in self.pools)
        return bool(self.workload.suspended) and (closed or bool(self._rejection))

    @property
    def _of_suspended(self) -> str:
        """Where its pods would be when it is resumed."""
        found, none = {pool.verdict for pool in self.pools}, "no pods while it is suspended"
        if self.is_stuck:
            return f"{none}; when it is resumed, they stay Pending {self.where}: {self._rejection or cause(self.answers)}"
        if self.workload.holds or (Verdict.UNKNOWN in found and Verdict.FITS not in found):
            why = self.workload.holds[0].message if self.workload.holds else cause(self.answers)
            return f"{none}; whether they are scheduled when it is resumed is unknown: {why}"
        first = [answer.pool for answer in self.answers if answer.pool is not None]
        return f"{none}; when it is resumed, a pod fits {listed(first, _NAMED)}"

    @property
    def _of_daemon(self) -> str:
        fits = sum(pool.verdict is Verdict.FITS for pool in self.pools)
        unknown = sum(pool.verdict is Verdict.UNKNOWN for pool in self.pools)
        if self.is_empty:
            return f" runs on no pool: {cause(self.answers)}"
        if self.verdict is Outcome.PARTLY:
            return f" runs on {fits:,} of {len(self.pools):,} pools, not on each that it has to: {self.reason}"
        if self.verdict is not Outcome.FITS:
            return f": unknown: {self.reason}" if self.verdict is Outcome.UNKNOWN else f" runs on no pool: {self.reason}"
        if fits == len(self.pools):
            return f" runs on every pool{self.elsewhere}"
        missed = [pool.pool for found in shared_reasons(self.pools, Verdict.CANNOT) for pool in found.pools]
        without = f", not on {listed(missed, _NAMED)}" if missed else ""
        return f" runs on {fits:,} of {len(self.pools):,} pools{without}{f', unknown on {unknown:,}' if unknown else ''}{self.elsewhere}"

    def to_json(self) -> dict[str, object]:
        """As printed by `explain --format json`."""
        workload, stack = self.workload, self.stack if self.stack else None
        head: dict[str, object] = {"stack": stack, "name": workload.name, "namespace": workload.namespace, "kind": workload.kind}
        fixes = list(dict.fromkeys(fix for fix in (*(reason.fix for reason in self.waits), *map(str, self.remedies), self.closing) if fix))
        return {
            **head,
            "verdict": self.verdict.value,
            "pools": self.choices,
            "scheduled": self.count.scheduled.to_json(),
            "message": self._of_suspended if workload.suspended else self.reason if self.reason else None,
            "shortage": self.shortage.to_json() if self.shortage is not None else None,
            "fixes": fixes,
            **({"before": self.before.verdict.value} if self.before is not None else {}),
        }


def placements(answers: Iterable[Explained], covered: Coverage | None = None, *, is_open: bool = False) -> list[Placement]:
    """The answers by workload and stack. Pools of nodes that run can add more, if the input does not have them; so can pools that are not read."""
    where = "on the pools that are read" if is_open else Placement.where
    where = "on the nodes in the input" if covered is not None and covered.without_pool else where
    found = grouped(((stack_of(explained.answer), explained.answer.workload.identity), explained) for explained in answers)
    return [Placement(stack, tuple(group), where) for (stack, _), group in found.items()]


_VERBS: Final = {
    Outcome.CANNOT: ("stays Pending", "stay Pending"),
    Outcome.PARTLY: ("fits partly", "fit partly"),
    Outcome.UNKNOWN: ("is unknown", "are unknown"),
}


def answer(found: Sequence[Placement]) -> str:
    """The first line: about one workload its answer, about several how many fit, and which do not."""
    short = shortfalls(found)
    if len(found) == 1:
        return _plain("; ".join([found[0].told(found[0].name), *short]))
    stacks = len({one.stack for one in found})
    worst: dict[object, Placement] = {}
    for one in sorted(found, key=lambda one: WORST.index(one.verdict)):
        worst.setdefault(one.workload.identity, one)
    idle = [one.workload.shown for one in worst.values() if one.workload.suspended]
    stuck = [one.workload.shown for one in worst.values() if one.is_stuck]
    worst = {key: one for key, one in worst.items() if not one.workload.suspended}
    failing = [one for one in worst.values() if one.verdict is not Outcome.FITS]
    count = f"{len(worst) - len(failing):,} of {len(worst):,}" if failing else "1" if len(worst) == 1 else f"all {len(worst):,}"
    is_open = all(one.verdict is Outcome.UNKNOWN for one in failing) and len(failing) == len(worst)
    fit = "fits" if len(worst) - len(failing) == 1 else "fit"
    head = f"{count} workload{'s' * (len(worst) != 1)} {fit}{' in every stack' if stacks > 1 else ''}"
    head = f"no workload of {len(worst):,} is certain to fit" if is_open else head
    short += [f"{listed(idle, _NAMED)} ha{'s' if len(idle) == 1 else 've'} no pods while suspended"] if idle else []
    short += [f"{listed(stuck, _NAMED)} would stay Pending when resumed"] if stuck else []
    if not worst:
        return _plain("; ".join(short))
    one_only = len(failing) == 1 and stacks == 1
    head += "" if failing or not any(one.elsewhere for one in found) else ", not each in every cluster"
    return _plain("; ".join([head, *([failing[0].told(failing[0].workload.shown)] if one_only else _by_verdict(failing, stacks)), *short[:_NAMED]]))


def shortages(found: Iterable[Placement]) -> "list[Shortage]":
    """Each once, in the order of the workloads."""
    return list({id(one.shortage): one.shortage for one in found if one.shortage is not None}.values())


def shortfalls(found: Iterable[Placement]) -> list[str]:
    """How many pods of workloads that share pools stay Pending."""
    return [f"at least {each.pending:,} of {each.of} stay{'s' * (each.pending == 1)} Pending" for each in shortages(found)]


def _by_verdict(failing: Sequence[Placement], stacks: int) -> Iterator[str]:
    for verdict, verbs in _VERBS.items():
        alike = [one for one in failing if one.verdict is verdict]
        where = f" {alike[0].where}" if alike and verdict is Outcome.CANNOT else ""
        if alike:
            yield f"{listed([one.workload.shown for one in alike], _NAMED)} {verbs[len(alike) > 1]}{where if stacks == 1 else ' in some stack'}"


def _plain(text: str) -> str:
    return text.replace("`", "")


def pods(amount: Amount) -> str:
    """`5 to 18 are`, `1 is`."""
    return f"{amount} {'is' if amount.exact == 1 else 'are'}"
