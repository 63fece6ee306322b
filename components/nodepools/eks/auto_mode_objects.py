"""The objects that Auto Mode can use and does not make. They hold no nodes, and go with the cluster."""

import pulumi
import pulumi_kubernetes
from pulumi_kubernetes.core.v1 import ConfigMapPatch
from pulumi_kubernetes.storage.v1 import StorageClass

from nodepools.component.scope import ChildScope
from nodepools.eks.cluster_context import ClusterContext
from nodepools.kubernetes.provider import in_cluster
from nodepools.manifests.auto_mode_objects import Object, auto_mode_objects, network_policy_controller


def register_auto_mode_objects(site: ClusterContext, cluster: pulumi.Resource, provider: pulumi_kubernetes.Provider) -> None:
    """Registers the declared ones."""
    made: list[pulumi.Resource] = []
    for word, manifest in auto_mode_objects(site.args.objects, site.scope.value):
        if manifest["kind"] == "StorageClass":
            _storage_class(site.scope, word, manifest, cluster, provider)
        else:
            made.append(in_cluster(site.scope, word, manifest, provider, depends_on=[cluster, *made], deleted_with=cluster))


def register_network_policies(site: ClusterContext, cluster: pulumi.Resource, provider: pulumi_kubernetes.Provider) -> list[pulumi.Resource]:
    """Turns the controller of network policies on, where that is declared; what node classes that rely on it come after.

    A patch and not a ConfigMap: where the object exists (applied by hand, or of the VPC CNI add-on of a mixed cluster) it could not be created, and
    all of it would go with ours. The server applies a patch: it makes the object where there is none, owns one key of it, and gives that key up when
    it goes. Where somebody else owns another value of the key, that is a conflict, which Pulumi tells.
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
    """It has no `spec`, as what else we register has."""
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
