"""What the first `pulumi up` of an AKS cluster needs."""

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.network import AksNetworkArgs

_LOGIN = "AAD_LOGIN_METHOD"


@dataclass(frozen=True, slots=True)
class AksNeeds:
    """Entra ID login, Azure roles, and VM quota."""

    cluster: AksClusterArgs

    def tools(self) -> Iterator[str]:
        """`kubelogin`, if Entra ID is on."""
        if self.cluster.entra is not None:
            yield "kubelogin"

    def environment(self) -> Iterator[tuple[str, str]]:
        """The login method of `kubelogin`: without it, a CI run waits for a browser login."""
        if _LOGIN not in os.environ and self.cluster.entra is not None and self.cluster.apply == "direct":
            yield "login", f"{_LOGIN} is not set, so `kubelogin` waits for a browser login: set it to azurecli, spn, msi or workloadidentity"

    def account(self) -> Iterator[tuple[str, str]]:
        """Roles on the subscription, and quota."""
        cluster = self.cluster
        yield "role", "Contributor on the subscription" if cluster.resource_group is None else "Contributor on the resource group"
        grants = cluster.identity is None or (cluster.entra is not None and (cluster.entra.deployer_is_admin or cluster.admins))
        if grants:
            yield (
                "role",
                "Owner or User Access Administrator, to assign roles (`Microsoft.Authorization/roleAssignments/write`): Contributor is not enough",
            )
        if cluster.entra is not None and not cluster.entra.deployer_is_admin and cluster.apply == "direct":
            yield "role", "Azure Kubernetes Service RBAC Cluster Admin for the deployer: `deployer_is_admin=False` does not grant it"
        if cluster.log_analytics_workspace_id is not None:
            yield "role", "Log Analytics Contributor on the Log Analytics workspace, to read its shared keys when the agent is enabled"
            yield "region", f"Log Analytics workspace in {cluster.logs_location}; resource provider Microsoft.Insights registered"
        max_nodes = Counter[str]()
        for _, pool in cluster.all_pools():
            for generation in (pool, pool.retiring):
                if generation is not None:
                    max_nodes[generation.vm_size] += generation.most_nodes
        for size, nodes in max_nodes.items():
            yield "quota", f"up to {nodes} x {size} in {cluster.location}, plus surge nodes during upgrades"
        if cluster.node_provisioning is not None:
            yield "quota", f"VMs that node auto provisioning can launch in {cluster.location}: see the limits of its NodePools"
        if isinstance(cluster.network, AksNetworkArgs):
            yield "quota", f"1 virtual network, 1 public IP in {cluster.location}"
