"""The cluster autoscaler: `autoScalerProfile`. Azure expects its numbers and most of its booleans as text."""

from typing import Final

from nodepools.wire.aks.sources import SEPARATE
from nodepools.wire.codecs import BOOL_AS_TEXT, NUMBER_AS_TEXT, SAME, WHOLE_AS_TEXT, Codec
from nodepools.wire.names import camel
from nodepools.wire.rows import Row
from nodepools.wire.table import Table
from nodepools.wire.unmodeled import Note


def _at(field: str, default: object = None, codec: Codec = SAME) -> Row:
    """A field with the same name in Azure, in camel case."""
    return Row(field, camel(field), codec=codec, default=default)


AUTOSCALER: Final = Table(
    _at("expander", "random"),
    _at("balance_similar_node_groups", "false", BOOL_AS_TEXT),
    _at("daemonset_eviction_for_empty_nodes", default=False),
    _at("daemonset_eviction_for_occupied_nodes", default=True),
    _at("ignore_daemonsets_utilization", default=False),
    _at("max_empty_bulk_delete", "10", WHOLE_AS_TEXT),
    _at("max_graceful_termination_sec", "600", WHOLE_AS_TEXT),
    _at("max_node_provision_time", "15m"),
    _at("max_total_unready_percentage", "45", WHOLE_AS_TEXT),
    _at("ok_total_unready_count", "3", WHOLE_AS_TEXT),
    _at("new_pod_scale_up_delay", "0s"),
    _at("scale_down_delay_after_add", "10m"),
    _at("scale_down_delay_after_delete"),
    _at("scale_down_delay_after_failure", "3m"),
    _at("scale_down_unneeded_time", "10m"),
    _at("scale_down_unready_time", "20m"),
    _at("scale_down_utilization_threshold", "0.5", NUMBER_AS_TEXT),
    _at("scan_interval", "10s"),
    _at("skip_nodes_with_local_storage", codec=BOOL_AS_TEXT),
    _at("skip_nodes_with_system_pods", "true", BOOL_AS_TEXT),
    Note("ours", "priorities", SEPARATE, "a ConfigMap inside the cluster"),
)
"""`autoScalerProfile`."""
