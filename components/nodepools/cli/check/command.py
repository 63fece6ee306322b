"""`nodepools check`: checks declarations and manifests, and reports the findings."""

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from nodepools.cli.command_run import CommandRun, Result
from nodepools.cli.demands.demands import Acceptance, Decided, Demands, of_finding
from nodepools.cli.inputs.input_files import InputFiles, named_existing, shown
from nodepools.cli.inputs.sources import CheckedPlatform, Source, check_sources
from nodepools.cli.inputs.user_code import user_code
from nodepools.cli.output.finding_lines import count, summary
from nodepools.cli.output.report import Act, Report, Section, Step, command, first_fixes, lines_of
from nodepools.cli.problem import Problem
from nodepools.model.listing import counted, joined, listed
from nodepools.model.values import dataclass, replace
from nodepools.rules.engine.accepted_findings import Selection
from nodepools.rules.engine.finding import Finding, Severity
from nodepools.rules.engine.runner import RuleFailedError

if TYPE_CHECKING:
    from nodepools.cli.check.fixes import Fixes
    from nodepools.cli.inputs.manifest_checks import Checked
    from nodepools.data.karpenter_releases import KarpenterRelease


@dataclass(frozen=True, slots=True)
class Asked:
    """How findings are shown, and which of them fail the command."""

    options: str
    """The options and manifests of this run, for a command that follows it."""
    wanted: Demands
    fix: bool = False
    dry_run: bool = False
    """Print what fixes change, without writing it."""
    hcl: Path | None = None
    """The folder with the configuration of a plan of Terraform; `None`: that of the plan."""


def check(
    declared: Source | None,
    manifests: InputFiles,
    run: CommandRun,
    *,
    asked: Asked,
    selection: Selection,
    crds: Path | None = None,
    today: date | None = None,
    karpenter: "KarpenterRelease | None" = None,
) -> Result:
    """Checks a declaration and manifests as of `today`, objects of self-managed Karpenter for the version `karpenter`.

    Raises:
        UnreadableError: the declaration cannot be read.
    """
    fixes = None
    if asked.fix or asked.dry_run:
        from nodepools.cli.check.fixes import fix  # needs ruamel.yaml, which a plain check does not

        def kept(findings: Sequence[Finding], within: str) -> list[Finding]:
            return asked.wanted.decided(of_finding(finding, within) for finding in selection.of(findings)).findings

        fixes = fix(declared, manifests, kept, today=today, run=run, writes=asked.fix and not asked.dry_run)
    declarations = [_selected(declaration, selection) for declaration in (check_sources(declared, run) if declared is not None else ())]
    if fixes is not None and declared is not None and not declared.files:
        fixes = fixes.with_stacks(declarations)
    if fixes is not None and (not fixes.writes or run.form not in {"text", "json"}):  # where the edits have no other place
        run.notes.append(Problem("", fixes.text))
    run.problems.extend(Problem.of(str(error)) for declaration in declarations for error in declaration.failed)
    answer = _Answer(asked, tuple(declarations), manifests, fixes=fixes)
    run.set_result(answer.result())
    if manifests.paths:
        from nodepools.cli.inputs.manifest_checks import check_manifests

        before = len(run.problems)
        with user_code():  # own rules
            checked = check_manifests(manifests, crds, run, today, _keeping(run), karpenter=karpenter, hcl=asked.hcl)
        is_read = bool(checked.objects or checked.findings) or len(run.problems) == before
        answer = replace(answer, checked=replace(checked, findings=tuple(selection.of(checked.findings))) if is_read else None)
    run.notes.extend(Problem.of(line) for line in selection.without_effect(answer.decided.findings))
    return answer.result()


