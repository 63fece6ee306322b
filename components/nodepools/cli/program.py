"""The program and its commands as Typer runs them: help pages with examples, and errors of one line."""

import os
import re
import shlex
from collections.abc import Collection, Generator, Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import IO, TYPE_CHECKING, Annotated, Any, Final, cast

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

from nodepools.cli.problem import EXIT_USAGE
from nodepools.model.listing import joined, nearest, quoted

if TYPE_CHECKING:
    import typer._click as click  # pyright: ignore[reportPrivateUsage]  # Typer has no public name for these types
    from typer._click.shell_completion import CompletionItem  # pyright: ignore[reportPrivateUsage]  # Typer has no public name for it

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
        self.next = _example(path) if suggestion is None else scrubbed(suggestion) if suggestion.startswith("nodepools") else f"use `{suggestion}`"

    def show(self, file: IO[str] | None = None) -> None:
        """Writes both lines to stderr, where Typer writes the usage line and a box."""
        typer.echo(f"error: {self.message}\nnext: {self.next}", file=file, err=True)


def _example(path: str) -> str:
    """A command line that works, and where all options are."""
    from nodepools.cli.examples import EXAMPLES, PROGRAM  # only errors and help need them

    example = EXAMPLES.get(path.partition(" ")[2], EXAMPLES[PROGRAM])[0]
    return f"for example `{example.line}` ({example.purpose[:1].lower()}{example.purpose[1:]}); `{path} --help` shows all options"


def unknown_command(name: str, known: Collection[str]) -> ArgumentsError:
    """The error for a command that is not in `known`."""
    from nodepools.cli.examples import COMMANDS  # only errors need them

    below = [one for one in known if one.startswith(f"{name} ")]
    suggestion = "--help" if name in _HELP else f"{below[0]} --help" if below else suggested(name, known, COMMANDS)
    alone = f", but {joined([f'`{one}`' for one in below])} {'are' if below[1:] else 'is'}" if below else ""
    return ArgumentsError(
        f"`{name}` is not a command of `nodepools`{alone}", "nodepools", f"nodepools {suggestion}" if suggestion is not None else None
    )


def arguments_error(error: typer.TyperException, context: "click.Context", given: Sequence[str]) -> ArgumentsError:
    """What Typer found wrong with the arguments that were given to the command of `context`."""
    path = context.command_path
    option = getattr(error, "option_name", None)
    if not isinstance(option, str):
        message = _value_message(error)
        missing = error.param if isinstance(error, typer.BadParameter) and _is_missing(error) else None
        words = shlex.join(filter(None, given))
        return ArgumentsError(message, path, _with_value(path, missing, words) if missing is not None and 0 < len(words) < _LONGEST else None)
    if hasattr(error, "possibilities"):
        from nodepools.cli.examples import OPTIONS  # only errors need them

        known = [name for param in context.command.get_params(context) for name in param.opts]
        suggestion = "--help" if option in _HELP else suggested(option, known, OPTIONS)
        others = _with_option(option, context) if suggestion is None else []
        elsewhere = f"; {quoted(others, _OTHERS)} {'has' if len(others) == 1 else 'have'} it" if others else ""
        return ArgumentsError(f"`{path}` does not have an option `{option}`{elsewhere}", path, suggestion)
    return ArgumentsError(f"`{option}` {'requires a value' if 'requires' in error.message else 'does not accept a value'}", path)


def _with_value(path: str, missing: "click.Parameter", words: str) -> str:
    """The command as it was typed, with what it lacks."""
    if missing.name == "old" and "--existing" in words:
        edits = f"`{path} HEAD {words}` shows what the edits since the last commit do to it"
        return f"{path} {re.sub('--existing[ =]', '', words, count=1)}  # compares what exists with what is declared; {edits}"
    name = str(getattr(missing, "metavar", None) or str(missing.name).upper())
    lacking = f"{missing.opts[-1]} {name}" if missing.param_type_name == "option" else name
    return f"{path} {lacking} {words}  # {name}{_meaning(getattr(missing, 'help', None))}; `{path} --help` shows all options"


def _with_option(option: str, context: "click.Context") -> list[str]:
    """The commands that have an option."""
    commands = cast("Mapping[str, click.Command]", getattr(context.find_root().command, "commands", {}))
    return [f"nodepools {name}" for name, command in commands.items() if any(option in param.opts for param in command.params)]


