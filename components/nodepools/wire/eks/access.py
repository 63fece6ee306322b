"""Access entries, pod identities and add-ons in the spelling of pulumi-aws. Facts: docs/facts/eks.md C21 to C23, C41, C42, § 14."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from nodepools.model.eks.access import AccessPolicy, AddOn, IdentityProvider, PodIdentity
from nodepools.model.unknowns import UNKNOWN
from nodepools.wire.rows import INVERTED, JSON, SAME, Codec, Note, Pairs, Row, computed
from nodepools.wire.table import Change, Effect, Table, camel

FACTS: Final = "docs/facts/eks.md § 14"
UPDATED: Final = Change(Effect.IN_PLACE, f"{FACTS}: updated in place")
UNDOCUMENTED: Final = Change(Effect.UNKNOWN, "no source documents it")
OURS: Final = Change(Effect.NONE, "not sent")

CLUSTER_TAGS: Final = Note("derived", "tags", UPDATED, "the tags of the cluster")


def of_cluster(change: Change) -> tuple[Note, ...]:
    """The arguments that assign a resource to its cluster, with the effect of a change."""
    return Note("derived", "clusterName", change, "the cluster"), Note("derived", "region", change, "the region of the cluster")


def last_name(arn: object) -> str:
    """The name of an access policy: the last part of its ARN."""
    return str(arn).rpartition("/")[2]


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
    Row("name", "policyArn", _ASSOCIATED, Codec(SAME.write, last_name), compute=computed(lambda _, arn: arn)),
    Note("derived", "accessScope.type", _ASSOCIATED, "`namespace` with namespaces, otherwise `cluster`", compute=_scope),
    Row("namespaces", "accessScope.namespaces", _ASSOCIATED),
    standalone=UNKNOWN,
)
"""The inputs of an AccessPolicyAssociation. Context is the ARN of the policy, which depends on the AWS partition."""


def _role(identity: PodIdentity, created: object) -> object:
    """The declared role, or the one that is created; unknown if the identity is written alone."""
    return identity.role if identity.role is not None else created


def _roles(add_on: AddOn, created: Mapping[str, object]) -> object:
    """The role of each service account, in the order of their names: the provider ignores the order."""
    each = sorted(add_on.pod_identity.items())
    return {name: role.role if role.role is not None else created.get(name, UNKNOWN) for name, role in each}


def _overwrite(_: AddOn, __: object) -> object:
    return "OVERWRITE"


_NONE: Final[Mapping[str, object]] = MappingProxyType({})
_PODS_LATER: Final = Change(Effect.IN_PLACE, f"{FACTS}: updated in place; running pods keep their credentials")
_ATTACHED: Final = Change(Effect.IN_PLACE, f"{FACTS}: policies are attached to the role and detached from it, in place")
_POD_ROLE_REPLACED: Final = Change(Effect.REPLACES, f"{FACTS}: replaces it; running pods keep their credentials")
_NAMESPACE: Final = Change(Effect.REPLACES, "EKS user guide, eks-add-ons: the namespace changes only if the add-on is removed and created again")
_REINSTALLED: Final = Change(Effect.REPLACES, f"{FACTS}: replaces the add-on")

POD_IDENTITY: Final = Table(
    *of_cluster(_POD_ROLE_REPLACED),
    CLUSTER_TAGS,
    Row("namespace", "namespace", _POD_ROLE_REPLACED),
    Row("service_account", "serviceAccount", _POD_ROLE_REPLACED),
    Row("role", "roleArn", _PODS_LATER, compute=_role),
    Note("ours", "policies", _ATTACHED),
    Note("ours", "statements", _ATTACHED),
    Note("ours", "overrides", OURS),
    Row("target_role", "targetRoleArn", _PODS_LATER),
    Row("session_tags", "disableSessionTags", _PODS_LATER, INVERTED, default=False),
    Row("session_policy", "policy", _PODS_LATER, JSON),
    standalone=UNKNOWN,
)
"""The inputs of a PodIdentityAssociation. Context is the ARN of the role that is created."""
_OTHER_PROVIDER: Final = Change(Effect.REPLACES, f"{FACTS}: replaces it; its users have no access until the new one is active")
IDENTITY_PROVIDER: Final = Table(
    *of_cluster(_OTHER_PROVIDER),
    CLUSTER_TAGS,
    Row("name", "oidc.identityProviderConfigName", _OTHER_PROVIDER),
    *(Row(name, f"oidc.{camel(name)}", _OTHER_PROVIDER) for name in list(IdentityProvider.model_fields)[1:]),
)
"""The inputs of an IdentityProviderConfig."""
ADD_ON: Final = Table(
    *of_cluster(_REINSTALLED),
    Note("derived", "addonName", _REINSTALLED, "the key of the add-on"),
    CLUSTER_TAGS,
    Row("version", "addonVersion", UPDATED),
    Row("configuration", "configurationValues", UPDATED, JSON),
    Row("role", "serviceAccountRoleArn", UPDATED),
    Row("keep", "preserve", UPDATED, default=False),
    Note("derived", "resolveConflictsOnCreate", UPDATED, "existing objects are overwritten", compute=_overwrite),
    Note("derived", "resolveConflictsOnUpdate", UPDATED, "existing objects are overwritten", compute=_overwrite),
    Row("namespace", "namespaceConfig.namespace", _NAMESPACE),
    Pairs("pod_identity", "podIdentityAssociations", "serviceAccount", "roleArn", UPDATED, within="role", compute=_roles),
    standalone=_NONE,
)
"""The inputs of an Addon. Context are the ARNs of the roles that are created, by service account."""
