"""The Kubernetes provider of a cluster, and the objects inside it: registered, or as YAML for other tools to apply."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, cast

import pulumi
import pulumi_kubernetes
import yaml
from pulumi_kubernetes.apiextensions import CustomResource

from nodepools.clouds.registry import cloud_of
from nodepools.component.scope import ChildScope, secret_if, with_secrets
from nodepools.model.kubernetes.duration import Timeouts
from nodepools.model.platform import AnyCluster
from nodepools.model.ref import Ref
from nodepools.reading.yaml_scalars import TextDumper

LOADED: Final = pulumi_kubernetes.meta.v1.ObjectMetaArgs
"""Pulumi reads this type when it sends an object, after the lock of a component: of two threads that load it then, one does not find it."""


def rendered_objects(scope: ChildScope, args: AnyCluster) -> pulumi.Output[str]:
    """One document for each object, node classes before the pools that use them."""
    references: list[Ref] = []

    def collect(ref: Ref) -> str:
        references.append(ref)
        return ""

    known = list(cloud_of(args).objects(scope.stem, collect))  # the second call resolves the references in the same order

    def written(resolved: Sequence[str]) -> str:
        values = iter(resolved)
        objects = list(cloud_of(args).objects(scope.stem, lambda _: next(values)))
        return yaml.dump_all(objects, Dumper=TextDumper, explicit_start=True, sort_keys=False, allow_unicode=True, width=150)

    return secret_if(pulumi.Output.all(*[scope.value(ref) for ref in references]).apply(written), known)


def cluster_provider(
    scope: ChildScope, kubeconfig: pulumi.Input[str], cluster_name: pulumi.Input[str], depends_on: Iterable[pulumi.Input[pulumi.Resource]] = ()
) -> pulumi_kubernetes.Provider:
    """A provider for one cluster.

    It has the cluster identifier: without it, a new kubeconfig (another server name, a renewed certificate) would count as
    another cluster, and every object would be replaced.
    """
    return pulumi_kubernetes.Provider(
        scope.name("kubernetes"),
        kubeconfig=pulumi.Output.secret(kubeconfig),
        cluster_identifier=cluster_name,
        opts=pulumi.ResourceOptions(parent=scope.parent, depends_on=list(depends_on)),
    )


def in_cluster(
    scope: ChildScope,
    name: str,
    manifest: Mapping[str, object],
    provider: pulumi_kubernetes.Provider,
    *,
    depends_on: Iterable[pulumi.Input[pulumi.Resource]] = (),
    timeouts: Timeouts | None = None,
    deleted_with: pulumi.Resource | None = None,
) -> CustomResource:
    """Registers one object. `name` is the name of the resource; the name of the object is in the manifest."""
    return CustomResource(
        scope.name(name),
        api_version=str(manifest["apiVersion"]),
        kind=str(manifest["kind"]),
        metadata=manifest["metadata"],  # type: ignore[arg-type]  # a dict is taken for the generated class
        spec=with_secrets(manifest["spec"]),
        opts=scope.options(depends_on=depends_on, timeouts=timeouts, provider=provider, deleted_with=deleted_with),
    )


def in_cluster_without_nodes(
    scope: ChildScope,
    manifest: Mapping[str, object],
    provider: pulumi_kubernetes.Provider,
    cluster: pulumi.Resource,
    needs: Iterable[pulumi.Input[pulumi.Resource]],
) -> None:
    """Registers an object that has no nodes, and can be deleted with the cluster. Its resource has its name; it can be without a `spec`."""
    name = str(cast("Mapping[str, object]", manifest["metadata"])["name"])
    if "spec" in manifest:
        in_cluster(scope, name, manifest, provider, depends_on=needs, deleted_with=cluster)
        return
    version = str(manifest["apiVersion"])
    kind = f"kubernetes:{version if '/' in version else f'core/{version}'}:{manifest['kind']}"
    pulumi.CustomResource(kind, scope.name(name), dict(manifest), scope.options(depends_on=needs, provider=provider, deleted_with=cluster))


def object_name(resource: CustomResource) -> pulumi.Output[str]:
    """The name of the object inside the cluster, as an output: its users are created after it and deleted before it."""
    metadata = cast("pulumi.Output[Mapping[str, str]]", vars(resource)["metadata"])  # an untyped resource: its outputs have no properties
    return metadata.apply(lambda known: known["name"])
