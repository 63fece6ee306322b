"""What a cluster of EKS Auto Mode can have next to it: objects that EKS does not create, and the log group and settings of its control plane.

Facts: docs/facts/eks.md C43, C49, § 16.
"""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from nodepools.model.base import Model
from nodepools.model.ref import Ref

Retention = Literal[0, 1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653]


_FIRST_PORT, _LAST_PORT = 30000, 32767
"""Cloud defaults of node ports."""


class LogGroup(Model):
    """The log group of the control plane logs, `/aws/eks/NAME/cluster`, which is created before the cluster.

    EKS itself creates a missing one without retention and without a key.
    """

    retention_days: Retention = 90
    """Days after which CloudWatch deletes log events; 0 keeps them forever. A change is in place, and a shorter time deletes older events. Cloud
    default 0, at the price of storage."""
    kms_key: Ref | None = None
    """ARN of a symmetric KMS key that encrypts the logs, in the region of the cluster. Its key policy must allow `logs.REGION.amazonaws.com` to use
    it: otherwise `pulumi up` fails. A change is in place and applies to new log events; older ones need the former key. Cloud default: a key of
    CloudWatch."""
    keep: bool = False
    """Whether the log group stays in AWS when it is removed from the declaration or destroyed. To create a cluster of the same name again, first set
    `existing`, or import the group. Cloud default false."""
    existing: bool = False
    """Whether the log group is left alone: it exists and another tool manages it, or EKS creates it with the cluster. Set it for a cluster whose log
    group Pulumi does not manage, or import the group (docs/guides/eks-services.md): otherwise `pulumi up` fails with
    ResourceAlreadyExistsException. A change to true deletes the group with its logs, unless `keep` was applied before."""


class NewKey(Model):
    """A symmetric KMS key that is created with the cluster. IAM policies of the account decide who may use and delete it, as by default in KMS.

    Source: KMS developer guide, key-policy-default, rotate-keys, deleting-keys (2026-11).
    """

    rotation_days: int = Field(default=365, ge=90, le=2560)
    """Days between rotations, in which KMS keeps the older key material: nothing is encrypted again. A change is in place."""
    deletion_days: int = Field(default=30, ge=7, le=30)
    """Days until AWS deletes the key after `pulumi destroy`, in which the deletion can be canceled. A change is in place."""


class ControlPlane(Model):
    """Settings of kube-apiserver, kube-controller-manager and kube-scheduler, which hold for every workload of the cluster.

    They require Kubernetes 1.31. Changes are in place. To go back, set the default: what EKS does with a setting that is no longer sent is not
    documented. Source: EKS user guide, control-plane-configuration (2026-11).
    """

    event_ttl: str | None = Field(default=None, pattern=r"^[0-9]{1,9}[smh]$")
    """How long the API server keeps events, in one unit, such as `30m`: 10m to 60m. Cloud default `1h`."""
    first_node_port: int | None = Field(default=None, ge=1, le=65535)
    """First port of Services of type NodePort: 10260 to 32767. Cloud default 30000."""
    last_node_port: int | None = Field(default=None, ge=1, le=65535)
    """Last port of Services of type NodePort: 10260 to 32767. Cloud default 32767."""
    autoscaler_sync_period: str | None = Field(default=None, pattern=r"^[0-9]{1,9}[smh]$")
    """How often HorizontalPodAutoscalers are evaluated, in one unit: 10s to 15s. It requires a `control_plane_tier` above `standard`. Cloud default
    `15s`."""
    terminated_pods: int | None = Field(default=None, ge=0)
    """How many terminated pods the cluster keeps before the oldest are deleted: 0 to 12500. Default: the one of EKS for the version."""
    scoring: Literal["LeastAllocated", "MostAllocated"] | None = None
    """Which nodes kube-scheduler prefers, among those that a pod fits on: the emptiest (`LeastAllocated`, cloud default), or the fullest
    (`MostAllocated`), which leaves more nodes empty for consolidation. It moves no running pod, and Karpenter launches the same nodes."""
    scoring_weights: Mapping[str, Annotated[int, Field(ge=1, le=100)]] = Field(default={}, max_length=100)
    """Weights of resources in `scoring`, 1 to 100 by resource, such as `{"cpu": 2, "memory": 1}`. Default: the weights of EKS."""

    @property
    def node_ports(self) -> tuple[int, int]:
        """First and last port, with the defaults filled in."""
        first, last = self.first_node_port, self.last_node_port
        return first if first is not None else _FIRST_PORT, last if last is not None else _LAST_PORT


class StorageClass(Model):
    """A storage class for EBS volumes of Auto Mode. Volumes of the EBS CSI add-on can be attached only to nodes outside Auto Mode."""

    name: str = Field(default="auto-ebs", min_length=1)
    """Name of the storage class. Most fields of a storage class are immutable: to change them, use another name."""
    default: bool = True
    """Whether PersistentVolumeClaims without a storage class use it."""
    volume_type: Literal["gp3", "gp2", "io1", "io2", "st1", "sc1"] = "gp3"
    """EBS volume type. Cloud default `gp3`."""
    encrypted: bool = True
    """Whether volumes are encrypted."""
    kms_key: Ref | None = None
    """KMS key that encrypts volumes: id, ARN or alias. Default: the account's key for EBS."""
    reclaim: Literal["Delete", "Retain"] = "Delete"
    """What happens to a volume when its PersistentVolumeClaim is deleted."""
    expansion: bool = True
    """Whether PersistentVolumeClaims can be expanded."""


class IngressClass(Model):
    """An ingress class for application load balancers of Auto Mode."""

    name: str = Field(default="alb", min_length=1)
    """Name of the ingress class and of its parameters."""
    default: bool = True
    """Whether Ingresses without an ingress class use it."""
    scheme: Literal["internet-facing", "internal"] | None = None
    """Who can reach the load balancers: the internet, through public subnets, or only the VPC. Default: `internal` if the network has no public
    subnets (`public_subnets=False`), otherwise `internet-facing`. A change replaces the load balancers of Ingresses."""


class ClusterObjects(Model):
    """Objects inside the cluster in addition to NodeClasses and NodePools. `None` creates no such object."""

    storage_class: StorageClass | None = StorageClass()
    """A storage class. Without one, PersistentVolumeClaims stay Pending."""
    ingress_class: IngressClass | None = IngressClass()
    """An ingress class. Without one, Ingresses get no load balancer."""
    network_policies: bool | None = None
    """Whether network policies are enforced: the ConfigMap `kube-system/amazon-vpc-cni` turns the controller on. Default: on if a NodeClass sets
    `network_policy`. Set `True` for network policies without such a NodeClass, `False` if another tool applies the ConfigMap."""
