"""`nodepools preview`: the registration plan of a stack."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Final

import typer

from nodepools.cli.check import Output
from nodepools.cli.command_run import CommandRun, Result
from nodepools.cli.exit_codes import has_errors, usage_error
from nodepools.cli.live_status import Say, silent
from nodepools.cli.plan_text import print_plan
from nodepools.cli.policy import PolicyPack, policy_findings, print_policy_findings
from nodepools.cli.preview_since import Since, read_since, since_json, since_lines
from nodepools.cli.problem import InputError, Problem
from nodepools.cli.report import listed, print_findings, summary
from nodepools.cli.sources import CheckedPlatform, Source, check_sources, project_directory
from nodepools.component.checked import VARIABLE, fingerprint
from nodepools.engine.errors import EngineError, ProgramFailed, ProgramTimedOut
from nodepools.engine.plan import Diagnostic, Plan
from nodepools.engine.project import read_project
from nodepools.engine.run import Program
from nodepools.engine.run import run as engine_run
from nodepools.engine.time_limit import VARIABLE as SECONDS_VARIABLE
from nodepools.engine.time_limit import TimeLimit, seconds_of, usual_seconds
from nodepools.model.platform import Platform
from nodepools.reading.project_code import is_allowed, turned_off
from nodepools.rules.finding import Finding
from nodepools.rules.selection import Selection

_ERROR: Final = "error"
"""The severity of messages of `pulumi.log.error`."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What is known of a stack: its declaration, what the program registered so far, and the findings."""

    stack: str
    platform: Platform | None
    findings: Sequence[Finding]
    plan: Plan | None = None
    """`None`: the program did not run. If it failed, what it registered until then."""
    pack: PolicyPack | None = None
    of_policies: Sequence[Finding] = ()
    since: Since | None = None
    """What the plan is compared with."""

    def result(self, output: Output) -> Result:
        """The result that the command writes."""
        every = [*self.findings, *self.of_policies]
        plan = self.plan if self.plan is not None else Plan(self.stack)
        return Result(lambda: {**plan.to_json(), **self._changes()}, lambda: self._show(output), every, has_errors(every, strict=output.strict))

    def _changes(self) -> Mapping[str, object]:
        return since_json(self.since.changes(self.plan)) if self.since is not None and self.plan is not None else {}

    def _show(self, output: Output) -> None:
        if self.plan is None:
            print_findings(listed(self.findings, notes=output.notes))
            typer.echo(f"{self.stack}: {summary(self.findings, notes=output.notes)}; nothing was registered")
            return
        print_plan(self.plan, self.platform, self.findings, notes=output.notes)
        if self.since is not None:
            typer.echo("\n".join(since_lines(self.since, self.since.changes(self.plan))))
        if self.pack is not None:
            print_policy_findings(self.pack, self.of_policies)


def preview_stack(
    stack: str,
    run: CommandRun,
    *,
    output: Output,
    timeout: str | None,
    selection: Selection,
    pack: PolicyPack | None = None,
    since: Path | None = None,
    today: date | None = None,
    say: Say = silent,
) -> Result:
    """Checks the stack, runs the program with the embedded engine, and returns what it registers. A stack with errors is not run.

    `since` is a state or a plan to compare with. `timeout` is a number of seconds, or `none`.

    A policy pack checks the registered resources. `today` is the date for which the stack is checked; the program does not check it again.
    `say` takes each step that begins.
    """
    seconds = _seconds(timeout)
    directory = project_directory()
    former = read_since(since, run) if since is not None else None
    say(f"reading and checking the stack {stack}")
    declaration = _declaration(stack, directory, run, today)
    findings = selection.of(declaration.findings)
    run.notes.extend(Problem.of(line) for line in selection.without_effect(findings))
    run.problems.extend(Problem.of(str(error)) for error in declaration.failed)
    preview = Preview(stack, declaration.platform, findings)
    if has_errors(findings):
        return preview.result(output)
    run.keep(replace(preview.result(output), text=_nothing_to_show))
    program = replace(_program(stack, directory, run), environment=_checked(declaration))
    limit = TimeLimit.starting_now(seconds)
    say(f"running the program: it registers the resources of {stack}")
    try:
        plan = engine_run(program, preview=True, timeout=seconds)
    except ProgramFailed as failed:
        _report(failed, run)
        return replace(replace(preview, plan=failed.plan).result(output), text=_nothing_to_show)
    except EngineError as error:
        usage_error(str(error))
    messages = tuple(replace(diagnostic, message=run.without_secrets(diagnostic.message)) for diagnostic in plan.diagnostics)
    run.problems.extend(_logged(messages))
    preview = replace(preview, plan=replace(plan, diagnostics=messages), pack=pack, since=former)
    if pack is not None:
        run.keep(replace(preview.result(output), text=_nothing_to_show))
        say("running the policy pack")
        preview = replace(preview, of_policies=policy_findings(pack, plan, program, today, limit))
    return preview.result(output)


