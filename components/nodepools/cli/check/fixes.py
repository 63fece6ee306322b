"""`nodepools check --fix` and `--dry-run`: applies fixes to files, or prints what they change."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from difflib import unified_diff
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Final, TypeAlias, cast

import typer

from nodepools.cli.command_run import CommandRun
from nodepools.cli.inputs.input_files import STDIN, InputFiles
from nodepools.cli.inputs.manifest_checks import manifest_texts
from nodepools.cli.inputs.sources import CheckedPlatform, Source, left_in_text, platform_files, project_directory
from nodepools.cli.output.report import Act, Section, Step, command, lines_of
from nodepools.cli.problem import Problem, os_error_text, usage_error
from nodepools.cli.written_file import rewrite
from nodepools.loading import UnreadableError, load_text, text_of
from nodepools.manifests.edits.python_edit import python_edited
from nodepools.manifests.edits.yaml_edit import NotEditableError, edited, edited_objects
from nodepools.manifests.ignore_comments import object_ignores
from nodepools.manifests.manifest_objects import ManifestObject, objects
from nodepools.manifests.object_checks import check_objects
from nodepools.model.base import Model
from nodepools.model.listing import counted, grouped
from nodepools.model.path import Operation, jsonable, path_text, shown, value_at
from nodepools.model.platform import Platform
from nodepools.model.redaction import contents_of, redacted, scrubbed, secrets_in
from nodepools.model.steps import Steps, mapping, sequence
from nodepools.model.values import dataclass, field
from nodepools.reading.bounded_input import TextError
from nodepools.reading.project_folder import known_stacks, stack_files
from nodepools.reading.yaml_documents import documents, source_position
from nodepools.reading.yaml_scalars import PLATFORM
from nodepools.rules.engine.accepted_findings import without_accepted
from nodepools.rules.engine.codes import IGNORE_CODES
from nodepools.rules.engine.finding import DeclarationError, Finding, Severity, SourcePosition, applied
from nodepools.rules.engine.runner import check, recheck

Texts: TypeAlias = Mapping[str, str]
"""Text by file name."""
Select: TypeAlias = Callable[[Sequence[Finding]], Sequence[Finding]]
"""Returns the findings that a configuration selects."""
SelectWithin: TypeAlias = Callable[[Sequence[Finding], str], Sequence[Finding]]
"""The same for what is in a stack or a platform file: some are accepted there."""


_REJECTED: Final = "the edit causes another finding, changes another part through an alias, or has no place in the file"
_SCHEMA: Final = "CFG"
"""Codes of schema errors."""
_LINE: Final = re.compile(r"[^\n]*\n|[^\n]+")
"""A line as `patch` counts them: other line breaks of Unicode are text."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of a file."""

    file: str
    line: int
    finding: Finding
    operation: Operation
    old: object
    """The value before it."""

    @classmethod
    def of(cls, finding: Finding, operation: Operation, file: str, at: SourcePosition, held: object) -> "Edit":
        """The edit of `held`, which is an object or a platform as data."""
        return cls(file, at.line, finding, operation, value_at(held, operation.path))

    def to_json(self) -> dict[str, object]:
        """The edit as JSON data; without `value` if the old one is removed."""
        path = self.operation.path
        data = self.operation.to_json(redacted(jsonable(self.operation.value), path))
        value = {"value": data["value"]} if "value" in data else {}
        old = redacted(jsonable(self.old), path)
        return {"path": f"{self.file}:{self.line}", "code": self.finding.code, "op": self.operation.op, "field": data["path"], "old": old, **value}

    def __str__(self) -> str:
        """`np.yaml:12: KAR044 spec.requirements[0].values[1]: 'ondemand' → 'on-demand'`."""
        path = self.operation.path
        old, new = (redacted(jsonable(value), path) for value in (self.old, self.operation.value))
        match self.operation.op:
            case "remove":
                change = f"{shown(old, in_python=False)} → removed"
            case "rename":
                change = f"renamed to {self.operation.value}"
            case _:
                texts = [shown(value, in_python=False) for value in (old, new)]
                if not any(texts):  # parts without a text of their own
                    texts = [counted(len(cast("Sequence[object]", value)), "item") for value in (old, new) if isinstance(value, list | dict)]
                change = " → ".join(texts)
        return f"{self.file}:{self.line}: {self.finding.code} {path_text(path)}: {change}"


