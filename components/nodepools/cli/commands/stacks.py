"""The commands about a whole stack."""

from dataclasses import replace
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
    HclOption,
    JobsOption,
    KarpenterOption,
    RulesOption,
    StackOption,
    TodayOption,
    as_given,
    day,
    release_of,
)
from nodepools.cli.demands.options import Demanded, with_demands
from nodepools.cli.existing.options import ContextOption, existing_paths
from nodepools.cli.output.output_formats import Format, ReviewFormat
from nodepools.cli.problem import usage_error
from nodepools.cli.starter_files import Ci, Cloud
from nodepools.model.severity import Severity


def named_directory(text: str) -> Path:
    """A directory by its name. Without one, which an unset variable of a shell has, it would be the working directory."""
    if not text:
        raise typer.BadParameter("is required")
    return Path(text)


def init(
    folder: Annotated[Path, typer.Argument(help="New or empty folder.", metavar="DIR", parser=named_directory)],
    *,
    cloud: Annotated[Cloud, typer.Option("--clouds", help="Clouds of the clusters.")] = Cloud.BOTH,
    ci: Annotated[Ci | None, typer.Option("--ci", help="Also write a workflow that runs the checks and tests.  [default: none]")] = None,
    yaml: Annotated[bool, typer.Option("--yaml", help="Declare the stacks as platform files, without Python.  [default: off]")] = False,
    name: Annotated[str | None, typer.Option("--name", help="Name of the project.  [default: name of DIR]", metavar="NAME")] = None,
    answer: FormatOption = Format.TEXT,
) -> None:
    """Write a new project, with stacks and tests.

    `nodepools check`, `nodepools preview` and `pytest` pass in it without an account. Writes all files or none, and overwrites no existing file.
    """
    with command_session("init", answer) as run:
        from nodepools.cli.init import new_project

        run.set_result(new_project(folder, run, name=name, cloud=cloud, ci=ci, yaml=yaml))


@with_demands
def check(
    files: Annotated[list[Path] | None, typer.Argument(help="Manifests to check: files or folders; - for stdin.", metavar="MANIFEST")] = None,
    *,
    stack: StackOption = None,
    every: AllOption = False,
    file: FileOption = None,
    jobs: JobsOption = 1,
    crds: Annotated[
        Path | None, typer.Option("--crds", help="Also validate against these CRDs (`kubectl get crd -o yaml`).  [default: none]", metavar="PATH")
    ] = None,
    karpenter: KarpenterOption = None,
    hcl: HclOption = None,
    today: TodayOption = None,
    answer: Annotated[
        ReviewFormat, typer.Option("--format", help="Output format; sarif, github and gitlab are for annotations in code reviews.")
    ] = ReviewFormat.TEXT,
    details: DetailsOption = False,
    rules: RulesOption = None,
    context: ContextOption = None,
    exclude: ExcludeOption = None,
    fix: Annotated[
        bool, typer.Option("--fix", help="Write fixes that are certain into YAML and JSON files, and list each edit.  [default: off]")
    ] = False,
    diff: Annotated[
        bool, typer.Option("--dry-run", help="Print what --fix would change, as a diff for `patch -p1`; of Python stacks, too.  [default: off]")
    ] = False,
    demanded: Demanded,
) -> None:
    """Check a stack or Kubernetes manifests for errors.

    Reports all findings in one run, each with path, value, message and fix. Works offline. --context checks the NodePools and node classes of a
    running cluster.
    """
    with command_session("check", answer, details=details) as run, existing_paths(files, context, run, of_karpenter=True) as manifests:
        from nodepools.cli.check.command import Asked, check
        from nodepools.cli.configuration import configured, excluded
        from nodepools.cli.inputs.input_files import InputFiles
        from nodepools.cli.inputs.sources import named_sources, selected_source

        if context is not None and (fix or diff):
            usage_error("`--fix` edits files: it cannot be combined with `--context`")
        if crds is not None and not manifests:
            usage_error("`--crds` needs manifests: `nodepools check --crds PATH MANIFEST…`")
        release = release_of(karpenter)
        if release is not None and not manifests:
            usage_error("`--karpenter` needs manifests: `nodepools check --karpenter VERSION MANIFEST…`")
        if diff and answer is not ReviewFormat.TEXT:
            usage_error("`--dry-run` and `--format` cannot be combined")
        named = named_sources(stack, every=every, file=file)
        declared = selected_source(stack, every=every, file=file, today=today) if named or not manifests else None
        declared = replace(declared, jobs=jobs, hcl=hcl) if declared is not None else None
        selection = configured(rules if rules is not None else (), run.notes)
        inputs = InputFiles(manifests if manifests is not None else (), excluded(exclude))
        names = {"stack": stack, "all": every, "file": file, "context": context}
        given = as_given(files, **names, crds=crds, karpenter=karpenter, hcl=hcl, today=day(today), own_rules=rules, exclude=exclude)
        asked = Asked(given, demanded.read(run), fix=fix, dry_run=diff, hcl=hcl)
        run.set_result(check(declared, inputs, run, asked=asked, selection=selection, crds=crds, today=day(today), karpenter=release))


