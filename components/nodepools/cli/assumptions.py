"""Notes about objects that are read as more than they say."""

from nodepools.cli.command_run import CommandRun
from nodepools.cli.problem import Problem
from nodepools.placement.cluster_pools import ClusterPools


def note_assumptions(pools: ClusterPools, run: CommandRun) -> None:
    """Adds how NodePools were read that the API server does not accept as they are, except the reason why one is unknown, which is in the answer."""
    run.notes.extend(Problem(f"NodePool/{pool.name}", assumed) for pool in pools.provisioned for assumed in (*pool.assumed, *pool.unread[1:]))
