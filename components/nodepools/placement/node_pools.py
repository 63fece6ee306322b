"""The pools of one cluster as placement sees them.

A NodePool as Karpenter sees it: labels, taints, instance types and limits of the nodes it can launch. Facts: docs/facts/eks.md § 4.2, § 4.5.
"""

from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from nodepools.model.karpenter import NodePool, Requirement
from nodepools.model.kubernetes.duration import NEVER
from nodepools.model.kubernetes.label import Operator, Requirements, Taint, Values, current_label, is_key, is_value
from nodepools.model.kubernetes.pod import Expression, thousandths
from nodepools.model.kubernetes.raw_fields import entries, text
from nodepools.model.kubernetes.volumes import VolumeClass
from nodepools.model.maintenance import BudgetNodes
from nodepools.model.platform import DeclaredPool, beside_namesake
from nodepools.model.steps import mapping, sequence
from nodepools.model.values import dataclass, field, replace
from nodepools.placement.allocatable import DEVICES, spelled
from nodepools.placement.cloud_labels import COMPUTE_TYPE, OS, POOL, TYPE_KEYS, Cloud, LabelValues, OfClass
from nodepools.placement.machine_index import LEAST_OF_A_MACHINE, UNKNOWN_AMOUNT, Bounds, Machine, Split
from nodepools.placement.static_pools import StaticPool
from nodepools.placement.verdict import Reason, Verdict
from nodepools.placement.workloads.workload import Hold, Workload

if TYPE_CHECKING:
    from nodepools.placement.workloads.pod_requirements import RequirementSet


_LARGEST: Final = {"cpu": thousandths(16, "cpu"), "memory": thousandths("120Gi", "memory")}
_OF_FARGATE: Final = {"kubernetes.io/arch": "amd64", OS: "linux", COMPUTE_TYPE: "fargate"}
_ACCELERATORS: Final = ("nvidia.com/", "amd.com/", "aws.amazon.com/neuron", "habana.ai/")
_OF_CONTROLLERS: Final = (
    *("pod-template-hash", "controller-revision-hash", "controller-uid", "job-name", "statefulset.kubernetes.io/pod-name"),
    *("apps.kubernetes.io/pod-index", *(f"batch.kubernetes.io/{name}" for name in ("controller-uid", "job-name", "job-completion-index"))),
)
"""Labels of pods that are not in their template."""


class FargateSelector(NamedTuple):
    """The pods that a Fargate profile selects, with `*` and `?` for any characters.

    Sources: https://docs.aws.amazon.com/eks/latest/userguide/fargate.html, fargate-profile.html, fargate-pod-configuration.html (2026-11).
    """

    namespace: str = "*"
    labels: Mapping[str, str] = {}
    profile: str = ""
    """The name of an active profile."""

    @classmethod
    def read(cls, raw: Mapping[str, object], profile: str = "") -> "FargateSelector":
        """Reads a selector of a profile, as `aws eks` prints it."""
        labels = {key: text(word, key) for key, word in mapping(raw.get("labels")).items()}
        return cls(text(raw.get("namespace"), "namespace"), labels, profile)

    @classmethod
    def of_profile(cls, raw: Mapping[str, object]) -> "list[FargateSelector]":
        """Reads those of a profile."""
        name = text(raw.get("fargateProfileName"), "fargateProfileName") if raw.get("status") == "ACTIVE" else ""
        return [cls.read(one, name) for one in entries(raw, "selectors")]

    def may_run(self, workload: Workload) -> bool:
        """False if it is certain that no pod of the workload runs on Fargate."""
        pod, template = workload.pod, mapping(workload.template)
        spec, labels = mapping(template.get("spec")), mapping(mapping(template.get("metadata")).get("labels"))
        containers = [mapping(one) for name in ("containers", "initContainers") for one in sequence(spec.get(name))]
        privileged = any(mapping(one.get("securityContext")).get("privileged") is True for one in containers)
        others = any(amount > _LARGEST.get(name, amount) or name.startswith(_ACCELERATORS) for name, amount in pod.requests)
        excluded = all(any(not one.matches(_OF_FARGATE.get(one.key)) for one in way if one.key in _OF_FARGATE) for way in pod.ways)
        if workload.is_daemon or privileged or others or excluded or pod.host_ports or spec.get("hostNetwork") is True:
            return False
        if workload.template is None:  # the labels of a pod that runs are not known
            return fnmatchcase(workload.namespace, self.namespace)
        return fnmatchcase(workload.namespace, self.namespace) and all(
            any(fnmatchcase(own, key) and fnmatchcase(str(labels[own]), value) for own in labels)
            or any(fnmatchcase(own, key) for own in _OF_CONTROLLERS)
            for key, value in self.labels.items()
        )