def registered(stack: str, directory: Path, run: CommandRun) -> Plan | None:
    """What the program of a project registers; `None` if it fails, and the problems of `run` say why."""
    try:
        return engine_run(_program(stack, directory, run), timeout=_seconds(None))
    except ProgramFailed as failed:
        _report(failed, run)
        return None
    except EngineError as error:
        usage_error(str(error))


def _seconds(timeout: str | None) -> float | None:
    """The time limit of a program: that of the option, of the environment, or the default."""
    try:
        return usual_seconds() if timeout is None else seconds_of(timeout, "`--timeout`")
    except EngineError as error:
        usage_error(str(error))


def _nothing_to_show() -> None:
    """As text, an incomplete preview has its problems only."""


def _declaration(stack: str, directory: Path, run: CommandRun, today: date | None) -> CheckedPlatform:
    """A program without a folder `stacks` has no declaration to check: it only runs."""
    return check_sources(Source(stack, today=today), run)[0] if (directory / "stacks").is_dir() else CheckedPlatform(stack, None, ())


def _checked(declaration: CheckedPlatform) -> dict[str, str]:
    """Tells the program that its declaration has no errors, so that nothing is checked or reported twice."""
    if declaration.platform is None or has_errors(declaration.findings):
        return {}
    return {VARIABLE: fingerprint(declaration.platform)}


def _program(stack: str, directory: Path, run: CommandRun) -> Program:
    if not is_allowed():
        usage_error(turned_off(f"the program of the stack `{stack}`"))
    try:
        project = read_project(directory, stack)
    except EngineError as error:
        usage_error(str(error))
    if project.rejected:
        raise InputError(*map(Problem.of, project.rejected))
    if project.unread:
        run.notes.append(Problem(project.unread, "has `environment`: values from Pulumi ESC are not read, so the program does not get them"))
    return Program(project.directory, project.name, project.stack, project.config, project.secret_keys)


def _report(failed: ProgramFailed, run: CommandRun) -> None:
    """The failure of a program is a problem, and so are the errors that it logged. Its other messages go to stderr."""
    for diagnostic in failed.diagnostics:
        if diagnostic.severity != _ERROR:
            typer.echo(f"{diagnostic.severity}: {run.without_secrets(diagnostic.message)}", err=True)
    limit = f"; the environment variable `{SECONDS_VARIABLE}` raises the limit" if isinstance(failed, ProgramTimedOut) else ""
    run.problems.extend((*_logged(failed.diagnostics), Problem("__main__.py", f"{failed}{limit}")))


def _logged(diagnostics: Sequence[Diagnostic]) -> list[Problem]:
    return [
        Problem(diagnostic.urn if diagnostic.urn else "__main__.py", diagnostic.message)
        for diagnostic in diagnostics
        if diagnostic.severity == _ERROR
    ]
