"""Findings, for people and as JSON."""

import json
from collections.abc import Iterable, Sequence
from itertools import groupby

import typer

from nodepools.rules.finding import Finding, Severity, counted, shown

_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


def findings_json(findings: Sequence[Finding]) -> dict[str, object]:
    """The object that `check --format json` prints."""
    return {
        "findings": [finding.to_json() for finding in findings],
        "errors": _number(findings, Severity.ERROR),
        "warnings": _number(findings, Severity.WARNING),
    }


def print_json(value: object) -> None:
    """JSON on standard output, alone."""
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False))


def print_findings(findings: Iterable[Finding], *, err: bool = False) -> None:
    """One block a finding, with its place where that is known. Its severity is coloured on a terminal; the word is there without colour too."""
    for finding in findings:
        head, *rest = (f"{finding.position}: {finding}" if finding.position is not None else str(finding)).split("\n")
        typer.echo(
            head.replace(f" {finding.severity} ", f" {typer.style(str(finding.severity), fg=_COLOURS[finding.severity], bold=True)} ", 1), err=err
        )
        for line in rest:
            typer.echo(line, err=err)
        typer.echo(err=err)


def print_by_object(findings: Iterable[Finding], *, err: bool = False) -> None:
    """A heading an object, and under it its findings, each with the place in its file."""
    for label, of_object in groupby(findings, key=lambda finding: finding.object):
        typer.echo(typer.style(label if label is not None else "", bold=True), err=err)
        for finding in of_object:
            value = shown(finding.value)
            said = typer.style(str(finding.severity), fg=_COLOURS[finding.severity], bold=True)
            place = f"{finding.position}: " if finding.position is not None else ""
            typer.echo(f"  {place}{finding.code} {said}{f' at {finding.path}' if finding.path else ''}{f': {value}' if value else ''}", err=err)
            typer.echo(f"      {finding.message}", err=err)
            if finding.fix is not None:
                typer.echo("      fix: " + finding.fix.text.rstrip().replace("\n", "\n      "), err=err)
        typer.echo(err=err)


def summary(findings: Sequence[Finding]) -> str:
    """`3 errors, 1 warning`."""
    return counted(findings)


def _number(findings: Iterable[Finding], severity: Severity) -> int:
    return sum(finding.severity is severity for finding in findings)
