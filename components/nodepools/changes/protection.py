"""Protection against deletion: what a change of it does, and which changes Pulumi rejects because of it."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from nodepools.changes.change import Change
from nodepools.changes.request import AKS_CLUSTER, CLUSTER, EKS_CLUSTER, Requests
from nodepools.model.platform import Platform
from nodepools.wire.effects import Effect

PROTECTED: Final = frozenset(
    {AKS_CLUSTER, EKS_CLUSTER, "azure-native:resources:ResourceGroup", "azure-native:network:VirtualNetwork", "aws:ec2/vpc:Vpc"}
)
"""Types of resources whose deletion takes a cluster, its data or its network with it."""
_GONE: Final = (Effect.REPLACES, Effect.DELETES)
_FIELD: Final = "protect"
_ON: Final = "Only the state of Pulumi changes: it rejects deletion and replacement of the cluster from the next `pulumi up` on"
_OFF: Final = "Only the state of Pulumi changes: afterwards `pulumi up` and `pulumi destroy` can delete the cluster"
_REFUSED: Final = "Protected: `pulumi up` rejects this until `protect` is false and applied"
_SOURCE: Final = "Pulumi: resource option `protect`, which is part of the state"


def protection_changes(old: Platform, new: Platform, sent: Requests) -> Iterator[Change]:
    """The clusters on both sides whose protection differs, whether they or the platform declare it."""
    for key in sorted(old.clusters.keys() & new.clusters.keys()):
        before, after = old.cluster(key).is_protected, new.cluster(key).is_protected
        if before is not after:
            resource = sent.of(key, CLUSTER)[0].resource
            yield Change(key, ("clusters", key, _FIELD), before, after, Effect.NONE, _ON if after else _OFF, _SOURCE, resource)


def with_refusals(old: Platform, found: Iterable[Change]) -> Iterator[Change]:
    """The changes; of those that delete what the old side protects, the reason says that Pulumi rejects them."""
    protected = {key for key in old.clusters if old.cluster(key).is_protected}
    for change in found:
        refused = change.effect in _GONE and change.resource.type in PROTECTED and str(change.steps[1]) in protected
        yield replace(change, reason=f"{change.reason}. {_REFUSED}") if refused else change
