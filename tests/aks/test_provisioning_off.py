"""Node auto provisioning is turned off in steps: the cluster would be asked while its objects are there."""

import pytest

from nodepools import AksNodeClass, NodeProvisioning
from nodepools.rules.engine.samples import aks_pool

OWN = NodeProvisioning(node_classes={"own": AksNodeClass()}, node_pools={"general": aks_pool(node_class="own")})


@pytest.fixture
def steps(deploy):
    return deploy(node_provisioning=OWN), deploy(node_provisioning=NodeProvisioning()), deploy()


def test_first_the_objects_go_each_pool_before_its_class_and_the_cluster_is_as_it_was(steps):
    on, emptied, _ = steps
    waves = emptied.waves(since=on)
    kinds = [sorted(label.partition("/")[0] for label in wave) for wave in waves.deletes]
    assert kinds.index(["NodePool"]) < kinds.index(["AKSNodeClass"])
    assert (waves.creates, waves.updates) == ((), frozenset())


def test_then_the_cluster_turns_it_off(steps):
    _, emptied, off = steps
    waves = off.waves(since=emptied)
    assert (waves.creates, waves.updates, waves.deletes) == ((), {"ManagedCluster/dev-weu"}, ())


def test_at_once_the_cluster_would_be_updated_while_its_objects_are_there(steps):
    on, _, off = steps
    waves = off.waves(since=on)
    assert waves.updates == {"ManagedCluster/dev-weu"}, "updates come before deletes"
    assert any(label.startswith("NodePool/") for wave in waves.deletes for label in wave)
