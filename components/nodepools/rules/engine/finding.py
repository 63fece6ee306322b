"""Findings: what rules report about a declaration, as text and as JSON; their texts, and their fixes.

Texts refer to fields and values, so that each output spells them its own way. A rule writes `f"{ref('scale.min')} is greater than
{ref('scale.max')}"`. For Python that becomes "`scale.min` is greater than `scale.max`", for a resource of azure-native "`minCount` is greater than
`maxCount`". References are marks inside the text, so they work in f-strings.

A fix never guesses. `check --fix` writes only operations that a rule calls `certain`: they keep the meaning, and only its spelling changes. All other
operations are a suggestion: they are tried before their text is shown, and the user decides.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple, Protocol, TypeAlias, TypeVar, cast

from nodepools.model.base import FrozenDict, Model, freeze
from nodepools.model.listing import respelled
from nodepools.model.path import Operation, child, jsonable, path_text, shown
from nodepools.model.redaction import SECRET, contents_of, printable, redacted, scrubbed, secrets_in
from nodepools.model.ref import is_output
from nodepools.model.secret_places import steps_of
from nodepools.model.severity import Severity
from nodepools.model.steps import Step, Steps
from nodepools.model.unknowns import with_field
from nodepools.model.values import dataclass, field, replace
from nodepools.rules.engine.codes import NAMES, rule_page
from nodepools.wire.table import camel

_OPEN, _CLOSE = "\ue000", "\ue001"
"""Private-use characters, which texts of declarations do not contain."""
_CLASS, _POSITIONAL = "$class", "$positional"
"""Keys of a part in a mark: the name of its class, and the number of its positional fields."""
_MARK: Final = re.compile(f"{_OPEN}(.*?){_CLOSE}", re.DOTALL)


class Spelling(Protocol):
    """The form in which one output writes fields and values."""

    def field(self, steps: Steps, within: int) -> str | None:
        """The field at `steps`, in a text about the part at the first `within` steps; `None` if the output has no such field."""
        ...

    def literal(self, value: object) -> str:
        """A plain value, or a part: a mapping with the name of its class among its keys."""
        ...


def ref(path: "str | Steps", *, part: type[Model] | None = None) -> str:
    """A reference to a field, in backticks.

    Args:
        path: starts at the part of the finding: `scale.min`, or as steps.
        part: the class of an enclosing part that `path` starts at instead.
    """
    steps = path.split(".") if isinstance(path, str) else path
    return _marked({"field": list(steps), "of": part.__name__ if part is not None else None})


def in_python(text: str, otherwise: str) -> str:
    """`text` in Python; `otherwise` in outputs where parts have no classes. `otherwise` can have references."""
    return _marked({"python": text, "otherwise": otherwise})


def literal(value: object) -> str:
    """A value to type, in backticks: `True` in Python, `true` in YAML."""
    return _marked({"value": _held(value)})


def anchor_refs(text: str, start: Callable[[str | None], Steps | None]) -> str:
    """`text` with references that start at the top of the declaration; `start` returns the path of the part of a class."""
    if _OPEN not in text:
        return text

    def place(found: re.Match[str]) -> str:
        mark = cast("dict[str, object]", json.loads(found[1]))
        if "otherwise" in mark:
            return _marked({**mark, "otherwise": anchor_refs(cast("str", mark["otherwise"]), start)})
        if "field" not in mark or "within" in mark:
            return found[0]
        above = start(cast("str | None", mark["of"]))
        steps = cast("list[object]", mark["field"])
        return _marked({"field": [*(above if above is not None else ()), *steps], "within": len(above) if above is not None else 0})

    return _MARK.sub(place, text)


def literal_in(value: object, spelling: Spelling) -> str:
    """A value or a part in the spelling of an output."""
    return spelling.literal(_held(value))


def render_refs(text: str, spelling: Spelling) -> str:
    """`text` in the spelling of an output."""
    return _MARK.sub(lambda found: _spelled(cast("dict[str, object]", json.loads(found[1])), spelling), text) if _OPEN in text else text


def _spelled(mark: Mapping[str, object], spelling: Spelling) -> str:
    if "python" in mark:
        return cast("str", mark["python"]) if spelling is PYTHON else render_refs(cast("str", mark["otherwise"]), spelling)
    if "value" in mark:
        return f"`{spelling.literal(mark['value'])}`"
    steps = tuple(cast("list[str | int]", mark["field"]))
    name = spelling.field(steps, cast("int", mark.get("within", 0)))
    return f"`{name}`" if name is not None else " ".join(str(step).replace("_", " ") for step in steps[-1:])


def _marked(mark: Mapping[str, object]) -> str:
    return f"{_OPEN}{json.dumps(mark)}{_CLOSE}"  # in ASCII: marks inside are escaped


def _held(value: object) -> object:
    if is_output(value):
        return "…"
    if isinstance(value, Model):
        given = [name for name in type(value).model_fields if name in value.model_fields_set and name != "kind"]
        first = [name for name in given if type(value).model_fields[name].kw_only is False]
        ordered = {name: _held(vars(value)[name]) for name in (*first, *given)}
        kind = {"kind": vars(value)["kind"]} if "kind" in type(value).model_fields else {}
        return {_CLASS: type(value).__name__, _POSITIONAL: len(first), **kind, **ordered}
    if isinstance(value, Mapping):
        return {str(key): _held(part) for key, part in cast("Mapping[object, object]", value).items()}
    if isinstance(value, list | tuple):
        return [_held(part) for part in cast("Sequence[object]", value)]
    return value if value is None or isinstance(value, str | int | float) else str(value)


class _Python:
    """Python source."""

    def field(self, steps: Steps, within: int) -> str | None:
        return path_text(steps[within:])

    def literal(self, value: object) -> str:
        if isinstance(value, dict):
            held = cast("dict[str, object]", value)
            if _CLASS in held:
                return self._call(held)
            return f"{{{', '.join(f'{self.literal(key)}: {self.literal(part)}' for key, part in held.items())}}}"
        if isinstance(value, list):
            return f"[{', '.join(map(self.literal, cast('list[object]', value)))}]"
        return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)

    def _call(self, part: Mapping[str, object]) -> str:
        fields = [(key, self.literal(value)) for key, value in part.items() if key not in (_CLASS, _POSITIONAL, "kind")]
        positional = cast("int", part[_POSITIONAL])
        return f"{part[_CLASS]}({', '.join(text if number < positional else f'{key}={text}' for number, (key, text) in enumerate(fields))})"


class _Yaml:
    """A platform file: the fields of the model, and values as YAML writes them."""

    def field(self, steps: Steps, within: int) -> str | None:
        return path_text(steps[within:])

    def literal(self, value: object) -> str:
        return flow(value)


class Wired:
    """An object of an API, such as a manifest or the inputs of a resource.

    Args:
        wire: translates a path of the declaration to a path of the object.
    """

    def __init__(self, wire: Callable[[Steps], Steps | None]) -> None:
        self._wire = wire

    def field(self, steps: Steps, within: int) -> str | None:
        """The field, relative to the part of the object that the text is about."""
        there, above = self._wire(steps), self._wire(steps[:within])
        if not there:
            return None
        inside = there[len(above) :] if above and there[: len(above)] == above and len(there) > len(above) else there
        while len(inside) > 1 and inside[0] in _AROUND:
            inside = inside[1:]
        return path_text(inside)

    def literal(self, value: object) -> str:
        """The value as JSON, or as YAML in its flow style."""
        return flow(value, camel)


_AROUND: Final = frozenset({"spec", "template"})
"""Steps of an object's path that do not help the reader."""


