"""The guide about node groups: every command of `nodepools` in it runs, and prints what the guide shows."""

import re

import pytest

from tests.cli.conftest import started

pytestmark = pytest.mark.program

BLOCK = re.compile(r"^```text\n\$ nodepools (.*?)\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.fixture
def blocks(project):
    return BLOCK.findall((project / "docs/guides/node-groups.md").read_text(encoding="utf-8"))


def test_commands_print_what_the_guide_shows(blocks, project):
    assert blocks
    for command, shown in blocks:
        answer = started(*command.split(), cwd=project, env={"COLUMNS": "100"})
        printed = answer.out.splitlines()
        assert [line for line in shown.splitlines() if line not in (*printed, "...")] == [], (command, answer.out, answer.err)


def test_every_command_of_the_guide_is_shown_with_its_output(blocks, project):
    text = (project / "docs/guides/node-groups.md").read_text(encoding="utf-8")
    assert len(blocks) == len(re.findall(r"^\$? ?nodepools ", text, re.MULTILINE))
