"""The objects inside a cluster as YAML, for others to apply, with what only a run of the program knows."""

from collections.abc import Sequence

import pulumi
import yaml

from nodepools.component.scope import ChildScope
from nodepools.manifests.cluster_manifests import cluster_objects
from nodepools.model.per_cloud import AnyCluster
from nodepools.model.ref import Ref


def rendered_objects(scope: ChildScope, args: AnyCluster) -> pulumi.Output[str]:
    """One document an object, node classes before the pools that use them."""
    asked: list[Ref] = []

    def noted(ref: Ref) -> str:
        asked.append(ref)
        return ""

    cluster_objects(scope.stem, args, noted)  # for the references in it, which come in the same order the second time

    def written(known: Sequence[str]) -> str:
        values = iter(known)
        objects = cluster_objects(scope.stem, args, lambda _: next(values))
        return yaml.safe_dump_all(objects, explicit_start=True, sort_keys=False, allow_unicode=True, width=150)

    return pulumi.Output.all(*[scope.value(ref) for ref in asked]).apply(written)
