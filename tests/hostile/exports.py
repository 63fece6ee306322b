"""Exports that `adopt` cannot use."""

import json
from typing import Final

from tests.adoption.existing import cluster, pool
from tests.adoption.existing_eks import ADMIN, described, entry, listed, node, node_pool
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
        "a.json and b.json: managedclusters `Shop_West` is there twice, with other contents",
        {"a.json": _SHOW, "b.json": json.dumps(cluster(tags={"team": "other"})), "p.json": json.dumps([_SYSTEM])},
    ),
    Case(
        "an access entry without its cluster",
        ("adopt", "e.json"),
        2,
        "is of the cluster `shop`, which is in no file. Save the output of `aws eks describe-cluster`",
        {"e.json": json.dumps(entry(ADMIN))},
    ),
    Case(
        "NodePools of another cluster",
        ("adopt", "c.json", "p.json", "-o", "x.py"),
        2,
        "the objects are not of any cluster in these files",
        {"c.json": json.dumps(described()), "p.json": json.dumps(listed(node_pool("web"), node("us-east-1")))},
    ),
    Case(
        "objects that can be of two clusters with one name",
        ("adopt", "a.json", "b.json", "p.json", "-o", "x.py"),
        2,
        "the objects can be of 2 clusters called `shop`: put the files of each cluster into a folder of its own",
        {
            "a.json": json.dumps(described()),
            "b.json": json.dumps(described(region="us-east-1")),
            "p.json": json.dumps(node_pool("web")),
        },
    ),
    Case(
        "two outputs on stdout",
        ("adopt", "c.json", "--import", "-"),
        2,
        "only one output can be `-`",
        {"c.json": json.dumps(described())},
    ),
    Case(
        "a report on stdout",
        ("adopt", "c.json", "--report", "-"),
        2,
        "error: `--report` is a file; `--details` prints the whole report",
        {"c.json": json.dumps(described())},
    ),
    Case(
        "a page of a list of the API",
        ("adopt", "p.json"),
        2,
        "error: p.json: has more pages (`nextLink`)",
        {"p.json": json.dumps({"value": [cluster()], "nextLink": "https://management.azure.com/next"})},
    ),
    Case("pools of a cluster that is in no file", ("adopt", "p.json"), 2, "which is in no file", {"p.json": json.dumps([_SYSTEM])}),
)
"""Truncated, foreign, repeated and incomplete."""
