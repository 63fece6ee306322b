"""Clusters that others manage, from `--pools`: what they need, and their upgrade."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from nodepools.cli.assumptions import note_assumptions
from nodepools.cli.capacity import result
from nodepools.cli.command_run import CommandRun, Result
from nodepools.cli.existing.cloud_exports import read_exports
from nodepools.cli.explain.command import opened_files
from nodepools.cli.inputs.selected_inputs import InputFiles as Files
from nodepools.cli.output.report import lines_of
from nodepools.cli.problem import InputError, Problem
from nodepools.cli.upgrade.command import MOST_ROUNDS, UpgradeOptions, read_inputs, too_far
from nodepools.cli.upgrade.plan import plan_result
from nodepools.clouds.stock import NOTHING_OBSERVED
from nodepools.data.version_support import minor
from nodepools.loading import UnreadableError
from nodepools.manifests.existing.live_pools import NO_POOL, ClusterFiles, read_cluster_files
from nodepools.model.kubernetes.raw_fields import entries
from nodepools.needs.foreign_capacity import ForeignCapacity
from nodepools.placement.coverage import coverage
from nodepools.reading.limits import TextError
from nodepools.upgrades.foreign_upgrades import ForeignUpgrade
from nodepools.upgrades.images_of_node_pools import images_of

_NODES_ALONE = (
    "nodes alone do not say what their pools can need: add `kubectl get nodepools -o yaml`, `aws eks describe-nodegroup` or `az aks nodepool list`"
)


def cluster_files(paths: Iterable[Path], run: CommandRun) -> ClusterFiles:
    """What the files contain about one cluster. What cannot be read is a problem of `run`.

    Raises:
        UnreadableError: there is no pool, or the files are about several clusters.
        InputError: there is no pool that can be read.
    """
    before = len(run.problems)

    def failed(error: TextError) -> None:
        run.problems.append(Problem.of(str(error)))

    try:
        found = read_cluster_files(opened_files(paths, run, failed), failed)
    except TextError as error:
        raise UnreadableError(str(error)) from None
    if not found.all_pools.static and not found.all_pools.provisioned:
        if len(run.problems) > before:
            raise InputError  # the problems say why
        raise UnreadableError(NO_POOL)
    note_assumptions(found.nodes, run)
    run.notes.extend(Problem(f"node group `{group.name}`", group.why_no_type) for group in found.foreign.groups if group.why_no_type)
    return found


def upgrade(paths: Iterable[Path], to: str, workloads: Files, run: CommandRun, wanted: UpgradeOptions, *, today: date) -> Result:
    """The way of a cluster that others manage to a version, as of `today`.

    Raises:
        UnreadableError: the files do not say what is upgraded, or the version is lower or too far away.
    """
    found = cluster_files(paths, run)
    foreign = found.foreign
    if not foreign.version:
        raise UnreadableError("the version of the control plane is not in the files: add `aws eks describe-cluster` or `az aks show`")
    if minor(to) < minor(foreign.version):
        raise UnreadableError(f"`--to {to}` must be at least {foreign.version}, which runs now")
    if minor(to) - minor(foreign.version) > MOST_ROUNDS:
        raise UnreadableError(too_far(to, foreign.version))
    known = read_inputs(workloads, Files(), [], run)
    images = {name: images_of(node_class, entries(spec, "amiSelectorTerms")) for name, (node_class, spec) in found.classes.items()}
    planned = ForeignUpgrade(
        name=foreign.name,
        version=foreign.version,
        resource_group=foreign.resource_group,
        groups=foreign.groups,
        agent_pools=foreign.agent_pools,
        pools=found.without_nodes,
        images=images,
    ).plan(to, known, today)
    covered = coverage(found.all_pools)
    answer = plan_result(foreign.name, to, [(foreign.name, planned)], f"{wanted.again} --to {to}", strict=wanted.strict)
    if answer.report is None:
        return answer
    report = replace(answer.report, sections=(*answer.report.sections, lines_of("", str(covered))))
    return replace(answer, fields=lambda: {**answer.fields(), "coverage": covered.to_json()}, report=report)


def capacity(paths: Sequence[Path], exports: Files, run: CommandRun, *, strict: bool) -> Result:
    """What a cluster that others manage needs, next to what is available, and the room on its nodes.

    Raises:
        UnreadableError: there is no pool, or nodes alone, or the files are about several clusters.
    """
    found = cluster_files(paths, run)
    foreign = found.foreign
    region = foreign.location if foreign.location is not None else next((group.region for group in foreign.groups), "")
    cluster = ForeignCapacity(
        name=foreign.name if foreign.name else "cluster",
        region=region,
        groups=foreign.groups,
        agent_pools=foreign.agent_pools,
        pools=found.without_nodes,
        classes=found.classes,
    )
    if not (cluster.groups or cluster.agent_pools or cluster.pools.provisioned):
        raise UnreadableError(_NODES_ALONE)
    observed = read_exports(exports, (), run) if exports.paths else NOTHING_OBSERVED
    covered, rooms = coverage(found.all_pools), cluster.rooms
    answer = result(cluster.name, [cluster.counted(observed)], (), " ".join(f"--pools {path}" for path in paths), strict=strict)
    if answer.report is None:
        return answer
    room = lines_of("Room for pods on a node, those of DaemonSets included", *map(str, rooms), is_detail=True)
    report = replace(answer.report, sections=(*answer.report.sections, room, lines_of("", str(covered))))
    return replace(
        answer, fields=lambda: {**answer.fields(), "rooms": [room.to_json() for room in rooms], "coverage": covered.to_json()}, report=report
    )
