"""Asks every rule about every part of a declaration."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from types import NoneType
from typing import cast

from nodepools.model.base import Model
from nodepools.model.partial import NotKnownError
from nodepools.rules.fault import UNSAID, Fault, Finding
from nodepools.rules.path import Step, spelled
from nodepools.rules.registry import Rule, all_rules


@dataclass(frozen=True, slots=True)
class Place:
    """A part where it stands. One object may stand in two places, so paths are never looked up by the object alone."""

    part: Model
    steps: tuple[Step, ...]
    holders: tuple["Place", ...]
    """What it is part of, the innermost first."""


def check(whole: Model, path: str = "", today: date | None = None) -> list[Fault]:
    """Everything that the rules find in `whole`, in the order of the declaration.

    Args:
        whole: a platform, or any part of one: rules that need more around it are not asked.
        path: where `whole` stands, to begin every path with.
        today: the day for which it is judged; support of versions ends.
    """
    day = today if today is not None else date.today()  # noqa: DTZ011  # the day where people are
    rules = [rule for rule in all_rules().values() if rule.holds_on(day)]
    asked: dict[type[Model], list[Rule]] = {}
    found: list[tuple[tuple[int, ...], Fault]] = []
    for place in _places(whole, (), ()):
        kind = type(place.part)
        if kind not in asked:
            asked[kind] = [rule for rule in rules if issubclass(kind, rule.about[0])]
        for rule in asked[kind]:
            found.extend(_located(finding, steps, rule, whole, path) for finding, steps in _answers(rule, place, day))
    found.sort(key=lambda one: (one[0], one[1].code))
    return [fault for _, fault in found]


def _answers(rule: Rule, place: Place, day: date) -> Iterator[tuple[Finding, tuple[Step, ...]]]:
    """What `rule` says of what stands at `place`, and where that is; nothing where something that it needs is not around, or not known."""
    given: list[object] = [place.part]
    for kinds in rule.about[1:]:
        holder = day if kinds == (date,) else next((h.part for h in place.holders if isinstance(h.part, kinds)), None)
        if holder is None and NoneType not in kinds:
            return
        given.append(holder)
    times: dict[int, int] = {}
    with suppress(NotKnownError):  # what it has said before rests on what is known
        for finding in rule.find(*given):
            nth = times.get(id(finding.of), 0)
            yield finding, _steps_to(finding.of, nth, place)
            times[id(finding.of)] = nth + 1


def _steps_to(part: Model, nth: int, place: Place) -> tuple[Step, ...]:
    """Where `part` stands: within what was judged, or else within what holds that; for the `nth` time it is named."""
    if part is place.part:
        return place.steps
    for around in (place, *place.holders):
        places = [within.steps for within in _places(around.part, around.steps, ()) if within.part is part]
        if places:
            return places[min(nth, len(places) - 1)]
    msg = f"a rule named a {type(part).__name__} that is no part of the declaration"
    raise LookupError(msg)


def _located(finding: Finding, steps: tuple[Step, ...], rule: Rule, whole: Model, path: str) -> tuple[tuple[int, ...], Fault]:
    steps += finding.at
    order: list[int] = []
    value: object = whole
    for step in steps:
        inside = dict(_inside(value))
        order.append(list(inside).index(step) if step in inside else len(inside))
        value = inside.get(step)
    value = value if finding.value is UNSAID else finding.value
    return tuple(order), Fault(rule.code, rule.severity, spelled(steps, path), value, finding.message, finding.fix, rule.source, steps=steps)


def _places(part: object, steps: tuple[Step, ...], holders: tuple[Place, ...]) -> Iterator[Place]:
    if isinstance(part, Model):
        place = Place(part, steps, holders)
        yield place
        holders = (place, *holders)
    for step, value in _inside(part):
        if isinstance(value, Model | tuple | dict):
            yield from _places(cast("object", value), (*steps, step), holders)


def _inside(part: object) -> Iterable[tuple[Step, object]]:
    if isinstance(part, Model):
        held = vars(part)
        return ((name, held[name]) for name in type(part).model_fields)
    if isinstance(part, dict):
        return cast("Mapping[str, object]", part).items()
    return enumerate(cast("Sequence[object]", part)) if isinstance(part, tuple) else ()
