"""NodeClasses and NodePools inside the cluster. Facts: docs/facts/eks.md § 1.4, § 2, § 3."""

from collections.abc import Mapping, Sequence

import pulumi
import pulumi_kubernetes
from pulumi_aws import eks
from pulumi_kubernetes.apiextensions import CustomResource
from pulumi_kubernetes.core.v1 import ConfigMapPatch
from pulumi_kubernetes.storage.v1 import StorageClass

from nodepools.clouds.eks.auto_mode_objects import Object, auto_mode_objects, cluster_security_group, network_policy_controller
from nodepools.clouds.karpenter_objects import eks_node_class, headroom_objects, node_pool
from nodepools.component.scope import ChildScope
from nodepools.eks.cluster_context import ClusterContext
from nodepools.eks.iam_roles import NodeRole, NodeRoles
from nodepools.eks.network import SelectedNetwork
from nodepools.kubernetes.provider import cluster_provider, in_cluster, in_cluster_without_nodes, object_name
from nodepools.model.eks.node_class import EksNodeClass
from nodepools.model.eks.node_class_names import PROFILE, class_name
from nodepools.model.values import dataclass
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
    made = {key: _node_pool(site, reached, key, classes, provider) for key in auto_mode.node_pools}
    for manifest in headroom_objects(site.args):
        in_cluster_without_nodes(site.scope, manifest, provider, reached.cluster, [*reached.base, *made.values()])
    return made


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
        node_pool(key, declared, EKS_NODE_CLASS, object_name(made) if made is not None else None, site.scope.value),
        provider,
        depends_on=needs,
        timeouts=declared.timeouts,
    )


def register_auto_mode_objects(site: ClusterContext, cluster: pulumi.Resource, provider: pulumi_kubernetes.Provider) -> None:
    """Registers the declared objects."""
    made: list[pulumi.Resource] = []
    for word, manifest in auto_mode_objects(site.args, site.scope.value):
        if manifest["kind"] == "StorageClass":
            _storage_class(site.scope, word, manifest, cluster, provider)
        else:
            made.append(in_cluster(site.scope, word, manifest, provider, depends_on=[cluster, *made], deleted_with=cluster))


def register_network_policies(site: ClusterContext, cluster: pulumi.Resource, provider: pulumi_kubernetes.Provider) -> list[pulumi.Resource]:
    """Turns the controller of network policies on, if declared; returns what node classes depend on.

    The resource is a patch instead of a ConfigMap: an object that exists (applied manually, or part of the VPC CNI add-on of a mixed cluster) could
    not be created, and would be deleted with the resource. A server-side patch creates a missing object, owns one key of it, and releases that key
    when it is deleted. If another owner has set another value for the key, Pulumi reports a conflict.
    """
    if not site.args.enforces_network_policies:
        return []
    manifest = network_policy_controller()
    return [
        ConfigMapPatch(
            site.scope.name("network-policies"),
            metadata=manifest["metadata"],  # type: ignore[arg-type]  # a dict is taken for the generated class
            data=manifest["data"],  # type: ignore[arg-type]  # made for it
            opts=site.scope.options(depends_on=[cluster], provider=provider, deleted_with=cluster),
        )
    ]


def _storage_class(scope: ChildScope, word: str, manifest: Object, cluster: pulumi.Resource, provider: pulumi_kubernetes.Provider) -> None:
    """Registers a StorageClass, which has no `spec`, unlike other objects."""
    StorageClass(
        scope.name(word),
        metadata=manifest["metadata"],  # type: ignore[arg-type]  # a dict is taken for the generated class
        provisioner=str(manifest["provisioner"]),
        parameters=manifest["parameters"],  # type: ignore[arg-type]  # made for it
        reclaim_policy=str(manifest["reclaimPolicy"]),
        volume_binding_mode=str(manifest["volumeBindingMode"]),
        allow_volume_expansion=manifest["allowVolumeExpansion"] is True,
        allowed_topologies=manifest["allowedTopologies"],  # type: ignore[arg-type]  # made for it
        opts=scope.options(depends_on=[cluster], provider=provider, deleted_with=cluster),
    )
