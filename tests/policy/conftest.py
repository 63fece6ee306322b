"""The pack as Pulumi's engine starts it, one process for all tests of a module, and plans of the embedded engine to feed it."""

from collections.abc import Callable, Iterator
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from nodepools.engine.analyzer import read_pack, started
from nodepools.engine.plan import Plan
from nodepools.engine.protocol import AnalyzerCalls
from nodepools.engine.run import Program, run
from nodepools.pack.organization import ORGANIZATION
from nodepools.pack.policy import rule_policies
from nodepools.pack.server import Analyzer
from nodepools.resources.resource import Resource
from nodepools.resources.resource_checks import Violation, check_resource, check_stack
from nodepools.rules.engine.finding import Finding

PROGRAMS = Path(__file__).parent / "programs"


@pytest.fixture(scope="module")
def pack(project: Path) -> Iterator[AnalyzerCalls]:
    """The calls to the pack of this project."""
    with started(read_pack(project / "policy"), Program(project, "shop", "dev")) as calls:
        yield calls


@pytest.fixture
def remembering(monkeypatch: pytest.MonkeyPatch) -> AnalyzerCalls:
    """The pack without a process, that judges the same resource once however often it is asked: for many questions about one program."""
    analyzer = Analyzer((*rule_policies(), *ORGANIZATION))
    monkeypatch.setattr("nodepools.pack.policy.check_resource", _judged_once)
    monkeypatch.setattr("nodepools.pack.policy.check_stack", _stack_judged_once)

    def call(method: Callable[..., Any]) -> Callable[[Any], Any]:
        return lambda request: method(request, None)

    return AnalyzerCalls(
        call(analyzer.GetAnalyzerInfo), call(analyzer.Configure), call(analyzer.Remediate), call(analyzer.Analyze), call(analyzer.AnalyzeStack)
    )


_RESOURCES: dict[tuple[str, str, date | None], list[Finding]] = {}
_STACKS: dict[tuple[str, date | None], list[Violation]] = {}


def _judged_once(resource: Resource, *, today: date | None) -> list[Finding]:
    key = (resource.urn, repr(resource.inputs), today)
    if key not in _RESOURCES:
        _RESOURCES[key] = check_resource(resource, today=today)
    return _RESOURCES[key]


def _stack_judged_once(resources: tuple[Resource, ...], *, today: date | None) -> list[Violation]:
    key = (repr([(resource.urn, resource.inputs) for resource in resources]), today)
    if key not in _STACKS:
        _STACKS[key] = check_stack(resources, today=today)
    return _STACKS[key]


@cache
def planned(name: str) -> Plan:
    """What a program under `programs/` registers; each is run once."""
    return run(Program(PROGRAMS / name, "shop", "dev"), timeout=120)
