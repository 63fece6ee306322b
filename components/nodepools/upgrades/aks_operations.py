"""The operations of AKS during an upgrade: how to watch and stop them, and what can be undone. Facts: docs/facts/aks.md § 2.9."""

from dataclasses import dataclass
from typing import Final

from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.upgrades.step import Step
from nodepools.wire.aks.cluster import cluster_name
from nodepools.wire.aks.generation import SYSTEM, first_pool_name, generations

_SETTLED: Final = frozenset({"succeeded", "failed", "canceled"})


def agent_pool_names(cluster: AksClusterArgs) -> dict[str, str]:
    """The names of agent pools in Azure, by the name for people."""
    others = {f"{one.key} (previous)" if one.is_previous else one.key: one.name for one in generations(cluster)}
    return {**others, SYSTEM: first_pool_name(cluster)}


@dataclass(frozen=True, slots=True)
class AksOperations:
    """The operations of one AKS cluster."""

    cluster: AksClusterArgs
    stem: str

    @property
    def group(self) -> str:
        """Its resource group, as the Azure CLI needs it."""
        group = self.cluster.resource_group
        return group if isinstance(group, str) else self.stem if group is None else "RESOURCE_GROUP"

    def pool_command(self, verb: str, pool: str) -> str:
        """A command of the Azure CLI about an agent pool, by its name in Azure."""
        name = cluster_name(self.cluster, self.stem)
        return f"az aks nodepool {verb} --resource-group {self.group} --cluster-name {name} --name {pool}"

    def is_busy(self, state: str) -> bool:
        """AKS rejects other operations in this provisioning state."""
        return state.lower() not in _SETTLED

    @property
    def show(self) -> str:
        """The command that prints the cluster."""
        return self._cluster_command("show")

    def watch(self, step: Step, /) -> str:
        """The command that shows the state."""
        shown = self.pool_command("show", step.cloud_name) if step.is_of_agent_pool else self.show
        return f"{shown} --query provisioningState"

    def stop(self, step: Step, /) -> str:
        """How to stop it."""
        abort = self.pool_command("operation-abort", step.cloud_name) if step.is_of_agent_pool else self._cluster_command("operation-abort")
        return (
            f"`{abort}` ends the operation (409 if it has ended already). Finished nodes keep the new version, and the same command continues later"
        )

    def way_back(self, old: str, new: str, *, passed: bool) -> str:
        """What can be undone."""
        now = (
            f"The control plane has {new}: it is past the last point of return"
            if passed
            else f"The upgrade of the control plane is the last point of return: once it has {new}"
        )
        off = "" if self.cluster.auto_upgrade in (None, "none") else ", after you set `auto_upgrade` to `none`"
        return (
            f"{now}, {'because ' * passed}AKS cannot return it to {old}. "
            f"For 7 days after its own upgrade, a node pool can return to its former version (`az aks nodepool rollback`){off}"
        )

    def _cluster_command(self, verb: str) -> str:
        return f"az aks {verb} --resource-group {self.group} --name {cluster_name(self.cluster, self.stem)}"
