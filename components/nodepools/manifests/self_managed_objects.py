"""Objects of self-managed Karpenter on AWS: the cloud creates none of them."""

from typing import Final

from nodepools.clouds.cloud_objects import CloudObjects
from nodepools.model.eks.self_managed import SelfManagedKarpenter

SELF_MANAGED_OBJECTS: Final = CloudObjects(
    parent=SelfManagedKarpenter,
    not_in_files=(),
    node_pools=(),
    node_classes=(),
    is_created_by_cloud=lambda _, __: False,
    built_in="",
    built_in_fix="",
    built_in_source="",
)
