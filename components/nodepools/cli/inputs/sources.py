"""Reads and checks declarations: stacks of a project, or a file."""

import os
import re
import shlex
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import date, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from nodepools.cli.command_run import CommandRun
from nodepools.cli.common_options import day
from nodepools.cli.inputs.input_files import shown
from nodepools.cli.inputs.input_files import text as input_text
from nodepools.cli.inputs.user_code import user_code
from nodepools.cli.problem import InputError, InvalidError, Problem, usage_error
from nodepools.loading import OtherFileError, UnreadableError, load_text, read_stack, text_of
from nodepools.model.listing import listed, quoted
from nodepools.model.platform import Platform, beside_namesake
from nodepools.model.steps import Steps
from nodepools.model.values import dataclass, replace
from nodepools.reading.bounded_input import is_terraform
from nodepools.reading.project_folder import DEFAULT_STACK, configured_stacks, known_stacks, project_folder, runs_program, stack_file, stack_files
from nodepools.rules.engine.accepted_findings import without_accepted
from nodepools.rules.engine.codes import IGNORE_CODES
from nodepools.rules.engine.finding import YAML, DeclarationError, Finding, Severity, SourcePosition
from nodepools.rules.engine.registry import Where, limit_of
from nodepools.rules.engine.runner import RuleFailedError, check

if TYPE_CHECKING:
    from nodepools.model.platform import AnyCluster
    from nodepools.resources.terraform import TerraformSource

NAMED: Final = 3
"""Inputs that the first line of an answer names."""
_DATA: Final = (".yaml", ".yml", ".json")
_NOT_IN_KEYS: Final = re.compile(r"[^a-z0-9-]+")
_LONGEST_KEY: Final = 20
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Source:
    """What to read: one stack, all stacks, or platform files and folders of them."""

    stack: str = DEFAULT_STACK
    every: bool = False
    files: tuple[Path, ...] = ()
    today: date | None = None
    """Date of the check; `None` is today."""
    jobs: int = 1
    """Processes that check several."""
    hcl: Path | None = None
    """The folder with the configuration of a plan of Terraform; `None`: that of the plan."""

    @property
    def about(self) -> str:
        """What it reads, as the first line of an answer names it."""
        return listed(list(map(shown, self.files)), NAMED) if self.files else "all stacks" if self.every else self.stack

    @property
    def file(self) -> str:
        """The file in which its only platform is edited; empty if there are several, or a program or a plan declares it."""
        if self.every or self.files:
            return str(self.files[0]) if len(self.files) == 1 and self.files[0].suffix in (".yaml", ".yml") else ""
        directory = project_folder(Path.cwd())
        return stack_file(self.stack, directory) if directory is not None and stack_files(self.stack, directory) else ""

    @property
    def options(self) -> str:
        """The options that name it, for the next command."""
        named = [f"--file {shlex.quote(str(file))}" for file in self.files]
        return " ".join(named) if named else "--all" if self.every else f"--stack {shlex.quote(self.stack)}"


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
    file: str = ""
    """Where it is declared; empty for a program."""
    terraform: "TerraformSource | None" = None
    """A plan or a state of Terraform, whose resources were checked."""


def project_directory(*, instead: str = ", or use `--file`") -> Path:
    """The folder of the nearest `Pulumi.yaml`, searched upwards, as Pulumi does.

    Raises:
        UnreadableError: there is no such file.
    """
    here = Path.cwd()
    found = project_folder(here)
    if found is None:
        raise UnreadableError(f"Pulumi.yaml not found in {here} or its parent folders: run this in the project{instead}")
    return found


def selected_source(stack: str | None, *, every: bool = False, file: Sequence[Path] | None = None, today: datetime | None = None) -> Source:
    """Returns the source that the options of a command name."""
    named = named_sources(stack, every=every, file=file)
    if len(named) > 1:
        usage_error(f"{' and '.join(named)} cannot be combined")
    files = tuple(dict.fromkeys(file)) if file is not None else ()
    return Source(stack if stack is not None else DEFAULT_STACK if named else _usual_stack(), every, files, day(today))


