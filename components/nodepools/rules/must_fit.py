"""Workloads that a platform is made for: each must have a pool that can host it."""

from collections.abc import Iterator

from nodepools.model.base import Model
from nodepools.model.derive import derive
from nodepools.model.kubernetes.label import POOL_LABEL
from nodepools.model.platform import Platform
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import aks, platform
from nodepools.wire.aks.generation import pool_name

_SOURCE = "https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node and https://karpenter.sh/docs/concepts/scheduling"


def _asking(**spec: object) -> Model:
    pod: dict[str, object] = {"kind": "Pod", "metadata": {"name": "web"}, "spec": spec}
    return derive(platform(weu=aks()), must_fit=[pod])


@rule("PLT030", Severity.ERROR, source=_SOURCE, sample=lambda: _asking(nodeSelector={"tier": "web"}))
def workload_without_pool(platform: Platform) -> Iterator[PartFinding]:
    """Every workload of `must_fit` can land on some pool; else it stays Pending."""
    yield from _found(platform, "cannot", "can land on no pool; nearest is", "change the workload or the pool: `nodepools explain` tells all reasons")


@rule("PLT031", Severity.WARNING, source=_SOURCE, sample=lambda: _asking(nodeSelector={"kubernetes.azure.com/node-image-version": "x"}))
def workload_without_certain_pool(platform: Platform) -> Iterator[PartFinding]:
    """Every workload of `must_fit` has a pool of which it is certain that it can land there."""
    yield from _found(platform, "unknown", "may land on no pool; nearest is", "change what is not known offline: `nodepools explain` tells what")


@rule("PLT032", Severity.ERROR, source=_SOURCE, sample=lambda: derive(platform(weu=aks()), must_fit=[{"apiVersion": "v1"}]))
def invalid_workload(platform: Platform) -> Iterator[PartFinding]:
    """What `must_fit` holds is a pod, or makes pods."""
    if not platform.must_fit:
        return
    from nodepools.model.kubernetes.written import PodError
    from nodepools.placement.read import KINDS, read_workloads

    for index, raw in enumerate(platform.must_fit):
        try:
            if not list(read_workloads(raw)):
                yield finding(platform, "makes no pods", at=("must_fit", index), value=raw.get("kind"), fix=f"name one of {', '.join(KINDS)}")
        except PodError as wrong:
            yield finding(platform, f"is no workload: {wrong}", at=("must_fit", index), value=raw.get("kind"), fix="write it as Kubernetes takes it")


@rule(
    "PLT033",
    Severity.WARNING,
    source="docs/guides/rotate.md: the name of an agent pool in Azure turns with each rotation",
    sample=lambda: _asking(nodeSelector={"agentpool": pool_name(aks(), "web")}),
)
def selector_on_rotating_name(platform: Platform) -> Iterator[PartFinding]:
    """A workload of `must_fit` selects agent pools by `nodepools/name`; their names in Azure turn when they rotate."""
    if not platform.must_fit:
        return
    from nodepools.placement.must_fit import named_after_generations

    for index, name, label, key in named_after_generations(platform):
        message = f"selects {label}, which changes when {key} is made anew"
        yield finding(platform, message, at=("must_fit", index), value=name, fix=f"select {POOL_LABEL}: {key}")


def _found(platform: Platform, verdict: str, message: str, fix: str) -> Iterator[PartFinding]:
    if not platform.must_fit:
        return
    from nodepools.placement.must_fit import unplaced  # tables of types are read only where a platform names workloads

    for index, name, told, nearest in unplaced(platform):
        if told == verdict:
            yield finding(platform, f"{message} {nearest}", at=("must_fit", index), value=name, fix=fix)
