"""Small clusters and workloads, with what is counted of them."""

from typing import Any

from nodepools import AksClusterArgs, AutoMode, EksClusterArgs, EksNodeClass, EksNodePool, Platform, SystemPool
from nodepools.clouds.registry import catalog
from nodepools.placement.workloads.objects import read_workload_objects
from nodepools.placement.workloads.reader import read_workloads
from nodepools.replicas.count import Count
from nodepools.replicas.explained import explain_replicas

SMALL = "Standard_D2ds_v5"  # 2 vCPUs
ZONE, HOST = "topology.kubernetes.io/zone", "kubernetes.io/hostname"
OF_WEB = {"matchLabels": {"app": "web"}}


def aks(**pools: Any) -> AksClusterArgs:
    """A cluster of agent pools; ordinary pods cannot use its system pool, whose 2 nodes are in no zone."""
    return AksClusterArgs(location="westeurope", kubernetes_version="1.37", system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=2), pools=pools)


def eks(*zones: str, built_in: tuple[str, ...] = (), **pools: EksNodePool) -> EksClusterArgs:
    """A cluster of Auto Mode, in zones such as `a` and `b` of us-east-1; in three zones, whose names are not known, if none is given."""
    mode = AutoMode.model_validate({"built_in_node_pools": built_in, "node_pools": pools})
    args = EksClusterArgs(region="us-east-1", kubernetes_version="1.37", auto_mode=mode)
    names = [f"us-east-1{zone}" for zone in zones]
    return EksClusterArgs.model_validate({**args.model_dump(), "network": {"kind": "EksNetwork", "zones": names}}) if zones else args


def existing(region: str, subnets: int, control_plane: int = 0, *, own_class: bool = False) -> EksClusterArgs:
    """A cluster of Auto Mode in so many subnets of an existing VPC, whose zones are not known."""
    pool = EksNodePool(node_class="own" if own_class else None)
    mode = AutoMode(built_in_node_pools=(), node_pools={"any": pool}, node_classes={"own": EksNodeClass()})
    nodes, own = ([f"subnet-{number:017x}" for number in range(count)] for count in (subnets, control_plane))
    network = {"kind": "ExistingEksNetwork", "vpc_id": "vpc-1", "private_subnet_ids": nodes, "control_plane_subnet_ids": own}
    return EksClusterArgs.model_validate({"region": region, "kubernetes_version": "1.35", "network": network, "auto_mode": mode.model_dump()})


def web(
    replicas: object = 3, *, name: str = "web", kind: str = "Deployment", labels: Any = None, requests: Any = None, **spec: Any
) -> dict[str, Any]:
    """A workload whose pods have the label `app: web`."""
    containers = [{"name": "main", "resources": {"requests": requests if requests is not None else {"cpu": "100m"}}}]
    template = {"metadata": {"labels": labels if labels is not None else {"app": "web"}}, "spec": {"containers": containers, **spec}}
    return {
        "kind": kind,
        "metadata": {"name": name},
        "spec": {**({} if kind in ("DaemonSet", "Job") else {"replicas": replicas}), "template": template},
    }


def spread(*keys: str, **fields: Any) -> dict[str, Any]:
    """A hard spread of the pods of `web` over each key."""
    common = {"maxSkew": 1, "whenUnsatisfiable": "DoNotSchedule", "labelSelector": OF_WEB, **fields}
    return {"topologySpreadConstraints": [{"topologyKey": key, **common} for key in keys]}


def apart(key: str, **fields: Any) -> dict[str, Any]:
    """Anti-affinity to the pods of `web`."""
    return {"affinity": {"podAntiAffinity": _required(key, fields)}}


def near(key: str, **fields: Any) -> dict[str, Any]:
    """Affinity to the pods of `web`."""
    return {"affinity": {"podAffinity": _required(key, fields)}}


def _required(key: str, fields: dict[str, Any]) -> dict[str, Any]:
    return {"requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": key, "labelSelector": OF_WEB, **fields}]}


def count(cluster: Any, *found: dict[str, Any]) -> list[Count]:
    """The count of each workload in one cluster, with the objects next to them."""
    pools = catalog(Platform(name="dev", clusters={"c": cluster}))
    return [explained.count for explained in explain_replicas(list(read_workloads(list(found))), pools, read_workload_objects(found))]


def told(counted: Count) -> tuple[str, int, int | None, list[str]]:
    """The verdict, the bounds, and the kinds of reasons."""
    scheduled = counted.scheduled
    return counted.verdict.value, scheduled.minimum, scheduled.maximum, [str(pending.kind) for pending in counted.pending]
