"""Pod identities and add-ons, as pulumi-aws has them. Facts: docs/facts/eks.md C41, C42, § 14."""

from typing import Final

from nodepools.model.eks.access import AddOn
from nodepools.wire.codecs import JSON
from nodepools.wire.effects import Change, Effect
from nodepools.wire.rows import Row
from nodepools.wire.table import Table
from nodepools.wire.unmodeled import Note


def _overwrite(_: AddOn, __: object) -> object:
    return "OVERWRITE"


_FACTS: Final = "docs/facts/eks.md § 14"
_UPDATED: Final = Change(Effect.IN_PLACE, f"{_FACTS}: updated in place")
_PODS_LATER: Final = Change(Effect.IN_PLACE, f"{_FACTS}: updated in place; running pods keep the credentials that they have")
_REPLACED: Final = Change(Effect.REPLACES, f"{_FACTS}: replaces it; running pods keep the credentials that they have")
_REINSTALLED: Final = Change(Effect.REPLACES, f"{_FACTS}: replaces the add-on")
_UNTOLD: Final = Change(Effect.UNKNOWN, "no source says")

POD_IDENTITY: Final = Table(
    Note("derived", "clusterName", _REPLACED, "the cluster"),
    Note("derived", "region", _REPLACED, "the region of the cluster"),
    Note("derived", "tags", _UPDATED, "the tags of the cluster"),
    Row("namespace", "namespace", _REPLACED),
    Row("service_account", "serviceAccount", _REPLACED),
    Row("role", "roleArn", _PODS_LATER),
    Row("target_role", "targetRoleArn", _PODS_LATER),
    Note("left", "disableSessionTags", _UNTOLD, "the session tags of pod identities, which policies of a role may ask for"),
    Note("left", "policy", _UNTOLD, "a session policy, which narrows what the role allows"),
)
"""The inputs of a PodIdentityAssociation."""
ADD_ON: Final = Table(
    Note("derived", "clusterName", _REINSTALLED, "the cluster"),
    Note("derived", "addonName", _REINSTALLED, "the key of the add-on"),
    Note("derived", "region", _REINSTALLED, "the region of the cluster"),
    Note("derived", "tags", _UPDATED, "the tags of the cluster"),
    Row("version", "addonVersion", _UPDATED),
    Row("configuration", "configurationValues", _UPDATED, JSON),
    Row("role", "serviceAccountRoleArn", _UPDATED),
    Row("keep", "preserve", _UPDATED, default=False),
    Note("derived", "resolveConflictsOnCreate", _UPDATED, "what is there is taken over", says=_overwrite),
    Note("derived", "resolveConflictsOnUpdate", _UPDATED, "what is there is taken over", says=_overwrite),
    Note("left", "namespaceConfig", _UNTOLD, "the namespace that it is installed in: each add-on has one of its own"),
    Note("left", "podIdentityAssociations", _UPDATED, "pod identities are resources of their own, in `pod_identities` of the cluster"),
)
"""The inputs of an Addon."""
