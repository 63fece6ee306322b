"""The commands about pools: where pods land, on which machines, and when nodes are replaced."""

from pathlib import Path
from typing import Annotated

import typer

from nodepools.cli import completion
from nodepools.cli.command_run import command_session
from nodepools.cli.common_options import (
    AllOption,
    DetailsOption,
    ExcludeOption,
    FileOption,
    FormatOption,
    KarpenterOption,
    ReportFormatOption,
    StackOption,
    TodayOption,
    release_of,
)
from nodepools.cli.demands.options import Demanded, with_demands
from nodepools.cli.existing.options import (
    CloudOption,
    ContextOption,
    ExistingOption,
    NamespaceOption,
    existing_paths,
    planned_paths,
    stack_of,
    workloads_of_cluster,
)
from nodepools.cli.output.output_formats import Format, ReportFormat
from nodepools.cli.problem import usage_error


@with_demands
def explain(
    pods: Annotated[
        list[Path],
        typer.Argument(
            help="Pods or workloads (Deployment, Job, …): files or folders; - for stdin; `deploy/web` of a cluster, with --context; one `node/NAME`.",
            metavar="POD_MANIFEST",
        ),
    ],
    *,
    stack: StackOption = None,
    every: AllOption = False,
    file: FileOption = None,
    existing_files: ExistingOption = None,
    context: ContextOption = None,
    cloud: CloudOption = False,
    namespace: NamespaceOption = None,
    karpenter: KarpenterOption = None,
    pool: Annotated[
        str | None,
        typer.Option(
            help="Show only this pool (CLUSTER/POOL, or POOL if unique).  [default: all pools]", metavar="POOL", autocompletion=completion.pools
        ),
    ] = None,
    lost: Annotated[
        list[str] | None,
        typer.Option(
            "--without",
            help="Lost capacity: zone=1, spot, pool=POOL or size=SIZE, with commas between several; each: each of them alone.  [default: none]",
            metavar="CAPACITY",
        ),
    ] = None,
    today: TodayOption = None,
    exclude: ExcludeOption = None,
    answer: ReportFormatOption = ReportFormat.TEXT,
    details: DetailsOption = False,
    matrix: Annotated[bool, typer.Option("--matrix", help="Show a table of workloads and pools.  [default: for more than 3 workloads]")] = False,
    demanded: Demanded,
) -> None:
    """Explain which pool a pod lands on, and why not others.

    Shows the one change that would make it fit; with --details, every reason of each pool. --existing without --stack, --all or --file answers for a
    cluster as it exists; node/NAME says why Karpenter replaced a node. Exits with 1 if a workload stays Pending everywhere.
    """
    with (
        command_session("explain", answer, details=details) as run,
        workloads_of_cluster([path for path in pods if path.parts[:1] != ("node",)], existing_files, context, namespace, run),
        existing_paths(existing_files, context, run, events=any(path.parts[:1] == ("node",) for path in pods), cloud=cloud) as found,
        planned_paths(file, found, run, stack) as (named, declared, existing),
    ):
        from nodepools.cli.configuration import excluded
        from nodepools.cli.explain import command as explain
        from nodepools.cli.inputs.input_files import InputFiles, named_existing
        from nodepools.cli.inputs.sources import load_platforms, named_sources, places_of, selected_source
        from nodepools.cli.inputs.workload_files import read_workload_files
        from nodepools.clouds.registry import catalogs
        from nodepools.placement.coverage import coverage
        from nodepools.reading.project_folder import project_folder

        release = release_of(karpenter)
        if release is not None and not existing:
            usage_error("`--karpenter` is about self-managed Karpenter: it needs `--existing`")
        stack = stack_of(context, named, every=every, file=declared)
        source = selected_source(stack, every=every, file=declared, today=today)
        node = explain.node_of(pods)
        alone = existing is not None and not named_sources(stack, every=every, file=declared) and (node is None or project_folder(Path.cwd()) is None)
        before = len(run.problems)
        platforms = [] if alone else [platform for platform, _ in load_platforms(source, run, ("PLT030",))]  # it says why itself
        is_open = len(run.problems) > before
        if node is not None:
            from nodepools.cli.explain.node import explained_node  # workloads do not need it

            run.set_result(
                explained_node(node, InputFiles(existing, excluded(exclude), skips_written=True) if existing else None, source, platforms, run)
            )
            return
        pools, about = catalogs(platforms), named_existing(existing) if existing is not None and alone else source.about
        read = read_workload_files(InputFiles(pods, excluded(exclude)), run)
        scene, wanted = explain.Scene(read, pools), demanded.read(run)
        if existing:
            scene = explain.in_cluster(InputFiles(existing, excluded(exclude), skips_written=True), pools, platforms, read, run, karpenter=release)
        within = platforms[0].name if len(platforms) == 1 else ""
        losses = explain.read_losses_of(scene, lost if lost is not None else [])
        if losses is None:
            if pool is not None or matrix:
                usage_error("`--without each` shows workloads and losses, and no pools: remove `--pool` and `--matrix`")
            run.set_result(explain.of_each(about, scene, wanted=wanted, again=run.again, within=within))
            return
        covered = coverage(scene.after(losses)[0][0]) if existing else None
        about = f"{about} without {' and '.join(loss.words for loss in losses)}" if losses else about
        answers = explain.explained(scene, only=pool, losses=losses)
        places = {} if alone else {"": source.file, **places_of(source, platforms)}
        run.set_result(
            explain.result(
                about,
                answers,
                losses=losses,
                matrix=matrix,
                wanted=wanted,
                again=run.again,
                places=places,
                within=within,
                covered=covered,
                is_open=is_open,
            )
        )


