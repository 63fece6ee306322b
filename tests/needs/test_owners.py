"""What the pools of each owner can have together, and where the names of owners are sent."""

import pytest

from nodepools import AksClusterArgs, EksNodePool, Platform, derive
from nodepools.clouds.registry import catalog
from nodepools.needs.owners import needs_by_owner
from nodepools.rules.engine.samples import SIZE, aks, aks_pool, auto_mode, platform, provisioning

LABEL = "example.com/owner"


def owned(**cluster: object) -> Platform:
    return platform(one=aks(**cluster))


def found(declared: Platform) -> dict[str | None, tuple[str, str, tuple[str, ...]]]:
    return {one.owner: (str(one.nodes), str(one.vcpus), tuple(pool.address for pool in one.pools)) for one in needs_by_owner(declared)}


WEB = {"kind": "UserPool", "vm_size": "Standard_D4ds_v5", "owner": "shop"}


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        pytest.param(owned(), {}, id="nothing has an owner"),
        pytest.param(
            owned(owner="core", pools={"web": {**WEB, "scale": {"min": 1, "max": 20}}}),
            {"core": ("3", "12", ("one/system",)), "shop": ("1 to 20", "4 to 80", ("one/web",))},
            id="a pool of its own owner, and the rest of the cluster",
        ),
        pytest.param(
            owned(pools={"web": {**WEB, "count": 2, "previous": {**WEB, "vm_size": "Standard_D8ds_v5", "count": 3, "owner": None}}}),
            {"shop": ("5", "32", ("one/web", "one/web (previous)")), None: ("3", "12", ("one/system",))},
            id="the previous generation has the owner of its pool; pools without one are last",
        ),
        pytest.param(
            owned(pools={"web": {**WEB, "count": 2, "overrides": {"count": 9}}, "off": {**WEB, "count": 2, "power_state": "Stopped"}}),
            {"shop": ("any number", "any number", ("one/web", "one/off")), None: ("3", "12", ("one/system",))},
            id="overrides are not read, and a stopped pool has no nodes",
        ),
        pytest.param(
            owned(pools={"web": {**WEB, "vm_size": "Standard_D4ds_v99", "count": 2}}),
            {"shop": ("2", "any number", ("one/web",)), None: ("3", "12", ("one/system",))},
            id="a size that is not known",
        ),
        pytest.param(
            platform(one=auto_mode({"web": EksNodePool(limits={"cpu": "64"}, owner="shop")})),
            {"shop": ("0 to 32", "0 to 64", ("one/web",)), None: ("any number", "any number", ("one/general-purpose", "one/system"))},
            id="limits bound a NodePool; nothing bounds built-in ones",
        ),
        pytest.param(
            platform(one=auto_mode({"web": EksNodePool(replicas=3, owner="shop", overrides={"limits": {"cpu": "1"}})})),
            {"shop": ("any number", "any number", ("one/web",)), None: ("any number", "any number", ("one/general-purpose", "one/system"))},
            id="overrides of a NodePool",
        ),
    ],
)
def test_needs_of_owners(declared: Platform, expected: dict[str | None, tuple[str, str, tuple[str, ...]]]) -> None:
    assert found(declared) == expected


def test_a_static_node_pool_has_its_replicas() -> None:
    declared = platform(one=auto_mode({"web": EksNodePool(replicas=3, owner="shop")}))
    assert found(declared)["shop"][0] == "3"


def test_owner_in_json() -> None:
    [first, _] = needs_by_owner(owned(owner="core", pools={"web": {**WEB, "count": 2}}))
    assert first.to_json() == {
        "owner": "core",
        "pools": ["one/system"],
        "nodes": {"minimum": 3, "maximum": 3},
        "vcpus": {"minimum": 12, "maximum": 12},
    }


def test_a_name_is_sent_only_where_the_platform_says() -> None:
    declared = owned(owner="core", pools={"web": {**WEB, "labels": {"tier": "web"}}, "own": {**WEB, "labels": {LABEL: "else"}}})
    assert declared.owned("one") is declared.clusters["one"]
    sent = derive(declared, owners={"label": LABEL, "tag": "owner"})
    cluster = sent.cluster("one")
    assert isinstance(cluster, AksClusterArgs)
    assert cluster.tags["owner"] == "core"
    assert dict(cluster.system_pool.labels) == {LABEL: "core"}
    assert (dict(cluster.pools["web"].labels), dict(cluster.pools["web"].tags)) == ({LABEL: "shop", "tier": "web"}, {"owner": "shop"})
    assert dict(cluster.pools["own"].labels) == {LABEL: "else"}


def test_a_platform_without_owners_sends_nothing() -> None:
    declared = derive(platform(one=provisioning({"web": aks_pool()})), owners={"label": LABEL, "tag": "owner"})
    assert declared.owned("one") is declared.clusters["one"]


def test_pods_can_select_the_label() -> None:
    declared = derive(owned(owner="core", system_pool={"vm_size": SIZE}), owners={"label": LABEL})
    assert any(labels.get(LABEL) == "core" for pools in catalog(declared) for pool in pools.static for labels in pool.variants)
