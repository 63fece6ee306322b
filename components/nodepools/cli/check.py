"""`nodepools check`: declarations and raw objects, judged and told."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Never

import typer

from nodepools.cli.exits import UNUSABLE, end
from nodepools.cli.report import findings_json, print_by_object, print_findings, print_json, summary
from nodepools.cli.sources import Judged, Source, judged
from nodepools.rules.finding import Finding


def check(declared: Source | None, manifests: Sequence[Path], crds: Path | None, *, answer: str, strict: bool, today: date | None = None) -> Never:
    """Judges both, for today when no other day is given, prints what is wrong, and ends the command.

    Raises:
        UnreadableError: something cannot be read.
    """
    declarations = judged(declared) if declared is not None else []
    findings = [finding for declaration in declarations for finding in declaration.findings]
    raw: Sequence[Finding] = ()
    unreadable: Sequence[str] = ()
    told = [*_not_asked(declarations), _told(declarations)] if declarations else []
    if manifests:
        from nodepools.cli.manifests import check_manifests

        checked = check_manifests(manifests, crds, today)
        raw, unreadable = checked.findings, checked.unreadable
        told.extend(f"asked too: {schema}" for schema in checked.schemas)
        if checked.objects or raw or not unreadable:
            told.append(f"{checked.objects} object{'s' * (checked.objects != 1)}: {summary(raw)}")
    _print(findings, raw, told, answer, declarations[0].name if declarations else "")
    for line in unreadable:
        typer.echo(f"nodepools: {line}", err=True)
    if unreadable:
        raise typer.Exit(UNUSABLE)
    end([*findings, *raw], strict=strict)


def _not_asked(declarations: Sequence[Judged]) -> list[str]:
    if all(declaration.platform is not None for declaration in declarations):
        return []
    return ["Rules that need what is malformed were not run: correct the CFG errors, then check again."]


def _told(declarations: Sequence[Judged]) -> str:
    findings = [finding for declaration in declarations for finding in declaration.findings]
    return f"{', '.join(declaration.name for declaration in declarations)}: {summary(findings)}"


def _print(findings: Sequence[Finding], raw: Sequence[Finding], told: Sequence[str], answer: str, stack: str) -> None:
    every = [*findings, *raw]
    if answer == "json":
        print_json(findings_json(every))
    elif answer in ("sarif", "github"):
        from nodepools.cli.review import annotations, sarif

        every = [
            finding if finding.position is not None or finding.object is not None else replace(finding, object=f"stacks/{stack}.py")
            for finding in every
        ]
        if answer == "sarif":
            print_json(sarif(every))
        else:
            for line in annotations(every):
                typer.echo(line)
    else:
        print_findings(findings)
        print_by_object(raw)
        typer.echo("\n".join(told), nl=bool(told))
