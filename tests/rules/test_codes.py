"""Codes and their names."""

import re
from collections import Counter

import pytest

from nodepools.rules.engine.finding import Finding, Severity
from nodepools.rules.engine.registry import all_codes, all_rules, described, is_softened, known, named, not_a_code

NAME = re.compile(r"[a-z]+[a-z0-9]*(-[a-z0-9]+)+")


def test_codes_and_names_are_each_there_once() -> None:
    spellings = Counter(spelling for code in all_codes() for spelling in (code.code.lower(), code.name))
    assert [spelling for spelling, times in spellings.items() if times > 1] == []


def test_names_are_words_with_hyphens() -> None:
    assert [code.title for code in all_codes() if not NAME.fullmatch(code.name)] == []


def test_the_summary_of_a_rule_is_one_line() -> None:
    """The first line of a violation of the policy pack is the summary, and the lines after it are parsed."""
    assert [code for code, checked in all_rules().items() if "\n" in checked.summary] == []


SPELT = [
    pytest.param("AKS014", "AKS014", id="a code"),
    pytest.param("aks014", "AKS014", id="in small letters"),
    pytest.param("hard-taint-on-system-pool", "AKS014", id="a name"),
    pytest.param("HARD-taint-on-system-pool", "AKS014", id="a name in capitals"),
    pytest.param("missing-field", "CFG001", id="of a shape"),
    pytest.param("obj014", "OBJ014", id="of an object"),
]


@pytest.mark.parametrize(("text", "code"), SPELT)
def test_a_code_is_found_by_itself_and_by_its_name(text: str, code: str) -> None:
    found = named(text)
    assert found is not None
    assert found.code == code


@pytest.mark.parametrize("text", ["", "AKS", "AKS999", "hard_taint_on_system_pool", "hard taint on system pool"])
def test_nothing_else_is_one(text: str) -> None:
    assert named(text) is None


def test_what_is_known_of_a_rule_is_what_the_rule_says() -> None:
    code = known("AKS014")
    assert code is not None
    assert (code.title, code.severity) == ("AKS014 hard-taint-on-system-pool", Severity.ERROR)
    assert code.summary == described("AKS014")


def test_nothing_is_known_of_policies_of_others() -> None:
    assert (known("allowed-vm-sizes"), described("allowed-vm-sizes")) == (None, "")


NEAR = [
    pytest.param("hard-taint-on-system-pols", "the nearest are AKS014 hard-taint-on-system-pool, ", id="several are near"),
    pytest.param("oms-agent-without-data-colection-rule", "the nearest is AKS131 oms-agent-without-data-collection-rule", id="one is"),
    pytest.param("hard-taint", "the nearest are AKS014 hard-taint-on-system-pool, KAR051 soft-taint", id="a part of a name"),
    pytest.param("?!", "`nodepools rules --search WORD` finds rules by their text", id="none is"),
]


@pytest.mark.parametrize(("text", "hint"), NEAR)
def test_what_is_no_code_is_told_with_the_nearest(text: str, hint: str) -> None:
    assert not_a_code(text).startswith(f"`{text}` is neither the code nor the name of a rule: {hint}")


NAMED = [
    pytest.param("AKS014", "hard-taint-on-system-pool", id="of a rule"),
    pytest.param("CFG001", "missing-field", id="of a shape"),
    pytest.param("allowed-vm-sizes", "allowed-vm-sizes", id="of a policy of another pack"),
]


@pytest.mark.parametrize(("code", "name"), NAMED)
def test_a_finding_has_the_name_of_its_code(code: str, name: str) -> None:
    finding = Finding(code, Severity.ERROR, "taints", None, "is wrong", None, "somebody")
    assert (finding.name, finding.to_json()["name"]) == (name, name)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        pytest.param("AKS142", True, id="a rule about creation"),
        pytest.param("EKS014", True, id="a rule with that limit"),
        pytest.param("NAP006", True, id="a class that can be elsewhere"),
        pytest.param("AKS014", False, id="what the cloud rejects in any case"),
        pytest.param("ORG001", False, id="a policy of others"),
    ],
)
def test_an_error_that_is_a_warning_about_resources(code: str, *, expected: bool) -> None:
    assert is_softened(code) is expected
