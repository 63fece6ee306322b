"""Small declarations for the tables of capacity."""

from typing import Any

from nodepools import AksClusterArgs, EksClusterArgs, Platform, SystemPool, UserPool
from nodepools.clouds.item import NOTHING_EXISTING, ExistingStock, Item
from nodepools.needs.platform_capacity import capacity

Key = tuple[str, str, str]
D2 = "Standard_D2ds_v5"
FLAT = {"plugin_mode": None}


def aks(**fields: Any) -> AksClusterArgs:
    """A cluster with one system node; `pools` and everything else as given."""
    if "network" in fields:
        fields["network"] = {"kind": "AksNetwork", **fields["network"]}
    known: dict[str, Any] = {"location": "westeurope", "kubernetes_version": "1.35", "system_pool": system(), **fields}
    return AksClusterArgs(**known)


def eks(**fields: Any) -> EksClusterArgs:
    known: dict[str, Any] = {"region": "us-east-1", "kubernetes_version": "1.35", **fields}
    return EksClusterArgs(**known)


def system(**fields: Any) -> SystemPool:
    known: dict[str, Any] = {"vm_size": D2, "count": 1, **fields}
    return SystemPool(**known)


def user(**fields: Any) -> UserPool:
    known: dict[str, Any] = {"vm_size": D2, "count": 1, **fields}
    return UserPool(**known)


def platform(name: str = "dev", **clusters: AksClusterArgs | EksClusterArgs) -> Platform:
    return Platform(name=name, clusters=clusters)


def items(cluster: AksClusterArgs | EksClusterArgs, existing: ExistingStock = NOTHING_EXISTING) -> dict[Key, Item]:
    """The items of one cluster by what, name and who checks it."""
    (found,) = capacity(platform(one=cluster), existing=existing)
    assert len({key(item) for item in found.items}) == len(found.items)
    return {key(item): item for item in found.items}


def key(item: Item) -> Key:
    return item.what, item.name, item.checked_by
