"""Headroom of pools: how many nodes have it, what they cost, what else needs them, and the objects that keep it."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from nodepools import AksClusterArgs, Autoscale, EksClusterArgs, EksNodePool, Headroom, Platform, UserPool, capacity, cost, diff, explain, keys
from nodepools.aks import Machines
from nodepools.clouds.aks.agent_pool_nodes import headroom_nodes, least_nodes
from nodepools.clouds.karpenter_objects import headroom_objects
from nodepools.clouds.prices import HOURS, PriceList
from nodepools.model.invalid_parts import is_faulty
from nodepools.rules.engine.samples import aks, aks_pool, auto_mode, eks_pool
from nodepools.wire.table import Effect

ROOM = Headroom(3, {"cpu": "1", "memory": "2Gi"})
D2 = "Standard_D2ds_v5"
PRICES = PriceList.model_validate({"aws": {"us-east-1": {"m5.large": {"on_demand": 1, "spot": 0.5}, "m5.xlarge": 3, "c5.xlarge": 2}}})


@pytest.mark.parametrize(
    ("each", "nodes"),
    [
        pytest.param({"cpu": 3000, "memory": None}, 1, id="one node for all, by what is known"),
        pytest.param({"cpu": 2999}, 2, id="two of three pods on one"),
        pytest.param({"cpu": 1900, "memory": 64 * 1024**3 * 1000}, 3, id="one pod on each"),
        pytest.param({"cpu": 8000, "memory": 4 * 1024**3 * 1000}, 2, id="memory decides"),
        pytest.param({"cpu": 999}, 0, id="a pod is too large"),
        pytest.param({}, 1, id="nothing is known: there is a node"),
    ],
)
def test_the_fewest_nodes_that_have_it(each: Mapping[str, int | None], nodes: int) -> None:
    assert ROOM.nodes(each) == nodes


@pytest.mark.parametrize("requests", [{}, {"cpu": "0"}, {"cpu": "-1"}, {"c p u": "1"}])
def test_amounts_are_of_resources_and_positive(requests: dict[str, str]) -> None:
    assert is_faulty(Headroom(1, requests))


@pytest.mark.parametrize(
    ("pool", "needed", "least"),
    [
        pytest.param(UserPool(vm_size=D2, scale=Autoscale(1, 5), headroom=ROOM), 3, 3, id="one pod on each node"),
        pytest.param(UserPool(vm_size=D2, scale=Autoscale(4, 5), headroom=ROOM), 3, 4, id="the range keeps more"),
        pytest.param(UserPool(vm_size=D2, scale=Autoscale(0, 2), headroom=ROOM), 3, 2, id="the range ends before"),
        pytest.param(UserPool(vm_size=D2, count=2, headroom=ROOM), 3, 2, id="no autoscaler"),
        pytest.param(UserPool(vm_size="Standard_New", scale=Autoscale(1, 5), headroom=ROOM), None, 1, id="a size that is not known"),
        pytest.param(UserPool(vm_size=D2, scale=Autoscale(1, 5)), None, 1, id="none"),
        pytest.param(
            UserPool(vm_size=D2, scale=Autoscale(1, 5), headroom=ROOM, machines=[Machines(vm_size="Standard_D4ds_v5", count=1)]), None, 2, id="sizes"
        ),
    ],
)
def test_an_agent_pool_has_at_least_the_nodes_for_it(pool: UserPool, needed: int | None, least: int) -> None:
    assert (headroom_nodes(pool), least_nodes(pool)) == (needed, least)


def eks(room: Headroom | None, *types: str, **fields: object) -> EksClusterArgs:
    return auto_mode({"web": eks_pool(keys.eks.instance_type.one_of(*types), headroom=room, **fields)}, built_in_node_pools=[])


def lowest(cluster: EksClusterArgs | AksClusterArgs, pool: str) -> float | None:
    """The least that a pool costs each hour; `None` if it is not known."""
    [found] = [one for one in cost(Platform(name="dev", clusters={"one": cluster}), PRICES) if one.pool == f"one/{pool}"]
    return None if found.min.figure is None and not found.min.minimum else round(found.min.known / HOURS, 3)


LARGE = Headroom(3, {"cpu": "3"})


@pytest.mark.parametrize(
    ("cluster", "hourly"),
    [
        pytest.param(eks(None, "m5.large"), 0, id="without it"),
        pytest.param(eks(ROOM, "m5.large"), 1.5, id="three CPUs at the price of two for 1"),
        pytest.param(eks(Headroom(1, {"cpu": "100m"}), "m5.large", "m5.xlarge"), 1, id="the cheapest node"),
        pytest.param(eks(LARGE, "m5.large", "m5.xlarge"), 6.75, id="only the larger node has room for a pod: 9 CPUs at 4 for 3"),
        pytest.param(eks(LARGE, "m5.xlarge", "c5.xlarge"), 4.5, id="the cheaper rate"),
        pytest.param(eks(Headroom(1, {"cpu": "64"}), "m5.large"), 0, id="no node has room"),
        pytest.param(eks(ROOM, "m5.large", "m5.2xlarge"), None, id="a type without a price can be cheaper"),
    ],
)
def test_what_its_nodes_cost_at_least(cluster: EksClusterArgs, hourly: float | None) -> None:
    assert lowest(cluster, "web") == hourly


def test_it_needs_nodes_and_their_vcpus() -> None:
    def minimum(room: Headroom | None, what: str, **fields: object) -> int:
        cluster = eks(room, "m5.large", limits={"cpu": 16}, **fields)
        [item] = [one for found in capacity(Platform(name="dev", clusters={"one": cluster})) for one in found.items if one.what == what]
        return item.sizes.minimum.minimum

    assert (minimum(None, "vcpus"), minimum(ROOM, "vcpus"), minimum(ROOM, "vcpus", replicas=1)) == (0, 3, 2)
    assert minimum(Headroom(1, {"cpu": "64"}), "vcpus") == 0


@pytest.mark.parametrize(
    ("cluster", "told"),
    [
        pytest.param(aks(pools={"web": UserPool(vm_size=D2, scale=Autoscale(1, 5), headroom=ROOM)}), 1, id="an agent pool"),
        pytest.param(aks(pools={"web": UserPool(vm_size=D2, count=1, headroom=ROOM)}), 0, id="of a fixed size"),
        pytest.param(eks(ROOM, "m5.large"), 1, id="a NodePool"),
        pytest.param(eks(ROOM, "m5.large", replicas=1), 0, id="a static one"),
    ],
)
def test_explain_tells_it(cluster: AksClusterArgs | EksClusterArgs, told: int) -> None:
    pod = "{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {nodeSelector: {nodepools/name: web}, containers: [{name: a, image: a}]}}"
    [answer] = explain(Platform(name="dev", clusters={"one": cluster}), pod)
    assert sum(one.startswith("`one/web` keeps room for 3 pods of cpu 1, memory 2Gi") for one in answer.answer.notices) == told


def by_kind(objects: Iterator[Any]) -> dict[str, Any]:
    return {one["kind"]: one for one in objects}


def test_placeholder_pods_run_on_the_pool_alone_and_are_preempted() -> None:
    spot = UserPool(vm_size=D2, scale=Autoscale(0, 5), spot={"max_price": 1}, headroom=ROOM)
    objects = by_kind(headroom_objects(aks(pools={"web": spot, "other": UserPool(vm_size=D2, count=1)})))
    assert list(objects) == ["PriorityClass", "Deployment"]
    assert (objects["PriorityClass"]["value"], objects["PriorityClass"]["preemptionPolicy"]) == (-10, "Never")
    pod = objects["Deployment"]["spec"]["template"]["spec"]
    assert pod["nodeSelector"] == {"nodepools/name": "web"}
    assert [one["key"] for one in pod["tolerations"]] == ["kubernetes.azure.com/scalesetpriority"]
    assert pod["containers"][0]["resources"]["requests"] == {"cpu": "1", "memory": "2Gi"}
    assert objects["Deployment"]["spec"]["replicas"] == 3
    assert objects["Deployment"]["metadata"]["annotations"] == {"pulumi.com/skipAwait": "true"}


def test_a_capacity_buffer_has_a_template_and_no_pods() -> None:
    objects = by_kind(headroom_objects(auto_mode({"web": EksNodePool(headroom=Headroom(3, {"cpu": "1"}, by="capacity-buffer", namespace="shop"))})))
    assert list(objects) == ["PodTemplate", "CapacityBuffer"]
    assert objects["CapacityBuffer"]["spec"]["podTemplateRef"]["name"] == objects["PodTemplate"]["metadata"]["name"]
    assert {one["metadata"]["namespace"] for one in objects.values()} == {"shop"}
    assert objects["CapacityBuffer"]["spec"]["replicas"] == 3


def test_an_edit_of_it_leaves_nodes() -> None:
    def platform(room: Headroom | None) -> Platform:
        return Platform(name="dev", clusters={"one": aks(pools={}, node_provisioning={"node_pools": {"web": aks_pool(headroom=room)}})})

    [change] = diff(platform(None), platform(ROOM)).all
    assert (change.effect, change.steps[-1]) == (Effect.IN_PLACE, "headroom")
