"""Judges resources by the rules of declarations: each by itself, and all that make a cluster together."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final, cast

from nodepools.manifests.asked import MISSING_CLASS
from nodepools.resources.asked import FIXES, NOT_ASKED, NOT_OF_SECRETS, SHAPE_FIXES, SOFTENED
from nodepools.resources.members import Members
from nodepools.resources.resource import UNKNOWN, Resource, Secret, closed, has_secrets, opened
from nodepools.resources.whole import Place, Whole
from nodepools.resources.wholes import wholes
from nodepools.rules.documented import described
from nodepools.rules.fault import Fault, Severity
from nodepools.rules.judge import check
from nodepools.rules.path import spelled

_PYTHON: Final = re.compile(r"(; keys |, or Taint\().*")
"""What a fix says beside, to those who declare in Python."""


@dataclass(frozen=True, slots=True)
class Violation:
    """A fault, and the resource that it is of."""

    urn: str
    fault: Fault
    """Its path is in the words of the resource: `agentPoolProfiles[0].nodeTaints[1]`."""
    alone: bool = False
    """`judge_resource` finds it too, of that resource alone."""


def judge_resource(resource: Resource, *, today: date | None = None) -> list[Fault]:
    """What `resource` says by itself; nothing of a type that is no matter of ours.

    Args:
        resource: any resource of any program.
        today: the day for which it is judged; support of versions ends.
    """
    return [one.fault for one in _judged(_made((resource,)), today, is_stack=False)]


def judge_stack(resources: Iterable[Resource], *, today: date | None = None) -> list[Violation]:
    """What all resources of a stack say: those of a cluster are put together again, and judged as one.

    What `judge_resource` finds of one resource is found here too, and marked as such.

    Args:
        resources: all of the program, in any order.
        today: the day for which they are judged.
    """
    stack = _made(resources)
    alone = {(resource.urn, fault.code, fault.path) for resource in stack for fault in judge_resource(resource, today=today)}
    found = _judged(stack, today, is_stack=True)
    return [replace(one, alone=(one.urn, one.fault.code, one.fault.path) in alone) for one in found]


def _made(resources: Iterable[Resource]) -> tuple[Resource, ...]:
    """Those that the program makes. Of one that it only reads it says no more than the id."""
    return tuple(resource for resource in resources if "read" not in resource.options)


def _judged(resources: Sequence[Resource], today: date | None, *, is_stack: bool) -> list[Violation]:
    """What can be said with all secrets closed, and then what only they make wrong, without a word of them."""
    found = list(_found(Members(tuple(map(closed, resources)), is_stack), today))
    if any(has_secrets(resource.inputs) for resource in resources):
        said = {(one.urn, one.fault.code, one.fault.path) for one in found}
        by_urn = {resource.urn: resource for resource in resources}
        found += [
            Violation(one.urn, _silent(one.fault, by_urn[one.urn].inputs))
            for one in _found(Members(tuple(map(opened, resources)), is_stack), today)
            if (one.urn, one.fault.code, one.fault.path) not in said and one.fault.code not in NOT_OF_SECRETS
        ]
    once = {(one.urn, one.fault.code, one.fault.path, one.fault.message): one for one in found}
    order = {resource.urn: number for number, resource in enumerate(resources)}
    return sorted(once.values(), key=lambda one: (order[one.urn], one.fault.path, one.fault.code))


def _found(members: Members, today: date | None) -> Iterator[Violation]:
    for whole in wholes(members):
        for place, fault in whole.refused:
            yield _violation(members, place, fault)
        if whole.model is not None:
            yield from _ruled(members, whole, check(whole.model, today=today))


def _ruled(members: Members, whole: Whole, faults: Iterable[Fault]) -> Iterator[Violation]:
    for fault in faults:
        told = whole.told(fault)
        if told is None or fault.code in NOT_ASKED or fault.code in whole.not_asked:
            continue
        place, here = told
        if fault.code in MISSING_CLASS and not _is_missing(members, whole, fault.value):
            continue
        if here.steps == ("metadata", "name") and not place.named:
            continue
        yield _violation(members, place, here)


def _violation(members: Members, place: Place, fault: Fault) -> Violation:
    inputs = members.by_urn[place.urn].inputs
    steps = fault.steps[: _steps_in(inputs, fault.steps)]
    there = _at(inputs, steps)
    value = there if there is not None else fault.value if isinstance(fault.value, str | int | float) else None
    value = None if isinstance(value, Mapping) else value  # a whole part: its path names it well enough
    severity = Severity.WARNING if fault.code in SOFTENED and fault.severity is Severity.ERROR else fault.severity
    return Violation(place.urn, replace(fault, path=spelled(steps), steps=steps, value=_shown(value), severity=severity, fix=_fix(fault)))


def _fix(fault: Fault) -> str:
    shape = SHAPE_FIXES.get((fault.code, str(fault.steps[-1]))) if fault.steps else None
    return shape if shape is not None else FIXES.get(fault.code, _PYTHON.sub("", fault.fix))


def _steps_in(value: object, steps: Sequence[object]) -> int:
    """How many of `steps` there are: a taint in one text has no key of its own."""
    if not steps or isinstance(value, str | int | float):
        return 0
    return 1 + _steps_in(_inside(value, steps[0]), steps[1:])


def _is_missing(members: Members, whole: Whole, name: object) -> bool:
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


def _silent(fault: Fault, inputs: Mapping[str, object]) -> Fault:
    """`fault` in words that hold no value, at the place of the secret that it comes from."""
    steps = fault.steps[: _open_steps(inputs, fault.steps)]
    message = "a secret value breaks the rule: " + described(fault.code)
    return replace(fault, path=spelled(steps), steps=steps, value=None, message=message, fix="correct the secret")


def _open_steps(value: object, steps: Sequence[object]) -> int:
    """How many of `steps` lead through what is no secret."""
    if isinstance(value, Secret) or not steps:
        return 0
    inside = _inside(value, steps[0])
    return 1 + _open_steps(inside, steps[1:])


def _at(value: object, steps: Sequence[object]) -> object:
    return value if not steps else _at(_inside(value, steps[0]), steps[1:])


def _inside(value: object, step: object) -> object:
    if isinstance(value, Mapping):
        return cast("Mapping[object, object]", value).get(step)
    held = cast("Sequence[object]", value) if isinstance(value, list | tuple) else ()
    return held[step] if isinstance(step, int) and step < len(held) else None
