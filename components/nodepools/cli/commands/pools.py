"""The commands about pools: where pods land, when nodes are replaced, what pools cost."""

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nodepools.cli import completion
from nodepools.cli.command_run import CommandRun, running
from nodepools.cli.common_options import (
    AllOption,
    ExcludeOption,
    FileOption,
    FormatOption,
    FromOption,
    PoolsOption,
    ReportFormatOption,
    RunningOption,
    StackOption,
    StrictOption,
    TodayOption,
)
from nodepools.cli.exit_codes import usage_error
from nodepools.cli.karpenter_option import KarpenterOption, release_of
from nodepools.cli.output_formats import Format, PictureFormat, ReportFormat
from nodepools.cli.sources import load_platforms, load_valid_platforms, named_sources, selected_source

if TYPE_CHECKING:
    from nodepools.data.karpenter_releases import KarpenterRelease
    from nodepools.placement.cluster_pools import Pools


def explain(
    pods: Annotated[
        list[Path], typer.Argument(help="Pods or workloads (Deployment, Job, …): files or directories; - for stdin.", metavar="POD_MANIFEST")
    ],
    *,
    stack: StackOption = None,
    every: AllOption = False,
    file: FileOption = None,
    raw: PoolsOption = None,
    running_from: RunningOption = None,
    karpenter: KarpenterOption = None,
    pool: Annotated[
        str | None,
        typer.Option(
            help="Show only this pool (CLUSTER/POOL, or POOL if unique).  [default: all pools]", metavar="POOL", autocompletion=completion.pools
        ),
    ] = None,
    today: TodayOption = None,
    exclude: ExcludeOption = None,
    answer: ReportFormatOption = ReportFormat.TEXT,
    matrix: Annotated[bool, typer.Option("--matrix", help="Show a table of pods and pools.  [default: off]")] = False,
    strict: Annotated[
        bool,
        typer.Option(
            "--strict",
            help="Exit with 1 if no cluster of a stack can run all pods of a workload.  [default: off]",
        ),
    ] = False,
) -> None:
    """Explain which pool a pod lands on, and why not others.

    Shows every reason, and the smallest change that would make the pod fit.
    """
    with running("explain", answer) as run:
        from nodepools.cli import explain
        from nodepools.cli.configuration import excluded
        from nodepools.cli.exclusion import Inputs
        from nodepools.cli.workload_files import read_workload_files
        from nodepools.placement.coverage import coverage

        if matrix and answer is not ReportFormat.TEXT:
            usage_error(f"`--matrix` and `--format {answer}` cannot be combined")
        release = release_of(karpenter)
        if release is not None and not raw and not running_from:
            usage_error("`--karpenter` is about self-managed Karpenter: it needs `--pools` or `--from`")
        pools = _pools(raw, stack, run, every=every, file=file, today=today, karpenter=release)
        read, waiting = read_workload_files(Inputs(pods, excluded(exclude)), run), []
        if running_from:
            in_cluster, read, waiting = explain.in_running_cluster(running_from, pools, read, run, release)
            pools = (in_cluster,)
        answers = explain.explained(read, pools, only=pool, waiting=waiting)
        covered = coverage(pools[0]) if raw or running_from else None
        run.keep(explain.result(answers, answer, run, matrix=matrix, strict=strict, covered=covered))


def instances(
    *,
    pool: Annotated[str, typer.Option(help="NodePool to list (CLUSTER/POOL, or POOL if unique).", metavar="POOL", autocompletion=completion.pools)],
    stack: StackOption = None,
    every: AllOption = False,
    file: FileOption = None,
    raw: PoolsOption = None,
    answer: FormatOption = Format.TEXT,
) -> None:
    """List the EC2 instance types an Auto Mode NodePool allows.

    If fewer than 10 remain, also shows how many each requirement excludes.
    """
    with running("instances", answer) as run:
        from nodepools.cli.eks_instances import instances

        run.keep(instances(_pools(raw, stack, run, every=every, file=file), pool, run))


