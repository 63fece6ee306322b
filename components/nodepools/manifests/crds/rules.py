"""Evaluates the CEL rules of a CRD for objects: each holds, does not hold, or cannot be checked."""

import binascii
import re
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Final, cast

from nodepools.cel.conversions import date, duration, timestamp
from nodepools.cel.meter import EvaluationError, Meter, MismatchError, NotCheckedError, RuleSyntaxError
from nodepools.cel.program import Program
from nodepools.cel.text import PatternError, pattern
from nodepools.cel.values import NONE, MapList, SetList, Struct
from nodepools.manifests.crds.schema import Schema
from nodepools.manifests.crds.shape import Problem
from nodepools.model.steps import Step

_VARIABLES = ("self", "oldSelf")


@dataclass(frozen=True, slots=True)
class Outcome:
    """A rule that does not hold for the value at `at`, or that is not checked."""

    at: tuple[Step, ...]
    value: object
    rule: str
    message: str
    is_checked: bool = True


@cache
def _program(rule: str) -> Program | NotCheckedError:
    """Compiles a rule; returns why if it cannot be checked.

    Raises:
        RuleSyntaxError: it is not an expression.
    """
    try:
        return Program(rule, _VARIABLES)
    except NotCheckedError as error:
        return error


def compilation_problems(schema: Schema, path: tuple[Step, ...]) -> Iterator[Problem]:
    """Compiles the patterns and the rules of a valid schema, and yields those that the API server rejects, too."""
    if "pattern" in schema:
        try:
            pattern(str(schema["pattern"]))
        except PatternError as error:
            yield (*path, "pattern"), f"`{schema['pattern']}` is not a regular expression of RE2: {error}"
    for index, rule in enumerate(_rules(schema)):
        try:
            _program(str(rule["rule"]))
        except RuleSyntaxError as error:
            yield (*path, "x-kubernetes-validations", index, "rule"), f"`{rule['rule']}` is not an expression of CEL: {error}"
    for steps, inner in _schemas_in(schema):
        yield from compilation_problems(inner, (*path, *steps))


def _rules(schema: Schema) -> Sequence[Mapping[str, object]]:
    return cast("Sequence[Mapping[str, object]]", schema.get("x-kubernetes-validations", ()))


def _schemas_in(schema: Schema) -> Iterator[tuple[tuple[Step, ...], Schema]]:
    for name, inner in cast("Mapping[str, Schema]", schema.get("properties", {})).items():
        yield ("properties", name), inner
    for name in ("items", "additionalProperties", "not"):
        if isinstance(schema.get(name), Mapping):
            yield (name,), cast("Schema", schema[name])
    for name in ("allOf", "anyOf", "oneOf"):
        yield from (((name, index), inner) for index, inner in enumerate(cast("Sequence[Schema]", schema.get(name, ()))))


class RuleRun:
    """Evaluates rules, within the limits of a run."""

    def __init__(self) -> None:
        """Begins a run."""
        self._meter = Meter()
        self._views = Views()
        self._with_rules: dict[int, bool] = {}

    def outcomes(self, schema: Schema, whole: Mapping[str, object]) -> Iterator[Outcome]:
        """Yields the rules that do not hold for an object, and those that are not checked, the innermost first."""
        yield from self._inside(schema, whole, (), is_root=True)

    def _inside(self, schema: Schema, value: object, path: tuple[Step, ...], *, is_root: bool = False) -> Iterator[Outcome]:
        if value is None or not self._has_rules(schema):
            return
        for step, inner, part in _parts(schema, value):
            yield from self._inside(inner, part, (*path, step))
        for of in (schema, *cast("Sequence[Schema]", schema.get("allOf", ()))):
            for rule in _rules(of):
                outcome = self._checked(rule, schema, value, path, is_root=is_root)
                if outcome is not None:
                    yield outcome

    def _has_rules(self, schema: Schema) -> bool:
        """Whether the schema, or one inside of it, has rules. Most have none."""
        key = id(schema)
        if key not in self._with_rules:
            of = (schema, *cast("Sequence[Schema]", schema.get("allOf", ())))
            self._with_rules[key] = any(map(_rules, of)) or any(self._has_rules(inner) for _, inner in _schemas_in(schema))
        return self._with_rules[key]

    def _checked(self, rule: Mapping[str, object], schema: Schema, value: object, path: tuple[Step, ...], *, is_root: bool) -> Outcome | None:
        """Evaluates a rule; returns nothing if it holds."""
        text = str(rule["rule"])
        try:
            message = self._failure(rule, self._views.value(schema, value, is_root=is_root))
        except MismatchError as error:
            return Outcome(path, value, text, str(error), is_checked=_is_open(schema))
        except NotCheckedError as error:
            return Outcome(path, value, text, str(error), is_checked=False)
        except EvaluationError as error:
            message = f"a rule fails with `{error}`"
        return None if message is None else Outcome(path, value, text, message)

    def _failure(self, rule: Mapping[str, object], value: object) -> str | None:
        """Returns the message of a rule that does not hold. Rules about a change need an older object, and are skipped."""
        program = _program(str(rule["rule"]))
        if isinstance(program, NotCheckedError):
            raise program
        is_optional = rule.get("optionalOldSelf") is True
        if "oldSelf" in program.names and not is_optional:
            return None
        variables = {"self": value, **({"oldSelf": NONE} if is_optional else {})}
        held = program.evaluate(variables, self._meter)
        if not isinstance(held, bool):
            raise NotCheckedError("does not return a boolean")
        return None if held else self._message(rule, variables)

    def _message(self, rule: Mapping[str, object], variables: dict[str, object]) -> str:
        """Returns the message of a rule: the result of its expression, or its text."""
        plain = str(rule.get("message", "one of its rules does not hold"))
        if "messageExpression" not in rule:
            return plain
        try:
            program = _program(str(rule["messageExpression"]))
            made = program.evaluate(variables, self._meter) if isinstance(program, Program) else plain
        except (RuleSyntaxError, EvaluationError, NotCheckedError):
            return plain
        return made if isinstance(made, str) and made.strip() and "\n" not in made else plain


