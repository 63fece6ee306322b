"""The first rule of CONTRIBUTING.md works as the page says."""

import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from nodepools.rules.engine.registry import RULES, Sample, all_rules
from nodepools.rules.engine.runner import check

CODE = "AKS998"


@pytest.fixture
def page(project: Path) -> str:
    return (project / "CONTRIBUTING.md").read_text(encoding="utf-8")


@pytest.fixture
def _registered(page: str) -> Iterator[None]:
    all_rules()
    [block] = re.findall(r"^   ```python\n(.*?)^   ```", page, re.MULTILINE | re.DOTALL)
    exec(compile(textwrap.dedent(block), "CONTRIBUTING.md", "exec"), {"__name__": "aks_placeholders"})  # noqa: S102  # our own page
    yield
    del RULES[CODE]


@pytest.mark.usefixtures("_registered")
def test_the_sample_of_the_first_rule_breaks_it_at_the_path_that_the_page_names() -> None:
    sample = RULES[CODE].sample
    assert isinstance(sample, Sample)
    [found] = [finding for finding in check(sample()) if finding.code == CODE]
    assert found.path == sample.path
    assert found.fix is not None


def test_the_commands_of_the_page_are_targets_of_make(page: str, project: Path) -> None:
    named = set(re.findall(r"`make ([a-z -]+)`", page) + re.findall(r"^make (\S+)", page, re.MULTILINE))
    targets = set(re.findall(r"^([a-z-]+):", (project / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert {target for line in named for target in line.split()} <= targets


def test_the_files_that_the_page_names_exist_except_those_of_the_first_rule(page: str, project: Path) -> None:
    named = set(re.findall(r"\b(?:components|tests|tools|website)/[\w/]+\.py\b", page))
    assert "tests/rules/test_aks_placeholders.py" in named
    assert sorted(name for name in named if not (project / name).exists() and not name.endswith("placeholders.py")) == []
