"""The operations of EKS during an upgrade: how to watch and stop them, and what can be undone. Facts: docs/facts/eks.md § 12."""

from dataclasses import dataclass

from nodepools.upgrades.karpenter_steps import pause_drift, watch_drift
from nodepools.upgrades.step import Step


@dataclass(frozen=True, slots=True)
class EksOperations:
    """The operations of one EKS cluster, by its name in AWS."""

    name: str

    def is_busy(self, state: str) -> bool:
        """EKS rejects other updates in this state."""
        return state.upper() not in ("ACTIVE", "FAILED")

    def watch(self, step: Step) -> str:
        """The command that shows the state."""
        return watch_drift(step) if step.what == "node_pool" else f"aws eks describe-cluster --name {self.name} --query cluster.status"

    def stop(self, step: Step) -> str:
        """How to stop it."""
        if step.what == "node_pool":
            return pause_drift(step)
        return "EKS cannot stop an update of the control plane that runs. Before it begins, do nothing: nodes follow only after it"

    def rollback_command(self, old: str) -> str:
        """The command that rolls the cluster back."""
        return f"aws eks update-cluster-version --name {self.name} --kubernetes-version {old}"

    def way_back(self, old: str, new: str, *, passed: bool) -> str:
        """What can be undone."""
        got = "got" if passed else "gets"
        return (
            f"The last point of return is 7 days after the control plane {got} {new}: `{self.rollback_command(old)}` rolls it back, nodes first. "
            "etcd contents, workloads and add-ons stay as they are"
        )
