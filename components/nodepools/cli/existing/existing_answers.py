"""`--existing` without a declaration: what a cluster needs, and its upgrade."""

import sys
from dataclasses import replace
from datetime import date

from nodepools.cli.capacity import result
from nodepools.cli.command_run import CommandRun, Result
from nodepools.cli.cost import Month
from nodepools.cli.demands.demands import Demands
from nodepools.cli.existing.cloud_exports import stock_of
from nodepools.cli.existing.existing_cluster import StockFiles, read_cluster
from nodepools.cli.existing.undeclared_pools import elsewhere
from nodepools.cli.inputs.input_files import InputFiles as Files
from nodepools.cli.inputs.input_files import named_existing
from nodepools.cli.inputs.workload_files import read_workload_files
from nodepools.cli.output.report import lines_of
from nodepools.cli.problem import Problem
from nodepools.cli.upgrade.command import MOST_ROUNDS, UpgradeOptions, calendar, inputs_of, too_far
from nodepools.cli.upgrade.plan import plan_result
from nodepools.clouds.aks.steps import ExistingAksSteps
from nodepools.clouds.eks.steps import ExistingEksSteps, no_patch_version
from nodepools.clouds.item import NOTHING_EXISTING, ExistingStock
from nodepools.clouds.node_pool_cost import node_group_cost, node_pool_cost
from nodepools.clouds.prices import Prices
from nodepools.data.version_support import minor, patch, short
from nodepools.loading import UnreadableError
from nodepools.manifests.existing.existing_pools import CloudCluster, ExistingCluster
from nodepools.manifests.manifest_objects import ManifestObject
from nodepools.manifests.workloads import workloads_in
from nodepools.model.listing import saved
from nodepools.model.name_limits import azure_name
from nodepools.needs.existing_capacity import ExistingCapacity
from nodepools.placement.coverage import coverage
from nodepools.upgrades.existing_upgrades import ExistingUpgrade
from nodepools.upgrades.node_images import images_by_pool

_POOLS = saved("`kubectl get nodepools -o yaml`, `aws eks describe-nodegroup` or `az aks nodepool list`", existing=True)
_NODES_ALONE = f"nodes alone do not say what their pools can need. {_POOLS}"
_VERSION = saved("`aws eks describe-cluster` or `az aks show`", existing=True)
_NO_VERSION = f"the version of the control plane is not known. {_VERSION}; with `--context`, add `--cloud`"


def _read(inputs: Files, run: CommandRun, stock: StockFiles | None = None, running: list[ManifestObject] | None = None) -> ExistingCluster:
    found = read_cluster(inputs, run, stock=stock, running=running)
    run.notes.extend(Problem(f"node group `{group.name}`", group.why_no_type) for group in found.cloud.groups if group.why_no_type)
    return found


def upgrade(inputs: Files, workloads: Files, run: CommandRun, wanted: UpgradeOptions, *, today: date) -> Result:
    """The way of the cluster to a version, as of `today`; without one, when the support of its version ends.

    Raises:
        UnreadableError: the files do not say what is upgraded, or the version is lower or too far away.
    """
    stock, running = StockFiles(), list[ManifestObject]()
    found = _read(inputs, run, stock, running)
    cloud, to = found.cloud, wanted.to
    if not cloud.version:
        raise UnreadableError(_NO_VERSION)
    known = inputs_of(read_workload_files(workloads, run), workloads_in(running, existing=True), run)
    cluster = ExistingUpgrade(
        cloud=_steps(cloud),
        version=cloud.version,
        pools=found.without_nodes,
        images=images_by_pool(found.classes),
        items=_capacity(found).counted(_existing_stock(found, stock, run)).items,
        nodes=found.nodes.static,
        states=cloud.states,
    )
    if to is None:
        return calendar([cluster.support(today)], replace(wanted, about=named_existing(inputs.paths)), run)
    if not cluster.cloud.has_patch_versions and patch(to) is not None:
        raise UnreadableError(f"{no_patch_version(to).message}: use `--to {short(to)}`")
    if (minor(to), patch(to) if patch(to) is not None else sys.maxsize) < (minor(cloud.version), patch(cloud.version) or 0):
        raise UnreadableError(f"`--to {to}` must be at least {cloud.version}, which runs now")
    if minor(to) - minor(cloud.version) > MOST_ROUNDS:
        raise UnreadableError(too_far(to, cloud.version))
    covered = coverage(found.all_pools)
    answer = plan_result(
        cloud.name, to, [(cloud.name, cluster.plan(to, known, today))], f"{wanted.again} --to {to}", wanted=wanted.demands, places=known.places
    )
    if answer.report is None:
        return answer
    report = replace(answer.report, sections=(*answer.report.sections, lines_of("", str(covered))))
    return replace(answer, fields=lambda: {**answer.fields(), "coverage": covered.to_json()}, report=report)


