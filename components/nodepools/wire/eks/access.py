"""Access entries and their policies, as pulumi-aws has them. Facts: docs/facts/eks.md C21 to C23, § 14."""

from typing import Final

from nodepools.model.eks.access import AccessPolicy
from nodepools.model.unknowns import UNKNOWN
from nodepools.wire.codecs import SAME, Codec
from nodepools.wire.effects import Change, Effect
from nodepools.wire.rows import Row
from nodepools.wire.table import Table
from nodepools.wire.unmodeled import Note


def _last_name(arn: object) -> str:
    return str(arn).rpartition("/")[2]


def _policy_arn(_: AccessPolicy, arn: object) -> object:
    return arn


def _scope(policy: AccessPolicy, _: object) -> object:
    return "namespace" if policy.namespaces else "cluster"


_FACTS: Final = "docs/facts/eks.md § 14"
_UPDATED: Final = Change(Effect.IN_PLACE, f"{_FACTS}: updated in place")
_REPLACED: Final = Change(Effect.REPLACES, f"{_FACTS}: replaces the access entry; its principal has no access meanwhile")
_ASSOCIATED: Final = Change(Effect.REPLACES, f"{_FACTS}: all of an association replaces it")
_BESIDE: Final = Change(Effect.NONE, "each is an association of its own")

ENTRY: Final = Table(
    Note("derived", "clusterName", _REPLACED, "the cluster"),
    Note("derived", "region", _REPLACED, "the region of the cluster"),
    Note("derived", "tags", _UPDATED, "the tags of the cluster"),
    Row("principal", "principalArn", _REPLACED),
    Row("type", "type", _REPLACED, default="STANDARD"),
    Row("groups", "kubernetesGroups", _UPDATED),
    Row("user_name", "userName", _UPDATED),
    Note("ours", "policies", _BESIDE),
)
"""The inputs of an AccessEntry."""
POLICY: Final = Table(
    Note("derived", "clusterName", _ASSOCIATED, "the cluster"),
    Note("derived", "principalArn", _ASSOCIATED, "the principal of the access entry"),
    Note("derived", "region", _ASSOCIATED, "the region of the cluster"),
    Row("name", "policyArn", _ASSOCIATED, Codec(SAME.write, _last_name), says=_policy_arn),
    Note("derived", "accessScope.type", _ASSOCIATED, "whether there are namespaces", says=_scope),
    Row("namespaces", "accessScope.namespaces", _ASSOCIATED),
    alone=UNKNOWN,
)
"""The inputs of an AccessPolicyAssociation. What is sent besides the policy is its ARN, which depends on the AWS partition."""
