"""Data of a diagram: clusters, their pools and node classes, and the pools that workloads fit."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from nodepools.cli.clusters import cluster_tables as overview
from nodepools.clouds.rows import ClusterRow, PoolRow
from nodepools.model.clusters import AnyCluster, DeclaredPool
from nodepools.model.karpenter import NodePool
from nodepools.model.platform import Platform
from nodepools.placement.explain import Answer
from nodepools.placement.verdict import Verdict


@dataclass(frozen=True, slots=True)
class DiagramPool:
    """A pool."""

    address: str
    row: PoolRow
    declared: DeclaredPool | None = None
    """`None` for a built-in NodePool."""
    node_class: str | None = None
    """Key of its node class, if that is declared."""

    @property
    def built_in(self) -> bool:
        """Whether the cloud creates it."""
        return self.declared is None

    @property
    def spot(self) -> bool:
        """Whether it is a spot agent pool. NodePools show spot in their requirements."""
        return getattr(self.declared, "spot", None) is not None

    @property
    def scale(self) -> str:
        """Number of nodes, or limits."""
        return self.row.scale if self.declared is None or isinstance(self.declared, NodePool) else f"{self.row.scale} nodes"


@dataclass(frozen=True, slots=True)
class DiagramCluster:
    """A cluster with its pools and node classes."""

    row: ClusterRow
    pools: tuple[DiagramPool, ...]
    node_classes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DiagramWorkload:
    """A workload, and per cluster the first pool that it fits, or all pools that are unknown."""

    name: str
    kind: str
    to: Mapping[str, Verdict]


@dataclass(frozen=True, slots=True)
class Diagram:
    """The diagram of one platform."""

    name: str
    clusters: tuple[DiagramCluster, ...]
    workloads: tuple[DiagramWorkload, ...]

    def to_json(self) -> dict[str, object]:
        """The diagram in `diagram --format json`."""
        return {
            "name": self.name,
            "clusters": [_cluster_json(box) for box in self.clusters],
            "workloads": [
                {"name": box.name, "kind": box.kind, "to": [{"pool": pool, "verdict": verdict.value} for pool, verdict in box.to.items()]}
                for box in self.workloads
            ],
        }


def diagram(platform: Platform, answers: Iterable[Answer]) -> Diagram:
    """The diagram of `platform` with the workloads of `answers`."""
    rows = {key: list(group) for key, group in groupby(overview.pools(platform), key=lambda row: row.cluster)}
    declared = {str(pool): pool.declared for pool in platform.pools()}
    clusters = (_cluster(platform.clusters[row.cluster], row, rows[row.cluster], declared) for row in overview.clusters(platform))
    return Diagram(platform.name, tuple(clusters), tuple(_workloads(list(answers))))


def _cluster(args: AnyCluster, row: ClusterRow, pools: Sequence[PoolRow], declared: Mapping[str, DeclaredPool]) -> DiagramCluster:
    classes = tuple(args.node_classes)
    return DiagramCluster(row, tuple(_pool(pool, declared.get(f"{pool.cluster}/{pool.pool}"), classes) for pool in pools), classes)


def _pool(row: PoolRow, declared: DeclaredPool | None, classes: Sequence[str]) -> DiagramPool:
    """The node class `default`, which the cloud creates, is not drawn."""
    named = declared.node_class if isinstance(declared, NodePool) else None
    return DiagramPool(f"{row.cluster}/{row.pool}", row, declared, named if named in classes else None)


def _workloads(answers: Sequence[Answer]) -> Iterator[DiagramWorkload]:
    for _, group in groupby(answers, key=lambda answer: answer.workload.identity):
        of_one = list(group)
        workload = of_one[0].workload
        yield DiagramWorkload(workload.name, workload.kind, {pool: verdict for answer in of_one for pool, verdict in _to(answer)})


def _to(answer: Answer) -> Iterator[tuple[str, Verdict]]:
    """The first choice, otherwise the pools that may fit; a DaemonSet goes to all of both."""
    if answer.pool is not None and not answer.workload.is_daemon:
        yield answer.pool, Verdict.FITS
    else:
        yield from ((pool.pool, pool.verdict) for pool in answer.pools if pool.verdict is not Verdict.CANNOT)


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
    described: dict[str, object] = {"pool": box.address, "kind": row.kind, "nodes": list(row.sizes), "scale": row.scale}
    return {**described, "taints": list(row.taints), "labels": list(row.labels), "node_class": box.node_class}
