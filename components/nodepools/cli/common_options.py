"""The options that commands share: one word, one meaning, on every command."""

from datetime import date, datetime
from pathlib import Path
from typing import Annotated

import typer

from nodepools.cli.output_formats import Format

StackOption = Annotated[
    str | None, typer.Option("--stack", "-s", help="Stack of the project, stacks/NAME.py; dev, where nothing is named.", metavar="NAME")
]
FormatOption = Annotated[Format, typer.Option("--format", help="text for people, json for programs: alone on standard output.")]
FileOption = Annotated[Path | None, typer.Option("--file", help="A platform as YAML or JSON, in place of a stack.", metavar="PLATFORM.yaml")]
PoolsOption = Annotated[
    list[Path] | None,
    typer.Option("--pools", help="Nodes, NodePools, node classes as kubectl prints them, in place of a declaration.", metavar="FILE"),
]
AllOption = Annotated[bool, typer.Option("--all", help="Every stack of the project.")]
TodayOption = Annotated[
    datetime | None, typer.Option("--today", formats=["%Y-%m-%d"], help="The day to judge for: support of versions ends.", metavar="DAY")
]
StrictOption = Annotated[bool, typer.Option("--strict", help="A warning counts as an error.")]
RulesOption = Annotated[list[Path] | None, typer.Option("--rules", help="Rules of your own: a Python file; repeatable.", metavar="FILE.py")]
NotesOption = Annotated[bool, typer.Option("--notes", help="Notes too; otherwise the text has their number. JSON and SARIF always have them.")]


def day(today: datetime | None) -> date | None:
    """The day of a point in time: the command line knows no days."""
    return today.date() if today is not None else None
