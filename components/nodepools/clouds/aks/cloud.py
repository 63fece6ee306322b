"""An AKS cluster."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from nodepools.clouds.cloud import ClusterNeeds, Maintenance, Manifest, Prerequisites, Region, Resolve
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.values import dataclass

if TYPE_CHECKING:
    from datetime import datetime

    import pulumi

    from nodepools.aks.cluster import AksCluster
    from nodepools.clouds.aks.existing import AksIdentity
    from nodepools.clouds.aks.nodes import ExistingAgentNodes
    from nodepools.clouds.aks.steps import AksSteps
    from nodepools.clouds.change import Known, Request
    from nodepools.clouds.eks.node_groups import NodeGroup
    from nodepools.clouds.item import ExistingStock
    from nodepools.clouds.prices import PoolCost, Prices
    from nodepools.clouds.rows import ClusterRow, PoolRow
    from nodepools.eks.cluster import EksCluster
    from nodepools.model.aks.agent_pool import AgentPool
    from nodepools.model.aks.maintenance import Configuration
    from nodepools.placement.node_pools import ClusterPools

_MAINTENANCE: Final[Mapping["Configuration", str]] = {"releases": "AKS releases", "upgrades": "Kubernetes upgrades", "node_images": "node images"}
_HELD_BACK: Final = frozenset({"name", "resource_group", "kubeconfig"})
"""Outputs that `clusters` does not contain: it has an output of its own for the secret, and programs know the names."""
_TAINTS: Final = {"system-surge": ("CriticalAddonsOnly=true:NoSchedule",)}
"""Taints of the built-in NodePools."""


@dataclass(frozen=True, slots=True)
class AksCloud:
    """A declared AKS cluster."""

    cluster: AksClusterArgs

    @classmethod
    def of(cls, cluster: object) -> "AksCloud | None":
        """The cluster, if it is an AKS cluster."""
        return cls(cluster) if isinstance(cluster, AksClusterArgs) else None

    @property
    def region(self) -> Region:
        """Its location, by the name that Azure Resource Manager has for it."""
        from nodepools.data.regions import azure_regions
        from nodepools.model.name_limits import azure_name

        return Region("Azure", "location", self.cluster.location, azure_name(self.cluster.location), azure_regions)

    @property
    def version_check(self) -> str:
        """Names and patches of `az aks get-versions`, which lists what a location offers."""
        listed = f"az aks get-versions --location {self.region.name} --query '[values[].version, values[].patchVersions.keys(@)[]][]' --output tsv"
        return f"{listed} | grep -Fqx {self.cluster.kubernetes_version}"

    def pools(self, key: str, stem: str) -> "ClusterPools":
        """Agent pools, and NodePools if node auto provisioning is on."""
        from nodepools.clouds.aks.pools import AksPools

        return AksPools(self.cluster).pools(key, stem)

    @property
    def changing_names(self) -> Mapping[str, str]:
        """The names of agent pools in Azure that contain a generation."""
        from nodepools.wire.aks.generation import generations

        return {generation.name: generation.key for generation in generations(self.cluster) if generation.pool.name is None}

    @property
    def autoscaled_next_to_karpenter(self) -> frozenset[str]:
        """The autoscaled agent pools, if node auto provisioning is on."""
        if self.cluster.node_provisioning is None:
            return frozenset()
        return frozenset(name for name, pool in self.cluster.all_pools() if pool.is_autoscaled)

    def needs(self, pools: "ClusterPools", existing: "ExistingStock", stem: str) -> ClusterNeeds:
        """Addresses of subnets, ports of outbound addresses, nodes, and vCPUs by family."""
        from nodepools.clouds.aks.resources import aks_needs

        return aks_needs(self.cluster, pools, existing.subnets, self.agent_pools_of_others(existing, stem))

    def agent_pools_of_others(self, existing: "ExistingStock", stem: str) -> Sequence["ExistingAgentNodes"]:
        """Those whose name and tags no generation of a declared pool has."""
        from nodepools.clouds.aks.nodes import existing_agent_nodes

        return list(existing_agent_nodes(self.cluster, stem, existing.agent_pools))

    def has_node_group(self, group: "NodeGroup", stem: str) -> bool:  # noqa: ARG002
        """AKS has none."""
        return False

    def can_declare_node(self, labels: Mapping[str, str]) -> bool:
        """The agent pool that the label names can be a generation of a declared one."""
        from nodepools.placement.cloud_labels import AGENT_POOL
        from nodepools.wire.aks.generation import is_of_others

        return not is_of_others(self.cluster, labels[AGENT_POOL], labels)

    @property
    def usage_places(self) -> Sequence[tuple[str, str | None]]:
        """Its region and subscription: usage that the Azure CLI prints names neither."""
        return [(self.region.name, self.cluster.subscription_id)]

    def costs(self, key: str, stem: str, prices: "Prices") -> Iterator["PoolCost"]:
        """Every agent pool with its previous generation, by scale; then every NodePool, by its limits."""
        from nodepools.clouds.aks.agent_pool_cost import agent_pool_costs
        from nodepools.clouds.node_pool_cost import node_pool_cost

        for name, pool in self.cluster.all_pools():
            yield from agent_pool_costs(f"{key}/{name}", self.cluster, pool, prices)
            if pool.retiring is not None:
                yield from agent_pool_costs(f"{key}/{name} (previous)", self.cluster, pool.retiring, prices)
        for place in self.pools(key, stem).provisioned:
            yield node_pool_cost(place, "azure", self.region.name, prices)

    def requests(self, key: str, stem: str) -> Iterator["Request"]:
        """The group, the network, identities, the cluster, its pools, windows and objects."""
        from nodepools.clouds.aks.requests import aks_requests
        from nodepools.clouds.karpenter_requests import Site

        return aks_requests(self.cluster, Site(stem, key))

    def upgrade(self, key: str, stem: str, pools: "ClusterPools") -> "AksSteps":
        """Control plane, agent pools one after another, the first pool, NodePools."""
        from nodepools.clouds.aks.steps import AksSteps

        return AksSteps(self.cluster, key, stem, pools)

    def objects(self, stem: str, resolve: Resolve) -> Iterator[Manifest]:  # noqa: ARG002
        """Node classes, NodePools, the device plugin, the priorities of the cluster autoscaler, and what keeps headroom and uses gateway pools."""
        from nodepools.clouds.aks.device_plugin import device_plugin_objects, egress_objects, priority_config_map
        from nodepools.clouds.karpenter_objects import aks_node_class, headroom_objects, node_pool
        from nodepools.wire.karpenter import AKS_NODE_CLASS

        args = self.cluster
        if args.node_provisioning is not None:
            for name, declared in args.node_provisioning.node_classes.items():
                yield aks_node_class(name, declared, resolve)
        for name, pool in args.applied_node_pools.items():
            yield node_pool(name, pool, AKS_NODE_CLASS, resolve=resolve)
        if args.own_device_plugin is not None:
            yield from device_plugin_objects(args.own_device_plugin, args.plugged_pools)
        if args.priorities:
            yield priority_config_map(args, args.priorities)
        yield from headroom_objects(args)
        yield from (manifest for *_, manifest in egress_objects(args, resolve))

    def maintenance(self, cluster: str, start: "datetime", end: "datetime") -> Iterator[Maintenance]:
        """Each maintenance configuration that is in effect, with its windows."""
        from nodepools.model.aks.maintenance import open_windows
        from nodepools.model.disruption_calendar import State, Window

        for configuration in self.cluster.effective_configurations:
            window = getattr(self.cluster.applied_maintenance, configuration)
            open_at = open_windows(window, start, end) if window is not None else [Window(start, end, State.OPEN)]
            yield Maintenance(cluster, configuration, _MAINTENANCE[configuration], open_at, window is not None)

    def identity(self, stem: str) -> "AksIdentity":
        """Its name, resource groups and subscription."""
        from nodepools.clouds.aks.existing import aks_identity

        return aks_identity(self.cluster, stem)

    def known_besides_requests(self, stem: str) -> "Known":
        """Its resource group, and the overrides of the first pool."""
        from nodepools.clouds.change import Known
        from nodepools.wire.aks.cluster_context import resource_group_name

        return Known(resource_group_name(self.cluster, stem), self.cluster.first_overrides)

    def row(self, key: str) -> "ClusterRow":
        """One line."""
        from nodepools.clouds.rows import ClusterRow, api_access
        from nodepools.model.aks.network import ManagedAksNetwork

        args, auto = self.cluster, self.cluster.node_provisioning
        nap = f"NAP Auto, default pools: {auto.default_node_pools}" if auto is not None else "NAP Manual"
        network = args.network.cidr or ("managed by AKS" if isinstance(args.network, ManagedAksNetwork) else "existing")
        return ClusterRow(key, "AKS", args.location, args.kubernetes_version, network, api_access(args.api_server), nap)

    def pool_rows(self, key: str) -> Iterator["PoolRow"]:
        """Agent pools, NodePools, then the built-in NodePools."""
        from nodepools.clouds.rows import built_in_row, node_pool_row

        yield from (_agent_pool_row(key, name, pool) for name, pool in self.cluster.all_pools())
        yield from (node_pool_row(key, name, pool) for name, pool in self.cluster.node_pools.items())
        yield from (built_in_row(key, name, *_TAINTS.get(name, ())) for name in self.cluster.built_in_node_pools)

    def prerequisites(self) -> Prerequisites:
        """Entra ID login, Azure roles, and VM quota."""
        from nodepools.clouds.aks.prerequisites import aks_prerequisites

        return aks_prerequisites(self.cluster)

    def export_commands(self, stem: str, folder: str) -> Iterator[str]:
        """Commands of the Azure CLI and kubectl."""
        from nodepools.clouds.aks.prerequisites import aks_commands
        from nodepools.clouds.rows import Place

        return aks_commands(self.cluster, Place(stem, folder))

    def component(self, name: str, options: "pulumi.ResourceOptions | None" = None) -> "AksCluster":
        """Registers the component `AksCluster`."""
        import nodepools

        return nodepools.AksCluster(name, self.cluster, options)

    def exported_outputs(self, component: "AksCluster | EksCluster") -> Sequence[str]:
        """All outputs but the names and the kubeconfig."""
        from inspect import get_annotations

        return [output for output in get_annotations(type(component)) if output not in _HELD_BACK]


def _agent_pool_row(cluster: str, name: str, pool: "AgentPool") -> "PoolRow":
    from nodepools.clouds.rows import PoolRow

    scale = str(pool.most_nodes) if pool.fewest_nodes == pool.most_nodes and not pool.scale else f"{pool.fewest_nodes} to {pool.most_nodes}"
    zones = f", zones {' '.join(map(str, pool.zones))}" if pool.zones else ""
    spot = " (spot)" if getattr(pool, "spot", None) else ""
    labels = tuple(f"{key}={value}" for key, value in pool.node_labels(name).items())
    sizes = tuple(one.vm_size + zones for one in pool.by_size)
    return PoolRow(cluster, name, type(pool).__name__ + spot, sizes, scale, tuple(map(str, pool.node_taints)), labels)
