"""Workloads of `must_fit`: all their pods must be scheduled."""

from collections.abc import Iterator

from nodepools.clouds.registry import cloud_of
from nodepools.model.base import Model
from nodepools.model.derive import derive
from nodepools.model.kubernetes.label import POOL_LABEL
from nodepools.model.platform import Platform
from nodepools.rules.engine.finding import PartFinding, ref
from nodepools.rules.engine.registry import PLATFORMS, error, finding, limited, sample, warning
from nodepools.rules.engine.samples import aks, platform
from nodepools.wire.aks.generation import pool_name

_SOURCE = "https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node and https://karpenter.sh/docs/concepts/scheduling"


def _asking(**spec: object) -> Model:
    pod: dict[str, object] = {"kind": "Pod", "metadata": {"name": "web"}, "spec": {"containers": [{"name": "web"}], **spec}}
    return derive(platform(weu=aks()), must_fit=[pod])


@error("PLT030", _SOURCE)
@limited(PLATFORMS)
@sample("must_fit[0]", lambda: _asking(nodeSelector={"tier": "web"}))
def workload_without_pool(platform: Platform) -> Iterator[PartFinding]:
    """All pods of every workload of `must_fit` can be scheduled; otherwise some stay Pending."""
    yield from _found(platform, "Change the workload or a pool: `nodepools explain` lists every reason", certain=True)


@warning("PLT031", _SOURCE)
@limited(PLATFORMS)
@sample("must_fit[0]", lambda: _asking(nodeSelector={"kubernetes.azure.com/node-image-version": "x"}))
def workload_without_certain_pool(platform: Platform) -> Iterator[PartFinding]:
    """All pods of every workload of `must_fit` are certain to be scheduled, next to the other workloads."""
    fix = "Select labels that the declaration sets: `nodepools explain` shows what is unknown"
    yield from _found(platform, fix, certain=False)


@error("PLT032", _SOURCE)
@limited(PLATFORMS)
@sample("must_fit[0]", lambda: derive(platform(weu=aks()), must_fit=[{"apiVersion": "v1"}]))
def invalid_workload(platform: Platform) -> Iterator[PartFinding]:
    """Every entry of `must_fit` is a pod, an object that creates pods, or one that decides where their volumes are."""
    if not platform.must_fit:
        return
    from nodepools.placement.must_fit import invalid_entries

    for index, problem, fix in invalid_entries(platform):
        kind = platform.must_fit[index].get("kind")
        yield finding(platform, f"{ref(('must_fit', index))} {problem}", path=("must_fit", index), value=kind, fix=fix)


@warning("PLT033", "nodepools: the name of an agent pool in Azure changes with each rotation")
@limited(PLATFORMS)
@sample("must_fit[0]", lambda: _asking(nodeSelector={"agentpool": pool_name(aks(), "web")}))
def selector_on_rotating_name(platform: Platform) -> Iterator[PartFinding]:
    """The name of an agent pool in Azure changes with each rotation; the label `nodepools/name` keeps its value."""
    if not platform.must_fit:
        return
    from nodepools.placement.must_fit import named_after_generations

    rotating = {name: key for cluster in platform.clusters.values() for name, key in cloud_of(cluster).changing_names.items()}
    for index, name, label, key in named_after_generations(platform, rotating):
        message = f"Workload `{name}` selects `{label}`, a name that changes when the pool `{key}` rotates"
        yield finding(platform, message, path=("must_fit", index), value=name, fix=f"Select `{POOL_LABEL}: {key}`")


def _found(platform: Platform, fix: str, *, certain: bool) -> Iterator[PartFinding]:
    if not platform.must_fit:
        return
    from nodepools.replicas.must_fit import unplaced  # tables of instance types are read only if a platform names workloads

    for workload in unplaced(platform):
        if workload.certain is certain:
            text = f"{workload.fix[0].upper()}{workload.fix[1:]}" if workload.fix else fix
            text += ", or declare a pool with this label" if text.startswith("Remove the selector") else ""
            message = f"Workload `{workload.name}` {workload.problem}"
            yield finding(platform, message, path=("must_fit", workload.entry), value=workload.name, fix=text)
