"""What keeps a finding from being read at once, alone in the log of a CI job."""

import re
from collections.abc import Iterator
from typing import Any, cast

from nodepools.model.base import Model
from nodepools.rules.engine.finding import YAML, Finding, Severity
from tests.language import IMPERATIVES, avoided

LONGEST = 170
UNFILLED = re.compile(r"\{[a-z_:.]+\}|[\ue000-\uf8ff]")
"""A slot of a template, or a mark of a reference, that reached the reader."""
PYTHON = re.compile(r"\b[A-Z][A-Za-z]+\((?!s\))|\bkeys\.|\b\w+=(True|False|None|\"|\[|[A-Z]\w+\()|`(True|False)`|\bderive\(")
BEGINS = re.compile(r"[A-Z0-9`]")
QUOTED = re.compile(r"`[^`]*`|\([^()]*\)")
"""Names, values and remarks, which can have colons of their own."""
STOPS_NODES = re.compile(r"\b[Nn]o node\b.*\blaunched|launches no node(?!, because `limits)|cannot join")
"""What a warning says: notes are hidden by default. A limit of 0 is how a NodePool is turned off on purpose (KAR083)."""
UNREADABLE = re.compile(r"\bdocs/|according to")
"""Pages of the repository, which a reader of a log does not have, and sources that the rule names anyway."""


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
    if len(re.findall(r":(?=\s)", QUOTED.sub("", text))) > 1:
        yield f"has two colons: {text}"
    if UNREADABLE.search(text) is not None:
        yield f"names what cannot be opened: {text}"
    for phrase in avoided(text):
        yield f"{phrase}: {text}"


def flaws_of_finding(finding: Finding) -> list[str]:
    flaws = list(flaws_of_message(finding.message))
    if finding.fix is not None:
        flaws += flaws_of_fix(finding.fix.text.partition("\n")[0])  # a converted object can follow
        flaws += [f"is a note with a fix: {finding.fix.text}"] if finding.severity is Severity.NOTE else []
    if finding.severity is Severity.NOTE and STOPS_NODES.search(finding.message) is not None:
        flaws.append(f"is a note, although nodes are not launched: {finding.message}")
    return flaws


def unnamed_defaults(whole: Model, finding: Finding) -> Iterator[str]:
    """A fix that removes a field says which default then applies, unless the default is none, off or empty, or the field has no effect."""
    for operation in finding.fix.operations if finding.fix is not None and "has no effect" not in finding.message else ():
        *above, field = operation.path
        parent: object = whole
        for step in above:
            parent = getattr(parent, str(step)) if isinstance(parent, Model) else cast("Any", parent)[step]
        info = type(parent).model_fields.get(str(field)) if isinstance(parent, Model) else None
        if operation.op == "remove" and info is not None and info.default and "default" not in finding.fix.text:
            yield f"does not name the default of `{field}`: {finding.fix.text}"


def flaws_in_files(finding: Finding) -> Iterator[str]:
    """What is said of a platform file has nothing of Python in it; and each text is a sentence that stands alone."""
    found = finding.spelled(YAML)
    texts = [found.message, *([found.fix.text] if found.fix is not None else [])]
    yield from (f"is Python in a platform file: {text}" for text in texts if PYTHON.search(text))
    yield from (f"does not begin as a sentence: {text}" for text in texts if not BEGINS.match(text))
    yield from (f"has a mark of a reference: {text}" for text in texts if UNFILLED.search(text))
