"""The commands about a state: imports that are not settled, and creations that were interrupted."""

from pathlib import Path
from typing import Annotated

import typer

from nodepools.cli.command_run import command_session
from nodepools.cli.common_options import DetailsOption, FormatOption
from nodepools.cli.output.output_formats import Format

_STATE = typer.Argument(help="State that `pulumi stack export` prints; - for stdin.", metavar="STATE.json")


def settle(
    state: Annotated[Path, _STATE],
    *,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Write the settled state to this file, for `pulumi stack import`; - for stdout.  [default: none]",
            metavar="FILE.json",
        ),
    ] = None,
    answer: FormatOption = Format.TEXT,
    details: DetailsOption = False,
) -> None:
    """Correct imported state, so that nothing is replaced.

    Gives each imported resource the inputs that the program sends, with the values that the cloud has. Runs the Pulumi program offline.
    """
    with command_session("adopt settle", answer, details=details) as run:
        from nodepools.cli.adopt.settle import result

        run.set_result(result(state, output, run))


def pending(
    state: Annotated[Path, _STATE],
    *,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="Write the import file for `pulumi import` to this file; - for stdout.  [default: none]", metavar="FILE.json"
        ),
    ] = None,
    preview: Annotated[
        Path | None,
        typer.Option(
            "--preview",
            help="What `pulumi preview --json` prints, for a `pulumi up` that was not killed; needs --failed.  [default: none]",
            metavar="FILE.json",
        ),
    ] = None,
    failed: Annotated[
        Path | None,
        typer.Option(
            "--failed", help="What a `pulumi up` printed that failed because a resource exists; needs --preview.  [default: none]", metavar="FILE.txt"
        ),
    ] = None,
    subscription: Annotated[
        str | None,
        typer.Option("--subscription", help="Azure subscription of resources whose provider has none in the state.  [default: none]", metavar="ID"),
    ] = None,
    answer: FormatOption = Format.TEXT,
    details: DetailsOption = False,
) -> None:
    """Recover resources that an interrupted `up` created.

    Computes the ids of resources that Pulumi began to create and did not record. The cloud may have them; a second creation fails then.
    """
    with command_session("adopt pending", answer, details=details) as run:
        from nodepools.cli.adopt.pending import refused, result
        from nodepools.cli.written_file import check_not_read

        if output is not None:
            check_not_read(output, [one for one in (preview, failed) if one is not None])
        run.set_result(result(state, output, subscription, run, refused(preview, failed)))
