"""The registration plan of each stack, made once for all tests."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from nodepools.engine.plan import Plan as Recorded

STACKS = ("dev", "staging", "prod")
DECLARATIONS = {**{stack: (".", stack) for stack in STACKS}, "services": ("tests/golden/services", "dev")}
"""By the name of its stored plan: the project and the stack. `services` has every field of the services of clusters."""
ROOT = "pulumi:pulumi:Stack"


@dataclass(frozen=True)
class Resource:
    """One resource of a plan, with the words that the invariants use."""

    urn: str
    type: str
    name: str
    parent: str | None
    inputs: dict[str, Any]
    dependencies: frozenset[str]
    options: dict[str, Any]

    @property
    def kind(self) -> str:
        return self.type.rpartition(":")[2]

    def __str__(self) -> str:
        return f"{self.kind}/{self.name}"


@dataclass(frozen=True)
class Plan:
    """A plan with questions to it."""

    stack: str
    json: dict[str, Any]
    by_urn: dict[str, Resource] = field(default_factory=dict[str, Resource])

    @classmethod
    def of(cls, stack: str, json: dict[str, Any]) -> "Plan":
        found: list[dict[str, Any]] = json["resources"]
        resources = [replace(Resource(**one), dependencies=frozenset(one["dependencies"])) for one in found]
        return cls(stack, json, {resource.urn: resource for resource in resources if resource.type != ROOT})

    def __iter__(self) -> Iterator[Resource]:
        return iter(self.by_urn.values())

    def of_kind(self, kind: str) -> list[Resource]:
        return [resource for resource in self if resource.kind == kind]

    def component(self, resource: Resource) -> Resource:
        """The outermost component that holds it, or itself."""
        while resource.parent in self.by_urn:
            resource = self.by_urn[resource.parent]
        return resource

    def waits_for(self, resource: Resource) -> set[str]:
        """Everything that is made before it and destroyed after it, by a chain of stated edges."""
        seen: set[str] = set()
        todo = list(resource.dependencies)
        while todo:
            urn = todo.pop()
            if urn not in seen:
                seen.add(urn)
                todo += self.by_urn[urn].dependencies if urn in self.by_urn else ()
        return seen

    def direct(self, resource: Resource, kind: str) -> list[Resource]:
        """Those of `kind` that it depends on by an edge of its own."""
        return [self.by_urn[urn] for urn in sorted(resource.dependencies) if urn in self.by_urn and self.by_urn[urn].kind == kind]

    def by_component(self, kind: str) -> dict[str, list[Resource]]:
        grouped: dict[str, list[Resource]] = defaultdict(list)
        for resource in self.of_kind(kind):
            grouped[self.component(resource).name].append(resource)
        return grouped


@pytest.fixture(scope="session", params=STACKS)
def plan(request: pytest.FixtureRequest, planned: Callable[[str, str], Recorded]) -> Plan:
    """The plan of a stack, as `nodepools preview --format json` prints it."""
    return _plan(planned(".", request.param), request.param)


@dataclass(frozen=True)
class Declared:
    """A plan, and where it comes from."""

    name: str
    folder: str
    plan: Plan


@pytest.fixture(scope="session", params=DECLARATIONS)
def declared(request: pytest.FixtureRequest, planned: Callable[[str, str], Recorded]) -> Declared:
    """Everything of which a plan is stored."""
    folder, stack = DECLARATIONS[request.param]
    return Declared(request.param, folder, _plan(planned(folder, stack), stack))


def _plan(made: Recorded, stack: str) -> Plan:
    assert not [one for one in made.diagnostics if one.severity == "error"]  # warnings depend on the day
    return Plan.of(stack, made.to_json())