def _usual_stack() -> str:
    """The stack without an option: `default-stack` of the settings, then `dev`, the only one, or the one that is selected in Pulumi.

    Of a program with several stacks, the selected one comes before `dev`.
    """
    from nodepools.cli.configuration import settings_table  # loads the registry of rules

    chosen = settings_table(Path.cwd()).default_stack
    directory = project_folder(Path.cwd())
    known = known_stacks(directory) if directory is not None else []
    stacks = known or (configured_stacks(directory) if directory is not None else [])
    if chosen is not None or not stacks or DEFAULT_STACK in known:
        return chosen if chosen is not None else DEFAULT_STACK
    if directory is not None and len(stacks) > 1:
        from nodepools.engine.project import ProjectError, selected_stack  # reads YAML

        try:
            selected = selected_stack(directory)
        except ProjectError as error:
            usage_error(str(error))
        if selected in stacks:
            return selected
        if DEFAULT_STACK not in stacks:
            usage_error(f"the {'project' if known else 'program'} has several stacks ({', '.join(stacks)}): use `--stack {stacks[0]}`")
        return DEFAULT_STACK
    return stacks[0]


def named_sources(stack: str | None, *, every: bool, file: Sequence[Path] | None) -> list[str]:
    """Returns the given options that name a source."""
    given = {"`--stack`": stack is not None, "`--all`": every, "`--file`": bool(file)}
    return [option for option, is_given in given.items() if is_given]


def check_alone(given: Sequence[Path], stack: str | None, *, every: bool, file: Sequence[Path] | None) -> None:
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
    return [_without_errors(declaration, answered, run) for declaration in checked]


def _without_errors(declaration: CheckedPlatform, answered: Collection[str], run: CommandRun) -> tuple[Platform, list[Finding]]:
    # Ignore comments are checked by `check` alone: they can name rules that other commands do not load.
    allowed = {*IGNORE_CODES, *answered}
    errors = [finding for finding in declaration.findings if finding.severity is Severity.ERROR and finding.code not in allowed]
    platform = declaration.platform
    if platform is None and not errors and declaration.unmodeled:
        raise InputError  # the problems say why
    if declaration.terraform is not None and not errors:
        platform = _terraform_platform(declaration.terraform, declaration.name, run)
    if platform is None or errors:
        raise InvalidError(declaration.name, errors)
    return platform, [finding for finding in declaration.findings if finding.code in answered]


def _checked(source: Source, run: CommandRun) -> Iterator[CheckedPlatform]:
    if source.files:
        yield from _of_files(source, run)
        return
    directory = project_directory()
    if not source.every:
        read = _program if runs_program(source.stack, directory) else _stack
        yield read(source.stack, directory, run, source.today)
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
    reads = [(stack, partial(_outcome, partial(_stack, stack, directory, run, source.today))) for stack in stacks]
    for _, one in outcomes(reads, run, source.jobs):
        if isinstance(one, UnreadableError):
            run.problems.append(Problem.of(str(one)))
            continue
        yield replace(one, findings=tuple(replace(finding, object=one.file) for finding in one.findings))


def outcomes(reads: Sequence[tuple[str, Callable[[], T]]], run: CommandRun, jobs: int) -> Iterator[tuple[str, T]]:
    """What each function returns, in their order. With several jobs, one whose process ended before it answered is a problem of `run`."""
    if jobs > 1 and len(reads) > 1 and hasattr(os, "fork"):
        from nodepools.cli.inputs.forked_checks import forked_outcomes  # only `--jobs` needs it

        yield from forked_outcomes(reads, run, jobs)
    else:
        yield from ((name, read()) for name, read in reads)


def every_outcome(reads: Sequence[tuple[str, Callable[[], T]]], run: CommandRun, jobs: int) -> list[T]:
    """What each function returns, in their order.

    Raises:
        InputError: a process ended before it answered, which is a problem of `run`.
    """
    found = [one for _, one in outcomes(reads, run, jobs)]
    if len(found) < len(reads):
        raise InputError
    return found


def _outcome(read: Callable[[], CheckedPlatform]) -> CheckedPlatform | UnreadableError:
    try:
        return read()
    except UnreadableError as error:
        return error


def platform_files(given: Sequence[Path], run: CommandRun) -> list[Path]:
    """The files that `--file` names, with the YAML and JSON files of folders. What cannot be entered is a problem of `run`, a hidden file a note."""
    if not any(path.is_dir() for path in given):
        return list(given)
    from nodepools.cli.configuration import excluded  # only folders need it
    from nodepools.cli.inputs.file_search import files
    from nodepools.cli.inputs.input_files import InputFiles

    found = dict.fromkeys(files(InputFiles(given, excluded(None)), run))
    hidden = [file for file in found if file not in given and _is_hidden(file, given)]
    run.notes.extend(Problem(str(file), "hidden, and not read: name it with `--file` to read it") for file in hidden)
    return [file for file in found if file not in hidden]


