"""The commands about clusters that exist, and about their state: imports that are not settled, creations that were interrupted."""

from pathlib import Path
from typing import Annotated

import typer

from nodepools.cli import completion
from nodepools.cli.command_run import command_session
from nodepools.cli.common_options import DetailsOption, ExcludeOption, FormatOption
from nodepools.cli.demands.options import Demanded, with_demands
from nodepools.cli.output.output_formats import Format


@with_demands
def adopt(
    files: Annotated[
        list[Path],
        typer.Argument(
            help="What `az aks`, `aws eks` and `kubectl get nodepools,nodeclasses` print about clusters, as JSON or YAML: files or folders; "
            "- for stdin.",
            metavar="FILES",
            autocompletion=completion.adopt_files,
        ),
    ],
    *,
    platform: Annotated[
        str | None,
        typer.Option(
            "--platform", help="Name of the platform; names in Pulumi start with it.  [default: that of the stack, otherwise adopted]", metavar="NAME"
        ),
    ] = None,
    stack: Annotated[
        str | None, typer.Option("--as-stack", help="Name of the stack that imports.  [default: name of FILE, or of the platform]", metavar="NAME")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the declaration to this file.  [default: stdout]", metavar="FILE")
    ] = None,
    imports: Annotated[
        Path | None, typer.Option("--import", help="Write the import file for `pulumi import` to this file.  [default: none]", metavar="FILE.json")
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option("--report", help="Write the whole report to this file too: Markdown if it ends in `.md`.  [default: none]", metavar="FILE"),
    ] = None,
    yaml: Annotated[
        bool, typer.Option("--yaml", help="Write the declaration as YAML.  [default: by the ending of --output, otherwise Python]")
    ] = False,
    exclude: ExcludeOption = None,
    answer: FormatOption = Format.TEXT,
    details: DetailsOption = False,
    demanded: Demanded,
) -> None:
    """Declare clusters that exist, from their exports.

    Compares what the declaration sends with what the clouds have, argument by argument. A difference without a known reason is exit code 1.
    Writes a second import file (`…-objects.json`) for objects inside clusters. Works offline.
    """
    with command_session("adopt", answer, details=details) as run:
        from nodepools.cli.adopt import command as adopt
        from nodepools.cli.configuration import excluded
        from nodepools.cli.inputs.input_files import InputFiles

        named = adopt.platform_name(platform, output)
        wanted = adopt.AdoptOptions(named, stack, output, imports, report, yaml, answer)
        run.set_result(adopt.result(InputFiles(files, excluded(exclude), skips_written=True), wanted, run, demanded.read(run)))


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
