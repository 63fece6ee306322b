"""Validates objects by the CRDs of a cluster as an API server does: first by the structural schemas, then by the CEL rules."""

import binascii
import re
from base64 import b64decode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any, Final, cast

from jsonschema import Draft202012Validator, validators
from jsonschema.exceptions import ValidationError

from nodepools.cel.conversions import date, duration, timestamp
from nodepools.cel.meter import EvaluationError, Meter, MismatchError, NotCheckedError, RuleSyntaxError
from nodepools.cel.program import Program
from nodepools.cel.text import PatternError, is_match, pattern
from nodepools.cel.values import NONE, MapList, SetList, Struct
from nodepools.manifests.crds.schema import Crds, Problem, Schema, Served, defaulted, draft, schema_at, schema_problems, schemas_in
from nodepools.manifests.manifest_objects import ManifestObject
from nodepools.manifests.supported_kinds import field_name
from nodepools.model.listing import as_code
from nodepools.model.steps import Step, without_nulls
from nodepools.model.values import dataclass, replace
from nodepools.rules.engine.api_findings import object_finding
from nodepools.rules.engine.finding import Finding, Severity, flow


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
    """Compiles a rule; returns why if it cannot be checked."""
    try:
        return Program(rule, ("self", "oldSelf"))
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
    for steps, inner, _ in schemas_in(schema):
        yield from compilation_problems(cast("Schema", inner), (*path, *steps))


def _rules(schema: Schema) -> Sequence[Mapping[str, object]]:
    return cast("Sequence[Mapping[str, object]]", schema.get("x-kubernetes-validations", ()))


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
            self._with_rules[key] = any(map(_rules, of)) or any(self._has_rules(cast("Schema", inner)) for _, inner, _ in schemas_in(schema))
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
    return schema.get("x-kubernetes-int-or-string") is True or any(_is_open(cast("Schema", inner)) for _, inner, _ in schemas_in(schema))


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


@dataclass(frozen=True, slots=True)
class Validation:
    """The findings of the CRDs, the kinds that were used, and one line for each problem of a CRD."""

    findings: tuple[Finding, ...]
    used: tuple[Served, ...]
    problems: tuple[str, ...]


def decided(findings: Iterable[Finding], used: Sequence[Served]) -> Iterator[Finding]:
    """Yields `findings` as the given CRDs decide them: they reject the value, or accept it, and serve a former version, or not."""
    keys = {served_kind.key for served_kind in used}
    for finding in findings:
        if finding.code == "OBJ001" and finding.value in {version for version, _ in keys}:
            message = f"`{finding.value}` is deprecated, although the given CRDs serve it"
            yield replace(finding, code="OBJ002", severity=Severity.WARNING, message=message)
        elif not _is_admitted(finding, used) and (finding.code != "OBJ014" or ("karpenter.sh/v1", "NodePool") not in keys):
            yield finding


_BOUNDS: Final = {"CFG005": {"enum"}, "CFG007": {"minimum", "maximum"}}


def _is_admitted(finding: Finding, used: Sequence[Served]) -> bool:
    """A CRD of the kind has the field, or the value: it is newer than the tables."""
    kind = (finding.object or "").rpartition("#")[2].partition("/")[0]
    known = filter(None, (schema_at(one.schema, finding.steps) for one in used if one.kind == kind))
    if finding.code == "CFG002":
        return any(known)
    bounds = _BOUNDS.get(finding.code, set[str]())
    return any(bounds & one.keys() and VALIDATOR(draft(one)).is_valid(finding.value) for one in known)


def _unserved(found: Sequence[ManifestObject], served: Sequence[Served]) -> Iterator[Finding]:
    """Objects whose kind the CRDs serve in other versions only, or in none."""
    for written in found:
        version = written.raw.get("apiVersion")
        same = {(one.api_version, one.is_served) for one in served if one.kind == written.kind and one.api_version.partition("/")[0] == written.group}
        others = sorted(other for other, is_served in same if is_served)
        if same and version not in others:
            message = f"The CRD of `{written.kind}` does not serve `{version}`"
            fix = f"Use {as_code(others)}, or upgrade the CRDs of the cluster" if others else "Upgrade the CRDs of the cluster"
            finding = object_finding("OBJ007", ("apiVersion",), message, fix=fix, value=version, source=f"{written.group} {written.kind}")
            yield replace(finding, object=written.label, position=written.position(finding.steps))


def validated(found: Sequence[ManifestObject], crds: Crds) -> Validation:
    """Validates objects by the schemas and rules of their kinds. Only these are compiled.

    If a kind is served several times, as by the clusters of two clouds, an object is for one of them: it is rejected if all reject it.
    """
    needed = {(written.raw.get("apiVersion"), written.kind) for written in found}
    requested = (replace(one, schema=cast("Schema", without_nulls(one.schema))) for one in crds.served if one.is_served and one.key in needed)
    checked = [(served_kind, list(_problems(served_kind))) for served_kind in requested]
    validators = [_Validator(served_kind) for served_kind, problems in checked if not problems]
    run, report = RuleRun(), set[str]()
    findings = [finding for written in found for finding in _of_object(written, validators, run) if _is_new(finding, report)]
    findings += _unserved(found, crds.served)
    problems = (line for _, lines in checked for line in lines)
    return Validation(tuple(findings), tuple(validator.served for validator in validators), (*crds.problems, *problems))


def _problems(served: Served) -> Iterator[str]:
    """Yields what is wrong with the schema: patterns and rules are compiled if everything else is right."""
    shape = list(schema_problems(served.schema, served.at, is_root=True))
    return served.problem_lines(shape if shape else compilation_problems(served.schema, served.at))


