"""Applies the fixes of findings to texts. Nothing is kept that another check does not confirm."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Final, Protocol, TypeAlias

from nodepools.cli.sources import left_in_text
from nodepools.loading import UnreadableError, load_text
from nodepools.manifests.ignore_comments import object_ignores
from nodepools.manifests.manifest_objects import ManifestObject, objects
from nodepools.manifests.object_checks import judge
from nodepools.manifests.platform_yaml import TextError
from nodepools.manifests.yaml_edit import NotEditableError, edited
from nodepools.model.base import Model
from nodepools.model.platform import Platform
from nodepools.model.steps import Steps
from nodepools.rules.accepted_findings import without_accepted
from nodepools.rules.codes import IGNORE_CODES
from nodepools.rules.finding import DeclarationError, Finding, Severity
from nodepools.rules.fix import Operation
from nodepools.rules.fix_application import applied
from nodepools.rules.invalid_declarations import judged_again
from nodepools.rules.path import value_at
from nodepools.rules.runner import check

Texts: TypeAlias = Mapping[str, str]
"""Each file by its name."""
Left: TypeAlias = Callable[[Sequence[Finding]], Sequence[Finding]]
"""The findings that a configuration leaves, of all."""
_APPLIED: Final = (Severity.ERROR, Severity.WARNING)
"""A note states a fact: its fix is an option, for people to choose."""


class View(Protocol):
    """Texts, and what a check finds in them."""

    @property
    def texts(self) -> Texts:
        """The texts."""
        ...

    @property
    def findings(self) -> Sequence[Finding]:
        """What the check finds."""
        ...

    def with_fixes(self, findings: Sequence[Finding]) -> "View":
        """The same after the fixes of `findings`, checked again.

        Raises:
            NotEditableError: one of them cannot be applied to its text.
        """
        ...


@dataclass(frozen=True, slots=True)
class Mended:
    """What came of it."""

    texts: Texts
    fixed: tuple[Finding, ...]
    left: tuple[Finding, ...]


def mended(view: View) -> Mended:
    """Applies every fix that clears its finding and causes no other: all at once where that works, else one after another."""
    fixed: list[Finding] = []
    refused: set[tuple[object, ...]] = set()
    while pending := [one for one in view.findings if _is_pending(one) and _key(one) not in refused]:
        at_once = _after(view, pending)
        if at_once is not None:
            fixed += pending
            view = at_once
            continue
        after = _after(view, pending[:1])
        if after is None:
            refused.add(_key(pending[0]))
        else:
            fixed.append(pending[0])
            view = after
    return Mended(view.texts, tuple(fixed), tuple(view.findings))


def _is_pending(finding: Finding) -> bool:
    return finding.fix is not None and bool(finding.fix.operations) and finding.severity in _APPLIED


def _counts(finding: Finding) -> bool:
    """A comment that accepts what is fixed now has nothing left to accept: that is no reason to leave an error."""
    return finding.severity in _APPLIED and finding.code not in IGNORE_CODES


def _key(finding: Finding) -> tuple[object, ...]:
    return finding.object, finding.code, finding.path, finding.message


def _after(view: View, findings: Sequence[Finding]) -> View | None:
    """What comes of these fixes, where each clears its finding and none causes an error or a warning."""
    try:
        after = view.with_fixes(findings)
    except (NotEditableError, LookupError):
        return None
    before, now, gone = (Counter(one.code for one in some if _counts(one)) for some in (view.findings, after.findings, findings))
    return after if all(now[code] <= before[code] - gone[code] for code in {*before, *now}) else None


@dataclass(frozen=True, slots=True)
class PlatformView:
    """A platform in YAML or JSON."""

    name: str
    text: str
    platform: Platform | None
    findings: Sequence[Finding]
    left: Left
    today: date | None

    @classmethod
    def of(cls, name: str, text: str, left: Left = list, today: date | None = None) -> "PlatformView":
        """The platform, checked.

        Raises:
            UnreadableError: it is no YAML.
        """
        platform = None
        try:
            platform = load_text(text, name)
            findings = check(platform, today=today)
        except DeclarationError as error:
            findings = judged_again(error, today)
        return cls(name, text, platform, left(list(left_in_text(findings, text, name))), left, today)

    @property
    def texts(self) -> Texts:
        """The one file."""
        return {self.name: self.text}

    def with_fixes(self, findings: Sequence[Finding]) -> "PlatformView":
        """The platform after the fixes of `findings`."""
        text, whole = self.text, self.platform
        for operations in map(_operations, findings):
            whole = applied(whole, operations) if whole is not None else None
            text = edited(text, operations, text_of=partial(_text_of, whole))
        try:
            return self.of(self.name, text, self.left, self.today)
        except UnreadableError as error:
            raise NotEditableError(str(error)) from None


@dataclass(frozen=True, slots=True)
class ManifestView:
    """Kubernetes objects in files."""

    texts: Texts
    findings: Sequence[Finding]
    objects: Mapping[str, Sequence[ManifestObject]]
    """By the label that findings have."""
    left: Left
    today: date | None

    @classmethod
    def of(cls, texts: Texts, left: Left = list, today: date | None = None) -> "ManifestView":
        """The objects, checked.

        Raises:
            TextError: a text is no YAML.
        """
        by_file = {name: list(objects(text, name)) for name, text in texts.items()}
        found = [written for of_file in by_file.values() for written in of_file]
        ignores = [one for name, of_file in by_file.items() for one in object_ignores(texts[name], name, of_file)]
        labels: dict[str, list[ManifestObject]] = {}
        for written in found:
            labels.setdefault(written.label, []).append(written)
        return cls(texts, left(list(without_accepted(judge(found, today).findings, ignores))), labels, left, today)

    def with_fixes(self, findings: Sequence[Finding]) -> "ManifestView":
        """The objects after the fixes of `findings`, from the last object of each file to its first: edits move what is below them."""
        texts = dict(self.texts)
        placed = sorted(((self._written(one), one) for one in findings), key=lambda pair: (pair[0].file, -pair[0].start.line))
        for written, finding in placed:
            texts[written.file] = edited(texts[written.file], _operations(finding), at=(written.start.line, written.start.column))
        try:
            return self.of(texts, self.left, self.today)
        except TextError as error:
            raise NotEditableError(str(error)) from None

    def _written(self, finding: Finding) -> ManifestObject:
        found = self.objects.get(finding.object or "", ())
        if len(found) != 1:
            raise NotEditableError("the object is there twice")
        return found[0]


def _operations(finding: Finding) -> Sequence[Operation]:
    return finding.fix.operations if finding.fix is not None else ()


def _text_of(whole: Model | None, steps: Steps) -> str | None:
    """A part as text, where its class has a text."""
    held = value_at(whole, steps)
    return str(held) if isinstance(held, Model) and type(held).__str__ is not Model.__str__ else None
