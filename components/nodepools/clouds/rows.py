"""What a cloud shows of a cluster as text: rows of the tables of clusters and pools, and the commands that export it."""

from collections.abc import Sequence
from shlex import quote

from nodepools.model.access import ApiServer
from nodepools.model.karpenter import NodePool
from nodepools.model.values import dataclass


@dataclass(frozen=True, slots=True)
class ClusterRow:
    """One cluster on one line."""

    cluster: str
    cloud: str
    region: str
    version: str
    network: str
    api_server: str
    node_provisioning: str


@dataclass(frozen=True, slots=True)
class PoolRow:
    """One pool. `sizes`, `taints` and `labels` have one line per item."""

    cluster: str
    pool: str
    kind: str
    sizes: tuple[str, ...]
    scale: str
    taints: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()


def api_access(server: ApiServer) -> str:
    """Which addresses can reach the API server."""
    return "private" if server.private else ", ".join(server.authorized_ip_ranges) or "open to all"


def node_pool_row(cluster: str, name: str, pool: NodePool) -> PoolRow:
    """A declared NodePool."""
    requirements = tuple(map(str, pool.requirements)) or ("any machine type",)
    limits = ", ".join(f"{resource} {quantity}" for resource, quantity in pool.limits.items())
    if pool.replicas is not None:
        scale = f"{pool.replicas}, static"
    else:
        scale = f"weight {pool.weight if pool.weight is not None else 0}, " + (f"up to {limits}" if limits else "no limits")
    labels = tuple(f"{key}={value}" for key, value in pool.node_labels(name).items())
    return PoolRow(cluster, name, "NodePool", requirements, scale, tuple(map(str, pool.taints)), labels)


def built_in_row(cluster: str, name: str, *taints: str) -> PoolRow:
    """A NodePool that the cloud creates."""
    return PoolRow(cluster, name, "built-in NodePool", ("set by the cloud",), "weight 0, no limits", taints)


@dataclass(frozen=True, slots=True)
class Place:
    """The folder of a cluster, and the prefix of the names of its resources."""

    stem: str
    folder: str


def kubectl(kinds: str, context: str, place: Place) -> str:
    """Exports objects inside a cluster. `context` is the one that `az aks get-credentials` and `aws eks update-kubeconfig` give it, for a shell."""
    return f"kubectl get {kinds} --context {context} -o yaml > {place.folder}/objects.yaml"


def words(of: Sequence[str]) -> str:
    """Quoted arguments of a command."""
    return " ".join(map(quote, of))
