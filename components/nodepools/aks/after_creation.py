"""Values that only Azure sets, inside outputs of a cluster."""

from collections.abc import Callable
from typing import TypeVar

import pulumi
from pulumi_azure_native import containerservice

T = TypeVar("T")


def known_after_creation(
    cluster: containerservice.ManagedCluster, read: Callable[[containerservice.ManagedCluster], pulumi.Output[T]]
) -> pulumi.Output[T]:
    """The value once Azure returned it. In a preview it is unknown: the other outputs are then those of the request, which lack it."""
    return cluster.resource_uid.apply(lambda _: read(cluster))


def text(value: object) -> str:
    """The text; empty if there is none. Mocks of other programs return what was sent, which lacks what Azure sets."""
    return value if isinstance(value, str) else ""
