"""`nodepools check`: checks declarations and manifests, and prints the findings."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Never

import typer

from nodepools.cli.exit_codes import EXIT_USAGE, end
from nodepools.cli.report import findings_json, listed, print_by_object, print_findings, print_json, print_problems, summary
from nodepools.cli.sources import CheckedPlatform, Source, check_sources
from nodepools.cli.user_code import user_code
from nodepools.rules.finding import Finding
from nodepools.rules.runner import RuleFailedError
from nodepools.rules.selection import Selection


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
    declared: Source | None, manifests: Sequence[Path], crds: Path | None, *, output: Output, selection: Selection, today: date | None = None
) -> Never:
    """Checks a declaration and manifests as of `today`, prints the findings, and ends the command.

    Raises:
        UnreadableError: something cannot be read.
    """
    if output.fixing.is_on:
        from nodepools.cli.check_fixes import fix  # needs ruamel.yaml, which a plain check does not

        fix(output.fixing, declared, manifests, selection, today)
    declarations = [_selected(declaration, selection) for declaration in (check_sources(declared) if declared is not None else ())]
    findings = [finding for declaration in declarations for finding in declaration.findings]
    if output.fixing.is_on and declared is not None and declared.file is None:
        from nodepools.cli.check_fixes import show_stack_edits

        show_stack_edits(declarations)
    raw: Sequence[Finding] = ()
    problems = [str(error) for declaration in declarations for error in declaration.failed]
    lines = [*_skipped_rules(declarations), _summary_line(declarations, output)] if declarations else []
    if manifests:
        from nodepools.cli.manifest_checks import check_manifests

        with user_code():  # own rules
            checked = check_manifests(manifests, crds, today, _keeping(problems))
        raw = selection.of(checked.findings)
        problems.extend(checked.unreadable)
        lines.extend(f"also validated against {schema}" for schema in checked.schemas)
        if checked.objects or raw or not checked.unreadable:
            lines.append(f"{checked.objects} object{'s' * (checked.objects != 1)}: {summary(raw, notes=output.notes)}")
    all_findings = [*findings, *raw]
    if output.fixing.diff:
        pass  # a diff is on standard output, alone
    elif output.form == "text":
        _print_text(findings, raw, lines, notes=output.notes)
    else:
        _print_data(all_findings, problems, output.form, declarations[0].name if declarations else "")
    print_problems(selection.without_effect(all_findings), problems)
    if problems:
        raise typer.Exit(EXIT_USAGE)
    end(all_findings, strict=output.strict)


def _selected(declaration: CheckedPlatform, selection: Selection) -> CheckedPlatform:
    return replace(declaration, findings=tuple(selection.of(declaration.findings)))


def _keeping(problems: list[str]) -> Callable[[RuleFailedError], None]:
    """Returns a callback that records the first failure of each rule."""
    failed: set[str] = set()

    def keep(error: RuleFailedError) -> None:
        if error.rule.code not in failed:
            failed.add(error.rule.code)
            problems.append(str(error))

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


def _print_data(findings: Sequence[Finding], problems: Sequence[str], form: str, stack: str) -> None:
    """Prints JSON, SARIF or GitHub annotations."""
    if form == "json":
        print_json(findings_json(findings, problems))
        return
    from nodepools.cli.review_formats import annotations, sarif

    file = f"stacks/{stack}.py"
    placed = [finding if finding.position is not None or finding.object is not None else replace(finding, object=file) for finding in findings]
    if form == "sarif":
        print_json(sarif(placed))
    else:
        typer.echo("\n".join(annotations(placed)), nl=bool(placed))
