"""Judges resources by the rules of declarations: each by itself, and all that make a cluster together."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import cast

from nodepools.manifests.applicability import MISSING_CLASS
from nodepools.resources.applicability import NOT_OF_SECRETS, SKIPPED_RULES, SOFTENED
from nodepools.resources.reconstruction import wholes
from nodepools.resources.resource import UNKNOWN, Resource, Secret, closed, has_secrets, opened
from nodepools.resources.resource_set import Members
from nodepools.resources.source_map import ReconstructedCluster, SourceLocation
from nodepools.rules.codes import described
from nodepools.rules.finding import Finding, Severity
from nodepools.rules.fix import Fix
from nodepools.rules.path import Step, child, spelled, value_at
from nodepools.rules.runner import RuleFailedError, check


@dataclass(frozen=True, slots=True)
class Violation:
    """A finding, and the resource that it is of."""

    urn: str
    finding: Finding
    """Its path is in the words of the resource: `agentPoolProfiles[0].nodeTaints[1]`."""
    alone: bool = False
    """`check_resource` finds it too, of that resource alone."""


def check_resource(resource: Resource, *, today: date | None = None) -> list[Finding]:
    """What `resource` says by itself; nothing of a type that is no matter of ours.

    Args:
        resource: any resource of any program.
        today: the day for which it is judged; support of versions ends.
    """
    return [one.finding for one in _judged(_made((resource,)), today, is_stack=False)]


def check_stack(resources: Iterable[Resource], *, today: date | None = None, fixes: bool = True) -> list[Violation]:
    """What all resources of a stack say: those of a cluster are put together again, and judged as one.

    What `check_resource` finds of one resource is found here too, and marked as such.

    Args:
        resources: all of the program, in any order.
        today: the day for which they are judged.
        fixes: try the operations of fixes. `False` is faster, for callers that read no fix.
    """
    stack = _made(resources)
    alone = {(one.urn, one.finding.code, one.finding.path) for resource in stack for one in _judged((resource,), today, is_stack=False, fixes=False)}
    found = _judged(stack, today, is_stack=True, fixes=fixes)
    return [replace(one, alone=(one.urn, one.finding.code, one.finding.path) in alone) for one in found]


def _made(resources: Iterable[Resource]) -> tuple[Resource, ...]:
    """Those that the program makes. Of one that it only reads it says no more than the id."""
    return tuple(resource for resource in resources if "read" not in resource.options)


def _judged(resources: Sequence[Resource], today: date | None, *, is_stack: bool, fixes: bool = True) -> list[Violation]:
    """What can be said with all secrets closed, and then what only they make wrong, without a word of them."""
    found = list(_found(Members(tuple(map(closed, resources)), is_stack), today, fixes=fixes))
    if any(has_secrets(resource.inputs) for resource in resources):
        said = {(one.urn, one.finding.code, one.finding.path) for one in found}
        by_urn = {resource.urn: resource for resource in resources}
        found += [
            Violation(one.urn, _silent(one.finding, by_urn[one.urn].inputs))
            for one in _found(Members(tuple(map(opened, resources)), is_stack), today, fixes=False)
            if (one.urn, one.finding.code, one.finding.path) not in said and one.finding.code not in NOT_OF_SECRETS
        ]
    once = {(one.urn, one.finding.code, one.finding.path, one.finding.message): one for one in found}
    order = {resource.urn: number for number, resource in enumerate(resources)}
    return sorted(once.values(), key=lambda one: (order[one.urn], one.finding.path, one.finding.code))


def _found(members: Members, today: date | None, *, fixes: bool) -> Iterator[Violation]:
    for whole in wholes(members):
        for place, finding in whole.refused:
            yield _violation(members, place, finding)
        if whole.model is not None:
            failed: list[RuleFailedError] = []
            found = check(whole.model, today=today, failed=failed.append, fixes=fixes)
            yield from _ruled(members, whole, [*found, *(error.finding for error in failed)])


def _ruled(members: Members, whole: ReconstructedCluster, findings: Iterable[Finding]) -> Iterator[Violation]:
    for finding in findings:
        told = whole.told(finding)
        if told is None or finding.code in SKIPPED_RULES or finding.code in whole.not_asked:
            continue
        place, here = told
        if finding.code in MISSING_CLASS and not _is_missing(members, whole, finding.value):
            continue
        if here.steps == ("metadata", "name") and not place.named:
            continue
        yield _violation(members, place, here)


def _violation(members: Members, place: SourceLocation, finding: Finding) -> Violation:
    inputs = members.by_urn[place.urn].inputs
    steps = finding.steps[: _steps_in(inputs, finding.steps)]
    there = value_at(inputs, steps)
    value = there if there is not None else finding.value if isinstance(finding.value, str | int | float) else None
    value = None if isinstance(value, Mapping) else value  # a whole part: its path names it well enough
    severity = Severity.WARNING if finding.code in SOFTENED and finding.severity is Severity.ERROR else finding.severity
    return Violation(place.urn, replace(finding, path=spelled(steps), steps=steps, value=_shown(value), severity=severity))


def _steps_in(value: object, steps: Sequence[Step]) -> int:
    """How many of `steps` there are: a taint in one text has no key of its own."""
    if not steps or isinstance(value, str | int | float):
        return 0
    return 1 + _steps_in(child(value, steps[0]), steps[1:])


def _is_missing(members: Members, whole: ReconstructedCluster, name: object) -> bool:
    """Some classes of the cluster are here, and no class of this name, not even one that cannot be read."""
    classes = [one for one in members.objects if not one.is_pool]
    here = {place.urn for place in whole.places}
    return any(one.resource.urn in here for one in classes) and all(one.named and one.name != name for one in classes)


def _shown(value: object) -> object:
    if value is UNKNOWN:
        return {"$unknown": True}
    if isinstance(value, Mapping):
        return {str(name): _shown(part) for name, part in cast("Mapping[object, object]", value).items()}
    return [_shown(part) for part in cast("Sequence[object]", value)] if isinstance(value, list | tuple) else value


def _silent(finding: Finding, inputs: Mapping[str, object]) -> Finding:
    """`finding` in words that hold no value, at the place of the secret that it comes from."""
    steps = finding.steps[: _open_steps(inputs, finding.steps)]
    message = f"A secret value breaks this rule: {described(finding.code).rstrip('.')}"
    return replace(finding, path=spelled(steps), steps=steps, value=None, message=message, fix=Fix("Correct the secret"))


def _open_steps(value: object, steps: Sequence[Step]) -> int:
    """How many of `steps` lead through what is no secret."""
    if isinstance(value, Secret) or not steps:
        return 0
    inside = child(value, steps[0])
    return 1 + _open_steps(inside, steps[1:])
