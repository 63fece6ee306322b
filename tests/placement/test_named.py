"""Workloads that a platform names: what can be read of them, and those that two autoscalers would start nodes for."""

from nodepools import AksNodePool, Autoscale, Platform, UserPool, keys
from nodepools.clouds.registry import catalog
from nodepools.model.derive import derive
from nodepools.placement.must_fit import named_workloads, numbered_workloads, started_twice
from tests.placement.conftest import SIZE, nap, pod

BOTH = derive(nap(general=AksNodePool(requirements=[keys.aks.sku_family.one_of("D")])), pools={"web": UserPool(vm_size=SIZE, scale=Autoscale(1, 3))})


def named(*raw: object) -> Platform:
    return Platform.model_validate({"name": "dev", "clusters": {"c": BOTH}, "must_fit": list(raw)})


def test_what_cannot_be_read_is_passed_over() -> None:
    assert [one.name for one in named_workloads(named({"kind": "Pod", "spec": {"nodeSelector": "a"}}, pod()))] == ["pod"]


def test_a_pod_that_both_would_start_nodes_for() -> None:
    platform = named(pod(), pod(nodeSelector={"nodepools/name": "web"}))
    [found] = started_twice(platform, catalog(platform), {"c/web"})
    assert (found.entry, found.agent_pools, found.node_pools) == (0, ("c/web",), ("c/general",))


def test_entries_of_one_name_that_differ_are_each_asked_for() -> None:
    """A platform has several clusters, and each can have its own."""
    other = {**pod(), "spec": {**pod()["spec"], "hostNetwork": True}}
    assert [(index, one.holds) for index, one in numbered_workloads(named(pod(), other))] == [(0, ()), (1, ())]
