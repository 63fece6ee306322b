"""A platform as boxes and arrows: clusters, their pools and node classes, and where workloads go."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from nodepools.cli import overview
from nodepools.cli.cluster_rows import ClusterRow, PoolRow
from nodepools.model.karpenter import NodePool
from nodepools.model.per_cloud import AnyCluster, DeclaredPool
from nodepools.model.platform import Platform
from nodepools.placement.explain import Answer
from nodepools.placement.verdict import Verdict


@dataclass(frozen=True, slots=True)
class DiagramPool:
    """A pool."""

    address: str
    row: PoolRow
    declared: DeclaredPool | None = None
    """`None`: the cloud makes it."""
    node_class: str | None = None
    """Key of the class that its nodes are made by, where it is declared here."""

    @property
    def built_in(self) -> bool:
        """The cloud makes it."""
        return self.declared is None

    @property
    def spot(self) -> bool:
        """Its nodes are spot capacity; a NodePool says so in its requirements."""
        return getattr(self.declared, "spot", None) is not None

    @property
    def scale(self) -> str:
        """How many nodes it has, or what holds them back."""
        return self.row.scale if self.declared is None or isinstance(self.declared, NodePool) else f"{self.row.scale} nodes"


@dataclass(frozen=True, slots=True)
class DiagramCluster:
    """A cluster and what is in it."""

    row: ClusterRow
    pools: tuple[DiagramPool, ...]
    node_classes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DiagramWorkload:
    """A workload, and the pools that it goes to: in each cluster the first that takes it, or all that might."""

    name: str
    kind: str
    to: Mapping[str, Verdict]


@dataclass(frozen=True, slots=True)
class Diagram:
    """All of it."""

    name: str
    clusters: tuple[DiagramCluster, ...]
    workloads: tuple[DiagramWorkload, ...]

    def to_json(self) -> dict[str, object]:
        """As in the answer of `diagram --format json`."""
        return {
            "name": self.name,
            "clusters": [_cluster_json(box) for box in self.clusters],
            "workloads": [
                {"name": box.name, "kind": box.kind, "to": [{"pool": pool, "verdict": verdict.value} for pool, verdict in box.to.items()]}
                for box in self.workloads
            ],
        }


def diagram(platform: Platform, answers: Iterable[Answer]) -> Diagram:
    """The boxes of `platform`, and of the workloads that `answers` are about."""
    rows = {key: list(group) for key, group in groupby(overview.pools(platform), key=lambda row: row.cluster)}
    declared = {str(pool): pool.declared for pool in platform.pools()}
    clusters = (_cluster(platform.clusters[row.cluster], row, rows[row.cluster], declared) for row in overview.clusters(platform))
    return Diagram(platform.name, tuple(clusters), tuple(_workloads(list(answers))))


def _cluster(args: AnyCluster, row: ClusterRow, pools: Sequence[PoolRow], declared: Mapping[str, DeclaredPool]) -> DiagramCluster:
    classes = tuple(args.node_classes)
    return DiagramCluster(row, tuple(_pool(one, declared.get(f"{one.cluster}/{one.pool}"), classes) for one in pools), classes)


def _pool(row: PoolRow, declared: DeclaredPool | None, classes: Sequence[str]) -> DiagramPool:
    """The class `default` of the cloud is nobody's declaration, and has no box."""
    named = declared.node_class if isinstance(declared, NodePool) else None
    return DiagramPool(f"{row.cluster}/{row.pool}", row, declared, named if named in classes else None)


def _workloads(answers: Sequence[Answer]) -> Iterator[DiagramWorkload]:
    for _, group in groupby(answers, key=lambda answer: id(answer.workload)):
        of_one = list(group)
        workload = of_one[0].workload
        yield DiagramWorkload(workload.name, workload.kind, {pool: verdict for answer in of_one for pool, verdict in _to(answer)})


def _to(answer: Answer) -> Iterator[tuple[str, Verdict]]:
    fitting = [one.pool for one in answer.pools if one.verdict is Verdict.FITS]
    if fitting:
        yield from ((pool, Verdict.FITS) for pool in (fitting if answer.workload.is_daemon else fitting[:1]))
    else:
        yield from ((one.pool, one.verdict) for one in answer.pools if one.verdict is Verdict.UNKNOWN)


def _cluster_json(box: DiagramCluster) -> dict[str, object]:
    return {
        "cluster": box.row.cluster,
        "cloud": box.row.cloud,
        "place": box.row.region,
        "kubernetes_version": box.row.version,
        "node_classes": list(box.node_classes),
        "pools": [_pool_json(pool) for pool in box.pools],
    }


def _pool_json(box: DiagramPool) -> dict[str, object]:
    row = box.row
    told: dict[str, object] = {"pool": box.address, "kind": row.kind, "nodes": list(row.sizes), "scale": row.scale}
    return {**told, "taints": list(row.taints), "labels": list(row.labels), "node_class": box.node_class}
