"""The command about clusters that exist."""

from pathlib import Path
from typing import Annotated

import typer

from nodepools.cli.command_run import running
from nodepools.cli.common_options import ExcludeOption
from nodepools.cli.output_formats import Format


def adopt(
    files: Annotated[
        list[Path],
        typer.Argument(
            help="JSON of `az aks show`, `az aks nodepool list` and `az aks maintenanceconfiguration list`: files or directories; - for stdin.",
            metavar="FILES",
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
    exclude: ExcludeOption = None,
    answer: Annotated[Format, typer.Option("--format", help="Output format.")] = Format.TEXT,
) -> None:
    """Declare AKS clusters that exist, from their exports.

    Compares what the declaration sends with what Azure has, argument by argument. A difference that is left is exit code 1. Works offline.
    """
    with running("adopt", answer) as run:
        from nodepools.cli import adopt
        from nodepools.cli.configuration import excluded
        from nodepools.cli.exclusion import Inputs

        run.keep(adopt.result(Inputs(files, excluded(exclude)), adopt.Wanted(platform, output, imports, answer), run))
