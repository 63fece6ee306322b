"""The reference of the command line: each command with what it prints, its arguments, options, examples and exit codes."""

import re
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import cast

import typer
from typer.core import TyperArgument, TyperOption

from nodepools.cli.app import app
from nodepools.cli.examples import EXAMPLES, PROGRAM, exit_codes
from nodepools.cli.program import Command, Program


def command_pages(introduction: str, outputs: Mapping[str, str] = MappingProxyType({})) -> Iterator[tuple[str, str]]:
    """Yields the address and the text of each page, first of the one that lists them: `introduction`, the page of commands by groups.

    `outputs` has what each command prints, by its name.
    """
    program = cast("Program", typer.main.get_command(app))
    commands = {name: cast("Command", command) for name, command in program.commands.items()}
    groups = grouped(introduction, commands)
    yield "reference/commands", _index(introduction, groups, commands)
    for group, names in groups.items():
        for name in names:
            yield f"reference/commands/{_file(name)}", _command(name, group, commands[name], outputs.get(name, ""))


def grouped(introduction: str, commands: Iterable[str]) -> dict[str, list[str]]:
    """The commands of each group, in the order of the page of commands."""
    found: dict[str, list[str]] = {}
    for section in introduction.split("\n## ")[1:]:
        named = [" ".join(words.split()) for words in re.findall(r"^\| `nodepools ((?:[a-z]+ ?)+)", section, re.MULTILINE)]
        here = [max((name for name in commands if f"{words} ".startswith(f"{name} ")), key=len, default="") for words in named]
        found[section.partition("\n")[0]] = list(dict.fromkeys(name for name in here if name))
    return {group: names for group, names in found.items() if names}


def _index(introduction: str, groups: Mapping[str, list[str]], commands: Mapping[str, Command]) -> str:
    text = re.sub(r"^\| `nodepools ((?:[a-z]+ ?)+)", lambda row: _linked(row, groups), introduction, flags=re.MULTILINE)
    lines = [
        text.rstrip(),
        "",
        "## Options",
        "",
        "What each option means, and the commands that have it.",
        "",
        "| option | meaning | commands |",
        "|---|---|---|",
    ]
    lines += (f"| `{_cell(words)}` | {_cell(meaning)} | {_links(names, commands)} |" for (words, meaning), names in _meanings(commands).items())
    names = (name for group in groups.values() for name in group)
    return "\n".join([*lines, "", "```{toctree}", ":hidden:", *(f"commands/{_file(name)}" for name in names), "```", ""])


def _linked(row: re.Match[str], groups: Mapping[str, list[str]]) -> str:
    """The start of a row, with a link to the page of its command before the line that is typed."""
    words = " ".join(row[1].split())
    name = max((name for group in groups.values() for name in group if f"{words} ".startswith(f"{name} ")), key=len)
    return f"| [{name}](commands/{_file(name)}.md) `nodepools {row[1]}"


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


def _command(name: str, group: str, command: Command, output: str) -> str:
    context = command.make_context(name, [], resilient_parsing=True)
    title = f"{PROGRAM} {name}"
    usage = " ".join([title, *command.collect_usage_pieces(context)])
    arguments = [(param.metavar or param.name or "", param.help or "") for param in command.params if isinstance(param, TyperArgument)]
    lines = [
        f"# `{title}`",
        "",
        *_paragraphs(command.help or ""),
        f"Group: [{group}](../commands.md#{group.lower()}).",
        "",
        "```text",
        usage,
        "```",
        "",
    ]
    if output:
        lines += ["## What it prints", "", "```text", output.rstrip(), "```", ""]
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
