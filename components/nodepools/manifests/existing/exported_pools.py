"""Managed node groups and agent pools that others manage, in what `aws` and `az` print: which clusters they are of, and their nodes."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, cast

from nodepools.adoption.cluster_identity import ExportedIds
from nodepools.clouds.aks.existing import Export, Kind, exports
from nodepools.clouds.aks.existing_agent_pools import ExportedAgentPool, agent_pools_in
from nodepools.clouds.eks.existing import EksExport, EksKind, NotEksExportError, eks_exports
from nodepools.clouds.eks.node_groups import NodeGroup, Template, node_group, node_groups_in, templates_in, zones_in
from nodepools.clouds.existing_objects import NotExportError
from nodepools.data.version_support import LONG_TERM
from nodepools.manifests.manifest_objects import ManifestObject
from nodepools.model.kubernetes.raw_fields import PodError, entries, mapping, text
from nodepools.placement.cluster_pools import ClusterPools
from nodepools.placement.running_cluster import further_nodes
from nodepools.placement.static_pools import StaticPool
from nodepools.reading.limits import TextError
from nodepools.reading.yaml_documents import Document

_AUTOSCALER: Final = "cluster-autoscaler"
_NAMES_ONLY: Final = "has only the names of node groups: export each of them with `aws eks describe-nodegroup`"
_MORE: Final = "more nodes than those that run are not certain to be added"
Raw = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class ForeignCluster:
    """The pools of one cluster that others manage."""

    name: str = ""
    """Empty: the files name no cluster."""
    resource_group: str = ""
    """Of an AKS cluster; empty: it is an EKS cluster."""
    location: str | None = None
    """Region of an AKS cluster; `None`: not known."""
    version: str = ""
    """Kubernetes version of the control plane; empty: not known."""
    extends: bool = False
    """It stays on a version after standard support."""
    channel: str = ""
    """The channel of automatic upgrades of an AKS cluster."""
    pods_have_own_addresses: bool = False
    """Pods of an AKS cluster take no addresses of the subnet of its nodes."""
    groups: tuple[NodeGroup, ...] = ()
    agent_pools: tuple[ExportedAgentPool, ...] = ()
    zones: Mapping[str, str] = field(default_factory=dict[str, str])
    """Zones of subnets, by their ids."""

    def added_to(self, pools: ClusterPools, *, autoscaled: bool | None) -> ClusterPools:
        """The pools of the cluster with these. Nodes in `pools` are among those of the node groups."""
        own = [*(self._of_group(group, autoscaled=autoscaled) for group in self.groups), *(pool.nodes(self.location) for pool in self.agent_pools)]
        further = list(further_nodes(own, pools.static))
        left = [pool for pool, whole in zip(further, own, strict=True) if pool.max_nodes or whole.max_nodes == pool.max_nodes]
        return replace(
            pools,
            static=(*pools.static, *left),
            emptied=tuple(pool for pool in own if pool.address not in {one.address for one in left}),
            unsure={**pools.unsure, **dict(self._unsure(left, own, autoscaled=autoscaled))},
        )

    def _of_group(self, group: NodeGroup, *, autoscaled: bool | None) -> StaticPool:
        zones = {self.zones[subnet] for subnet in group.subnets if subnet in self.zones}
        return group.nodes(sorted(zones) if set(group.subnets) <= self.zones.keys() else None, autoscaled=autoscaled)

    def _unsure(self, left: Iterable[StaticPool], own: Iterable[StaticPool], *, autoscaled: bool | None) -> Iterator[tuple[str, str]]:
        why = {group.name: group.why_unsure(autoscaled=autoscaled) for group in self.groups} | {
            pool.name: pool.why_unsure for pool in self.agent_pools
        }
        whole = {pool.address: pool for pool in own}
        for pool in left:
            reason = why.get(pool.address)
            if reason is not None:
                yield pool.address, reason
            elif pool.max_nodes < whole[pool.address].max_nodes and not autoscaled:
                yield pool.address, _MORE


@dataclass(slots=True)
class ExportedPools:
    """What files of `aws` and `az` contain about pools."""

    groups: list[tuple[Raw, str]] = field(default_factory=list[tuple[Raw, str]])
    """With their files."""
    azure: list[Export] = field(default_factory=list[Export])
    clusters: list[EksExport] = field(default_factory=list[EksExport])
    templates: list[Template] = field(default_factory=list[Template])
    zones: dict[str, str] = field(default_factory=dict[str, str])

    def take(self, document: Document, file: str) -> bool:
        """Reads a document; false if it is something else.

        Raises:
            TextError: it is an export that cannot be read.
        """
        value: object = document.value
        try:
            return self._of_aws(value, file) or self._of_azure(value, file)
        except (PodError, NotEksExportError) as error:
            raise TextError(f"{file}: {error}") from None

    def _of_aws(self, value: object, file: str) -> bool:
        groups, templates, zones = node_groups_in(value), templates_in(value), zones_in(value)
        if groups is None and templates is None and zones is None:
            return self._of_eks(cast("Raw", value), file) if isinstance(value, Mapping) else False
        self.groups.extend((group, file) for group in (groups if groups is not None else ()))
        self.templates.extend(templates if templates is not None else ())
        self.zones.update(zones if zones is not None else {})
        return True

    def _of_eks(self, value: Raw, file: str) -> bool:
        if isinstance(value.get("nodegroups"), list):
            raise TextError(f"{file}: {_NAMES_ONLY}")
        found = eks_exports(value, file)
        self.clusters.extend(one for one in (found if found is not None else ()) if one.kind is EksKind.CLUSTER)
        return found is not None

    def _of_azure(self, value: object, file: str) -> bool:
        try:
            self.azure.extend(exports(value, file))
        except NotExportError:
            return False
        return True

    @property
    def ids(self) -> ExportedIds:
        """The clusters that the files name, by folder."""
        return ExportedIds.of(self.azure, self.clusters)

    def cluster(self, failed: Callable[[TextError], None]) -> ForeignCluster:
        """The cluster that the pools are of. `failed` gets the error of each pool that cannot be read.

        Raises:
            TextError: they are of several clusters, or what shows the cluster is invalid.
        """
        try:
            return self._cluster(failed)
        except PodError as wrong:
            raise TextError(str(wrong)) from None

    def _cluster(self, failed: Callable[[TextError], None]) -> ForeignCluster:
        groups = list(self._groups(failed))
        pools = list(self._agent_pools(failed))
        shown = [one for one in self.azure if one.kind is Kind.CLUSTER]
        names = dict.fromkeys([*(one.cluster for one in groups), *(one.cluster for one in pools), *(one.name for one in (*shown, *self.clusters))])
        if len(names) > 1:
            listed = ", ".join(f"`{name}`" for name in names)
            raise TextError(f"the files have pools of several clusters ({listed}): pass those of one")
        written = [text(one.written.get("version"), "version") for one in self.clusters]
        written += [text(one.written.get("currentKubernetesVersion", one.written.get("kubernetesVersion")), "kubernetesVersion") for one in shown]
        location = next((text(one.written.get("location"), "location") for one in shown), None)
        return ForeignCluster(
            next(iter(names), ""),
            next((one.cluster.group for one in self.azure), ""),
            location,
            next(iter(written), ""),
            self._extends,
            next((text(mapping(one.written, "autoUpgradeProfile").get("upgradeChannel"), "upgradeChannel") for one in shown), ""),
            any(_is_overlay(mapping(one.written, "networkProfile")) for one in shown),
            tuple(groups),
            tuple(pools),
            self.zones,
        )

    @property
    def _extends(self) -> bool:
        """Extended support is the default of EKS."""
        plans = [one.written.get("supportPlan") for one in self.azure if one.kind is Kind.CLUSTER]
        policies = [mapping(one.written, "upgradePolicy").get("supportType") for one in self.clusters]
        return LONG_TERM in plans or any(policy != "STANDARD" for policy in policies)

    def _groups(self, failed: Callable[[TextError], None]) -> Iterator[NodeGroup]:
        for raw, file in self.groups:
            try:
                yield node_group(raw, self.templates)
            except PodError as wrong:
                failed(TextError(f"{file}: node group `{raw.get('nodegroupName')}`: {wrong}"))

    def _agent_pools(self, failed: Callable[[TextError], None]) -> Iterator[ExportedAgentPool]:
        for written in agent_pools_in(self.azure):
            try:
                yield written.read()
            except PodError as wrong:
                failed(TextError(str(wrong)))


def _is_overlay(network: Raw) -> bool:
    return text(network.get("networkPluginMode"), "networkPluginMode").lower() == "overlay" or network.get("networkPlugin") == "kubenet"


def runs_autoscaler(found: Iterable[ManifestObject]) -> bool | None:
    """A Deployment among the objects is the cluster autoscaler; `None`: not known, because it can be in another file."""
    return True if any(_is_autoscaler(written.raw) for written in found if written.kind == "Deployment") else None


def _is_autoscaler(raw: Raw) -> bool:
    try:
        pod = mapping(mapping(mapping(raw, "spec"), "template"), "spec")
        images = [text(container.get("image"), "image") for container in entries(pod, "containers")]
    except PodError:
        return False
    return any(_AUTOSCALER in image.rpartition("/")[2] for image in images)
