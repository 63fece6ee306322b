"""Platforms of one cluster, their upgrades, and workloads in short."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from nodepools import (
    AksClusterArgs,
    AksNetworkArgs,
    AksNodePool,
    AutoMode,
    EksClusterArgs,
    EksNodePool,
    NodeProvisioning,
    Platform,
    Requirement,
    SystemPool,
    UserPool,
)
from nodepools.clouds.step import Blocker, Step
from nodepools.placement.workloads.objects import read_workload_objects
from nodepools.placement.workloads.reader import read_workloads
from nodepools.upgrades.cluster_upgrade import ClusterUpgrade
from nodepools.upgrades.platform_upgrades import Inputs, upgrades

DAY = date(2026, 11, 22)
SIZE = "Standard_D4ds_v5"
KINDS = ("PodDisruptionBudget", "StorageClass", "PersistentVolumeClaim", "PersistentVolume", "HorizontalPodAutoscaler")


def pool(**fields: Any) -> UserPool:
    return UserPool(**{"vm_size": SIZE, "count": 3, **fields})


def aks(**fields: Any) -> Platform:
    """`dev` with the AKS cluster `weu`."""
    known: dict[str, Any] = {
        "location": "westeurope",
        "kubernetes_version": "1.35",
        "network": AksNetworkArgs(cidr="10.10.0.0/16"),
        "system_pool": SystemPool(vm_size=SIZE, count=2),
        "pools": {"web": pool()},
    }
    return Platform(name="dev", clusters={"weu": AksClusterArgs(**{**known, **fields})})


def nap(**fields: Any) -> Platform:
    """The same with the NodePool `general`, and no built-in NodePools."""
    node_pool = AksNodePool(**{"requirements": [Requirement("kubernetes.io/arch", "In", ["amd64"])], "limits": {"nodes": 10}, **fields})
    return aks(pools={}, node_provisioning=NodeProvisioning(default_node_pools="None", node_pools={"general": node_pool}))


def eks(node_pool: Mapping[str, Any] | None = None, **fields: Any) -> Platform:
    """`dev` with the EKS cluster `use1` and the NodePool `compute`."""
    compute = EksNodePool(**{"requirements": [Requirement("kubernetes.io/arch", "In", ["amd64"])], "limits": {"nodes": 10}, **(node_pool or {})})
    mode = AutoMode(built_in_node_pools=[], node_pools={"compute": compute})
    known: dict[str, Any] = {"region": "us-east-1", "kubernetes_version": "1.35", "auto_mode": mode}
    return Platform(name="dev", clusters={"use1": EksClusterArgs(**{**known, **fields})})


def plan(platform: Platform, to: str, *objects: Mapping[str, Any], today: date = DAY, **known: Any) -> ClusterUpgrade:
    """The upgrade of the only cluster, with workloads and the objects next to them."""
    workloads = tuple(workload for raw in objects for workload in read_workloads(raw))
    others = read_workload_objects([raw for raw in objects if raw["kind"] in KINDS])
    [found] = upgrades(platform, to, today, Inputs(workloads, others, **known))
    return found


def steps(found: ClusterUpgrade) -> list[str]:
    """`pool web 1.35 → 1.36`."""
    return [f"{step.what} {step.name} {step.old} → {step.new}" for step in found.steps]


def step(found: ClusterUpgrade, name: str) -> Step:
    """The first step of a pool, or of the control plane by the name of the cluster."""
    return next(step for step in found.steps if step.name == name)


def told(blockers: Sequence[Blocker]) -> list[str]:
    """`error disruption-budget UnsatisfiablePDB`."""
    return [" ".join(word for word in (blocker.severity.value, blocker.kind.value, blocker.refusal) if word) for blocker in blockers]


def deployment(name: str = "web", kind: str = "Deployment", replicas: int | None = 2, **spec: Any) -> dict[str, Any]:
    annotations = spec.pop("annotations", {})
    containers = [{"name": "c", "image": "i"}]
    template: dict[str, Any] = {"metadata": {"labels": {"app": name}, "annotations": annotations}, "spec": {"containers": containers, **spec}}
    template["spec"] |= {"restartPolicy": "Never"} if kind == "Job" else {}
    counted = {} if replicas is None or kind in ("DaemonSet", "Job") else {"replicas": replicas}
    return {"apiVersion": "apps/v1", "kind": kind, "metadata": {"name": name, "namespace": "shop"}, "spec": {**counted, "template": template}}


def on(pool_key: str, name: str = "web", **spec: Any) -> dict[str, Any]:
    """A Deployment that only this pool can run."""
    return deployment(name, nodeSelector={"nodepools/name": pool_key}, **spec)


def budget(name: str = "web", app: str = "web", **spec: Any) -> dict[str, Any]:
    metadata = {"name": name, "namespace": "shop"}
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": metadata,
        "spec": {"selector": {"matchLabels": {"app": app}}, **spec},
    }
