"""Each message of the page has a cause, a fix, what finds it before, and a source; the rules and commands that it names exist."""

import re
from pathlib import Path
from typing import cast

import pytest
import typer

from nodepools.cli.program import Program, app
from nodepools.rules.engine.registry import all_rules

PARTS = ("Cause", "Fix", "Found by", "Source")
PAGE = Path(__file__).resolve().parents[2] / "docs/guides/troubleshooting.md"
ENTRIES = dict(re.findall(r"^### (.*?)\n(.*?)(?=^###? |\Z)", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL))
COMMANDS = cast("Program", typer.main.get_command(app)).commands


def part(entry: str, name: str) -> str:
    found = re.search(rf"^\* {name}: (.*)$", entry, re.MULTILINE)
    return found[1] if found else ""


def test_the_page_has_many_messages():
    assert len(ENTRIES) >= 30


@pytest.mark.parametrize("message", ENTRIES)
def test_an_entry_is_complete(message: str):
    entry = ENTRIES[message]
    assert [name for name in PARTS if not part(entry, name)] == []
    assert re.fullmatch(r"`[^`]+`", message), "the message is quoted as it is"


@pytest.mark.parametrize("message", ENTRIES)
def test_rules_that_an_entry_names_exist(message: str):
    rules = {code: checked.name for code, checked in all_rules().items()}
    for code, anchor in re.findall(r"\[([A-Z]{3}\d{3})\]\(\.\./rules\.md#([\w-]+)\)", ENTRIES[message]):
        assert anchor == f"{code.lower()}-{rules[code]}"
    assert set(re.findall(r"\b(?:AKS|EKS|KAR|NAP|PLT)\d{3}\b", ENTRIES[message])) <= set(rules)


@pytest.mark.parametrize("message", ENTRIES)
def test_commands_that_find_it_exist(message: str):
    found = part(ENTRIES[message], "Found by")
    for words in re.findall(r"`([a-z]+(?: [^`]*)?)`", found):
        name, *arguments = words.split()
        if name in COMMANDS:
            options = {option for param in COMMANDS[name].params for option in param.opts}
            assert {argument for argument in arguments if argument.startswith("--")} <= options
    named = [name for name in COMMANDS if re.search(rf"`{name}\b", found)]
    assert named or "policy pack" in found or re.search(r"not possible in a declaration|the component|the identity that", found)
