"""Faults, for people and as JSON."""

import json
from collections.abc import Iterable, Sequence
from itertools import groupby

import typer

from nodepools.rules.fault import Fault, Severity, counted, shown

_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


def faults_json(faults: Sequence[Fault]) -> dict[str, object]:
    """The object that `check --format json` prints."""
    return {
        "faults": [fault.to_json() for fault in faults],
        "errors": _number(faults, Severity.ERROR),
        "warnings": _number(faults, Severity.WARNING),
    }


def print_json(value: object) -> None:
    """JSON on standard output, alone."""
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False))


def print_faults(faults: Iterable[Fault], *, err: bool = False) -> None:
    """One block a fault, with its place where that is known. Its severity is coloured on a terminal; the word is there without colour too."""
    for fault in faults:
        head, *rest = (f"{fault.mark}: {fault}" if fault.mark is not None else str(fault)).split("\n")
        typer.echo(head.replace(f" {fault.severity} ", f" {typer.style(str(fault.severity), fg=_COLOURS[fault.severity], bold=True)} ", 1), err=err)
        for line in rest:
            typer.echo(line, err=err)
        typer.echo(err=err)


def print_by_object(faults: Iterable[Fault], *, err: bool = False) -> None:
    """A heading an object, and under it its faults, each with the place in its file."""
    for label, of_object in groupby(faults, key=lambda fault: fault.object):
        typer.echo(typer.style(label if label is not None else "", bold=True), err=err)
        for fault in of_object:
            value = shown(fault.value)
            said = typer.style(str(fault.severity), fg=_COLOURS[fault.severity], bold=True)
            place = f"{fault.mark}: " if fault.mark is not None else ""
            typer.echo(f"  {place}{fault.code} {said}{f' at {fault.path}' if fault.path else ''}{f': {value}' if value else ''}", err=err)
            typer.echo(f"      {fault.message}", err=err)
            typer.echo("      fix: " + fault.fix.rstrip().replace("\n", "\n      "), err=err)
        typer.echo(err=err)


def summary(faults: Sequence[Fault]) -> str:
    """`3 errors, 1 warning`."""
    return counted(faults)


def _number(faults: Iterable[Fault], severity: Severity) -> int:
    return sum(fault.severity is severity for fault in faults)
