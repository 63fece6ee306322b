"""The declaration of a toy cloud: one kind of pool. The test puts it into a copy of the library, as `nodepools.model.toy`."""

from collections.abc import Iterator, Mapping
from typing import Literal

from pydantic import Field

from nodepools.model.access import ApiServer
from nodepools.model.base import Model
from nodepools.model.karpenter import NodePool
from nodepools.model.kubernetes.label import Taint
from nodepools.model.maintenance import MaybeWindow
from nodepools.model.steps import Steps


class ToyPool(Model):
    """Nodes of one size."""

    size: str
    count: int = Field(default=1, ge=1)
    labels: Mapping[str, str] = {}
    owner: str | None = None
    overrides: Mapping[str, object] = {}
    node_taints: tuple[Taint, ...] = ()

    def selecting_label(self, key: str) -> dict[str, str]:
        return {"toy.example/pool": key}


class ToyNetwork(Model):
    """A network."""

    cidr: str | None = None


class ToyClusterArgs(Model):
    """A cluster: its pools, and what the rules about every cluster read."""

    kind: Literal["ToyCluster"] = "ToyCluster"
    place: str
    kubernetes_version: str = "1.35"
    pools: Mapping[str, ToyPool]
    network: ToyNetwork = ToyNetwork()
    api_server: ApiServer = ApiServer(private=True)
    apply: Literal["direct", "render"] = "direct"
    has_objects: bool = False
    takes_ordinary_pods: bool = True
    node_pools: Mapping[str, NodePool] = {}
    built_in_node_pools: tuple[str, ...] = ()
    maintenance: MaybeWindow = None
    protect: bool | None = None
    is_protected: bool = False
    accepted_errors: Mapping[str, str] = {}
    owner: str | None = None
    tags: Mapping[str, str] = {}
    overrides: Mapping[str, object] = {}

    def declared_pools(self) -> Iterator[tuple[Steps, str, ToyPool]]:
        yield from ((("pools", key), key, pool) for key, pool in self.pools.items())
