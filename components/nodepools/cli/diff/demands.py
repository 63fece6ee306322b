"""Which changes fail `nodepools diff`: those with an effect that fails it, unless they are accepted."""

import json
from collections.abc import Collection, Mapping, Sequence

from nodepools.cli.demands.demands import PENDING, Acceptance, Demands, Thing, of_finding
from nodepools.cli.demands.demands import Decided as Shared
from nodepools.clouds.change import Change
from nodepools.model.listing import grouped
from nodepools.model.values import dataclass, field
from nodepools.rules.engine.finding import Finding
from nodepools.wire.table import Effect

_Edit = tuple[str, str]
"""The path and the new value of a field."""
_NO_STACKS: Mapping[int, str] = {}


@dataclass(frozen=True, slots=True)
class Stranded:
    """A workload whose pods could use a pool of a cluster, and can use none any more."""

    workload: str
    """Its namespace, kind and name: `shop/Deployment/web`."""
    cluster: str

    @property
    def thing(self) -> Thing:
        """What can be accepted."""
        return Thing((PENDING,), self.workload, PENDING, self.cluster)


@dataclass(frozen=True, slots=True)
class Decided:
    """Changes with what is required of them. Changes are known by their identity; those of one field to one value are one edit."""

    worst: Mapping[_Edit, Effect]
    rejected: frozenset[_Edit]
    """Edits that the cloud rejects."""
    failing: frozenset[int]
    reasons: Mapping[int, str]
    """Why changes are accepted."""
    stranded: Sequence[Stranded] = ()
    """Workloads that can use no pool any more, and must be accepted."""
    shared: Shared = field(default_factory=lambda: Shared(Demands("diff")))
    """The same for all commands: what is left, and what is accepted by what."""

    def fails(self, change: Change) -> bool:
        """The change has an effect that fails the command, and is not accepted."""
        return id(change) in self.failing

    def is_rejected(self, change: Change) -> bool:
        """It fails the command, and belongs to an edit that the cloud rejects: accepting it does not make it work."""
        return self.fails(change) and _edit(change) in self.rejected

    def reason(self, change: Change) -> str:
        """Why it is accepted; empty if it is not."""
        return self.reasons.get(id(change), "")

    def acceptance(self, change: Change) -> Acceptance:
        """What accepts its edit, without a reason."""
        return _thing(change, self.worst[_edit(change)], "").acceptance


def decided(
    wanted: Demands,
    changes: Sequence[Change],
    stranded: Sequence[Stranded] = (),
    *,
    findings: Sequence[Finding] = (),
    stack_of: Mapping[int, str] = _NO_STACKS,
    stacks: Collection[str] = (),
) -> Decided:
    """What is required of changes, of workloads that can use no pool any more, and of errors.

    `stack_of` has the stack of each change by its identity, `stacks` the names of all that are read.
    """
    edits = grouped((_edit(change), change.effect) for change in changes)
    worst = {edit: max(effects, key=lambda effect: effect.severity) for edit, effects in edits.items()}
    used: set[int] = set()
    found: dict[int, Acceptance] = {}
    for number, one in enumerate(wanted.accepted):
        covered = [change for change in changes if _covers(one, change, worst[_edit(change)], stack_of.get(id(change), ""))]
        used.update([number] if covered or any(one.is_of(each.thing) for each in stranded) else [])
        for change in covered if wanted.is_valid(one) else ():
            found.setdefault(id(change), one)
    failing = [change for change in changes if wanted.fails_on(change.effect.value) and id(change) not in found]
    of_workloads = wanted.decided([one.thing for one in stranded])
    left = [one for one in stranded if one.thing in of_workloads.left and wanted.fails_on(PENDING)]
    things = [_thing(change, worst[_edit(change)], stack_of.get(id(change), "")) for change in failing]
    accepted = [(_thing(change, worst[_edit(change)], stack_of.get(id(change), "")), found[id(change)]) for change in changes if id(change) in found]
    pairs = {(str(thing.acceptance), thing.within): (thing, one) for thing, one in accepted}
    shared = wanted.result(
        [*{(str(thing.acceptance), thing.within): thing for thing in things}.values(), *(one.thing for one in left), *map(of_finding, findings)],
        [*pairs.values(), *of_workloads.accepted],
        used,
        set(),
        lambda one: one.kind != "rule" and one.within in ("", *stacks),
    )
    return Decided(
        worst,
        frozenset(edit for edit, effects in edits.items() if Effect.REFUSED in effects),
        frozenset(map(id, failing)),
        {number: one.reason for number, one in found.items()},
        left,
        shared,
    )


def _covers(one: Acceptance, change: Change, worst: Effect, stack: str) -> bool:
    """It is about this change, or about the worst one of the same edit: one field can change several resources. A rejected one needs its own."""
    is_it = one.word == change.effect.value or (one.word == worst.value and change.effect is not Effect.REFUSED)
    return is_it and one.within in ("", stack) and (one.path, one.value) == (change.path, change.new)


def _thing(change: Change, worst: Effect, stack: str) -> Thing:
    return Thing((worst.value,), change.path, change.effect.value, change.new, stack, kind="effect")


def _edit(change: Change) -> _Edit:
    return change.path, json.dumps(change.new, default=str, sort_keys=True)
