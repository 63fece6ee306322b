"""The page about everything that can be declared: current, complete for each version of the API, and no argument without a field or a reason."""

import re
import subprocess
import sys
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from nodepools.data.argument_types import aks_versions, arguments, sendable_versions
from nodepools.wire.table import python_name


@pytest.fixture(scope="module")
def coverage(project: Path) -> Any:  # a tool
    sys.path.insert(0, str(project / "tools"))
    try:
        return import_module("coverage_table")
    finally:
        sys.path.pop(0)


def test_the_page_in_the_docs_is_current(project: Path) -> None:
    subprocess.run([sys.executable, "tools/coverage_table.py", "--check"], cwd=project, check=True)


def test_the_versions_begin_with_the_default_and_those_that_can_be_sent() -> None:
    assert list(aks_versions()) == sorted(aks_versions())
    assert aks_versions()[: len(sendable_versions())] == sendable_versions()


@pytest.mark.parametrize("version", aks_versions())
def test_no_argument_of_aks_is_without_an_answer_and_a_reason(version: str, coverage: Any) -> None:
    found = coverage.whole(version)
    assert [leaf.text for leaf, one in found.items() if not one.why] == []
    assert {one.type for one in coverage.AKS} == {leaf.wire[0] for leaf in found}
    dated = [one.why for one in found.values() if one.how is coverage.How.REFUSED]
    assert [why for why in dated if not re.search(r"\d{4}-\d\d", why)] == []


def test_what_can_be_sent_is_typed_derived_or_refused_with_a_reason(coverage: Any) -> None:
    assert coverage.share(coverage.whole(sendable_versions()[-1])) >= coverage.AIM


def test_each_newer_field_that_can_be_sent_has_an_example(project: Path, coverage: Any) -> None:
    pages = [*(project / "docs/guides").glob("*.md"), *(project / "examples").rglob("*.py")]
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    ways = [way for resource in coverage.AKS for way in resource.table.leaves if "" < way.since <= sendable_versions()[-1]]
    names = {next(step for step in reversed(way.model) if isinstance(step, str)) for way in ways if way.model}
    assert len(names) > 10
    assert [name for name in sorted(names) if re.search(rf'\b{name}"?[=:]', text) is None] == []


def test_each_version_has_the_arguments_of_the_one_before_it(coverage: Any) -> None:
    each = [set(coverage.whole(version)) for version in aks_versions()]
    assert all(one <= other for one, other in pairwise(each))
    assert {leaf.since for leaf in each[-1]} <= {"", *aks_versions()}


def test_no_argument_of_eks_is_without_an_answer_and_a_reason(coverage: Any) -> None:
    assert [(one.type, leaf.text) for one in coverage.EKS for leaf, found in coverage.answers(one, "").items() if not found.why] == []


def test_a_newer_argument_has_one_spelling_in_python() -> None:
    for type_ in ("ManagedCluster", "AgentPool", "MaintenanceConfiguration"):
        names = [python_name(name) for name in arguments(type_) or {}]
        assert len(names) == len(set(names))
