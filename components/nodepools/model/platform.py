"""The platform: all clusters of one environment."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

from pydantic import Discriminator, Field

from nodepools.model.base import Model
from nodepools.model.derive import derive
from nodepools.model.kubernetes.label import POOL_LABEL
from nodepools.model.kubernetes.taint import Taint
from nodepools.model.maintenance import MaybeWindow
from nodepools.model.per_cloud import AnyCluster, DeclaredPool
from nodepools.model.ref import KNOWN


class Platform(Model):
    """All clusters of one environment."""

    whole: ClassVar[bool] = True

    name: str = Field(pattern=r"^[a-z][a-z0-9-]{0,29}$")
    """Begins the name of everything that is made; the name of the Pulumi stack too. Up to 30 lower-case letters, digits, hyphens."""
    environment: str | None = None
    """Value of the tag `environment`; `name` when left out."""
    clusters: Mapping[str, Annotated[AnyCluster, Discriminator("kind"), KNOWN]] = Field(min_length=1)
    """Clusters by key."""
    tags: Mapping[str, str] = {}
    """Tags of all resources of all clusters."""
    maintenance: MaybeWindow = None
    """When clouds and Karpenter may touch the clusters of their own accord. The nearest wins: a cluster, or a NodePool, may have its own."""
    must_fit: Sequence[Mapping[str, object]] = ()
    """Kubernetes objects (Pod, Deployment, Job, …) as plain data: each can land on some pool, or nothing is registered."""

    def stem(self, cluster: str) -> str:
        """What the name of every resource of a cluster begins with."""
        return f"{self.name}-{cluster}"

    def cluster_tags(self, cluster: str) -> dict[str, str]:
        """Tags of every resource of a cluster; the cluster's own win over the platform's."""
        named = {"platform": self.name, "cluster": cluster, "environment": self.environment if self.environment is not None else self.name}
        return {**named, **self.tags, **self.clusters[cluster].tags}

    def cluster(self, key: str) -> AnyCluster:
        """A cluster as it is deployed: with the tags of the platform, and its window where the cluster has none."""
        declared = self.clusters[key]
        window = declared.maintenance if declared.maintenance is not None else self.maintenance
        return derive(declared, tags=self.cluster_tags(key), maintenance=window)

    def pools(self) -> Iterator["PoolRef"]:
        """Every declared pool, where it stands; built-in ones of the clouds are not among them."""
        for key, cluster in self.clusters.items():
            yield from (PoolRef(key, name, pool) for _, name, pool in cluster.declared_pools())

    def pool(self, address: str) -> "PoolRef":
        """The pool at `cluster/pool`, or at `pool` alone where only one has that name.

        Raises:
            KeyError: none is there, or several are; the message lists what there is.
        """
        found = [pool for pool in self.pools() if address in (str(pool), pool.name)]
        if len(found) == 1:
            return found[0]
        listed = ", ".join(str(pool) for pool in (found or self.pools()))
        msg = f"{len(found)} pools are called {address!r}: write one of {listed}" if found else f"no pool {address!r}: there are {listed}"
        raise KeyError(msg)


@dataclass(frozen=True, slots=True)
class PoolRef:
    """A pool where it stands."""

    cluster: str
    name: str
    declared: DeclaredPool

    def scheduling(self) -> dict[str, object]:
        """What a pod spec needs to land here and nowhere else: `nodeSelector` and `tolerations`, as plain data."""
        return {"nodeSelector": {POOL_LABEL: self.name}, "tolerations": [taint.toleration() for taint in self.taints]}

    @property
    def taints(self) -> tuple[Taint, ...]:
        """All taints of its nodes."""
        return self.declared.node_taints

    def __str__(self) -> str:
        return f"{self.cluster}/{self.name}"
