"""The objects that Auto Mode can use and does not make. They hold no nodes, and go with the cluster."""

import pulumi
import pulumi_kubernetes
from pulumi_kubernetes.storage.v1 import StorageClass

from nodepools.component.scope import Scope
from nodepools.eks.site import Site
from nodepools.kubernetes.objects import in_cluster
from nodepools.manifests.auto_mode_objects import Object, auto_mode_objects


def register_auto_mode_objects(site: Site, cluster: pulumi.Resource, provider: pulumi_kubernetes.Provider) -> None:
    """Registers the declared ones."""
    made: list[pulumi.Resource] = []
    for word, manifest in auto_mode_objects(site.args.objects, site.scope.value):
        if manifest["kind"] == "StorageClass":
            _storage_class(site.scope, word, manifest, cluster, provider)
        else:
            made.append(in_cluster(site.scope, word, manifest, provider, depends_on=[cluster, *made], deleted_with=cluster))


def _storage_class(scope: Scope, word: str, manifest: Object, cluster: pulumi.Resource, provider: pulumi_kubernetes.Provider) -> None:
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
