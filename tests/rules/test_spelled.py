"""What is said of a platform file has nothing of Python in it; and each text is a sentence that stands alone."""

import re

import pytest

from nodepools import check
from nodepools.rules.finding import Finding
from nodepools.rules.finding_text import YAML
from nodepools.rules.registry import all_rules
from tests.rules.test_samples import DAY

PYTHON = re.compile(r"\b[A-Z][A-Za-z]+\((?!s\))|\bkeys\.|\b\w+=(True|False|None|\"|\[|[A-Z]\w+\()|`(True|False)`|\bderive\(")
BEGINS = re.compile(r"[A-Z0-9`]")
MARKS = re.compile("[\ue000\ue001]")


SAMPLES = [found.spelled(YAML) for rule in all_rules().values() for found in check(rule.sample(), today=DAY)]


@pytest.mark.parametrize("found", SAMPLES, ids=[one.code for one in SAMPLES])
def test_a_finding_of_a_file(found: Finding) -> None:
    fix = found.fix.text if found.fix is not None else ""
    assert not PYTHON.search(found.message), found.message
    assert not PYTHON.search(fix), fix
    assert BEGINS.match(found.message), found.message
    assert not fix or BEGINS.match(fix), fix
    assert not MARKS.search(f"{found.message}{fix}")
