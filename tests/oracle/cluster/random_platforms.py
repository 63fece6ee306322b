"""Random AKS clusters with agent pools, and their nodes as AKS would make them, with what we do not know of a node decided at random."""

import random
from collections.abc import Iterator, Sequence
from typing import Any, Final

from nodepools import AksClusterArgs, AksNetworkArgs, Autoscale, GpuPool, Platform, Spot, SystemPool, UserPool, WindowsPool
from nodepools.model.kubernetes.label import Taint
from nodepools.placement.static_pools import StaticPool
from tests.oracle.cluster.control_plane import ZONE_OF_DISKS, Object

HOST, ZONE = "kubernetes.io/hostname", "topology.kubernetes.io/zone"
DISK_DRIVER: Final = "disk.csi.azure.com"
UNKNOWN_MOST: Final = {"ephemeral-storage": 100 * 1024**3 * 1000}
SIZES: Final = ("Standard_D2ds_v5", "Standard_D2ds_v5", "Standard_D4ds_v5", "Standard_D8ds_v5", "Standard_B2s")
TAINTS: Final = (
    Taint("team", "ml", "NoSchedule"),
    Taint("team", "ml", "NoExecute"),
    Taint("team", "web", "NoSchedule"),
    Taint("team", "", "NoSchedule"),
    Taint("team", "web", "PreferNoSchedule"),
)


def platform(chance: random.Random) -> Platform:
    pools: dict[str, Any] = {}
    for number in range(chance.choice((1, 2, 2, 3, 4))):
        kind = chance.choice(("user", "user", "user", "user", "spot", "arm", "gpu", "windows"))
        pools[f"{kind[:3]}{number}"] = _pool(chance, kind)
    system = SystemPool(vm_size="Standard_D4ds_v5", count=chance.choice((1, 2)), zones=_zones(chance), isolated=chance.random() < 0.8)
    weu = AksClusterArgs(
        location="westeurope",
        kubernetes_version="1.37",
        network=AksNetworkArgs(cidr="10.10.0.0/16"),
        system_pool=system,
        pools=pools,
    )
    return Platform(name="oracle", clusters={"weu": weu})


def _zones(chance: random.Random) -> Sequence[Any]:
    return chance.choice(((), (1,), (1, 2), (1, 2, 3), (1, 2, 3), (2, 3)))


def _pool(chance: random.Random, kind: str) -> Any:
    least = chance.choice((0, 1, 1, 2, 3))
    fixed = chance.random() < 0.4
    common: dict[str, Any] = {
        "zones": _zones(chance),
        "labels": {key: chance.choice(values) for key, values in (("tier", ("web", "api")), ("rank", ("1", "5", "ten"))) if chance.random() < 0.5},
        "taints": [chance.choice(TAINTS)] if chance.random() < 0.25 else [],
        **({"count": max(least, 1)} if fixed else {"scale": Autoscale(least, least + chance.choice((1, 2, 3)))}),
        **({"max_pods": chance.choice((10, 30))} if chance.random() < 0.4 else {}),
        **({"os_disk_size_gb": 64} if chance.random() < 0.3 else {}),
    }
    if kind == "gpu":
        return GpuPool(vm_size="Standard_NC4as_T4_v3", tainted=chance.random() < 0.7, **common)
    if kind == "windows":
        return WindowsPool(vm_size="Standard_D4ds_v5", tainted=chance.random() < 0.7, **common)
    size = "Standard_D2ps_v6" if kind == "arm" else chance.choice(SIZES)
    return UserPool(vm_size=size, spot=Spot() if kind == "spot" else None, **common)


def nodes_of(pool: StaticPool, count: int, chance: random.Random) -> Iterator[Object]:
    """So many nodes of a pool in any of its zones, with the driver of disks on each."""
    limit = chance.choice((4, 8))
    for number in range(count):
        labels = chance.choice(pool.variants)
        name = f"{pool.address.rpartition('/')[2]}-{number}"
        scale_set = f"virtualMachineScaleSets/aks-{labels['agentpool']}-vmss/virtualMachines/{number}"
        labels = {**labels, HOST: name, ZONE_OF_DISKS: "" if labels[ZONE].isdigit() else labels[ZONE]}
        room = _allocatable(pool, chance)
        yield {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {"name": name, "labels": labels},
            "spec": {
                "providerID": f"azure:///subscriptions/0/resourceGroups/MC_oracle/providers/Microsoft.Compute/{scale_set}",
                "taints": [{key: value for key, value in (("key", t.key), ("value", t.value), ("effect", t.effect)) if value} for t in pool.taints],
            },
            "status": {"allocatable": room, "capacity": room, "conditions": [{"type": "Ready", "status": "True"}]},
        }
        driver = {"name": DISK_DRIVER, "nodeID": name, "topologyKeys": [ZONE_OF_DISKS], "allocatable": {"count": limit}}
        yield {"apiVersion": "storage.k8s.io/v1", "kind": "CSINode", "metadata": {"name": name}, "spec": {"drivers": [driver]}}


def _allocatable(pool: StaticPool, chance: random.Random) -> dict[str, str]:
    assert pool.offers is not None
    part = chance.choice((0, 0.5, 1))
    room = {"pods": str(pool.max_pods)}
    for name, bounds in pool.offers.items():
        most = bounds.most if bounds.most is not None else UNKNOWN_MOST.get(name, bounds.least)
        if most:
            amount = int(bounds.least + part * (most - bounds.least))
            room[name] = f"{amount}m" if name in ("cpu", "memory") else str(amount // 1000)
    return room
