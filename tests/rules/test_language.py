"""Findings and rules are written in plain English: messages stand alone, fixes can be followed, docstrings are one sentence about the cloud."""

import re
from functools import cache

import pytest

from nodepools.manifests.object_samples import SAMPLES, findings_of
from nodepools.rules.engine.registry import all_codes, all_rules
from nodepools.rules.engine.schema_findings import BROUGHT, ELSEWHERE, OWN_ERROR_FIXES, PATTERNS, PYDANTIC_MESSAGES, MessageTemplate
from tests.language import avoided
from tests.rules.finding_language import flaws_of_finding, flaws_of_fix, flaws_of_message
from tests.rules.templates import Template, templates


def test_the_findings_about_a_file_are_plain() -> None:
    """Those about a declaration: test_samples.py."""
    assert [f"{code}: {flaw}" for code in SAMPLES for finding in findings_of(code) for flaw in flaws_of_finding(finding)] == []


def test_the_meaning_of_each_code_is_plain() -> None:
    sentences = {code.code: " ".join(code.summary.split()) for code in all_codes()}
    assert [f"{code}: {flaw}" for code, sentence in sentences.items() for flaw in flaws_of_message(sentence.removesuffix("."))] == []
    assert [code for code, sentence in sentences.items() if not sentence.endswith(".")] == []


@cache
def all_templates() -> list[Template]:
    """Read once, and not by a process that only collects."""
    return list(templates())


def whole(role: str) -> list[Template]:
    return [template for template in all_templates() if template.role == role]


def test_templates_are_found() -> None:
    """The search of sources is not empty: it finds most messages, and the fixes that are texts."""
    assert len(whole("message")) > len(all_rules())
    assert len(whole("fix")) > len(all_rules()) / 3


def test_no_text_of_a_rule_has_an_avoided_phrase() -> None:
    assert [f"{template.place}: {phrase}: {template.text}" for template in all_templates() for phrase in avoided(template.text)] == []


def test_every_message_of_a_rule_can_be_read_at_once() -> None:
    flaws = {template.place: list(flaws_of_message(template.text)) for template in whole("message") if template.text[0] != "…"}
    assert {place: found for place, found in flaws.items() if found} == {}


def test_every_fix_of_a_rule_starts_with_an_imperative() -> None:
    flaws = {template.place: list(flaws_of_fix(template.text)) for template in whole("fix") if template.text[0] != "…"}
    assert {place: found for place, found in flaws.items() if found} == {}


BROUGHT_FIXES = [
    MessageTemplate("CFG002", "{field} is not a field of a cluster", fix)
    for arguments in BROUGHT.values()
    for fix in arguments.values()
    if not fix.isidentifier()
]
SCHEMA = [*PYDANTIC_MESSAGES.values(), *PATTERNS.values(), *ELSEWHERE.values(), *BROUGHT_FIXES]


def test_a_message_of_the_schema_is_plain() -> None:
    assert [flaw for row in SCHEMA for flaw in flaws_of_message(filled(row.message))] == []


def test_a_fix_of_the_schema_is_plain() -> None:
    assert [flaw for fix in {*OWN_ERROR_FIXES.values(), *(row.fix for row in SCHEMA)} for flaw in flaws_of_fix(filled(fix))] == []


def filled(template: str) -> str:
    """The template, with a value in each slot."""
    return re.sub(r"\{[a-z_:.]+\}", "`value`", template.replace("{{", "{").replace("}}", "}"))


@pytest.mark.parametrize(
    ("text", "flaw"),
    [
        ("names nothing that nodes are", "does not start with"),
        ("`count` is 0.", "ends with a period"),
        ("The pool has {count} nodes", "has an unfilled slot"),
        ("The pool refuses " + "many " * 40 + "pods", "has 221 characters"),
        ("Azure refuses two at once", "refuses → rejects"),
        ("The pool is full: it has 3 nodes: add one", "has two colons"),
        ("AKS requires it, according to its documentation", "names what cannot be opened"),
    ],
)
def test_a_flaw_of_a_message_is_found(text: str, flaw: str) -> None:
    assert any(found.startswith(flaw) for found in flaws_of_message(text))


@pytest.mark.parametrize("text", ["leave it out", "Know it", "a pool without taints", "Set `count`."])
def test_a_flaw_of_a_fix_is_found(text: str) -> None:
    assert list(flaws_of_fix(text))
