"""The commands. Each reads its options and hands over: what it does lives beside it."""

from datetime import date, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nodepools.cli.exits import end, told, unusable
from nodepools.cli.report import print_faults, summary
from nodepools.cli.sources import Judged, Source, judged
from nodepools.model.platform import Platform
from nodepools.rules.fault import Severity

if TYPE_CHECKING:
    from nodepools.placement.catalog import Pools

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="AKS and EKS node pools, declared once: checked and previewed without any cloud.",
    epilog="Exit status: 0 nothing wrong, 1 faults, 2 wrong usage or unreadable input.",
)


class Format(StrEnum):
    """How a command answers."""

    TEXT = "text"
    JSON = "json"


class ReviewFormat(StrEnum):
    """How `check` answers."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    GITHUB = "github"


class ReportFormat(StrEnum):
    """How a command answers whose table goes into pull requests."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"


class PictureFormat(StrEnum):
    """How `diagram` answers."""

    TEXT = "text"
    JSON = "json"
    SVG = "svg"
    PNG = "png"


StackOption = Annotated[str, typer.Option("--stack", "-s", help="Stack of the project: stacks/NAME.py.", metavar="NAME")]
FormatOption = Annotated[Format, typer.Option("--format", help="text for people, json for programs: alone on standard output.")]
FileOption = Annotated[Path | None, typer.Option("--file", help="A platform as YAML or JSON, in place of a stack.", metavar="PLATFORM.yaml")]
PoolsOption = Annotated[
    list[Path] | None,
    typer.Option("--pools", help="Nodes, NodePools, node classes as kubectl prints them, in place of a declaration.", metavar="FILE"),
]
AllOption = Annotated[bool, typer.Option("--all", help="Every stack of the project.")]
TodayOption = Annotated[
    datetime | None, typer.Option("--today", formats=["%Y-%m-%d"], help="The day to judge for: support of versions ends.", metavar="DAY")
]
StrictOption = Annotated[bool, typer.Option("--strict", help="A warning counts as an error.")]


def _version(asked: bool) -> None:  # noqa: FBT001  # typer calls it so
    if asked:
        from importlib.metadata import version

        typer.echo(version("nodepools"))
        raise typer.Exit


@app.callback()
def _options(
    *, _: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="The version, and nothing else.")] = False
) -> None:
    pass


@app.command()
def check(
    manifests: Annotated[
        list[Path] | None, typer.Argument(help="Raw NodePools and node classes: files, folders, - for standard input.", metavar="[MANIFEST]...")
    ] = None,
    *,
    stack: Annotated[str | None, typer.Option("--stack", "-s", help="Stack of the project; dev, where nothing is named.", metavar="NAME")] = None,
    every: AllOption = False,
    file: FileOption = None,
    crds: Annotated[
        Path | None, typer.Option("--crds", help="CRDs as `kubectl get crd -o yaml` prints them: what they refuse too.", metavar="FILE_OR_DIR")
    ] = None,
    today: TodayOption = None,
    answer: Annotated[ReviewFormat, typer.Option("--format", help="text for people, json; sarif and github for code review.")] = ReviewFormat.TEXT,
    strict: StrictOption = False,
) -> None:
    """Every fault of a declaration, or of raw objects: all at once, each with path, value, reason and fix. No cloud is asked."""
    from nodepools.cli.check import check

    with told():
        if crds is not None and not manifests:
            unusable("--crds judges raw objects: name their files too")
        named = stack is not None or every or file is not None
        declared = _source(stack if stack is not None else "dev", every=every, file=file, today=today) if named or not manifests else None
        check(declared, manifests or (), crds, answer=answer, strict=strict, today=_day(today))


@app.command()
def preview(
    *,
    stack: StackOption = "dev",
    today: TodayOption = None,
    answer: FormatOption = Format.TEXT,
    strict: StrictOption = False,
    timeout: Annotated[float | None, typer.Option(help="Seconds after which the program is ended; no limit when left out.", min=0.1)] = None,
    policy_pack: Annotated[Path | None, typer.Option(help="A policy pack in Python, asked about the plan: `policy`.", metavar="DIR")] = None,
    policy_config: Annotated[
        Path | None,
        typer.Option("--policy-pack-config", "--policy-config", help="Its levels and settings.", metavar="FILE.json"),
    ] = None,
) -> None:
    """What a program would register: a registration plan, made without Pulumi CLI, account or network."""
    from nodepools.cli.policy import chosen_pack
    from nodepools.cli.preview import preview_stack

    with told():
        pack = chosen_pack(policy_pack, policy_config)
        preview_stack(stack, as_json=answer is Format.JSON, strict=strict, timeout=timeout, pack=pack, today=_day(today))


@app.command()
def render(
    *,
    stack: StackOption = "dev",
    every: AllOption = False,
    file: FileOption = None,
    cluster: Annotated[str | None, typer.Option(help="Of this cluster alone.", metavar="KEY")] = None,
    folder: Annotated[Path | None, typer.Option("-o", "--output", help="A file for each object, in this folder.", metavar="DIR")] = None,
    today: TodayOption = None,
    answer: FormatOption = Format.TEXT,
) -> None:
    """The objects inside the clusters as YAML, the same that Pulumi applies: for GitOps, with `apply="render"`."""
    from nodepools.cli.render import render

    with told():
        render(_sound_ones(_source(stack, every=every, file=file, today=today)), cluster=cluster, folder=folder, as_json=answer is Format.JSON)


