"""Findings about objects of self-managed Karpenter and of former versions name `nodepools convert` where it clears them."""

import shlex
from dataclasses import replace
from typing import Final

from nodepools.conversion.converted import convert
from nodepools.conversion.node_pools import class_group, is_node_pool
from nodepools.conversion.targets import NODE_CLASSES, Target, Wanted
from nodepools.manifests.manifest_objects import ManifestObject
from nodepools.manifests.partial_objects import read_object
from nodepools.rules.finding import Finding, Severity
from nodepools.wire.karpenter import AKS_NODE_CLASS

_CLEARED: Final = frozenset({"OBJ001", "OBJ002", "OBJ013"})
_STDIN: Final = "stdin"


def with_advice(written: ManifestObject, finding: Finding) -> Finding:
    """Returns the finding with the command that clears it, if the conversion of the object was tried and gives a valid object."""
    if finding.code not in _CLEARED or finding.fix is None:
        return finding
    target = Target.NAP if AKS_NODE_CLASS.kind in str(written.raw) else Target.AUTO_MODE
    if not _clears(written, target):
        return finding
    file = "FILE" if written.file == _STDIN else shlex.quote(written.file)
    advice = f"`nodepools convert {file} --to {target.value}` converts it for {target.title}"
    first, colon, rest = finding.fix.text.partition(":\n")
    text = f"{first} ({advice}){colon}{rest}" if colon else f"{first}. {advice}"
    return replace(finding, fix=replace(finding.fix, text=text))


def _clears(written: ManifestObject, target: Target) -> bool:
    if is_node_pool(written.raw) and class_group(written.raw) not in NODE_CLASSES:
        return False
    [converted] = convert([written.raw], Wanted(target, target.suffix))
    read, findings = read_object(replace(written, raw=converted.new))
    return converted.is_changed and read is not None and read.cloud is not None and not any(one.severity is Severity.ERROR for one in findings)
