"""Which pool a running node is in."""

import pytest

from nodepools.placement.static_pools import pools_of

WEB = {"kubernetes.azure.com/agentpool": "web1k3f", "nodepools/name": "web"}
BATCH = {"kubernetes.azure.com/agentpool": "batch9w2k", "nodepools/name": "batch"}
GENERAL = {"karpenter.sh/nodepool": "general"}
POOLS = [("web", WEB), ("batch", BATCH), ("general", GENERAL)]

CASES = {
    "the name of an agent pool decides": ({"kubernetes.azure.com/agentpool": "web1k3f", "nodepools/name": "batch"}, ["web"]),
    "a node of an older generation is in the pool of its key": ({"kubernetes.azure.com/agentpool": "web0000", "nodepools/name": "web"}, ["web"]),
    "a node of Karpenter is in its NodePool": (GENERAL, ["general"]),
    "a node of another NodePool is in no pool, whatever its other labels": ({"karpenter.sh/nodepool": "other", **WEB}, []),
    "a node without labels is in no pool": ({}, []),
}


@pytest.mark.parametrize(("labels", "found"), CASES.values(), ids=CASES)
def test_the_labels_of_a_node_name_its_pool(labels, found):
    assert pools_of(labels, POOLS) == found
