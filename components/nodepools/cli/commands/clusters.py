"""The commands about whole clusters: what they look like, what they cost, and what they need."""

from pathlib import Path
from typing import Annotated

import typer

from nodepools.cli.command_run import command_session
from nodepools.cli.common_options import AllOption, DetailsOption, ExcludeOption, FileOption, ReportFormatOption, StackOption, as_given
from nodepools.cli.demands.options import Demanded, with_demands
from nodepools.cli.existing.options import CloudOption, ContextOption, ExistingOption, existing_paths, planned_paths, stack_of
from nodepools.cli.output.output_formats import PictureFormat, ReportFormat


def diagram(
    pods: Annotated[list[Path] | None, typer.Argument(help="Workloads to include: files or folders; - for stdin.", metavar="POD_MANIFEST")] = None,
    *,
    stack: StackOption = None,
    every: AllOption = False,
    file: FileOption = None,
    exclude: ExcludeOption = None,
    answer: Annotated[
        PictureFormat, typer.Option("--format", help="Output format. text prints Mermaid; svg and png need mermaid-cli (mmdc).")
    ] = PictureFormat.TEXT,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Output file, required for svg and png.  [default: none]", metavar="FILE")
    ] = None,
) -> None:
    """Draw clusters, pools and workloads (Mermaid, SVG or PNG).

    GitHub and GitLab render Mermaid in Markdown.
    """
    with command_session("diagram", answer) as run:
        from nodepools.cli.clusters import diagram
        from nodepools.cli.configuration import excluded
        from nodepools.cli.inputs.input_files import InputFiles
        from nodepools.cli.inputs.sources import load_valid_platforms, selected_source
        from nodepools.cli.inputs.workload_files import read_workloads

        workloads = read_workloads(InputFiles(pods if pods is not None else (), excluded(exclude)), run)
        platforms = load_valid_platforms(selected_source(stack, every=every, file=file), run)
        run.set_result(diagram.result([diagram.drawn(platform, workloads) for platform in platforms], answer, output))


@with_demands
def cost(
    *,
    stack: StackOption = None,
    every: AllOption = False,
    file: FileOption = None,
    prices: Annotated[
        Path | None,
        typer.Option("--prices", help="Price file (YAML or JSON) to use instead of the built-in list prices.  [default: none]", metavar="FILE"),
    ] = None,
    answer: ReportFormatOption = ReportFormat.TEXT,
    details: DetailsOption = False,
    demanded: Demanded,
) -> None:
    """Estimate minimum and maximum monthly cost of the pools.

    The minimum counts the fewest nodes of each pool, the maximum the most that its scale or limits allow.
    """
    with command_session("cost", answer, details=details) as run, planned_paths(file, None, run, stack) as (_, _, planned):
        from nodepools.cli import cost
        from nodepools.cli.inputs.sources import load_valid_platforms, places_of, selected_source

        priced, wanted = cost.price_list(prices), demanded.read(run)
        if planned is not None:
            from nodepools.cli.existing.existing_answers import costs
            from nodepools.cli.inputs.input_files import InputFiles

            source = selected_source(stack, every=every, file=file)
            run.set_result(cost.estimate(source.about, source.options, [costs(InputFiles(planned), run, priced)], priced, wanted))
            return
        source = selected_source(stack, every=every, file=file)
        platforms = load_valid_platforms(source, run)
        places = places_of(source, platforms)
        run.set_result(cost.estimate(source.about, source.options, cost.months(platforms, priced), priced, wanted, places=places))


@with_demands
def capacity(
    *,
    stack: StackOption = None,
    every: AllOption = False,
    file: FileOption = None,
    existing_files: ExistingOption = None,
    context: ContextOption = None,
    cloud: CloudOption = False,
    exclude: ExcludeOption = None,
    answer: ReportFormatOption = ReportFormat.TEXT,
    details: DetailsOption = False,
    demanded: Demanded,
) -> None:
    """Count the addresses, ports and vCPUs that clusters need.

    Compares them with subnets, load balancers and quotas: they fit, do not fit, or the answer is unknown offline. --existing without --stack, --all
    or --file counts a cluster as it exists; with one of them, it says how much is available to the declared clusters.
    """
    with (
        command_session("capacity", answer, details=details) as run,
        existing_paths(existing_files, context, run, cloud=cloud) as shown,
        planned_paths(file, shown, run, stack) as (named, declared, existing),
    ):
        from nodepools.cli import capacity
        from nodepools.cli.configuration import excluded
        from nodepools.cli.inputs.input_files import InputFiles
        from nodepools.cli.inputs.sources import load_platforms, named_sources, places_of, selected_source
        from nodepools.clouds.item import NOTHING_EXISTING
        from nodepools.needs.owners import needs_by_owner
        from nodepools.needs.platform_capacity import capacity as counted

        exports = InputFiles(existing if existing is not None else (), excluded(exclude), skips_written=True)
        stack = stack_of(context, named, every=every, file=declared)
        if existing and not named_sources(stack, every=every, file=declared):
            from nodepools.cli.existing import existing_answers

            given = as_given((), file=file, existing=existing_files, context=context, cloud=cloud)
            run.set_result(existing_answers.capacity(exports, run, demanded.read(run), given))
            return
        source = selected_source(stack, every=every, file=declared)
        found = load_platforms(source, run, capacity.ANSWERED)
        platforms = [platform for platform, _ in found]
        stock = NOTHING_EXISTING
        if existing:
            from nodepools.cli.existing.cloud_exports import read_exports_and_nodes
            from nodepools.cli.existing.undeclared_pools import note_share

            stock, nodes = read_exports_and_nodes(exports, platforms, run)
            note_share(nodes, platforms, stock, run)
        clusters = counted(*platforms, existing=stock)
        if existing:
            from nodepools.cli.existing.undeclared_pools import unused

            run.notes.extend(unused(stock, platforms, clusters))
        within = platforms[0].name if len(platforms) == 1 else ""
        findings = [finding for _, of_platform in found for finding in of_platform]
        owners = [(platform.name, needs_by_owner(platform)) for platform in platforms if platform.has_owners]
        places = places_of(source, platforms)
        run.set_result(
            capacity.result(source.about, clusters, findings, source.options, demanded.read(run), within=within, places=places, owners=owners)
        )
