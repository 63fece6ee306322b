"""StaticGatewayConfigurations of gateway pools: what is registered, with which rights and in which order, what an edit does, and what is reported."""

from collections.abc import Mapping, Sequence
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


def gateway(name: str) -> UserPool:
    """A gateway pool with one configuration, `NAMESPACE/NAME`."""
    namespace, _, own = name.partition("/")
    return UserPool(vm_size=SIZE, count=2, gateway_prefix_size=31, egress_configurations={own: EgressConfiguration(namespace)})


@pytest.mark.parametrize("names", [("shop/a", "other/a"), ("a/b-c", "a-b/c")], ids=["two namespaces", "another split of the same words"])
def test_resources_have_names_of_their_own(names: Sequence[str]) -> None:
    pools = {f"gw{number}": one for number, one in enumerate(map(gateway, names))}
    graph = testing.run(lambda: AksCluster("dev-weu", aks(network_profile={"static_egress_gateway": True}, pools=pools)))
    assert len({node.urn for node in graph.all("StaticGatewayConfiguration")}) == len(names)


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
