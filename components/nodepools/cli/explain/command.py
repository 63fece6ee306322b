"""`nodepools explain`: which pool a pod is scheduled on, and why not on others."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from nodepools.adoption.cluster_identity import DeclaredClusters, UnknownOwnerError
from nodepools.cli.assumptions import note_assumptions
from nodepools.cli.command_run import CommandRun, Result
from nodepools.cli.explain.outcome import placements
from nodepools.cli.explain.text import report
from nodepools.cli.inputs.file_search import files
from nodepools.cli.inputs.input_files import source
from nodepools.cli.inputs.selected_inputs import InputFiles
from nodepools.cli.problem import InputError, Problem
from nodepools.data.karpenter_releases import KarpenterRelease
from nodepools.loading import UnreadableError
from nodepools.manifests.existing.live_pools import read_live_pools
from nodepools.manifests.existing.running_cluster import RunningCluster, read_running_cluster
from nodepools.manifests.workloads import WorkloadFile
from nodepools.model.platform import Platform
from nodepools.placement.cluster_pools import ClusterPools
from nodepools.placement.coverage import Coverage
from nodepools.placement.explain import explain
from nodepools.placement.running_cluster import RunningPods, running_pools
from nodepools.placement.workloads.objects import read_workload_objects
from nodepools.placement.workloads.own_pods import Owner, owner_of, with_own_pods
from nodepools.placement.workloads.workload import Workload
from nodepools.reading.limits import LISTED_MIB, TextError
from nodepools.reading.yaml_documents import Readable
from nodepools.replicas.count import Outcome
from nodepools.replicas.explained import Explained, with_counts


def raw_pools(paths: Iterable[Path], run: CommandRun, karpenter: KarpenterRelease | None = None) -> tuple[ClusterPools, ...]:
    """The pools in raw objects, as the pools of one cluster with this version of self-managed Karpenter. What cannot be read is a problem of `run`.

    Raises:
        UnreadableError: the files have no pool.
        InputError: there is no pool that can be read.
    """
    before = len(run.problems)

    def failed(error: TextError) -> None:
        run.problems.append(Problem.of(str(error)))

    try:
        pools = read_live_pools(opened_files(paths, run, failed), failed, _lacking(karpenter))
    except TextError as error:
        raise UnreadableError(str(error)) from None
    if not pools.static and not pools.provisioned and len(run.problems) > before:
        raise InputError  # the problems say why
    note_assumptions(pools, run)
    return (pools,)


def _lacking(karpenter: KarpenterRelease | None) -> frozenset[str]:
    return frozenset() if karpenter is None else karpenter.newer_labels


def opened_files(paths: Iterable[Path], run: CommandRun, failed: Callable[[TextError], None]) -> Iterator[tuple[Readable, str]]:
    """Yields each file, and those in folders, with its name."""
    yield from _open_each((file for path in paths for file in (files(InputFiles([path]), run) if path.is_dir() else [path])), failed)


def _open_each(paths: Iterable[Path], failed: Callable[[TextError], None]) -> Iterator[tuple[Readable, str]]:
    """Yields each file with its name. It is open until the caller takes the next one."""
    for path in paths:
        try:
            with source(path, LISTED_MIB) as found:
                yield found, str(path)
        except TextError as error:
            failed(error)


def in_running_cluster(
    paths: Iterable[Path],
    pools: Sequence[ClusterPools],
    platforms: Sequence[Platform],
    read: WorkloadFile,
    run: CommandRun,
    *,
    karpenter: KarpenterRelease | None = None,
) -> tuple[ClusterPools, WorkloadFile, list[Workload]]:
    """The pools with the nodes of a running cluster, the workloads with its objects, and its other pods that wait for a node.

    The cluster is the declared one that the exports are of; without `platforms`, the only one in `pools`.

    Raises:
        InputError: nothing of it can be read, or it is not certain which declared cluster it is.
    """
    before = len(run.problems)

    def failed(error: TextError) -> None:
        run.problems.append(Problem.of(str(error)))

    found = _read_running(opened_files(paths, run, failed), failed, {owner_of(workload) for workload in read.workloads}, _lacking(karpenter))
    if not found.pools.static:
        if len(run.problems) == before:
            run.problems.append(Problem("--existing", "there is no Node in it: use `kubectl get nodes,pods,pv,pvc,pdb,sc -A -o yaml`"))
        raise InputError
    base = pools[_number_of(found, platforms, run) if platforms else 0]
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
    note_assumptions(found.pools, run)
    base = replace(base, unsure={**base.unsure, **found.pools.unsure})
    if found.pools.provisioned:
        base = replace(base, provisioned=found.pools.provisioned)
    base = found.foreign.added_to(base, autoscaled=found.autoscaled)
    return (
        running_pools(base, found.pools.static, pods),
        replace(read, workloads=workloads, objects=(*found.objects, *read.objects)),
        [] if pods is None else list(pods.waiting),
    )


def _number_of(found: RunningCluster, platforms: Sequence[Platform], run: CommandRun) -> int:
    """The number of the declared cluster that runs.

    Raises:
        InputError: the exports are of another cluster or of several ones, or do not tell.
    """
    declared = DeclaredClusters.of(platforms)
    owners = declared.owners(found.files, found.exported)
    run.problems.extend(Problem(file, str(answer)) for file, answer in owners.items() if isinstance(answer, UnknownOwnerError))
    places = list(dict.fromkeys(answer for answer in owners.values() if not isinstance(answer, UnknownOwnerError)))
    if len(places) > 1:
        keys = ", ".join(f"`{key}`" for _, key in places)
        run.problems.append(Problem("--existing", f"the files are of several clusters ({keys}): pass those of one"))
    if len(places) != 1 or any(isinstance(answer, UnknownOwnerError) for answer in owners.values()):
        raise InputError
    return declared.places.index(places[0])


def _read_running(
    sources: Iterable[tuple[Readable, str]], failed: Callable[[TextError], None], explained: Collection[Owner], lacks: frozenset[str]
) -> RunningCluster:
    try:
        return read_running_cluster(sources, failed, explained, lacks)
    except TextError as error:
        raise UnreadableError(str(error)) from None


def explained(read: WorkloadFile, pools: Iterable[ClusterPools], *, only: str | None, waiting: Sequence[Workload] = ()) -> list[Explained]:
    """The answers with the counts of replicas; of the pools, `only` one is shown. Pods that are `waiting` can be scheduled first.

    Raises:
        UnreadableError: no pool, or more than one, has this name.
    """
    pools = list(pools)
    objects = read_workload_objects(read.objects)
    answers = explain([*read.workloads, *waiting], pools, objects)
    counted = with_counts(answers, pools, objects)[: len(read.workloads) * len(pools)]
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


def result(about: str, answers: Sequence[Explained], *, matrix: bool, strict: bool, covered: Coverage | None = None) -> Result:
    """The answers. They fail if pods of a workload stay Pending for certain in a stack; with `strict`, if not all are certain to be scheduled."""
    found = placements(answers)
    failing = {Outcome.CANNOT, Outcome.PARTLY, *([Outcome.UNKNOWN] if strict else [])}
    fails = any(one.verdict in failing for one in found)
    share: dict[str, object] = {} if covered is None else {"coverage": covered.to_json()}

    def fields() -> Mapping[str, object]:
        return {"workloads": [one.to_json() for one in found], "pods": [answer.to_json() for answer in answers], **share}

    return Result(fields, fails=fails, report=report(about, found, forced=matrix, covered=covered) if found else None)