def _is_new(finding: Finding, report: set[str]) -> bool:
    """Whether a finding is the first about a rule that is not checked: it says the same for every object."""
    if finding.severity is not Severity.NOTE:
        return True
    is_new = finding.message not in report
    report.add(finding.message)
    return is_new


class _Validator:
    """Validates the objects that have one kind."""

    def __init__(self, served: Served) -> None:
        self.served = served
        self._shapes = VALIDATOR(draft(served.schema))

    def findings(self, raw: Mapping[str, object], run: RuleRun) -> list[Finding]:
        """Validates one object. CEL rules run only if the structure is valid, as in the API server."""
        declaration = cast("Mapping[str, object]", defaulted(self.served.schema, raw))
        shapes = [_structural(error, self.served) for error in self._shapes.iter_errors(declaration)]
        return shapes if shapes else [_by_rule(outcome, self.served) for outcome in run.outcomes(self.served.schema, declaration)]


def _of_object(written: ManifestObject, validators: Sequence[_Validator], run: RuleRun) -> Iterator[Finding]:
    key = (written.raw.get("apiVersion"), written.kind)
    findings = [validator.findings(written.raw, run) for validator in validators if validator.served.key == key]
    for finding in min(findings, key=lambda findings: sum(finding.severity is Severity.ERROR for finding in findings), default=()):
        yield replace(finding, object=written.label, position=written.position(finding.steps))


def _structural(error: ValidationError, served: Served) -> Finding:
    at = tuple(cast("Iterable[Step]", error.absolute_path))
    unknown = re.search(r"\('([^']*)' was unexpected\)", error.message)
    if error.validator == "additionalProperties" and unknown:
        at = (*at, unknown[1])
        message = f"{field_name(at)} is not a field of the given CRD"
        return object_finding("OBJ007", at, message, fix="Remove it, or upgrade the CRDs of the cluster", source=str(served))
    message, fix = rejection(error)
    return object_finding("OBJ007", at, message, fix=fix, source=str(served), value=error.instance)


def _by_rule(outcome: Outcome, served: Served) -> Finding:
    rule = " ".join(outcome.rule.split())
    if not outcome.is_checked:
        message = f"Only the API server can check this rule of the CRD, which {outcome.message}: `{rule}`"
        return object_finding("OBJ015", outcome.at, message, fix=None, source=str(served))
    named = field_name(outcome.at) if outcome.at else "the object"
    message = f"The CRD rejects {named}: {outcome.message}".rstrip(".")
    return object_finding("OBJ007", outcome.at, message, fix=f"Change it so that this holds: `{rule}`", source=str(served), value=outcome.value)


_BOUND_TEXTS: Final[Mapping[str, str]] = {
    "minimum": "be at least {}",
    "maximum": "be at most {}",
    "exclusiveMinimum": "be greater than {}",
    "exclusiveMaximum": "be less than {}",
    "multipleOf": "be a multiple of {}",
    "minLength": "have at least {} characters",
    "maxLength": "have at most {} characters",
    "minItems": "have at least {} entries",
    "maxItems": "have at most {} entries",
    "minProperties": "have at least {} entries",
    "maxProperties": "have at most {} entries",
    "pattern": "match `{}`",
}
"""The requirement of each keyword of a schema, with its bound."""


def rejection(error: ValidationError) -> tuple[str, str]:
    """Returns the message and the fix for a value that a schema rejects."""
    field = field_name(tuple(error.absolute_path))
    fix = f"Change {field} to a value that the CRD accepts" if error.absolute_path else "Change it to what the CRD accepts"
    keyword, bound = str(error.validator), cast("object", error.validator_value)
    if keyword == "required":
        missing = (re.findall(r"'([^']*)' is a required", error.message) or ["a field"])[0]
        return f"{field} must have `{missing}`", f"Add `{missing}`"
    if keyword in _BOUND_TEXTS:
        must = _BOUND_TEXTS[keyword].format(bound)
    elif keyword in _OTHER_TEXTS:
        must = _OTHER_TEXTS[keyword](bound)
    else:
        return f"The CRD rejects {field}: its value does not meet the keyword `{keyword}` of the schema", fix
    return f"{field} must {must}", fix


def _type_names(bound: object) -> str:
    names = [str(name) for name in cast("Sequence[object]", bound)] if isinstance(bound, list) else [str(bound)]
    return f"have the type {' or '.join(f'`{name}`' for name in names)}"


_OTHER_TEXTS: Final[Mapping[str, Callable[[object], str]]] = {
    "type": _type_names,
    "enum": lambda bound: f"be one of {', '.join(f'`{flow(value)}`' for value in cast('Sequence[object]', bound))}",
    "uniqueItems": lambda _: "not have an entry twice",
    "uniqueKeys": lambda keys: f"not have two entries with the same {' and '.join(f'`{key}`' for key in cast('Sequence[str]', keys))}",
}


def _pattern(_: object, expression: str, instance: object, __: object) -> Iterator[ValidationError]:
    if isinstance(instance, str) and not is_match(expression, instance):
        yield ValidationError(f"{instance!r} does not match {expression!r}")


def _unique_keys(_: object, keys: Sequence[str], instance: object, __: object) -> Iterator[ValidationError]:
    """Reports entries of a list that have the same values in the fields that identify an entry."""
    seen: set[str] = set()
    for entry in cast("list[object]", instance) if isinstance(instance, list) else ():
        if isinstance(entry, Mapping):
            fields = cast("Mapping[str, object]", entry)
            key = repr([fields.get(name) for name in keys])
            if key in seen:
                yield ValidationError(f"{key} is there twice")
            seen.add(key)


VALIDATOR: Final = cast("Any", validators).extend(Draft202012Validator, {"pattern": _pattern, "uniqueKeys": _unique_keys})
