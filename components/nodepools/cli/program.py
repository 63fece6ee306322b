"""The program and its commands as Typer runs them: help pages with examples, and errors of one line."""

import os
import re
from collections.abc import Generator, Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any, Final, cast

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

from nodepools.cli.exit_codes import EXIT_USAGE
from nodepools.cli.usage_errors import ArgumentsError, arguments_error, unknown_command

if TYPE_CHECKING:
    import typer._click as click  # pyright: ignore[reportPrivateUsage]  # Typer has no public name for these types
    from typer._click.shell_completion import CompletionItem  # pyright: ignore[reportPrivateUsage]  # Typer has no public name for it

_ADOPTED_STATE: Final = "nodepools.cli.commands.adoption_state"
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
    "adopt": "nodepools.cli.commands.adoption",
    "adopt settle": _ADOPTED_STATE,
    "adopt pending": _ADOPTED_STATE,
    "convert": "nodepools.cli.commands.conversion",
    "render": _STACKS,
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
        with _in_one_line(ctx):
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
        with _in_one_line(ctx):
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
def _in_one_line(ctx: "click.Context") -> Generator[None]:
    """Turns Typer's errors in arguments into ours."""
    try:
        yield
    except typer.TyperException as error:
        raise arguments_error(error, ctx) from error


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