def _is_open(schema: Schema) -> bool:
    """Whether the schema leaves the type of a value open: then a rule can fail for the type of a value, in the API server, too."""
    return schema.get("x-kubernetes-int-or-string") is True or any(_is_open(inner) for _, inner in _schemas_in(schema))


def _parts(schema: Schema, value: object) -> Iterator[tuple[Step, Schema, object]]:
    if isinstance(value, Mapping):
        named = cast("Mapping[str, Schema]", schema.get("properties", {}))
        others = schema.get("additionalProperties")
        for name, part in cast("Mapping[str, object]", value).items():
            inner = named.get(name, others)
            if isinstance(inner, Mapping):
                yield name, cast("Schema", inner), part
    elif isinstance(value, list) and isinstance(schema.get("items"), Mapping):
        for index, part in enumerate(cast("list[object]", value)):
            yield index, cast("Schema", schema["items"]), part


_RESERVED: Final = frozenset(
    (
        *("true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop"),
        *("package", "namespace", "return", "var", "void", "while"),
    )
)
_ESCAPED: Final = {"__": "__underscores__", ".": "__dot__", "-": "__dash__", "/": "__slash__"}
_WRITABLE: Final = re.compile(r"[a-zA-Z_./-][a-zA-Z0-9_./-]*")
_METADATA_SCHEMA: Final[Schema] = {"type": "object", "properties": {"name": {"type": "string"}, "generateName": {"type": "string"}}}


def _bytes(text: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except binascii.Error:
        raise EvaluationError("a text is not base64") from None


_FORMATS: Final[Mapping[object, Callable[[str], object]]] = {"date-time": timestamp, "date": date, "duration": duration, "byte": _bytes}
"""Strings with these formats have another type in rules."""


def escaped(name: str) -> str | None:
    """Returns a field's name in an expression; nothing if no expression can name it."""
    if name in _RESERVED:
        return f"__{name}__"
    if not _WRITABLE.fullmatch(name):
        return None
    return re.sub(r"__|[./-]", lambda match: _ESCAPED[match[0]], name)


class Views:
    """Shows values by their schemas. It keeps the names of the fields of each schema."""

    def __init__(self) -> None:
        """Begins without any."""
        self._declared: dict[int, Mapping[str, str]] = {}

    def value(self, schema: Schema, raw: object, *, is_root: bool = False) -> object:
        """Returns a value as an expression sees it.

        Raises:
            NotCheckedError: a string does not have the format that the schema states.
        """
        if isinstance(raw, Mapping):
            return self._object(schema, cast("Mapping[str, object]", raw), is_root=is_root)
        if isinstance(raw, list):
            return self._list(schema, cast("list[object]", raw))
        if isinstance(raw, str):
            return _text(schema, raw)
        if isinstance(raw, int | float) and not isinstance(raw, bool):
            return float(raw) if schema.get("type") == "number" else int(raw) if schema.get("type") == "integer" else raw
        return raw

    def _object(self, schema: Schema, raw: Mapping[str, object], *, is_root: bool) -> object:
        others = schema.get("additionalProperties")
        if isinstance(others, Mapping):
            return {name: self.value(cast("Schema", others), part) for name, part in raw.items()}
        with_names = is_root or schema.get("x-kubernetes-embedded-resource") is True
        fields = cast("Mapping[str, Schema]", schema.get("properties", {}))
        return Struct(raw, self._names(schema, with_names=with_names), partial(self._field, fields, with_names))

    def _field(self, fields: Mapping[str, Schema], with_names: bool, name: str, part: object) -> object:  # noqa: FBT001
        return self.value(_METADATA_SCHEMA if with_names and name == "metadata" else fields.get(name, {}), part)

    def _names(self, schema: Schema, *, with_names: bool) -> Mapping[str, str]:
        key = id(schema)
        if key not in self._declared:
            named = {str(name): escaped(str(name)) for name in cast("Mapping[str, object]", schema.get("properties", {}))}
            more = {name: name for name in ("apiVersion", "kind", "metadata")} if with_names else {}
            self._declared[key] = {short: name for name, short in named.items() if short is not None} | more
        return self._declared[key]

    def _list(self, schema: Schema, raw: Sequence[object]) -> list[object]:
        items = cast("Schema", schema.get("items", {}))
        values = [self.value(items, part) for part in raw]
        kind = schema.get("x-kubernetes-list-type")
        if kind == "set":
            return SetList(values)
        if kind == "map":
            made = MapList(values)
            made.keys = tuple(filter(None, map(escaped, cast("Sequence[str]", schema.get("x-kubernetes-list-map-keys", ())))))
            return made
        return values


def _text(schema: Schema, raw: str) -> object:
    if schema.get("type") != "string" or schema.get("format") not in _FORMATS:
        return raw
    try:
        return _FORMATS[schema["format"]](raw)
    except EvaluationError as error:
        raise NotCheckedError(f"reads a value that does not have the format of the schema: {error}") from None
