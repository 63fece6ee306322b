"""Where the declarations come from: stacks of a project, or a file."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path

import typer

from nodepools.cli.exits import end, unusable
from nodepools.cli.options import day
from nodepools.cli.report import print_findings, summary
from nodepools.loading import UnreadableError, known_stacks, load_file, read_stack
from nodepools.model.platform import Platform
from nodepools.rules.finding import DeclarationError, Finding, Severity
from nodepools.rules.judge import check

DEFAULT_STACK = "dev"


@dataclass(frozen=True, slots=True)
class Source:
    """What the options say: one stack, all stacks, or a file."""

    stack: str = DEFAULT_STACK
    every: bool = False
    file: Path | None = None
    today: date | None = None
    """The day for which it is judged; today when left out."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A declaration and all that is wrong with it. One with findings of shape has no platform."""

    name: str
    platform: Platform | None
    findings: tuple[Finding, ...]


def project_directory() -> Path:
    """The folder of the nearest `Pulumi.yaml`, upwards, as Pulumi itself looks for it.

    Raises:
        UnreadableError: there is none.
    """
    here = Path.cwd()
    found = next((folder for folder in (here, *here.parents) if (folder / "Pulumi.yaml").is_file()), None)
    if found is None:
        raise UnreadableError(f"no Pulumi.yaml in {here} or above: run this inside the project, or name a declaration with --file")
    return found


def chosen(stack: str | None, *, every: bool = False, file: Path | None = None, today: datetime | None = None) -> Source:
    """What the options of a command name."""
    named = named_sources(stack, every=every, file=file)
    if len(named) > 1:
        unusable(f"{' and '.join(named)} exclude each other")
    return Source(stack if stack is not None else DEFAULT_STACK, every, file, day(today))


def named_sources(stack: str | None, *, every: bool, file: Path | None) -> list[str]:
    """The options that name a declaration, of those that are given."""
    given = {"--stack": stack is not None, "--all": every, "--file": file is not None}
    return [option for option, is_given in given.items() if is_given]


def judged(source: Source) -> list[Judged]:
    """Every declaration of `source`, judged. Where there are several, each finding says of which file it is.

    Raises:
        UnreadableError: a declaration cannot be read.
    """
    return list(_judged(source))


def sound_platform(stack: str | None, file: Path | None, today: datetime | None = None) -> Platform:
    """The platform, where it has no errors; they end the command."""
    [platform] = sound_platforms(chosen(stack, file=file, today=today))
    return platform


def sound_platforms(source: Source) -> list[Platform]:
    """The platforms of `source`, where none has errors; they end the command."""
    return [_without_errors(declaration) for declaration in judged(source)]


def _without_errors(declaration: Judged) -> Platform:
    errors = [finding for finding in declaration.findings if finding.severity is Severity.ERROR]
    if declaration.platform is None or errors:
        print_findings(errors, err=True)
        typer.echo(f"{declaration.name}: {summary(errors)}", err=True)
        end(errors, strict=False)
    return declaration.platform


def _judged(source: Source) -> Iterator[Judged]:
    if source.file is not None:
        one = _judge(str(source.file), lambda: load_file(source.file or Path()), source.today)
        yield replace(one, findings=tuple(_marked(one.findings, source.file)))
        return
    directory = project_directory()
    if not source.every:
        yield _judge(source.stack, lambda: read_stack(source.stack, directory), source.today)
        return
    stacks = known_stacks(directory)
    if not stacks:
        raise UnreadableError(f"{directory / 'stacks'} holds no stack")
    for stack in stacks:
        one = _judge(stack, lambda stack=stack: read_stack(stack, directory), source.today)
        yield replace(one, findings=tuple(replace(finding, object=f"stacks/{stack}.py") for finding in one.findings))


def _marked(findings: Sequence[Finding], file: Path) -> Iterator[Finding]:
    """Each with its line and column in the file of the platform, which could be read."""
    if not findings:
        return
    from nodepools.manifests.text import parse  # needs PyYAML, which stacks do without

    marks = parse(file.read_text(encoding="utf-8-sig"), str(file)).marks
    yield from (replace(finding, position=marks(finding.steps)) if marks is not None else finding for finding in findings)


def _judge(name: str, read: Callable[[], Platform], today: date | None) -> Judged:
    try:
        with redirect_stdout(sys.stderr):  # what a stack prints: standard output is for the answer alone
            platform = read()
    except DeclarationError as error:
        from nodepools.rules.malformed import judged_again  # a declaration without findings of shape needs none of it

        return Judged(name, None, tuple(judged_again(error, today)))
    return Judged(name, platform, tuple(check(platform, today=today)))
