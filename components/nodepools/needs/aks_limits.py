"""Limits of AKS on nodes, agent pools and pods. Facts: docs/facts/capacity.md § 1.2, § 1.6, § 1.7."""

from typing import Final

NODES_OF_A_POOL: Final = 1000
"""Nodes of an agent pool including surge nodes: a scale set holds as many machines."""
NODES_OF_A_CLUSTER: Final = 5000
NODES_WITH_KUBENET: Final = 400
"""Nodes of a cluster with kubenet: each needs a route, and a route table holds this many."""
POOLS_OF_A_CLUSTER: Final = 100
"""Agent pools of a cluster."""
PODS_WITH_OVERLAY: Final = 200_000
"""Pods of a cluster with overlay networking."""
