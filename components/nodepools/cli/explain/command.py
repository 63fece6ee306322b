"""`nodepools explain`: which pool a pod is scheduled on, and why not on others."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from nodepools.adoption.cluster_identity import DeclaredClusters, UnknownOwnerError
from nodepools.cli.command_run import CommandRun, Result
from nodepools.cli.demands.demands import PENDING, UNKNOWN, Demands, Thing, verdict
from nodepools.cli.explain.outcome import Placement, placements
from nodepools.cli.explain.text import report
from nodepools.cli.inputs.input_files import stated_clusters
from nodepools.cli.inputs.selected_inputs import InputFiles
from nodepools.cli.problem import InputError, Problem
from nodepools.data.karpenter_releases import KarpenterRelease
from nodepools.loading import UnreadableError
from nodepools.manifests.workloads import WorkloadFile
from nodepools.model.platform import Platform
from nodepools.placement.cluster_pools import ClusterPools
from nodepools.placement.coverage import Coverage
from nodepools.placement.explain import explain
from nodepools.placement.running_cluster import RunningPods, running_pools
from nodepools.placement.workloads.objects import read_workload_objects
from nodepools.placement.workloads.own_pods import owner_of, with_own_pods
from nodepools.placement.workloads.workload import Workload
from nodepools.replicas.count import Outcome
from nodepools.replicas.explained import Explained, with_counts

if TYPE_CHECKING:
    from nodepools.manifests.existing.live_pools import ExistingCluster


def in_cluster(
    inputs: InputFiles,
    pools: Sequence[ClusterPools],
    platforms: Sequence[Platform],
    read: WorkloadFile,
    run: CommandRun,
    *,
    karpenter: KarpenterRelease | None = None,
) -> tuple[ClusterPools, WorkloadFile, list[Workload]]:
    """The pools of a cluster as it exists, the workloads with its objects, and its other pods that wait for a node.

    With `platforms`, it is the declared cluster that the exports are of, with its `pools`; otherwise what the exports contain.

    Raises:
        InputError: nothing of it can be read, or it is not certain which declared cluster it is.
        UnreadableError: the files have no pool, or are of several clusters.
    """
    from nodepools.cli.existing.existing_cluster import read_cluster, read_files  # only what exists needs it

    asked, before = {owner_of(workload) for workload in read.workloads}, len(run.problems)
    found = read_files(inputs, run, asked, karpenter=karpenter) if platforms else read_cluster(inputs, run, asked, karpenter=karpenter)
    if platforms and not found.nodes.static:
        if len(run.problems) == before:
            run.problems.append(Problem("--existing", "there is no Node in it: use `kubectl get nodes,pods,pv,pvc,pdb,sc -A -o yaml`"))
        raise InputError
    running = {owner_of(pod) for pod in (found.pods.bound if found.pods is not None else ())}
    workloads = tuple(workload for workload in read.workloads if not workload.pod.node_name or owner_of(workload) not in running)
    if already := len(read.workloads) - len(workloads):
        run.notes.append(Problem("--existing", f"pods that already run on nodes are counted, not explained ({already:,})"))
    asked = {owner_of(workload) for workload in workloads}

    def others(pods: Iterable[Workload]) -> tuple[Workload, ...]:
        return tuple(pod for pod in pods if owner_of(pod) not in asked)

    pods = found.pods
    if pods is not None:
        with_own, pods = with_own_pods(workloads, pods)
        workloads, pods = tuple(with_own), RunningPods(others(pods.bound), others(pods.waiting))
    found = replace(found, pods=pods)
    return (
        _declared_and_existing(pools[_number_of(found, platforms, run)], found) if platforms else found.pools_with_pods,
        replace(read, workloads=workloads, objects=(*found.objects, *read.objects)),
        [] if pods is None else list(pods.waiting),
    )


def _declared_and_existing(declared: ClusterPools, found: "ExistingCluster") -> ClusterPools:
    base = replace(declared, unsure={**declared.unsure, **found.nodes.unsure})
    if found.nodes.provisioned:
        base = replace(base, provisioned=found.nodes.provisioned)
    return running_pools(found.foreign.added_to(base, autoscaled=found.autoscaled), found.nodes.static, found.pods)


def _number_of(found: "ExistingCluster", platforms: Sequence[Platform], run: CommandRun) -> int:
    """The number of the declared cluster that runs.

    Raises:
        InputError: the exports are of another cluster or of several ones, or do not tell.
    """
    declared = DeclaredClusters.of(platforms)
    owners = declared.owners(found.files, found.exported, stated_clusters(file.source for file in found.files))
    run.problems.extend(Problem(file, str(answer)) for file, answer in owners.items() if isinstance(answer, UnknownOwnerError))
    places = list(dict.fromkeys(answer for answer in owners.values() if not isinstance(answer, UnknownOwnerError)))
    if len(places) > 1:
        keys = ", ".join(f"`{key}`" for _, key in places)
        run.problems.append(Problem("--existing", f"the files are of several clusters ({keys}): pass those of one"))
    if len(places) != 1 or any(isinstance(answer, UnknownOwnerError) for answer in owners.values()):
        raise InputError
    return declared.places.index(places[0])


def explained(read: WorkloadFile, pools: Iterable[ClusterPools], *, only: str | None, waiting: Sequence[Workload] = ()) -> list[Explained]:
    """The answers with the counts of replicas; of the pools, `only` one is shown. Pods that are `waiting` can be scheduled first.

    Raises:
        UnreadableError: no pool, or more than one, has this name.
    """
    pools = list(pools)
    objects = read_workload_objects(read.objects)
    answers = explain([*read.workloads, *waiting], pools, objects)
    counted = with_counts(answers, pools, objects)[: len(read.workloads) * len(pools)]
    if sum(one.verdict in (Outcome.UNKNOWN, Outcome.PARTLY) for one in placements(counted)) > 1:
        from nodepools.replicas.shortages import with_shortages

        counted = with_shortages(counted, pools)
    if only is None:
        return counted
    address = _address(only, pools)
    return [shown for one in counted if (shown := replace(one, only=address)).shown]


def _address(name: str, pools: Iterable[ClusterPools]) -> str:
    """The address of a pool that is named by it or by its last part."""
    known = [pool.address for cluster in pools for pool in (*cluster.static, *cluster.provisioned)]
    found = [address for address in known if address == name] or [address for address in known if address.endswith(f"/{name}")]
    if len(found) != 1:
        listed = ", ".join(f"`{address}`" for address in (found or known))
        raise UnreadableError(f"pool `{name}` is ambiguous: use one of {listed}" if found else f"pool `{name}` not found (available: {listed})")
    return found[0]


def result(about: str, answers: Sequence[Explained], *, matrix: bool, wanted: Demands, within: str = "", covered: Coverage | None = None) -> Result:
    """The answers. Pods that stay Pending for certain in a stack, and those that are not certain to be scheduled, can fail the command.

    `within` is the stack, if there is only one.
    """
    found = placements(answers)
    things = [_thing(one, word, within) for one in found if (word := _word(one)) is not None]
    read = {one.stack if one.stack else within for one in found}
    decided = wanted.decided(things, lambda one: one.kind == "verdict" and one.within in ("", *read))
    share: dict[str, object] = {} if covered is None else {"coverage": covered.to_json()}

    def fields() -> Mapping[str, object]:
        return {"workloads": [one.to_json() for one in found], "pods": [answer.to_json() for answer in answers], **share}

    return Result(fields, decided=decided, report=report(about, found, forced=matrix, covered=covered) if found else None)


def _word(one: Placement) -> str | None:
    """The verdict as `--fail-on` names it."""
    if one.verdict in (Outcome.CANNOT, Outcome.PARTLY) or one.shortage is not None:
        return PENDING
    return UNKNOWN if one.verdict is Outcome.UNKNOWN else None


def _thing(one: Placement, word: str, within: str) -> Thing:
    workload = one.workload
    return verdict(word, f"{workload.namespace}/{workload.kind}/{workload.name}", one.stack if one.stack else within)
