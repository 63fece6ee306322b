"""Selects the network of a cluster: a new one, or an existing one."""

from collections.abc import Sequence
from dataclasses import dataclass

import pulumi

from nodepools.component.checked import as_checked
from nodepools.eks.cluster_context import ClusterContext
from nodepools.eks.network import EksNetwork
from nodepools.manifests.eks_selectors import private_subnets
from nodepools.model.eks.network import EksNetworkArgs


@dataclass(frozen=True, slots=True)
class SelectedNetwork:
    """The network as the cluster and its NodeClasses use it."""

    control_plane_subnets: Sequence[pulumi.Input[str]]
    node_subnets: Sequence[dict[str, object]]
    """Selector terms of a NodeClass."""
    vpc_id: pulumi.Input[str]
    private_subnet_ids: Sequence[pulumi.Input[str]]
    """Subnets of the nodes."""
    egress: Sequence[pulumi.Resource] = ()
    """Resources that must outlive the last node; empty for an existing network."""


def location(site: ClusterContext) -> SelectedNetwork:
    """Creates the network, or uses the existing one."""
    scope, declared = site.scope, site.args.network
    if isinstance(declared, EksNetworkArgs):
        with as_checked(declared):
            made = EksNetwork(scope.stem, declared, site.args.region, scope.tags, protect=site.args.is_protected, opts=scope.component_options())
        subnets = [subnet.id for subnet in made.private_subnets]
        return SelectedNetwork(subnets, private_subnets(scope.stem), made.vpc_id, subnets, made.egress)
    nodes = [scope.value(subnet) for subnet in declared.private_subnet_ids]
    control_plane = [scope.value(subnet) for subnet in declared.control_plane_subnet_ids]
    return SelectedNetwork(control_plane if control_plane else nodes, [{"id": subnet} for subnet in nodes], scope.value(declared.vpc_id), nodes)
