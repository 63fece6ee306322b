"""The command for coding agents."""

from pathlib import Path
from typing import Annotated

import typer

from nodepools.cli.command_run import command_session
from nodepools.cli.output.output_formats import Format


def mcp(
    *,
    root: Annotated[Path, typer.Option("--root", help="Read files only below this folder.", metavar="DIR")] = Path(),
    runs_programs: Annotated[
        bool, typer.Option("--allow-programs", help="Also run code of the project: stacks, their programs and own rules.  [default: off]")
    ] = False,
) -> None:
    """Serve agents over stdio (Model Context Protocol).

    Offers the commands check, explain, diff, capacity, upgrade and rules as read-only tools. A tool reads the text that the agent
    sends, and files in the root folder.
    """
    with command_session("mcp", Format.TEXT):
        from nodepools.cli.mcp.server import serve

        serve(root, runs_programs=runs_programs)
