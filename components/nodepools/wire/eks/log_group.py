"""The log group of a cluster, in the spelling of pulumi-aws. Facts: docs/facts/eks.md § 16."""

from typing import Final

from nodepools.model.eks.cluster_objects import LogGroup
from nodepools.model.unknowns import UNKNOWN
from nodepools.wire.effects import Change, Effect
from nodepools.wire.eks.sources import CLUSTER_TAGS, OURS, UNDOCUMENTED
from nodepools.wire.rows import Row
from nodepools.wire.table import Table
from nodepools.wire.unmodeled import Note


def log_group_name(cluster_name: object) -> str:
    """The name of the log group that EKS writes to: it cannot be chosen."""
    return f"/aws/eks/{cluster_name}/cluster"


def _name(_: LogGroup, cluster_name: object) -> object:
    return UNKNOWN if cluster_name is UNKNOWN else log_group_name(cluster_name)


_FACTS: Final = "docs/facts/eks.md § 16"
_IN_PLACE: Final = Change(Effect.IN_PLACE, f"{_FACTS}: updated in place")
_RETENTION: Final = Change(Effect.IN_PLACE, f"{_FACTS}: updated in place; a shorter time deletes older log events")
_KEY: Final = Change(Effect.IN_PLACE, f"{_FACTS}: updated in place, for new log events; older ones need the former key")
_REPLACED: Final = Change(Effect.REPLACES, f"{_FACTS}: replaces the log group, with the loss of its logs unless `keep`")

LOG_GROUP: Final = Table(
    Note("derived", "name", _REPLACED, "`/aws/eks/`, the name of the cluster, `/cluster`", compute=_name),
    Note("derived", "region", _REPLACED, "the region of the cluster"),
    CLUSTER_TAGS,
    Row("retention_days", "retentionInDays", _RETENTION, always=True, default=0, absent=0),
    Row("kms_key", "kmsKeyId", _KEY),
    Row("keep", "skipDestroy", _IN_PLACE, default=False),
    Note("ours", "existing", OURS),
    Note("unmodeled", "logGroupClass", _REPLACED, "subscriptions, alarms and export need the standard class, which is the default"),
    Note("unmodeled", "namePrefix", UNDOCUMENTED, "EKS writes to one fixed name"),
    Note("unmodeled", "deletionProtectionEnabled", _IN_PLACE, "`keep` leaves the logs in AWS without blocking `pulumi destroy`"),
    standalone=UNKNOWN,
)
"""The inputs of a LogGroup. Context is the name of the cluster in AWS."""
