"""`nodepools preview`: the registration plan of a stack."""

from collections.abc import Sequence
from datetime import date
from pathlib import Path

import typer

from nodepools.cli.exits import FAULTY, end, unusable
from nodepools.cli.plan_text import print_plan
from nodepools.cli.policy import PolicyPack, policy_findings, print_policy_findings
from nodepools.cli.report import print_findings, print_json, summary
from nodepools.cli.sources import Judged, Source, judged, project_directory
from nodepools.engine.errors import EngineError, ProgramFailed
from nodepools.engine.plan import Plan
from nodepools.engine.project import read_project
from nodepools.engine.run import Program, run
from nodepools.rules.finding import Finding, Severity
from nodepools.rules.judge import check


def preview_stack(
    stack: str, *, as_json: bool, strict: bool, timeout: float | None, pack: PolicyPack | None = None, today: date | None = None
) -> None:
    """Judges the stack, runs the program with the embedded engine, and prints what it registered. A faulty declaration is not run.

    A policy pack is asked about what was registered. `today` is the day for which the stack is judged; the program itself knows no other day
    than that on which it runs, and what it says of its declaration is not told again.
    """
    directory = project_directory()
    declaration = _declaration(stack, directory, today)
    findings = declaration.findings
    if any(finding.severity is Severity.ERROR for finding in findings):
        _print_refused(stack, findings, as_json=as_json)
        end(findings, strict=strict)
    program = _program(stack, directory)
    plan = _run(program, timeout)
    of_policies = policy_findings(pack, plan, program, today) if pack is not None else ()
    if as_json:
        print_json({**plan.to_json(), "findings": [finding.to_json() for finding in (*findings, *of_policies)]})
    else:
        said_anyhow = check(declaration.platform) if declaration.platform is not None and today is not None else findings
        print_plan(plan, declaration.platform, findings, told={str(finding) for finding in (*findings, *said_anyhow)})
        if pack is not None:
            print_policy_findings(pack, of_policies)
    end([*findings, *of_policies], strict=strict)


def _declaration(stack: str, directory: Path, today: date | None) -> Judged:
    """A program that declares its clusters in some other way has no stacks to judge: it is run as it is."""
    return judged(Source(stack, today=today))[0] if (directory / "stacks").is_dir() else Judged(stack, None, ())


def _program(stack: str, directory: Path) -> Program:
    try:
        project = read_project(directory, stack)
    except EngineError as error:
        unusable(str(error))
    return Program(project.directory, project.name, stack, project.config, project.secret_keys)


def _run(program: Program, timeout: float | None) -> Plan:
    try:
        return run(program, preview=True, timeout=timeout)
    except ProgramFailed as failed:
        for diagnostic in failed.diagnostics:
            typer.echo(f"{diagnostic.severity}: {diagnostic.message}", err=True)
        typer.echo(f"nodepools: {failed}", err=True)
        raise typer.Exit(FAULTY) from None
    except EngineError as error:
        unusable(str(error))


def _print_refused(stack: str, findings: Sequence[Finding], *, as_json: bool) -> None:
    if as_json:
        print_json({**Plan(stack).to_json(), "findings": [finding.to_json() for finding in findings]})
        return
    print_findings(findings)
    typer.echo(f"{stack}: {summary(findings)}, nothing was registered")