def flow(value: object, name: Callable[[str], str] = str) -> str:
    """A value in the flow style of YAML, which is valid JavaScript, too; `name` spells the fields of parts."""
    if isinstance(value, dict):
        held = cast("dict[str, object]", value)
        spell = name if _CLASS in held else str
        fields = {spell(key): flow(part, name) for key, part in held.items() if key not in (_CLASS, _POSITIONAL)}
        return f"{{{', '.join(f'{_key(key)}: {text}' for key, text in fields.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(flow(part, name) for part in cast('list[object]', value))}]"
    return json.dumps(value, ensure_ascii=False)


def _key(text: str) -> str:
    return text if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.-]*", text) else json.dumps(text, ensure_ascii=False)


PYTHON: Final[Spelling] = _Python()
YAML: Final[Spelling] = _Yaml()


REPLACES: Final = "; Pulumi replaces an existing cluster"


@dataclass(frozen=True, slots=True)
class Fix:
    """The change that clears a finding. Its operations belong together: a single one may not help."""

    text: str
    """An imperative. Empty in a rule whose operations say everything: their text is used then."""
    operations: tuple[Operation, ...] = ()
    """What the text suggests. It is tried before the fix is offered."""
    is_certain: bool = False
    """The operations are the intended ones without doubt: `check --fix` writes them, and reports contain them."""
    only_in_declarations: bool = False
    """It uses something that only declarations have: a finding of an object of an API has no fix."""

    def spelled(self, spelling: Spelling) -> "Fix":
        """The same fix in the spelling of another output."""
        return replace(self, text=render_refs(self.text, spelling))

    def without(self, contents: Sequence[str]) -> "Fix":
        """The same fix without the texts of secrets."""
        return replace(self, text=scrubbed(self.text, contents))


FixLike: TypeAlias = str | Operation | Sequence[Operation] | Fix | None
"""What a rule can return as its fix: advice as text, operations, or both."""


def fix_of(fix: FixLike) -> Fix | None:
    """The fix that a rule returns in any form."""
    if isinstance(fix, Fix) or fix is None:
        return fix
    if isinstance(fix, str):
        return Fix(fix)
    return Fix("", (fix,) if isinstance(fix, Operation) else tuple(fix))