def windows(
    manifests: Annotated[
        list[Path] | None,
        typer.Argument(help="Read NodePools from these manifests instead of a stack: files or directories; - for stdin.", metavar="MANIFEST"),
    ] = None,
    *,
    stack: StackOption = None,
    every: AllOption = False,
    file: FileOption = None,
    raw: PoolsOption = None,
    days: Annotated[int, typer.Option(help="Number of days of maintenance windows to show.", metavar="N", min=1, max=366)] = 7,
    tz: Annotated[str, typer.Option("--tz", help="Time zone of the calendar, such as Europe/Paris.", metavar="ZONE")] = "UTC",
    exclude: ExcludeOption = None,
    first: Annotated[
        str | None, typer.Option("--from", help="First day of the calendar (YYYY-MM-DD).  [default: the day of --at]", metavar="DATE")
    ] = None,
    at: Annotated[
        str | None,
        typer.Option(
            "--at", help="Time at which to compute how many nodes can be disrupted, such as 2026-11-21T02:30Z.  [default: now]", metavar="INSTANT"
        ),
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
) -> None:
    """Show when nodes may be disrupted and clusters upgraded.

    Prints calendars for the disruption budgets of each NodePool by reason, and one for each maintenance window of an AKS cluster. Drifted, Empty and
    Underutilized are Karpenter's disruption reasons.
    """
    with running("windows", answer) as run:
        from nodepools.cli import windows
        from nodepools.cli.configuration import excluded
        from nodepools.cli.exclusion import Inputs

        when = windows.when(days, tz, first, at, nodes)
        files = [*(manifests if manifests is not None else ()), *(raw if raw is not None else ())]
        _alone(files, stack, every=every, file=file)
        if files:
            sources = windows.of_manifests(Inputs(files, excluded(exclude)), run)
        else:
            sources = windows.of_platforms(load_valid_platforms(selected_source(stack, every=every, file=file), run))
        run.keep(windows.result(sources, when, run))


def diagram(
    pods: Annotated[
        list[Path] | None, typer.Argument(help="Workloads to include: files or directories; - for stdin.", metavar="POD_MANIFEST")
    ] = None,
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
    with running("diagram", answer) as run:
        from nodepools.cli import diagram
        from nodepools.cli.configuration import excluded
        from nodepools.cli.exclusion import Inputs
        from nodepools.cli.workload_files import read_workloads

        workloads = read_workloads(Inputs(pods if pods is not None else (), excluded(exclude)), run)
        platforms = load_valid_platforms(selected_source(stack, every=every, file=file), run)
        run.keep(diagram.result([diagram.drawn(platform, workloads) for platform in platforms], answer, output))


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
) -> None:
    """Estimate minimum and maximum monthly cost of the pools.

    The minimum counts the fewest nodes of each pool, the maximum the most that its scale or limits allow.
    """
    with running("cost", answer) as run:
        from nodepools.cli import cost

        priced = cost.price_list(prices)
        platforms = load_valid_platforms(selected_source(stack, every=every, file=file), run)
        run.keep(cost.estimate(cost.months(platforms, priced), priced, answer))


def capacity(
    *,
    stack: StackOption = None,
    every: AllOption = False,
    file: FileOption = None,
    raw: PoolsOption = None,
    exports: FromOption = None,
    exclude: ExcludeOption = None,
    answer: ReportFormatOption = ReportFormat.TEXT,
    strict: StrictOption = False,
) -> None:
    """Count the addresses, ports and vCPUs that clusters need.

    Compares them with subnets, load balancers and quotas: they fit, do not fit, or the answer is unknown offline.
    """
    with running("capacity", answer) as run:
        from nodepools.cli import capacity
        from nodepools.cli.configuration import excluded
        from nodepools.cli.exclusion import Inputs
        from nodepools.needs.platform_capacity import capacity as counted
        from nodepools.needs.stock import NOTHING_OBSERVED

        _alone(raw, stack, every=every, file=file)
        if raw:
            from nodepools.cli import foreign_clusters

            there = Inputs(exports if exports is not None else (), excluded(exclude))
            run.keep(foreign_clusters.capacity(raw, there, run, answer, strict=strict))
            return
        found = load_platforms(selected_source(stack, every=every, file=file), run, capacity.ANSWERED)
        platforms = [platform for platform, _ in found]
        observed = NOTHING_OBSERVED
        if exports:
            from nodepools.cli.cloud_exports import read_exports_and_nodes
            from nodepools.cli.node_group_share import note_share

            observed, nodes = read_exports_and_nodes(Inputs(exports, excluded(exclude)), platforms, run)
            note_share(nodes, platforms, observed, run)
        clusters = counted(*platforms, observed=observed)
        if exports:
            from nodepools.cli.unused_exports import unused

            run.notes.extend(unused(observed, platforms, clusters))
        run.keep(capacity.result(clusters, capacity.by_cluster(found), answer, strict=strict))


def _pools(
    raw: list[Path] | None,
    stack: str | None,
    run: CommandRun,
    *,
    every: bool,
    file: Path | None,
    today: datetime | None = None,
    karpenter: "KarpenterRelease | None" = None,
) -> "tuple[Pools, ...]":
    """Returns the pools in `--pools`, otherwise the declared ones."""
    _alone(raw, stack, every=every, file=file)
    if raw:
        from nodepools.cli.explain import raw_pools

        return raw_pools(raw, run, karpenter)
    from nodepools.placement.catalog import catalogs

    return catalogs(load_valid_platforms(selected_source(stack, every=every, file=file, today=today), run))


def _alone(raw: list[Path] | None, stack: str | None, *, every: bool, file: Path | None) -> None:
    if raw and (named := named_sources(stack, every=every, file=file)):
        usage_error(f"{' and '.join(named)} cannot be combined with manifests or `--pools`")
