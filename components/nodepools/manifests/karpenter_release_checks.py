"""Checks NodePools and EC2NodeClasses for the version of Karpenter that runs: what a later one introduced, an older one does not accept."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, cast

from nodepools.data.karpenter_releases import Fact, KarpenterRelease
from nodepools.manifests.manifest_objects import ManifestObject
from nodepools.model.kubernetes.label import DEPRECATED_LABELS, domain
from nodepools.model.steps import Steps, mapping
from nodepools.placement.cloud_labels import KARPENTER_LABELS
from nodepools.rules.engine.api_findings import object_finding
from nodepools.rules.engine.finding import Finding

_SOURCE: Final = "https://github.com/aws/karpenter-provider-aws/tree/main/pkg/apis/crds"
_KUBERNETES: Final = ("kubernetes.io", "k8s.io")
_FREE: Final = ("kops.k8s.io", "node.kubernetes.io", "node-restriction.kubernetes.io")
"""Domains whose labels were never restricted (rule of the CRD)."""


def of_release(written: ManifestObject, release: KarpenterRelease) -> Iterator[Finding]:
    """What this version of Karpenter does not accept in an object."""
    spec = written.raw.get("spec")
    for fact in release.newer_facts(written.kind):
        for steps, value in _found(spec, fact.path, ("spec",)):
            yield from _of_fact(fact, steps, value, release)
    if written.kind == "NodePool":
        for steps, key in _labels(spec):
            yield from _of_label(steps, key, release)


def served(findings: Sequence[Finding], release: KarpenterRelease) -> Iterator[Finding]:
    """The findings of an object; without what this version of Karpenter accepts after all; what it still serves is deprecated."""
    for finding in findings:
        if finding.code == "OBJ014" and release.fills_consolidate_after:
            continue
        if finding.code == "OBJ001" and release.serves_v1beta1 and str(finding.value).endswith("/v1beta1"):
            message = f"`{finding.value}` is deprecated: Karpenter {release.version} is the last version that serves it"
            deprecated = object_finding("OBJ002", ("apiVersion",), message, fix=None, value=finding.value, source=finding.source)
            yield replace(deprecated, fix=finding.fix)
        else:
            yield finding


def _found(value: object, path: Sequence[str], steps: Steps) -> Iterator[tuple[Steps, object]]:
    """The values at a path, with the steps to each."""
    if not path:
        yield steps, value
    elif path[0] == "[]":
        for index, entry in enumerate(cast("Sequence[object]", value) if isinstance(value, list) else ()):
            yield from _found(entry, path[1:], (*steps, index))
    elif isinstance(value, Mapping) and path[0] in value:
        yield from _found(cast("Mapping[str, object]", value)[path[0]], path[1:], (*steps, path[0]))


def _of_fact(fact: Fact, steps: Steps, value: object, release: KarpenterRelease) -> Iterator[Finding]:
    match fact.what:
        case "field":
            yield _unknown_field(steps, fact.since, release)
        case "value":
            if value in fact.words:
                yield _rejected(steps, value, f"`{value}`", fact.since, release)
        case "family":
            family = str(value).partition("@")[0]
            if family in fact.words:
                yield _rejected(steps, value, f"the family `{family}`", fact.since, release)
        case "other":
            yield from (_unknown_field((*steps, name), fact.since, release) for name in mapping(value) if name not in fact.words)


def _unknown_field(steps: Steps, since: str, release: KarpenterRelease) -> Finding:
    message = f"Karpenter {release.version} does not have this field, which exists since {since}: `kubectl` rejects it, other tools drop it"
    return object_finding("OBJ016", steps, message, fix=f"Remove it, or upgrade Karpenter to {since} or newer", source=_SOURCE)


def _rejected(steps: Steps, value: object, what: str, since: str, release: KarpenterRelease) -> Finding:
    message = f"The CRD of Karpenter {release.version} rejects {what}, which exists since {since}"
    return object_finding("OBJ016", steps, message, fix=f"Use another value, or upgrade Karpenter to {since} or newer", value=value, source=_SOURCE)


def _labels(spec: object) -> Iterator[tuple[Steps, str]]:
    """The label keys that a NodePool requires or sets."""
    template = ("template",)
    for steps, key in _found(spec, (*template, "spec", "requirements", "[]", "key"), ("spec",)):
        yield steps, str(key)
    for steps, labels in _found(spec, (*template, "metadata", "labels"), ("spec",)):
        yield from (((*steps, str(key)), str(key)) for key in (cast("Mapping[object, object]", labels) if isinstance(labels, Mapping) else ()))


def _of_label(steps: Steps, key: str, release: KarpenterRelease) -> Iterator[Finding]:
    if key in release.newer_labels:
        yield _rejected(steps, key, f"the label `{key}`", release.since(key), release)
    elif release.restricts_kubernetes_labels and _is_restricted(key):
        message = f"The CRD of Karpenter {release.version} rejects labels of `{domain(key)}`, which are free since 1.9"
        yield object_finding("OBJ016", steps, message, fix="Use a label of a domain of your own", value=key, source=_SOURCE)


def _is_restricted(key: str) -> bool:
    own = domain(key)
    if key in KARPENTER_LABELS or key in DEPRECATED_LABELS or own.endswith(_FREE):
        return False
    return own.endswith(_KUBERNETES)
