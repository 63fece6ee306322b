"""What an edit does to a resource and to its nodes.

A resource is known as it is sent to Pulumi, with the table that knows the effect of a change of each argument, next to what the cloud has. Exported
NodeClaims tell which nodes drift because a node class selects other images or subnets. Source: karpenter-provider-aws 1.15, `isAMIDrifted` and
`isSubnetDrifted`. The labels of a NodeClaim have its zone, not its subnet.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Final, cast

from nodepools.clouds.amounts import NOTHING, Amount, exactly, total
from nodepools.data.karpenter_releases import KarpenterRelease
from nodepools.model.base import Model
from nodepools.model.platform import beside_namesake
from nodepools.model.redaction import redacted
from nodepools.model.ref import StackOutput, is_output
from nodepools.model.steps import Steps, mapping, sequence
from nodepools.model.values import dataclass, field
from nodepools.placement.cloud_labels import ZONE
from nodepools.wire.table import Effect, Table, Written

Pace = Mapping[str, object]
"""What limits how fast nodes are replaced, as JSON data."""


_FACTS: Final = re.compile(r"docs/facts/(?P<cloud>aks|eks)\.md")
"""Pages as the rows name them, and the site does not."""


class Address(str):
    """A step of a path that is printed as it is: the address of a resource in Terraform."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class ResourceName:
    """A resource in Pulumi."""

    type: str
    name: str

    def __str__(self) -> str:
        return f"{self.type.rpartition(':')[2]}/{self.name}"


@dataclass(frozen=True, slots=True)
class Change:
    """The effect of one edit."""

    at: str
    """The cluster or the pool: `weu`, `weu/web`."""
    steps: Steps
    """Path of the field in the declaration."""
    old: object
    """The value that is sent before the change, as plain data; secrets are removed."""
    new: object
    effect: Effect
    message: str
    """What happens and why, as one sentence."""
    source: str
    """Where the effect is documented: addresses, and pages of the site of this library."""
    resource: ResourceName
    nodes: Amount | None = None
    """The nodes that are replaced, removed or restarted; `None` if no node is."""
    extra_nodes: Amount | None = None
    """Nodes that exist in addition meanwhile."""
    pace: Pace | None = None
    pools: tuple[str, ...] = ()
    """The pools of these nodes, if `at` is not one."""

    def __post_init__(self) -> None:
        """Both values are plain data without secrets, and the source names pages as the site does."""
        for name in ("old", "new"):
            object.__setattr__(self, name, redacted(written_value(getattr(self, name)), self.steps))
        object.__setattr__(self, "source", _FACTS.sub(lambda found: f"Facts about the clouds ({found['cloud'].upper()})", self.source))

    @property
    def cluster(self) -> str | None:
        """The key of the cluster; `None` for an object of manifests, which do not name it."""
        cluster, found, _ = self.at.partition("/")
        return None if self._is_object and not found else cluster

    @property
    def pool(self) -> str | None:
        """The key of the pool in its cluster; `None` for what belongs to the cluster, and for node classes."""
        name = self.at if self.cluster is None else self.at.partition("/")[2]
        is_class = self._is_object and self.resource.type.endswith("NodeClass")
        return None if is_class or not name else name

    @property
    def _is_object(self) -> bool:
        return self.resource.type.startswith("kubernetes:")

    @property
    def path(self) -> str:
        """The path as text: `clusters.weu.pools.web.labels["x/y"]`."""
        return "".join(_step(step) for step in self.steps).removeprefix(".")

    def to_json(self) -> dict[str, object]:
        """The change as JSON data."""
        return {
            "cluster": self.cluster,
            "pool": self.pool,
            "path": self.path,
            "old": self.old,
            "new": self.new,
            "effect": self.effect.value,
            "nodes": self.nodes.to_json() if self.nodes is not None else None,
            "extra_nodes": self.extra_nodes.to_json() if self.extra_nodes is not None else None,
            "pace": dict(self.pace) if self.pace is not None else None,
            "message": self.message,
            "source": self.source,
            "resource": {"type": self.resource.type, "name": self.resource.name},
            "pools": list(self.pools),
        }


def worst_first(changes: Iterable[Change]) -> list[Change]:
    """Sorted by severity, then by place; of several changes by one edit, those with nodes first."""
    return sorted(changes, key=lambda change: (-change.effect.severity, change.at, change.path, change.nodes is None))


