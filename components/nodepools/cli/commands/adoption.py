"""The command about clusters that exist."""

from pathlib import Path
from typing import Annotated

import typer

from nodepools.cli.command_run import running
from nodepools.cli.output_formats import Format


def adopt(
    files: Annotated[
        list[Path],
        typer.Argument(
            help="What `az aks show`, `az aks nodepool list` and `az aks maintenanceconfiguration list` print; - for stdin.", metavar="FILES"
        ),
    ],
    *,
    platform: Annotated[str, typer.Option("--platform", help="Name of the platform; names in Pulumi start with it.", metavar="NAME")] = "adopted",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the declaration to this file.  [default: stdout]", metavar="FILE.py")
    ] = None,
    imports: Annotated[
        Path | None, typer.Option("--import", help="Write the import file for `pulumi import` to this file.  [default: none]", metavar="FILE.json")
    ] = None,
    answer: Annotated[Format, typer.Option("--format", help="Output format.")] = Format.TEXT,
) -> None:
    """Declare AKS clusters that exist, from their exports.

    Compares what the declaration sends with what Azure has, argument by argument. A difference that is left is exit code 1. Works offline.
    """
    with running("adopt", answer) as run:
        from nodepools.cli import adopt

        run.keep(adopt.result(files, adopt.Wanted(platform, output, imports, answer), run))
