"""`upgrade --existing`: which cluster an export is about, and what it says about the cluster's upgrade."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from nodepools.adoption.cluster_identity import CloudId, DeclaredClusters, Place
from nodepools.cli.existing.cloud_exports import ExportDocument
from nodepools.clouds.aks.existing import Export, Kind, agent_pools_in
from nodepools.clouds.aks.existing_agent_pools import agent_pool
from nodepools.clouds.cloud import Cloud
from nodepools.clouds.eks.existing import EksExport, EksKind
from nodepools.clouds.eks.node_groups import NodeGroup
from nodepools.clouds.fleet import Fleet, PoolNow
from nodepools.clouds.registry import cloud_of
from nodepools.clouds.step import ClusterSteps
from nodepools.manifests.existing.fleet_objects import KINDS, fleet_of
from nodepools.manifests.manifest_objects import ManifestObject, objects_in
from nodepools.manifests.workloads import OF_EXPORTS
from nodepools.model.kubernetes.raw_fields import PodError
from nodepools.model.platform import Platform
from nodepools.model.steps import mapping
from nodepools.reading.yaml_documents import Document
from nodepools.wire.table import Written


@dataclass(slots=True)
class FleetExports:
    """The clusters of platforms, with what was read about each."""

    declared: DeclaredClusters
    clusters: Mapping[Place, ClusterSteps]
    clouds: Mapping[Place, tuple[Cloud, str]]
    """Each with its stem."""
    found: dict[Place, Fleet] = field(default_factory=dict[Place, Fleet])
    workloads: dict[Place, list[ManifestObject]] = field(default_factory=dict[Place, list[ManifestObject]])
    """What creates pods, and the objects next to it. Pods are in `found`."""

    @classmethod
    def of(cls, platforms: Sequence[Platform]) -> "FleetExports":
        """Nothing is read yet."""
        clouds = {(each.name, key): (cloud_of(cluster), each.stem(key)) for each in platforms for key, cluster in each.clusters.items()}
        steps = {place: cloud.upgrade(place[1], stem, cloud.pools(place[1], stem)) for place, (cloud, stem) in clouds.items()}
        return cls(DeclaredClusters.of(platforms), steps, clouds)

    def add(self, document: Document, read: ExportDocument, file: str, owner: Place | None) -> bool:
        """Reads a document whose objects are in `owner`; false if it is something else.

        Raises:
            TextError: an object in it is invalid.
        """
        return self._add_objects(document, file, owner) or self._add_azure(read.clusters.aks) or self._add_aws(read.clusters.eks)

    def _add_objects(self, document: Document, file: str, owner: Place | None) -> bool:
        if owner is None:
            return False
        every = list(objects_in(document, file))
        found, others = ([one for one in every if one.kind in kinds] for kinds in (KINDS, OF_EXPORTS - {"Pod"}))
        if found:
            self._join(owner, fleet_of(found))
        self.workloads.setdefault(owner, []).extend(others)
        return bool(found or others)

    def join_groups(self, groups: Iterable[NodeGroup]) -> None:
        """Adds node groups, which are complete only when all files are read: launch templates can be in any of them."""
        for group in groups:
            for place, (cloud, stem) in self.clouds.items():
                if cloud.has_node_group(group, stem):
                    self._join(place, Fleet(groups=(group,)))

    def _add_azure(self, found: Sequence[Export]) -> bool:
        for one in found:
            if one.kind is Kind.CLUSTER:
                version = _text(one.written, "currentKubernetesVersion", "kubernetesVersion")
                stopped = mapping(one.written.get("powerState")).get("code") == "Stopped"
                self._join_named(one.cluster, Fleet(control_plane=version, state="Stopped" if stopped else _text(one.written, "provisioningState")))
        for pools in agent_pools_in(found).values():
            for one in pools.values():
                self._add_agent_pool(one)
        return bool(found)

    def _add_agent_pool(self, one: Export) -> None:
        """Adds an agent pool to its cluster: with its nodes, if it is certain that others manage it, and known how many it can have."""
        try:
            pool = agent_pool(one)
        except PodError:
            return  # it is a problem of the capacity already
        for place in self.declared.named(one.cluster):
            is_of_others = self.clusters[place].is_of_others(pool.name, pool.labels) and pool.is_counted
            others = Fleet(agent_pools=(pool,), resource_group=one.cluster.group) if is_of_others else Fleet()
            self._join(place, replace(others, pools={pool.name: PoolNow(pool.version, pool.state)}))

    def _add_aws(self, found: Sequence[EksExport]) -> bool:
        clusters = [(one.cluster, one.written) for one in found if one.kind is EksKind.CLUSTER and one.cluster is not None]
        for cluster, written in clusters:
            self._join_named(cluster, Fleet(control_plane=_text(written, "version"), state=_text(written, "status")))
        return bool(clusters)

    def _join_named(self, cluster: CloudId, fleet: Fleet) -> None:
        for place in self.declared.named(cluster):
            self._join(place, fleet)

    def _join(self, place: Place, fleet: Fleet) -> None:
        known = self.found.get(place)
        self.found[place] = fleet if known is None else known.joined(fleet)


def _text(written: Written, *names: str) -> str:
    """The first of these fields that is a text."""
    values: Sequence[object] = [written.get(name) for name in names]
    return next((value for value in values if isinstance(value, str)), "")
