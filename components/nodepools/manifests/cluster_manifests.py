"""Renders all objects inside a cluster from its declaration: those that Pulumi applies, for other tools to apply."""

from nodepools.clouds.cloud import Manifest, Resolve
from nodepools.clouds.registry import cloud_of
from nodepools.model.clusters import AnyCluster


def cluster_objects(stem: str, args: AnyCluster, resolve: Resolve) -> list[Manifest]:
    """Returns the switch of network policies, the node classes, the NodePools that use them, and then all other objects."""
    return list(cloud_of(args).objects(stem, resolve))
