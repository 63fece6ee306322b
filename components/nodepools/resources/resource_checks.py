"""Checks resources by the rules of declarations: each resource alone, and all resources of a cluster together."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import cast

from nodepools.model.steps import Step
from nodepools.resources.reconstruction import clusters
from nodepools.resources.resource import UNKNOWN, Resource, Secret, closed, has_secrets, opened
from nodepools.resources.resource_set import Members
from nodepools.resources.source_map import ReconstructedCluster, SourceLocation
from nodepools.rules.engine.finding import Finding, Severity
from nodepools.rules.engine.fix import Fix
from nodepools.rules.engine.path import child, path_text, value_at
from nodepools.rules.engine.registry import Where, described, is_softened, limit_of
from nodepools.rules.engine.runner import RuleFailedError, check


@dataclass(frozen=True, slots=True)
class Violation:
    """A finding, and the resource that it is about."""

    urn: str
    finding: Finding
    """Its path is in the resource's spelling: `agentPoolProfiles[0].nodeTaints[1]`."""
    alone: bool = False
    """`check_resource` reports it too, without the other resources."""


def check_resource(resource: Resource, *, today: date | None = None) -> list[Finding]:
    """Checks `resource` without the rest of its program. Types that no rule is about have no findings.

    Args:
        resource: any resource of any program.
        today: the date that support of versions is checked for.
    """
    return [violation.finding for violation in _checked(_created((resource,)), today, is_stack=False)]


def check_stack(resources: Iterable[Resource], *, today: date | None = None, fixes: bool = True) -> list[Violation]:
    """Checks all resources of a stack: reconstructs each cluster from its resources, and checks it as one.

    The findings of `check_resource` are included, and marked as `alone`.

    Args:
        resources: all resources of the program, in any order.
        today: the date that support of versions is checked for.
        fixes: try the operations of fixes. `False` is faster: fixes that have operations are omitted.
    """
    stack = _created(resources)
    found = _checked(stack, today, is_stack=True, fixes=fixes)
    urns = {violation.urn for violation in found}
    alone = {
        (violation.urn, violation.finding.code, violation.finding.path)
        for resource in stack
        if resource.urn in urns
        for violation in _checked((resource,), today, is_stack=False, fixes=False)
    }
    return [replace(violation, alone=(violation.urn, violation.finding.code, violation.finding.path) in alone) for violation in found]


def _created(resources: Iterable[Resource]) -> tuple[Resource, ...]:
    """Returns the resources that the program creates. Of a resource that it only reads, just the ID is known."""
    return tuple(resource for resource in resources if "read" not in resource.options)


def _checked(resources: Sequence[Resource], today: date | None, *, is_stack: bool, fixes: bool = True) -> list[Violation]:
    """Returns the findings with all secrets unknown, then those that only the secrets cause, without any value of them."""
    found = list(_found(Members(tuple(map(closed, resources)), is_stack), today, fixes=fixes))
    if any(has_secrets(resource.inputs) for resource in resources):
        reported = {(violation.urn, violation.finding.code, violation.finding.path) for violation in found}
        by_urn = {resource.urn: resource for resource in resources}
        found += [
            Violation(violation.urn, _redacted(violation.finding, by_urn[violation.urn].inputs))
            for violation in _found(Members(tuple(map(opened, resources)), is_stack), today, fixes=False)
            if (violation.urn, violation.finding.code, violation.finding.path) not in reported
            and limit_of(violation.finding.code, Where.SECRETS) is None
        ]
    once = {(violation.urn, violation.finding.code, violation.finding.path, violation.finding.message): violation for violation in found}
    order = {resource.urn: number for number, resource in enumerate(resources)}
    return sorted(once.values(), key=lambda item: (order[item.urn], item.finding.path, item.finding.code))


def _found(members: Members, today: date | None, *, fixes: bool) -> Iterator[Violation]:
    for cluster in clusters(members):
        for place, finding in cluster.rejected:
            yield _violation(members, place, finding)
        if cluster.model is not None:
            failed: list[RuleFailedError] = []
            found = check(cluster.model, today=today, failed=failed.append, fixes=fixes)
            yield from _violations(members, cluster, [*found, *(error.finding for error in failed)])


def _violations(members: Members, cluster: ReconstructedCluster, findings: Iterable[Finding]) -> Iterator[Violation]:
    for finding in findings:
        located = cluster.located(finding)
        if located is None or limit_of(finding.code, Where.RESOURCES, *cluster.limits) is not None:
            continue
        place, here = located
        if limit_of(finding.code, Where.MISSING_CLASS) is not None and not _is_missing(members, cluster, finding.value):
            continue
        if here.steps == ("metadata", "name") and not place.named:
            continue
        yield _violation(members, place, here)


def _violation(members: Members, place: SourceLocation, finding: Finding) -> Violation:
    inputs = members.by_urn[place.urn].inputs
    steps = finding.steps[: _steps_in(inputs, finding.steps)]
    there = value_at(inputs, steps)
    value = there if there is not None else finding.value if isinstance(finding.value, str | int | float) else None
    value = None if isinstance(value, Mapping) else value  # the path is enough to name a part
    severity = Severity.WARNING if finding.severity is Severity.ERROR and is_softened(finding.code) else finding.severity
    return Violation(place.urn, replace(finding, path=path_text(steps), steps=steps, value=_shown(value), severity=severity))


def _steps_in(value: object, steps: Sequence[Step]) -> int:
    """Counts the `steps` that exist in the inputs: a taint that is one text has no separate key."""
    if not steps or isinstance(value, str | int | float):
        return 0
    return 1 + _steps_in(child(value, steps[0]), steps[1:])


def _is_missing(members: Members, cluster: ReconstructedCluster, name: object) -> bool:
    """Tells whether the cluster has node classes here, and none of this name, readable or not."""
    classes = [violation for violation in members.objects if not violation.is_pool]
    here = {place.urn for place in cluster.places}
    return any(node_class.resource.urn in here for node_class in classes) and all(
        node_class.named and node_class.name != name for node_class in classes
    )


def _shown(value: object) -> object:
    if value is UNKNOWN:
        return {"$unknown": True}
    if isinstance(value, Mapping):
        return {str(name): _shown(part) for name, part in cast("Mapping[object, object]", value).items()}
    return [_shown(part) for part in cast("Sequence[object]", value)] if isinstance(value, list | tuple) else value


def _redacted(finding: Finding, inputs: Mapping[str, object]) -> Finding:
    """Returns `finding` with a message without values, at the path of the secret that causes it."""
    steps = finding.steps[: _open_steps(inputs, finding.steps)]
    message = f"A secret value breaks this rule: {described(finding.code).rstrip('.')}"
    return replace(finding, path=path_text(steps), steps=steps, value=None, message=message, fix=Fix("Correct the secret"))


def _open_steps(value: object, steps: Sequence[Step]) -> int:
    """Counts the `steps` before the first secret."""
    if isinstance(value, Secret) or not steps:
        return 0
    inside = child(value, steps[0])
    return 1 + _open_steps(inside, steps[1:])
