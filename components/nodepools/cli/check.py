"""`nodepools check`: declarations and raw objects, check_sources and told."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Never

import typer

from nodepools.cli.exit_codes import EXIT_USAGE, end
from nodepools.cli.report import findings_json, print_by_object, print_findings, print_json, print_problems, summary, told_by
from nodepools.cli.sources import CheckedPlatform, Source, check_sources
from nodepools.rules.finding import Finding
from nodepools.rules.runner import RuleFailedError
from nodepools.rules.selection import Selection


@dataclass(frozen=True, slots=True)
class Fixing:
    """Whether fixes are applied."""

    write: bool = False
    diff: bool = False
    """What they would change is printed, and nothing is written."""

    @property
    def is_asked(self) -> bool:
        """Either is."""
        return self.write or self.diff


@dataclass(frozen=True, slots=True)
class Answer:
    """How a check answers."""

    form: str
    strict: bool = False
    notes: bool = False
    """Notes are told in full, where people read."""
    fixing: Fixing = Fixing()


def check(
    declared: Source | None, manifests: Sequence[Path], crds: Path | None, *, answer: Answer, selection: Selection, today: date | None = None
) -> Never:
    """Judges both, for today when no other day is given, prints what is wrong, and ends the command.

    Raises:
        UnreadableError: something cannot be read.
    """
    if answer.fixing.is_asked:
        from nodepools.cli.check_fixes import fix  # needs ruamel.yaml, which a check does without

        fix(answer.fixing, declared, manifests, selection, today)
    declarations = [_selected(declaration, selection) for declaration in (check_sources(declared) if declared is not None else ())]
    findings = [finding for declaration in declarations for finding in declaration.findings]
    if answer.fixing.is_asked and declared is not None and declared.file is None:
        from nodepools.cli.check_fixes import show_stack_edits

        show_stack_edits(declarations)
    raw: Sequence[Finding] = ()
    problems = [str(error) for declaration in declarations for error in declaration.failed]
    told = [*_not_asked(declarations), _told(declarations, answer)] if declarations else []
    if manifests:
        from nodepools.cli.manifest_checks import check_manifests

        checked = check_manifests(manifests, crds, today, _keeping(problems))
        raw = selection.of(checked.findings)
        problems.extend(checked.unreadable)
        told.extend(f"also validated against {schema}" for schema in checked.schemas)
        if checked.objects or raw or not checked.unreadable:
            told.append(f"{checked.objects} object{'s' * (checked.objects != 1)}: {summary(raw, notes=answer.notes)}")
    every = [*findings, *raw]
    if answer.fixing.diff:
        pass  # a diff is on standard output, alone
    elif answer.form == "text":
        _print_text(findings, raw, told, notes=answer.notes)
    else:
        _print_data(every, problems, answer.form, declarations[0].name if declarations else "")
    print_problems(selection.without_effect(every), problems)
    if problems:
        raise typer.Exit(EXIT_USAGE)
    end(every, strict=answer.strict)


def _selected(declaration: CheckedPlatform, selection: Selection) -> CheckedPlatform:
    return replace(declaration, findings=tuple(selection.of(declaration.findings)))


def _keeping(problems: list[str]) -> Callable[[RuleFailedError], None]:
    """Keeps the first failure of each rule as a problem."""
    failed: set[str] = set()

    def keep(error: RuleFailedError) -> None:
        if error.rule.code not in failed:
            failed.add(error.rule.code)
            problems.append(str(error))

    return keep


def _not_asked(declarations: Sequence[CheckedPlatform]) -> list[str]:
    if all(declaration.platform is not None for declaration in declarations):
        return []
    return ["Some rules did not run because of the CFG errors: fix those, then check again."]


def _told(declarations: Sequence[CheckedPlatform], answer: Answer) -> str:
    findings = [finding for declaration in declarations for finding in declaration.findings]
    return f"{', '.join(declaration.name for declaration in declarations)}: {summary(findings, notes=answer.notes)}"


def _print_text(findings: Sequence[Finding], raw: Sequence[Finding], told: Sequence[str], *, notes: bool) -> None:
    print_findings(told_by(findings, notes=notes))
    print_by_object(told_by(raw, notes=notes))
    typer.echo("\n".join(told), nl=bool(told))


def _print_data(findings: Sequence[Finding], problems: Sequence[str], form: str, stack: str) -> None:
    """For programs: as JSON, or as code review takes it."""
    if form == "json":
        print_json(findings_json(findings, problems))
        return
    from nodepools.cli.review_formats import annotations, sarif

    file = f"stacks/{stack}.py"
    placed = [one if one.position is not None or one.object is not None else replace(one, object=file) for one in findings]
    if form == "sarif":
        print_json(sarif(placed))
    else:
        typer.echo("\n".join(annotations(placed)), nl=bool(placed))
