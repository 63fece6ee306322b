"""The objects inside a cluster as YAML for other tools to apply, with values that only a run of the program knows."""

from collections.abc import Sequence

import pulumi
import yaml

from nodepools.component.scope import ChildScope
from nodepools.component.secrets import secret_if
from nodepools.manifests.cluster_manifests import cluster_objects
from nodepools.model.clusters import AnyCluster
from nodepools.model.ref import Ref


def rendered_objects(scope: ChildScope, args: AnyCluster) -> pulumi.Output[str]:
    """One document for each object, node classes before the pools that use them."""
    references: list[Ref] = []

    def collect(ref: Ref) -> str:
        references.append(ref)
        return ""

    known = cluster_objects(scope.stem, args, collect)  # the second call resolves the references in the same order

    def written(resolved: Sequence[str]) -> str:
        values = iter(resolved)
        objects = cluster_objects(scope.stem, args, lambda _: next(values))
        return yaml.safe_dump_all(objects, explicit_start=True, sort_keys=False, allow_unicode=True, width=150)

    return secret_if(pulumi.Output.all(*[scope.value(ref) for ref in references]).apply(written), known)