def summary(changes: Iterable[Change]) -> dict[str, int]:
    """The number of changes for each effect that occurs, from severe to harmless."""
    return dict(Counter(change.effect.value for change in worst_first(changes)))


def overlap(steps: Steps, place: Steps) -> bool:
    """One is inside the other, below a cluster."""
    shared = min(len(steps), len(place))
    return shared > len(("clusters", "weu")) and steps[:shared] == place[:shared]


def _step(step: str | int) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    if isinstance(step, Address):
        return f".{step}"
    return f".{step}" if step.replace("-", "").replace("_", "").isalnum() else f'["{step}"]'


OUTPUT = "output"
"""Stands for an output of a resource, whose value is not known here. All count as equal."""


def written_value(value: object) -> object:
    """A part of a declaration as plain data, with the fields that are not their defaults."""
    if is_output(value):
        return OUTPUT
    if isinstance(value, StackOutput):
        return str(value)
    if isinstance(value, Model):
        return _fields(value)
    if isinstance(value, Mapping):
        return {key: written_value(part) for key, part in cast("Mapping[str, object]", value).items()}
    return [written_value(part) for part in cast("Sequence[object]", value)] if isinstance(value, list | tuple) else value


def _fields(value: Model) -> dict[str, object]:
    held = ((name, getattr(value, name), field) for name, field in type(value).model_fields.items())
    return {name: written_value(part) for name, part, field in held if field.is_required() or part != field.get_default(call_default_factory=True)}


_IMAGES: Final = "amiSelectorTerms"
_SUBNETS: Final = "subnetSelectorTerms"
_STAYS: Final = NOTHING
_DRIFTS: Final = exactly(1)
_MAYBE: Final = Amount(0, 1)


@dataclass(frozen=True, slots=True)
class NodeClaim:
    """Karpenter's request for one node that exists."""

    labels: Mapping[str, str]
    image: str | None = None
    """The id of the image that its node was launched with."""


@dataclass(frozen=True, slots=True)
class ExistingSubnet:
    """A subnet of AWS."""

    zone: str
    tags: Mapping[str, str] = field(default_factory=dict[str, str])


def drifted_with_class(
    before: Mapping[str, object], after: Mapping[str, object], claims: Iterable[NodeClaim], subnets: Mapping[str, ExistingSubnet]
) -> Amount | None:
    """How many of the nodes of a node class drift because it selects other images or other subnets; `None` if the exports do not show that."""
    changed = [name for name in (_IMAGES, _SUBNETS) if before.get(name) != after.get(name)]
    if changed == [_IMAGES]:
        return _with_other_images(sequence(after.get(_IMAGES)), claims)
    if changed == [_SUBNETS]:
        return _with_other_subnets(_selected(before.get(_SUBNETS), subnets), _selected(after.get(_SUBNETS), subnets), claims, subnets)
    return None


def _with_other_images(terms: Sequence[object], claims: Iterable[NodeClaim]) -> Amount | None:
    """Terms that are ids say which images are selected; others, such as an alias, do not."""
    if any(set(mapping(term)) != {"id"} for term in terms):
        return None
    ids = {mapping(term)["id"] for term in terms}
    return total(_MAYBE if claim.image is None else _STAYS if claim.image in ids else _DRIFTS for claim in claims)


def _with_other_subnets(
    old: frozenset[str] | None, new: frozenset[str] | None, claims: Iterable[NodeClaim], subnets: Mapping[str, ExistingSubnet]
) -> Amount | None:
    """A node drifts for certain if no subnet of its zone is selected any more, and not if all of them still are."""
    if old is None or new is None:
        return None

    def one(claim: NodeClaim) -> Amount:
        zone = claim.labels.get(ZONE)
        first, second = ({name for name in side if subnets[name].zone == zone} for side in (old, new))
        if zone is None or not first:
            return _MAYBE
        return _STAYS if first <= second else _MAYBE if second else _DRIFTS

    return total(map(one, claims))


def _selected(terms: object, subnets: Mapping[str, ExistingSubnet]) -> frozenset[str] | None:
    """The ids of the subnets that terms select; `None` if a term names one that was not exported."""
    found: set[str] = set()
    for term in map(mapping, sequence(terms)):
        name, wanted = term.get("id"), mapping(term.get("tags"))
        if (name is not None and name not in subnets) or not (name is not None or wanted):
            return None
        found |= {key for key, subnet in subnets.items() if selects(term, key, subnet.tags)}
    return frozenset(found)


