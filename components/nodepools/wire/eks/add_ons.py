"""Pod identities and add-ons, in the spelling of pulumi-aws. Facts: docs/facts/eks.md C41, C42, § 14."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from nodepools.model.eks.access import AddOn, PodIdentity
from nodepools.model.unknowns import UNKNOWN
from nodepools.wire.codecs import JSON
from nodepools.wire.effects import Change, Effect
from nodepools.wire.eks.sources import CLUSTER_TAGS, FACTS, OURS, UNDOCUMENTED, UPDATED, of_cluster
from nodepools.wire.rows import Pairs, Row
from nodepools.wire.table import Table
from nodepools.wire.unmodeled import Note


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
_REPLACED: Final = Change(Effect.REPLACES, f"{FACTS}: replaces it; running pods keep their credentials")
_NAMESPACE: Final = Change(Effect.REPLACES, "EKS user guide, eks-add-ons: the namespace changes only if the add-on is removed and created again")
_REINSTALLED: Final = Change(Effect.REPLACES, f"{FACTS}: replaces the add-on")

POD_IDENTITY: Final = Table(
    *of_cluster(_REPLACED),
    CLUSTER_TAGS,
    Row("namespace", "namespace", _REPLACED),
    Row("service_account", "serviceAccount", _REPLACED),
    Row("role", "roleArn", _PODS_LATER, compute=_role),
    Note("ours", "policies", _ATTACHED),
    Note("ours", "overrides", OURS),
    Row("target_role", "targetRoleArn", _PODS_LATER),
    Note("unmodeled", "disableSessionTags", UNDOCUMENTED, "session tags of pod identities, which the policies of a role can require"),
    Note("unmodeled", "policy", UNDOCUMENTED, "a session policy, which restricts the permissions of the role"),
    standalone=UNKNOWN,
)
"""The inputs of a PodIdentityAssociation. Context is the ARN of the role that is created."""
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
