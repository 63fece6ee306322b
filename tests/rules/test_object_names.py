"""Names of the objects in a cluster that pools, services and node classes declare or name."""

from collections.abc import Mapping
from typing import Any

import pytest

from nodepools import UserPool, check
from nodepools.aks import EgressConfiguration
from nodepools.rules.engine.samples import SIZE, aks


def named(*configurations: str) -> UserPool:
    """A gateway pool; each name is `NAMESPACE/NAME`."""
    declared = {name: EgressConfiguration(namespace) for namespace, _, name in (one.partition("/") for one in configurations)}
    return UserPool(vm_size=SIZE, count=2, gateway_prefix_size=31, egress_configurations=declared)


@pytest.mark.parametrize(
    ("pools", "paths"),
    [
        pytest.param({"out": named("shop/Bad_Name")}, ["pools.out.egress_configurations.Bad_Name"], id="capitals and underscores"),
        pytest.param({"out": named("shop/a..b")}, ['pools.out.egress_configurations["a..b"]'], id="an empty label of DNS"),
        pytest.param({"out": named("shop/" + "a" * 254)}, [f"pools.out.egress_configurations.{'a' * 254}"], id="too long"),
        pytest.param({"out": named("shop/a.b", "shop/" + "a" * 253)}, [], id="names that objects can have"),
        pytest.param({"out": named("shop/a"), "more": named("shop/a")}, ["pools.more.egress_configurations.a"], id="one object of two pools"),
        pytest.param({"out": named("shop/a"), "more": named("other/a")}, [], id="two namespaces"),
        pytest.param({"out": named("a/b-c"), "more": named("a-b/c")}, [], id="another split of the same words"),
    ],
)
def test_objects_have_names_of_their_own(pools: Mapping[str, UserPool], paths: list[str]) -> None:
    declared = aks(network_profile={"static_egress_gateway": True}, pools=pools)
    assert [one.path for one in check(declared) if one.code == "AKS386"] == paths


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        pytest.param({"workload_identities": {"a": {"namespace": "shop", "service_account": "a..b"}}}, "workload_identities.a.service_account"),
        pytest.param({"istio": {"revisions": ["asm-1-30"], "egress": [{"name": "a", "configuration": "A"}]}}, "istio.egress[0].configuration"),
        pytest.param(
            {"istio": {"revisions": ["asm-1-30"], "egress": [{"name": "a", "configuration": "a", "namespace": "a.b"}]}}, "istio.egress[0].namespace"
        ),
        pytest.param({"node_provisioning": {"existing_node_classes": ["A"]}}, "node_provisioning.existing_node_classes[0]"),
    ],
)
def test_other_objects_are_named_as_objects_can_be(fields: dict[str, Any], path: str) -> None:
    assert path in [one.path for one in check(aks(**fields))]


@pytest.mark.parametrize(
    ("by", "paths"), [("placeholder-pods", ["node_provisioning.node_pools.web.headroom"]), ("capacity-buffer", [])], ids=["one object", "two kinds"]
)
def test_headroom_of_an_agent_pool_and_a_node_pool_of_one_key(by: str, paths: list[str]) -> None:
    room = {"pods": 1, "requests": {"cpu": 1}}
    web = UserPool.model_validate({"vm_size": SIZE, "scale": {"min": 1, "max": 4}, "headroom": room})
    provisioned = {"web": {"headroom": {**room, "by": by, "namespace": "other"}}}
    found = check(aks(pools={"web": web}, node_provisioning={"node_pools": provisioned}))
    assert [one.path for one in found if one.code == "AKS386"] == paths
