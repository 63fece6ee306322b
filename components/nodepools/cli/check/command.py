"""`nodepools check`: checks declarations and manifests, and prints the findings."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from nodepools.cli.command_run import CommandRun, Result
from nodepools.cli.inputs.selected_inputs import InputFiles
from nodepools.cli.inputs.sources import CheckedPlatform, Source, check_sources
from nodepools.cli.inputs.user_code import user_code
from nodepools.cli.output.finding_lines import count, has_errors, listed, print_by_object, print_findings, summary
from nodepools.cli.problem import Problem
from nodepools.rules.engine.finding import Finding, Severity
from nodepools.rules.engine.runner import RuleFailedError
from nodepools.rules.engine.selection import Selection

if TYPE_CHECKING:
    from nodepools.data.karpenter_releases import KarpenterRelease


@dataclass(frozen=True, slots=True)
class Fixing:
    """Whether fixes are applied."""

    write: bool = False
    diff: bool = False
    """Print what fixes change, without writing it."""

    @property
    def is_on(self) -> bool:
        """Whether fixes are applied or shown."""
        return self.write or self.diff


@dataclass(frozen=True, slots=True)
class Output:
    """How a command prints findings, and which of them fail it."""

    form: str
    strict: bool = False
    notes: bool = False
    """Whether text output lists notes."""
    fixing: Fixing = Fixing()


def check(
    declared: Source | None,
    manifests: InputFiles,
    run: CommandRun,
    *,
    output: Output,
    selection: Selection,
    crds: Path | None = None,
    today: date | None = None,
    karpenter: "KarpenterRelease | None" = None,
) -> Result:
    """Checks a declaration and manifests as of `today`, objects of self-managed Karpenter for the version `karpenter`.

    Raises:
        UnreadableError: the declaration cannot be read.
    """
    if output.fixing.is_on:
        from nodepools.cli.check.fixes import fix  # needs ruamel.yaml, which a plain check does not

        fix(output.fixing, declared, manifests, selection, today=today, run=run)
    declarations = [_selected(declaration, selection) for declaration in (check_sources(declared, run) if declared is not None else ())]
    findings = [finding for declaration in declarations for finding in declaration.findings]
    if output.fixing.is_on and declared is not None and declared.file is None:
        from nodepools.cli.check.fixes import show_stack_edits

        show_stack_edits(declarations, is_text=output.form == "text")
    run.problems.extend(Problem.of(str(error)) for declaration in declarations for error in declaration.failed)
    file = f"stacks/{declarations[0].name}.py" if declarations else ""
    lines = [*_skipped_rules(declarations), _summary_line(declarations, output)] if declarations else []
    declared_alone = _result(findings, (), lines, output, file)
    run.set_result(declared_alone)
    if not manifests.paths:
        run.notes.extend(Problem.of(line) for line in selection.without_effect(findings))
        return declared_alone
    from nodepools.cli.inputs.manifest_checks import check_manifests

    before = len(run.problems)
    with user_code():  # own rules
        checked = check_manifests(manifests, crds, run, today, _keeping(run), karpenter=karpenter)
    raw = selection.of(checked.findings)
    lines.extend(f"also validated against {schema}" for schema in checked.schemas)
    if checked.objects or raw or len(run.problems) == before:
        lines.append(f"{checked.objects} object{'s' * (checked.objects != 1)}: {summary(raw, notes=output.notes)}")
    if checked.workloads and not checked.objects:
        kinds = ", ".join(f"{number} {kind}{'s' * (number != 1)}" for kind, number in checked.workloads.items())
        lines.append(f"{kinds}: not checked without NodePools. Where they are scheduled: nodepools explain {' '.join(map(str, manifests.paths))}")
    run.notes.extend(Problem.of(line) for line in selection.without_effect([*findings, *raw]))
    return _result(findings, raw, lines, output, file)


def _result(findings: Sequence[Finding], raw: Sequence[Finding], lines: Sequence[str], output: Output, file: str) -> Result:
    every = [*findings, *raw]
    numbers = {"errors": count(every, Severity.ERROR), "warnings": count(every, Severity.WARNING)}

    def show() -> None:
        if not output.fixing.diff:  # a diff is on standard output, alone
            _print_text(findings, raw, lines, notes=output.notes)

    return Result(lambda: numbers, show, every, has_errors(every, strict=output.strict), file)


def _selected(declaration: CheckedPlatform, selection: Selection) -> CheckedPlatform:
    return replace(declaration, findings=tuple(selection.of(declaration.findings)))


def _keeping(run: CommandRun) -> Callable[[RuleFailedError], None]:
    """Returns a callback that records the first failure of each rule."""
    failed: set[str] = set()

    def keep(error: RuleFailedError) -> None:
        if error.rule.code not in failed:
            failed.add(error.rule.code)
            run.problems.append(Problem.of(str(error)))

    return keep


def _skipped_rules(declarations: Sequence[CheckedPlatform]) -> list[str]:
    if all(declaration.platform is not None for declaration in declarations):
        return []
    return ["Some rules did not run because of the CFG errors: fix those, then check again."]


def _summary_line(declarations: Sequence[CheckedPlatform], output: Output) -> str:
    findings = [finding for declaration in declarations for finding in declaration.findings]
    return f"{', '.join(declaration.name for declaration in declarations)}: {summary(findings, notes=output.notes)}"


def _print_text(findings: Sequence[Finding], raw: Sequence[Finding], lines: Sequence[str], *, notes: bool) -> None:
    print_findings(listed(findings, notes=notes))
    print_by_object(listed(raw, notes=notes))
    typer.echo("\n".join(lines), nl=bool(lines))
