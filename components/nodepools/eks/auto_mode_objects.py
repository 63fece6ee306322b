"""Objects that Auto Mode uses but does not create. They have no nodes and are deleted with the cluster."""

import pulumi
import pulumi_kubernetes
from pulumi_kubernetes.core.v1 import ConfigMapPatch
from pulumi_kubernetes.storage.v1 import StorageClass

from nodepools.component.scope import ChildScope
from nodepools.eks.cluster_context import ClusterContext
from nodepools.kubernetes.provider import in_cluster
from nodepools.manifests.auto_mode_objects import Object, auto_mode_objects, network_policy_controller


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
