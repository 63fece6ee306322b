"""Platforms with one cluster in each cloud, and edits of them."""

from collections.abc import Callable

from nodepools import (
    AksClusterArgs,
    AksNetworkArgs,
    AksNodeClass,
    AksNodePool,
    AutoMode,
    Autoscale,
    EksClusterArgs,
    EksNetworkArgs,
    EksNodeClass,
    EksNodePool,
    NodeProvisioning,
    Platform,
    Requirement,
    SystemPool,
    Taint,
    UpgradeSettings,
    UserPool,
    derive,
)
from nodepools.changes.platform_changes import Changes, diff
from nodepools.clouds.change import Change

ZONE = "topology.kubernetes.io/zone"
ARCH = Requirement("kubernetes.io/arch", "In", ["amd64"])
ZONES = Requirement(ZONE, "In", ["westeurope-1", "westeurope-2"])

PLATFORM = Platform(
    name="dev",
    clusters={
        "weu": AksClusterArgs(
            location="westeurope",
            kubernetes_version="1.35",
            network=AksNetworkArgs(cidr="10.10.0.0/16"),
            system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=2),
            pools={
                "web": UserPool(vm_size="Standard_D2ds_v5", scale=Autoscale(2, 20), labels={"tier": "web"}, upgrade=UpgradeSettings(max_surge="33%")),
                "fixed": UserPool(vm_size="Standard_D2ds_v5", count=3, zones=[1, 2], taints=[Taint("a", "b"), Taint("c", "d")]),
                "own": UserPool(vm_size="Standard_D2ds_v5", count=1, kubernetes_version="1.34", name="own"),
            },
        ),
        "nap": AksClusterArgs(
            location="northeurope",
            kubernetes_version="1.35",
            network=AksNetworkArgs(cidr="10.20.0.0/16"),
            system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=2),
            node_provisioning=NodeProvisioning(
                node_classes={"big": AksNodeClass(os_disk_size_gb=256), "other": AksNodeClass()},
                node_pools={
                    "general": AksNodePool(node_class="big", requirements=[ARCH, ZONES], limits={"nodes": 10}, expire_after="480h"),
                    "fixed": AksNodePool(node_class="big", requirements=[ARCH], replicas=3),
                },
            ),
        ),
        "use1": EksClusterArgs(
            region="us-east-1",
            kubernetes_version="1.35",
            network=EksNetworkArgs(cidr="10.30.0.0/16"),
            auto_mode=AutoMode(
                node_classes={"private": EksNodeClass(ephemeral_storage="100Gi")},
                node_pools={"compute": EksNodePool(node_class="private", requirements=[ARCH], limits={"nodes": 6})},
            ),
        ),
    },
)
Edit = Callable[[], Platform]


def cluster(key: str, **fields: object) -> Platform:
    """The platform with other fields of a cluster."""
    return derive(PLATFORM, clusters={key: derive(PLATFORM.clusters[key], **fields)})


def agent_pool(key: str, **fields: object) -> Platform:
    """The platform with other fields of an agent pool."""
    return cluster("weu", pools={key: derive(PLATFORM.clusters["weu"].pools[key], **fields)})


def nap_pool(key: str, **fields: object) -> Platform:
    """The platform with other fields of a NodePool of node auto provisioning."""
    auto = PLATFORM.clusters["nap"].node_provisioning
    return cluster("nap", node_provisioning=derive(auto, node_pools={key: derive(auto.node_pools[key], **fields)}))


def nap_class(key: str, **fields: object) -> Platform:
    """The platform with other fields of an AKSNodeClass."""
    auto = PLATFORM.clusters["nap"].node_provisioning
    return cluster("nap", node_provisioning=derive(auto, node_classes={key: derive(auto.node_classes[key], **fields)}))


def eks_class(**fields: object) -> Platform:
    """The platform with other fields of a NodeClass."""
    auto = PLATFORM.clusters["use1"].auto_mode
    return cluster("use1", auto_mode=derive(auto, node_classes={"private": derive(auto.node_classes["private"], **fields)}))


def without(key: str, *fields: str) -> Platform:
    """The platform without an entry of a mapping in a cluster."""
    *above, field, name = fields
    declared = PLATFORM.clusters[key]
    inner = declared
    for step in above:
        inner = getattr(inner, step)
    left = {entry: value for entry, value in getattr(inner, field).items() if entry != name}
    made = type(inner).model_construct(**{**vars(inner), field: left})
    for step in reversed(above):
        made = type(declared).model_construct(**{**vars(declared), step: made})
    return Platform(name="dev", clusters={**PLATFORM.clusters, key: type(declared).model_validate(made)})


def changed(new: Platform) -> Changes:
    """What the edit does."""
    return diff(PLATFORM, new)


def one(new: Platform, path: str) -> Change:
    """The change at the end of a path; of a cluster and its network, that of the cluster."""
    found = [change for change in changed(new).all if change.path.endswith(path)]
    assert len({change.path for change in found}) == 1, [change.path for change in changed(new).all]
    return found[0]
