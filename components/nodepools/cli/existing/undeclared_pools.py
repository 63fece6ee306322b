"""What exports have next to declared clusters: node groups and agent pools of others, and subnets and quotas that no cluster uses."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from nodepools.cli.command_run import CommandRun
from nodepools.cli.existing.cloud_exports import ExistingNode
from nodepools.cli.problem import Problem
from nodepools.clouds.aks.nodes import undetermined
from nodepools.clouds.item import ExistingStock
from nodepools.clouds.registry import cloud_of
from nodepools.model.listing import listed
from nodepools.model.platform import Platform
from nodepools.needs.platform_capacity import ClusterCapacity, counted_agent_pools, counted_groups
from nodepools.placement.cloud_labels import AGENT_POOL, NODE_GROUP, POOL
from nodepools.placement.coverage import Coverage

_NAMED: Final = 3


def unused(existing: ExistingStock, platforms: Iterable[Platform], counted: Sequence[ClusterCapacity]) -> Iterator[Problem]:
    """A note if none of the subnets, or none of the quotas, is of a declared cluster."""
    names = {item.name.lower() for cluster in counted for item in cluster.items}
    if existing.subnets and names.isdisjoint(existing.subnets):
        subnets = _number(len(existing.subnets), "subnet")
        yield Problem("--existing", f"no declared cluster uses the exported {subnets} by id: not counted ({listed(list(existing.subnets), _NAMED)})")
    yield from elsewhere(existing, {cloud_of(cluster).region.name for platform in platforms for cluster in platform.clusters.values()}, "declared")


def elsewhere(existing: ExistingStock, regions: AbstractSet[str], which: str) -> Iterator[Problem]:
    """A note if all quotas are of other regions than those of the clusters, which are `declared` or `exported`."""
    known = {counter.region for counter in existing.quotas}
    if known and regions.isdisjoint(known):
        quotas = _number(len(existing.quotas), "quota")
        yield Problem("--existing", f"no {which} cluster is in the region of the exported {quotas}: not counted ({listed(sorted(known), _NAMED)})")


def _number(count: int, noun: str) -> str:
    return noun if count == 1 else f"{count:,} {noun}s"


def note_share(nodes: Iterable[ExistingNode], platforms: Sequence[Platform], existing: ExistingStock, run: CommandRun) -> None:
    """Adds notes, unless there is nothing of others. Nodes without a label of theirs are those of the declaration."""
    groups, pools = counted_groups(platforms, existing), [nodes.pool for nodes in counted_agent_pools(platforms, existing)]
    run.notes.extend(unknown_needs(platforms, existing))
    running = [node.labels for node in nodes if not node.is_claim]
    named = [labels[NODE_GROUP] for labels in running if NODE_GROUP in labels]
    of_agents = [labels[AGENT_POOL] for labels in running if _is_of_others(labels, platforms)]
    if groups or pools or named or of_agents:
        lost = len([name for name in named if name not in {group.name for group in groups}])
        lost += len([name for name in of_agents if name not in {pool.name for pool in pools}])
        nodes_of_pools = sum(group.desired for group in groups) + sum(pool.count for pool in pools)
        run.notes.append(Problem("--existing", f"{Coverage.with_declared(len(running), lost, nodes_of_pools)}"))


def unknown_needs(platforms: Sequence[Platform], existing: ExistingStock) -> Iterator[Problem]:
    """A note for each pool of others of which exports do not determine what it needs."""
    for group in counted_groups(platforms, existing):
        if group.why_no_type:
            yield Problem("--existing", f"node group `{group.name}`: {group.why_no_type}")
    text = undetermined(counted_agent_pools(platforms, existing))
    if text:
        yield Problem("--existing", text)


def _is_of_others(labels: Mapping[str, str], platforms: Sequence[Platform]) -> bool:
    """The node is in an agent pool that no declaration can contain."""
    clusters = [cluster for platform in platforms for cluster in platform.clusters.values()]
    return AGENT_POOL in labels and POOL not in labels and not any(cloud_of(cluster).can_declare_node(labels) for cluster in clusters)
