"""Limits of AKS on nodes, agent pools and pods. Facts: docs/facts/capacity.md § 1.2, § 1.6, § 1.7."""

from typing import Final

from nodepools.model.aks.network import LoadBalancer

NODES_OF_A_POOL: Final = 1000
"""Nodes of an agent pool including surge nodes: a scale set holds as many machines."""
NODES_OF_A_CLUSTER: Final = 5000
NODES_WITH_KUBENET: Final = 400
"""Nodes of a cluster with kubenet: each needs a route, and a route table holds this many."""
POOLS_OF_A_CLUSTER: Final = 100
"""Agent pools of a cluster."""
PODS_WITH_OVERLAY: Final = 200_000
"""Pods of a cluster with overlay networking."""


PORTS: Final = 64_000
"""Ports of one outbound address."""
_AUTOMATIC: Final = ((50, 1024), (100, 512), (200, 256), (400, 128), (800, 64), (1000, 32))
"""Ports of each node without a declared number, by the number of nodes up to which they apply."""


def automatic_step(nodes: int) -> tuple[int, int] | None:
    """Number of nodes up to which each gets the same ports, and these ports; `None` above the largest number."""
    return next(((most, ports) for most, ports in _AUTOMATIC if nodes <= most), None)


def outbound_addresses(balancer: LoadBalancer) -> int | None:
    """The number of outbound addresses; `None` with prefixes, whose size is unknown."""
    if balancer.outbound_ip_prefix_ids:
        return None
    managed = balancer.managed_outbound_ips if balancer.managed_outbound_ips is not None else 0
    return managed + len(balancer.outbound_ip_ids) or 1
