"""The library's rules as policies, one a code: so each can be switched by its name."""

from collections.abc import Iterator, Mapping
from datetime import date
from functools import partial
from typing import ClassVar, Final

from nodepools.pack.policy import Asked, Complaint, Judge, Level, Policy, Scope, Stack, settings_of
from nodepools.rules.fault import Fault, Severity
from nodepools.rules.registry import Rule, all_rules

LEVELS: Final = {Severity.ERROR: Level.MANDATORY, Severity.WARNING: Level.ADVISORY, Severity.NOTE: Level.DISABLED}
"""An error is what a cloud certainly refuses: it stops the update. A note is for who asks for it."""


class RuleJudge(Judge):
    """What the rules say, of one code."""

    hidden: ClassVar[frozenset[str]] = frozenset({"code"})

    code: str = ""

    def of_resource(self, asked: Asked) -> Iterator[Complaint]:
        """What the rule says of one resource."""
        yield from (_complaint(fault) for fault in asked.faults(self._day()) if fault.code == self.code)

    def of_stack(self, stack: Stack) -> Iterator[tuple[str, Complaint]]:
        """What it says of several together."""
        yield from ((one.urn, _complaint(one.fault)) for one in stack.violations(self._day()) if one.fault.code == self.code)

    def _day(self) -> date | None:
        return None


class DatedRuleJudge(RuleJudge):
    """The same of a rule that looks at the calendar."""

    today: date | None = None
    """The day for which it is judged; the day of the run when left out."""

    def _day(self) -> date | None:
        return self.today


def rule_policies() -> tuple[Policy, ...]:
    """A policy for each rule."""
    return tuple(_policy(rule) for _, rule in sorted(all_rules().items()))


def _policy(rule: Rule) -> Policy:
    dated = (date,) in rule.about or rule.since is not None or rule.until is not None
    kind = DatedRuleJudge if dated else RuleJudge
    return Policy(
        name=rule.code,
        description=rule.summary,
        level=LEVELS[rule.severity],
        judge=partial(_made, kind, rule.code),
        settings=settings_of(kind),
        scope=Scope.STACK if rule.code in TOGETHER else Scope.RESOURCE,
        source=rule.source,
    )


def _made(kind: type[RuleJudge], code: str, settings: Mapping[str, object]) -> Judge:
    return kind.model_validate({**settings, "code": code})


def _complaint(fault: Fault) -> Complaint:
    return Complaint(fault.path, fault.value, fault.message, fault.fix, fault.source)


TOGETHER: Final[frozenset[str]] = frozenset()
"""Codes that no resource shows alone."""
