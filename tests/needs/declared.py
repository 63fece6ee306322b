"""Small declarations for the tables of capacity."""

from nodepools import AksClusterArgs, EksClusterArgs, Platform, SystemPool, UserPool
from nodepools.needs.platform_capacity import capacity
from nodepools.needs.stock import NOTHING_OBSERVED

D2 = "Standard_D2ds_v5"
FLAT = {"plugin_mode": None}


def aks(**fields):
    """A cluster with one system node; `pools` and everything else as given."""
    if "network" in fields:
        fields["network"] = {"kind": "AksNetwork", **fields["network"]}
    return AksClusterArgs(**{"location": "westeurope", "kubernetes_version": "1.35", "system_pool": system(), **fields})


def eks(**fields):
    return EksClusterArgs(**{"region": "us-east-1", "kubernetes_version": "1.35", **fields})


def system(**fields):
    return SystemPool(**{"vm_size": D2, "count": 1, **fields})


def user(**fields):
    return UserPool(**{"vm_size": D2, "count": 1, **fields})


def platform(name="dev", **clusters):
    return Platform(name=name, clusters=clusters)


def items(cluster, observed=NOTHING_OBSERVED):
    """The items of one cluster by what, name and who checks it."""
    (found,) = capacity(platform(one=cluster), observed=observed)
    assert len({key(item) for item in found.items}) == len(found.items)
    return {key(item): item for item in found.items}


def key(item):
    return item.what, item.name, item.checked_by
