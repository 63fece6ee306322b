"""The program, and the options before its commands."""

import os
from typing import Annotated

import typer

from nodepools.cli.exit_codes import EXIT_USAGE
from nodepools.cli.program import Program

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