def _is_hidden(file: Path, given: Sequence[Path]) -> bool:
    """Its name, or that of a folder between it and each folder that was named, begins with a period."""
    below = [file.relative_to(folder).parts for folder in given if file.is_relative_to(folder)]
    return bool(below) and all(any(name.startswith(".") for name in names) for names in below)


def _of_files(source: Source, run: CommandRun) -> Iterator[CheckedPlatform]:
    """Each file is a platform. Of several, one that cannot be read is a problem of `run`; what a folder has next to platforms is a notice."""
    found = platform_files(source.files, run)
    is_only = found == list(source.files) and len(found) == 1
    found = list({file.resolve(): file for file in reversed(found)}.values())[::-1]  # a file can have several names
    names, checked = Counter[str](), 0
    reads = [(str(file), partial(_outcome, partial(_file, file, run, source))) for file in found]
    for name, one in outcomes(reads, run, source.jobs):
        if isinstance(one, UnreadableError):
            if is_only:
                raise one
            if isinstance(one, OtherFileError) and Path(name) not in source.files:
                run.notes.append(other_file(name))
            else:
                run.problems.append(Problem.of(str(one), name))
            continue
        if one.platform is not None:
            names[one.platform.name] += 1
            if names[one.platform.name] > 1:
                run.problems.append(same_name(Path(name), one.platform.name))
        checked += 1
        yield one if is_only else replace(one, findings=tuple(replace(finding, object=name) for finding in one.findings))
    if not checked:
        raise InputError(*(() if run.problems else (Problem(source.about, "contains no platform: name the folder of your platform files"),)))


def other_file(name: str) -> Problem:
    """The notice on a file in a folder of platforms."""
    return Problem(name, "is not a platform: not read")


def same_name(file: Path, name: str) -> Problem:
    """Two files have a platform of one name."""
    return Problem(str(file), f"another file also has a platform with the name `{name}`, which resource names use: set another `name`")


def _stack(stack: str, directory: Path, run: CommandRun, today: date | None) -> CheckedPlatform:
    one = _check(stack, run, lambda: read_stack(stack, directory), today)
    return replace(one, findings=tuple(_left_in_stack(one.findings, stack, directory)), file=stack_file(stack, directory))


def _file(file: Path, run: CommandRun, source: Source) -> CheckedPlatform:
    text, name = input_text(file), shown(file)  # once: a pipe has its text only once
    found = _terraform(text, name, run, source) if is_terraform(text) else None
    if found is not None:
        return found
    one = _check(name, run, lambda: load_text(text, name), source.today)
    return replace(one, findings=tuple(left_in_text(one.findings, text, name)), file=name)


def _terraform(text: str, name: str, run: CommandRun, given: Source) -> CheckedPlatform | None:
    """The resources of a plan or a state of Terraform; `None` if the text is something else."""
    from nodepools.cli.inputs.terraform_files import checked_resources, terraform_in  # few commands read plans

    source = terraform_in(text, name)
    findings = checked_resources(source, name, run, given.today, given.hcl) if source is not None else ()
    return CheckedPlatform(name, None, tuple(findings), terraform=source) if source is not None else None


def _program(stack: str, directory: Path, run: CommandRun, today: date | None) -> CheckedPlatform:
    """The clusters of a program, with findings at the lines that declare them."""
    from nodepools.cli.inputs.programs import read_program  # imports pulumi

    configured, name = configured_stacks(directory), stack.rpartition("/")[2]
    if configured and name not in configured:
        text = f"there is no such file, so the stack has no settings: those with settings are {quoted(configured, NAMED)}"
        run.notes.append(Problem(f"Pulumi.{name}.yaml", text))
    try:
        found = read_program(stack, directory, run)
    except InvalidError as error:
        return CheckedPlatform(stack, None, tuple(error.findings))
    encrypted = found.encrypted
    of_raw = list(found.raw_findings(today))
    if not found.clusters:
        return CheckedPlatform(stack, found.platform(), tuple(found.left(of_raw)), unmodeled=found.open())
    one = _check(stack, run, found.declared_platform, today)
    known = [one for one in one.findings if found.is_alone("".join(map(str, one.steps[1:2]))) or limit_of(one.code, Where.OPEN_CLUSTER) is None]
    findings = [replace(finding, position=found.position(finding.steps)) for finding in known if finding.path not in encrypted]
    platform = found.platform() if one.platform is not None else None
    return replace(one, platform=platform, findings=tuple(found.left([*findings, *of_raw])), unmodeled=found.open())


