"""What EKS Auto Mode can use inside a cluster and does not make itself. Facts: docs/facts/eks.md C43."""

from typing import Literal

from pydantic import Field

from nodepools.model.base import Model
from nodepools.model.ref import Ref


class StorageClass(Model):
    """EBS volumes of Auto Mode for claims. Not of the EBS CSI add-on: its volumes stay on nodes outside Auto Mode."""

    name: str = Field(default="auto-ebs", min_length=1)
    """Its name. What a class says of its volumes is fixed: with another name it is another class."""
    default: bool = True
    """Whether claims without a class get it."""
    volume_type: Literal["gp3", "gp2", "io1", "io2", "st1", "sc1"] = "gp3"
    """EBS volume type. Cloud default `gp3`."""
    encrypted: bool = True
    """Whether volumes are encrypted."""
    kms_key: Ref | None = None
    """Key that encrypts them: id, ARN or alias; the account's own for EBS when left out."""
    reclaim: Literal["Delete", "Retain"] = "Delete"
    """What becomes of a volume when its claim is deleted."""
    expansion: bool = True
    """Whether claims can grow."""


class IngressClass(Model):
    """Application load balancers of Auto Mode for Ingresses."""

    name: str = Field(default="alb", min_length=1)
    """Its name, and that of its parameters."""
    default: bool = True
    """Whether Ingresses without a class get it."""
    scheme: Literal["internet-facing", "internal"] = "internet-facing"
    """Who reaches the load balancers: the internet, from public subnets, or the VPC only."""


class ClusterObjects(Model):
    """Objects beside node classes and pools; `None` leaves one out."""

    storage_class: StorageClass | None = StorageClass()
    """A storage class, without which claims of volumes stay pending."""
    ingress_class: IngressClass | None = IngressClass()
    """An ingress class, without which Ingresses get no load balancer."""
    network_policies: bool | None = None
    """Whether network policies are enforced: ConfigMap `kube-system/amazon-vpc-cni` turns the controller on. When left out, where a NodeClass sets
    `network_policy`; `True` for policies without such a class, `False` where someone else applies the ConfigMap."""
