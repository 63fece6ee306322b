"""The guide for coding agents: its configurations start the server, and its table has every argument of the tools."""

import json
import re
from pathlib import Path
from typing import cast

import pytest
from typer.main import get_command

from nodepools.cli.mcp.server import TOOLS, Tool
from nodepools.cli.program import Program, app

APP = cast("Program", get_command(app))
FROM_PROGRAMS = {"stack", "commit"}
"""Arguments that the guide describes with `--allow-programs`."""

Configuration = dict[str, dict[str, dict[str, list[str]]]]


@pytest.fixture(scope="module")
def page(project: Path) -> str:
    return (project / "docs/guides/agents.md").read_text(encoding="utf-8")


def test_every_configuration_has_a_valid_command_line(page: str):
    blocks: list[Configuration] = [json.loads(block) for block in re.findall(r"^```json\n(.*?)^```", page, re.MULTILINE | re.DOTALL)]
    servers = [server for block in blocks for server in block.get("mcpServers", block.get("servers", {})).values()]
    assert len(servers) == 2
    for server in servers:
        command, *arguments = server["args"]
        assert str(server["command"]).rpartition("/")[2] == "nodepools"
        with APP.commands[command].make_context(command, arguments) as context:
            assert str(context.params["root"]) == server["args"][2]


@pytest.mark.parametrize("tool", TOOLS, ids=[tool.name for tool in TOOLS])
def test_the_table_has_the_arguments_of_a_tool(page: str, tool: Tool):
    [row] = re.findall(rf"^\| `{tool.name}` \| (.*?) \|", page, re.MULTILINE)
    assert set(re.findall(r"`(\w+)`", row)) == set(tool.arguments.model_fields) - FROM_PROGRAMS
