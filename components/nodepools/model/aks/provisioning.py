"""AKS node auto provisioning (NAP): Karpenter, run by AKS. Facts: aks.md § 3."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from nodepools.model.base import Model
from nodepools.model.karpenter import NodePool
from nodepools.model.ref import Ref
from nodepools.model.timeouts import Timeouts


class AksNodeClass(Model):
    """A karpenter.azure.com/v1beta1 AKSNodeClass. A change replaces the nodes of every pool that uses it, `tags` aside."""

    image_family: Literal["Ubuntu", "Ubuntu2204", "Ubuntu2404", "AzureLinux"] = "Ubuntu"
    """Node image. Cloud default `Ubuntu`."""
    os_disk_size_gb: int | None = Field(default=None, ge=30, le=2048)
    """GiB, 30 to 2048; cloud default 128. Ephemeral where the VM size can hold it."""
    max_pods: int | None = Field(default=None, ge=10, le=250)
    """Pods a node, 10 to 250; 250 in overlay networks when left out."""
    vnet_subnet_id: Ref | None = None
    """Id of a subnet in the cluster's virtual network; the cluster's own when left out. Not in a network that AKS manages."""
    tags: Mapping[str, str] = {}
    """Azure tags of the nodes."""
    timeouts: Timeouts = Timeouts(create="15m", update="15m", delete="60m")
    """How long Pulumi waits; a class goes only after the last of its nodes."""
    overrides: Mapping[str, object] = {}
    """Laid over the object's `spec`, for what is not modelled yet."""


class AksNodePool(NodePool):
    """A NodePool of node auto provisioning."""


class NodeProvisioning(Model):
    """Node auto provisioning, mode Auto: declared by being here."""

    default_node_pools: Literal["Auto", "None"] = "Auto"
    """Whether AKS makes the NodePools `default` and `system-surge`. From Auto to None they may be deleted, with their nodes."""
    node_classes: Mapping[str, AksNodeClass] = {}
    """AKSNodeClasses by name, beside the built-in `default` and `system-surge`."""
    node_pools: Mapping[str, AksNodePool] = {}
    """NodePools by name, beside the built-in ones."""