def instances(
    *,
    pool: Annotated[
        str | None,
        typer.Option(help="NodePool to list (POOL, CLUSTER/POOL).  [default: the only one]", metavar="POOL", autocompletion=completion.pools),
    ] = None,
    stack: StackOption = None,
    every: AllOption = False,
    file: FileOption = None,
    existing_files: ExistingOption = None,
    context: ContextOption = None,
    answer: FormatOption = Format.TEXT,
    details: DetailsOption = False,
) -> None:
    """List the EC2 instance types an Auto Mode NodePool allows.

    If fewer than 10 remain, also shows how many each requirement excludes.
    """
    with command_session("instances", answer, details=details) as run, existing_paths(existing_files, context, run) as existing:
        from nodepools.cli.clusters.eks_instances import instances
        from nodepools.cli.inputs.input_files import InputFiles, named_existing
        from nodepools.cli.inputs.sources import check_alone, load_valid_platforms, selected_source

        check_alone(existing if existing is not None else (), stack, every=every, file=file)
        if existing:
            from nodepools.cli.existing.existing_cluster import existing_pools

            pools, about = (existing_pools(InputFiles(existing, skips_written=True), run),), named_existing(existing)
        else:
            from nodepools.clouds.registry import catalogs

            source = selected_source(stack, every=every, file=file)
            pools, about = catalogs(load_valid_platforms(source, run)), source.about
        run.set_result(instances(about, pools, pool, run))


def calendar(
    manifests: Annotated[
        list[Path] | None,
        typer.Argument(help="Read NodePools from these manifests instead of a stack: files or folders; - for stdin.", metavar="MANIFEST"),
    ] = None,
    *,
    stack: StackOption = None,
    every: AllOption = False,
    file: FileOption = None,
    existing_files: ExistingOption = None,
    context: ContextOption = None,
    days: Annotated[int, typer.Option(help="Number of days that --details draws.", metavar="N", min=1, max=366)] = 7,
    tz: Annotated[str, typer.Option("--tz", help="Time zone of the calendar, such as Europe/Paris.", metavar="ZONE")] = "UTC",
    exclude: ExcludeOption = None,
    first: Annotated[
        str | None, typer.Option("--start", help="First day of the calendar (YYYY-MM-DD).  [default: the day of --at]", metavar="DATE")
    ] = None,
    at: Annotated[
        str | None,
        typer.Option("--at", help="Time for which to answer, such as 2026-11-21T02:30Z.  [default: now, or midnight of --start]", metavar="INSTANT"),
    ] = None,
    nodes: Annotated[
        int | None,
        typer.Option(
            "--node-count",
            help="Number of initialized nodes in each pool, for percentages.  [default: replicas of static pools, otherwise unknown]",
            metavar="N",
            min=0,
            max=2**31 - 1,
        ),
    ] = None,
    answer: FormatOption = Format.TEXT,
    details: DetailsOption = False,
) -> None:
    """Show when nodes may be disrupted and clusters upgraded.

    Names the next window, and what is open or closed: the disruption budgets of each NodePool by reason, and the maintenance windows of AKS clusters.
    Drifted, Empty and Underutilized are Karpenter's disruption reasons. --details draws the hours of each day.
    """
    with (
        command_session("calendar", answer, details=details) as run,
        existing_paths(existing_files, context, run) as found,
        planned_paths(file, found, run, stack) as (named, declared, existing),
    ):
        from nodepools.cli import calendar
        from nodepools.cli.configuration import excluded
        from nodepools.cli.inputs.input_files import InputFiles
        from nodepools.cli.inputs.sources import check_alone, load_valid_platforms, selected_source

        when = calendar.when(days, tz, first, at, nodes)
        files = [*(manifests if manifests is not None else ()), *(existing if existing is not None else ())]
        check_alone(files, named, every=every, file=declared)
        if files:
            sources = calendar.of_manifests(InputFiles(files, excluded(exclude), skips_written=not manifests), run)
        else:
            source = selected_source(named, every=every, file=declared)
            sources = calendar.of_platforms(load_valid_platforms(source, run), source.about)
        run.set_result(calendar.result(sources, when, run))
