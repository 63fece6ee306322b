"""ARNs in the AWS partition of a cluster, and ids of security groups. Facts: docs/facts/eks.md § 7."""

import re
from collections.abc import Iterator

from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.steps import Step
from nodepools.rules.engine.finding import PartFinding, Severity
from nodepools.rules.engine.registry import Sample, finding, rule
from nodepools.rules.engine.samples import eks

_PARTITIONS = {"cn-": "aws-cn", "us-gov-": "aws-us-gov"}
_SESSION = re.compile(r"arn:(?P<partition>[^:]+):sts::(?P<account>[^:]*):(?:assumed-role/(?P<role>[^/]+))?.*")
_KEY = re.compile(r"arn:([^:]+):kms:([^:]+):")
_NOT_CHECKED = ("us-iso", "eu-iso", "eusc-")
"""Regions of isolated and sovereign partitions, which are not checked."""


@rule(
    "EKS095",
    Severity.ERROR,
    source="https://docs.aws.amazon.com/IAM/latest/UserGuide/reference-arns.html: partition",
    sample=Sample("admins[0]", lambda: eks(region="us-gov-west-1", admins=["arn:aws:iam::111122223333:role/admins"])),
)
def arn_in_other_partition(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """Roles and keys are in the AWS partition of the cluster: `aws`, `aws-cn` and `aws-us-gov` have no access to each other."""
    own = partition(cluster.region)
    for at, value in _references(cluster):
        if isinstance(value, str) and value.startswith("arn:") and own is not None and value.split(":")[1] != own:
            message = f"`{value}` is in another AWS partition than {cluster.region}"
            yield finding(cluster, message, path=at, fix=f"Use an ARN that starts with `arn:{own}:`")


@rule(
    "EKS185",
    Severity.ERROR,
    source="EKS API reference, Provider (2026-11): the key is in the region of the cluster; KMS keys are regional",
    sample=Sample("secrets_key", lambda: eks(secrets_key="arn:aws:kms:eu-west-1:111122223333:key/0a1b2c3d")),
)
def key_in_other_region(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """A service uses the KMS keys of its own region only."""
    for at, value in _references(cluster):
        key = _KEY.match(value) if isinstance(value, str) else None
        if key is not None and key[1] == partition(cluster.region) and key[2] != cluster.region:
            message = f"AWS rejects the key `{value}`: it is in {key[2]}, and the cluster is in {cluster.region}"
            yield finding(cluster, message, path=at, fix=f"Use a key, or the replica of a key, in {cluster.region}")


@rule(
    "EKS177",
    Severity.ERROR,
    source="EKS API reference, CreateAccessEntry (2026-11): no STS session principals; IAM user guide: the ARN of a role begins with arn:aws:iam",
    sample=Sample("admins[0]", lambda: eks(admins=["arn:aws:sts::111122223333:assumed-role/team/ada"])),
)
def sts_session_as_principal(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """AWS accepts the ARNs of roles and users, not those of their sessions."""
    for at, value in _references(cluster):
        session = _SESSION.fullmatch(value) if isinstance(value, str) else None
        if session is not None:
            role = f"arn:{session['partition']}:iam::{session['account']}:role/"
            example = f"{role}{session['role']}" if session["role"] else f"{role}NAME"
            message = f"AWS rejects `{value}`: it is a session of AWS STS, not a role or a user"
            yield finding(cluster, message, path=at, fix=f"Use the ARN of the role with its path, such as `{example}`")


def partition(region: str) -> str | None:
    """The AWS partition of a region; `None` for isolated and sovereign partitions."""
    if region.startswith(_NOT_CHECKED):
        return None
    return next((partition for prefix, partition in _PARTITIONS.items() if region.startswith(prefix)), "aws")


def _references(cluster: EksClusterArgs) -> Iterator[tuple[tuple[Step, ...], object]]:
    """Every value that may be an ARN, with its path."""
    for field in ("cluster_role", "node_role", "permissions_boundary", "secrets_key"):
        yield (field,), getattr(cluster, field)
    yield from ((("admins", index), admin) for index, admin in enumerate(cluster.admins))
    yield from ((("access_entries", key, "principal"), entry.principal) for key, entry in cluster.access_entries.items())
    for key, identity in cluster.pod_identities.items():
        yield ("pod_identities", key, "role"), identity.role
        yield ("pod_identities", key, "target_role"), identity.target_role
        yield from ((("pod_identities", key, "policies", index), policy) for index, policy in enumerate(identity.policies))
    yield ("logs", "kms_key"), cluster.logs.kms_key
    for key, add_on in cluster.add_ons.items():
        yield ("add_ons", key, "role"), add_on.role
        for account, role in add_on.pod_identity.items():
            at = ("add_ons", key, "pod_identity", account)
            yield (*at, "role"), role.role
            yield from (((*at, "policies", index), policy) for index, policy in enumerate(role.policies))
    yield from (
        (("auto_mode", "node_classes", key, "ephemeral_storage_kms_key_id"), declared.ephemeral_storage_kms_key_id)
        for key, declared in cluster.auto_mode.node_classes.items()
    )
    if cluster.objects.storage_class is not None:
        yield ("objects", "storage_class", "kms_key"), cluster.objects.storage_class.kms_key
    if cluster.account is not None:
        yield ("account", "role_arn"), cluster.account.role_arn


@rule(
    "EKS132",
    Severity.ERROR,
    source="EKS API reference, VpcConfigRequest: securityGroupIds",
    sample=Sample("security_group_ids[0]", lambda: eks(security_group_ids=["web"])),
)
def cluster_security_group_is_not_an_id(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """EKS accepts security groups by id only."""
    for index, group in enumerate(cluster.security_group_ids):
        if isinstance(group, str) and not group.startswith("sg-"):
            message = f"EKS rejects `{group}`: a security group is named by its id"
            yield finding(cluster, message, path=("security_group_ids", index), fix="Use the id of the group, such as `sg-0123456789abcdef0`")
