"""A policy: a name, a level, settings, and a function that checks a resource or a whole stack. Each rule of the library is one."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from enum import StrEnum
from functools import partial
from types import NoneType
from typing import ClassVar, Final

from google.protobuf.struct_pb2 import Struct
from pydantic import BaseModel, ConfigDict

from nodepools.model.aks.cluster import AksClusterArgs, AksNodeClass, AksNodePool, NodeProvisioning
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.eks.node_class import AutoMode, EksNodeClass, EksNodePool
from nodepools.model.karpenter import NodePool, Requirement
from nodepools.model.maintenance import Budget
from nodepools.model.values import dataclass, field
from nodepools.resources.resource import Inputs, Resource
from nodepools.resources.resource_checks import Violation, check_resource, check_stack
from nodepools.resources.violation_text import ViolationText
from nodepools.rules.engine.codes import OBJECT_CODES, SCHEMA_CODES, Code
from nodepools.rules.engine.finding import Finding, Severity
from nodepools.rules.engine.own_rules import load_installed
from nodepools.rules.engine.registry import Rule, Where, all_rules, is_softened, limit_of


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


LEVELS: Final = {Severity.ERROR: Level.MANDATORY, Severity.WARNING: Level.ADVISORY, Severity.NOTE: Level.DISABLED}
"""A cloud is guaranteed to reject an error: it stops the update. Notes are disabled unless the configuration enables them."""

SHAPE_LEVELS: Final = {"CFG002": Level.ADVISORY}
"""An unknown field can be newer than this library."""
OF_ONE_OBJECT: Final = ("OBJ001", "OBJ002", "OBJ004", "OBJ014")
"""Codes about one object. The other codes of objects are about files."""
_SCHEMA: Final = "schema of the object, see docs/rules.md"
_OBJECTS: Final = frozenset({NodePool, AksNodePool, EksNodePool, AksNodeClass, EksNodeClass, Requirement, Budget})
_CLUSTERS: Final = frozenset({AksClusterArgs, EksClusterArgs, AutoMode, NodeProvisioning})


class RuleJudge(PolicyFunction):
    """Reports the findings that have one code."""

    hidden: ClassVar[frozenset[str]] = frozenset({"code"})

    code: str = ""

    def of_resource(self, requested: ResourceUnderCheck) -> Iterator[ViolationText]:
        """Yields the findings about one resource."""
        yield from (_complaint(finding) for finding in requested.findings(self._day()) if finding.code == self.code)

    def of_stack(self, stack: Stack) -> Iterator[tuple[str, ViolationText]]:
        """Yields the findings about several resources together."""
        yield from (
            (violation.urn, _complaint(violation.finding)) for violation in stack.violations(self._day()) if violation.finding.code == self.code
        )

    def _day(self) -> date | None:
        return None


class DatedRuleJudge(RuleJudge):
    """Reports the findings of a rule that depends on the date."""

    today: date | None = None
    """The date that the rule checks for; the date of the run if omitted."""

    def _day(self) -> date | None:
        return self.today


def rule_policies() -> tuple[Policy, ...]:
    """Returns a policy for each rule that checks resources, and for each code of schema findings.

    The rules of installed packages are included.

    Raises:
        RuleError: a rule of an installed package is invalid.
    """
    load_installed()
    rules = [_of_rule(rule) for code, rule in all_rules().items() if limit_of(code, Where.RESOURCES, Where.UNREAD) is None]
    others = [_of_code(code) for code in (*SCHEMA_CODES.values(), *OBJECT_CODES.values()) if code.code in SCHEMA_CODES or code.code in OF_ONE_OBJECT]
    return tuple(sorted((*rules, *others), key=lambda policy: policy.name))


def _of_rule(rule: Rule) -> Policy:
    dated = (date,) in rule.parameter_types or rule.since is not None or rule.until is not None
    kind = DatedRuleJudge if dated else RuleJudge
    return Policy(
        name=rule.code,
        title=rule.name,
        description=rule.summary,
        level=Level.ADVISORY if is_softened(rule.code) else LEVELS[rule.severity],
        function=partial(_made, kind, rule.code),
        settings=settings_of(kind),
        scope=Scope.STACK if _spans_resources(rule) else Scope.RESOURCE,
        source=rule.source,
    )


def _of_code(code: Code) -> Policy:
    """Returns the policy of a code without a rule."""
    level = SHAPE_LEVELS.get(code.code, LEVELS[code.severity])
    return Policy(code.code, code.summary, level, partial(_made, RuleJudge, code.code), title=code.name, source=_SCHEMA)


_OF_ONE_OBJECT = frozenset({"EKS028", "EKS029", "KAR085"})
"""Codes of rules that read only one object, and require what is around it to know which Karpenter it is for."""


def _spans_resources(rule: Rule) -> bool:
    """Tells whether the rule reads an object and its cluster, which are never the same resource.

    An agent pool can be inline in its cluster. A rule about a pool and its cluster therefore checks single resources, as does a rule that works
    without the cluster.
    """
    if rule.code in _OF_ONE_OBJECT:
        return False
    first, *parents = ({*kinds} for kinds in rule.parameter_types)
    return bool(first & _OBJECTS) and any(kinds & _CLUSTERS and NoneType not in kinds for kinds in parents)


def _made(kind: type[RuleJudge], code: str, settings: Mapping[str, object]) -> PolicyFunction:
    return kind.model_validate({**settings, "code": code})


def _complaint(finding: Finding) -> ViolationText:
    return ViolationText(finding.path, finding.value, finding.message, finding.fix.text if finding.fix is not None else "", finding.source)
