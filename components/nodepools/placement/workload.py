"""What is asked about: a pod, or what makes pods."""

from dataclasses import dataclass

from nodepools.model.kubernetes.pod import Pod


@dataclass(frozen=True, slots=True)
class Workload:
    """A named shape of pods."""

    name: str
    namespace: str
    kind: str
    pod: Pod
    replicas: int | None = 1
    """How many pods it makes; `None`: one a node, or as many as there is work."""

    @property
    def is_daemon(self) -> bool:
        """It has a pod on every node that can host one."""
        return self.kind == "DaemonSet"
