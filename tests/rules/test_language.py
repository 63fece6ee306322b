"""Findings and rules are written in plain English: messages stand alone, fixes can be followed, docstrings are one sentence about the cloud."""

import re
from collections.abc import Callable, Iterator

import pytest

from nodepools.manifests.object_samples import SAMPLES, findings_of
from nodepools.model.base import Model
from nodepools.rules.codes import Code, all_codes
from nodepools.rules.finding import Finding, Severity
from nodepools.rules.registry import all_rules
from nodepools.rules.runner import check
from nodepools.rules.schema_messages import ELSEWHERE, OWN_ERROR_FIXES, PATTERNS, PYDANTIC_MESSAGES
from tests.language import IMPERATIVES, avoided
from tests.rules.templates import Template, templates
from tests.rules.test_samples import DAY

LONGEST = 170
UNFILLED = re.compile(r"\{[a-z_:.]+\}|[\ue000-\uf8ff]")
"""A slot of a template, or a mark of a reference, that reached the reader."""
CODES = list(all_codes())
FILES = [code for code in SAMPLES if code != "OBJ010"]
"""The text of OBJ010 is the one of `nodepools explain`, which is in the terms of the schedulers."""


def flaws_of_message(message: str) -> Iterator[str]:
    """What keeps a message from being read at once, alone in the log of a CI job."""
    if not re.match(r"[A-Z0-9`]", message):
        yield f"does not start with a capital letter, a digit or a backtick: {message}"
    if message.endswith("."):
        yield f"ends with a period: {message}"
    yield from flaws_of_text(message)


def flaws_of_fix(fix: str) -> Iterator[str]:
    if fix.split(maxsplit=1)[0] not in IMPERATIVES:
        yield f"does not start with an imperative: {fix}"
    if fix.endswith("."):
        yield f"ends with a period: {fix}"
    yield from flaws_of_text(fix)


def flaws_of_text(text: str) -> Iterator[str]:
    if len(text) > LONGEST:
        yield f"has {len(text)} characters: {text}"
    if UNFILLED.search(text) is not None:
        yield f"has an unfilled slot: {text}"
    for phrase in avoided(text):
        yield f"{phrase}: {text}"


def flaws_of_finding(finding: Finding) -> list[str]:
    flaws = list(flaws_of_message(finding.message))
    if finding.fix is not None:
        flaws += flaws_of_fix(finding.fix.text.partition("\n")[0])  # a converted object can follow
        flaws += [f"is a note with a fix: {finding.fix.text}"] if finding.severity is Severity.NOTE else []
    return flaws


SAMPLED = [(code, rule.sample) for code, rule in all_rules().items() if rule.sample is not None]


@pytest.mark.parametrize(("code", "sample"), SAMPLED, ids=[code for code, _ in SAMPLED])
def test_the_finding_of_a_sample_is_plain(code: str, sample: Callable[[], Model]) -> None:
    found = [finding for finding in check(sample(), today=DAY) if finding.code == code]
    assert [flaw for finding in found for flaw in flaws_of_finding(finding)] == []


@pytest.mark.parametrize("code", FILES)
def test_the_finding_about_a_file_is_plain(code: str) -> None:
    assert [flaw for finding in findings_of(code) for flaw in flaws_of_finding(finding)] == []


@pytest.mark.parametrize("code", CODES, ids=[code.code for code in CODES])
def test_the_meaning_of_a_code_is_plain(code: Code) -> None:
    sentence = " ".join(code.summary.split())
    assert list(flaws_of_message(sentence.removesuffix("."))) == []
    assert sentence.endswith(".")


TEMPLATES = list(templates())


def whole(role: str) -> list[Template]:
    return [template for template in TEMPLATES if template.role == role]


def test_templates_are_found() -> None:
    """The search of sources is not empty: it finds most messages, and the fixes that are texts."""
    assert len(whole("message")) > len(all_rules())
    assert len(whole("fix")) > len(all_rules()) / 3


def test_no_text_of_a_rule_has_an_avoided_phrase() -> None:
    assert [f"{template.place}: {phrase}: {template.text}" for template in TEMPLATES for phrase in avoided(template.text)] == []


def test_every_message_of_a_rule_can_be_read_at_once() -> None:
    flaws = {template.place: list(flaws_of_message(template.text)) for template in whole("message") if template.text[0] != "…"}
    assert {place: found for place, found in flaws.items() if found} == {}


def test_every_fix_of_a_rule_starts_with_an_imperative() -> None:
    flaws = {template.place: list(flaws_of_fix(template.text)) for template in whole("fix") if template.text[0] != "…"}
    assert {place: found for place, found in flaws.items() if found} == {}


SCHEMA = [*PYDANTIC_MESSAGES.values(), *PATTERNS.values(), *ELSEWHERE.values()]


@pytest.mark.parametrize("message", sorted({row.message for row in SCHEMA}))
def test_a_message_of_the_schema_is_plain(message: str) -> None:
    assert list(flaws_of_message(filled(message))) == []


@pytest.mark.parametrize("fix", sorted({*OWN_ERROR_FIXES.values(), *(row.fix for row in SCHEMA)}))
def test_a_fix_of_the_schema_is_plain(fix: str) -> None:
    assert list(flaws_of_fix(filled(fix))) == []


def filled(template: str) -> str:
    """The template, with a value in each slot."""
    return re.sub(r"\{[a-z_:]+\}", "`value`", template.replace("{{", "{").replace("}}", "}"))


@pytest.mark.parametrize(
    ("text", "flaw"),
    [
        ("names nothing that nodes are", "does not start with"),
        ("`count` is 0.", "ends with a period"),
        ("The pool has {count} nodes", "has an unfilled slot"),
        ("The pool refuses " + "many " * 40 + "pods", "has 221 characters"),
        ("Azure refuses two at once", "refuses → rejects"),
    ],
)
def test_a_flaw_of_a_message_is_found(text: str, flaw: str) -> None:
    assert any(found.startswith(flaw) for found in flaws_of_message(text))


@pytest.mark.parametrize("text", ["leave it out", "Know it", "a pool without taints", "Set `count`."])
def test_a_flaw_of_a_fix_is_found(text: str) -> None:
    assert list(flaws_of_fix(text))
