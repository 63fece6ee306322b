"""What a cluster of EKS Auto Mode can have next to it: objects that EKS does not create, and the log group of its control plane.

Facts: docs/facts/eks.md C43, § 16.
"""

from typing import Literal

from pydantic import Field

from nodepools.model.base import Model
from nodepools.model.ref import Ref

Retention = Literal[0, 1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653]


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
