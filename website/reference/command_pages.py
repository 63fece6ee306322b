"""The reference of the command line: each command with its arguments, options, examples and exit codes."""

from collections.abc import Iterator, Mapping
from typing import cast

import typer
from typer.core import TyperArgument, TyperOption

from nodepools.cli.examples import EXAMPLES, PROGRAM, exit_codes
from nodepools.cli.program import Command, Program, app


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
    lines += ["", "## Options", "", "What each option means, and the commands that have it.", "", "| option | meaning | commands |", "|---|---|---|"]
    lines += (f"| `{_cell(words)}` | {_cell(meaning)} | {_links(names, commands)} |" for (words, meaning), names in _meanings(commands).items())
    return "\n".join([*lines, "", "```{toctree}", ":hidden:", *(f"commands/{_file(name)}" for name in commands), "```", ""])


def _meanings(commands: Mapping[str, Command]) -> Mapping[tuple[str, str], list[str]]:
    """The commands that have each option with a meaning, in the order of the long names of options."""
    found: dict[tuple[str, str], list[str]] = {}
    for name, command in commands.items():
        for option in _options(name, command):
            found.setdefault(option, []).append(name)
    return dict(sorted(found.items(), key=lambda row: row[0][0][row[0][0].index("--") :]))


def _links(names: list[str], commands: Mapping[str, Command]) -> str:
    return "all" if len(names) == len(commands) else ", ".join(f"[`{name}`](commands/{_file(name)}.md)" for name in names)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _command(name: str, command: Command) -> str:
    context = command.make_context(name, [], resilient_parsing=True)
    title = f"{PROGRAM} {name}"
    usage = " ".join([title, *command.collect_usage_pieces(context)])
    arguments = [(param.metavar or param.name or "", param.help or "") for param in command.params if isinstance(param, TyperArgument)]
    lines = [f"# `{title}`", "", "```text", usage, "```", "", *_paragraphs(command.help or ""), ""]
    for heading, rows in (("Arguments", arguments), ("Options", _options(name, command))):
        if rows:
            lines += [f"## {heading}", "", *(line for words, text in rows for line in (f"`{words}`", f": {text}", ""))]
    lines += ["## Examples", "", "```sh", *(line for example in EXAMPLES[name] for line in (f"# {example.purpose}", example.line)), "```", ""]
    return "\n".join([*lines, "## Exit codes", "", exit_codes(name).removeprefix("Exit codes: "), ""])


def _options(name: str, command: Command) -> list[tuple[str, str]]:
    """Each option with its value, and its help text."""
    context = command.make_context(name, [], resilient_parsing=True)
    records = [param.get_help_record(context) for param in command.get_params(context) if isinstance(param, TyperOption)]
    return [record for record in records if record is not None]


def _paragraphs(text: str) -> list[str]:
    return [" ".join(part.split()) + "\n" for part in text.split("\n\n")]


def _file(name: str) -> str:
    return name.replace(" ", "-")
