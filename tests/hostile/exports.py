"""Exports that `adopt` cannot use."""

import json
from typing import Final

from tests.adoption.observed import cluster, pool
from tests.hostile.case import Case

_SYSTEM: Final = pool("agentpool", "System")
_SHOW: Final = json.dumps(cluster())

EXPORTS: Final = (
    Case("an export that is cut off", ("adopt", "show.json"), 2, "error: show.json:", {"show.json": _SHOW[: len(_SHOW) // 2]}),
    Case("a cluster without its ARN", ("adopt", "a.json", "--format", "json"), 2, "has no `arn`", {"a.json": '{"cluster": {}}'}, is_json=True),
    Case(
        "one cluster in two files",
        ("adopt", "a.json", "b.json", "p.json"),
        2,
        "the cluster `Shop_West` is also in another file",
        {"a.json": _SHOW, "b.json": _SHOW, "p.json": json.dumps([_SYSTEM])},
    ),
    Case("pools of a cluster that is in no file", ("adopt", "p.json"), 2, "which is in no file", {"p.json": json.dumps([_SYSTEM])}),
)
"""Truncated, foreign, repeated and incomplete."""