_UNREADABLE: Final = re.compile(r"path '(.*)' is not readable\.", re.DOTALL)


def _is_missing(error: typer.BadParameter) -> bool:
    """The argument or option was not given; Typer does not export the class of this error."""
    from pydantic import ValidationError  # which Typer, too, imports only to convert values

    return not isinstance(error.__cause__, ValidationError) and not any(form.fullmatch(error.message) for form in (_EXTRA, _UNREADABLE))


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
        refused = _UNREADABLE.fullmatch(error.message)
        return f"{refused[1]}: Permission denied" if refused is not None else f"`{name}` is required{_meaning(getattr(param, 'help', None))}"
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
    first = sentence if sentence[:4] == "Node" else f"{sentence[:1].lower()}{sentence[1:]}"
    return f": {first}" if sentence else ""


def suggested(name: str, known: Collection[str], synonyms: Mapping[str, str]) -> str | None:
    """The one of `known` that `name` stands for, by synonym or similar spelling; `None` if there is none."""
    synonym = synonyms.get(name.lower())
    if synonym is not None and synonym.split()[0] in known:
        return synonym
    words = {word.lstrip("-"): word for word in known}  # leading dashes do not count as similar
    found = nearest(name.lstrip("-"), words)
    return words[found] if found is not None else None


_ADOPTION: Final = "nodepools.cli.commands.adoption"
_CHANGES: Final = "nodepools.cli.commands.changes"
_CLUSTERS: Final = "nodepools.cli.commands.clusters"
_POOLS: Final = "nodepools.cli.commands.pools"
_ROLLOUT: Final = "nodepools.cli.commands.rollout"
_STACKS: Final = "nodepools.cli.commands.stacks"
_MODULES: Final[Mapping[str, str]] = {
    "init": _STACKS,
    "check": _STACKS,
    "preview": _STACKS,
    "diff": _CHANGES,
    "upgrade": _CHANGES,
    "compare": _CHANGES,
    "ledger": _CHANGES,
    "rollout plan": _ROLLOUT,
    "rollout compile": _ROLLOUT,
    "adopt": _ADOPTION,
    "adopt settle": _ADOPTION,
    "adopt pending": _ADOPTION,
    "convert": "nodepools.cli.commands.conversion",
    "render": _STACKS,
    "eject": _STACKS,
    "explain": _POOLS,
    "instances": _POOLS,
    "calendar": _POOLS,
    "diagram": _CLUSTERS,
    "cost": _CLUSTERS,
    "capacity": _CLUSTERS,
    "doctor": _STACKS,
    "rules": _STACKS,
    "schema": _STACKS,
    "mcp": "nodepools.cli.commands.agents",
}
"""The commands, in the order in which help lists them, with the module of each. Its function has the last word of its name."""
_DEFAULT: Final = re.compile(r"\[default: [^\]]*\]")
_NO_BREAK: Final = "\N{NO-BREAK SPACE}"


class Command(TyperCommand):
    """A command whose help page shows examples."""

    def parse_args(self, ctx: "click.Context", args: list[str]) -> list[str]:
        """Reads the arguments.

        Raises:
            ArgumentsError: they are not valid.
        """
        with _in_one_line(ctx, tuple(args)):
            self._reject_repeated_options(ctx, args)
            return super().parse_args(ctx, args)

    def _reject_repeated_options(self, ctx: "click.Context", args: Sequence[str]) -> None:
        """The last value would win, and the first one would be ignored without a message."""
        if ctx.resilient_parsing:  # while a shell completes, the line is not finished
            return
        given = self.make_parser(ctx).parse_args(args=list(args))[2]
        for param in dict.fromkeys(given):
            if isinstance(param, TyperOption) and not (param.multiple or param.is_flag) and given.count(param) > 1:
                raise ArgumentsError(f"`{param.opts[-1]}` has one value, and is given {given.count(param)} times", ctx.command_path)

    def collect_usage_pieces(self, ctx: "click.Context") -> list[str]:
        """Returns the parts of the usage line. Typer puts required arguments into braces; this leaves them out."""
        return [re.sub(r"[{}]", "", piece) for piece in super().collect_usage_pieces(ctx)]

    def get_help(self, ctx: "click.Context") -> str:
        """Returns the help page."""
        return super().get_help(ctx).replace(_NO_BREAK, " ")

    def format_options(self, ctx: "click.Context", formatter: "click.HelpFormatter") -> None:
        """Writes arguments and options, each default in one piece. Typer adds the Python type to each argument; this leaves it out."""
        arguments = [(param.metavar or param.name, param.help or "") for param in self.params if isinstance(param, TyperArgument)]
        options = [param.get_help_record(ctx) for param in self.get_params(ctx) if not isinstance(param, TyperArgument)]
        for title, rows in (("Arguments", arguments), ("Options", [_unbroken(*row) for row in options if row is not None])):
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)

    def format_epilog(self, ctx: "click.Context", formatter: "click.HelpFormatter") -> None:
        """Writes examples and exit codes."""
        _write_examples(ctx, formatter)