@app.command()
def explain(
    pods: Annotated[list[Path], typer.Argument(help="Pods and what makes pods: files, folders, - for standard input.", metavar="POD_MANIFEST...")],
    *,
    stack: StackOption = "dev",
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

    with told():
        how = explain.answers(answer)
        pools = _pools(raw, stack, every=every, file=file, today=today)
        answers = explain.explained(explain.read(pods), pools, only=pool)
        explain.show(answers, how, matrix=matrix)
    explain.finish(answers, strict=strict)


@app.command()
def instances(
    *,
    pool: Annotated[str, typer.Option(help="The NodePool; a name alone where one pool has it.", metavar="CLUSTER/POOL")],
    stack: StackOption = "dev",
    every: AllOption = False,
    file: FileOption = None,
    raw: PoolsOption = None,
    answer: FormatOption = Format.TEXT,
) -> None:
    """The EC2 instance types that a pool of EKS Auto Mode admits; where they are few, which requirement leaves out how many."""
    from nodepools.cli.instances import instances

    with told():
        instances(_pools(raw, stack, every=every, file=file), pool, as_json=answer is Format.JSON)


@app.command()
def windows(
    manifests: Annotated[list[Path] | None, typer.Argument(help="Raw NodePools, in place of a stack.", metavar="[MANIFEST]...")] = None,
    *,
    stack: StackOption = "dev",
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

    with told():
        when = windows.span(days, tz, first)
        files = [*(manifests if manifests is not None else ()), *(raw if raw is not None else ())]
        _alone(files, every=every, file=file)
        pools = windows.of_manifests(files) if files else windows.of_platforms(_sound_ones(_source(stack, every=every, file=file)))
        windows.show(pools, when, as_json=answer is Format.JSON)


@app.command()
def diagram(
    pods: Annotated[
        list[Path] | None, typer.Argument(help="Workloads to draw too: files, folders, - for standard input.", metavar="[POD_MANIFEST]...")
    ] = None,
    *,
    stack: StackOption = "dev",
    file: FileOption = None,
    answer: Annotated[PictureFormat, typer.Option("--format", help="text is Mermaid; svg and png need mermaid-cli (mmdc).")] = PictureFormat.TEXT,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="The file of a picture.", metavar="FILE")] = None,
) -> None:
    """Clusters, pools with their taints, node classes, and where workloads go: as Mermaid, which many pages draw by themselves."""
    from nodepools.cli import diagram
    from nodepools.cli.explain import read

    with told():
        diagram.show(diagram.drawn(_sound(stack, file), read(pods if pods is not None else ())), diagram.Answers(answer.value), output)


@app.command()
def cost(
    *,
    stack: StackOption = "dev",
    every: AllOption = False,
    file: FileOption = None,
    prices: Annotated[
        Path | None, typer.Option("--prices", help="Prices of your own as YAML or JSON, in place of the shipped list prices.", metavar="FILE")
    ] = None,
    answer: Annotated[ReportFormat, typer.Option("--format", help="text, json, or markdown for a pull request.")] = ReportFormat.TEXT,
) -> None:
    """What the pools come to in a month: at the least, and at the most that scales and limits allow."""
    from nodepools.cli import cost

    with told():
        priced = cost.price_list(prices)
        platforms = _sound_ones(_source(stack, every=every, file=file))
        cost.show(cost.months(platforms, priced), priced, cost.Answers(answer.value))


@app.command()
def doctor(*, stack: StackOption = "dev", file: FileOption = None, today: TodayOption = None, answer: FormatOption = Format.TEXT) -> None:
    """What a first `pulumi up` needs: tools on this machine; roles and quotas to verify by hand."""
    from nodepools.cli.doctor import diagnose

    with told():
        diagnose(_sound(stack, file, today), as_json=answer is Format.JSON)


@app.command()
def rules(
    code: Annotated[str | None, typer.Argument(help="Of this rule alone, in full.", metavar="CODE")] = None, *, answer: FormatOption = Format.TEXT
) -> None:
    """What is asked of a declaration: every rule, or one with its source and an example."""
    from nodepools.cli.rules import explain_rule, list_rules

    with told():
        if code is None:
            list_rules(as_json=answer is Format.JSON)
        else:
            explain_rule(code, as_json=answer is Format.JSON)


def _pools(raw: list[Path] | None, stack: str, *, every: bool, file: Path | None, today: datetime | None = None) -> "tuple[Pools, ...]":
    """The pools in raw objects, or else those that are declared."""
    from nodepools.cli.explain import raw_pools
    from nodepools.placement.catalog import catalogs

    _alone(raw, every=every, file=file)
    return raw_pools(raw) if raw else catalogs(_sound_ones(_source(stack, every=every, file=file, today=today)))


def _alone(raw: list[Path] | None, *, every: bool, file: Path | None) -> None:
    if raw and (every or file is not None):
        unusable("raw objects stand in place of a declaration: name them without --all and --file")


def _sound(stack: str, file: Path | None, today: datetime | None = None) -> Platform:
    """The platform, where it has no errors; they end the command."""
    [platform] = _sound_ones(_source(stack, every=False, file=file, today=today))
    return platform


def _sound_ones(source: Source) -> list[Platform]:
    """The platforms of `source`, where none has errors; they end the command."""
    return [_without_errors(declaration) for declaration in judged(source)]


def _without_errors(declaration: Judged) -> Platform:
    errors = [fault for fault in declaration.faults if fault.severity is Severity.ERROR]
    if declaration.platform is None or errors:
        print_faults(errors, err=True)
        typer.echo(f"{declaration.name}: {summary(errors)}", err=True)
        end(errors, strict=False)
    return declaration.platform


def _source(stack: str, *, every: bool, file: Path | None, today: datetime | None = None) -> Source:
    if every and file is not None:
        unusable("--all and --file exclude each other")
    return Source(stack, every, file, _day(today))


def _day(today: datetime | None) -> date | None:
    """The command line knows points in time only."""
    return today.date() if today is not None else None
