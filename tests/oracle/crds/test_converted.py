"""What a real API server accepts before a conversion, it accepts after it."""

import json
from pathlib import Path
from typing import Any

import pytest

from nodepools.conversion.converted import Converted, convert
from nodepools.conversion.unconverted import ConversionOptions, Outcome, Target
from nodepools.manifests.manifest_objects import objects
from tests.oracle.crds.manifests import FIELDS, SOUND, changed

VINTAGES = {Target.AUTO_MODE: "eks-auto", Target.NAP: "aks"}
NEWER = ("advancedNetworking", "capacityReservationSelectorTerms", "placementGroupSelector", "replicas", "instanceProfile")
"""Fields of Auto Mode that its CRD of December 2024 does not have (docs/facts/eks.md § 2)."""


@pytest.fixture(scope="module")
def public(project: Path) -> list[dict[str, Any]]:
    """NodePools and node classes of public repositories."""
    folder = project.parent / "shared" / "manifests"
    if not folder.is_dir():
        pytest.skip("the manifests of others are not at hand: they are not ours to ship")
    return [dict(one.raw) for file in sorted(folder.glob("*.yaml")) for one in objects(file.read_text(), file.name)]


def vintage(raw: dict[str, Any]) -> str:
    """The CRDs that an object is for."""
    text = json.dumps(raw)
    return "aks" if "karpenter.azure.com" in text else "eks-auto" if "eks.amazonaws.com" in text else "karpenter"


def one(raw: dict[str, Any], target: Target) -> Converted:
    [found] = convert([raw], ConversionOptions(target, target.suffix, "nodes" if target is Target.AUTO_MODE else None))
    return found


def is_newer(raw: dict[str, Any]) -> bool:
    text = json.dumps(raw)
    return any(f'"{name}"' in text for name in NEWER)


def lacks(found: Converted) -> bool:
    return any(entry.outcome is Outcome.MISSING for entry in found.unconverted)


@pytest.mark.parametrize("target", Target)
def test_public_objects_stay_acceptable(target, public, server):
    counts = {"accepted before": 0, "accepted after": 0, "known": 0}
    for raw in public:
        if server(vintage(raw)).refuses(raw) is not None:
            continue
        counts["accepted before"] += 1
        found = one(raw, target)
        refusal = server(VINTAGES[target]).refuses(dict(found.new))
        if refusal is None:
            counts["accepted after"] += 1
        else:
            counts["known"] += 1
            assert lacks(found) or is_newer(dict(found.new)), f"{raw['kind']}/{raw['metadata']['name']}: {refusal}"
    assert counts["accepted before"] >= 80
    assert counts["accepted after"] >= {Target.AUTO_MODE: 70, Target.NAP: 75}[target], counts


KNOWN = {
    '"1h 30m"': "the CRD of Auto Mode of December 2024 does not anchor the pattern of durations",
    'Duplicate value: "Empty"': "the CRD of Auto Mode takes a reason twice",
    'label domain "kubernetes.io" is restricted': "the CRD of Auto Mode of December 2024 rejects such labels, as `check` says",
}
"""Refusals that are not of the conversion."""
OF = {"ec2": "karpenter", "eks": "eks-auto", "aks": "aks"}


@pytest.mark.parametrize("target", Target)
@pytest.mark.parametrize("kind", SOUND)
def test_every_field_stays_acceptable(kind, target, server):
    refused: list[str] = []
    for path, values in FIELDS[kind].items():
        for value in values:
            raw = changed(kind, path, value)
            if "apiVersion" not in raw or "kind" not in raw or server(OF[kind.partition(" ")[0]]).refuses(raw, SOUND[kind]) is not None:
                continue
            found = one(raw, target)
            refusal = server(VINTAGES[target]).refuses(dict(found.new))
            if refusal is None or any(text in refusal for text in KNOWN):
                continue
            if not lacks(found) and not is_newer(dict(found.new)):
                refused.append(f"{path} = {value!r}: {refusal[:300]}")
    assert refused == []
