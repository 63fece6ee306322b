"""The commands, in the order in which help lists them."""

import os
from typing import Annotated

import typer

from nodepools.cli.commands.pools import cost, diagram, explain, instances, windows
from nodepools.cli.commands.stacks import check, doctor, preview, render, rules

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="AKS and EKS node pools, declared once: checked and previewed without any cloud.",
    epilog="Exit status: 0 nothing wrong, 1 findings, 2 wrong usage or unreadable input.",
)


def _version(asked: bool) -> None:  # noqa: FBT001  # typer calls it so
    if asked:
        from importlib.metadata import version

        typer.echo(version("nodepools"))
        raise typer.Exit


@app.callback()
def _options(
    context: typer.Context,
    *,
    _: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="The version, and nothing else.")] = False,
) -> None:
    if os.environ.get("NO_COLOR"):
        context.color = False  # on a terminal too, as https://no-color.org asks


for command in (check, preview, render, explain, instances, windows, diagram, cost, doctor, rules):
    app.command()(command)