@dataclass(frozen=True)
class _Answer:
    asked: Asked
    declarations: tuple[CheckedPlatform, ...]
    manifests: InputFiles
    checked: "Checked | None" = None
    """Of the manifests; `None` if nothing could be read."""
    fixes: "Fixes | None" = None

    @cached_property
    def decided(self) -> Decided:
        """The findings, and those that are accepted."""
        of_platforms = [of_finding(finding, one.name) for one in self.declarations for finding in one.findings]
        of_files = [of_finding(finding) for finding in (self.checked.findings if self.checked is not None else ())]
        return self.asked.wanted.decided([*of_platforms, *of_files], self._sees)

    def _sees(self, one: Acceptance) -> bool:
        """It is about what this run checks completely."""
        if "#" in one.path.partition(" ")[0]:
            file = Path(one.path.partition("#")[0])
            return self.checked is not None and any(file.is_relative_to(path) for path in self.manifests.paths)
        return bool(self.declarations) and (not one.within or one.within in {declaration.name for declaration in self.declarations})

    @property
    def findings(self) -> list[Finding]:
        """Those that are left, and those about entries of the baseline."""
        return [*self.decided.findings, *self.decided.wrong]

    def result(self) -> Result:
        found = self.findings
        edits = self.fixes.to_json() if self.fixes is not None else {}
        fields = {"errors": count(found, Severity.ERROR), "warnings": count(found, Severity.WARNING), **edits}
        file = self.declarations[0].file if self.declarations else ""
        if not self.declarations and self.checked is None:
            return Result(lambda: fields, file=file, decided=self.decided)  # the problems say it all
        if self.fixes is not None and self.asked.dry_run and self.fixes.diff:
            return Result(lambda: fields, self.fixes.print_diff, self.decided.findings, file=file, decided=self.decided)
        inputs = named_existing([Path(name) for name in (*(one.name for one in self.declarations), *map(shown, self.manifests.paths))])
        report = Report(inputs, self._text(), tuple(self._next()), tuple(self._sections()), tuple(self.decided.findings))
        return Result(lambda: fields, decided=self.decided, file=file, report=report, is_error=self.asked.dry_run)  # `| patch -p1` reads stdout

    def _text(self) -> str:
        found, checked = self.findings, self.checked
        counts = summary(found)
        if checked is not None and not checked.objects and not checked.findings:
            kinds = joined([*(f"{number:,} {kind}{'s' * (number != 1)}" for kind, number in checked.workloads.items()), *checked.unchecked])
            unchecked = f"nothing was checked: no NodePool and no node class{f', only {kinds}' if kinds else ''}"
            return f"{counts}; {unchecked}" if self.declarations else unchecked
        if self.fixes is not None:
            return f"{self.fixes.text}; {counts}{' left' if found else ''}{_NOTHING * all(one.severity is Severity.NOTE for one in found)}"
        number = sum(finding.is_fixable for finding in found)
        fixable = f"; {number:,} {'fix' if number == 1 else 'fixes'} to try" if number else ""
        counts += _NOTHING if all(one.severity is Severity.NOTE for one in found) and not fixable else ""
        objects = f"{counted(checked.objects, 'object')}: " if checked is not None else ""
        return f"{objects}{counts}{fixable}"

    def _next(self) -> Iterator[Step]:
        if self.fixes is not None:
            yield from self.fixes.next
        elif codes := [finding.code for finding in self.findings if finding.is_fixable]:
            in_python = not self.manifests.paths and all(one.file.endswith(".py") for one in self.declarations)  # which `--fix` does not write
            line = f"nodepools check {self.asked.options} {'--dry-run' if in_python else '--fix'}".replace("  ", " ")
            act, verb = (Act.NONE, "shows") if in_python else (Act.FILES, "tries")
            yield command(line, act, f"{verb} {counted(len(codes), 'edit')} ({listed(list(dict.fromkeys(codes)), _CODES)})")
        left = [one for one in self.findings if one.severity is not Severity.NOTE and not (self.fixes is None and one.is_fixable)]
        yield from first_fixes(sorted(left, key=lambda one: one.severity.rank))
        if self.checked is not None and not self.checked.objects and self.checked.workloads:
            yield command(f"nodepools explain {self.asked.options}", Act.NONE, "shows which pools the pods of these files land on")

    def _sections(self) -> Iterator[Section]:
        if self.fixes is not None:
            yield from self.fixes.sections
        if any(one.platform is None and one.terraform is None and not (one.unmodeled and _is_read(one)) for one in self.declarations):
            yield lines_of("", "Some rules did not run: correct the CFG errors above, then check again")
        if self.checked is not None and self.checked.schemas:
            yield lines_of("", *(f"also validated against {schema}" for schema in self.checked.schemas))


_NOTHING: Final = "; nothing to correct"
_CODES: Final = 3
"""Codes that a step names."""


def _is_read(declaration: CheckedPlatform) -> bool:
    """Nothing of it has errors of its schema."""
    return not any(finding.code.startswith("CFG") for finding in declaration.findings)


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