@with_demands
def preview(
    *,
    stack: StackOption = None,
    file: FileOption = None,
    today: TodayOption = None,
    answer: FormatOption = Format.TEXT,
    details: DetailsOption = False,
    rules: RulesOption = None,
    since: Annotated[
        Path | None,
        typer.Option(
            "--since",
            help="State (`pulumi stack export`) or plan (`preview --format json`): also shows what changes since then.  [default: none]",
            metavar="FILE.json",
        ),
    ] = None,
    timeout: Annotated[
        str | None,
        typer.Option(
            help="Stop the Pulumi program, and the policy pack, if it takes longer than this many seconds. `0` or `none`: no limit.  [default: 300]",
            metavar="SECONDS",
        ),
    ] = None,
    policy_pack: Annotated[
        Path | None, typer.Option(help="Run this Python policy pack on the plan, such as ./policy.  [default: none]", metavar="DIR")
    ] = None,
    policy_config: Annotated[
        Path | None,
        typer.Option(
            "--policy-pack-config",
            "--policy-config",
            help="JSON file with enforcement levels and settings of the policy pack.  [default: none]",
            metavar="FILE.json",
        ),
    ] = None,
    progress: Annotated[
        bool | None,
        typer.Option(
            "--progress/--no-progress", help="After two seconds, show what it is doing.  [default: on a terminal, except in CI]", show_default=False
        ),
    ] = None,
    demanded: Demanded,
) -> None:
    """Show what a stack registers, without the Pulumi CLI.

    Runs the Pulumi program offline, without an account; with --file, one that deploys the platform. Prints clusters, pools and findings;
    with --details all resources and outputs.
    """
    from nodepools.engine.process import program_host

    with command_session("preview", answer, details=details) as run, program_host(is_file=bool(file)) as host:
        from nodepools.cli.configuration import configured
        from nodepools.cli.inputs.sources import selected_source
        from nodepools.cli.output.status_line import is_wanted, shown
        from nodepools.cli.preview import chosen_pack, preview_stack

        pack = chosen_pack(policy_pack, policy_config)
        selection = configured(rules if rules is not None else (), run.notes)
        source = selected_source(stack, file=file, today=today)
        wanted = demanded.read(run)
        with shown(wanted=is_wanted(asked=progress)) as say:
            run.set_result(preview_stack(source, run, host, wanted=wanted, timeout=timeout, selection=selection, pack=pack, since=since, say=say))


def render(
    *,
    stack: StackOption = None,
    every: AllOption = False,
    file: FileOption = None,
    cluster: Annotated[
        str | None, typer.Option(help="Render only this cluster.  [default: all clusters]", metavar="CLUSTER", autocompletion=completion.clusters)
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            help="Write one file per object into this folder, and remove those of former objects.  [default: print to stdout]",
            metavar="DIR",
        ),
    ] = None,
    alerts: Annotated[bool, typer.Option("--alerts", help="Write alerts for Prometheus instead, a file per cluster.  [default: off]")] = False,
    workloads: Annotated[
        list[Path] | None,
        typer.Option(help="With --alerts: also on Pending pods of workloads that fit. Repeatable.  [default: none]", metavar="PATH"),
    ] = None,
    today: TodayOption = None,
    answer: FormatOption = Format.TEXT,
    details: DetailsOption = False,
) -> None:
    """Write the in-cluster objects as YAML, for GitOps.

    Prints the same objects that Pulumi applies. With `apply="render"` on a cluster, Pulumi leaves applying them to your GitOps tool.
    """
    with command_session("render", answer, details=details) as run:
        from nodepools.cli.inputs.sources import load_valid_platforms, selected_source
        from nodepools.cli.render import render, render_alerts

        if workloads is not None and not alerts:
            usage_error("`--workloads` is about Pending pods: it needs `--alerts`")
        platforms = load_valid_platforms(selected_source(stack, every=every, file=file, today=today), run)
        run.set_result(render_alerts(platforms, run, workloads, cluster, folder) if alerts else render(platforms, cluster=cluster, folder=folder))


