"""A cluster of the platform, with the worker of the payments team."""

from typing import TYPE_CHECKING, cast

import pulumi
import pulumi_kubernetes as kubernetes
from nodepools import AksCluster, AksClusterArgs, Platform, PoolRef

if TYPE_CHECKING:
    from pulumi_kubernetes.core.v1 import PodSpecArgsDict

WORKER = {"app": "worker"}


class PaymentsCluster(pulumi.ComponentResource):
    """An AKS cluster, and a worker on the pool that is declared for it."""

    kubeconfig: pulumi.Output[str]
    """Secret."""

    def __init__(self, platform: Platform, key: str, *, image: str, opts: pulumi.ResourceOptions | None = None) -> None:
        """Registers the cluster and the worker.

        Args:
            platform: the platform of the stack.
            key: key of the cluster, which must have a pool `worker`.
            image: container image of the worker.
            opts: resource options of the component.

        Raises:
            TypeError: the cluster is not an AKS cluster.
            KeyError: the cluster has no pool `worker`.
            DeclarationError: the declaration has errors.
        """
        declared = platform.cluster(key)
        if not isinstance(declared, AksClusterArgs):
            raise TypeError(f"payments run on AKS; {key} is a {type(declared).__name__}")
        pool = platform.pool(f"{key}/worker")
        stem = platform.stem(key)
        super().__init__("payments:index:PaymentsCluster", stem, {}, opts)
        cluster = AksCluster(stem, declared, pulumi.ResourceOptions(parent=self))
        # Created after the cluster and all its pools; deleted before any of them.
        inside = pulumi.ResourceOptions(parent=self, depends_on=[cluster])
        provider = kubernetes.Provider(f"{stem}-payments", kubeconfig=cluster.kubeconfig, opts=inside)
        objects = pulumi.ResourceOptions(parent=self, provider=provider)
        namespace = kubernetes.core.v1.Namespace(f"{stem}-payments", metadata={"name": "payments"}, opts=objects)
        kubernetes.apps.v1.Deployment(
            f"{stem}-worker",
            metadata={"name": "worker", "namespace": namespace.metadata["name"]},
            spec={
                "replicas": 2,
                "selector": {"match_labels": WORKER},
                "template": {"metadata": {"labels": WORKER}, "spec": _pod(image, pool)},
            },
            opts=objects,
        )
        self.kubeconfig = cluster.kubeconfig
        self.register_outputs({"kubeconfig": self.kubeconfig})


def _pod(image: str, pool: PoolRef) -> "PodSpecArgsDict":
    """The labels and tolerations come from the declaration of the pool."""
    return cast("PodSpecArgsDict", {"containers": [{"name": "worker", "image": image}], **pool.scheduling()})
