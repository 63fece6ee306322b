"""What a policy is: a name, a level, settings, and what it asks of a resource or of a whole stack."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import ClassVar

from google.protobuf.struct_pb2 import Struct
from pydantic import BaseModel, ConfigDict

from nodepools.pack.violation_text import ViolationText
from nodepools.resources.resource import Inputs, Resource
from nodepools.resources.resource_checks import Violation, check_resource, check_stack
from nodepools.rules.finding import Finding


class Level(StrEnum):
    """What becomes of a violation, in Pulumi's words."""

    MANDATORY = "mandatory"
    """The update is stopped."""
    ADVISORY = "advisory"
    """It is shown."""
    REMEDIATE = "remediate"
    """It is repaired before the resource is made; what cannot be repaired is mandatory."""
    DISABLED = "disabled"


class Scope(StrEnum):
    """Of how much a policy speaks."""

    RESOURCE = "resource"
    """Of one resource, before it is made; where its parts are resources of their own, of them together too."""
    STACK = "stack"
    """Of several resources together, after all are registered."""


class ResourceUnderCheck:
    """One resource. It is judged once for each day that is asked for, however many policies ask."""

    def __init__(self, resource: Resource, provider: Inputs | None = None) -> None:
        """Takes the resource, and the inputs of the provider that makes it, where the program names one."""
        self.resource = resource
        self.provider: Inputs = provider if provider is not None else {}
        self._findings: dict[date | None, list[Finding]] = {}

    def findings(self, today: date | None) -> list[Finding]:
        """What the library's rules say of it."""
        if today not in self._findings:
            self._findings[today] = check_resource(self.resource, today=today)
        return self._findings[today]


class Stack:
    """All resources of a program."""

    def __init__(self, resources: Iterable[Resource], outputs: Mapping[str, Inputs], asked: Iterable[str] = ()) -> None:
        """Takes all resources as they were declared.

        Args:
            resources: in any order.
            outputs: what they are afterwards, by URN.
            asked: URNs of those that were judged alone before: what was said then is not said again.
        """
        self.resources = tuple(resources)
        self.outputs = outputs
        self._asked = frozenset(asked)
        self._violations: dict[date | None, list[Violation]] = {}

    def violations(self, today: date | None) -> list[Violation]:
        """What the library's rules say, and was not said of one resource alone."""
        if today not in self._violations:
            found = check_stack(self.resources, today=today)
            self._violations[today] = [one for one in found if not (one.alone and one.urn in self._asked)]
        return self._violations[today]


class PolicyFunction(BaseModel):
    """What a policy asks, by its settings: the fields. Every field has a default: Pulumi checks settings of policies that are off, too."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    hidden: ClassVar[frozenset[str]] = frozenset()
    """Fields that are no settings."""

    def of_resource(self, asked: ResourceUnderCheck) -> Iterator[ViolationText]:
        """What is wrong with one resource."""
        del asked
        yield from ()

    def of_stack(self, stack: Stack) -> Iterator[tuple[str, ViolationText]]:
        """What is wrong with several together, each with the URN that it is said of."""
        del stack
        yield from ()

    def remedy(self, resource: Resource, properties: Struct) -> bool:
        """Repairs `properties`, the inputs of `resource`, in place, so that secrets and unknown values stay what they are; says whether it did."""
        del resource, properties
        return False


@dataclass(frozen=True, slots=True)
class Policy:
    """A policy as it is listed."""

    name: str
    description: str
    """What it asks for."""
    level: Level
    """Unless the configuration says otherwise."""
    judge: Callable[[Mapping[str, object]], PolicyFunction]
    """Makes the judge from settings; raises `pydantic.ValidationError` on those that are none."""
    settings: Mapping[str, Mapping[str, object]] = field(default_factory=dict[str, Mapping[str, object]])
    """JSON schema of each setting."""
    scope: Scope = Scope.RESOURCE
    remedies: bool = False
    """It can repair."""
    source: str = ""
    """Who says so: a link, or words."""
    title: str = ""
    """The public name of a code; the other policies are named by words already."""


def settings_of(judge: type[PolicyFunction]) -> Mapping[str, Mapping[str, object]]:
    """The JSON schema of each setting."""
    properties: Mapping[str, Mapping[str, object]] = judge.model_json_schema()["properties"] if judge.model_fields else {}
    return {name: {key: part for key, part in schema.items() if key != "title"} for name, schema in properties.items() if name not in judge.hidden}
