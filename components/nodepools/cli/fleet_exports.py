"""`upgrade --from`: which cluster an export is about, and what it says about the cluster's upgrade."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, cast

from nodepools.adoption.eks_exports import EksExport, EksKind
from nodepools.adoption.exports import ClusterId, Export, Kind
from nodepools.adoption.observed import clusters_of
from nodepools.cli.diff_nodes import narrowed
from nodepools.cli.export_document import ExportDocument
from nodepools.manifests.exported_agent_pools import agent_pool
from nodepools.manifests.fleet_objects import KINDS, fleet_of
from nodepools.manifests.manifest_objects import objects_in
from nodepools.model.kubernetes.raw_fields import PodError
from nodepools.model.plain_data import mapping
from nodepools.model.platform import Platform
from nodepools.placement.catalog import cluster_pools
from nodepools.placement.exported_agent_pools import ExportedAgentPool
from nodepools.placement.node_groups import NodeGroup
from nodepools.placement.pools_of_nodes import pools_of
from nodepools.reading.yaml_documents import Document
from nodepools.upgrades.cluster_steps import ClusterSteps
from nodepools.upgrades.fleet import Fleet, PoolNow
from nodepools.upgrades.platform_upgrades import steps_of
from nodepools.wire.table import Written

_AMBIGUOUS: Final = "several clusters can have these nodes: put the key of the cluster into the name of the file, such as `weu.yaml`"
Place = tuple[str, str]
"""The names of a platform and of its cluster."""


@dataclass(slots=True)
class FleetExports:
    """The clusters of platforms, with what was read about each."""

    clusters: Mapping[Place, ClusterSteps]
    found: dict[Place, Fleet] = field(default_factory=dict[Place, Fleet])
    unknown: list[str] = field(default_factory=list[str])
    """Clusters in exports that are not declared, with their files."""

    @classmethod
    def of(cls, platforms: Iterable[Platform]) -> "FleetExports":
        """Nothing is read yet."""
        return cls({(platform.name, key): _steps(platform, key) for platform in platforms for key in platform.clusters})

    def add(self, document: Document, read: ExportDocument, file: str) -> bool:
        """Reads a document; false if it is something else.

        Raises:
            TextError: an object in it is invalid.
            ValueError: it is not known which cluster it is about.
        """
        return self._add_objects(document, file) or self._add_azure(read.clusters.aks, file) or self._add_aws(read.clusters.eks, file)

    def _add_objects(self, document: Document, file: str) -> bool:
        value: object = document.value
        if not isinstance(value, Mapping) or not {"apiVersion", "kind"} <= cast("Written", value).keys():
            return False
        found = [written for written in objects_in(document, file) if written.kind in KINDS]
        fleet = fleet_of(found)
        if found:
            self._join(self._place_of(fleet, file), fleet)
        return bool(found)

    def join_groups(self, groups: Iterable[NodeGroup]) -> None:
        """Adds node groups, which are complete only when all files are read: launch templates can be in any of them."""
        for group in groups:
            self._join_named(group.cluster, Fleet(groups=(group,)), "--from")

    def _add_azure(self, found: Sequence[Export], file: str) -> bool:
        shown, _ = clusters_of(found)
        for one in shown:
            pools = {name: _pool(pool) for name, pool in one.pools.items()}
            version = _text(one.shown, "currentKubernetesVersion", "kubernetesVersion")
            self._join_named(one.id.name, Fleet(control_plane=version, state=_text(one.shown, "provisioningState"), pools=pools), file)
            for name, pool in one.pools.items():
                self._add_agent_pool(name, one.id, pool)
        known = {one.id.folded for one in shown}
        for one in found:
            if one.kind is Kind.POOL and one.cluster.folded not in known:
                self._join_named(one.cluster.name, Fleet(pools={one.name: _pool(one.written)}), file)
                self._add_agent_pool(one.name, one.cluster, one.written)
        return bool(found)

    def _add_agent_pool(self, name: str, cluster: ClusterId, written: Written) -> None:
        """Adds an agent pool to its cluster, if it is certain that others manage it, and known how many nodes it can have."""
        labels = {key: str(value) for key, value in mapping(written.get("nodeLabels")).items()}
        for place, steps in self.clusters.items():
            if steps.cloud_name.lower() == cluster.name.lower() and steps.is_of_others(name, labels):
                pool = _readable(name, cluster.name, written)
                if pool is not None and pool.is_counted:
                    self._join(place, Fleet(agent_pools=(pool,), resource_group=cluster.group))

    def _add_aws(self, found: Sequence[EksExport], file: str) -> bool:
        clusters = [one for one in found if one.kind is EksKind.CLUSTER]
        for one in clusters:
            self._join_named(one.name, Fleet(control_plane=_text(one.written, "version"), state=_text(one.written, "status")), file)
        return bool(clusters)

    def _join_named(self, name: str, fleet: Fleet, file: str) -> None:
        places = [place for place, steps in self.clusters.items() if steps.cloud_name.lower() == name.lower()]
        for place in places:
            self._join(place, fleet)
        if not places:
            self.unknown.append(f"{file}: no declared cluster has the name `{name}` in the cloud: it is ignored")

    def _place_of(self, fleet: Fleet, file: str) -> Place:
        """The cluster whose pools the nodes are in, or the one that the name of the file contains."""
        fitting = [place for place, steps in self.clusters.items() if _is_of(fleet, steps)]
        places = fitting if fitting else list(self.clusters)
        named = narrowed(places, file, lambda place: place[1], lambda place: place[0])
        if len(named) != 1:
            raise ValueError(_AMBIGUOUS)
        return named[0]

    def _join(self, place: Place, fleet: Fleet) -> None:
        known = self.found.get(place)
        self.found[place] = fleet if known is None else known.joined(fleet)


def _readable(name: str, cluster: str, written: Written) -> ExportedAgentPool | None:
    """An agent pool. One that cannot be read is a problem of the capacity already."""
    try:
        return agent_pool(name, cluster, written)
    except PodError:
        return None


def _steps(platform: Platform, key: str) -> ClusterSteps:
    cluster, stem = platform.cluster(key), platform.stem(key)
    return steps_of(cluster, key, stem, cluster_pools(key, stem, cluster))


def _is_of(fleet: Fleet, steps: ClusterSteps) -> bool:
    """Some of the nodes are in pools of the cluster."""
    labels = steps.pool_labels.items()
    return any(pools_of(node.labels, labels) for node in fleet.nodes)


def _pool(written: Written) -> PoolNow:
    return PoolNow(_text(written, "currentOrchestratorVersion", "orchestratorVersion"), _text(written, "provisioningState"))


def _text(written: Written, *names: str) -> str:
    """The first of these fields that is a text."""
    values: Sequence[object] = [written.get(name) for name in names]
    return next((value for value in values if isinstance(value, str)), "")
