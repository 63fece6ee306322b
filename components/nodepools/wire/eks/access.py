"""Access entries and their policies, in the spelling of pulumi-aws. Facts: docs/facts/eks.md C21 to C23, § 14."""

from typing import Final

from nodepools.model.eks.access import AccessPolicy
from nodepools.model.unknowns import UNKNOWN
from nodepools.wire.codecs import SAME, Codec
from nodepools.wire.effects import Change, Effect
from nodepools.wire.eks.sources import CLUSTER_TAGS, FACTS, UPDATED, of_cluster
from nodepools.wire.rows import Row
from nodepools.wire.table import Table
from nodepools.wire.unmodeled import Note


def last_name(arn: object) -> str:
    """The name of an access policy: the last part of its ARN."""
    return str(arn).rpartition("/")[2]


def _policy_arn(_: AccessPolicy, arn: object) -> object:
    return arn


def _scope(policy: AccessPolicy, _: object) -> object:
    return "namespace" if policy.namespaces else "cluster"


_REPLACED: Final = Change(Effect.REPLACES, f"{FACTS}: replaces the access entry; its principal has no access until the new one exists")
_ASSOCIATED: Final = Change(Effect.REPLACES, f"{FACTS}: every change of an association replaces it")
_SEPARATE: Final = Change(Effect.NONE, "each is a separate association")

ENTRY: Final = Table(
    *of_cluster(_REPLACED),
    CLUSTER_TAGS,
    Row("principal", "principalArn", _REPLACED),
    Row("type", "type", _REPLACED, default="STANDARD"),
    Row("groups", "kubernetesGroups", UPDATED),
    Row("user_name", "userName", UPDATED),
    Note("ours", "policies", _SEPARATE),
)
"""The inputs of an AccessEntry."""
POLICY: Final = Table(
    *of_cluster(_ASSOCIATED),
    Note("derived", "principalArn", _ASSOCIATED, "the principal of the access entry"),
    Row("name", "policyArn", _ASSOCIATED, Codec(SAME.write, last_name), compute=_policy_arn),
    Note("derived", "accessScope.type", _ASSOCIATED, "`namespace` with namespaces, otherwise `cluster`", compute=_scope),
    Row("namespaces", "accessScope.namespaces", _ASSOCIATED),
    standalone=UNKNOWN,
)
"""The inputs of an AccessPolicyAssociation. Context is the ARN of the policy, which depends on the AWS partition."""
