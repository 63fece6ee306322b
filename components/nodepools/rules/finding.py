"""What is wrong with a declaration, as people and as programs read it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import NamedTuple, TypeAlias, cast

from pydantic import BaseModel

from nodepools.model.base import Model
from nodepools.model.invalid_parts import is_faulty
from nodepools.model.ref import is_output
from nodepools.rules.finding_text import Spelling, rendered
from nodepools.rules.fix import Fix
from nodepools.rules.path import Step

_LONGEST_SHOWN = 120


class Severity(StrEnum):
    """How certain and how bad: an error is what a cloud certainly refuses, or what certainly never works."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class NotGiven:
    """Stands for the value that is found in the declaration itself."""


NOT_GIVEN = NotGiven()

Json: TypeAlias = dict[str, object]


@dataclass(frozen=True, slots=True)
class PartFinding:
    """What a rule says: the part wrong, and the field or key inside it."""

    of: Model
    at: tuple[Step, ...]
    message: str
    """Can refer to fields and values: `ref()`, `literal()`."""
    fix: Fix | None
    value: object = NOT_GIVEN
    """What is wrong, where it is not what stands there: a key, a sum, a default."""


@dataclass(frozen=True, slots=True)
class SourcePosition:
    """A place in a file; lines and columns are counted from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class Texts(NamedTuple):
    """What a finding says, with its references: they start at the top of the declaration."""

    message: str
    fix: Fix | None
    has_own_fix_text: bool = True
    """The rule words the fix itself; otherwise its operations do, in each output anew."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong, and where."""

    code: str
    severity: Severity
    path: str
    """In the words of the declaration: `clusters.weu.system_pool.taints[0]`."""
    value: object
    """What stands there."""
    message: str
    """What is wrong with it."""
    fix: Fix | None
    """The change that clears it; `None` where there is nothing to do, or nothing that always helps."""
    source: str
    """Who says so: a link, or a fact that can be looked up."""
    object: str | None = None
    """`file#kind/name`, where raw manifests are judged."""
    steps: tuple[Step, ...] = field(default=(), repr=False, compare=False)
    """The path, step by step."""
    position: SourcePosition | None = field(default=None, repr=False, compare=False)
    """Where it is written, where that is known."""
    texts: Texts | None = field(default=None, repr=False, compare=False)
    """Message and fix before they were spelled for Python, where they refer to fields or values."""

    def spelled(self, spelling: Spelling) -> "Finding":
        """The same finding, with fields and values as another output writes them."""
        if self.texts is None:
            return self
        fix = self.texts.fix.spelled(spelling) if self.texts.fix is not None else None
        return replace(self, message=rendered(self.texts.message, spelling), fix=fix)

    @property
    def name(self) -> str:
        """The public name of its code; policies of other packs have one name alone, which is their code."""
        from nodepools.rules.codes import known  # asks the registry, which needs findings

        code = known(self.code)
        return code.name if code is not None else self.code

    def to_json(self) -> "Json":
        """Itself as plain JSON data; with line and column, where they are known."""
        return {
            "code": self.code,
            "name": self.name,
            "severity": self.severity.value,
            "path": self.path,
            "value": jsonable(self.value),
            "message": self.message,
            "fix": self._fix_to_json(),
            "source": self.source,
            "object": self.object,
            **({"line": self.position.line, "column": self.position.column} if self.position is not None else {}),
        }

    def __str__(self) -> str:
        place = ": ".join(text for text in (" ".join(word for word in (self.object, self.path) if word), shown(self.value)) if text)
        fix = [f"    fix: {self.fix.text}"] if self.fix is not None else []
        return "\n".join([f"{self.code} {self.severity} at {place or 'the top'}", f"    {self.message}", *fix])

    def _fix_to_json(self) -> Json | None:
        if self.fix is None:
            return None
        return {"text": self.fix.text, "operations": [one.to_json(jsonable(one.value)) for one in self.fix.operations]}


class DeclarationError(Exception):
    """A declaration that cannot be deployed, with all that is wrong with it."""

    def __init__(self, findings: Sequence[Finding], part: str | None = None, rest: Model | None = None) -> None:
        """Reports `findings` of a declaration; of the class `part` alone, where a program uses a part that has findings.

        `rest` is what is well formed of the declaration, where some of it is not.
        """
        super().__init__(findings, part)
        self.findings = tuple(findings)
        self.part = part
        self.rest = rest

    def __str__(self) -> str:
        heading = f"{counted(self.findings)}, nothing was deployed" if self.part is None else f"{self.part}: {counted(self.findings)}"
        return "\n\n".join([heading, *map(str, self.findings)])


def counted(findings: Sequence[Finding]) -> str:
    """`3 errors, 1 warning`; `no findings` where there are none."""
    numbers = Counter(finding.severity for finding in findings)
    return ", ".join(f"{numbers[kind]} {kind}{'s' * (numbers[kind] > 1)}" for kind in Severity if numbers[kind]) or "no findings"


def jsonable(value: object) -> object:
    """`value` as JSON can hold it; what is not known yet as `{"$unknown": true}`."""
    if is_output(value):
        return {"$unknown": True}
    if isinstance(value, Model):
        return {
            name: jsonable(part) for name, part in vars(value).items() if part is not None
        }  # never model_dump: what is kept as written need not be valid
    if isinstance(value, Mapping):
        return {str(key): jsonable(part) for key, part in cast("Mapping[object, object]", value).items()}
    if isinstance(value, list | tuple):
        return [jsonable(part) for part in cast("Sequence[object]", value)]
    if isinstance(value, AbstractSet):
        return sorted(str(part) for part in cast("AbstractSet[object]", value))
    plain = value is None or isinstance(value, str | bool | int) or (isinstance(value, float) and value - value == 0)
    return value if plain else str(value)


def shown(value: object) -> str:
    """`value` on one line; nothing where it is a whole part of the declaration, which the path names well enough."""
    if isinstance(value, Model) and not is_faulty(value) and type(value).__str__ is not BaseModel.__str__ and _is_complete(value):
        return str(value)
    if value is None or isinstance(value, Model | Mapping):
        return ""
    if is_output(value):
        return "a pulumi.Output"
    if isinstance(value, str | bool | int | float | list | tuple):
        text = repr(jsonable(cast("object", value)))
        return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"
    return f"a {type(value).__name__}"


def _is_complete(value: Model) -> bool:
    return vars(value).keys() >= type(value).model_fields.keys()
