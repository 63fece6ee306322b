"""Errors in the arguments of a command: one line that says what is wrong, and one that says what to do."""

import re
from collections.abc import Collection, Mapping
from typing import IO, TYPE_CHECKING, Final, cast

import typer

from nodepools.model.listing import quoted
from nodepools.model.nearest import nearest

if TYPE_CHECKING:
    import typer._click as click  # pyright: ignore[reportPrivateUsage]  # Typer has no public name for these types

COMMANDS: Final[Mapping[str, str]] = {
    "new": "init",
    "create": "init",
    "plan": "diff",
    "drift": "diff",
    "changes": "diff",
    "synth": "preview",
    "update": "upgrade",
    "fleet": "rollout plan",
    "waves": "rollout plan",
    "versions": "upgrade",
    "support": "upgrade",
    "lint": "check",
    "validate": "check",
    "verify": "check",
    "why": "explain",
    "schedule": "explain",
    "place": "explain",
    "price": "cost",
    "prices": "cost",
    "estimate": "cost",
    "quota": "capacity",
    "quotas": "capacity",
    "limits": "capacity",
    "types": "instances",
    "sizes": "instances",
    "windows": "calendar",
    "maintenance": "calendar",
    "graph": "diagram",
    "import": "adopt",
    "draw": "diagram",
    "manifests": "render",
    "yaml": "render",
    "codes": "rules",
    "prerequisites": "doctor",
}
"""Other words for commands, most of them commands of other tools."""

OPTIONS: Final[Mapping[str, str]] = {
    "--env": "--stack",
    "--environment": "--stack",
    "--json": "--format json",
    "--out": "--output",
    "--date": "--today",
    "--version": "--to",
    "--kubernetes-version": "--to",
    "--target": "--to",
    "--manifests": "--workloads",
    "--timezone": "--tz",
    "--from": "--existing",
    "--live": "--existing",
    "--node-pools": "--existing",
    "--pools": "--existing",
    "--running": "--existing",
    "--fail-on-warnings": "--strict",
    "--verbose": "--details",
    "--apply": "--fix",
    "--diff": "--dry-run",
    "--notes": "--details",
    "--rules": "--own-rules",
    "--policy": "--policy-pack",
}
"""Other words for options."""
_EXTRA: Final = re.compile(r"Got unexpected extra argument\(s\) \((.*)\)", re.DOTALL)
_MUST_BE: Final = {
    "int_parsing": "must be a whole number",
    "float_parsing": "must be a number",
    "int_parsing_size": "must be a smaller number",
    "greater_than_equal": "must be at least {ge:.10g}",
    "less_than_equal": "must be at most {le:.10g}",
}
"""By pydantic's type of error, with its limit."""


_HELP: Final = ("help", "-h", "-help")
"""What other programs call `--help`."""
_OTHERS: Final = 3
_LONGEST: Final = 300
"""Characters of a message, which can quote an argument of any length."""


class ArgumentsError(typer.BadParameter):
    """The arguments of a command are not valid. Typer shows it, and exits with code 2."""

    def __init__(self, message: str, path: str, suggestion: str | None = None) -> None:
        from nodepools.model.redaction import scrubbed  # imports the models

        message = scrubbed(message)
        super().__init__(message if len(message) <= _LONGEST else f"{message[:_LONGEST]}…")
        self.next = _example(path) if suggestion is None else suggestion if suggestion.startswith("nodepools") else f"use `{suggestion}`"

    def show(self, file: IO[str] | None = None) -> None:
        """Writes both lines to stderr, where Typer writes the usage line and a box."""
        typer.echo(f"error: {self.message}\nnext: {self.next}", file=file, err=True)


def _example(path: str) -> str:
    """A command line that works, and where all options are."""
    from nodepools.cli.examples import EXAMPLES, PROGRAM  # only errors and help need them

    examples = EXAMPLES.get(path.partition(" ")[2], EXAMPLES[PROGRAM])
    return f"for example `{examples[0].line}`; `{path} --help` shows all options"


def unknown_command(name: str, known: Collection[str]) -> ArgumentsError:
    """The error for a command that is not in `known`."""
    below = [one for one in known if one.startswith(f"{name} ")]
    suggestion = "--help" if name in _HELP else f"{below[0]} --help" if below else suggested(name, known, COMMANDS)
    return ArgumentsError(f"`{name}` is not a command of `nodepools`", "nodepools", f"nodepools {suggestion}" if suggestion is not None else None)


def arguments_error(error: typer.TyperException, context: "click.Context") -> ArgumentsError:
    """What Typer found wrong with the arguments of the command of `context`."""
    path = context.command_path
    option = getattr(error, "option_name", None)
    if not isinstance(option, str):
        return ArgumentsError(_value_message(error), path)
    if hasattr(error, "possibilities"):
        known = [name for param in context.command.get_params(context) for name in param.opts]
        suggestion = "--help" if option in _HELP else suggested(option, known, OPTIONS)
        others = _with_option(option, context) if suggestion is None else []
        elsewhere = f"; {quoted(others, _OTHERS)} {'has' if len(others) == 1 else 'have'} it" if others else ""
        return ArgumentsError(f"`{path}` does not have an option `{option}`{elsewhere}", path, suggestion)
    return ArgumentsError(f"`{option}` {'requires a value' if 'requires' in error.message else 'does not accept a value'}", path)


def _with_option(option: str, context: "click.Context") -> list[str]:
    """The commands that have an option."""
    commands = cast("Mapping[str, click.Command]", getattr(context.find_root().command, "commands", {}))
    return [f"nodepools {name}" for name, command in commands.items() if any(option in param.opts for param in command.params)]


def _value_message(error: typer.TyperException) -> str:
    extra = _EXTRA.fullmatch(error.message)
    if extra is not None:
        return f"unexpected argument `{' '.join(extra[1].split())}`"
    param = error.param if isinstance(error, typer.BadParameter) else None
    if param is None:
        return " ".join(error.format_message().split())
    name = param.opts[-1] if param.param_type_name == "option" else param.display_name_raw
    from pydantic import ValidationError  # which Typer, too, imports only to convert values

    if not isinstance(error.__cause__, ValidationError):
        return f"`{name}` is required{_meaning(getattr(param, 'help', None))}"
    found = error.__cause__.errors()[0]
    described = param.type_descriptor
    if described.is_choice:
        must_be = f"must be one of {', '.join(f'`{choice}`' for choice in described.choices or ())}"
    elif described.is_datetime:
        must_be = "must be a date such as `2026-11-21`"
    else:
        must_be = _MUST_BE.get(found["type"], f"is not valid ({found['msg']})").format(**found.get("ctx", {}))
    return f"`{name}` {must_be}, not `{found['input']}`"


def _meaning(help_text: str | None) -> str:
    """`: what to compare with`: the first sentence of the help of an argument or option."""
    sentence = (help_text or "").partition(". ")[0].partition("  [")[0].rstrip(".")
    return f": {sentence[0].lower()}{sentence[1:]}" if sentence else ""


def suggested(name: str, known: Collection[str], synonyms: Mapping[str, str]) -> str | None:
    """The one of `known` that `name` stands for, by synonym or similar spelling; `None` if there is none."""
    synonym = synonyms.get(name.lower())
    if synonym is not None and synonym.split()[0] in known:
        return synonym
    words = {word.lstrip("-"): word for word in known}  # leading dashes do not count as similar
    found = nearest(name.lstrip("-"), words)
    return words[found] if found is not None else None
