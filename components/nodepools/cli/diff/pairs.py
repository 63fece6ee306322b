"""The declarations of one stack on both sides."""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Final

from nodepools.changes.platform_changes import Changes, declared_changes, request_set_changes
from nodepools.cli.command_run import CommandRun
from nodepools.cli.diff.files import Part, Places, nowhere
from nodepools.cli.inputs.sources import Source, every_outcome
from nodepools.clouds.change import Change, Requests, worst_first
from nodepools.data.karpenter_releases import KarpenterRelease
from nodepools.model.listing import grouped, joined
from nodepools.model.path import value_at
from nodepools.model.platform import Platform
from nodepools.model.steps import Steps
from nodepools.model.values import dataclass, replace
from nodepools.rules.engine.finding import Finding, Severity
from nodepools.wire.table import Effect

if TYPE_CHECKING:
    from nodepools.manifests.manifest_objects import ManifestObject

_SCHEMA: Final = "CFG"
"""Codes of what the schema of an object rejects."""
_DROPPED: Final = "CFG002"
"""A field that the schema does not have: the API server drops it, unless the request asks for strict validation."""
_OF_CRD: Final = re.compile(r"(NodePool|AKSNodeClass|EC2NodeClass) CRDs?\b(?!.*http)")
"""How the source of an error begins that the CRD of the kind rejects, and nothing else."""
REJECTS: Final = "The API server rejects"
_NOTHING: Final = Requests(())
_KEPT: Final = (Effect.NONE, Effect.DELETES)
_DESTROYED: Final = "The stack is not declared any more: what it has stays until `pulumi destroy` deletes it, because no `pulumi up` runs for it"


@dataclass(frozen=True, slots=True)
class Pair:
    """A stack on both sides; `None` for a side without a declaration of it."""

    name: str
    old: Platform | None
    new: Platform | None
    changes: Changes
    places: Places = nowhere
    """Finds the declaration of the new side."""

    def declared(self, change: Change) -> tuple[object, object]:
        """What each side says at the place of a change. What is not a declaration says its value."""
        sides = (self.old, change.old), (self.new, change.new)
        old, new = (value if side is None else value_at(side, change.steps) for side, value in sides)
        return old, new

    @property
    def changed(self) -> Sequence[str]:
        """The clusters that are not declared in the same way on both sides."""
        old, new = (dict(side.clusters) if side is not None else {} for side in (self.old, self.new))
        return [key for key in {**old, **new} if old.get(key) != new.get(key)]


def _pair(name: str, old: Part | None, new: Part | None, changes: Changes) -> Pair:
    before, after = ((part.modeled if part.modeled is not None else part.platform) if part is not None else None for part in (old, new))
    return Pair(name, before, after, changes, new.places if new is not None else nowhere)


def compared_parts(name: str, one: Part | None, other: Part | None, today: date | None) -> Pair:
    """The changes from one part to another; `None`: the side has none of that name."""
    return _pair(name, one, other, _changes(one, other, today))


def _changes(one: Part | None, other: Part | None, today: date | None) -> Changes:
    if one is not None and other is not None and one.platform is not None and other.platform is not None:
        return declared_changes((one.platform, one.requests), (other.platform, other.requests), today)
    had, gets = (part.requests if part is not None else _NOTHING for part in (one, other))
    found = request_set_changes(had, gets, today)
    return found if other is not None else Changes(tuple(replace(change, message=_DESTROYED) for change in found.all))


def compared_sides(before: Mapping[str, Part], after: Mapping[str, Part], source: Source, run: CommandRun) -> list[Pair]:
    """The parts of both sides, those of one name together.

    Raises:
        InputError: a process of `--jobs` ended before it answered.
    """
    parts = [(name, before.get(name), after.get(name)) for name in {**before, **after}]
    if len(before) == len(after) == 1:  # two files, whatever their names
        [one] = before.values()
        parts = [(name, one, other) for name, other in after.items()]
    reads = [(name, partial(_changes, one, other, source.today)) for name, one, other in parts]
    found = every_outcome(reads, run, source.jobs)
    return [_pair(name, one, other, changes) for (name, one, other), changes in zip(parts, found, strict=True)]


def with_errors_of(
    objects: "Sequence[ManifestObject]", pairs: Sequence[Pair], karpenter: KarpenterRelease | None, run: CommandRun
) -> tuple[list[Pair], list[Finding]]:
    """The pairs, in which changes of objects that an API server rejects are marked as rejected, and the errors of these manifests."""
    if not objects:
        return list(pairs), []
    from nodepools.cli.inputs.manifest_checks import written_values  # only manifests need these
    from nodepools.manifests.object_checks import check_objects

    errors = [one for one in written_values(check_objects(objects, karpenter=karpenter).findings, objects, run) if one.severity is Severity.ERROR]
    rejected = grouped((str(finding.object), finding) for finding in errors if _is_rejected(finding))
    return [replace(one, changes=_refused(one, rejected)) for one in pairs], errors


def _is_rejected(finding: Finding) -> bool:
    """Not only Karpenter or the cloud, but the API server does not take the object."""
    if finding.code.startswith(_SCHEMA):
        return finding.code != _DROPPED
    return finding.message.startswith(REJECTS) or _OF_CRD.match(finding.source) is not None


def _refused(pair: Pair, rejected: Mapping[str, Sequence[Finding]]) -> Changes:
    def one(change: Change) -> Change:
        place = pair.places(change.steps)
        findings = rejected.get(f"{place.file}#{'/'.join(map(str, change.steps[:2]))}") if place is not None else None
        if findings is None or change.effect in (*_KEPT, Effect.REFUSED):
            return change
        return replace(change, effect=Effect.REFUSED, nodes=None, extra_nodes=None, pace=None, message=_reason(change.steps[2:], findings))

    return replace(pair.changes, all=tuple(worst_first(map(one, pair.changes.all))))


def _reason(steps: Steps, findings: Sequence[Finding]) -> str:
    """Why the object of an edit at `steps` is rejected: what is wrong inside of it or with the whole object, otherwise the other fields."""
    own = [finding.message for finding in findings if not finding.steps or finding.steps[: len(steps)] == steps]
    if own:
        said = "; ".join(dict.fromkeys(own))
        return said if said.startswith(REJECTS) else f"{REJECTS} the object: {said}"
    return f"{REJECTS} the object because of {joined(list(dict.fromkeys(finding.path for finding in findings)))}"
