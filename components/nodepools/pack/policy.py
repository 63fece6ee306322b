"""A policy: a name, a level, settings, and a function that checks a resource or a whole stack."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import ClassVar

from google.protobuf.struct_pb2 import Struct
from pydantic import BaseModel, ConfigDict

from nodepools.resources.resource import Inputs, Resource
from nodepools.resources.resource_checks import Violation, check_resource, check_stack
from nodepools.resources.violation_text import ViolationText
from nodepools.rules.engine.finding import Finding


class Level(StrEnum):
    """The effect of a violation, in Pulumi's terms."""

    MANDATORY = "mandatory"
    """The violation stops the update."""
    ADVISORY = "advisory"
    """Pulumi shows the violation."""
    REMEDIATE = "remediate"
    """The policy repairs the inputs before the resource is created. A violation that it cannot repair stops the update."""
    DISABLED = "disabled"


class Scope(StrEnum):
    """The resources that a policy checks together."""

    RESOURCE = "resource"
    """One resource, before it is created; together with its parts too, if these are separate resources."""
    STACK = "stack"
    """Several resources, after all of them are registered."""


class ResourceUnderCheck:
    """One resource. It is checked once for each date, however many policies read its findings."""

    def __init__(self, resource: Resource, provider: Inputs | None = None) -> None:
        """Creates it from the resource, and the inputs of its provider if the program names one."""
        self.resource = resource
        self.provider: Inputs = provider if provider is not None else {}
        self._findings: dict[date | None, list[Finding]] = {}

    def findings(self, today: date | None) -> list[Finding]:
        """Returns the findings of the library's rules."""
        if today not in self._findings:
            self._findings[today] = check_resource(self.resource, today=today)
        return self._findings[today]


class Stack:
    """All resources of a program."""

    def __init__(self, resources: Iterable[Resource], outputs: Mapping[str, Inputs], checked: Iterable[str] = ()) -> None:
        """Creates it from all resources as the program declares them.

        Args:
            resources: the resources, in any order.
            outputs: their properties after the update, by URN.
            checked: URNs of the resources that were checked alone before: their findings are not repeated.
        """
        self.resources = tuple(resources)
        self.outputs = outputs
        self._checked = frozenset(checked)
        self._violations: dict[date | None, list[Violation]] = {}

    def violations(self, today: date | None) -> list[Violation]:
        """Returns the findings of the library's rules, except those that the check of one resource reported."""
        if today not in self._violations:
            found = check_stack(self.resources, today=today)
            self._violations[today] = [violation for violation in found if not (violation.alone and violation.urn in self._checked)]
        return self._violations[today]


class PolicyFunction(BaseModel):
    """The check of a policy. Its fields are the settings, each with a default: Pulumi validates settings of disabled policies too."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    hidden: ClassVar[frozenset[str]] = frozenset()
    """Fields that are not settings."""

    def of_resource(self, requested: ResourceUnderCheck) -> Iterator[ViolationText]:
        """Yields the violations of one resource."""
        del requested
        yield from ()

    def of_stack(self, stack: Stack) -> Iterator[tuple[str, ViolationText]]:
        """Yields the violations of several resources together, each with the URN of its resource."""
        del stack
        yield from ()

    def remedy(self, resource: Resource, properties: Struct) -> bool:
        """Repairs `properties`, the inputs of `resource`, in place, which preserves secrets and unknown values. Returns whether it changed them."""
        del resource, properties
        return False


@dataclass(frozen=True, slots=True)
class Policy:
    """A policy of the pack."""

    name: str
    description: str
    """The requirement that the policy checks."""
    level: Level
    """The level, if the configuration does not set one."""
    function: Callable[[Mapping[str, object]], PolicyFunction]
    """Creates the policy function from settings; raises `pydantic.ValidationError` for invalid ones."""
    settings: Mapping[str, Mapping[str, object]] = field(default_factory=dict[str, Mapping[str, object]])
    """JSON schema of each setting."""
    scope: Scope = Scope.RESOURCE
    remedies: bool = False
    """The policy can repair inputs."""
    source: str = ""
    """The documentation of the requirement: a link, or text."""
    title: str = ""
    """The public name of a code; the names of other policies are readable already."""


def settings_of(function: type[PolicyFunction]) -> Mapping[str, Mapping[str, object]]:
    """Returns the JSON schema of each setting."""
    properties: Mapping[str, Mapping[str, object]] = function.model_json_schema()["properties"] if function.model_fields else {}
    return {name: {key: part for key, part in schema.items() if key != "title"} for name, schema in properties.items() if name not in function.hidden}
