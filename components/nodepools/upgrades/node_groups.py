"""Managed node groups that others manage in a declared cluster: their steps, and the share of the nodes that the plan covers."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from nodepools.data.version_support import minor, short
from nodepools.placement.cloud_labels import NODE_GROUP
from nodepools.placement.coverage import Coverage
from nodepools.placement.node_groups import NodeGroup
from nodepools.placement.pools_of_nodes import pools_of
from nodepools.upgrades.fleet import Fleet
from nodepools.upgrades.foreign_pool_steps import node_group_step
from nodepools.upgrades.step import Round


def with_node_groups(rounds: Iterable[Round], groups: Sequence[NodeGroup], now: int) -> Iterator[Round]:
    """Adds the steps of node groups; the control plane has the minor version `now`.

    Those that are behind come first: EKS updates the control plane only when they have its version.
    """
    behind = tuple(node_group_step(group, short(group.version), f"1.{now}") for group in groups if group.version and minor(group.version) < now)
    planned = list(rounds)
    if behind and (not planned or minor(planned[0].version) > now):
        yield Round(f"1.{now}", behind)
    elif behind:
        planned[0] = Round(planned[0].version, (*behind, *planned[0].steps))
    for each in planned:
        target = minor(each.version)
        added = [node_group_step(group, f"1.{target - 1}", f"1.{target}") for group in groups] if target > now else []
        yield Round(each.version, (*each.steps, *added))


def covered_nodes(fleet: Fleet, labels: Mapping[str, Mapping[str, str]]) -> Coverage | None:
    """The share of the nodes of a running cluster that are in declared pools, which have these labels, or in node groups of the exports.

    `None`: there is nothing but what is declared.
    """
    known = [*labels.items(), *((group.name, {NODE_GROUP: group.name}) for group in fleet.groups)]
    others = sum(1 for node in fleet.nodes if not pools_of(node.labels, known))
    if not fleet.groups and not others:
        return None
    if fleet.nodes:
        return Coverage(len(fleet.nodes), len(fleet.nodes) - others, others, launches=False)
    nodes = sum(group.desired for group in fleet.groups)
    return Coverage(nodes, nodes, 0, launches=True)