class Commands(Mapping[str, "click.Command"]):
    """All commands. One is imported when it is first used: a run needs no other, and help needs all."""

    def __getitem__(self, name: str) -> "click.Command":
        return _command(name, _MODULES[name])

    def __iter__(self) -> Iterator[str]:
        return iter(_MODULES)

    def __len__(self) -> int:
        return len(_MODULES)


@cache
def _command(name: str, module: str) -> "click.Command":
    alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
    alone.command(name, cls=Command)(vars(import_module(module))[name.rpartition(" ")[2]])
    return typer.main.get_command(alone)


class Program(TyperGroup):
    """The program with all commands."""

    def __init__(self, **settings: Any) -> None:  # noqa: ANN401  # those of Typer
        super().__init__(**settings)
        self.commands = cast("MutableMapping[str, click.Command]", Commands())

    def parse_args(self, ctx: "click.Context", args: list[str]) -> list[str]:
        """Reads the arguments before the command.

        Raises:
            ArgumentsError: they are not valid.
        """
        with _in_one_line(ctx, tuple(args)):
            return super().parse_args(ctx, args)

    def resolve_command(self, ctx: "click.Context", args: list[str]) -> "tuple[str | None, click.Command | None, list[str]]":
        """Finds the command that the first argument names, or the first two (`adopt settle`).

        Raises:
            ArgumentsError: there is no such command.
        """
        both = " ".join(args[:2])
        if both in self.commands:
            return both, self.commands[both], args[2:]
        if args[0] not in self.commands and not ctx.resilient_parsing:  # while a shell completes, the line is not finished
            raise unknown_command(args[0], self.commands)
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: "click.Context", incomplete: str) -> "list[CompletionItem]":
        """Completes commands of one word; `adopt` completes those below it."""
        return [item for item in super().shell_complete(ctx, incomplete) if " " not in item.value]

    def format_epilog(self, ctx: "click.Context", formatter: "click.HelpFormatter") -> None:
        """Writes examples and exit codes."""
        _write_examples(ctx, formatter)


@contextmanager
def _in_one_line(ctx: "click.Context", args: Sequence[str]) -> Generator[None]:
    """Turns Typer's errors in arguments into ours."""
    try:
        yield
    except typer.TyperException as error:
        raise arguments_error(error, ctx, args) from error


def _unbroken(name: str, text: str) -> tuple[str, str]:
    return name, _DEFAULT.sub(lambda found: found[0].replace(" ", _NO_BREAK), text)


def _write_examples(ctx: "click.Context", formatter: "click.HelpFormatter") -> None:
    from nodepools.cli.examples import EXAMPLES, PROGRAM, exit_codes  # only help needs them

    name = ctx.info_name if ctx.info_name is not None and ctx.info_name in EXAMPLES else PROGRAM

    with formatter.section("Examples"):
        for example in EXAMPLES[name]:
            formatter.write(f"  # {example.purpose}\n  {example.line}\n")
    formatter.write_paragraph()
    formatter.write_text(exit_codes(name))


app = typer.Typer(
    cls=Program,
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Check, preview and explain AKS and EKS node pools offline.",
)


def _version(requested: bool) -> None:  # noqa: FBT001  # Typer calls it like this
    if requested:
        from importlib.metadata import version

        typer.echo(version("nodepools"))
        raise typer.Exit


@app.callback()
def _options(
    context: typer.Context,
    *,
    _: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")] = False,
) -> None:
    if os.environ.get("NO_COLOR"):
        context.color = False  # on a terminal, too: see https://no-color.org
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), err=True)
        raise typer.Exit(EXIT_USAGE)
