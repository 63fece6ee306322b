"""Who may do what with an EKS cluster, and what of EKS is installed in it. Facts: docs/facts/eks.md C21 to C23, C41, C42."""

from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import Field

from nodepools.model.base import Model
from nodepools.model.ref import Ref


class AccessPolicy(Model):
    """What a principal may do inside the cluster. An access policy of EKS, not of IAM."""

    name: str = Field(kw_only=False, min_length=1)
    """Its name: `AmazonEKSClusterAdminPolicy`, `AmazonEKSAdminPolicy`, `AmazonEKSEditPolicy`, `AmazonEKSViewPolicy`, …"""
    namespaces: Sequence[str] = ()
    """Only in these namespaces; everywhere when left out."""


class AccessEntry(Model):
    """Lets an IAM principal in. One principal has one entry."""

    principal: Ref
    """ARN of an IAM role or user."""
    type: Literal["STANDARD", "EC2", "EC2_LINUX", "EC2_WINDOWS", "FARGATE_LINUX", "HYBRID_LINUX", "HYPERPOD_LINUX"] = "STANDARD"
    """`STANDARD` for people and programs, `EC2` for nodes of Auto Mode. Fixed for the entry's life. Cloud default `STANDARD`."""
    policies: Sequence[AccessPolicy] = ()
    """What it may do; nothing but what its groups may, when left out."""
    groups: Sequence[str] = ()
    """Kubernetes groups that it belongs to, for role bindings of your own. Of `STANDARD` entries only."""
    user_name: str | None = None
    """What Kubernetes calls it; its ARN when left out. Of `STANDARD` entries only."""


class PodIdentity(Model):
    """Gives the pods of a service account an IAM role. Auto Mode brings the agent."""

    namespace: str = Field(min_length=1)
    """Namespace of the service account."""
    service_account: str = Field(min_length=1)
    """Its name; it need not exist yet."""
    role: Ref
    """ARN of the role, which trusts `pods.eks.amazonaws.com`."""
    target_role: Ref | None = None
    """ARN of a role, perhaps of another account, that `role` assumes for the pods."""


class AddOn(Model):
    """An EKS add-on. Auto Mode brings networking, DNS, block storage, pod identity and load balancing itself."""

    version: str | None = None
    """`v1.19.0-eksbuild.1`; the default one of the cluster's version when left out."""
    configuration: Mapping[str, object] = {}
    """Its settings, as its schema has them."""
    role: Ref | None = None
    """ARN of the role of its service account, by OIDC."""
    keep: bool = False
    """Whether what it installed stays when it is removed."""