def certain(fix: FixLike) -> Fix:
    """A fix that `check --fix` writes: one edit after which the same is meant, in a spelling that is accepted.

    An edit of hardware, scale, price or behavior is never certain, however likely it is.
    """
    made = fix_of(fix)
    if made is None or not made.operations:
        raise ValueError("a fix without operations cannot be certain")
    return replace(made, is_certain=True)


def correct_spelling(path: "str | Steps", given: str | Sequence[str], known: str | list[str]) -> Fix:
    """Sets the field at `path` to what is `known`: certain if the letters are those of the given text or texts, otherwise a question."""
    operation = set_to(path, known)
    before, after = ([text] if isinstance(text, str) else text for text in (given, known))
    if all(respelled(old, (new,)) is not None for old, new in zip(before, after, strict=True)):
        return certain(operation)
    return Fix(f"{sentence([operation])}, if that is meant", (operation,))


def sentence(operations: Sequence[Operation]) -> str:
    """All operations as one sentence, with references."""
    first, *others = map(_text, operations)
    lower = [f"{text[0].lower()}{text[1:]}" for text in others]
    return ", ".join([first, *lower[:-1], *(f"and {text}" for text in lower[-1:])])


def _text(operation: Operation) -> str:
    """The operation as a sentence, with references: "Set `count` to `2`"."""
    field = ref(operation.path, part=operation.of)
    match operation.op:
        case "set":
            return f"Set {field} to {literal(operation.value)}"
        case "remove":
            return f"Remove {field}"
        case "add":
            return f"Add {literal(operation.value)} to {field}"
        case _:
            return f"Rename {field} to `{operation.value}`"


def replacing(*operations: Operation) -> Fix:
    """Operations on a cluster that can exist, which replace it: the text says so."""
    return Fix(f"{sentence(operations)}{REPLACES}", operations)


def set_to(path: "str | Steps", value: object, *, part: type[Model] | None = None) -> Operation:
    """Sets the field at `path` to `value`: a plain value, or a part."""
    return Operation("set", _steps(path), value, part)


def remove(path: "str | Steps", *, part: type[Model] | None = None) -> Operation:
    """Removes the field, the key or the entry at `path`, so that its default applies."""
    return Operation("remove", _steps(path), of=part)


def add(path: "str | Steps", value: object, *, part: type[Model] | None = None) -> Operation:
    """Adds an entry to the list at `path`, or the items of a mapping to the mapping at `path`."""
    return Operation("add", _steps(path), value, part)


def rename(path: "str | Steps", name: str, *, part: type[Model] | None = None) -> Operation:
    """Renames the key or field at `path`."""
    return Operation("rename", _steps(path), name, part)


def _steps(path: "str | Steps") -> Steps:
    return tuple(path.split(".")) if isinstance(path, str) else path


M = TypeVar("M", bound=Model)
_ABSENT = object()


def applied(declaration: M, operations: Sequence[Operation]) -> M:
    """`declaration` with all `operations` applied, in their order. Values are not validated.

    Raises:
        LookupError: the path of an operation does not exist.
    """
    edited: object = declaration
    for operation in operations:
        edited = _edited(edited, operation.path, operation)
    return cast("M", edited)


def _edited(value: object, steps: Steps, operation: Operation) -> object:
    """`value` with the operation applied at `steps`."""
    if not steps:
        return freeze(operation.value) if operation.op == "set" else _added(value, operation.value)
    step, rest = steps[0], steps[1:]
    if not rest and operation.op == "remove":
        return _with(value, step, _ABSENT)
    if not rest and operation.op == "rename":
        return _with(_with(value, step, _ABSENT), str(operation.value), child(value, step))
    return _with(value, step, _edited(child(value, step), rest, operation))


def _with(value: object, step: Step, new: object) -> object:
    """`value` with `new` at `step`, or without `step` where `new` is absent."""
    if isinstance(value, Model):
        default = type(value).model_fields[str(step)].get_default(call_default_factory=True, validated_data={})
        return with_field(value, str(step), default if new is _ABSENT else new, is_set=new is not _ABSENT)
    entries = _entries(value)
    if new is _ABSENT:
        del entries[step]
    else:
        entries[step] = new
    return freeze(entries)


def _entries(value: object) -> dict[Step, object]:
    """A copy of a mapping or a list that can be edited: a list is edited by index like a mapping by key."""
    if isinstance(value, tuple):
        return cast("dict[Step, object]", list(cast("tuple[object, ...]", value)))
    if isinstance(value, Mapping):
        return dict(cast("Mapping[Step, object]", value))
    raise LookupError("the path of an operation does not exist")


def _added(value: object, new: object) -> object:
    """A list or a mapping with `new` added."""
    if isinstance(new, Mapping):
        return FrozenDict({**(cast("Mapping[str, object]", value) if isinstance(value, Mapping) else {}), **cast("Mapping[str, object]", new)})
    return (*(cast("Sequence[object]", value) if isinstance(value, tuple) else ()), new)


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
