"""Values that only Azure sets, inside outputs of a cluster."""

from collections.abc import Callable

import pulumi
from pulumi_azure_native import containerservice


def told(cluster: containerservice.ManagedCluster, read: Callable[[containerservice.ManagedCluster], pulumi.Output[str]]) -> pulumi.Output[str]:
    """The value once Azure returned it. In a preview it is unknown: the other outputs are then those of the request, which lack it."""
    return cluster.resource_uid.apply(lambda _: read(cluster))
