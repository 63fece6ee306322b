"""`nodepools mcp`: a server of the Model Context Protocol over stdio, with commands that only read as tools."""

import json
import os
from importlib.metadata import version
from pathlib import Path
from typing import Final

import anyio
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from nodepools.cli.exit_codes import usage_error
from nodepools.cli.mcp_call import call
from nodepools.cli.mcp_tools import TOOLS, Tool

_INSTRUCTIONS: Final = (
    "Checks AKS and EKS node pools offline. Inputs are files below the root of the server, or text. Each answer is the JSON document of the command: "
    "if `complete` is false, `problems` says what was not read, and no findings does not mean no errors."
)
_TEXTS: Final = {"type": "array", "items": {"type": "object"}}
_ANSWER: Final[dict[str, object]] = {
    "type": "object",
    "properties": {
        "schema": {"const": "nodepools/1"},
        "command": {"type": "string"},
        "complete": {"type": "boolean", "description": "Whether everything was read"},
        "problems": {**_TEXTS, "description": "What could not be read or checked, and where"},
        "notes": {**_TEXTS, "description": "What was excluded on purpose"},
        "findings": {**_TEXTS, "description": "Findings of rules, with code, severity, path, value, message and fix"},
    },
    "required": ["schema", "command", "complete", "problems", "notes", "findings"],
}


def serve(root: Path, *, runs_programs: bool) -> None:
    """Serves until the client closes stdin.

    Raises:
        InputError: the root is not a folder.
    """
    folder = root.resolve()
    if not folder.is_dir():
        usage_error(f"--root: `{root}` is not a folder")
    anyio.run(_serve, server(folder, runs_programs=runs_programs))


def server(root: Path, *, runs_programs: bool) -> "Server[object]":
    """The server for one root."""
    known = {tool.name: tool for tool in TOOLS}
    at_once = anyio.CapacityLimiter(max(1, os.cpu_count() or 1))

    async def list_tools(_: ServerRequestContext[object], __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_described(tool, runs_programs=runs_programs) for tool in TOOLS])

    async def call_tool(_: ServerRequestContext[object], params: types.CallToolRequestParams) -> types.CallToolResult:
        tool = known.get(params.name)
        if tool is None:
            return _error(f"`{params.name}` is not a tool of nodepools: use one of {', '.join(f'`{name}`' for name in known)}")
        async with at_once:
            answer = await call(tool, params.arguments or {}, root, runs_programs=runs_programs)
        text = json.dumps(answer.document, ensure_ascii=False, separators=(",", ":"))  # agents count characters
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=text)], structured_content=answer.document, is_error=not answer.is_complete
        )

    return Server("nodepools", version=version("nodepools"), instructions=_INSTRUCTIONS, on_list_tools=list_tools, on_call_tool=call_tool)


async def _serve(of: "Server[object]") -> None:
    async with stdio_server() as (received, sent):
        await of.run(received, sent, of.create_initialization_options())


def _described(tool: Tool, *, runs_programs: bool) -> types.Tool:
    hints = types.ToolAnnotations(
        title=tool.title,
        read_only_hint=not runs_programs,  # a program of the project can do anything
        destructive_hint=runs_programs,
        idempotent_hint=not runs_programs,
        open_world_hint=runs_programs,
    )
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema,
        output_schema=_ANSWER,
        annotations=hints,
    )


def _error(message: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=message)], is_error=True)
