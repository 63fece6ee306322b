"""The operations of EKS during an upgrade: how to watch and stop them, and what can be undone. Facts: docs/facts/eks.md § 12."""

from dataclasses import dataclass

from nodepools.upgrades.step import Step


@dataclass(frozen=True, slots=True)
class EksOperations:
    """The operations of one EKS cluster, by its name in AWS."""

    name: str

    def is_busy(self, state: str) -> bool:
        """EKS rejects other updates in this state."""
        return state.upper() not in ("ACTIVE", "FAILED")

    @property
    def show(self) -> str:
        """The command that prints the cluster."""
        return f"aws eks describe-cluster --name {self.name}"

    def watch(self, _: Step, /) -> str:
        """The command that shows the state."""
        return f"{self.show} --query cluster.status"

    def stop(self, _: Step, /) -> str:
        """How to stop it."""
        return "EKS cannot stop an update of a control plane; nodes follow after it, and their drift can be paused"

    def rollback_command(self, old: str) -> str:
        """The command that rolls the cluster back."""
        return f"aws eks update-cluster-version --name {self.name} --kubernetes-version {old}"

    def way_back(self, old: str, new: str, *, passed: bool) -> str:
        """What can be undone."""
        got = "got" if passed else "gets"
        return (
            f"The last point of return is 7 days after the control plane {got} {new}. Until then, `{self.rollback_command(old)}` rolls the cluster "
            "back, nodes first. The contents of etcd, workloads and add-ons are not rolled back"
        )
