"""The reference of the command line: each command with its arguments, options, examples and exit codes."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, cast

import typer
from typer.core import TyperArgument, TyperOption

from nodepools.cli.app import app
from nodepools.cli.examples import EXAMPLES, PROGRAM, exit_codes
from nodepools.cli.program import Command, Program

if TYPE_CHECKING:
    import typer._click as click  # pyright: ignore[reportPrivateUsage]  # Typer has no public name for these types


def command_pages() -> Iterator[tuple[str, str]]:
    """Yields the address and the text of each page, first of the one that lists them."""
    program = cast("Program", typer.main.get_command(app))
    commands = {name: cast("Command", command) for name, command in program.commands.items()}
    yield "reference/commands", _index(program.help or "", commands)
    for name, command in commands.items():
        yield f"reference/commands/{_file(name)}", _command(name, command)


def _index(text: str, commands: Mapping[str, Command]) -> str:
    lines = ["# Commands", "", text, "", "| command | what it does |", "|---|---|"]
    lines += [f"| [`nodepools {name}`](commands/{_file(name)}.md) | {command.get_short_help_str(200)} |" for name, command in commands.items()]
    return "\n".join([*lines, "", "```{toctree}", ":hidden:", *(f"commands/{_file(name)}" for name in commands), "```", ""])


def _command(name: str, command: Command) -> str:
    context = command.make_context(name, [], resilient_parsing=True)
    title = f"{PROGRAM} {name}"
    usage = " ".join([title, *command.collect_usage_pieces(context)])
    arguments = [(param.metavar or param.name or "", param.help or "") for param in command.params if isinstance(param, TyperArgument)]
    options = [_option(param, context) for param in command.get_params(context) if isinstance(param, TyperOption)]
    lines = [f"# `{title}`", "", "```text", usage, "```", "", *_paragraphs(command.help or ""), ""]
    for heading, rows in (("Arguments", arguments), ("Options", [row for row in options if row is not None])):
        if rows:
            lines += [f"## {heading}", "", *(line for words, text in rows for line in (f"`{words}`", f": {text}", ""))]
    lines += ["## Examples", "", "```sh", *(line for example in EXAMPLES[name] for line in (f"# {example.purpose}", example.line)), "```", ""]
    return "\n".join([*lines, "## Exit codes", "", exit_codes(name).removeprefix("Exit codes: "), ""])


def _option(param: TyperOption, context: "click.Context") -> tuple[str, str] | None:
    return param.get_help_record(context)


def _paragraphs(text: str) -> list[str]:
    return [" ".join(part.split()) + "\n" for part in text.split("\n\n")]


def _file(name: str) -> str:
    return name.replace(" ", "-")
