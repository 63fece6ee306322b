"""The commands about pools: who lands where, when nodes are replaced, what they cost."""

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nodepools.cli.common_options import AllOption, FileOption, FormatOption, PoolsOption, StackOption, TodayOption
from nodepools.cli.exit_codes import report_errors, usage_error
from nodepools.cli.output_formats import Format, PictureFormat, ReportFormat
from nodepools.cli.sources import named_sources, selected_source, sound_platforms

if TYPE_CHECKING:
    from nodepools.placement.cluster_pools import Pools


def explain(
    pods: Annotated[list[Path], typer.Argument(help="Pods and what makes pods: files, folders, - for standard input.", metavar="POD_MANIFEST...")],
    *,
    stack: StackOption = None,
    every: AllOption = False,
    file: FileOption = None,
    raw: PoolsOption = None,
    pool: Annotated[str | None, typer.Option(help="Of this pool alone.", metavar="CLUSTER/POOL")] = None,
    today: TodayOption = None,
    answer: Annotated[str, typer.Option("--format", help="text, json, or markdown for a pull request.")] = "text",
    matrix: Annotated[bool, typer.Option("--matrix", help="A table: pods down, pools across.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Status 1 where a pod can land nowhere; with --all, in one of the stacks.")] = False,
) -> None:
    """Which pool pods will land on, and why not the others: every reason, and the smallest change that would make it fit."""
    from nodepools.cli import explain

    with report_errors():
        how = explain.report_format(answer)
        pools = _pools(raw, stack, every=every, file=file, today=today)
        answers = explain.explained(explain.read(pods), pools, only=pool)
        explain.show(answers, how, matrix=matrix)
    explain.finish(answers, strict=strict)


def instances(
    *,
    pool: Annotated[str, typer.Option(help="The NodePool; a name alone where one pool has it.", metavar="CLUSTER/POOL")],
    stack: StackOption = None,
    every: AllOption = False,
    file: FileOption = None,
    raw: PoolsOption = None,
    answer: FormatOption = Format.TEXT,
) -> None:
    """The EC2 instance types that a pool of EKS Auto Mode admits; where they are few, which requirement leaves out how many."""
    from nodepools.cli.eks_instances import instances

    with report_errors():
        instances(_pools(raw, stack, every=every, file=file), pool, as_json=answer is Format.JSON)


def windows(
    manifests: Annotated[list[Path] | None, typer.Argument(help="Raw NodePools, in place of a stack.", metavar="[MANIFEST]...")] = None,
    *,
    stack: StackOption = None,
    every: AllOption = False,
    file: FileOption = None,
    raw: PoolsOption = None,
    days: Annotated[int, typer.Option(help="How many days.", min=1, max=366)] = 7,
    tz: Annotated[str, typer.Option("--tz", help="Time zone of the calendar.", metavar="ZONE")] = "UTC",
    first: Annotated[str | None, typer.Option("--from", help="The first day, 2026-11-21; today when left out.", metavar="DAY")] = None,
    answer: FormatOption = Format.TEXT,
) -> None:
    """When the nodes of each NodePool may be replaced: a calendar of disruption budgets."""
    from nodepools.cli import windows

    with report_errors():
        when = windows.span(days, tz, first)
        files = [*(manifests if manifests is not None else ()), *(raw if raw is not None else ())]
        _alone(files, stack, every=every, file=file)
        pools = windows.of_manifests(files) if files else windows.of_platforms(sound_platforms(selected_source(stack, every=every, file=file)))
        windows.show(pools, when, as_json=answer is Format.JSON)


def diagram(
    pods: Annotated[
        list[Path] | None, typer.Argument(help="Workloads to draw too: files, folders, - for standard input.", metavar="[POD_MANIFEST]...")
    ] = None,
    *,
    stack: StackOption = None,
    every: AllOption = False,
    file: FileOption = None,
    answer: Annotated[PictureFormat, typer.Option("--format", help="text is Mermaid; svg and png need mermaid-cli (mmdc).")] = PictureFormat.TEXT,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="The file of a picture.", metavar="FILE")] = None,
) -> None:
    """Clusters, pools with their taints, node classes, and where workloads go: as Mermaid, which many pages draw by themselves."""
    from nodepools.cli import diagram
    from nodepools.cli.explain import read

    with report_errors():
        workloads = read(pods if pods is not None else ())
        platforms = sound_platforms(selected_source(stack, every=every, file=file))
        diagram.show([diagram.drawn(platform, workloads) for platform in platforms], answer, output)


def cost(
    *,
    stack: StackOption = None,
    every: AllOption = False,
    file: FileOption = None,
    prices: Annotated[
        Path | None, typer.Option("--prices", help="Prices of your own as YAML or JSON, in place of the shipped list prices.", metavar="FILE")
    ] = None,
    answer: Annotated[ReportFormat, typer.Option("--format", help="text, json, or markdown for a pull request.")] = ReportFormat.TEXT,
) -> None:
    """What the pools come to in a month: at the least, and at the most that scales and limits allow."""
    from nodepools.cli import cost

    with report_errors():
        priced = cost.price_list(prices)
        platforms = sound_platforms(selected_source(stack, every=every, file=file))
        cost.show(cost.months(platforms, priced), priced, answer)


def _pools(raw: list[Path] | None, stack: str | None, *, every: bool, file: Path | None, today: datetime | None = None) -> "tuple[Pools, ...]":
    """The pools in raw objects, or else those that are declared."""
    _alone(raw, stack, every=every, file=file)
    if raw:
        from nodepools.cli.explain import raw_pools

        return raw_pools(raw)
    from nodepools.placement.catalog import catalogs

    return catalogs(sound_platforms(selected_source(stack, every=every, file=file, today=today)))


def _alone(raw: list[Path] | None, stack: str | None, *, every: bool, file: Path | None) -> None:
    if raw and (named := named_sources(stack, every=every, file=file)):
        usage_error(f"raw objects stand in place of a declaration: name them without {' and '.join(named)}")
