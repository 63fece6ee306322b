"""The commands about changes: what edits do to nodes, and the way to another version of Kubernetes."""

from dataclasses import replace
from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from nodepools.cli.command_run import command_session
from nodepools.cli.common_options import (
    AllOption,
    DetailsOption,
    ExcludeOption,
    FileOption,
    HclOption,
    JobsOption,
    KarpenterOption,
    ReportFormatOption,
    StackOption,
    TodayOption,
    as_given,
    day,
    release_of,
)
from nodepools.cli.demands.options import Demanded, with_demands
from nodepools.cli.existing.options import CloudOption, ContextOption, ExistingOption, existing_paths, planned_paths, stack_of
from nodepools.cli.output.output_formats import DiffFormat, ReportFormat
from nodepools.cli.problem import usage_error

RecordOption = Annotated[
    Path | None,
    typer.Option(
        "--record", help="Write what is predicted to this file, for `nodepools compare` after the change.  [default: none]", metavar="FILE.json"
    ),
]
_SIDES = (
    "a branch or commit, a project folder, a platform file, manifests, a plan (`preview --format json`, `terraform show -json`), "
    "a state (`pulumi stack export`), or exports of clusters (`az`, `aws`, `kubectl`)"
)


@with_demands
def diff(
    old: Annotated[str, typer.Argument(help=f"What to compare with: {_SIDES}. An existing path wins; git:REF forces a commit.", metavar="OLD")],
    new: Annotated[
        str | None, typer.Argument(help="What it becomes, in one of the same forms.  [default: the working tree]", metavar="NEW", show_default=False)
    ] = None,
    *,
    stack: StackOption = None,
    every: AllOption = False,
    file: FileOption = None,
    jobs: JobsOption = 1,
    deployed: Annotated[
        Path | None,
        typer.Option(
            "--deployed",
            help="State that `pulumi stack export` prints: lists separately what was merged into OLD and is not applied yet.  [default: none]",
            metavar="STATE.json",
        ),
    ] = None,
    workloads: Annotated[
        list[Path] | None,
        typer.Option(
            "--workloads", help="Files or folders with workloads: shows which pods lose a pool. Repeatable.  [default: none]", metavar="PATH"
        ),
    ] = None,
    existing_files: ExistingOption = None,
    context: ContextOption = None,
    cloud: CloudOption = False,
    karpenter: KarpenterOption = None,
    hcl: HclOption = None,
    today: TodayOption = None,
    exclude: ExcludeOption = None,
    record: RecordOption = None,
    answer: Annotated[
        DiffFormat, typer.Option("--format", help="Output format; markdown suits pull request comments, github prints annotations.")
    ] = DiffFormat.TEXT,
    details: DetailsOption = False,
    demanded: Demanded,
) -> None:
    """Show what an edit does to nodes, and in which order.

    With a branch as OLD, compares with its merge base: the commit from which the working tree started. Works offline.
    """
    with command_session("diff", answer, details=details) as run, existing_paths(existing_files, context, run, cloud=cloud) as existing:
        from nodepools.cli.configuration import excluded
        from nodepools.cli.diff.command import DiffOptions, diff
        from nodepools.cli.inputs.input_files import InputFiles
        from nodepools.cli.inputs.sources import selected_source

        release = release_of(karpenter)
        wanted = demanded.read(run)
        exclusion = excluded(exclude)

        def given(paths: list[Path] | None) -> InputFiles | None:
            return InputFiles(paths, exclusion, skips_written=True) if paths else None

        def inputs(path: Path) -> InputFiles:
            return InputFiles([path], exclusion, skips_written=True)

        stack = stack_of(context, stack, every=every, file=file)
        source = replace(selected_source(stack, every=every, file=file, today=today), hcl=hcl, jobs=jobs)
        also = DiffOptions(deployed, given(workloads), given(existing), release)
        if record is not None:
            from nodepools.cli.ledger.recording import Recorded  # few differences are recorded

            is_file = new is not None and Path(new).is_file()
            options = f"--file {quote(new)}" if new is not None and is_file else source.options
            sides = [Path(side) for side in (old, new) if side is not None]
            read = [*sides, *(file or ()), *(workloads or ()), *(existing or ())]
            also = replace(also, record=Recorded(record, options, sides[-1:] if is_file else file or [Path()], given(existing), read))
        run.set_result(diff(old, new, source, run, inputs=inputs, wanted=wanted, also=also, form=answer))


