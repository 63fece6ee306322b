"""NodePools that other people wrote, of every provider: each is checked and explained."""

from collections import Counter
from pathlib import Path

import pytest

from nodepools.conversion.raw_parts import part
from nodepools.manifests.existing.live_pools import pools_of
from nodepools.manifests.manifest_objects import ManifestObject, objects
from nodepools.manifests.object_checks import check_objects
from nodepools.model.severity import Severity
from nodepools.placement.explain import Explainer
from nodepools.placement.workloads.reader import read_workloads

COUNT = 116
OTHER_PROVIDERS = ("karpenter.kwok.sh", "karpenter.yourprovider.com")
OF_OTHERS = [("default", "karpenter.kwok.sh"), ("default", "karpenter.yourprovider.com"), ("default", "karpenter.kwok.sh")]
"""NodePools whose node class belongs to a provider that is not known here."""
VERDICTS = {"fits": 74, "unknown": 42}
"""Of a pod that tolerates everything and requests nothing."""
ASSUMED = 42
"""NodePools that the API server does not accept as they are, or that have a field which is not known here."""
UNKNOWN_PROVIDERS = 37
REPORTED = {"CFG001", "CFG002", "CFG006", "KAR011"}
"""Codes of errors in these files: what the API server rejects too (fragments, unknown fields), and limits of a static NodePool."""


@pytest.fixture
def node_pools(project: Path) -> list[ManifestObject]:
    folder = project.parent / "shared" / "manifests"
    if not folder.is_dir():
        pytest.skip("the manifests of others are not at hand: they are not ours to ship")
    found = [one for path in sorted(folder.glob("*.yaml")) for one in objects(path.read_text(), path.name)]
    return [one for one in found if one.kind == "NodePool"]


def test_every_node_pool_is_checked(node_pools: list[ManifestObject]) -> None:
    results = [check_objects([one]) for one in node_pools]
    assert (len(results), [one.label for one, result in zip(node_pools, results, strict=True) if not result.read]) == (COUNT, [])
    errors = {finding.code for result in results for finding in result.findings if finding.severity is Severity.ERROR}
    assert errors == REPORTED


def test_every_node_pool_is_judged_but_for_the_classes_of_other_providers(node_pools: list[ManifestObject]) -> None:
    outside = [one for one in node_pools if any(finding.code == "OBJ003" for finding in check_objects([one]).findings)]
    assert [(one.name, part(one.raw, "spec", "template", "spec", "nodeClassRef")["group"]) for one in outside] == OF_OTHERS


def test_every_node_pool_is_explained(node_pools: list[ManifestObject]) -> None:
    [anything] = read_workloads({"kind": "Pod", "metadata": {"name": "p"}, "spec": {"containers": [{}], "tolerations": [{"operator": "Exists"}]}})
    verdicts = [Explainer(pools_of([one])).answer(anything).verdict.value for one in node_pools]
    pools = [pool for one in node_pools for pool in pools_of([one]).provisioned]
    assert (len(verdicts), len(pools)) == (COUNT, COUNT)
    assert Counter(verdicts) == VERDICTS
    assert sum(bool(pool.assumed or pool.unread) for pool in pools) == ASSUMED


def test_what_is_not_known_of_a_node_pool_is_said(node_pools: list[ManifestObject]) -> None:
    unknown = [pool for one in node_pools for pool in pools_of([one]).provisioned if pool.cloud.unknown]
    assert len(unknown) == UNKNOWN_PROVIDERS
    assert all(pool.cloud.unknown in pool.assumed or any(provider in pool.cloud.unknown for provider in OTHER_PROVIDERS) for pool in unknown)
