"""Access to an EKS cluster, pod identities and EKS add-ons. Facts: docs/facts/eks.md C21 to C23, C41, C42."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Final, Literal

from pydantic import Field

from nodepools.model.base import Model
from nodepools.model.ref import Ref

CLUSTER_POLICIES: Final = tuple(f"AmazonEKS{name}Policy" for name in ("Cluster", "Compute", "BlockStorage", "LoadBalancing", "Networking"))
NODE_POLICIES: Final = ("AmazonEKSWorkerNodeMinimalPolicy", "AmazonEC2ContainerRegistryPullOnly")
"""The IAM policies of the roles that are created."""


class AccessPolicy(Model):
    """An EKS access policy: permissions of a principal inside the cluster. It is not an IAM policy."""

    name: str = Field(kw_only=False, min_length=1)
    """Name of the access policy: `AmazonEKSClusterAdminPolicy`, `AmazonEKSAdminPolicy`, `AmazonEKSEditPolicy`, `AmazonEKSViewPolicy`, …"""
    namespaces: Sequence[str] = ()
    """Namespaces that the policy is limited to. Default: all namespaces."""


class AccessEntry(Model):
    """Gives an IAM principal access to the cluster. A principal has at most one entry."""

    principal: Ref
    """ARN of an IAM role or user."""
    type: Literal["STANDARD", "EC2", "EC2_LINUX", "EC2_WINDOWS", "FARGATE_LINUX", "HYBRID_LINUX", "HYPERPOD_LINUX"] = "STANDARD"
    """`STANDARD` for people and programs, `EC2` for nodes of Auto Mode. A change replaces the entry. Cloud default `STANDARD`."""
    policies: Sequence[AccessPolicy] = ()
    """Access policies of the principal. Default: only the permissions of its groups."""
    groups: Sequence[str] = ()
    """Kubernetes groups of the principal, for your own role bindings. Only for `STANDARD` entries."""
    user_name: str | None = None
    """Kubernetes user name of the principal. Default: its ARN. Only for `STANDARD` entries."""


class PodRole(Model):
    """The IAM role of the pods of a service account: an existing one, or a new one with policies."""

    role: Ref | None = None
    """ARN of an existing role. It must trust `pods.eks.amazonaws.com` with `sts:AssumeRole` and `sts:TagSession`. Default: a new role with
    `policies`. A change is in place; running pods keep their credentials."""
    policies: Sequence[Ref] = ()
    """IAM policies of the new role: names of AWS managed policies, such as `AmazonS3ReadOnlyAccess` or `service-role/AmazonEFSCSIDriverPolicy`, or
    ARNs of any policies; IAM allows 10 by default. The role has the path and the permissions boundary of the cluster. A change is in place."""
    statements: Sequence[Mapping[str, object]] = ()
    """Statements of an inline policy of the new role, as IAM spells them: `{"Effect": "Allow", "Action": ["s3:GetObject"], "Resource": ["arn:…"]}`. A
    change is in place. Source: IAM user guide, reference_policies_elements_statement."""


class PodIdentity(PodRole):
    """Gives the pods of a service account an IAM role. Auto Mode includes the Pod Identity agent."""

    namespace: str = Field(min_length=1)
    """Namespace of the service account."""
    service_account: str = Field(min_length=1)
    """Name of the service account, which does not have to exist yet."""
    target_role: Ref | None = None
    """ARN of a role, possibly in another account, that the role of the pods assumes for them. A new role gets the permission to assume it; the target
    must trust the new role with `sts:AssumeRole` and `sts:TagSession`."""
    session_tags: bool = True
    """Whether EKS tags the sessions of the pods with cluster, namespace, service account and pod, which policies can require. A change is in place;
    running pods keep their credentials. Cloud default true. Source: EKS API reference, CreatePodIdentityAssociation."""
    session_policy: Mapping[str, object] | None = None
    """IAM policy that the permissions of the role are limited to: `{"Version": "2012-10-17", "Statement": […]}`, for several service accounts with
    one role. It requires `session_tags=False`. A change is in place; running pods keep their credentials. Source: EKS API reference,
    CreatePodIdentityAssociation."""
    overrides: Mapping[str, object] = {}
    """Arguments of `aws:eks:PodIdentityAssociation` in its Python spelling, for arguments that have no field yet. They replace what the fields
    send."""


class IdentityProvider(Model):
    """An OpenID Connect provider of people, next to IAM, such as Entra ID or Okta. A change replaces it: its users have no access for some minutes.

    A cluster has at most one. Source: EKS API reference, OidcIdentityProviderConfigRequest.
    """

    name: str = Field(min_length=1)
    """Name of its configuration in EKS."""
    issuer_url: Ref
    """URL of the provider, which begins with `https://`: the `iss` of its tokens. EKS must reach it over the internet."""
    client_id: Ref
    """Id of the client for which its tokens are issued: their `aud`."""
    username_claim: str | None = Field(default=None, min_length=1)
    """Claim with the user name. Cloud default `sub`."""
    username_prefix: str | None = Field(default=None, min_length=1)
    """Text before user names, such as `oidc:`; `-` for none. Cloud default: the URL of the provider and `#`, and none for the claim `email`."""
    groups_claim: str | None = Field(default=None, min_length=1)
    """Claim with the groups, for role bindings. Cloud default: users have no groups of the provider."""
    groups_prefix: str | None = Field(default=None, min_length=1)
    """Text before the names of groups, such as `oidc:`. Cloud default none."""
    required_claims: Mapping[Annotated[str, Field(min_length=1, max_length=63)], Annotated[str, Field(min_length=1, max_length=253)]] = {}
    """Claims that a token must have, with their values."""


class AddOn(Model):
    """An EKS add-on. Auto Mode already includes networking, DNS, block storage, pod identity and load balancing."""

    version: str | None = None
    """Version, such as `v1.19.0-eksbuild.1`. Default: the default version for the Kubernetes version of the cluster."""
    configuration: Mapping[str, object] = {}
    """Configuration values, according to the schema of the add-on."""
    role: Ref | None = None
    """ARN of the IAM role of its service account, by OIDC, which requires `oidc_provider`."""
    pod_identity: Mapping[str, PodRole] = {}
    """IAM roles of its pods by the names of its service accounts: `cloudwatch-agent` needs `CloudWatchAgentServerPolicy`, for example. They need no
    OIDC provider. A change is in place; EKS restarts the pods of the add-on."""
    namespace: str | None = Field(default=None, min_length=1, max_length=63)
    """Namespace of the add-on. Default: the one of each add-on. A change replaces the add-on."""
    keep: bool = False
    """Whether its Kubernetes resources stay when the add-on is removed."""

    @classmethod
    def cloudwatch(cls, *, version: str | None = None, configuration: Mapping[str, object] = MappingProxyType({})) -> "dict[str, AddOn]":
        """Metrics, logs and traces in CloudWatch, for `add_ons`: the add-on `amazon-cloudwatch-observability`, and a new role with its policies.

        Source: https://docs.aws.amazon.com/eks/latest/userguide/workloads-add-ons-available-eks.html
        """
        return cls._with_role("amazon-cloudwatch-observability", version, configuration)

    @classmethod
    def efs(cls, *, version: str | None = None, configuration: Mapping[str, object] = MappingProxyType({})) -> "dict[str, AddOn]":
        """Volumes in Amazon EFS, for `add_ons`: the add-on `aws-efs-csi-driver`, and a new role with its policy.

        Source: https://docs.aws.amazon.com/eks/latest/userguide/workloads-add-ons-available-eks.html
        """
        return cls._with_role("aws-efs-csi-driver", version, configuration)

    @classmethod
    def _with_role(cls, name: str, version: str | None, configuration: Mapping[str, object]) -> "dict[str, AddOn]":
        account, *policies = _ROLES[name]
        return {name: cls(version=version, configuration=configuration, pod_identity={account: PodRole(policies=policies)})}


_ROLES: Final[Mapping[str, tuple[str, ...]]] = {
    "amazon-cloudwatch-observability": ("cloudwatch-agent", "CloudWatchAgentServerPolicy", "AWSXrayWriteOnlyAccess"),
    "aws-efs-csi-driver": ("efs-csi-controller-sa", "service-role/AmazonEFSCSIDriverPolicy"),
}
"""Add-on: its service account, and the managed policies that its user guide requires. Others need policies that name resources of yours."""