@with_demands
def upgrade(
    *,
    stack: StackOption = None,
    every: AllOption = False,
    file: FileOption = None,
    to: Annotated[
        str | None,
        typer.Option("--to", help="Plan the upgrade to this Kubernetes version.  [default: none, show the support calendar]", metavar="VERSION"),
    ] = None,
    workloads: Annotated[
        list[Path] | None,
        typer.Option(
            "--workloads", help="Manifests of what runs in the clusters: files or folders; - for stdin. Repeatable.  [default: none]", metavar="PATH"
        ),
    ] = None,
    existing_files: ExistingOption = None,
    context: ContextOption = None,
    cloud: CloudOption = False,
    today: TodayOption = None,
    exclude: ExcludeOption = None,
    ics: Annotated[
        Path | None,
        typer.Option("--ics", help="Write the support calendar to this file, for calendar programs.  [default: none]", metavar="FILE.ics"),
    ] = None,
    write: Annotated[
        bool, typer.Option("--write", help="Set the versions of the next round in the platform file, unless it is blocked.  [default: off]")
    ] = False,
    record: RecordOption = None,
    answer: ReportFormatOption = ReportFormat.TEXT,
    details: DetailsOption = False,
    demanded: Demanded,
) -> None:
    """Plan Kubernetes upgrades, and find what blocks them.

    Says whether the upgrade is blocked, what decides it, and lists the steps of each cluster in order; --details adds batches and the part of the
    time that has a limit. With --workloads, also finds the pods that stop a drain. With --existing, begins where the clusters are in the middle of an
    upgrade, and names what holds it; without --stack, --all or --file, plans the upgrade of a cluster as it exists. Without --to, shows when support
    of each cluster's version ends.
    """
    with (
        command_session("upgrade", answer, details=details) as run,
        existing_paths(existing_files, context, run, cloud=cloud) as shown,
        planned_paths(file, shown, run, stack) as (named, declared, existing),
    ):
        from nodepools.cli.configuration import excluded
        from nodepools.cli.inputs.input_files import InputFiles
        from nodepools.cli.inputs.sources import load_platforms, named_sources, selected_source
        from nodepools.cli.upgrade import command as upgrade
        from nodepools.data.version_support import day_or_today

        if write and (declared is None or len(declared) > 1 or declared[0].is_dir()):
            usage_error("`--write` edits one platform file: use it with `--file PLATFORM.yaml`")
        of_context = {"context": context, "cloud": cloud, "exclude": exclude, "today": day(today)}
        planned = file if declared is None else None
        given = as_given((), file=planned, workloads=workloads, existing=existing_files, **of_context)
        stack = stack_of(context, named, every=every, file=declared)
        source = selected_source(stack, every=every, file=declared, today=today)
        alone = bool(existing) and not named_sources(stack, every=every, file=declared)
        wanted = upgrade.UpgradeOptions(
            to,
            ics,
            source.about,
            " ".join(["nodepools upgrade", *([] if alone else [source.options]), *([given] if given else [])]),
            demands=demanded.read(run),
            has_exports=bool(existing),
            source=source,
            write=declared[0] if write and declared is not None else None,
            read=[*(declared or ()), *(workloads or ()), *(existing or ())],
        )
        on = day_or_today(day(today))
        exclusion = excluded(exclude)
        manifests = InputFiles(workloads if workloads is not None else (), exclusion)
        exports = InputFiles(existing if existing is not None else (), exclusion, skips_written=True)
        if record is not None:
            from nodepools.cli.ledger.recording import Recorded  # few upgrades are recorded

            if alone:
                usage_error("`--record` needs a declaration: name it, with `--stack NAME` or `--file PLATFORM.yaml`")
            of_files = declared if declared is not None else [Path()]
            wanted = replace(wanted, record=Recorded(record, source.options, of_files, exports if existing else None, wanted.read))
        if alone:
            from nodepools.cli.existing import existing_answers

            run.set_result(existing_answers.upgrade(exports, manifests, run, wanted, today=on))
            return
        platforms = [platform for platform, _ in load_platforms(source, run, upgrade.ANSWERED)]
        known = upgrade.read_inputs(manifests, exports, platforms, run, context)
        run.set_result(upgrade.result(platforms, known, on, wanted, run))


def compare(
    record: Annotated[Path, typer.Argument(help="Record that `nodepools diff` or `upgrade` wrote with --record.", metavar="RECORD")],
    *,
    stack: StackOption = None,
    every: AllOption = False,
    file: FileOption = None,
    existing_files: ExistingOption = None,
    context: ContextOption = None,
    applied: Annotated[
        str | None,
        typer.Option("--applied", help="When all steps of the change had ended, such as 2026-11-21T02:30Z.  [default: unknown]", metavar="INSTANT"),
    ] = None,
    exclude: ExcludeOption = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write the comparison to this file, for `nodepools ledger`.  [default: none]", metavar="FILE.json"),
    ] = None,
    answer: ReportFormatOption = ReportFormat.TEXT,
    details: DetailsOption = False,
) -> None:
    """Compare a recorded prediction with what happened.

    Reads nodes, NodeClaims, pods and events of the clusters after the change. A prediction is seen only if they prove it; what they leave open
    is unknown, with what decides it.
    """
    with command_session("compare", answer, details=details) as run, existing_paths(existing_files, context, run, events=True) as existing:
        from nodepools.cli.configuration import excluded
        from nodepools.cli.inputs.input_files import InputFiles
        from nodepools.cli.inputs.sources import selected_source
        from nodepools.cli.ledger.command import compare

        source = selected_source(stack_of(context, stack, every=every, file=file), every=every, file=file)
        found = InputFiles(existing, excluded(exclude), skips_written=True) if existing else None
        run.set_result(compare(record, source, found, run, applied=applied, output=output, context=context))


def ledger(
    paths: Annotated[list[Path], typer.Argument(help="Files that `nodepools compare` wrote, or folders of them.", metavar="PATH")],
    *,
    exclude: ExcludeOption = None,
    answer: ReportFormatOption = ReportFormat.TEXT,
    details: DetailsOption = False,
) -> None:
    """Count how often predictions were right.

    Adds up comparisons by effect, cloud and version, and shows how long replacements took next to their bounds.
    """
    with command_session("ledger", answer, details=details) as run:
        from nodepools.cli.configuration import excluded
        from nodepools.cli.inputs.input_files import InputFiles
        from nodepools.cli.ledger.command import ledger

        run.set_result(ledger(InputFiles(paths, excluded(exclude)), run))
