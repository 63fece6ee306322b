"""What a graph says of the edits since another one."""

import pytest

from nodepools import AksClusterArgs, Platform, SystemPool, UserPool, deploy, derive, testing

PLATFORM = Platform(
    name="dev",
    clusters={
        "weu": AksClusterArgs(
            location="westeurope",
            kubernetes_version="1.35",
            system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=2),
            pools={"web": UserPool(vm_size="Standard_D2ds_v5", count=3)},
        )
    },
)


@pytest.fixture(scope="module")
def old():
    return testing.run(lambda: deploy(PLATFORM))


def graph(**fields):
    return testing.run(lambda: deploy(derive(PLATFORM, clusters={"weu": derive(PLATFORM.clusters["weu"], **fields)})))


def test_nothing_changed(old):
    assert graph().diff(old).all == ()
    assert graph().diff(old).worst <= "none"


def test_a_larger_pool_rotates(old):
    changes = graph(pools={"web": UserPool(vm_size="Standard_D4ds_v5", count=3)}).diff(old)
    assert [(change.at, change.effect.value) for change in changes.all] == [("dev-weu/web", "rotates")]
    assert changes.worst <= "rolls"


def test_another_location_replaces_the_cluster(old):
    new = graph(location="francecentral")
    assert not new.diff(old).worst <= "rolls"
    waves = new.waves(since=old)
    assert "ManagedCluster/dev-weu" in waves.replaces
    assert "ManagedCluster/dev-weu" not in waves.updates


def test_a_label_is_an_update(old):
    new = graph(pools={"web": UserPool(vm_size="Standard_D2ds_v5", count=3, labels={"a": "b"})})
    assert new.diff(old).worst <= "in_place"
    assert new.waves(since=old).replaces == frozenset()