def _steps(cloud: CloudCluster) -> ExistingAksSteps | ExistingEksSteps:
    if not cloud.resource_group:
        region = cloud.region if cloud.region else "REGION"
        return ExistingEksSteps(name=cloud.name, region=region, groups=cloud.groups, extends=cloud.extends)
    return ExistingAksSteps(
        name=cloud.name,
        resource_group=cloud.resource_group,
        agent_pools=cloud.agent_pools,
        channel=cloud.channel,
        is_automatic=cloud.is_automatic,
        extends=cloud.extends,
    )


def costs(inputs: Files, run: CommandRun, prices: Prices) -> Month:
    """What the pools of the cluster cost in a month.

    Raises:
        UnreadableError: as `read_cluster`, or it is an AKS cluster.
    """
    found = _read(inputs, run)
    if found.cloud.agent_pools:
        raise UnreadableError(f"{named_existing(inputs.paths)}: of a plan with an AKS cluster, the cost is counted without other files")
    of_groups = [node_group_cost(group, prices) for group in found.cloud.groups]
    return Month(found.cloud.name, [*of_groups, *(node_pool_cost(place, "aws", found.cloud.region, prices) for place in found.nodes.provisioned)])


def _capacity(found: ExistingCluster) -> ExistingCapacity:
    cloud = found.cloud
    return ExistingCapacity(
        name=cloud.name if cloud.name else "cluster",
        region=cloud.region,
        groups=cloud.groups,
        agent_pools=cloud.agent_pools,
        pools=found.without_nodes,
        classes=found.classes,
        network=cloud.network,
    )


def _existing_stock(found: ExistingCluster, stock: StockFiles, run: CommandRun) -> ExistingStock:
    places = [(azure_name(found.cloud.location), None)] if found.cloud.location is not None else []
    existing = stock_of(stock.found, places, found.nodes.static, run) if stock.found else NOTHING_EXISTING
    region = azure_name(found.cloud.region)
    run.notes.extend(elsewhere(existing, {region}, "exported") if region else ())
    return existing


def capacity(inputs: Files, run: CommandRun, wanted: Demands, given: str) -> Result:
    """What the cluster needs, next to what is available, and the room on its nodes. `given` has the options of the command.

    Raises:
        UnreadableError: there is no pool, or nodes alone, or the files are about several clusters.
    """
    stock = StockFiles()
    found = _read(inputs, run, stock)
    cluster = _capacity(found)
    if not (cluster.groups or cluster.agent_pools or cluster.pools.provisioned):
        raise UnreadableError(_NODES_ALONE)
    existing = _existing_stock(found, stock, run)
    covered, rooms = coverage(found.all_pools), cluster.rooms
    answer = result(cluster.name, [cluster.counted(existing)], (), given, wanted)
    if answer.report is None:
        return answer
    room = lines_of("Room for pods on a node, those of DaemonSets included", *map(str, rooms), is_detail=True)
    report = replace(answer.report, sections=(*answer.report.sections, room, lines_of("", str(covered))))
    return replace(
        answer, fields=lambda: {**answer.fields(), "rooms": [room.to_json() for room in rooms], "coverage": covered.to_json()}, report=report
    )
