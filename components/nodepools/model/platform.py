"""The platform: all clusters of one environment, the cluster classes of all clouds, and the fields of a pod spec that schedule it on pools."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, ClassVar, Literal, TypeAlias, TypeVar, cast

from pydantic import Discriminator, Field

from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.base import Model
from nodepools.model.derive import derive
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.karpenter import NodePool
from nodepools.model.kubernetes.label import POOL_LABEL, Taint
from nodepools.model.maintenance import MaybeWindow
from nodepools.model.ref import KNOWN
from nodepools.model.unknowns import assembled
from nodepools.model.values import dataclass

AnyCluster: TypeAlias = AksClusterArgs | EksClusterArgs
"""Every one has the properties `node_pools`, `node_classes`, `built_in_node_pools`, `takes_ordinary_pods` and `declared_pools()`."""
DeclaredPool: TypeAlias = AgentPool | NodePool


T = TypeVar("T")


class Team(Model):
    """What the pools of one owner can have together in a platform. `check` warns about more, and about what has no maximum (PLT070)."""

    nodes: int | None = Field(default=None, ge=0)
    """Most nodes. Default: any number."""
    vcpus: int | None = Field(default=None, ge=0)
    """Most vCPUs. Default: any number."""
    monthly: float | None = Field(default=None, ge=0)
    """Highest maximum of `nodepools cost` with its own prices, in USD per month. Default: any."""
    approvers: Sequence[Annotated[str, Field(min_length=1)]] = ()
    """Whose approval edits of its pools need, such as `@acme/shop`: `diff` names them. Default: the owner itself."""


class Owners(Model):
    """What is required of owners, and where their names are sent."""

    required: bool = False
    """Whether each pool must have an owner, its own or that of its cluster (PLT069)."""
    teams: Mapping[str, Team] = {}
    """Owners by name. If there are any, another owner is a warning (PLT071)."""
    label: str | None = Field(default=None, min_length=1, max_length=317)
    """Key of a label of all nodes of a pool, with its owner as the value, such as `example.com/owner`. A change is in place for agent pools, and
    replaces the nodes of NodePools. Default: not sent. A label with this key in `labels` of a pool takes precedence."""
    tag: str | None = Field(default=None, min_length=1, max_length=128)
    """Key of a tag: agent pools get their owner, all other resources of a cluster that of the cluster. A change is in place, except for nodes of EKS
    NodeClasses. Default: not sent."""


class Platform(Model):
    """All clusters of one environment."""

    whole: ClassVar[bool] = True

    name: str = Field(pattern=r"^[a-z][a-z0-9-]{0,29}$")
    """Prefix of the names of all resources, and name of the Pulumi stack. At most 30 lowercase letters, digits and hyphens."""
    environment: str | None = None
    """Value of the tag `environment`. Default: `name`."""
    clusters: Mapping[str, Annotated[AnyCluster, Discriminator("kind"), KNOWN]] = Field(min_length=1)
    """Clusters by key."""
    tags: Mapping[str, str] = {}
    """Tags of all resources of all clusters."""
    standard_tags: bool = True
    """Whether resources also get the tags `platform`, `cluster` and `environment`. A change is in place, except for nodes of EKS NodeClasses."""
    maintenance: MaybeWindow = None
    """When clouds and Karpenter can upgrade clusters and replace nodes. A cluster or a NodePool can have its own window, which takes precedence."""
    protect: bool = True
    """Whether Pulumi rejects deletion and replacement of clusters, and of the resource groups and networks that are created for them. A cluster can
    have its own setting. Turn it off for environments that are deleted: `pulumi up` with `protect=False` first, then `pulumi destroy`."""
    baseline: Literal["none", "cis"] = "none"
    """Whether `check` warns about the controls of the CIS benchmarks that a cluster leaves open (docs/security-baseline.md). It changes no default
    and no resource."""
    must_fit: Sequence[Mapping[str, object]] = ()
    """Kubernetes objects (Pod, Deployment, Job, …) as plain data. If one of them fits no pool, deployment fails before any resource is registered."""
    owners: Owners = Owners()
    """What is required of the owners of clusters and pools, and where their names are sent. Default: nothing, and nowhere."""

    def stem(self, cluster: str) -> str:
        """Prefix of the names of all resources of a cluster."""
        return f"{self.name}-{cluster}"

    def cluster_tags(self, cluster: str) -> dict[str, str]:
        """Tags of every resource of a cluster. Tags of the cluster override those of the platform."""
        return {**self.default_tags(cluster), **self._sent(self.owners.tag, self.clusters[cluster].owner), **self.clusters[cluster].tags}

    def default_tags(self, cluster: str) -> dict[str, str]:
        """Tags that every resource of a cluster gets from the platform."""
        named = {"platform": self.name, "cluster": cluster, "environment": self.environment if self.environment is not None else self.name}
        return {**(named if self.standard_tags else {}), **self.tags}

    def cluster(self, key: str) -> AnyCluster:
        """A cluster as it is deployed: with the tags of the platform, and with its maintenance window and protection if the cluster has none."""
        declared = self.owned(key)
        window = declared.maintenance if declared.maintenance is not None else self.maintenance
        return derive(declared, tags=self.cluster_tags(key), maintenance=window, protect=self.protects(declared))

    def owned(self, key: str) -> AnyCluster:
        """A cluster with the labels and tags of its pools that name their owners: itself, if there are none."""
        declared = self.clusters[key]
        if self.owners.label is None and self.owners.tag is None:
            return declared
        changes: dict[str, object] = {}
        for steps, _, pool in declared.declared_pools():
            owner = pool.owner if pool.owner is not None else declared.owner
            sent: dict[str, object] = {"labels": {**self._sent(self.owners.label, owner), **pool.labels}}
            if isinstance(pool, AgentPool):
                sent["tags"] = {**self._sent(self.owners.tag, pool.owner), **pool.tags}
            changed = {name: value for name, value in sent.items() if value != getattr(pool, name)}
            if changed:
                place = changes
                for step in map(str, steps):
                    place = cast("dict[str, object]", place.setdefault(step, {}))
                place.update(changed)
        return derive(declared, changes) if changes else declared

    @staticmethod
    def _sent(key: str | None, owner: str | None) -> dict[str, str]:
        return {key: owner} if key is not None and owner is not None else {}

    @property
    def sent(self) -> "Platform":
        """With the labels and tags that name owners on clusters and pools, which are not validated again: itself, if none is sent."""
        tag = self.owners.tag
        clusters = {
            key: assembled(self.owned(key), tags={**self._sent(tag, one.owner), **one.tags}) if self._sent(tag, one.owner) else self.owned(key)
            for key, one in self.clusters.items()
        }
        return self if clusters == dict(self.clusters) else assembled(self, clusters=clusters)

    def owners_by_place(self) -> dict[str, str | None]:
        """The owner of each `cluster`, and of each declared pool `cluster/pool`: its own, or that of its cluster."""
        clusters = {key: cluster.owner for key, cluster in self.clusters.items()}
        pools = {str(pool): pool.declared.owner if pool.declared.owner is not None else clusters[pool.cluster] for pool in self.pools()}
        return {**clusters, **pools}

    def by_owner(self, found: Iterable[T], address: Callable[[T], str]) -> dict[str | None, list[T]]:
        """What has the address of a pool, by owner: in alphabetical order, what has none last. Built-in NodePools have the owner of the cluster."""
        owners, owned = self.owners_by_place(), dict[str | None, list[T]]()
        for one in found:
            pool = address(one).partition(" ")[0]
            owned.setdefault(owners.get(pool, owners[pool.partition("/")[0]]), []).append(one)
        return dict(sorted(owned.items(), key=lambda pair: (pair[0] is None, pair[0])))

    @property
    def has_owners(self) -> bool:
        """Any cluster or pool has an owner."""
        return any(owner is not None for owner in self.owners_by_place().values())

    def protects(self, cluster: AnyCluster) -> bool:
        """Whether Pulumi protects `cluster`: its own setting, or that of the platform."""
        return cluster.protect if cluster.protect is not None else self.protect

    def pools(self) -> Iterator["PoolRef"]:
        """Every declared pool with its cluster; built-in NodePools are not included."""
        for key, cluster in self.clusters.items():
            yield from (PoolRef(key, name, pool) for _, name, pool in cluster.declared_pools())

    def pool(self, address: str) -> "PoolRef":
        """The pool `cluster/pool`, or `pool` alone if its name is unique.

        Raises:
            KeyError: no pool or several pools have that name; the message lists the pools.
        """
        found = [pool for pool in self.pools() if address in (str(pool), pool.name)]
        if len(found) == 1:
            return found[0]
        listed = ", ".join(str(pool) for pool in (found or self.pools()))
        msg = f"{len(found)} pools are named {address!r}: use one of {listed}" if found else f"pool {address!r} not found (available: {listed})"
        raise KeyError(msg)


@dataclass(frozen=True, slots=True)
class PoolRef:
    """A pool and the cluster that declares it."""

    cluster: str
    name: str
    declared: DeclaredPool

    def scheduling(self) -> dict[str, object]:
        """The fields of a pod spec that schedule it on this pool only: `nodeSelector` and `tolerations`, as plain data."""
        return {"nodeSelector": self.declared.selecting_label(self.name), "tolerations": [taint.toleration() for taint in self.taints]}

    @property
    def taints(self) -> tuple[Taint, ...]:
        """All taints of its nodes."""
        return self.declared.node_taints

    def __str__(self) -> str:
        return f"{self.cluster}/{self.name}"


_HEAVIEST, _STEP = 100, 10
_OVER: Mapping[str, str] = {"zone": "topology.kubernetes.io/zone", "node": "kubernetes.io/hostname", "capacity": "karpenter.sh/capacity-type"}


def scheduling(*, prefer: Sequence[PoolRef], otherwise: PoolRef | None = None) -> dict[str, object]:
    """Node affinity and tolerations for the first pool of `prefer` that has capacity, and for `otherwise` if none has: `affinity` and `tolerations`.

    >>> pod = scheduling(prefer=[load("dev").pool("weu/batch")])
    >>> sorted(pod)
    ['affinity', 'tolerations']

    Raises:
        ValueError: no pool is given, or pools of several clusters are: a pod runs in one cluster.
    """
    pools = [*prefer, *([otherwise] if otherwise is not None else [])]
    if len({pool.cluster for pool in pools}) != 1:
        listed = ", ".join(str(pool) for pool in pools)
        raise ValueError(f"name pools of one cluster, not {listed}" if pools else "name a pool")
    names = list(dict.fromkeys(pool.name for pool in pools))
    preferred = [
        {"weight": max(_HEAVIEST - _STEP * place, 1), "preference": {"matchExpressions": [_named([pool.name])]}} for place, pool in enumerate(prefer)
    ]
    node_affinity: dict[str, object] = {
        "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchExpressions": [_named(names)]}]},
        **({"preferredDuringSchedulingIgnoredDuringExecution": preferred} if len(names) > 1 else {}),
    }
    taints: dict[Taint, None] = dict.fromkeys(taint for pool in pools for taint in pool.taints)
    return {"affinity": {"nodeAffinity": node_affinity}, "tolerations": [taint.toleration() for taint in taints]}


def spread(
    labels: Mapping[str, str], *, over: Sequence[Literal["zone", "node", "capacity"]] = ("zone",), skew: int = 1, hard: bool = False
) -> dict[str, object]:
    """Spreads the pods with `labels` evenly: `topologySpreadConstraints`.

    With `hard`, a pod that would exceed the `skew` stays Pending; otherwise even spreading is only preferred.

    >>> [constraint] = spread({"app": "web"})["topologySpreadConstraints"]
    >>> constraint["topologyKey"], constraint["whenUnsatisfiable"]
    ('topology.kubernetes.io/zone', 'ScheduleAnyway')
    """
    when = "DoNotSchedule" if hard else "ScheduleAnyway"
    return {
        "topologySpreadConstraints": [
            {"maxSkew": skew, "topologyKey": _OVER[key], "whenUnsatisfiable": when, "labelSelector": {"matchLabels": dict(labels)}} for key in over
        ]
    }


def beside_namesake(address: str) -> str:
    """The address of a NodePool next to an agent pool, a node group or a node of its name: `weu/nodepool/web`."""
    return "/".join((*address.split("/")[:-1], "nodepool", address.rpartition("/")[2]))


def _named(names: Sequence[str]) -> dict[str, object]:
    return {"key": POOL_LABEL, "operator": "In", "values": list(names)}