def selects_fargate(workload: Workload) -> bool:
    """Its pods select the nodes of Fargate, which no pool has."""
    return any(one.key == COMPUTE_TYPE and one.operator == "In" and "fargate" in one.values for one in workload.pod.required_labels)


def excludes_auto_mode(required: Expression) -> bool:
    """It keeps pods off the nodes of Auto Mode, as EKS advises for what Auto Mode has itself, and lets them run on others."""
    return required.key == COMPUTE_TYPE and required.matches(None) and not required.matches("auto")


class OfLabels(NamedTuple):
    """The part of a verdict that does not depend on instance types."""

    reasons: tuple[Reason, ...]
    rest: "RequirementSet"
    """The requirements without those that no node satisfies: what instance types must satisfy in any case."""


@dataclass(frozen=True, eq=False)
class KarpenterPool:
    """A NodePool of a cluster."""

    address: str
    name: str
    cloud: Cloud = field(repr=False)
    pool: NodePool
    labels: Mapping[str, str]
    """Labels of the node template."""
    own: Mapping[str, str] = field(default_factory=dict[str, str])
    """Labels that Karpenter adds, such as the name of the node class."""
    choices: Mapping[str, LabelValues] = field(default_factory=dict[str, LabelValues], repr=False)
    disk: Bounds = UNKNOWN_AMOUNT
    also: tuple[Requirement, ...] = ()
    """Requirements that follow from the node class."""
    excluded: frozenset[str] = frozenset()
    """Instance types that the node class excludes."""
    used: Mapping[str, int] = field(default_factory=dict[str, int])
    """At least so much of the limits, in thousandths, is taken by nodes that run."""
    reported: Mapping[str, int] = field(default_factory=dict[str, int])
    """What its status counts of its nodes, those that have not registered yet too; empty: not known."""
    hides_nodes: bool = False
    """Nodes run, as its status reports, and were not read: pods may have room there that is not known."""
    assumed: tuple[str, ...] = ()
    """What its object does not say, or says in a way that the API server rejects, and how it is read."""
    unread: tuple[str, ...] = ()
    """Its fields that are not known here, with what happens to them: it is not certain that pods fit."""
    unsized: str = ""
    """Why it is not known how much of a node is left for pods; empty: it is known between bounds."""
    known: dict["RequirementSet", OfLabels] = field(default_factory=dict["RequirementSet", OfLabels], repr=False)
    """Cache of what does not depend on instance types."""
    typed: dict["RequirementSet", Split] = field(init=False, default_factory=dict["RequirementSet", Split], repr=False)
    """Cache of the instance types that have the required labels; not copied: what is left of the limits decides too."""

    @property
    def weight(self) -> int:
        """The declared weight (default: 0)."""
        return self.pool.weight if self.pool.weight is not None else 0

    @property
    def taints(self) -> tuple[Taint, ...]:
        """The taints that pods must tolerate: startup taints are removed before pods are scheduled."""
        return tuple(self.pool.taints)

    @cached_property
    def expires_anyway(self) -> str:
        """The age at which Karpenter drains its nodes, whatever its budgets, if one of these allows no node at some time; empty: neither."""
        holds = any(BudgetNodes(budget.nodes).is_none for budget in self.pool.disruption.applied_budgets)
        return self.pool.expires_after if holds and self.pool.expires_after != NEVER else ""

    @cached_property
    def flaw(self) -> str:
        """Why Karpenter rejects what the API server accepts (KAR030 to KAR033); empty: it does not, as far as is known here."""
        never = "the NodePool never becomes ready, and launches no node"
        taints = (*self.pool.taints, *self.pool.startup_taints)
        twice = next(
            (taint for index, taint in enumerate(taints) if any((taint.key, taint.effect) == (other.key, other.effect) for other in taints[:index])),
            None,
        )
        if twice is not None:
            return f"{never}: two of its taints have the key `{twice.key}` and the effect `{twice.effect}`"
        keys = {*self.labels, *(requirement.key for requirement in self.pool.requirements), *(taint.key for taint in taints)}
        values = {
            *self.labels.values(),
            *(value for requirement in self.pool.requirements for value in requirement.values),
            *(taint.value for taint in taints),
        }
        wrong = sorted([key for key in keys if not is_key(key)] + [value for value in values if not is_value(value)])
        return f"{never}: `{wrong[0]}` is not a valid label key or value" if wrong else ""

    @property
    def system(self) -> str:
        """Operating system of its nodes; empty if unknown."""
        if OS not in self.choices:
            return "linux"
        possible = [name for name in ("linux", "windows") if name in self.offered.get(OS, Values())]
        named = [name for name in possible if self.choices[OS].verdict(Values.of(Operator.IN, [name])) is not Verdict.CANNOT]
        return named[0] if len(named) == 1 else ""

    @property
    def machines(self) -> tuple[Machine, ...]:
        """The machine types that it may launch, for whichever pods."""
        return self.cloud.index.taken(self.affordable.possible)

    @property
    def order(self) -> tuple[int, list[int]]:
        """The sort key among NodePools: higher weight first; of equal weights, the last name."""
        return -self.weight, [-ord(letter) for letter in self.name] + [1]

    @cached_property
    def offered(self) -> Requirements:
        """The values of its nodes, by label."""
        offered = self._asked
        for key, values in self._given():
            offered = offered.merged({key: values})
        return offered

    @cached_property
    def _asked(self) -> Requirements:
        """What its requirements and labels say of its nodes."""
        return self.pool.asked(self.labels)

    def _given(self) -> Iterator[tuple[str, Values]]:
        """What is also certain of its nodes."""
        yield from ((requirement.label, requirement.allowed) for requirement in self.also)
        labels = {POOL: self.name, "karpenter.sh/registered": "true", "karpenter.sh/initialized": "true", **self.own}
        yield from ((current_label(key), Values.of(Operator.IN, [value])) for key, value in labels.items())

    @cached_property
    def excluded_labels(self) -> list[str]:
        """The labels that every node has, or never has, otherwise than its requirements and labels say: with one, it launches no node."""
        asked, decided = self._asked, self.cloud.decided
        given = [(key, values) for key, values in self._given() if key in decided and key in asked]
        return [key for key, values in given if not asked[key].overlaps(values) and not (asked[key].permits_absence and values.permits_absence)]

    @cached_property
    def least_values(self) -> Mapping[str, int]:
        """The number of values of a label that must remain (`minValues`)."""
        least: dict[str, int] = {}
        for requirement in self.pool.requirements:
            if requirement.min_values is not None:
                key = current_label(requirement.key)
                least[key] = max(least.get(key, 0), requirement.min_values)
        return least

    @cached_property
    def types(self) -> Split:
        """The types that its requirements allow; none is certain if they require a label that the tables do not have."""
        found = self.cloud.index.admitted((key, values) for key, values in self.offered.items() if self.cloud.of_types(key))
        return found & self.cloud.index.admitting(TYPE_KEYS[0], Values(self.excluded)) if self.excluded else found

    @cached_property
    def has_devices(self) -> bool:
        """Each of its nodes has an accelerator."""
        types = self.affordable.possible
        return bool(types) and any(self.cloud.index.fewest(resource, types, 1) for resource in DEVICES)

    @cached_property
    def limits(self) -> Mapping[str, int]:
        """What is left of the limits of all its nodes together, at most, in thousandths."""
        return {resource: max(limit - self.used.get(resource, 0), 0) for resource, limit in self._declared_limits()}

    @property
    def emptied(self) -> "KarpenterPool":
        """The NodePool as if none of its limits were used, where its nodes were not read: it cannot have more room."""
        return replace(self, used={}, hides_nodes=False) if self.hides_nodes else self

    @property
    def is_off(self) -> bool:
        """No machine is small enough for what is left of its limits."""
        return any(limit < LEAST_OF_A_MACHINE.get(resource, 0) for resource, limit in self.limits.items())

    @cached_property
    def limits_text(self) -> str:
        """The declared limits for people, with what is used of them."""
        return ", ".join(self._limit_text(resource, limit) for resource, limit in self._declared_limits())

    @property
    def standing(self) -> int | None:
        """The nodes that a static NodePool has: `replicas`, within the declared limit on nodes; `None`: it is not static."""
        most = dict(self._declared_limits()).get("nodes")
        return self.pool.replicas if self.pool.replicas is None or most is None else min(self.pool.replicas, most // 1000)

    def _declared_limits(self) -> Iterator[tuple[str, int]]:
        return ((resource, thousandths(quantity, resource)) for resource, quantity in self.pool.limits.items())

    def _limit_text(self, resource: str, limit: int) -> str:
        used = self.used.get(resource, 0)
        return f"{resource} {spelled(resource, limit)}" + (f", {spelled(resource, used)} of it used" if used else "")

    def settles(self, key: str, required: Values) -> bool:
        """The pool itself sets the label to an allowed value, for every instance type."""
        offered = self.offered.get(key)
        return (
            not self.cloud.index.knows(key) and offered is not None and not offered.complement and all(value in required for value in offered.members)
        )

    @cached_property
    def affordable(self) -> Split:
        """The allowed types of which at least one node is within the limits."""
        found = self.types
        for resource, limit in self.limits.items():
            if resource != "nodes":
                found &= self.cloud.index.within(resource, limit)
        return found


_DECIDING: Final = frozenset(
    {"template", "limits", "weight", "replicas", "node_labels", "node_taints", "node_initialization_taints", "vm_size", "availability_zones", "count"}
)
"""Fields of overrides that decide where pods can run."""


@dataclass(frozen=True)
class ClusterPools:
    """The pools of one cluster, which a pod of that cluster can be scheduled on."""

    cluster: str | None
    static: tuple[StaticPool, ...] = ()
    provisioned: tuple[KarpenterPool, ...] = ()
    overridden: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Overrides of pools that decide where pods can run, by address. Their values are not read."""
    classes: tuple[VolumeClass, ...] = ()
    """The storage classes that the cluster is certain to have."""
    unsure: Mapping[str, str] = field(default_factory=dict[str, str])
    """Why a pool is not certain to run more pods, by address."""
    emptied: tuple[StaticPool, ...] = ()
    """Pools that can have no further node: those that run are nodes of their own."""
    bound: tuple[Workload, ...] = ()
    """The pods that run, of a running cluster."""
    losing: frozenset[str] = frozenset()
    """The addresses of pools that have nodes in a zone whose machines have failed, or can have."""
    unread: bool = False
    """The cluster can have nodes of others, which were not read: no node, node group and agent pool was."""
    fargate: tuple[FargateSelector, ...] = ()
    """What its Fargate profiles select."""
    minor: int | None = None
    """The minor version of Kubernetes that is declared; `None`: not known."""
    adds_node_selectors: bool | None = None
    """The API server adds the node selector in an annotation of a Namespace to its pods (admission plugin PodNodeSelector); `None`: not known."""

    def __post_init__(self) -> None:
        """A NodePool has its own address next to a pool or a node of its name: what is known of a pool is found by its address."""
        static = {pool.address for pool in self.static}
        if not (new := {pool.address: beside_namesake(pool.address) for pool in self.provisioned if pool.address in static}):
            return
        object.__setattr__(self, "provisioned", tuple(replace(pool, address=new.get(pool.address, pool.address)) for pool in self.provisioned))
        for name, known in (("overridden", self.overridden), ("unsure", self.unsure)):
            object.__setattr__(self, name, {**known, **{new[address]: known[address] for address in new.keys() & known.keys()}})

    def others_may_run(self, workload: Workload) -> bool:
        """Nodes that were not read, or Fargate, may run pods of the workload."""
        selectors = self.fargate or ((FargateSelector(),) if selects_fargate(workload) else ())
        return self.unread or any(one.may_run(workload) for one in selectors)

    def beside_fargate(self, workload: Workload) -> Workload:
        """The workload, and the active profile that selects its pods: Fargate runs them then, and no node of a pool does."""
        profile = next((one.profile for one in self.fargate if one.profile and one.may_run(workload)), "")
        if not profile or workload.exists:
            return workload
        message = f"Fargate profile `{profile}` selects the pods: they run on Fargate, and not on these pools"
        return replace(workload, holds=(*workload.holds, Hold(message, "Change their labels or namespace, if a pool is to run them")))


def overridden(cluster: str, pools: Iterable[tuple[str, DeclaredPool]]) -> dict[str, tuple[str, ...]]:
    """The overrides that decide where pods can run, by the address of their pool; those of pools of one name together."""
    found: dict[str, tuple[str, ...]] = {}
    for key, pool in pools:
        if fields := tuple(name for name in pool.overrides if name in _DECIDING):
            found[f"{cluster}/{key}"] = (*found.get(f"{cluster}/{key}", ()), *fields)
    return found


def provisioned(
    address: str, cloud: Cloud, pool: NodePool, labels: Mapping[str, str], *, cluster: OfClass, choices: Mapping[str, LabelValues]
) -> KarpenterPool:
    """A NodePool with what its node class determines."""
    own, every = {**cluster.labels, **cloud.node_labels}, {**choices, **cluster.choices}
    name = address.rpartition("/")[2]
    return KarpenterPool(address, name, cloud, pool, labels, own, every, cluster.disk, cluster.requirements, cluster.excluded)
