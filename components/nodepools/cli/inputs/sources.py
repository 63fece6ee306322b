"""Reads and checks declarations: stacks of a project, or a file."""

import shlex
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path

from nodepools.cli.command_run import CommandRun
from nodepools.cli.common_options import day
from nodepools.cli.exit_codes import InvalidError, usage_error
from nodepools.cli.inputs.user_code import user_code
from nodepools.cli.problem import InputError, Problem
from nodepools.loading import UnreadableError, load_text, read_stack, text_of
from nodepools.model.platform import Platform
from nodepools.reading.project_folder import DEFAULT_STACK, configured_stacks, known_stacks, project_folder, runs_program
from nodepools.rules.engine.accepted_findings import without_accepted
from nodepools.rules.engine.codes import IGNORE_CODES
from nodepools.rules.engine.finding import DeclarationError, Finding, Severity
from nodepools.rules.engine.finding_text import YAML
from nodepools.rules.engine.runner import RuleFailedError, check


@dataclass(frozen=True, slots=True)
class Source:
    """What to read: one stack, all stacks, or a file."""

    stack: str = DEFAULT_STACK
    every: bool = False
    file: Path | None = None
    today: date | None = None
    """Date of the check; `None` is today."""

    @property
    def about(self) -> str:
        """What it reads, as the first line of an answer names it."""
        return str(self.file) if self.file is not None else "all stacks" if self.every else self.stack

    @property
    def options(self) -> str:
        """The options that name it, for the next command."""
        return f"--file {shlex.quote(str(self.file))}" if self.file is not None else "--all" if self.every else f"--stack {self.stack}"


@dataclass(frozen=True, slots=True)
class CheckedPlatform:
    """A declaration and its findings. With schema errors, it has no platform."""

    name: str
    platform: Platform | None
    findings: tuple[Finding, ...]
    """Without those that comments in its file accept."""
    failed: tuple[RuleFailedError, ...] = ()
    """Rules of the user that raised an exception."""
    unmodeled: tuple[Problem, ...] = ()
    """What a program registers of which the rules are checked, and nothing more is known here."""


def project_directory() -> Path:
    """The folder of the nearest `Pulumi.yaml`, searched upwards, as Pulumi does.

    Raises:
        UnreadableError: there is no such file.
    """
    here = Path.cwd()
    found = project_folder(here)
    if found is None:
        raise UnreadableError(f"Pulumi.yaml not found in {here} or its parent folders: run this in the project, or use `--file`")
    return found


def selected_source(stack: str | None, *, every: bool = False, file: Path | None = None, today: datetime | None = None) -> Source:
    """Returns the source that the options of a command name."""
    named = named_sources(stack, every=every, file=file)
    if len(named) > 1:
        usage_error(f"{' and '.join(named)} cannot be combined")
    return Source(stack if stack is not None else DEFAULT_STACK if named else _usual_stack(), every, file, day(today))


def _usual_stack() -> str:
    """The stack without an option: of a program with several the one that is selected in Pulumi, the default one, or the only one of a program."""
    directory = project_folder(Path.cwd())
    stacks = configured_stacks(directory) if directory is not None and not known_stacks(directory) else []
    if directory is not None and len(stacks) > 1:
        from nodepools.engine.project import ProjectError, selected_stack  # reads YAML

        try:
            selected = selected_stack(directory)
        except ProjectError as error:
            usage_error(str(error))
        if selected in stacks:
            return selected
    if not stacks or DEFAULT_STACK in stacks:
        return DEFAULT_STACK
    if len(stacks) > 1:
        usage_error(f"the program has several stacks ({', '.join(stacks)}): use `--stack {stacks[0]}`")
    return stacks[0]


def named_sources(stack: str | None, *, every: bool, file: Path | None) -> list[str]:
    """Returns the given options that name a source."""
    given = {"`--stack`": stack is not None, "`--all`": every, "`--file`": file is not None}
    return [option for option, is_given in given.items() if is_given]


def check_alone(given: Sequence[Path], stack: str | None, *, every: bool, file: Path | None) -> None:
    """Ends the command if manifests or exports, which are `given`, are combined with a declaration."""
    if given and (named := named_sources(stack, every=every, file=file)):
        usage_error(f"{' and '.join(named)} cannot be combined with manifests or `--existing`")


def check_sources(source: Source, run: CommandRun) -> list[CheckedPlatform]:
    """Reads and checks every declaration of `source`. With several, each finding has the file as its object.

    Of several, those that cannot be read are problems of `run`.

    Raises:
        UnreadableError: the only declaration cannot be read.
    """
    return list(_checked(source, run))


def load_valid_platform(source: Source, run: CommandRun) -> Platform:
    """Returns the platform of a source with one.

    Raises:
        UnreadableError: the declaration cannot be read.
        InvalidError: the declaration has errors.
    """
    [platform] = load_valid_platforms(source, run)
    return platform


def load_valid_platforms(source: Source, run: CommandRun) -> list[Platform]:
    """Returns the platforms of `source`.

    Raises:
        UnreadableError: the only declaration cannot be read.
        InvalidError: a declaration has errors.
    """
    return [platform for platform, _ in load_platforms(source, run)]


def load_platforms(source: Source, run: CommandRun, answered: Collection[str] = ()) -> list[tuple[Platform, list[Finding]]]:
    """Returns the platforms of `source`, each with the findings of the rules in `answered`: the command answers these itself, also errors.

    Raises:
        UnreadableError: the only declaration cannot be read.
        InvalidError: a declaration has errors.
    """
    checked = check_sources(source, run)
    run.problems.extend(problem for declaration in checked for problem in declaration.unmodeled)
    return [_without_errors(declaration, answered) for declaration in checked]


