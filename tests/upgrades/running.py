"""Running clusters in short."""

from typing import Any

from nodepools import Platform
from nodepools.clouds.fleet import BudgetNow, Fleet, FleetNode, FleetPod, PoolNow
from nodepools.model.kubernetes.disruption_budget import read_disruption_budget
from nodepools.upgrades.cluster_upgrade import ClusterUpgrade
from nodepools.upgrades.progress import Progress
from tests.upgrades.declared import plan


def node(pool: str, number: int, version: str = "1.35.4", **fields: Any) -> FleetNode:
    """A node of an agent pool, by the key of the pool."""
    known: dict[str, Any] = {"name": f"{pool}-{number}", "labels": {"nodepools/name": pool}, "version": version}
    return FleetNode(**{**known, **fields})


def drifting(pool: str, number: int, version: str = "1.35.4", **fields: Any) -> FleetNode:
    """A node of a NodePool."""
    return node(pool, number, version, labels={"karpenter.sh/nodepool": pool}, **fields)


def pod(name: str, on: str, **fields: Any) -> FleetPod:
    return FleetPod(**{"name": name, "namespace": "shop", "node": on, "labels": {"app": "web"}, **fields})


def budget(name: str = "web", allowed: int = 0, healthy: int = 2, desired: int = 2, expected: int = 2, **spec: Any) -> BudgetNow:
    """A PodDisruptionBudget for pods with `app: web`."""
    raw = {"metadata": {"name": name, "namespace": "shop"}, "spec": {"minAvailable": 2, "selector": {"matchLabels": {"app": "web"}}, **spec}}
    return BudgetNow(budget=read_disruption_budget(raw), allowed=allowed, healthy=healthy, desired=desired, expected=expected)


def shown(version: str, state: str = "Succeeded") -> PoolNow:
    return PoolNow(version, state)


def resumed(platform: Platform, to: str, **fields: Any) -> ClusterUpgrade:
    """The upgrade of the only cluster from where it is."""
    [key] = platform.clusters
    return plan(platform, to, fleets={(platform.name, key): Fleet(**fields)})


def progress(platform: Platform, to: str, **fields: Any) -> Progress:
    found = resumed(platform, to, **fields).progress
    assert found is not None
    return found
