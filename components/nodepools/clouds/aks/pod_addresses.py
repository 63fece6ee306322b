"""Addresses that a node of AKS takes for itself and for its pods, by network mode. Facts: docs/facts/capacity.md § 1.2 to § 1.5."""

from math import ceil
from typing import Final

from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.aks.cluster import AksClusterArgs

BATCH: Final = 16
"""Addresses that a node reserves at once in a pod subnet: a /28, or a batch of dynamic allocation."""
POD_BLOCK: Final = 256
"""Addresses of the pod CIDR that each node takes with overlay networking, whatever its maximum number of pods."""
RESERVED: Final = 5
"""Addresses that Azure reserves in each subnet; in a pod CIDR it reserves none."""
_SPARE: Final = 8
"""A node asks for another batch when fewer of its addresses are free."""
_OF_THE_HOST: Final = 2
"""Pods of AKS on each node that use the address of the node."""
PODS_OVERLAY, PODS_IN_A_SUBNET, PODS_FLAT = 250, 110, 30
"""Default maximum of pods per node, by network mode."""


def is_flat(cluster: AksClusterArgs) -> bool:
    """Pods have addresses of the virtual network: of the nodes' subnet, or of pod subnets."""
    return cluster.network_profile.plugin == "azure" and cluster.network_profile.plugin_mode is None


def max_pods(pool: AgentPool, default: int) -> int:
    """The maximum number of pods per node."""
    return pool.max_pods if pool.max_pods is not None else default


def flat_addresses(pods: int) -> int:
    """Addresses of the node subnet that AKS counts for a node and its pods: those in the host's network need none."""
    return max(1 + pods - _OF_THE_HOST, 1)


def planned_flat_addresses(pods: int) -> int:
    """The manuals' figure for the same, which is larger."""
    return 1 + pods


def dynamic_addresses(pods: int) -> int:
    """Addresses of a pod subnet that a node takes while this many of its pods need one."""
    return BATCH * ceil((pods + _SPARE) / BATCH)


def static_blocks(pods: int) -> int:
    """Blocks of a pod subnet that a node takes with static allocation."""
    return ceil((pods + 1) / BATCH)
