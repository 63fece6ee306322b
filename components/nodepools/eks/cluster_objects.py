"""NodeClasses and NodePools inside the cluster. Facts: docs/facts/eks.md § 1.4, § 2, § 3."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pulumi
import pulumi_kubernetes
from pulumi_aws import eks
from pulumi_kubernetes.apiextensions import CustomResource

from nodepools.eks.auto_mode_objects import register_auto_mode_objects, register_network_policies
from nodepools.eks.cluster_context import ClusterContext
from nodepools.eks.iam_roles import NodeRole, NodeRoles
from nodepools.eks.network_selection import SelectedNetwork
from nodepools.kubernetes.provider import cluster_provider, in_cluster, object_name
from nodepools.manifests.eks_selectors import cluster_security_group
from nodepools.manifests.karpenter import eks_node_class, node_pool
from nodepools.model.eks.node_class import EksNodeClass
from nodepools.model.eks.node_class_names import PROFILE, class_name
from nodepools.wire.karpenter import EKS_NODE_CLASS


@dataclass(frozen=True, slots=True)
class ClusterConnection:
    """A cluster with access to its API server, and everything that must outlive the objects inside it."""

    cluster: eks.Cluster
    kubeconfig: pulumi.Input[str]
    admins: Sequence[pulumi.Resource]
    location: SelectedNetwork
    roles: NodeRoles
    admitted: Mapping[str, pulumi.Resource]
    """Access of the nodes, by NodeClass."""

    @property
    def base(self) -> list[pulumi.Resource]:
        """What every object needs until it is deleted: access to the API server, and the outbound route of the nodes that drain."""
        return [self.cluster, *self.admins, *self.location.egress]


def register_objects(site: ClusterContext, reached: ClusterConnection) -> dict[str, CustomResource]:
    """Registers all objects of the cluster and returns its NodePools by key.

    NodeClasses and NodePools do not set `deleted_with` to the cluster: their nodes would stay, and block the deletion of the network.
    """
    provider = cluster_provider(site.scope, reached.kubeconfig, reached.cluster.name, depends_on=[reached.cluster, *reached.admins])
    auto_mode = site.args.auto_mode
    enforced = register_network_policies(site, reached.cluster, provider)
    classes = {place: _node_class(site, reached, (place, key, declared), provider, enforced) for place, key, declared in auto_mode.all_classes()}
    register_auto_mode_objects(site, reached.cluster, provider)
    return {key: _node_pool(site, reached, key, classes, provider) for key in auto_mode.node_pools}


def _node_class(
    site: ClusterContext,
    reached: ClusterConnection,
    which: tuple[str, str, EksNodeClass],
    provider: pulumi_kubernetes.Provider,
    enforced: Sequence[pulumi.Resource],
) -> CustomResource:
    place, key, declared = which
    role = reached.roles.classes.get(place)
    known, named = _names(site, key, declared, role)
    manifest = eks_node_class(
        named,
        declared,
        site.scope.value,
        role=role.reference if role is not None else None,
        subnets=reached.location.node_subnets,
        security_groups=cluster_security_group(reached.cluster.name),
    )
    entered = [reached.admitted[place]] if place in reached.admitted else []
    if place != key:
        pulumi.log.info(
            f"NodeClass {known} retires: remove `previous` of {key} once `kubectl get nodeclaims` shows none of its nodes", site.scope.parent
        )
    return in_cluster(
        site.scope,
        known,
        manifest,
        provider,
        depends_on=[*enforced, *entered, *(role.policies if role is not None else ()), *reached.base],
        timeouts=declared.timeouts,
    )


def _names(site: ClusterContext, key: str, declared: EksNodeClass, role: NodeRole | None) -> tuple[str, str | pulumi.Output[str]]:
    """Names of a NodeClass in Pulumi and in the cluster: equal if the role of its nodes is known before deployment."""
    if declared.name is not None:
        return declared.name, declared.name
    stem = site.scope.stem
    profile = site.scope.value(declared.instance_profile) if declared.instance_profile is not None else None
    identity = role.reference if role is not None else pulumi.Output.concat(PROFILE, profile) if profile is not None else ""
    known = role.known if role is not None else f"{PROFILE}{profile}" if isinstance(profile, str) else None
    if known is not None:
        return class_name(key, known, stem), class_name(key, known, stem)
    return key, pulumi.Output.from_input(identity).apply(lambda reference: class_name(key, reference, stem))


def _node_pool(
    site: ClusterContext, reached: ClusterConnection, key: str, classes: Mapping[str, CustomResource], provider: pulumi_kubernetes.Provider
) -> CustomResource:
    """A NodePool takes the name of a declared NodeClass from the resource, so that it moves to another NodeClass in place."""
    declared = site.args.applied_node_pools[key]
    made = classes.get(declared.node_class) if declared.node_class is not None else None
    shared = reached.roles.built_in
    needs = [made, *reached.base] if made is not None else [*(shared.policies if shared is not None else ()), *reached.base]
    return in_cluster(
        site.scope,
        key,
        node_pool(key, declared, EKS_NODE_CLASS, node_class=object_name(made) if made is not None else None),
        provider,
        depends_on=needs,
        timeouts=declared.timeouts,
    )