_PARTS: Final = re.compile(r"\\.|[*?]|[^*?\\]+|\\", re.DOTALL)
_WILDCARDS: Final = {"*": ".*", "?": ".?"}


def selects(term: Mapping[str, object], subnet: str, tags: Mapping[str, str]) -> bool:
    r"""The term selects a subnet with this id and these tags.

    Karpenter ignores the tags of a term that has an id, and passes tags to EC2 as filters: their values are patterns, in which `*` is any text, `?`
    is one character or none, and `\` takes the meaning from the next one. The value `*` alone selects each subnet that has the tag.
    Sources: karpenter-provider-aws 1.15, pkg/providers/subnet; https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/Using_Filtering.html (2026-11).
    """
    if term.get("id") is not None:
        return str(term["id"]).lower() == subnet
    wanted = mapping(term.get("tags"))
    return bool(wanted) and all(key in tags and _pattern(str(value)).fullmatch(tags[key]) is not None for key, value in wanted.items())


@cache
def _pattern(value: str) -> re.Pattern[str]:
    """A value of a filter as a regular expression."""
    parts = [_WILDCARDS.get(part) or re.escape(part[1:] if part.startswith("\\") and len(part) > 1 else part) for part in _PARTS.findall(value)]
    return re.compile("".join(parts), re.DOTALL)


Key = tuple[str, ...]
"""Identifies a resource on both sides: its cluster, its subject (`POOL`, `CLASS`, …), and its name."""

CLUSTER, POOL, CLASS = "cluster", "pool", "class"
SYSTEM_POOL = "system"
"""The key of the pool that is part of an AKS cluster."""
MAINTENANCE, NETWORK, SUBNET = "maintenance", "network", "subnet"
GROUP, MANAGED_IDENTITY = "resource group", "managed identity"
ENTRY, POLICY, IDENTITY, ADD_ON, LOGS = "access entry", "access policy", "pod identity", "add-on", "log group"
IDENTITY_PROVIDER, SECRETS_KEY = "identity provider", "key of secrets"

FIRST_POOL = "agent_pool_profiles"
"""The argument with the first system pool, in the provider's Python spelling."""
OWN_IDENTITY = "its identity"
"""Stands for the identity that is created for an AKS cluster."""
NEW_KEY = "a new key for "
"""Begins what stands for the KMS key that is created for an EKS cluster."""
AKS_CLUSTER = "azure-native:containerservice:ManagedCluster"
AGENT_POOL = "azure-native:containerservice:AgentPool"
EKS_CLUSTER = "aws:eks/cluster:Cluster"
NODE_GROUP = "aws:eks/nodeGroup:NodeGroup"
AZURE_NETWORK = "azure-native:network:VirtualNetwork"
NODE_POOL = "kubernetes:karpenter.sh/v1:NodePool"
AKS_NODE_CLASS = "kubernetes:karpenter.azure.com/v1beta1:AKSNodeClass"
EKS_NODE_CLASS = "kubernetes:eks.amazonaws.com/v1:NodeClass"
EC2_NODE_CLASS = "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass"


