"""Applies the fixes of findings to texts. Nothing is kept that another check does not confirm."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import Final, Protocol, TypeAlias

from nodepools.loading import UnreadableError, load_text
from nodepools.manifests.edited import NotEditableError, edited
from nodepools.manifests.objects import Written, objects
from nodepools.manifests.text import TextError
from nodepools.manifests.verdict import judge
from nodepools.model.base import Model
from nodepools.model.platform import Platform
from nodepools.model.steps import Steps
from nodepools.rules.applied import applied
from nodepools.rules.finding import DeclarationError, Finding, Severity
from nodepools.rules.judge import check
from nodepools.rules.malformed import judged_again

Texts: TypeAlias = Mapping[str, str]
"""Each file by its name."""
Accepted: TypeAlias = Callable[[Finding], bool]
"""A finding that somebody accepted is left as it is."""
_APPLIED: Final = (Severity.ERROR, Severity.WARNING)
"""A note states a fact: its fix is an option, for people to choose."""


class View(Protocol):
    """Texts, and what a check finds in them."""

    texts: Texts
    findings: Sequence[Finding]

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


def mended(view: View, accepted: Accepted = lambda _: False) -> Mended:
    """Applies every fix that clears its finding and causes no other: all at once where that works, else one after another."""
    fixed: list[Finding] = []
    refused: set[tuple[object, ...]] = set()
    while pending := [one for one in view.findings if _is_pending(one) and not accepted(one) and _key(one) not in refused]:
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


def _key(finding: Finding) -> tuple[object, ...]:
    return finding.object, finding.code, finding.path, finding.message


def _after(view: View, findings: Sequence[Finding]) -> View | None:
    """What comes of these fixes, where each clears its finding and none causes an error or a warning."""
    try:
        after = view.with_fixes(findings)
    except (NotEditableError, LookupError):
        return None
    before, now, gone = (Counter(one.code for one in some if one.severity in _APPLIED) for some in (view.findings, after.findings, findings))
    return after if all(now[code] <= before[code] - gone[code] for code in {*before, *now}) else None


@dataclass(frozen=True, slots=True)
class PlatformView:
    """A platform in YAML or JSON."""

    name: str
    text: str
    platform: Platform | None
    findings: Sequence[Finding]
    today: date | None

    @classmethod
    def of(cls, name: str, text: str, today: date | None = None) -> "PlatformView":
        """The platform, checked.

        Raises:
            UnreadableError: it is no YAML.
        """
        try:
            platform = load_text(text, name)
        except DeclarationError as error:
            return cls(name, text, None, judged_again(error, today), today)
        return cls(name, text, platform, check(platform, today=today), today)

    @property
    def texts(self) -> Texts:
        """The one file."""
        return {self.name: self.text}

    def with_fixes(self, findings: Sequence[Finding]) -> "PlatformView":
        """The platform after the fixes of `findings`."""
        text, whole = self.text, self.platform
        for finding in findings:
            if finding.fix is None:
                continue
            whole = applied(whole, finding.fix.operations) if whole is not None else None
            text = edited(text, finding.fix.operations, text_of=lambda steps, whole=whole: _text_of(whole, steps))
        try:
            return self.of(self.name, text, self.today)
        except UnreadableError as error:
            raise NotEditableError(str(error)) from None


@dataclass(frozen=True, slots=True)
class ManifestView:
    """Kubernetes objects in files."""

    texts: Texts
    findings: Sequence[Finding]
    objects: Mapping[str, Sequence[Written]]
    """By the label that findings have."""
    today: date | None

    @classmethod
    def of(cls, texts: Texts, today: date | None = None) -> "ManifestView":
        """The objects, checked.

        Raises:
            TextError: a text is no YAML.
        """
        found = [written for name, text in texts.items() for written in objects(text, name)]
        labels: dict[str, list[Written]] = {}
        for written in found:
            labels.setdefault(written.label, []).append(written)
        return cls(texts, judge(found, today).findings, labels, today)

    def with_fixes(self, findings: Sequence[Finding]) -> "ManifestView":
        """The objects after the fixes of `findings`, from the last object of each file to its first: edits move what is below them."""
        texts = dict(self.texts)
        placed = sorted(((self._written(one), one) for one in findings), key=lambda pair: (pair[0].file, -pair[0].start.line))
        for file, of_file in groupby(placed, key=lambda pair: pair[0].file):
            for written, finding in of_file:
                operations = finding.fix.operations if finding.fix is not None else ()
                texts[file] = edited(texts[file], operations, at=(written.start.line, written.start.column))
        try:
            return self.of(texts, self.today)
        except TextError as error:
            raise NotEditableError(str(error)) from None

    def _written(self, finding: Finding) -> Written:
        found = self.objects.get(finding.object or "", ())
        if len(found) != 1:
            raise NotEditableError("the object is there twice")
        return found[0]


def _text_of(whole: Model | None, steps: Steps) -> str | None:
    """A part as text, where its class has a text."""
    held: object = whole
    for step in steps:
        held = vars(held).get(str(step)) if isinstance(held, Model) else held[step] if isinstance(held, tuple | dict) else None  # pyright: ignore[reportUnknownVariableType,reportArgumentType,reportCallIssue]
    return str(held) if isinstance(held, Model) and type(held).__str__ is not Model.__str__ else None
