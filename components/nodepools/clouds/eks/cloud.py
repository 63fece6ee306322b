"""An EKS cluster."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, cast

from nodepools.clouds.cloud import ClusterNeeds, Maintenance, Manifest, Prerequisites, Region, Resolve
from nodepools.model.eks.cluster import EksClusterArgs, EksNetworkArgs
from nodepools.model.unknowns import attached_to
from nodepools.model.values import dataclass

if TYPE_CHECKING:
    from datetime import datetime

    import pulumi

    from nodepools.aks.cluster import AksCluster
    from nodepools.clouds.aks.nodes import ExistingAgentNodes
    from nodepools.clouds.change import Known, Request
    from nodepools.clouds.eks.existing import EksIdentity
    from nodepools.clouds.eks.node_groups import NodeGroup
    from nodepools.clouds.eks.nodes_of_others import NodesOfOthers
    from nodepools.clouds.eks.steps import EksSteps
    from nodepools.clouds.item import ExistingStock
    from nodepools.clouds.prices import PoolCost, Prices
    from nodepools.clouds.rows import ClusterRow, PoolRow
    from nodepools.eks.cluster import EksCluster
    from nodepools.placement.node_pools import ClusterPools

_TAINTS: Final = {"system": ("CriticalAddonsOnly:NoSchedule",)}
"""Taints of the built-in NodePools."""


def nodes_of_others(cluster: object) -> "NodesOfOthers | None":
    """What is attached to a cluster of a program; `None` without any."""
    return cast("NodesOfOthers | None", attached_to(cluster)) if isinstance(cluster, EksClusterArgs) else None


@dataclass(frozen=True, slots=True)
class EksCloud:
    """A declared EKS cluster."""

    cluster: EksClusterArgs
    changing_names = MappingProxyType[str, str]({})
    """None: NodePools keep their names."""
    autoscaled_next_to_karpenter = frozenset[str]()
    """None: Auto Mode has no cluster autoscaler."""
    usage_places = tuple[tuple[str, str | None], ...]()
    """None: quotas that the AWS CLI prints name their region and account."""

    @classmethod
    def of(cls, cluster: object) -> "EksCloud | None":
        """The cluster, if it is an EKS cluster."""
        return cls(cluster) if isinstance(cluster, EksClusterArgs) else None

    @property
    def region(self) -> Region:
        """Its region, which AWS names as it is written."""
        from nodepools.data.regions import aws_regions

        return Region("AWS", "region", self.cluster.region, self.cluster.region, aws_regions)

    @property
    def version_check(self) -> str:
        """`aws eks describe-cluster-versions` lists what a region offers."""
        listed = f"aws eks describe-cluster-versions --region {self.region.name} --query 'clusterVersions[].[clusterVersion]' --output text"
        return f"{listed} | grep -Fqx {self.cluster.kubernetes_version}"

    def pools(self, key: str, stem: str) -> "ClusterPools":
        """NodePools: the built-in ones that are on, then the declared ones, then the pools of others."""
        from nodepools.clouds.eks.pools import EksPools

        declared, own = EksPools(self.cluster).pools(key, stem), nodes_of_others(self.cluster)
        return declared if own is None else own.next_to(declared)

    def needs(self, pools: "ClusterPools", existing: "ExistingStock", stem: str) -> ClusterNeeds:
        """Addresses of subnets, and vCPUs by instance class."""
        from nodepools.clouds.eks.resources import EksResources

        groups = tuple(group for group in existing.groups if self.has_node_group(group, stem))
        resources, own = EksResources(self.cluster, pools, existing.subnets, groups), nodes_of_others(self.cluster)
        items = tuple(resources.items())
        if own is not None:
            from nodepools.clouds.eks.nodes_of_others import selected_subnets

            items = (*items, *selected_subnets(pools.provisioned, own.classes, existing.subnets))
        return ClusterNeeds(items, tuple(resources.uses()))

    def agent_pools_of_others(self, existing: "ExistingStock", stem: str) -> Sequence["ExistingAgentNodes"]:  # noqa: ARG002
        """EKS has none."""
        return ()

    def has_node_group(self, group: "NodeGroup", stem: str) -> bool:
        """Names of clusters are unique within an account and region."""
        return (group.cluster, group.region) == (self.cluster.cluster_name(stem), self.cluster.region)

    def can_declare_node(self, labels: Mapping[str, str]) -> bool:  # noqa: ARG002
        """It has no agent pools."""
        return False

    def costs(self, key: str, stem: str, prices: "Prices") -> Iterator["PoolCost"]:
        """Every NodePool, by its limits, and node groups of others."""
        from nodepools.clouds.node_pool_cost import node_group_cost, node_pool_cost

        own = nodes_of_others(self.cluster)
        yield from (node_pool_cost(place, "aws", self.cluster.region, prices) for place in self.pools(key, stem).provisioned)
        yield from (node_group_cost(group, prices, key) for group in own.groups) if own is not None else ()

    def requests(self, key: str, stem: str) -> Iterator["Request"]:
        """The network, logs, roles, the cluster, access, add-ons and objects."""
        from nodepools.clouds.eks.requests import eks_requests
        from nodepools.clouds.karpenter_requests import Site

        return eks_requests(self.cluster, Site(stem, key))

    def upgrade(self, key: str, stem: str, pools: "ClusterPools") -> "EksSteps":
        """Control plane, then NodePools."""
        from nodepools.clouds.eks.steps import EksSteps

        return EksSteps(self.cluster, key, stem, pools)

    def objects(self, stem: str, resolve: Resolve) -> Iterator[Manifest]:
        """The switch of network policies, node classes, the NodePools that use them, and the other objects of Auto Mode."""
        from nodepools.clouds.eks.auto_mode_objects import auto_mode_objects, cluster_security_group, network_policy_controller, private_subnets
        from nodepools.clouds.karpenter_objects import eks_node_class, headroom_objects, node_pool
        from nodepools.model.eks.node_class_names import class_name, class_role
        from nodepools.wire.karpenter import EKS_NODE_CLASS

        args, names = self.cluster, dict[str, str]()
        if args.enforces_network_policies:
            yield network_policy_controller()
        groups = cluster_security_group(args.cluster_name(stem))
        for place, key, declared in args.auto_mode.all_classes():
            role = class_role(stem, args, key, declared, resolve)
            names[place] = class_name(key, role, stem, declared.name)
            network = args.network
            subnets = private_subnets(stem) if isinstance(network, EksNetworkArgs) else [{"id": resolve(one)} for one in network.private_subnet_ids]
            yield eks_node_class(names[place], declared, resolve, role=role, subnets=subnets, security_groups=groups)
        for key, pool in args.applied_node_pools.items():
            yield node_pool(key, pool, EKS_NODE_CLASS, names.get(pool.node_class) if pool.node_class is not None else None, resolve)
        yield from headroom_objects(args)
        yield from (manifest for _, manifest in auto_mode_objects(args, resolve))

    def maintenance(self, cluster: str, start: "datetime", end: "datetime") -> Iterator[Maintenance]:  # noqa: ARG002
        """None: EKS has no maintenance windows."""
        return iter(())

    def identity(self, stem: str) -> "EksIdentity":
        """Its name, region and account."""
        from nodepools.clouds.eks.existing import eks_identity

        return eks_identity(self.cluster, stem)

    def known_besides_requests(self, stem: str) -> "Known":  # noqa: ARG002
        """Nothing."""
        from nodepools.clouds.change import Known

        return Known()

    def row(self, key: str) -> "ClusterRow":
        """One line."""
        from nodepools.clouds.rows import ClusterRow, api_access

        args = self.cluster
        own = None if args.node_pools or args.built_in_node_pools else nodes_of_others(args)
        others = [name for name, there in (("node groups", own.groups), ("self-managed Karpenter", own.pools)) if there] if own is not None else []
        launches = " and ".join(others) or f"Auto Mode, built-in pools: {', '.join(args.built_in_node_pools) or 'none'}"
        network = args.network.cidr or "existing"
        return ClusterRow(key, "EKS", args.region, args.kubernetes_version, network, api_access(args.api_server), launches)

    def pool_rows(self, key: str) -> Iterator["PoolRow"]:
        """NodePools, then the built-in ones."""
        from nodepools.clouds.rows import built_in_row, node_pool_row

        yield from (node_pool_row(key, name, pool) for name, pool in self.cluster.node_pools.items())
        yield from (built_in_row(key, name, *_TAINTS.get(name, ())) for name in self.cluster.built_in_node_pools)
        own = nodes_of_others(self.cluster)
        if own is not None:
            yield from (node_pool_row(key, place.name, place.pool) for place in own.pools)
            yield from (group.row(key) for group in own.groups)

    def prerequisites(self) -> Prerequisites:
        """The AWS CLI, IAM permissions, and quota of VPCs and vCPUs."""
        from nodepools.clouds.eks.prerequisites import eks_prerequisites

        return eks_prerequisites(self.cluster, self.pools("", ""))

    def export_commands(self, stem: str, folder: str) -> Iterator[str]:
        """Commands of the AWS CLI and kubectl."""
        from nodepools.clouds.eks.prerequisites import eks_commands
        from nodepools.clouds.rows import Place

        return eks_commands(self.cluster, Place(stem, folder))

    def component(self, name: str, options: "pulumi.ResourceOptions | None" = None) -> "EksCluster":
        """Registers the component `EksCluster`."""
        import nodepools

        return nodepools.EksCluster(name, self.cluster, options)

    def exported_outputs(self, component: "AksCluster | EksCluster") -> Sequence[str]:  # noqa: ARG002
        """Those that exist in every cloud."""
        return ("endpoint", "oidc_issuer", "pools")
