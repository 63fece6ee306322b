"""What `explain` predicts of workloads, and what the control plane does with them."""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from nodepools import Platform, explain
from nodepools.loading import UnreadableError
from tests.cli.conftest import Starter
from tests.oracle.cluster.control_plane import Object, reason

KINDS: Final = (
    ("untolerated taint", "taint"),
    ("unschedulable", "unschedulable"),
    ("node affinity/selector", "label"),
    ("NodeAffinity", "label"),
    ("free ports", "ports"),
    ("Insufficient", "resources"),
    ("Too many pods", "resources"),
    ("exceed max volume count", "volume"),
    ("volume", "volume"),
    ("PersistentVolume", "volume"),
    ("persistent", "volume"),
    ("topology spread", "spread"),
    ("cannot allocate all claims", "resources"),
    ("CEL runtime error", "resources"),
    ("cannot schedule extended resource claim", "resources"),
    ("resourceclaim", "resources"),
    ("device class", "resources"),
    ("anti-affinity", "anti_affinity"),
    ("pod affinity", "affinity"),
)
"""Words of the scheduler's plugins, with our name for their reasons."""
_COUNTED = re.compile(r"(\d+) (.+?)(?=, \d|$)")


@dataclass(frozen=True)
class Predicted:
    """The answers for workloads, and whether the nodes are all that the cluster can have."""

    answers: Sequence[Mapping[str, Any]]
    by_node: bool
    most_nodes: bool = True

    def pool(self, node: str) -> str:
        return node if self.by_node else f"weu/{node.rpartition('-')[0]}"


def from_export(starter: Starter, folder: Path, export: Object, workloads: Sequence[Object], *options: str) -> Predicted | str:
    """What the command says of a cluster as it exists; a text if it refuses to answer."""
    (folder / "existing.json").write_text(json.dumps(export))
    (folder / "workloads.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": workloads}))
    answer = starter("explain", "workloads.json", "--existing", "existing.json", "--format", "json", *options, cwd=folder)
    assert "Traceback" not in answer.all, answer.all
    return Predicted(answer.json["pods"], by_node=True) if answer.status in (0, 1) else answer.all


def from_declaration(platform: Platform, written: Sequence[Object], *, most_nodes: bool) -> Predicted | str:
    """What is said of the declared cluster; a text if it refuses to answer."""
    try:
        found = explain(platform, json.dumps({"apiVersion": "v1", "kind": "List", "items": written}))
    except UnreadableError as wrong:
        return str(wrong)
    answers = [one.to_json() for one in found]
    return Predicted(answers, by_node=False, most_nodes=most_nodes)


def of(workload: Mapping[str, Any], pods: Sequence[Object]) -> list[Object]:
    metadata = workload.get("metadata", workload)
    return [
        pod
        for pod in pods
        if pod["metadata"]["namespace"] == metadata["namespace"] and pod["metadata"].get("labels", {}).get("app") == metadata["name"]
    ]


def without(export: Object, lost: Collection[str]) -> Object:
    """The export, as it is when nodes are gone with the pods on them."""
    kept = [
        one
        for one in export["items"]
        if not (one["kind"] == "Node" and one["metadata"]["name"] in lost) and not (one["kind"] == "Pod" and one["spec"].get("nodeName") in lost)
    ]
    return {**export, "items": kept}


def lacks_pods(workloads: Sequence[Object], pods: Sequence[Object]) -> bool:
    """A workload has no pods: the API server accepts its template, and rejects each pod."""
    return not all(of(one, pods) for one in workloads)


def differences(
    predicted: Predicted, before: Sequence[Object], pods: Sequence[Object], nodes: Sequence[str], counts: Counter[str], *former: str
) -> Iterator[str]:
    """Where pods are that a prediction excludes; verdicts on pools are about pods that were not there `before`.

    `former` reasons are those of nodes that are gone: the scheduler does not look at a pod again because a node goes.
    """
    known = {pod["metadata"]["uid"] for pod in before}
    for answer in predicted.answers:
        mine = of(answer, pods)
        counts.update(["placements", f"{answer['verdict']}"])
        used = Counter(predicted.pool(pod["spec"]["nodeName"]) for pod in mine if pod["spec"].get("nodeName"))
        said = {one["pool"]: one["verdict"] for one in answer["pools"]}
        for pool in {predicted.pool(pod["spec"]["nodeName"]) for pod in mine if pod["spec"].get("nodeName") and pod["metadata"]["uid"] not in known}:
            if said[pool] == "cannot":
                yield f"{answer['name']}: cannot use {pool}, and does"
        if answer["kind"] == "DaemonSet":
            for node in nodes:
                if said[predicted.pool(node)] == "fits" and predicted.by_node and not used[node]:
                    yield f"{answer['name']}: its DaemonSet fits {node}, and does not run there: {set(reason(mine))}"
            continue
        least, most, reached = answer["scheduled"]["minimum"], answer["scheduled"]["maximum"], used.total()
        counts.update(["exact"] * (least == most))
        if most is not None and reached > most:
            yield f"{answer['name']}: at most {most}, and {reached} are scheduled on {dict(used)}; {[one['message'] for one in answer['pending']]}"
        if predicted.most_nodes and reached < least:
            yield f"{answer['name']}: at least {least}, and {reached} are scheduled: {set(reason(mine))}"
        created = [pod for pod in mine if pod["metadata"]["uid"] not in known]
        if most == 0 and not reached and created:
            yield from _reasons(answer, created, counts, former)


def _reasons(answer: Mapping[str, Any], mine: Sequence[Object], counts: Counter[str], former: Iterable[str]) -> Iterator[str]:
    """The reasons of the scheduler that our answer lacks."""
    ours = {one["kind"] for pool in answer["pools"] for one in pool["reasons"]} | {one["kind"] for one in answer["pending"]} | {*former}
    for message in set(reason(mine)):
        theirs = {kind: text for text in kinds(message) for kind in [_kind(text)]}
        counts.update(["reasons compared"])
        for kind, text in theirs.items():
            if kind not in ours and not (kind == "ports" and "room" in ours):
                yield f"{answer['name']}: reason {kind} ({text}) is not among {sorted(ours)}"


def kinds(message: str) -> list[str]:
    """The reasons in a message of the scheduler, without the numbers of nodes."""
    reasons = re.split(r"\.? (?:no new claims|preemption:)", message.partition(": ")[2])[0].rstrip(".")
    return [text for _, text in _COUNTED.findall(reasons)]


def _kind(text: str) -> str:
    return next((kind for words, kind in KINDS if words in text), text)