def _without_errors(declaration: CheckedPlatform, answered: Collection[str]) -> tuple[Platform, list[Finding]]:
    # Ignore comments are checked by `check` alone: they can name rules that other commands do not load.
    allowed = {*IGNORE_CODES, *answered}
    errors = [finding for finding in declaration.findings if finding.severity is Severity.ERROR and finding.code not in allowed]
    if declaration.platform is None and not errors and declaration.unmodeled:
        raise InputError  # the problems say why
    if declaration.platform is None or errors:
        raise InvalidError(declaration.name, errors)
    return declaration.platform, [finding for finding in declaration.findings if finding.code in answered]


def _checked(source: Source, run: CommandRun) -> Iterator[CheckedPlatform]:
    if source.file is not None:
        text, name = text_of(source.file), str(source.file)  # once: a pipe has its text only once
        one = _check(name, run, lambda: load_text(text, name), source.today)
        yield replace(one, findings=tuple(left_in_text(one.findings, text, name)))
        return
    directory = project_directory()
    if not source.every and runs_program(source.stack, directory):
        yield _program(source.stack, directory, run, source.today)
        return
    if not source.every:
        one = _check(source.stack, run, lambda: read_stack(source.stack, directory), source.today)
        yield replace(one, findings=tuple(_left_in_stack(one.findings, source.stack, directory)))
        return
    stacks = known_stacks(directory)
    if not stacks and runs_program(DEFAULT_STACK, directory):
        configured = configured_stacks(directory)
        for stack in configured if configured else [DEFAULT_STACK]:
            one = _program(stack, directory, run, source.today)
            yield replace(one, findings=tuple(replace(finding, object=f"stack {stack}") for finding in one.findings))
        return
    if not stacks:
        raise UnreadableError(f"{directory / 'stacks'}: contains no stack: `nodepools init FOLDER` writes a project with stacks")
    for stack in stacks:
        try:
            one = _check(stack, run, lambda stack=stack: read_stack(stack, directory), source.today)
        except UnreadableError as error:
            run.problems.append(Problem.of(str(error)))
            continue
        left = _left_in_stack(one.findings, stack, directory)
        yield replace(one, findings=tuple(replace(finding, object=f"stacks/{stack}.py") for finding in left))


def _program(stack: str, directory: Path, run: CommandRun, today: date | None) -> CheckedPlatform:
    """The clusters of a program, with findings at the lines that declare them."""
    from nodepools.cli.inputs.programs import read_program  # imports pulumi

    try:
        found = read_program(stack, directory, run)
    except InvalidError as error:
        return CheckedPlatform(stack, None, tuple(error.findings))
    encrypted = found.encrypted
    of_raw = list(found.raw_findings(today))
    if not found.clusters:
        return CheckedPlatform(stack, found.platform(), tuple(found.left(of_raw)), unmodeled=found.unmodeled)
    one = _check(stack, run, found.declared_platform, today)
    findings = [replace(finding, position=found.position(finding.steps)) for finding in one.findings if finding.path not in encrypted]
    platform = found.platform() if one.platform is not None else None
    return replace(one, platform=platform, findings=tuple(found.left([*findings, *of_raw])), unmodeled=found.unmodeled)


def left_in_text(findings: Sequence[Finding], text: str, name: str) -> Iterator[Finding]:
    """Yields the findings that comments in the text of a platform do not accept, with positions and YAML spelling."""
    if not findings and "nodepools:" not in text:
        return
    from nodepools.manifests.ignore_comments import platform_ignores  # needs PyYAML, which stacks do not
    from nodepools.manifests.platform_yaml import parse

    marks = parse(text, name).marks
    in_yaml = [finding.spelled(YAML) for finding in findings]
    marked = [replace(finding, position=marks(finding.steps)) if marks is not None else finding for finding in in_yaml]
    yield from without_accepted(marked, platform_ignores(text, name))


def _left_in_stack(findings: Sequence[Finding], stack: str, directory: Path) -> Iterator[Finding]:
    """Yields the findings that comments in the file of a stack do not accept, with positions of literals."""
    text = (directory / "stacks" / f"{stack}.py").read_text(encoding="utf-8-sig")
    if not findings and "nodepools:" not in text:
        return
    from nodepools.manifests.stack_source import StackSource  # only findings and comments need it

    source = StackSource.of(text, f"stacks/{stack}.py")
    yield from without_accepted([replace(finding, position=source.position(finding.steps)) for finding in findings], source.ignores())


def _check(name: str, run: CommandRun, read: Callable[[], Platform], today: date | None) -> CheckedPlatform:
    failed: dict[str, RuleFailedError] = {}

    def keep(error: RuleFailedError) -> None:
        """Keeps the first failure of each rule."""
        failed.setdefault(error.rule.code, error)

    with user_code():
        try:
            platform = read()
            run.hide(platform)
        except DeclarationError as error:
            from nodepools.rules.engine.runner import recheck  # only needed for schema errors

            run.hide(error.rest)
            found = tuple(recheck(error, today, keep))
            return CheckedPlatform(name, None, found, tuple(failed.values()))
        found = tuple(check(platform, today=today, failed=keep))
        return CheckedPlatform(name, platform, found, tuple(failed.values()))