@dataclass(frozen=True, slots=True)
class Request:
    """One resource of a declaration or a plan."""

    key: Key
    at: str
    """The cluster or the pool: `weu`, `weu/web`."""
    steps: Steps
    """Path of the part in the declaration."""
    resource: ResourceName
    table: Table
    sent: Written
    """Its arguments in the API's spelling, without overrides of a provider's arguments."""
    kind: str = ""
    """Class of the part, for effects that depend on it."""
    needs: frozenset[Key] = frozenset()
    """What must exist before it."""
    overrides: Mapping[str, object] = field(default_factory=dict[str, object])
    """Arguments in the provider's Python spelling that replace those that are sent."""
    overrides_inside: Mapping[str, object] = field(default_factory=dict[str, object])
    """The same of the first system pool, which is part of its cluster."""
    overridden: Mapping[str, object] = field(default_factory=dict[str, object])
    """The part of `sent` that overrides decide, in the API's spelling."""
    retained: bool = False
    """Pulumi does not delete it when it is removed from the declaration."""
    karpenter: KarpenterRelease | None = None
    """The version of self-managed Karpenter that compares it; `None`: the newest that is known."""
    follows: bool = False
    """It changes only with another request or field, whose change is reported; the order has it."""
    is_registered: bool = True
    """Pulumi applies it; other tools apply the objects of a cluster with `apply="render"`."""
    is_manifest: bool = False
    """It is the `spec` of an object that is not declared: paths are those of the object."""
    decided_by: Mapping[str, Sequence[tuple[Steps, object]]] = field(default_factory=dict[str, Sequence[tuple[Steps, object]]])
    """The fields that determine an argument, each with its declared value, by the path of the argument: `vpcConfig.subnetIds`."""
    is_updated: bool = False
    """The plan of another tool updates it: no edit replaces it."""
    with_autoscaler: bool = False
    """It is an AKS cluster that declares that autoscaled agent pools are allowed next to node auto provisioning."""

    @property
    def every_override(self) -> Mapping[str, object]:
        """Its overrides, with those of the first system pool in their place."""
        return {FIRST_POOL: {"0": self.overrides_inside}, **self.overrides} if self.resource.type == AKS_CLUSTER else self.overrides

    @property
    def pool(self) -> str:
        """The name of its pool; that of the cluster itself is the first system pool."""
        return "/".join(self.key[2 : 3 if self.resource.type == NODE_POOL else None]) if self.subject == POOL else SYSTEM_POOL

    @property
    def agent_pool_name(self) -> str:
        """The name of an agent pool in Azure."""
        return str(self.sent.get("agentPoolName", self.resource.name.rpartition("-")[2]))

    @property
    def cluster(self) -> str:
        """The key of its cluster."""
        return self.key[0]

    @property
    def subject(self) -> str:
        """What it is: `POOL`, `CLASS`, …."""
        return self.key[1]


@dataclass(frozen=True, slots=True)
class Requests:
    """Everything that one side sends, in the order of registration."""

    all: tuple[Request, ...]
    built_in: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """NodePools that the cloud creates, by cluster."""
    running: Mapping[str, Mapping[str, int]] = field(default_factory=dict[str, Mapping[str, int]])
    """The nodes of each pool that run now, by cluster, those of NodePools as `nodepool/web`; only clusters whose nodes were exported."""

    claims: Mapping[str, Mapping[str, Sequence[NodeClaim]]] = field(default_factory=dict[str, Mapping[str, Sequence[NodeClaim]]])
    """The NodeClaims of each NodePool, by cluster; only clusters whose NodeClaims were exported."""
    subnets: Mapping[str, ExistingSubnet] = field(default_factory=dict[str, ExistingSubnet])
    """The subnets of AWS that were exported, by id."""

    def by_key(self) -> dict[Key, Request]:
        """Each request by its key."""
        return {request.key: request for request in self.all}

    def of(self, cluster: str, subject: str) -> list[Request]:
        """The requests of one subject in a cluster."""
        return [request for request in self.all if request.cluster == cluster and request.subject == subject]

    def running_in(self, cluster: str, pool: str, *, is_object: bool) -> int | None:
        """The number of nodes of a pool, or of a NodePool (`is_object`), that run now; `None` if it is not known."""
        return self.running[cluster].get(beside_namesake(pool) if is_object else pool, 0) if cluster in self.running else None

    def claims_in(self, cluster: str, pool: str) -> Sequence[NodeClaim] | None:
        """The NodeClaims of a NodePool; `None` if they are not known."""
        return self.claims[cluster].get(pool, ()) if cluster in self.claims else None

    def of_cluster(self, cluster: str) -> list[Request]:
        """All requests of a cluster."""
        return [request for request in self.all if request.cluster == cluster]


@dataclass(frozen=True, slots=True)
class Known:
    """What a declaration of a cluster has besides its requests."""

    group: str | None = None
    """Its resource group in Azure; `None` if only the program knows it."""
    inside: Mapping[str, object] = field(default_factory=dict[str, object])
    """The overrides of the pool inside of it."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """The resources of one cluster."""

    both: tuple[tuple[Request, Request], ...] = ()
    """What the cloud has, and what is declared."""
    undeclared: tuple[Request, ...] = ()
    """Only the cloud has them."""
    absent: tuple[Request, ...] = ()
    """They are declared, and the exports show that the cloud does not have them."""
    not_exported: tuple[Request, ...] = ()
    """They are declared, and the exports do not show whether the cloud has them."""


def joined(every: Iterable[Pairs]) -> Pairs:
    """All of them together."""
    every = list(every)
    return Pairs(
        tuple(pair for one in every for pair in one.both),
        tuple(request for one in every for request in one.undeclared),
        tuple(request for one in every for request in one.absent),
        tuple(request for one in every for request in one.not_exported),
    )
