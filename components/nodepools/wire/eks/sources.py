"""Effects that several tables of EKS resources share, and the arguments that these resources derive from their cluster."""

from typing import Final

from nodepools.wire.effects import Change, Effect
from nodepools.wire.unmodeled import Note

FACTS: Final = "docs/facts/eks.md § 14"
UPDATED: Final = Change(Effect.IN_PLACE, f"{FACTS}: updated in place")
UNDOCUMENTED: Final = Change(Effect.UNKNOWN, "no source documents it")
OURS: Final = Change(Effect.NONE, "not sent")

CLUSTER_TAGS: Final = Note("derived", "tags", UPDATED, "the tags of the cluster")


def of_cluster(change: Change) -> tuple[Note, ...]:
    """The arguments that assign a resource to its cluster, with the effect of a change."""
    return Note("derived", "clusterName", change, "the cluster"), Note("derived", "region", change, "the region of the cluster")
