"""The CloudWatch log group of the control plane logs of an EKS cluster. Facts: docs/facts/eks.md § 16."""

from typing import Literal

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
