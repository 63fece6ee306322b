"""Small platforms, and helpers of the tables."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from nodepools import (
    AksClusterArgs,
    AksNodePool,
    AutoMode,
    Autoscale,
    EksClusterArgs,
    EksNodePool,
    GpuPool,
    NodeProvisioning,
    Platform,
    Spot,
    SystemPool,
    UserPool,
)
from nodepools.clouds.registry import catalog
from nodepools.placement.explain import Answer, explain
from nodepools.placement.verdict import PoolVerdict
from nodepools.placement.workloads.reader import read_workloads

SIZE = "Standard_D4ds_v5"
Ask = Callable[..., Answer]


def aks(**pools: Any) -> AksClusterArgs:
    """A cluster of agent pools alone, beside its system pool."""
    return AksClusterArgs(location="westeurope", kubernetes_version="1.35", system_pool=SystemPool(vm_size=SIZE, count=2), pools=pools)


def nap(default_node_pools: str = "None", **pools: AksNodePool) -> AksClusterArgs:
    provisioning = NodeProvisioning.model_validate({"default_node_pools": default_node_pools, "node_pools": pools})
    return AksClusterArgs(
        location="westeurope", kubernetes_version="1.35", system_pool=SystemPool(vm_size=SIZE, count=2), node_provisioning=provisioning
    )


def eks(*built_in: str, zones: tuple[str, ...] = (), **pools: EksNodePool) -> EksClusterArgs:
    mode = AutoMode.model_validate({"built_in_node_pools": built_in, "node_pools": pools})
    args = EksClusterArgs(region="us-east-1", kubernetes_version="1.35", auto_mode=mode)
    return EksClusterArgs.model_validate({**args.model_dump(), "network": {"kind": "EksNetwork", "zones": zones}}) if zones else args


def pod(**spec: Any) -> dict[str, Any]:
    """A pod; `cpu`, `memory`, `gpu` are what it requests."""
    requests = {name: spec.pop(key) for key, name in (("cpu", "cpu"), ("memory", "memory"), ("gpu", "nvidia.com/gpu")) if key in spec}
    limits = {name: amount for name, amount in requests.items() if "/" in name}
    containers = [{"name": "main", "resources": {"requests": requests, "limits": limits}}]
    return {"kind": "Pod", "metadata": {"name": "pod"}, "spec": {"containers": containers, **spec}}


def template(**spec: Any) -> dict[str, Any]:
    """The same as a template."""
    return {name: part for name, part in pod(**spec).items() if name != "kind"}


def required(*terms: list[dict[str, Any]]) -> dict[str, Any]:
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchExpressions": term} for term in terms]}}}


def preferred(*terms: tuple[int, list[dict[str, Any]]]) -> dict[str, Any]:
    asked = [{"weight": weight, "preference": {"matchExpressions": term}} for weight, term in terms]
    return {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": asked}}


def wants(key: str, operator: str, *values: str) -> dict[str, Any]:
    return {"key": key, "operator": operator, "values": list(values)}


def reported(answer: Answer, judged: PoolVerdict) -> list[str]:
    """The reasons of a pool, each with the change that was tried for it."""
    fix = answer.fix(judged)
    steps = {} if fix is None else fix.steps
    return [reason.message if reason.fix not in steps else f"{reason.message} → {steps[reason.fix]}" for reason in judged.reasons]


@pytest.fixture
def ask() -> Ask:
    """The answer about one workload in one cluster."""

    def answer(cluster: Any, raw: Mapping[str, Any], *others: Mapping[str, Any]) -> Answer:
        platform = Platform(name="dev", clusters={"c": cluster})
        workloads = list(read_workloads([raw, *others]))
        return explain(workloads, catalog(platform))[0]

    return answer


@pytest.fixture
def words() -> Any:
    """What tables are written with."""

    class Words:
        size = SIZE
        autoscale, gpu_pool, spot, user_pool, system_pool = Autoscale, GpuPool, Spot, UserPool, SystemPool

    return Words
