"""Validates objects by the CRDs of a cluster as an API server does: first by the structural schemas, then by the CEL rules."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, cast

from jsonschema import Draft202012Validator, validators
from jsonschema.exceptions import ValidationError

from nodepools.cel.text import is_match
from nodepools.manifests.crds.files import Crds, Served
from nodepools.manifests.crds.rules import Outcome, RuleRun, compilation_problems
from nodepools.manifests.crds.schema import Schema, defaulted, draft, without_nulls
from nodepools.manifests.crds.shape import schema_problems
from nodepools.manifests.manifest_objects import ManifestObject
from nodepools.manifests.reading_findings import field_name
from nodepools.model.steps import Step
from nodepools.rules.engine.api_findings import object_finding
from nodepools.rules.engine.finding import Finding, Severity
from nodepools.rules.engine.finding_text import flow


@dataclass(frozen=True, slots=True)
class Validation:
    """The findings of the CRDs, the kinds that were used, and one line for each problem of a CRD."""

    findings: tuple[Finding, ...]
    used: tuple[Served, ...]
    problems: tuple[str, ...]


def decided(findings: Iterable[Finding], used: Sequence[Served]) -> Iterator[Finding]:
    """Yields `findings` without those that the given CRDs decide: the CRDs reject the value, or accept it."""
    decides = any(served_kind.key == ("karpenter.sh/v1", "NodePool") for served_kind in used)
    yield from (finding for finding in findings if finding.code != "OBJ014" or not decides)


def validated(found: Sequence[ManifestObject], crds: Crds) -> Validation:
    """Validates objects by the schemas and rules of their kinds. Only these are compiled.

    If a kind is served several times, as by the clusters of two clouds, an object is for one of them: it is rejected if all reject it.
    """
    needed = {(written.raw.get("apiVersion"), written.kind) for written in found}
    requested = (
        replace(served_kind, schema=cast("Schema", without_nulls(served_kind.schema))) for served_kind in crds.served if served_kind.key in needed
    )
    checked = [(served_kind, list(_problems(served_kind))) for served_kind in requested]
    validators = [_Validator(served_kind) for served_kind, problems in checked if not problems]
    run, report = RuleRun(), set[str]()
    findings = [finding for written in found for finding in _of_object(written, validators, run) if _is_new(finding, report)]
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
    for finding in min(findings, key=_errors, default=()):
        yield replace(finding, object=written.label, position=written.position(finding.steps))


def _errors(findings: Sequence[Finding]) -> int:
    return sum(finding.severity is Severity.ERROR for finding in findings)


def _structural(error: ValidationError, served: Served) -> Finding:
    at = tuple(cast("Iterable[Step]", error.absolute_path))
    unknown = re.search(r"\('([^']*)' was unexpected\)", error.message)
    if error.validator == "additionalProperties" and unknown:
        at = (*at, unknown[1])
        message = f"{field_name(at)} is not a field of this version of the CRD"
        return object_finding("OBJ007", at, message, fix="Remove it, or upgrade the CRDs of the cluster", source=str(served))
    message, fix = rejection(error)
    return object_finding("OBJ007", at, message, fix=fix, source=str(served), value=error.instance)


def _by_rule(outcome: Outcome, served: Served) -> Finding:
    rule = " ".join(outcome.rule.split())
    if not outcome.is_checked:
        message = f"A rule of the CRD is not checked, because it {outcome.message}: `{rule}`"
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


def _one_of(bound: object) -> str:
    return f"be one of {', '.join(f'`{flow(value)}`' for value in cast('Sequence[object]', bound))}"


_OTHER_TEXTS: Final[Mapping[str, Callable[[object], str]]] = {
    "type": _type_names,
    "enum": _one_of,
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
