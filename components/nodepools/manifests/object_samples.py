"""The smallest text that has a finding of each code without a rule: a platform for schema findings, objects for the others."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, cast

from pydantic import ValidationError

from nodepools.data.karpenter_releases import KarpenterRelease, karpenter_release
from nodepools.manifests.ignore_comments import object_ignores
from nodepools.manifests.manifest_objects import objects
from nodepools.manifests.object_checks import check_objects
from nodepools.manifests.platform_yaml import parse
from nodepools.model.platform import Platform
from nodepools.rules.engine.accepted_findings import without_accepted
from nodepools.rules.engine.finding import Finding
from nodepools.rules.engine.runner import check
from nodepools.rules.engine.schema_findings import doubtful_findings, empty_findings, shape_findings

_LINES: Final = cast("Mapping[str, Sequence[str]]", json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8")))
SAMPLES: Final[Mapping[str, str]] = {code: "".join(f"{line}\n" for line in lines) for code, lines in _LINES.items()}
"""All codes but CFG010 and CFG012: only programs contain values that just Pulumi knows, and derive."""


def findings_of(code: str, text: str | None = None) -> list[Finding]:
    """Returns the findings of the sample of a code, or of another text, that have this code."""
    text = SAMPLES[code] if text is None else text
    is_platform = code.startswith("CFG") or code == "IGN004"
    found = _of_platform(text) if is_platform else _of_objects(text, karpenter_release("1.7") if code == "OBJ016" else None)
    return [finding for finding in found if finding.code == code]


def _of_platform(text: str) -> list[Finding]:
    document = parse(text, "platform.yaml")
    empty = empty_findings(document.empty, Platform, document.value)
    try:
        platform = Platform.model_validate(document.value)
    except ValidationError as error:
        return [*empty, *shape_findings(error, Platform)]
    return [*empty, *doubtful_findings(document.doubts, Platform, document.value), *check(platform)]


def _of_objects(text: str, karpenter: KarpenterRelease | None) -> list[Finding]:
    found = [written for written in objects(text, "pools.yaml") if written.kind != "CustomResourceDefinition"]
    findings = list(without_accepted(check_objects(found, karpenter=karpenter).findings, object_ignores(text, "pools.yaml", found)))
    if "CustomResourceDefinition" not in text:
        return findings
    from nodepools.manifests.crds.schema import read_crds  # needs libraries that the rest does without
    from nodepools.manifests.crds.validation import validated

    return [*findings, *validated(found, read_crds([Path("crds.yaml")], lambda _: text)).findings]
