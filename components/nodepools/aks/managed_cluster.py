"""The resource of an AKS cluster, which Pulumi mocks can answer as they answer others: with its inputs."""

from typing import Any

import pulumi
from pulumi_azure_native import containerservice


class ManagedCluster(containerservice.ManagedCluster):
    """`azure-native:containerservice:ManagedCluster`, whose identities are taken as they come.

    Identities are a list of ids in the request and a mapping in the answer. The SDK checks the answer against its types: mocks that return the
    inputs, as most do, would fail every output of the cluster.
    """

    @property
    @pulumi.getter
    def identity(self) -> pulumi.Output[Any]:
        """What the cluster is to Azure. Never read here."""
        return pulumi.get(self, "identity")  # pyright: ignore[reportUnknownMemberType]  # Pulumi's own helper is untyped
