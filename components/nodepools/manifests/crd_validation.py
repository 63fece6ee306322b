"""Validates objects by the CRDs of a cluster as an API server does: first by the structural schemas, then by the CEL rules."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from jsonschema.exceptions import ValidationError

from nodepools.manifests.crd_files import Crds, Served
from nodepools.manifests.crd_rejection import rejection
from nodepools.manifests.crd_rules import Outcome, RuleRun, compilation_problems
from nodepools.manifests.crd_schema import Schema, defaulted, draft, without_nulls
from nodepools.manifests.crd_shape import schema_problems
from nodepools.manifests.crd_validator import VALIDATOR
from nodepools.manifests.manifest_objects import ManifestObject
from nodepools.manifests.reading_findings import field_name
from nodepools.rules.finding import Finding, Severity
from nodepools.rules.object_findings import object_finding
from nodepools.rules.path import Step


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
        message = f"`nodepools` did not check a rule of the CRD, because the rule {outcome.message}: `{rule}`"
        return object_finding("OBJ015", outcome.at, message, fix=None, source=str(served))
    named = field_name(outcome.at) if outcome.at else "the object"
    message = f"The CRD rejects {named}: {outcome.message}".rstrip(".")
    return object_finding("OBJ007", outcome.at, message, fix=f"Change it so that this holds: `{rule}`", source=str(served), value=outcome.value)
