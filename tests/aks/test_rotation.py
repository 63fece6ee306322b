"""AKS refuses a second pool operation while one runs: whatever changes, pools are made and deleted one after another."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nodepools import AksClusterArgs, SystemPool, UserPool, testing
from nodepools.aks.cluster import AksCluster

SIZES = ("Standard_D2ds_v5", "Standard_D4ds_v5")
KEYS = "abcdef"


def deployed(sizes):
    """A cluster with a pool for each key of `sizes`, in their order."""
    return _deployed(tuple(sizes.items()))


@cache
def _deployed(sizes):
    args = AksClusterArgs(
        location="westeurope",
        kubernetes_version="1.35",
        system_pool=SystemPool(vm_size=SIZES[1], count=3),
        pools={key: UserPool(vm_size=SIZES[size]) for key, size in sizes},
    )
    return testing.run(lambda: AksCluster("c", args))


def pools(waves):
    """How many pools are touched in each wave."""
    return [sum(label.startswith("AgentPool/") for label in wave) for wave in waves]


CHANGES = [
    pytest.param({"a": 0, "b": 0, "c": 0}, {"a": 1, "b": 1, "c": 0}, id="two neighbours are rotated"),
    pytest.param({"a": 0, "b": 0, "c": 0}, {"a": 1, "b": 0, "c": 1}, id="two that are no neighbours are rotated"),
    pytest.param({"a": 0, "b": 0, "c": 0}, {"a": 1, "b": 1, "c": 1}, id="all are rotated"),
    pytest.param({"a": 0, "b": 0, "c": 0}, {"a": 0, "c": 1}, id="the one in the middle is removed and the last rotated"),  # row 3 of the traps
    pytest.param({"a": 0, "c": 0}, {"a": 1, "b": 0, "c": 1}, id="one is inserted and its neighbours are rotated"),
    pytest.param({"a": 0, "b": 0, "c": 0}, {"c": 1, "b": 0, "a": 1}, id="their order is turned and two are rotated"),
]


@pytest.mark.parametrize(("before", "after"), CHANGES)
def test_pools_are_made_and_deleted_one_after_another(before, after):
    old, new = deployed(before), deployed(after)
    waves = new.waves(since=old)
    made = sum(before.get(key) != size for key, size in after.items())
    gone = sum(after.get(key) != size for key, size in before.items())
    assert pools(waves.creates) == [1] * made
    assert pools(waves.deletes) == [1] * gone


@pytest.fixture(scope="module")
def six():
    """Six pools."""
    return deployed(dict.fromkeys(KEYS, 0))


@given(data=st.data())
@settings(max_examples=200)
def test_whatever_goes_of_three_to_six_pools_goes_one_after_another(six, data):
    count = data.draw(st.integers(3, 6))
    requests = {node.urn: node.request for node in six if not any(node.name.startswith(f"c-{key}") for key in KEYS[count:])}
    gone = data.draw(st.sets(st.sampled_from(KEYS[:count]), min_size=1))
    old = testing.Graph(requests, {})
    new = testing.Graph({urn: request for urn, request in requests.items() if not any(request.name.startswith(f"c-{key}") for key in gone)}, {})
    assert pools(new.waves(since=old).deletes) == [1] * len(gone)


def test_of_every_two_pools_one_depends_on_the_other(six):
    made = six.all("AgentPool")
    assert len(made) == 6
    assert all(one.depends_on(other) != other.depends_on(one) for one in made for other in made if one is not other)


def test_a_destroy_takes_them_one_after_another_and_the_cluster_last(six):
    waves = six.waves().deletes
    assert pools(waves).count(1) == 6
    assert max(pools(waves)) == 1
    assert six.deletes("AgentPool").before("ManagedCluster/c")


def test_a_chain_of_neighbours_would_not_do():
    """The harness sees what the real engine does with `depends_on=[previous]`: two old pools go at once."""
    import pulumi

    class Pool(pulumi.CustomResource):
        def __init__(self, name, after):
            super().__init__("x:y:AgentPool", name, {}, pulumi.ResourceOptions(depends_on=after))

    def chained(names):
        def program():
            last = []
            for name in names:
                last = [Pool(name, last)]

        return testing.run(program)

    old, new = chained(["a1", "b1", "c1"]), chained(["a2", "b1", "c2"])
    assert pools(new.waves(since=old).deletes) == [2]
