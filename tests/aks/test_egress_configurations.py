"""StaticGatewayConfigurations of gateway pools: what is registered, with which rights and in which order, what an edit does, and what is reported."""

from collections.abc import Mapping
from typing import Any

import pytest
import yaml

from nodepools import AksCluster, AksClusterArgs, Platform, UserPool, check, derive, diff, testing
from nodepools.aks import EgressConfiguration
from nodepools.rules.engine.samples import SIZE, aks

PREFIX = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/net/providers/Microsoft.Network/publicIPPrefixes/fixed"
POOL = UserPool(
    vm_size=SIZE,
    count=2,
    gateway_prefix_size=31,
    egress_configurations={
        "fixed": EgressConfiguration("shop", exclude=["10.0.0.0/8", "169.254.169.254/32"], prefix_id=PREFIX),
        "any": EgressConfiguration("other"),
    },
)


def cluster(pool: UserPool = POOL, **fields: Any) -> AksClusterArgs:
    return aks(network_profile={"static_egress_gateway": True}, pools={"out": pool}, **fields)


def test_each_names_its_pool_and_is_deleted_before_it() -> None:
    graph = testing.run(lambda: AksCluster("dev-weu", cluster()))
    pool = graph.one("AgentPool/dev-weu-out????")
    made = {node.name: node for node in graph.all("StaticGatewayConfiguration")}
    assert made["dev-weu-shop.fixed"].inputs["spec"] == {
        "gatewayNodepoolName": pool.inputs["agentPoolName"],
        "excludeCidrs": ["10.0.0.0/8", "169.254.169.254/32"],
        "publicIpPrefixId": PREFIX,
    }
    assert made["dev-weu-other.any"].inputs["spec"] == {"gatewayNodepoolName": pool.inputs["agentPoolName"]}
    assert {name: node.inputs["metadata"]["namespace"] for name, node in made.items()} == {"dev-weu-shop.fixed": "shop", "dev-weu-other.any": "other"}
    assert all(graph.deletes(node).before(pool) for node in made.values())


def test_pools_can_have_configurations_of_one_name_in_different_namespaces() -> None:
    other = derive(POOL, egress_configurations={"any": None, "fixed": EgressConfiguration("other")})
    graph = testing.run(lambda: AksCluster("dev-weu", derive(cluster(), pools={"out": POOL, "more": other})))
    names = [node.name for node in graph.all("StaticGatewayConfiguration")]
    assert sorted(names) == ["dev-weu-other.any", "dev-weu-other.fixed", "dev-weu-shop.fixed"]


@pytest.mark.parametrize(
    ("fields", "scopes"),
    [
        pytest.param({}, [PREFIX], id="the identity that is created"),
        pytest.param({"identity": "system"}, [], id="another identity"),
        pytest.param(
            {"network_profile": {"static_egress_gateway": True, "load_balancer": {"outbound_ip_prefix_ids": [PREFIX]}}}, [PREFIX], id="once"
        ),
    ],
)
def test_the_identity_can_use_the_prefix(fields: Mapping[str, object], scopes: list[str]) -> None:
    graph = testing.run(lambda: AksCluster("dev-weu", derive(cluster(), dict(fields))))
    granted = [node.inputs["scope"] for node in graph.all("RoleAssignment")]
    assert [scope for scope in granted if scope == PREFIX] == scopes


def test_render_writes_them() -> None:
    texts: list[str] = []
    graph = testing.run(lambda: AksCluster("dev-weu", cluster(apply="render")).render().apply(texts.append))
    assert graph.all("StaticGatewayConfiguration") == []
    assert [one["metadata"]["name"] for one in yaml.safe_load_all(texts[0])] == ["fixed", "any"]
    assert f"publicIpPrefixId: {PREFIX}" in texts[0]


def test_an_edit_leaves_nodes() -> None:
    old, new = (Platform(name="dev", clusters={"weu": cluster(one)}) for one in (derive(POOL, egress_configurations={"any": None}), POOL))
    [change] = diff(old, new).all
    assert (change.effect.name, change.steps[-1]) == ("IN_PLACE", "any")


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
    if not paths:
        made = testing.run(lambda: AksCluster("dev-weu", declared)).all("StaticGatewayConfiguration")
        assert len({node.urn for node in made}) == sum(len(pool.egress_configurations) for pool in pools.values())


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


@pytest.mark.parametrize(
    ("pool", "path"),
    [
        pytest.param(derive(POOL, gateway_prefix_size=None), "AKS385 pools.out.egress_configurations", id="no gateway pool"),
        pytest.param(
            derive(POOL, egress_configurations={"fixed": EgressConfiguration("shop", prefix_id="fixed")}),
            "AKS336 pools.out.egress_configurations.fixed.prefix_id",
            id="a name for an id",
        ),
    ],
)
def test_what_gives_no_address_is_reported(pool: UserPool, path: str) -> None:
    assert [f"{one.code} {one.path}" for one in check(cluster(pool)) if one.severity.name == "ERROR"] == [path]
    assert [one for one in check(cluster()) if one.severity.name == "ERROR"] == []
