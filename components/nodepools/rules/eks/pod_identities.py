"""Roles of service accounts in EKS clusters. Facts: docs/facts/eks.md § 17."""

import re
from collections.abc import Iterator
from typing import Final

from nodepools.model.eks.access import PodIdentity, PodRole
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.rules.engine.finding import PartFinding, Severity
from nodepools.rules.engine.finding_text import ref
from nodepools.rules.engine.fix import remove
from nodepools.rules.engine.registry import POLICIES, Sample, finding, rule
from nodepools.rules.engine.samples import eks

_ROLE: Final = "arn:aws:iam::111122223333:role/web"
_POLICY: Final = "AmazonS3ReadOnlyAccess"
_POLICY_ARN: Final = re.compile(r"arn:[^:]+:iam::(aws|[0-9]{12}):policy/.+")
_POLICY_NAME: Final = re.compile(r"([\w+=,.@-]+/)*[\w+=,.@-]+")


@rule(
    "EKS144",
    Severity.ERROR,
    source="EKS API reference, CreatePodIdentityAssociation: roleArn is required",
    sample=Sample("policies", lambda: PodIdentity(namespace="shop", service_account="web")),
    limits=(POLICIES,),
)
def pod_identity_without_role(part: PodRole) -> Iterator[PartFinding]:
    """A pod identity needs an IAM role: an existing one, or policies for a new one."""
    if part.role is None and not part.policies:
        message = "This service account gets no permissions: it has neither a role nor policies for a new role"
        yield finding(part, message, path="policies", value=None, fix=f"Set {ref('policies')} to IAM policies, or {ref('role')} to the ARN of a role")


@rule(
    "EKS145",
    Severity.WARNING,
    source="nodepools: policies are attached to roles that the library creates",
    sample=Sample("policies", lambda: PodIdentity(namespace="shop", service_account="web", role=_ROLE, policies=[_POLICY])),
    limits=(POLICIES,),
)
def policies_of_existing_role(part: PodRole) -> Iterator[PartFinding]:
    """Policies are attached only to a role that is created."""
    if part.role is not None and part.policies:
        message = f"{ref('policies')} has no effect on the existing role in {ref('role')}: attach the policies where the role is created"
        yield finding(part, message, path="policies", fix=remove("policies"))


@rule(
    "EKS146",
    Severity.ERROR,
    source="https://docs.aws.amazon.com/eks/latest/userguide/pod-identities.html: one role for each service account of a cluster",
    sample=Sample(
        "pod_identities.b", lambda: eks(pod_identities={key: PodIdentity(namespace="shop", service_account="web", role=_ROLE) for key in ("a", "b")})
    ),
)
def duplicate_pod_identity(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """EKS rejects a second pod identity association of a service account."""
    taken: dict[tuple[str, str], str] = {}
    for key, identity in cluster.pod_identities.items():
        account = identity.namespace, identity.service_account
        first = taken.setdefault(account, key)
        if first != key:
            message = f"EKS rejects a second pod identity of the service account `{'/'.join(account)}`: `{first}` is the first"
            yield finding(cluster, message, path=("pod_identities", key), value=None, fix=remove(("pod_identities", key)))


@rule(
    "EKS147",
    Severity.ERROR,
    source="IAM API reference, AttachRolePolicy: policyArn",
    sample=Sample("policies[0]", lambda: PodIdentity(namespace="shop", service_account="web", policies=[_ROLE])),
    limits=(POLICIES,),
)
def invalid_iam_policy(part: PodRole) -> Iterator[PartFinding]:
    """IAM attaches each policy once, by the ARN of the policy; AWS managed policies are also declared by their names."""
    for index, policy in enumerate(part.policies):
        if isinstance(policy, str) and not (_POLICY_ARN if policy.startswith("arn:") else _POLICY_NAME).fullmatch(policy):
            message = f"`{policy}` is neither the ARN of an IAM policy nor the name of an AWS managed policy"
            fix = f"Use an ARN such as `arn:aws:iam::111122223333:policy/web`, or a name such as `{_POLICY}`"
            yield finding(part, message, path=("policies", index), fix=fix)
        elif isinstance(policy, str) and policy in part.policies[:index]:
            yield finding(part, f"`{policy}` is listed twice", path=("policies", index), fix=remove(("policies", index)))