def _terraform_platform(source: "TerraformSource", file: str, run: CommandRun) -> Platform:
    """The clusters of a plan or a state as they are declared after it. What is not in it is a problem of `run`.

    Raises:
        UnreadableError: it has no cluster.
        InputError: something that decides where pods run is not known, or not read.
        DeclarationError: a cluster has values that are not valid.
    """
    from nodepools.adoption.adopted import in_model  # only plans are declared this way
    from nodepools.adoption.draft import CannotAdoptError
    from nodepools.adoption.read_exports import Exports
    from nodepools.cli.inputs.terraform_files import NOT_DECLARED, PrintedSide
    from nodepools.clouds.change import AKS_CLUSTER, EKS_CLUSTER, NODE_GROUP

    before, run.is_terraform = len(run.problems), True
    if not any(one.type in (AKS_CLUSTER, EKS_CLUSTER) for one in source.after):
        raise UnreadableError(f"{file}: declares no cluster, which this command needs: `nodepools check` and `nodepools diff` read it")
    groups = [one.urn for one in source.after if one.type == NODE_GROUP]
    if groups:
        run.problems.append(Problem(file, f"not read here: {listed(groups, NAMED)}"))
    read = Exports()
    for document in PrintedSide(source, file, run, is_after=True).documents():
        if not document.keys() & NOT_DECLARED:
            read.add(document, file)
    found, wrong = read.clusters()
    run.problems.extend(map(Problem.of, wrong))
    clusters: dict[str, AnyCluster] = {}
    names = [existing.name for existing in found]
    for existing in found:
        try:
            cluster = in_model(existing).cluster("cluster")
        except CannotAdoptError as error:
            run.problems.append(Problem(file, f"the cluster `{existing.name}` {error}"))
            continue
        written = (
            existing.name
            if names.count(existing.name) == 1
            else f"{existing.name}-{getattr(existing.id, 'group', getattr(existing.id, 'region', ''))}"
        )
        key = _NOT_IN_KEYS.sub("-", written.lower()).strip("-")[:_LONGEST_KEY]
        clusters[key if key not in clusters else f"{key}-{len(clusters)}"] = cluster
    if len(run.problems) > before:
        raise InputError  # a pool that is not read could be the one that fits
    name = _NOT_IN_KEYS.sub("-", str(Path(file).with_suffix("")).lower()).strip("-")[-_LONGEST_KEY:].lstrip("-0123456789")
    return Platform(name=name if name else "terraform", clusters=clusters, standard_tags=False)


def places_of(source: Source, platforms: Sequence[Platform]) -> dict[str, str]:
    """Where each cluster and pool is declared, by its name in answers: `stacks/dev.py:48`. Without what a program or a plan declares."""
    several = len(platforms) > 1
    found: dict[str, str] = {}
    for platform in platforms:
        file = (replace(source, stack=platform.name, every=False) if source.every else source).file
        if not file:
            continue
        name = file if source.files else str(project_directory() / file)
        position = _positions(text_of(Path(name)), file)
        for key, cluster in platform.clusters.items():
            for address, steps in ((key, ()), *((f"{key}/{name}", steps) for steps, name, _ in cluster.declared_pools())):
                place = position(("clusters", key, *steps))
                whole = f"{platform.name}/{address}" if several else address
                found[beside_namesake(whole) if whole in found else whole] = file if place is None else f"{file}:{place.line}"
    return found


def _positions(text: str, name: str) -> Callable[[Steps], SourcePosition | None]:
    if name.endswith(_DATA):
        from nodepools.manifests.platform_yaml import parse  # needs PyYAML, which stacks do not

        marks = parse(text, name).marks
        return marks if marks is not None else lambda _: None
    from nodepools.manifests.stack_source import StackSource  # only steps and findings need it

    return StackSource.of(text, name).position


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
    name = stack_file(stack, directory)
    if not (directory / name).is_file():  # the stack was renamed
        yield from findings
        return
    text = text_of(directory / name)
    if name.endswith(_DATA):
        yield from left_in_text(findings, text, name)
        return
    if not findings and "nodepools:" not in text:
        return
    from nodepools.manifests.stack_source import StackSource  # only findings and comments need it

    source = StackSource.of(text, name)
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
