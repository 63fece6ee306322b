"""Objects that the clouds create in every cluster, distinguished from other objects with the same names."""

from collections.abc import Iterator, Mapping
from typing import Final

from nodepools.clouds.aks.cloud_objects import AKS_OBJECTS
from nodepools.clouds.cloud_objects import CloudObjects
from nodepools.clouds.eks.cloud_objects import EKS_OBJECTS
from nodepools.manifests.manifest_objects import ManifestObject
from nodepools.manifests.supported_kinds import Cloud
from nodepools.model.base import Model
from nodepools.model.eks.ec2_node_class import SelfManagedKarpenter
from nodepools.model.kubernetes.raw_fields import PodError, mapping
from nodepools.model.listing import with_article
from nodepools.rules.engine.api_findings import object_finding
from nodepools.rules.engine.finding import Finding

_SELF_MANAGED: Final = CloudObjects(
    parent=SelfManagedKarpenter,
    not_in_files=(),
    node_pools=(),
    node_classes=(),
    is_created_by_cloud=lambda _, __: False,
    built_in="",
    built_in_fix="",
    built_in_source="",
)
"""The cloud creates no objects of self-managed Karpenter."""
OBJECTS_OF: Final[Mapping[Cloud, CloudObjects]] = {Cloud.EKS: EKS_OBJECTS, Cloud.AKS: AKS_OBJECTS, Cloud.SELF_MANAGED: _SELF_MANAGED}
"""The properties of the objects of each cloud."""


def holds(part: Model, cloud: Cloud) -> bool:
    """Tells whether `part` of a cluster contains the objects of `cloud`."""
    return isinstance(part, OBJECTS_OF[cloud].parent)


def is_of_the_cloud(written: ManifestObject, cloud: Cloud) -> bool:
    """Tells whether the cloud created the object, which was printed from a cluster: its users cannot change it."""
    try:
        metadata = mapping(written.raw, "metadata")
        labels, annotations = mapping(metadata, "labels"), mapping(metadata, "annotations")
    except PodError:
        return False
    return OBJECTS_OF[cloud].is_created_by_cloud(labels, annotations) and _has_built_in_name(written, cloud)


def has_built_in_name(written: ManifestObject, cloud: Cloud) -> Iterator[Finding]:
    """Yields a finding if the object has the name of a built-in one."""
    if _has_built_in_name(written, cloud):
        of = OBJECTS_OF[cloud]
        message = f"`{written.name}` is the name of {with_article(written.kind)} {of.built_in}"
        yield object_finding("OBJ012", ("metadata", "name"), message, fix=of.built_in_fix, value=written.name, source=of.built_in_source)


def _has_built_in_name(written: ManifestObject, cloud: Cloud) -> bool:
    return written.name in OBJECTS_OF[cloud].names(pools=written.kind == "NodePool")
