"""The resource of an AKS cluster, in a form that works with Pulumi mocks that return inputs."""

from typing import Any

import pulumi
from pulumi_azure_native import containerservice


class ManagedCluster(containerservice.ManagedCluster):
    """`azure-native:containerservice:ManagedCluster`, whose identity is not converted.

    Identities are a list of ids in the request and a mapping in the response. The SDK checks the response against its types: with mocks that
    return the inputs, as most do, every output of the cluster would fail.
    """

    @property
    @pulumi.getter
    def identity(self) -> pulumi.Output[Any]:
        """The identity of the cluster. Not used here."""
        return pulumi.get(self, "identity")  # pyright: ignore[reportUnknownMemberType]  # Pulumi's own helper is untyped
