"""`nodepools explain`: which pool a pod is scheduled on, and why not on others."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nodepools.adoption.cluster_identity import DeclaredClusters, UnknownOwnerError
from nodepools.cli.command_run import CommandRun, Result
from nodepools.cli.demands.demands import PENDING, UNKNOWN, WARNING, Decided, Demands, Thing, verdict
from nodepools.cli.explain.losses import Group, report_of_each, to_json
from nodepools.cli.explain.outcome import Placement, placements
from nodepools.cli.explain.text import report
from nodepools.cli.inputs.input_files import InputFiles, stated_clusters
from nodepools.cli.output.report import NOWHERE
from nodepools.cli.problem import InputError, Problem, usage_error
from nodepools.data.karpenter_releases import KarpenterRelease
from nodepools.loading import UnreadableError
from nodepools.manifests.workloads import WorkloadFile
from nodepools.model.listing import saved
from nodepools.model.platform import Platform
from nodepools.model.values import dataclass, replace
from nodepools.placement.coverage import Coverage
from nodepools.placement.existing_nodes import existing_pools
from nodepools.placement.explain import explain
from nodepools.placement.node_pools import ClusterPools
from nodepools.placement.workloads.objects import read_workload_objects
from nodepools.placement.workloads.own_pods import owner_of, with_numbers, with_own_pods
from nodepools.placement.workloads.workload import Workload
from nodepools.replicas.count import Outcome
from nodepools.replicas.explained import Explained, with_counts
from nodepools.replicas.losses import EACH, Loss, UnknownLossError, after_a_loss, read_losses, remaining, single_losses, unknown_zones, without

if TYPE_CHECKING:
    from nodepools.manifests.existing.existing_pools import ExistingCluster


@dataclass(frozen=True)
class Scene:
    """What is to be placed, and on what."""

    read: WorkloadFile
    pools: tuple[ClusterPools, ...]
    """Those that are declared: of a running cluster, its own."""
    found: "ExistingCluster | None" = None
    """What runs, if it was read."""

    def after(self, losses: Sequence[Loss] = ()) -> "tuple[tuple[ClusterPools, ...], WorkloadFile, Sequence[Workload]]":
        """What is left after a loss: the pools, the workloads with what runs of them, and the other pods that wait for a node."""
        left = tuple(without(pools, losses) for pools in self.pools)
        if self.found is None:
            return left, self.read, ()
        found = self.found
        if losses:
            nodes, pods = remaining(found.nodes.static, found.pods, losses)
            found = replace(found, nodes=replace(without(found.nodes, losses), static=nodes), pods=pods)
        workloads, pods, asked = self.read.workloads, found.pods, {owner_of(workload) for workload in self.read.workloads}

        def others(pods: Iterable[Workload]) -> tuple[Workload, ...]:
            return tuple(pod for pod in pods if owner_of(pod) not in asked)

        if pods is not None:
            with_own, pods = with_own_pods(workloads, pods)
            workloads, pods = tuple(with_own), replace(pods, bound=others(pods.bound), waiting=others(pods.waiting))
        found = replace(found, pods=pods)
        pools = _declared_and_existing(left[0], found) if left else found.pools_with_pods
        return (without(pools, losses),), replace(self.read, workloads=workloads), pods.waiting if pods is not None else ()


def in_cluster(
    inputs: InputFiles,
    pools: Sequence[ClusterPools],
    platforms: Sequence[Platform],
    read: WorkloadFile,
    run: CommandRun,
    *,
    karpenter: KarpenterRelease | None = None,
) -> Scene:
    """The pools of a cluster as it exists, and the workloads with its objects.

    With `platforms`, it is the declared cluster that the exports are of, with its `pools`; otherwise what the exports contain.

    Raises:
        InputError: nothing of it can be read, or it is not certain which declared cluster it is.
        UnreadableError: the files have no pool, or are of several clusters.
    """
    from nodepools.cli.existing.existing_cluster import read_cluster  # only what exists needs it

    asked, before = {owner_of(workload) for workload in read.workloads}, len(run.problems)
    found = read_cluster(inputs, run, asked, karpenter=karpenter, needs_pool=not platforms)
    if platforms and not found.nodes.static:
        if len(run.problems) == before:
            run.problems.append(
                Problem("--existing", f"no Node is in it. {saved('`kubectl get nodes,pods,pv,pvc,pdb,sc -A -o yaml`', existing=True)}")
            )
        raise InputError
    running = {owner_of(pod) for pod in (found.pods.bound if found.pods is not None else ())}
    workloads = tuple(workload for workload in read.workloads if not workload.pod.node_name or owner_of(workload) not in running)
    if already := len(read.workloads) - len(workloads):
        run.notes.append(Problem("--existing", f"pods that already run on nodes are counted, not explained ({already:,})"))
    found = replace(found, is_planned=run.reads_plan)
    own = (pools[_number_of(found, platforms, run)],) if platforms else ()
    return Scene(replace(read, workloads=with_numbers(workloads, found.pods), objects=(*found.objects, *read.objects)), own, found)


def _declared_and_existing(declared: ClusterPools, found: "ExistingCluster") -> ClusterPools:
    base = replace(declared, unsure={**declared.unsure, **found.nodes.unsure})
    if found.nodes.provisioned:
        base = replace(base, provisioned=found.nodes.provisioned)
    return existing_pools(found.cloud.added_to(base, autoscaled=found.autoscaled, running=True), found.nodes.static, found.pods)


def _number_of(found: "ExistingCluster", platforms: Sequence[Platform], run: CommandRun) -> int:
    """The number of the declared cluster that runs."""
    declared = DeclaredClusters.of(platforms)
    owners = declared.owners(found.files, found.ids, stated_clusters(file.source for file in found.files))
    run.problems.extend(Problem(file, str(answer)) for file, answer in owners.items() if isinstance(answer, UnknownOwnerError))
    places = list(dict.fromkeys(answer for answer in owners.values() if not isinstance(answer, UnknownOwnerError)))
    if len(places) > 1:
        keys = ", ".join(f"`{key}`" for _, key in places)
        run.problems.append(Problem("--existing", f"the files are of several clusters ({keys}): pass those of one"))
    if len(places) != 1 or any(isinstance(answer, UnknownOwnerError) for answer in owners.values()):
        raise InputError
    return declared.places.index(places[0])


def read_losses_of(scene: Scene, written: Sequence[str]) -> tuple[Loss, ...] | None:
    """What `--without` names; `None`: each single loss."""
    if list(written) == [EACH]:
        return None
    try:
        return read_losses(written, scene.after()[0])
    except UnknownLossError as wrong:
        usage_error(f"--without: {wrong}")


def explained(scene: Scene, *, only: str | None, losses: Sequence[Loss] = ()) -> list[Explained]:
    """The answers with the counts of replicas, after a loss if there is one; of the pools, `only` one is shown.

    Raises:
        UnreadableError: no pool, or more than one, has this name.
    """
    pools, read, waiting = scene.after(losses)
    counted = answers(pools, read, waiting)
    if losses:
        counted = after_a_loss(counted, answers(*scene.after()), pools, losses)
    found = placements(counted)
    if len(found) > 1 and any(one.verdict in (Outcome.UNKNOWN, Outcome.PARTLY) for one in found):
        from nodepools.replicas.shortages import with_shortages

        counted = with_shortages(counted, pools)
    if only is None:
        return counted
    address = _address(only, pools)
    return [shown for one in counted if (shown := replace(one, only=address)).shown]


def answers(pools: Sequence[ClusterPools], read: WorkloadFile, waiting: Sequence[Workload]) -> list[Explained]:
    """A value for each workload and cluster. Pods that are `waiting` can be scheduled first."""
    objects = read_workload_objects(read.objects)
    return with_counts(explain([*read.workloads, *waiting], pools, objects), pools, objects)[: len(read.workloads) * len(pools)]


def _address(name: str, pools: Iterable[ClusterPools]) -> str:
    """The address of a pool that is named by it or by its last part."""
    known = [pool.address for cluster in pools for pool in (*cluster.static, *cluster.provisioned)]
    found = [address for address in known if address == name] or [address for address in known if address.endswith(f"/{name}")]
    if len(found) != 1:
        listed = ", ".join(f"`{address}`" for address in (found or known))
        raise UnreadableError(f"pool `{name}` is ambiguous: use one of {listed}" if found else f"pool `{name}` not found (available: {listed})")
    return found[0]


def result(
    about: str,
    answers: Sequence[Explained],
    *,
    losses: Sequence[Loss] = (),
    matrix: bool,
    wanted: Demands,
    again: str,
    places: Mapping[str, str] = NOWHERE,
    within: str = "",
    covered: Coverage | None = None,
    is_open: bool = False,
) -> Result:
    """The answers. Pods that stay Pending for certain in a stack, and those that are not certain to be scheduled, can fail the command.

    `again` is the command, `places` say where pools are declared, `within` the stack, if there is only one. With `is_open`, some pools are not read.
    """
    found = placements(answers, covered, is_open=is_open)
    share: dict[str, object] = {} if covered is None else {"coverage": covered.to_json()}
    share |= {"without": list(map(str, losses))} if losses else {}

    def fields() -> Mapping[str, object]:
        return {"workloads": [one.to_json() for one in found], "pods": [answer.to_json() for answer in answers], **share}

    shown = report(about, found, forced=matrix, covered=covered, again=again, places=places) if found else None
    return Result(fields, decided=decided(found, wanted, within), report=shown)


def of_each(about: str, scene: Scene, *, wanted: Demands, again: str, within: str = "") -> Result:
    """The answers without each single capacity; `again` is the command. A cluster that a loss does not touch is not placed again."""
    pools, read, waiting = scene.after()
    before = answers(pools, read, waiting)
    groups: list[Group] = []
    for loss in single_losses(pools):
        left, now, pending = scene.after([loss])
        changed = [number for number, (one, other) in enumerate(zip(left, pools, strict=True)) if one is not other]
        after = iter(answers([left[number] for number in changed], now, pending))
        found = [next(after) if number % len(pools) in changed else one for number, one in enumerate(before)]
        groups.append((loss, placements(after_a_loss(found, before, left, [loss]))))
    whole = placements(before)

    def fields() -> Mapping[str, object]:
        return {"workloads": [one.to_json() for one in whole], "losses": to_json(groups)}

    found = [one for group in ((None, whole), *groups) for one in group[1]]
    shown = report_of_each(about, whole, groups, unknown_zones(pools), again) if whole else None
    return Result(fields, decided=decided(found, wanted, within), report=shown)


def decided(found: Sequence[Placement], wanted: Demands, within: str) -> Decided:
    """What fails the command: a workload may be among them several times, once for each loss."""
    things = list(dict.fromkeys(_thing(one, word, within) for one in found for word in _words(one)))
    read = {one.stack if one.stack else within for one in found}
    return wanted.decided(things, lambda one: one.kind == "verdict" and one.within in ("", *read))


def _words(one: Placement) -> Iterator[str]:
    """The verdict as `--fail-on` names it, and whether there are warnings."""
    if one.verdict in (Outcome.CANNOT, Outcome.PARTLY) or one.shortage is not None:
        yield PENDING
    elif one.verdict is Outcome.UNKNOWN:
        yield UNKNOWN
    if one.is_stuck or any(answer.warnings for answer in one.answers):
        yield WARNING


def _thing(one: Placement, word: str, within: str) -> Thing:
    workload = one.workload
    return verdict(word, f"{workload.namespace}/{workload.kind}/{workload.name}", one.stack if one.stack else within)


def node_of(paths: Sequence[Path]) -> str | None:
    """The name after `node/`, if one node is to be explained; `None` for workloads, which can be in a folder of this name.

    Raises:
        InputError: a node and something else.
    """
    named = [path.name for path in paths if path.parts[:-1] == ("node",) and not path.exists()]
    if named and len(paths) > 1:
        usage_error("`node/NAME` is explained alone: pass one node, or workloads")
    return named[0] if named else None
