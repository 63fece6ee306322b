"""Findings: what rules report about a declaration, as text and as JSON."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeAlias

from nodepools.model.base import Model
from nodepools.model.path import Operation, jsonable, path_text, shown
from nodepools.model.redaction import SECRET, contents_of, printable, redacted, scrubbed, secrets_in
from nodepools.model.secret_places import steps_of
from nodepools.model.severity import Severity
from nodepools.model.steps import Step
from nodepools.rules.engine.codes import NAMES, rule_page
from nodepools.rules.engine.finding_text import PYTHON, Spelling, render_refs
from nodepools.rules.engine.fix import Fix


class NotGiven:
    """Stands for the value at the path of the finding."""


NOT_GIVEN = NotGiven()

Json: TypeAlias = dict[str, object]


class PartFinding(NamedTuple):
    """A finding as a rule reports it: the part, the field or key inside it, message and fix."""

    of: Model
    at: tuple[Step, ...]
    message: str
    """Can contain references to fields and values: `ref()`, `literal()`."""
    fix: Fix | None
    value: object = NOT_GIVEN
    """The wrong value, if it is not the value at the path: a key, a sum, a default."""


class SourcePosition(NamedTuple):
    """A position in a file; lines and columns are counted from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class Texts(NamedTuple):
    """Message and fix of a finding, with references that start at the top of the declaration."""

    message: str
    fix: Fix | None
    has_own_fix_text: bool = True
    """The rule wrote the text of the fix; otherwise each output writes it from the operations."""

    def without(self, contents: Sequence[str]) -> "Texts":
        """The same texts without the texts of secrets."""
        fix = self.fix.without(contents) if self.fix is not None else None
        return self._replace(message=scrubbed(self.message, contents), fix=fix)


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding: what is wrong, where, and how to fix it. It contains no secret: its value and its texts are redacted when it is created."""

    code: str
    severity: Severity
    path: str
    """Path in the declaration, such as `clusters.weu.system_pool.taints[0]`."""
    value: object
    """The value at the path: a scalar, a list of scalars, or a part with a text of its own. `None` for other parts, `SECRET` for secrets."""
    message: str
    """What is wrong: a sentence that stands alone."""
    fix: Fix | None
    """The change that clears the finding; `None` if no action is needed, or none always helps."""
    source: str
    """Where the rule comes from: a link, or a fact that can be looked up."""
    object: str | None = None
    """`file#kind/name` for findings in raw manifests."""
    steps: tuple[Step, ...] = field(default=(), repr=False, compare=False)
    """The path as steps."""
    position: SourcePosition | None = field(default=None, repr=False, compare=False)
    """Position in the source file, if known."""
    texts: Texts | None = field(default=None, repr=False, compare=False)
    """Message and fix with their references, from which other outputs are spelled; `None` without references."""

    in_python: bool = field(default=False, repr=False, compare=False)
    """It is spelled for Python, its value too."""

    def __post_init__(self) -> None:
        steps = self.steps if self.steps else steps_of(self.path)
        value = printable(self.value, steps)
        contents = contents_of((self.value,)) if value is SECRET or (isinstance(self.value, str) and value != self.value) else ()
        fix, texts = (part.without(contents) if part is not None else None for part in (self.fix, self.texts))
        path = path_text(map(_printed, steps)) if scrubbed(self.path) != self.path else self.path
        for name, part in {"path": path, "value": value, "message": scrubbed(self.message, contents), "fix": fix, "texts": texts}.items():
            object.__setattr__(self, name, part)

    def without(self, contents: Sequence[str]) -> "Finding":
        """The same finding without the texts of secrets."""
        fix, texts = (part.without(contents) if part is not None else None for part in (self.fix, self.texts))
        value = scrubbed(self.value, contents) if isinstance(self.value, str) else self.value
        return replace(self, value=value, message=scrubbed(self.message, contents), fix=fix, texts=texts)

    def spelled(self, spelling: Spelling) -> "Finding":
        """The same finding with fields and values in the spelling of another output."""
        if self.texts is None:
            return self
        fix = self.texts.fix.spelled(spelling) if self.texts.fix is not None else None
        return replace(self, message=render_refs(self.texts.message, spelling), fix=fix, in_python=spelling is PYTHON)

    @property
    def named(self) -> str:
        """The object as it is printed, without a token in its name; empty for a finding without one."""
        return scrubbed(self.object) if self.object is not None else ""

    @property
    def shown_value(self) -> str:
        """The value on one line, in the spelling of the output."""
        return shown(self.value, in_python=self.in_python)

    @property
    def name(self) -> str:
        """The public name of the code; for a foreign policy, which has no other name, the code itself."""
        return NAMES.get(self.code, self.code)

    @property
    def url(self) -> str | None:
        """The page about its code; `None` for codes of others, and before the site is published."""
        return rule_page(self.code)

    @property
    def operations(self) -> Sequence[Operation]:
        """The operations of its fix that are certain: none for advice, which the user decides on."""
        return self.fix.operations if self.fix is not None and self.fix.is_certain else ()

    @property
    def is_fixable(self) -> bool:
        """Whether its fix can be applied automatically. The fix of a note is an option: the user decides."""
        return bool(self.operations) and self.severity is not Severity.NOTE

    def to_json(self) -> "Json":
        """The finding as plain JSON data; line and column are `None` if they are not known."""
        return {
            "code": self.code,
            "name": self.name,
            "severity": self.severity.value,
            "path": self.path,
            "value": redacted(jsonable(self.value), self.steps),
            "message": self.message,
            "fix": self._fix_to_json(),
            "source": self.source,
            "url": self.url,
            "object": self.named if self.object is not None else None,
            "line": self.position.line if self.position is not None else None,
            "column": self.position.column if self.position is not None else None,
        }

    def __str__(self) -> str:
        place = ": ".join(text for text in (" ".join(word for word in (self.named, self.path) if word), self.shown_value) if text)
        fix = [f"    fix: {self.fix.text}"] if self.fix is not None else []
        return "\n".join([f"{self.code} {self.severity} at {place or 'the top'}", f"    {self.message}", *fix])

    def _fix_to_json(self) -> Json | None:
        if self.fix is None:
            return None
        operations = [operation.to_json(redacted(jsonable(operation.value), operation.path)) for operation in self.operations]
        return {"text": self.fix.text, "operations": operations}


def _printed(step: Step) -> Step:
    """A key without a token, which is a secret in any place."""
    return scrubbed(step) if isinstance(step, str) else step


class DeclarationError(Exception):
    """The declaration is invalid and cannot be deployed. Has all findings."""

    def __init__(self, findings: Sequence[Finding], part: str | None = None, rest: Model | None = None) -> None:
        """Reports the findings of a declaration, or of the class `part` if a program uses an invalid part.

        `rest` is the declaration without its invalid parts, if there are any.
        """
        super().__init__(findings, part)
        self.findings = tuple(findings)
        self.part = part
        self.rest = rest

    def __str__(self) -> str:
        heading = f"{counted(self.findings)}, nothing was deployed" if self.part is None else f"{self.part}: {counted(self.findings)}"
        return "\n\n".join([heading, *map(str, self.findings)])


def without_secrets(findings: Sequence[Finding], declared: object) -> list[Finding]:
    """`findings` without the texts of the secrets in what was `declared`, wherever a message repeats them."""
    contents = contents_of(secrets_in(declared)) if findings else ()
    return [finding.without(contents) for finding in findings] if contents else list(findings)


def counted(findings: Sequence[Finding]) -> str:
    """`3 errors, 1 warning`; `no findings` if there are none."""
    numbers = Counter(finding.severity for finding in findings)
    return ", ".join(f"{numbers[kind]} {kind}{'s' * (numbers[kind] > 1)}" for kind in Severity if numbers[kind]) or "no findings"
