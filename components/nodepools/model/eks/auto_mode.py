"""EKS Auto Mode: built-in pools, custom NodeClasses and NodePools. Facts: eks.md § 2, § 3."""

from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import Field

from nodepools.model.base import Model
from nodepools.model.karpenter import NodePool
from nodepools.model.kubernetes.quantity import Quantity
from nodepools.model.ref import Ref
from nodepools.model.timeouts import Timeouts


class SelectorTerm(Model):
    """Picks subnets or security groups by id, or by tags that all hold. Several terms add up."""

    id: Ref | None = None
    """`subnet-…` or `sg-…`."""
    name: str | None = None
    """Name of a security group; not for subnets."""
    tags: Mapping[str, str] = Field(default={}, max_length=20)
    """Tag key to value; `*` is any value."""


class EksNodeClass(Model):
    """An eks.amazonaws.com/v1 NodeClass. A change replaces the nodes of every pool that uses it."""

    role: Ref | None = None
    """Name (not ARN) of an existing IAM role of the nodes, with its path but without a leading slash. The cluster's node role when left out."""
    own_role: bool = False
    """Whether a node role of its own is made for this class, so that its nodes can be given rights that others have not."""
    subnets: Sequence[SelectorTerm] = Field(default=(), max_length=30)
    """Subnets of the nodes; the private ones of the cluster's network when left out."""
    security_groups: Sequence[SelectorTerm] = Field(default=(), max_length=30)
    """Security groups of the nodes; the cluster's when left out."""
    ephemeral_storage: Quantity = "80Gi"
    """Size of the node's disk: `Gi`, `G`, `Ti` or `T`, whole numbers, 1 to 59000Gi. Cloud default 80Gi."""
    ephemeral_storage_iops: int | None = Field(default=None, ge=3000, le=16000)
    """3000 to 16000. Cloud default 3000."""
    ephemeral_storage_throughput: int | None = Field(default=None, ge=125, le=1000)
    """MiB a second, 125 to 1000. Cloud default 125."""
    ephemeral_storage_kms_key_id: Ref | None = None
    """Key that encrypts it: id, ARN, `alias/…` or alias ARN. Since 2025-04-11."""
    network_policy: Literal["DefaultAllow", "DefaultDeny"] = "DefaultAllow"
    """What pods without a network policy may do. Cloud default `DefaultAllow`."""
    network_policy_event_logs: Literal["Disabled", "Enabled"] = "Disabled"
    """Whether network policy decisions are logged. Cloud default `Disabled`."""
    snat_policy: Literal["Random", "Disabled"] = "Random"
    """How the source port of traffic that leaves the VPC is chosen. Cloud default `Random`."""
    tags: Mapping[str, str] = {}
    """AWS tags of the nodes and their disks; the extra rights that the cluster role needs for them come with it."""
    timeouts: Timeouts = Timeouts(create="15m", update="15m", delete="60m")
    """How long Pulumi waits; a class goes only after the last of its nodes."""
    overrides: Mapping[str, object] = {}
    """Laid over the object's `spec`, for what is not modelled yet."""


class EksNodePool(NodePool):
    """A NodePool of EKS Auto Mode."""


BuiltIn = Literal["system", "general-purpose"]


class AutoMode(Model):
    """EKS Auto Mode."""

    built_in_node_pools: Sequence[BuiltIn] = ("general-purpose", "system")
    """The pools that AWS runs, on a class `default` of its own: `general-purpose`, `system` (tainted `CriticalAddonsOnly`), both or none."""
    node_classes: Mapping[str, EksNodeClass] = {}
    """NodeClasses by name; `default` is the built-in one's."""
    node_pools: Mapping[str, EksNodePool] = {}
    """NodePools by name; `general-purpose` and `system` are the built-in ones'."""
