"""Findings as text: errors first, one block each."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

import typer

from nodepools.cli.output.text_report import wrapped
from nodepools.rules.engine.finding import Finding, Severity

_COLORS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


def print_findings(findings: Iterable[Finding], *, err: bool = False) -> None:
    """Prints one block per finding, with its position if known. On a terminal, the severity has a color.

    Equal findings of several clusters are one block that lists the clusters.
    """
    for finding, *others in folded(findings):
        head, *rest = _block(finding).split("\n")
        typer.echo(
            head.replace(f" {finding.severity} ", f" {typer.style(str(finding.severity), fg=_COLORS[finding.severity], bold=True)} ", 1), err=err
        )
        for line in (*rest, *_also(others)):
            typer.echo(line, err=err)
        typer.echo(err=err)


def finding_lines(findings: Sequence[Finding], columns: int, *, details: bool) -> Iterator[str]:
    """A block for each finding, errors first; notes only with `details`. Equal findings of several clusters are one block that lists the clusters."""
    order = list(Severity)
    groups = folded(sorted(listed(findings, notes=details), key=lambda finding: order.index(finding.severity)))
    for number, (finding, *others) in enumerate(groups):
        if number:
            yield ""
        head, *rest = _block(finding).split("\n")
        first, *more = wrapped(head, columns, "", "    ")
        severity = str(finding.severity)
        yield first.replace(f" {severity} ", f" {typer.style(severity, fg=_COLORS[finding.severity], bold=True)} ", 1)
        yield from more
        for line in (*rest, *_also(others)):
            indent = line[: len(line) - len(line.lstrip())]
            yield from wrapped(line.lstrip(), columns, indent, indent + ("     " if line.lstrip().startswith("fix: ") else ""))


def has_errors(findings: Iterable[Finding], *, strict: bool = False) -> bool:
    """Whether there is an error or, with `strict`, a warning."""
    failing = (Severity.ERROR, Severity.WARNING) if strict else (Severity.ERROR,)
    return any(finding.severity in failing for finding in findings)


def folded(findings: Iterable[Finding]) -> list[list[Finding]]:
    """Groups equal findings of several clusters: same code, message, fix, and path below the cluster."""
    found: dict[tuple[object, ...], list[Finding]] = {}
    for number, finding in enumerate(findings):
        first, *below = (*finding.steps[:1], *finding.steps[2:]) if finding.steps else ("",)
        of_cluster = first == "clusters" and len(finding.steps) > 1
        text = str(finding).split("\n", 1)[1]
        key = (finding.code, finding.severity, finding.object, tuple(below), finding.shown_value, text) if of_cluster else (number,)
        found.setdefault(key, []).append(finding)
    return list(found.values())


def _block(finding: Finding) -> str:
    if finding.position is None:
        return str(finding)
    of_file = finding.object == finding.position.file  # already printed as the position
    return f"{finding.position}: {replace(finding, object=None) if of_file else finding}"


def _also(others: Sequence[Finding]) -> list[str]:
    clusters = ", ".join(str(finding.steps[1]) for finding in others)
    return [f"    also in {clusters}"] if others else []


def print_by_object(findings: Iterable[Finding], *, err: bool = False) -> None:
    """Prints findings under a heading for each object, with their positions."""
    for label, of_object in groupby(findings, key=lambda finding: finding.object):
        typer.echo(typer.style(label if label is not None else "", bold=True), err=err)
        for finding in of_object:
            value = finding.shown_value
            severity = typer.style(str(finding.severity), fg=_COLORS[finding.severity], bold=True)
            place = f"{finding.position}: " if finding.position is not None else ""
            typer.echo(f"  {place}{finding.code} {severity}{f' at {finding.path}' if finding.path else ''}{f': {value}' if value else ''}", err=err)
            typer.echo(f"      {finding.message}", err=err)
            if finding.fix is not None:
                typer.echo("      fix: " + finding.fix.text.rstrip().replace("\n", "\n      "), err=err)
        typer.echo(err=err)


def listed(findings: Sequence[Finding], *, notes: bool) -> list[Finding]:
    """The findings to list: notes only with `notes`."""
    return [finding for finding in findings if notes or finding.severity is not Severity.NOTE]


def summary(findings: Sequence[Finding], *, notes: bool = True) -> str:
    """`3 errors, 1 warning, 2 notes`, with a hint if notes are not listed."""
    if not findings:
        return "no findings"
    counts = [f"{number} {kind}{'s' * (number != 1)}" for kind in Severity if (number := count(findings, kind)) or kind is not Severity.NOTE]
    return f"{', '.join(counts)}{'' if notes or not count(findings, Severity.NOTE) else ' (--details lists them)'}"


def count(findings: Iterable[Finding], severity: Severity) -> int:
    """The number of findings of a severity."""
    return sum(finding.severity is severity for finding in findings)
