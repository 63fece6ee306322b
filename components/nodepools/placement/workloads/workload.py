"""A pod, or an object that creates pods."""

from collections.abc import Mapping

from nodepools.model.kubernetes.admission_objects import PodGroup
from nodepools.model.kubernetes.pod import Pod, Requests
from nodepools.model.kubernetes.pod_lifecycle import NO_LIFECYCLE, Lifecycle
from nodepools.model.kubernetes.topology import PodTopology
from nodepools.model.values import dataclass, field


@dataclass(frozen=True, slots=True)
class Controller:
    """What creates the pods of a running cluster."""

    kind: str
    name: str
    certain: bool = True


@dataclass(frozen=True, slots=True)
class Hold:
    """What keeps pods from being created or scheduled, on whichever pool."""

    message: str
    fix: str = ""
    maximum: int | None = None
    """How many pods it allows for certain; `None`: what decides it is not known here."""
    minimum: int = 0
    group: tuple[str, PodGroup | None] | None = None
    """The name of the PodGroup that the pods are scheduled with, and this one if it is known."""
    share: tuple[str, int, int] | None = None
    """What the pods share with those of other workloads: the quota, what is left of it, and what each pod takes; 0: the workload takes one."""


@dataclass(frozen=True, slots=True)
class Resized:
    """The pods between whose requests a VerticalPodAutoscaler sets others."""

    lowest: Pod
    highest: Pod
    message: str


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
    """Ordinal of the first pod of a StatefulSet that is to be placed."""
    controllers: tuple[Controller, ...] = ()
    """What created an object of a running cluster, or may have created it."""
    template: Mapping[str, object] | None = field(default=None, compare=False, repr=False)
    """The pod, or the template of the pods, as it is written."""
    declared: int | None = None
    """The replicas that it declares, if an autoscaler sets others, or a cluster has others."""
    unnumbered: bool = False  # it does not write `replicas`
    running: int = 0
    """How many of its pods are bound to nodes already."""
    unsure: bool = False
    """Pods that may be its own are bound to nodes, and it is not certain that they are as it declares them."""

    resized: Resized | None = None
    """Its pods with other requests, if these are not those that it declares."""
    overhead: Requests = ()
    """What a pod needs besides what it requests itself, because of its RuntimeClass."""
    floor: Requests = ()
    """What a pod must request itself, because of LimitRanges."""
    imposed: frozenset[str] = frozenset()
    """The labels that a Namespace or a RuntimeClass has the pods select: no change of the pods removes them."""
    holds: tuple[Hold, ...] = ()
    suspended: int = 0
    """How many pods it creates when it is resumed, and none before; 0: it is not suspended."""
    uncounted: bool = False
    """Only a controller that is not known here knows how many pods it creates, and through which objects."""
    exists: bool = False
    """It is a pod of a cluster: the API server has accepted it."""
    ends: bool = False
    """It is a pod that is being deleted, or that a rollout replaces."""
    devices: str = ""
    """The name under which nodes offer the devices that its pods claim; empty: they claim none."""
    place: str = field(default="", compare=False)
    """The file and line where it is written; empty if it is not in a file."""
    has_namesake: bool = field(default=False, compare=False)
    """Another workload of this name is explained with it, in another namespace."""

    @property
    def shown(self) -> str:
        """The name in texts: `api`, or `blue/api` next to an `api` of another namespace."""
        return f"{self.namespace}/{self.name}" if self.has_namesake else self.name

    @property
    def subject(self) -> str:
        """The kind and the name in texts: `Deployment/api`, `blue/Deployment/api`."""
        return f"{self.namespace}/{self.kind}/{self.name}" if self.has_namesake else f"{self.kind}/{self.name}"

    @property
    def identity(self) -> tuple[str, str, str, int]:
        """The same for the workload of the input and for what a cluster makes of it."""
        return self.kind, self.namespace, self.name, id(self.template)

    @property
    def has_unknown_replicas(self) -> bool:
        """Its object does not say how many pods there are, as a Rollout of Argo does."""
        return self.uncounted and self.kind != "Rollout"

    @property
    def unplaced(self) -> int | None:
        """How many pods are to be placed in addition to those that run; `None`: one per node."""
        return None if self.replicas is None else max(self.replicas - self.running, 0)

    @property
    def is_daemon(self) -> bool:
        """The workload runs one pod on every node that the pod fits."""
        return self.kind == "DaemonSet"
