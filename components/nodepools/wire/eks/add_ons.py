"""Pod identities and add-ons, in the spelling of pulumi-aws. Facts: docs/facts/eks.md C41, C42, § 14."""

from typing import Final

from nodepools.model.eks.access import AddOn
from nodepools.wire.codecs import JSON
from nodepools.wire.effects import Change, Effect
from nodepools.wire.eks.sources import CLUSTER_TAGS, FACTS, UNDOCUMENTED, UPDATED, of_cluster
from nodepools.wire.rows import Row
from nodepools.wire.table import Table
from nodepools.wire.unmodeled import Note


def _overwrite(_: AddOn, __: object) -> object:
    return "OVERWRITE"


_PODS_LATER: Final = Change(Effect.IN_PLACE, f"{FACTS}: updated in place; running pods keep their credentials")
_REPLACED: Final = Change(Effect.REPLACES, f"{FACTS}: replaces it; running pods keep their credentials")
_REINSTALLED: Final = Change(Effect.REPLACES, f"{FACTS}: replaces the add-on")

POD_IDENTITY: Final = Table(
    *of_cluster(_REPLACED),
    CLUSTER_TAGS,
    Row("namespace", "namespace", _REPLACED),
    Row("service_account", "serviceAccount", _REPLACED),
    Row("role", "roleArn", _PODS_LATER),
    Row("target_role", "targetRoleArn", _PODS_LATER),
    Note("unmodeled", "disableSessionTags", UNDOCUMENTED, "session tags of pod identities, which the policies of a role can require"),
    Note("unmodeled", "policy", UNDOCUMENTED, "a session policy, which restricts the permissions of the role"),
)
"""The inputs of a PodIdentityAssociation."""
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
    Note("unmodeled", "namespaceConfig", UNDOCUMENTED, "the namespace of the add-on: each add-on has a default"),
    Note("unmodeled", "podIdentityAssociations", UPDATED, "pod identities are separate resources, in `pod_identities` of the cluster"),
)
"""The inputs of an Addon."""