def eject(
    folder: Annotated[Path, typer.Argument(help="New or empty folder.", metavar="DIR", parser=named_directory)],
    *,
    stack: StackOption = None,
    deployer: Annotated[
        str | None,
        typer.Option(
            help="Object id of the identity that runs Pulumi in Azure: names of its role assignments are made of it.  [default: none]", metavar="ID"
        ),
    ] = None,
    answer: FormatOption = Format.TEXT,
    details: DetailsOption = False,
) -> None:
    """Write a plain Pulumi program of what a stack has.

    The program is Python, with the SDKs of the clouds. URNs and inputs are the same, so `pulumi up` changes no resource. Runs the program of the
    stack offline, three times. Secrets are read from the configuration of the stack.
    """
    with command_session("eject", answer, details=details) as run:
        from nodepools.cli.eject import eject
        from nodepools.cli.inputs.sources import selected_source

        run.set_result(eject(selected_source(stack).about, folder, deployer, run))


def doctor(
    *,
    stack: StackOption = None,
    every: AllOption = False,
    file: FileOption = None,
    exports: Annotated[
        bool, typer.Option("--exports", help="Only print the commands that export the clusters into files; they only read.  [default: off]")
    ] = False,
    today: TodayOption = None,
    answer: FormatOption = Format.TEXT,
    details: DetailsOption = False,
) -> None:
    """Check the tools, roles and quotas a deployment needs.

    Looks for tools on this machine, lists the roles and quotas to check manually before the first `pulumi up`, and warns of old tables.
    """
    with command_session("doctor", answer, details=details) as run:
        from nodepools.cli.clusters import doctor
        from nodepools.cli.inputs.sources import load_valid_platforms, selected_source

        source = selected_source(stack, every=every, file=file, today=today)
        platforms = load_valid_platforms(source, run)
        run.set_result(doctor.exports(platforms) if exports else doctor.diagnose(source.about, platforms, day(today), source.options))


def rules(
    code: Annotated[
        str | None,
        typer.Argument(
            help="Rule to explain (AKS014, or hard-taint-on-system-pool), a family (AKS), or a word to search.",
            metavar="RULE",
            autocompletion=completion.rules,
        ),
    ] = None,
    *,
    search: Annotated[
        str | None, typer.Option("--search", help="List the rules with this word in their code, name or summary.  [default: all]", metavar="WORD")
    ] = None,
    severity: Annotated[Severity | None, typer.Option("--severity", help="List only these.  [default: all]")] = None,
    own: RulesOption = None,
    answer: FormatOption = Format.TEXT,
    details: DetailsOption = False,
) -> None:
    """List the rules, or explain one.

    Counts the rules by family, and lists them with --details. For one rule, shows an example and the documentation that it is based on.
    """
    with command_session("rules", answer, details=details) as run:
        from nodepools.cli.configuration import configured
        from nodepools.cli.rules import found_rules

        configured(own if own is not None else (), run.notes)
        run.set_result(found_rules(code, search=search, severity=severity))


def schema(
    *,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the schema to this file.  [default: stdout]", metavar="FILE.json")
    ] = None,
) -> None:
    """Print the JSON schema of platform files.

    Editors check a YAML platform with it, and show the description of each field. Formats such as quantities are checked only by `nodepools check`.
    """
    with command_session("schema", Format.TEXT) as run:
        from nodepools.cli.schema import platform_schema

        run.set_result(platform_schema(output))
