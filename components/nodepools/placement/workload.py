"""A pod, or an object that creates pods."""

from dataclasses import dataclass, field

from nodepools.model.kubernetes.pod import Pod
from nodepools.model.kubernetes.pod_lifecycle import NO_LIFECYCLE, Lifecycle
from nodepools.model.kubernetes.topology import PodTopology


@dataclass(frozen=True, slots=True)
class Workload:
    """A name and the shape of its pods."""

    name: str
    namespace: str
    kind: str
    pod: Pod
    replicas: int | None = 1
    """How many pods it creates; `None`: one per node."""
    lifecycle: Lifecycle = NO_LIFECYCLE
    topology: PodTopology = field(default_factory=PodTopology)
    """How its pods depend on other pods."""
    ordered: bool = False
    """A pod is created only when the one before it is ready."""
    unschedulable: str = ""
    """Why kube-scheduler reports that a pod of a running cluster cannot be scheduled."""
    first: int = 0
    """Ordinal of the first pod of a StatefulSet."""

    @property
    def is_daemon(self) -> bool:
        """The workload runs one pod on every node that the pod fits."""
        return self.kind == "DaemonSet"
