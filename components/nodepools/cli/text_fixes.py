"""Applies the fixes of findings to texts. Keeps only edits that another check confirms."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from operator import itemgetter
from typing import Protocol, TypeAlias

from nodepools.cli.sources import left_in_text
from nodepools.loading import UnreadableError, load_text
from nodepools.manifests.ignore_comments import object_ignores
from nodepools.manifests.manifest_objects import ManifestObject, objects
from nodepools.manifests.object_checks import check_objects
from nodepools.manifests.yaml_edit import NotEditableError, edited, edited_objects
from nodepools.model.base import Model
from nodepools.model.platform import Platform
from nodepools.model.redaction import redacted
from nodepools.model.steps import Steps
from nodepools.reading.limits import TextError
from nodepools.reading.yaml_documents import documents, source_position
from nodepools.reading.yaml_scalars import PLATFORM
from nodepools.rules.accepted_findings import without_accepted
from nodepools.rules.codes import IGNORE_CODES
from nodepools.rules.finding import DeclarationError, Finding, Severity, SourcePosition
from nodepools.rules.fix import Operation
from nodepools.rules.fix_application import applied
from nodepools.rules.invalid_declarations import recheck
from nodepools.rules.path import spelled, value_at
from nodepools.rules.runner import check
from nodepools.rules.shown_value import jsonable, shown

Texts: TypeAlias = Mapping[str, str]
"""Text by file name."""
Select: TypeAlias = Callable[[Sequence[Finding]], Sequence[Finding]]
"""Returns the findings that a configuration selects."""


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
                change = f"{shown(old, in_python=False)} → {shown(new, in_python=False)}"
        return f"{self.file}:{self.line}: {self.finding.code} {spelled(path)}: {change}"


class View(Protocol):
    """Texts and their findings."""

    @property
    def texts(self) -> Texts:
        """The texts."""
        ...

    @property
    def findings(self) -> Sequence[Finding]:
        """The findings."""
        ...

    def edits_of(self, finding: Finding) -> Sequence[Edit]:
        """What the fix of a finding changes."""
        ...

    def with_fixes(self, findings: Sequence[Finding]) -> "View":
        """Applies the fixes of `findings`, and checks the texts again.

        Raises:
            NotEditableError: a fix cannot be applied to its text.
        """
        ...


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
    while pending := [finding for finding in view.findings if finding.is_fixable and _key(finding) not in rejected]:
        group = pending[: max(size, 1)]
        after = _after(view, group)
        if after is not None:
            done += group
            edits += [edit for finding in group for edit in view.edits_of(finding)]
            view, size = after, size * 2
        elif len(group) > 1:
            size = len(group) // 2
        else:
            rejected.add(_key(group[0]))
    return Fixed(view.texts, tuple(done), tuple(view.findings), tuple(edits))


def _counts(finding: Finding) -> bool:
    """Whether a new finding rejects a fix. Findings about ignore comments do not: a fix can make such a comment obsolete."""
    return finding.severity is not Severity.NOTE and finding.code not in IGNORE_CODES


def _key(finding: Finding) -> tuple[object, ...]:
    return finding.object, finding.code, finding.path, finding.message


def _after(view: View, findings: Sequence[Finding]) -> View | None:
    """Applies these fixes; `None` if one does not clear its finding, or causes an error or a warning."""
    try:
        after = view.with_fixes(findings)
    except (NotEditableError, LookupError):
        return None
    before, now, gone = (Counter(finding.code for finding in group if _counts(finding)) for group in (view.findings, after.findings, findings))
    return after if all(now[code] <= before[code] - gone[code] for code in {*before, *now}) else None


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
        labels: dict[str, list[ManifestObject]] = {}
        for written in found:
            labels.setdefault(written.label, []).append(written)
        return cls(texts, select(list(without_accepted(check_objects(found, today).findings, ignores))), labels, select, today)

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
