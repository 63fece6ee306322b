"""Managed node groups and agent pools that others manage in a declared cluster: their steps, and the share of the nodes that the plan covers."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from nodepools.clouds.aks.existing_agent_pools import ExportedAgentPool
from nodepools.clouds.fleet import Fleet
from nodepools.clouds.step import Round, Step
from nodepools.data.version_support import minor, short
from nodepools.placement.cloud_labels import AGENT_POOL, NODE_GROUP
from nodepools.placement.coverage import Coverage
from nodepools.placement.static_pools import StaticPool, pools_of
from nodepools.upgrades.foreign_pool_steps import agent_pool_step, node_group_step


def with_pools_of_others(rounds: Iterable[Round], fleet: Fleet, now: int) -> Iterator[Round]:
    """Adds the steps of node groups and agent pools; the control plane has the minor version `now`.

    Those that are behind come first: EKS updates the control plane only when node groups have its version, and AKS limits how far pools are behind.
    """
    behind = tuple(_behind(fleet, now))
    planned = list(rounds)
    if behind and (not planned or minor(planned[0].version) > now):
        yield Round(f"1.{now}", behind)
    elif behind:
        planned[0] = Round(planned[0].version, (*behind, *planned[0].steps))
    for each in planned:
        target = minor(each.version)
        added = _together(fleet, f"1.{target - 1}", f"1.{target}") if target > now else ()
        yield Round(each.version, (*each.steps, *added))


def _behind(fleet: Fleet, now: int) -> Iterator[Step]:
    for group in fleet.groups:
        if group.version and minor(group.version) < now:
            yield node_group_step(group, short(group.version), f"1.{now}")
    for pool in fleet.agent_pools:
        for target in range(minor(pool.version) + 1, now + 1) if pool.version else ():
            yield _of_agent_pool(pool, fleet, f"1.{target - 1}", f"1.{target}")


def _together(fleet: Fleet, old: str, new: str) -> Iterator[Step]:
    yield from (node_group_step(group, old, new) for group in fleet.groups)
    yield from (_of_agent_pool(pool, fleet, old, new) for pool in fleet.agent_pools)


def _of_agent_pool(pool: ExportedAgentPool, fleet: Fleet, old: str, new: str) -> Step:
    step, name = agent_pool_step(pool, fleet.resource_group, old, new), pool.shown_name
    return replace(step, name=name, drain=None if step.drain is None else replace(step.drain, address=name))


def static_pools(fleet: Fleet) -> Iterator[StaticPool]:
    """These pools, as pods see them."""
    yield from (group.nodes(None, autoscaled=None) for group in fleet.groups)
    yield from (replace(pool.nodes(None), address=pool.shown_name) for pool in fleet.agent_pools)


def versions_of_others(fleet: Fleet) -> list[int]:
    """The minor versions of these pools, as far as they are known."""
    return [minor(one.version) for one in (*fleet.groups, *fleet.agent_pools) if one.version]


def covered_nodes(fleet: Fleet, labels: Mapping[str, Mapping[str, str]]) -> Coverage | None:
    """The share of the nodes of a running cluster that are in declared pools, which have these labels, or in pools of the exports.

    `None`: there is nothing but what is declared.
    """
    groups = [(group.name, {NODE_GROUP: group.name}) for group in fleet.groups]
    agents = [(pool.shown_name, {AGENT_POOL: pool.name}) for pool in fleet.agent_pools]
    known = [*labels.items(), *groups, *agents]
    others = sum(1 for node in fleet.nodes if not pools_of(node.labels, known))
    if not groups and not agents and not others:
        return None
    existing = sum(group.desired for group in fleet.groups) + sum(pool.count for pool in fleet.agent_pools)
    return Coverage.with_declared(len(fleet.nodes), others, existing)
