"""Resources that are the same one under another key, and others under the same key."""

import pytest

from nodepools import AksClusterArgs, Autoscale, EksClusterArgs, Platform, SystemPool, UserPool
from nodepools.aks import Machines
from nodepools.changes.platform_changes import diff
from nodepools.eks import AccessEntry, PodIdentity
from nodepools.wire.table import Effect

SYSTEM = SystemPool(vm_size="Standard_D4ds_v5", count=2)
SMALL, LARGE = "Standard_D2ds_v5", "Standard_D4ds_v5"


def aks(key: str = "weu", **fields: object) -> Platform:
    """A platform with one AKS cluster."""
    declared = {"location": "westeurope", "kubernetes_version": "1.35", "system_pool": SYSTEM, **fields}
    return Platform.model_validate({"name": "dev", "clusters": {key: AksClusterArgs.model_validate(declared)}})


def eks(key: str = "weu", **fields: object) -> Platform:
    """A platform with one EKS cluster."""
    declared = {"region": "us-east-1", "kubernetes_version": "1.35", **fields}
    return Platform.model_validate({"name": "dev", "clusters": {key: EksClusterArgs.model_validate(declared)}})


def pools(**named: tuple[str, str]) -> Platform:
    """A platform with pools by key, each with its name and its VM size."""
    return aks(pools={key: UserPool(vm_size=size, count=2, name=name) for key, (name, size) in named.items()})


def effects(old: Platform, new: Platform) -> dict[str, str]:
    """The effect of each change that has one, by its path below the cluster."""
    found = {change.path.removeprefix("clusters."): change.effect for change in diff(old, new).all}
    return {path: effect.value for path, effect in found.items() if effect is not Effect.NONE}


KEY_LABEL = 'labels["nodepools/name"]'


def test_pools_that_exchange_their_names_are_replaced_and_not_rotated() -> None:
    found = effects(pools(a=("one", SMALL), b=("two", LARGE)), pools(a=("two", SMALL), b=("one", LARGE)))
    assert found == {
        "weu.pools.a.vm_size": "replaces",
        "weu.pools.b.vm_size": "replaces",
        f"weu.pools.a.{KEY_LABEL}": "in_place",
        f"weu.pools.b.{KEY_LABEL}": "in_place",
    }


def test_pools_that_exchange_all_but_their_keys_keep_their_nodes() -> None:
    found = effects(pools(a=("one", SMALL), b=("two", LARGE)), pools(a=("two", LARGE), b=("one", SMALL)))
    assert found == {f"weu.pools.a.{KEY_LABEL}": "in_place", f"weu.pools.b.{KEY_LABEL}": "in_place"}


def test_three_pools_that_exchange_their_names_keep_their_nodes() -> None:
    old = pools(a=("one", SMALL), b=("two", SMALL), c=("three", SMALL))
    found = effects(old, pools(a=("two", SMALL), b=("three", SMALL), c=("one", SMALL)))
    assert set(found.values()) == {"in_place"}
    assert len(found) == 3


def test_a_pool_with_the_name_of_another_one_takes_its_nodes_and_its_own_are_removed() -> None:
    old, new = pools(a=("one", SMALL), b=("two", SMALL)), pools(a=("two", SMALL), b=("new", SMALL))
    changes = diff(old, new)
    said = {(change.old, change.new): change.effect.value for change in changes.all if change.effect is not Effect.NONE}
    assert said == {("dev-weu-one", None): "removes_nodes", (None, "dev-weu-new"): "creates", ("b", "a"): "in_place"}
    assert {operation.split()[0] for wave in changes.order for operation in wave} == {"create", "update", "delete"}


def test_a_cluster_of_another_cloud_under_the_same_key_is_another_cluster() -> None:
    for old, new in ((aks(), eks()), (eks(), aks())):
        changes = diff(old, new)
        assert {(change.path, change.effect.value) for change in changes.all} == {("clusters.weu", "deletes"), ("clusters.weu", "creates")}
        assert {operation.split()[0] for wave in changes.order for operation in wave} == {"create", "delete"}


@pytest.mark.parametrize(
    ("old", "new", "effect"),
    [
        (eks("a", name="shop"), eks("b", name="shop"), "refused"),
        (eks("a", name="shop"), eks("b", name="shop", region="us-west-2"), "creates"),
        (eks("a", name="shop"), eks("b"), "creates"),
        (aks("a", name="shop", resource_group="rg"), aks("b", name="shop", resource_group="rg"), "refused"),
        (aks("a", name="shop"), aks("b", name="shop"), "creates"),
    ],
)
def test_a_cluster_whose_name_another_one_has_until_it_is_deleted(old: Platform, new: Platform, effect: str) -> None:
    [created] = [change for change in diff(old, new).all if change.path == "clusters.b"]
    assert created.effect.value == effect


OPS = AccessEntry(principal="arn:aws:iam::1:role/ops")
READER = PodIdentity(namespace="a", service_account="b", role="arn:aws:iam::1:role/a")


@pytest.mark.parametrize(
    ("old", "new", "effect"),
    [
        ({"access_entries": {"a": OPS}}, {"access_entries": {"b": OPS}}, "refused"),
        ({"access_entries": {"a": OPS}}, {"access_entries": {"b": AccessEntry(principal="arn:aws:iam::1:role/b")}}, "deletes"),
        ({"pod_identities": {"a": READER}}, {"pod_identities": {"b": READER}}, "refused"),
    ],
)
def test_what_a_cluster_has_once_is_not_created_before_it_is_deleted(old: dict[str, object], new: dict[str, object], effect: str) -> None:
    assert diff(eks("weu", **old), eks("weu", **new)).worst.value == effect


@pytest.mark.parametrize("name", [None, "fixed"])
def test_a_new_pool_has_what_is_declared_and_keeps_nothing(name: str | None) -> None:
    """It rotates, or is deleted first if its name is fixed."""
    before = UserPool(vm_size=SMALL, scale=Autoscale(1, 5), fips=True, name=name)
    found = effects(aks(pools={"a": before}), aks(pools={"a": UserPool(vm_size=LARGE, count=1, name=name)}))
    assert set(found) == {"weu.pools.a.vm_size", "weu.pools.a.scale", "weu.pools.a.fips"}
    assert set(found.values()) == {"rotates" if name is None else "replaces"}


def test_a_new_cluster_keeps_nothing() -> None:
    found = effects(aks(node_os_upgrade="Unmanaged"), aks(dns_prefix="other"))
    assert found == {"weu.dns_prefix": "replaces", "weu.node_os_upgrade": "replaces"}


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        (UserPool(vm_size=LARGE, count=3), SystemPool(vm_size=LARGE, count=3), "kind"),
        (
            UserPool(vm_size=LARGE, count=3, machines=[Machines(vm_size=SMALL)]),
            UserPool(vm_size=SMALL, count=1, machines=[Machines(vm_size=LARGE, count=3)]),
            "vm_size",
        ),
    ],
)
def test_a_pool_rotates_because_of_the_field_that_was_edited(old: UserPool, new: UserPool | SystemPool, field: str) -> None:
    found = effects(aks(pools={"a": old}), aks(pools={"a": new}))
    assert found[f"weu.pools.a.{field}"] == "rotates"
    assert "weu.pools.a.generation" not in found