View: TypeAlias = "PlatformView | ManifestView"
"""Texts and their findings."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """The texts after fixing."""

    texts: Texts
    fixed: tuple[Finding, ...]
    left: tuple[Finding, ...]
    edits: tuple[Edit, ...] = ()
    """What was changed for the findings that are fixed."""


def fixed(view: View) -> Fixed:
    """Applies each fix that clears its finding and causes no other: all together if that works, otherwise in halves.

    Each trial checks everything again: of many fixes, the few that do not help are found with few trials.
    """
    done: list[Finding] = []
    edits: list[Edit] = []
    rejected: set[tuple[object, ...]] = set()
    size = len(view.findings)
    while pending := [finding for finding in view.findings if finding.is_fixable and _fix_key(finding) not in rejected]:
        group = pending[: max(size, 1)]
        after = _view_after(view, group)
        if after is not None:
            done += group
            edits += [edit for finding in group for edit in view.edits_of(finding)]
            view, size = after, size * 2
        elif len(group) > 1:
            size = len(group) // 2
        else:
            rejected.add(_fix_key(group[0]))
    return Fixed(view.texts, tuple(done), tuple(view.findings), tuple(edits))


def _counts(finding: Finding) -> bool:
    """Whether a new finding rejects a fix. Findings about ignore comments do not: a fix can make such a comment obsolete."""
    return finding.severity is not Severity.NOTE and finding.code not in IGNORE_CODES


def _fix_key(finding: Finding) -> tuple[object, ...]:
    return finding.object, finding.code, finding.path, finding.message


def _view_after(view: View, findings: Sequence[Finding]) -> "View | None":
    """Applies these fixes; `None` if one does not clear its finding, or causes an error or a warning."""
    try:
        after = view.with_fixes(findings)
    except (NotEditableError, LookupError):
        return None
    if any("&" in text and "*" in text for text in view.texts.values()) and not _only_there(view, after, findings):
        return None
    of_schema = all(finding.code.startswith(_SCHEMA) for finding in findings)  # once it fits, more rules can run
    before, now, gone = (
        Counter(finding.code for finding in group if _counts(finding) and (finding.code.startswith(_SCHEMA) or not of_schema))
        for group in (view.findings, after.findings, findings)
    )
    return after if all(now[code] <= before[code] - gone[code] for code in {*before, *now}) else None


def _only_there(view: View, after: View, findings: Sequence[Finding]) -> bool:
    """The fixes change nothing else: a part with an anchor is in other places, too."""
    asked = grouped((finding.object, operation) for finding in findings for operation in finding.operations)
    pairs = zip(view.values, after.values, strict=True)
    changes = ((name, path) for (name, old), (_, new) in pairs for path in _changed(old, new))
    return all(any(_is_within(path, operation) for operation in asked.get(name, ())) for name, path in changes)


def _changed(old: object, new: object, at: Steps = ()) -> Iterator[Steps]:
    """The paths at which two values differ."""
    one, other, items, others = mapping(old), mapping(new), sequence(old), sequence(new)
    if one and other:
        for key in {**one, **other}:
            yield from _changed(one[key], other[key], (*at, key)) if key in one and key in other else [(*at, key)]
    elif items and len(items) == len(others):
        for place, (first, second) in enumerate(zip(items, others, strict=True)):
            yield from _changed(first, second, (*at, place))
    elif old != new:
        yield at


def _is_within(path: Steps, operation: Operation) -> bool:
    """The operation changes this path: an entry that is added, removed or renamed moves those next to it."""
    whole = operation.path if operation.op == "set" else operation.path[:-1]
    return path[: len(whole)] == whole or operation.path[: len(path)] == path


@dataclass(frozen=True, slots=True)
class PlatformView:
    """A platform in YAML or JSON."""

    name: str
    text: str
    platform: Platform | None
    findings: Sequence[Finding]
    select: Select
    today: date | None

    @classmethod
    def of(cls, name: str, text: str, select: Select = list, today: date | None = None) -> "PlatformView":
        """Reads and checks the platform.

        Raises:
            UnreadableError: the text is not YAML.
        """
        platform = None
        try:
            platform = load_text(text, name)
            findings = check(platform, today=today)
        except DeclarationError as error:
            findings = recheck(error, today)
        return cls(name, text, platform, select(list(left_in_text(findings, text, name))), select, today)

    @property
    def texts(self) -> Texts:
        """The text of the file."""
        return {self.name: self.text}

    @property
    def values(self) -> Sequence[tuple[str | None, object]]:
        """The platform as it is written."""
        return [(None, document.value) for document in documents(self.text, self.name, PLATFORM)]

    def edits_of(self, finding: Finding) -> Sequence[Edit]:
        """What the fix of a finding changes."""
        document = next(documents(self.text, self.name, PLATFORM))
        places = [source_position(self.name, document.start, document.places, operation.path) for operation in finding.operations]
        return [Edit.of(finding, operation, self.name, at, document.value) for operation, at in zip(finding.operations, places, strict=True)]

    def with_fixes(self, findings: Sequence[Finding]) -> "PlatformView":
        """Applies the fixes of `findings`, and checks the platform again."""
        text, platform = self.text, self.platform
        for finding in findings:
            platform = applied(platform, finding.operations) if platform is not None else None
            text = edited(text, finding.operations, text_of=partial(_text_of, platform))
        try:
            return self.of(self.name, text, self.select, self.today)
        except UnreadableError as error:
            raise NotEditableError(str(error)) from None


@dataclass(frozen=True, slots=True)
class ManifestView:
    """Kubernetes objects in files."""

    texts: Texts
    findings: Sequence[Finding]
    objects: Mapping[str, Sequence[ManifestObject]]
    """By the `object` of findings."""
    select: Select
    today: date | None

    @classmethod
    def of(cls, texts: Texts, select: Select = list, today: date | None = None) -> "ManifestView":
        """Reads and checks the objects.

        Raises:
            TextError: a text is not YAML.
        """
        by_file = {name: list(objects(text, name)) for name, text in texts.items()}
        found = [written for of_file in by_file.values() for written in of_file]
        ignores = [ignore for name, of_file in by_file.items() for ignore in object_ignores(texts[name], name, of_file)]
        labels = grouped((written.label, written) for written in found)
        return cls(texts, select(list(without_accepted(check_objects(found, today).findings, ignores))), labels, select, today)

    @property
    def values(self) -> Sequence[tuple[str | None, object]]:
        """The objects as they are written."""
        return [(label, written.raw) for label, of_label in self.objects.items() for written in of_label]

    def edits_of(self, finding: Finding) -> Sequence[Edit]:
        """What the fix of a finding changes."""
        written = self._written(finding)
        return [Edit.of(finding, operation, written.file, written.position(operation.path), written.raw) for operation in finding.operations]

    def with_fixes(self, findings: Sequence[Finding]) -> "ManifestView":
        """Applies the fixes of `findings`, and checks the texts again."""
        edits: dict[str, list[tuple[tuple[int, int], Sequence[Operation]]]] = {}
        for finding in findings:
            written = self._written(finding)
            edits.setdefault(written.file, []).append(((written.start.line, written.start.column), finding.operations))
        last_first = {name: sorted(of_file, key=itemgetter(0), reverse=True) for name, of_file in edits.items()}
        texts = {**self.texts, **{name: edited_objects(self.texts[name], of_file) for name, of_file in last_first.items()}}
        try:
            return self.of(texts, self.select, self.today)
        except TextError as error:
            raise NotEditableError(str(error)) from None

    def _written(self, finding: Finding) -> ManifestObject:
        found = self.objects.get(finding.object or "", ())
        if len(found) != 1:
            raise NotEditableError("several objects have this name")
        return found[0]


def _text_of(declaration: Model | None, steps: Steps) -> str | None:
    """Returns a part as text, if its class has a text form."""
    part = value_at(declaration, steps)
    return str(part) if isinstance(part, Model) and type(part).__str__ is not Model.__str__ else None


@dataclass(frozen=True, slots=True)
class Fixes:
    """What `--fix` wrote or would write, and what it left."""

    writes: bool
    edits: tuple[Edit, ...] = ()
    diff: tuple[str, ...] = ()
    files: int = 0
    yours: int = 0
    """Findings that are left although they have a fix: the user decides on it."""
    rejected: int = 0
    """Findings whose certain fix was tried without success."""
    stacks: Mapping[str, int] = field(default_factory=dict[str, int])
    """Findings of Python stacks that the diff clears."""

    @property
    def text(self) -> str:
        """`2 findings fixed in 1 file`."""
        of_stacks = [number for number in self.stacks.values() if number and not self.writes]
        number, files = len({id(edit.finding) for edit in self.edits}) + sum(of_stacks), self.files + len(of_stacks)
        verb = "fixed" if self.writes else "would be fixed"
        return f"{counted(number, 'finding')} {verb} in {counted(files, 'file')}" if number else f"nothing {verb}"

    @property
    def next(self) -> tuple[Step, ...]:
        """How to change stacks, which are Python."""
        return tuple(
            command(f"nodepools check --stack {name} --dry-run | patch -p1", Act.FILES)
            for name, number in self.stacks.items()
            if number and self.writes
        )[:3]

    @property
    def sections(self) -> Iterator[Section]:
        """Each edit; what was left, and why."""
        if self.edits:
            yield lines_of("Fixed", *map(str, self.edits))
        left = [
            *(
                f"{name}: Python is not edited" + (f"; a diff shows {counted(number, 'finding')} fixed" if number else "")
                for name, number in self.stacks.items()
            ),
            *([f"{counted(self.yours, 'finding')}: several edits are possible, or one that changes what runs: you decide"] if self.yours else []),
            *([f"{counted(self.rejected, 'finding')}: {_REJECTED}"] if self.rejected else []),
        ]
        if left:
            yield lines_of("Not fixed", *left)

    def to_json(self) -> dict[str, object]:
        """The edits as JSON data."""
        return {"edits": [edit.to_json() for edit in self.edits]}

    def print_diff(self) -> None:
        """Prints what would change, for `patch -p1`."""
        for line in self.diff:
            typer.echo(line, nl=False)

    def and_(self, other: "Fixes") -> "Fixes":
        """Both together."""
        counts = {name: getattr(self, name) + getattr(other, name) for name in ("edits", "diff", "files", "yours", "rejected")}
        return Fixes(self.writes, stacks={**self.stacks, **other.stacks}, **counts)

    def with_stacks(self, declarations: Sequence[CheckedPlatform]) -> "Fixes":
        """The same with the edits of Python stacks, where literals hold the values. Python files are never written."""
        both = self
        for declaration in declarations:
            name = declaration.file
            if not name.endswith(".py"):
                continue  # a program, or a platform file
            before = (project_directory() / name).read_text(encoding="utf-8-sig")
            after, number = before, 0
            for finding in declaration.findings:
                changed = python_edited(after, finding.operations) if finding.is_fixable else None
                if changed is not None:
                    after, number = changed, number + 1
            both = both.and_(Fixes(self.writes, diff=tuple(_diff({name: before}, {name: after})), stacks={declaration.name: number}))
        return both


def fix(declared: Source | None, manifests: InputFiles, select: SelectWithin, *, today: date | None, run: CommandRun, writes: bool) -> Fixes:
    """Applies fixes to platform files, also those in `stacks`, and to manifests; without `writes`, finds what they change.

    What cannot be read is a problem of the check that follows. A file that cannot be written is a problem of `run`.

    Raises:
        UnreadableError: something cannot be read.
    """
    for path in (*manifests.paths, *(declared.files if declared is not None else ())):
        if str(path) == STDIN or (path.exists() and not (path.is_file() or path.is_dir())):
            usage_error(f"`--fix` and `--dry-run` need files: they cannot edit {'stdin' if str(path) == STDIN else f'`{path}`'}")
    found = Fixes(writes)
    for within, file in _platform_files(declared, run) if declared is not None else ():
        with suppress(UnreadableError):
            view = PlatformView.of(str(file), text_of(file), partial(_selected, select, within), today)
            found = found.and_(_applied(view, run, writes=writes))
    if manifests.paths:
        view = ManifestView.of(manifest_texts(manifests), partial(_selected, select, ""), today)
        found = found.and_(_applied(view, run, writes=writes))
    return found


def _platform_files(declared: Source, run: CommandRun) -> Iterator[tuple[str, Path]]:
    """The platform files of a source, each with what findings in it are within."""
    if declared.files:
        yield from ((str(file), file) for file in platform_files(declared.files, run))
        return
    directory, here = project_directory(), Path.cwd()
    for stack in known_stacks(directory) if declared.every else [declared.stack]:
        files = stack_files(stack, directory)
        if len(files) == 1 and files[0].suffix != ".py":
            yield stack, files[0].relative_to(here) if files[0].is_relative_to(here) else files[0]


def _selected(select: SelectWithin, within: str, findings: Sequence[Finding]) -> Sequence[Finding]:
    return select(findings, within)


def _applied(view: View, run: CommandRun, *, writes: bool) -> Fixes:
    if not view.texts:
        return Fixes(writes)  # none can be read
    result = fixed(view)
    changed = {name: text for name, text in result.texts.items() if text != view.texts[name]}
    written = {name for name, text in changed.items() if not writes or _is_written(Path(name), text, run)}
    edits = sorted((edit for edit in result.edits if edit.file in written), key=lambda edit: (edit.file, edit.line))
    left = [finding for finding in result.left if finding.fix is not None and finding.severity is not Severity.NOTE]
    rejected = sum(finding.is_fixable for finding in left)
    return Fixes(writes, tuple(edits), tuple(_diff(view.texts, changed)), len(written), len(left) - rejected, rejected)


def _is_written(file: Path, text: str, run: CommandRun) -> bool:
    try:
        rewrite(file, text)
    except OSError as error:
        run.problems.append(Problem.of(f"{os_error_text(error)}: not fixed"))
        return False
    return True


def _diff(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[str]:
    for name, text in after.items():
        secrets = _secrets(before[name], name)
        ends = "\t" if " " in name else ""  # `patch` takes a name up to a blank, unless a tab ends it
        old, new = (_LINE.findall(side) for side in (before[name], text))
        for line in unified_diff(old, new, f"a/{name}{ends}", f"b/{name}{ends}"):
            yield scrubbed(line, secrets)
            if not line.endswith("\n"):
                yield "\n\\ No newline at end of file\n"


def _secrets(text: str, name: str) -> tuple[str, ...]:
    """The texts of the secrets in a file of data. In a Python file, secrets are recognized by their form only."""
    try:
        return contents_of(secrets_in([document.value for document in documents(text, name)]))
    except TextError:
        return ()
