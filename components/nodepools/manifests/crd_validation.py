"""Validates objects by the CRDs of a cluster as an API server does: first by the structural schemas, then by the CEL rules."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any, Final, cast

import cel
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from nodepools.manifests.crd_rejection import rejection
from nodepools.manifests.crd_schema import Schema, crd_release, defaulted, draft
from nodepools.manifests.manifest_objects import ManifestObject
from nodepools.manifests.reading_findings import field_name
from nodepools.reading.limits import TextError
from nodepools.reading.yaml_documents import documents
from nodepools.rules.finding import Finding
from nodepools.rules.object_findings import object_finding
from nodepools.rules.path import Step


def _find(text: str, pattern: str) -> str:
    match = re.search(pattern, text)
    return match[0] if match else ""


def _duration(text: str) -> timedelta:
    """Reads a duration as Go does, without the blanks that the library accepts. An invalid one exceeds every bound and is rejected."""
    if not re.fullmatch(r"[-+]?([0-9]+(\.[0-9]*)?(h|m|s|ms|us|ns))+|0", text):
        return timedelta(days=100_000)
    seconds = {"h": 3600, "m": 60, "s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}
    return timedelta(seconds=sum(float(number) * seconds[unit] for number, unit in re.findall(r"([0-9.]+)(h|ms|us|ns|m|s)", text)))


_FUNCTIONS: Final = {"find": _find, "split": str.split, "goDuration": _duration}
"""Functions of Kubernetes' CEL that the library lacks, or implements differently."""


@dataclass(frozen=True, slots=True)
class Served:
    """A kind in a version that a cluster serves."""

    api_version: str
    kind: str
    schema: Schema
    validator: Draft202012Validator

    def __str__(self) -> str:
        return f"{self.api_version} {self.kind}: {crd_release(self.schema)}"


def schemas(files: Iterable[Path], read: Callable[[Path], str]) -> list[Served]:
    """Returns every kind that the CRDs in `files` serve.

    Raises:
        TextError: a file cannot be read, or there is no CRD.
    """
    names: list[str] = []
    found: list[Served] = []
    for file in files:
        names.append(str(file))
        found.extend(served for document in documents(read(file), str(file)) for served in _served(document.value))
    if not found:
        raise TextError(f"{', '.join(names) or '--crds'}: holds no CustomResourceDefinition")
    return found


def decided(findings: Iterable[Finding], served: Sequence[Served]) -> Iterator[Finding]:
    """Yields `findings` without those that the given CRDs decide: the CRDs reject the value, or accept it."""
    decides = any((one.api_version, one.kind) == ("karpenter.sh/v1", "NodePool") for one in served)
    yield from (finding for finding in findings if finding.code != "OBJ014" or not decides)


def rejected(found: Sequence[ManifestObject], served: Sequence[Served]) -> Iterator[Finding]:
    """Validates objects by the schemas and rules of their kinds.

    If a kind is served several times, as by the clusters of two clouds, an object is for one of them: it is rejected if all reject it.
    """
    for written in found:
        key = (written.raw.get("apiVersion"), written.kind)
        findings = [_rejected(written.raw, one) for one in served if (one.api_version, one.kind) == key]
        for finding in min(findings, key=len, default=()):
            yield replace(finding, object=written.label, position=written.position(finding.steps))


def _rejected(raw: Mapping[str, object], served: Served) -> list[Finding]:
    """Validates one object. CEL rules run only if the structure is valid, as in the API server."""
    whole = cast("Mapping[str, Any]", defaulted(served.schema, raw))
    shapes = [_structural(error, served) for error in served.validator.iter_errors(whole)]  # pyright: ignore[reportUnknownMemberType]  # from its overloads
    return shapes if shapes else [_by_rule(rule, at, value, served) for rule, at, value in _broken(served.schema, whole, ())]


def _structural(error: ValidationError, served: Served) -> Finding:
    at = tuple(cast("Iterable[Step]", error.absolute_path))
    unknown = re.search(r"\('([^']*)' was unexpected\)", error.message)
    if error.validator == "additionalProperties" and unknown:
        at = (*at, unknown[1])
        message = f"{field_name(at)} is not a field of this version of the CRD"
        return object_finding("OBJ007", at, message, fix="Remove it, or upgrade the CRDs of the cluster", source=str(served))
    message, fix = rejection(error)
    return object_finding("OBJ007", at, message, fix=fix, source=str(served), value=error.instance)


def _by_rule(rule: Mapping[str, object], at: tuple[Step, ...], value: object, served: Served) -> Finding:
    message = f"The CRD rejects {field_name(at) if at else 'the object'}: {rule.get('message', 'one of its rules does not hold')}".rstrip(".")
    return object_finding("OBJ007", at, message, fix=f"Change it so that this holds: `{rule['rule']}`", source=str(served), value=value)


def _broken(schema: Schema, value: object, at: tuple[Step, ...]) -> Iterator[tuple[Mapping[str, object], tuple[Step, ...], object]]:
    """Yields every CEL rule that does not hold, the innermost first. Transition rules need an older object, and are skipped."""
    for step, inner, part in _inside(schema, value):
        yield from _broken(inner, part, (*at, step))
    for rule in cast("Sequence[Mapping[str, object]]", schema.get("x-kubernetes-validations", ())):
        text = str(rule["rule"])
        if "oldSelf" not in text and not _holds(text, value):
            yield rule, at, value


def _holds(rule: str, value: object) -> bool:
    try:
        return _program(rule).execute(cel.Context(variables={"self": value}, functions=_FUNCTIONS)) is True
    except (RuntimeError, TypeError, ValueError, LookupError):
        return False  # the API server rejects the object if an evaluation fails


@cache
def _program(rule: str) -> cel.Program:
    return cel.compile(re.sub(r"\bduration\(", "goDuration(", rule))


def _inside(schema: Schema, value: object) -> Iterator[tuple[Step, Schema, object]]:
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


def _served(document: object) -> Iterator[Served]:
    """Yields the kinds of a CRD, of a list of CRDs, or of a schema that names its kind."""
    if not isinstance(document, Mapping):
        return
    raw = cast("Mapping[str, object]", document)
    if str(raw.get("kind", "")).endswith("List"):
        for item in cast("Sequence[object]", raw.get("items") or ()):
            yield from _served(item)
    elif raw.get("kind") == "CustomResourceDefinition":
        yield from _versions(cast("Schema", raw["spec"]))
    elif "x-kubernetes-group-version-kind" in raw:
        for of in cast("Sequence[Mapping[str, str]]", raw["x-kubernetes-group-version-kind"]):
            yield _one(f"{of['group']}/{of['version']}", of["kind"], raw)


def _versions(spec: Schema) -> Iterator[Served]:
    kind = cast("Mapping[str, str]", spec["names"])["kind"]
    for version in cast("Sequence[Schema]", spec["versions"]):
        if version.get("served"):
            yield _one(f"{spec['group']}/{version['name']}", kind, cast("Schema", cast("Schema", version["schema"])["openAPIV3Schema"]))


def _one(api_version: str, kind: str, schema: Schema) -> Served:
    return Served(api_version, kind, schema, Draft202012Validator(draft(schema)))
