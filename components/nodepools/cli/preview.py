"""`nodepools preview`: the registration plan of a stack."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Never

import typer

from nodepools.cli.check import Output
from nodepools.cli.exit_codes import EXIT_FINDINGS, EXIT_USAGE, end, usage_error
from nodepools.cli.plan_text import print_plan
from nodepools.cli.policy import PolicyPack, policy_findings, print_policy_findings
from nodepools.cli.report import completeness, listed, print_findings, print_json, print_problems, summary
from nodepools.cli.sources import CheckedPlatform, Source, check_sources, project_directory
from nodepools.component.checked import VARIABLE, fingerprint
from nodepools.engine.errors import EngineError, ProgramFailed
from nodepools.engine.plan import Plan
from nodepools.engine.project import read_project
from nodepools.engine.run import Program, run
from nodepools.engine.time_limit import TimeLimit
from nodepools.rules.finding import Finding, Severity
from nodepools.rules.selection import Selection


def preview_stack(
    stack: str, *, output: Output, timeout: float | None, selection: Selection, pack: PolicyPack | None = None, today: date | None = None
) -> None:
    """Checks the stack, runs the program with the embedded engine, and prints what it registers. A stack with errors is not run.

    A policy pack checks the registered resources. `today` is the date for which the stack is checked; the program does not check it again.
    """
    directory = project_directory()
    declaration = _declaration(stack, directory, today)
    findings = selection.of(declaration.findings)
    problems = [str(error) for error in declaration.failed]
    print_problems(selection.without_effect(findings), problems)
    if any(finding.severity is Severity.ERROR for finding in findings):
        _print_invalid(stack, findings, problems, output)
        _end(declaration, findings, strict=output.strict)
    program = replace(_program(stack, directory), environment=_checked(declaration))
    limit = TimeLimit.starting_now(timeout)
    plan = _run(program, timeout)
    of_policies = policy_findings(pack, plan, program, today, limit) if pack is not None else ()
    if output.form == "json":
        print_json({**plan.to_json(), **completeness(problems), "findings": [finding.to_json() for finding in (*findings, *of_policies)]})
    else:
        print_plan(plan, declaration.platform, findings, notes=output.notes)
        if pack is not None:
            print_policy_findings(pack, of_policies)
    _end(declaration, [*findings, *of_policies], strict=output.strict)


def _declaration(stack: str, directory: Path, today: date | None) -> CheckedPlatform:
    """A program without a folder `stacks` has no declaration to check: it only runs."""
    return check_sources(Source(stack, today=today))[0] if (directory / "stacks").is_dir() else CheckedPlatform(stack, None, ())


def _checked(declaration: CheckedPlatform) -> dict[str, str]:
    """Tells the program that its declaration has no errors, so that nothing is checked or reported twice."""
    if declaration.platform is None or any(finding.severity is Severity.ERROR for finding in declaration.findings):
        return {}
    return {VARIABLE: fingerprint(declaration.platform)}


def _program(stack: str, directory: Path) -> Program:
    try:
        project = read_project(directory, stack)
    except EngineError as error:
        usage_error(str(error))
    return Program(project.directory, project.name, stack, project.config, project.secret_keys)


def _run(program: Program, timeout: float | None) -> Plan:
    try:
        return run(program, preview=True, timeout=timeout)
    except ProgramFailed as failed:
        for diagnostic in failed.diagnostics:
            typer.echo(f"{diagnostic.severity}: {diagnostic.message}", err=True)
        typer.echo(f"error: {failed}", err=True)
        raise typer.Exit(EXIT_FINDINGS) from None
    except EngineError as error:
        usage_error(str(error))


def _end(declaration: CheckedPlatform, findings: Sequence[Finding], *, strict: bool) -> Never:
    """Ends the command, with exit code 2 if a rule of the user failed."""
    if declaration.failed:
        raise typer.Exit(EXIT_USAGE)
    end(findings, strict=strict)


def _print_invalid(stack: str, findings: Sequence[Finding], problems: Sequence[str], output: Output) -> None:
    if output.form == "json":
        print_json({**Plan(stack).to_json(), **completeness(problems), "findings": [finding.to_json() for finding in findings]})
        return
    print_findings(listed(findings, notes=output.notes))
    typer.echo(f"{stack}: {summary(findings, notes=output.notes)}; nothing was registered")
