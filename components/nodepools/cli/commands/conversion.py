"""The command about the move to a managed Karpenter."""

from pathlib import Path
from typing import Annotated

import typer

from nodepools.cli.command_run import command_session
from nodepools.cli.common_options import DetailsOption, ExcludeOption, ReportFormatOption
from nodepools.cli.demands.options import Demanded, with_demands
from nodepools.cli.existing.options import ExistingOption
from nodepools.cli.output.output_formats import ConversionTarget, ReportFormat


@with_demands
def convert(
    files: Annotated[
        list[Path],
        typer.Argument(help="NodePools, node classes, workloads, and the objects next to them: files or folders; - for stdin.", metavar="FILES"),
    ],
    *,
    to: Annotated[ConversionTarget, typer.Option("--to", help="What to convert to: EKS Auto Mode, or node auto provisioning of AKS.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the files to this new or empty folder.  [default: stdout]", metavar="DIR")
    ] = None,
    role: Annotated[
        str | None, typer.Option("--role", help="IAM role of the nodes of Auto Mode.  [default: that of each EC2NodeClass]", metavar="NAME")
    ] = None,
    group: Annotated[
        list[str] | None,
        typer.Option(
            "--group",
            help="NodePool for the pods of a node group or agent pool. Repeatable.  [default: the NodePool of the same name]",
            metavar="GROUP=NODEPOOL",
        ),
    ] = None,
    suffix: Annotated[
        str | None,
        typer.Option(
            "--suffix",
            help="Suffix for the new names of objects that cannot replace the old ones in place.  [default: -auto, none for nap]",
            metavar="TEXT",
        ),
    ] = None,
    exports: ExistingOption = None,
    exclude: ExcludeOption = None,
    answer: ReportFormatOption = ReportFormat.TEXT,
    details: DetailsOption = False,
    demanded: Demanded,
) -> None:
    """Convert objects to Auto Mode or node auto provisioning.

    Lists each value that has no exact equivalent, checks the output, and compares the pools of workloads before and after. Works offline.
    """
    with command_session("convert", answer, details=details) as run:
        from nodepools.cli.configuration import excluded
        from nodepools.cli.convert import command as convert
        from nodepools.cli.inputs.input_files import InputFiles
        from nodepools.conversion.unconverted import Target

        wanted = convert.wanted(Target(to.value), suffix, role, group if group is not None else ())
        chosen = convert.Options(wanted, demanded.read(run), exports if exports is not None else (), output)
        run.set_result(convert.result(InputFiles(files, excluded(exclude), skips_written=True), chosen, run))
