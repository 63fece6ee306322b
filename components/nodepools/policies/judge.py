"""Judges resources by the rules of declarations: each by itself, and all that make a cluster together."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from nodepools.policies.resource import Resource
from nodepools.rules.fault import Fault


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
    del resource, today
    return []


def judge_stack(resources: Iterable[Resource], *, today: date | None = None) -> list[Violation]:
    """What all resources of a stack say: those of a cluster are put together again, and judged as one.

    What `judge_resource` finds of one resource is found here too, and marked as such.

    Args:
        resources: all of the program, in any order.
        today: the day for which they are judged.
    """
    del resources, today
    return []
