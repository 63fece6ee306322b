"""Every difference between two registration plans of a stack, resource by resource: also of those whose fields have no table of effects."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from nodepools.model.steps import sequence
from nodepools.resources.resource import Resource, closed

OF_PULUMI: Final = ("pulumi:", "nodepools:")
"""Stacks, providers and components: nothing in a cloud."""
_OF_SDK: Final = "version"
"""The version of the provider, which follows the installed SDK."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A resource that only one of the plans has, or that is not the same in both."""

    what: str
    """`created`, `deleted`, `moved` (another parent or project: deleted and created unless an alias names the old URN) or `changed`."""
    type: str
    name: str
    fields: tuple[str, ...] = ()
    """The inputs and options that differ, in alphabetical order. Their values are not shown: one may be a secret."""

    @property
    def text(self) -> str:
        """One line."""
        fields = ", ".join(self.fields)
        return f"{self.what}: {self.type} {self.name}{f' ({fields})' if fields else ''}"

    def to_json(self) -> dict[str, object]:
        """As printed by `diff --format json`."""
        return {"what": self.what, "type": self.type, "name": self.name, "fields": list(self.fields)}


def plan_differences(old: Iterable[Resource], new: Iterable[Resource]) -> Iterator[Difference]:
    """All of them, by type and name. Secrets and values that are known only after `pulumi up` are equal to each other."""
    before, after = (
        {(one.type, one.name, str(one.parent)): closed(one) for one in plan if not one.type.startswith(OF_PULUMI)} for plan in (old, new)
    )
    left: dict[tuple[str, str], list[Resource]] = {}
    for key, one in before.items():
        if key not in after:
            left.setdefault(key[:2], []).append(one)
    for key, other in sorted(after.items(), key=lambda item: item[0]):
        one = before.get(key)
        is_moved = one is None
        if is_moved:
            one = left[key[:2]].pop(0) if left.get(key[:2]) else None
        if one is None:
            yield Difference("created", *key[:2])
        elif is_moved and one.urn not in sequence(other.options.get("aliases")):
            yield Difference("moved", *key[:2])
        elif fields := tuple(name for name in _differing(one, other) if not is_moved or name not in _OF_MOVES):
            yield Difference("changed", *key[:2], fields)
    yield from (Difference("deleted", *key) for key in sorted(left) for _ in left[key])


_OF_MOVES: Final = frozenset({"option aliases", "option parent"})
"""What differs because a resource has another parent, and names its old URN."""


def _differing(one: Resource, other: Resource) -> tuple[str, ...]:
    inputs = {name for name in {*one.inputs, *other.inputs} if one.inputs.get(name) != other.inputs.get(name)}
    options = {f"option {name}" for name in {*one.options, *other.options} - {_OF_SDK} if one.options.get(name) != other.options.get(name)}
    return tuple(sorted({*inputs, *options}))
