"""The commands about a declaration as a whole."""

from pathlib import Path
from typing import Annotated

import typer

from nodepools.cli.common_options import AllOption, FileOption, FormatOption, NotesOption, RulesOption, StackOption, StrictOption, TodayOption, day
from nodepools.cli.exit_codes import report_errors, usage_error
from nodepools.cli.output_formats import Format, ReviewFormat
from nodepools.cli.sources import load_valid_platform, named_sources, selected_source, sound_platforms


def check(
    manifests: Annotated[
        list[Path] | None, typer.Argument(help="Raw NodePools and node classes: files, folders, - for standard input.", metavar="[MANIFEST]...")
    ] = None,
    *,
    stack: StackOption = None,
    every: AllOption = False,
    file: FileOption = None,
    crds: Annotated[
        Path | None, typer.Option("--crds", help="CRDs as `kubectl get crd -o yaml` prints them: what they refuse too.", metavar="FILE_OR_DIR")
    ] = None,
    today: TodayOption = None,
    answer: Annotated[ReviewFormat, typer.Option("--format", help="text for people, json; sarif and github for code review.")] = ReviewFormat.TEXT,
    strict: StrictOption = False,
    notes: NotesOption = False,
    rules: RulesOption = None,
    fix: Annotated[bool, typer.Option("--fix", help="Apply fixes to YAML platforms and manifests; print those of Python stacks.")] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Print what --fix would change, and write nothing.")] = False,
) -> None:
    """Every finding of a declaration, or of raw objects: all at once, each with path, value, reason and fix. No cloud is asked."""
    from nodepools.cli.check import Answer, Fixing, check
    from nodepools.cli.configuration import configured

    with report_errors():
        if crds is not None and not manifests:
            usage_error("--crds judges raw objects: name their files too")
        named = named_sources(stack, every=every, file=file)
        declared = selected_source(stack, every=every, file=file, today=today) if named or not manifests else None
        selection = configured(rules if rules is not None else ())
        if diff and answer is not ReviewFormat.TEXT:
            usage_error("--diff prints a diff: it cannot be combined with --format")
        fixing = Fixing(write=fix, diff=diff)
        check(declared, manifests or (), crds, answer=Answer(answer, strict, notes, fixing), selection=selection, today=day(today))


def preview(
    *,
    stack: StackOption = None,
    today: TodayOption = None,
    answer: FormatOption = Format.TEXT,
    strict: StrictOption = False,
    notes: NotesOption = False,
    rules: RulesOption = None,
    timeout: Annotated[
        float | None, typer.Option(help="Seconds after which the program is ended; no limit when left out.", min=0.1, max=86_400)
    ] = None,
    policy_pack: Annotated[Path | None, typer.Option(help="A policy pack in Python, asked about the plan: `policy`.", metavar="DIR")] = None,
    policy_config: Annotated[
        Path | None,
        typer.Option("--policy-pack-config", "--policy-config", help="Its levels and settings.", metavar="FILE.json"),
    ] = None,
) -> None:
    """What a program would register: a registration plan, made without Pulumi CLI, account or network."""
    from nodepools.cli.check import Answer
    from nodepools.cli.configuration import configured
    from nodepools.cli.policy import chosen_pack
    from nodepools.cli.preview import preview_stack

    with report_errors():
        pack = chosen_pack(policy_pack, policy_config)
        selection = configured(rules if rules is not None else ())
        preview_stack(
            selected_source(stack).stack, answer=Answer(answer, strict, notes), timeout=timeout, selection=selection, pack=pack, today=day(today)
        )


def render(
    *,
    stack: StackOption = None,
    every: AllOption = False,
    file: FileOption = None,
    cluster: Annotated[str | None, typer.Option(help="Of this cluster alone.", metavar="KEY")] = None,
    folder: Annotated[Path | None, typer.Option("-o", "--output", help="A file for each object, in this folder.", metavar="DIR")] = None,
    today: TodayOption = None,
    answer: FormatOption = Format.TEXT,
) -> None:
    """The objects inside the clusters as YAML, the same that Pulumi applies: for GitOps, with `apply="render"`."""
    from nodepools.cli.render import render

    with report_errors():
        render(
            sound_platforms(selected_source(stack, every=every, file=file, today=today)),
            cluster=cluster,
            folder=folder,
            as_json=answer is Format.JSON,
        )


def doctor(*, stack: StackOption = None, file: FileOption = None, today: TodayOption = None, answer: FormatOption = Format.TEXT) -> None:
    """What a first `pulumi up` needs: tools on this machine; roles and quotas to verify by hand."""
    from nodepools.cli.doctor import diagnose

    with report_errors():
        diagnose(load_valid_platform(stack, file, today), as_json=answer is Format.JSON)


def rules(
    code: Annotated[str | None, typer.Argument(help="Of this rule alone, in full, by its code or its name.", metavar="CODE_OR_NAME")] = None,
    *,
    own: RulesOption = None,
    answer: FormatOption = Format.TEXT,
) -> None:
    """What is asked of a declaration: every rule, or one with its source and an example."""
    from nodepools.cli.configuration import configured
    from nodepools.cli.rules import explain_rule, list_rules

    with report_errors():
        configured(own if own is not None else ())
        if code is None:
            list_rules(as_json=answer is Format.JSON)
        else:
            explain_rule(code, as_json=answer is Format.JSON)
