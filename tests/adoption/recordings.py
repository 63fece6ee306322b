"""Requests of the Azure CLI's recorded tests, each with the answer in which its resource is complete.

`AZURE_CLI_RECORDINGS` names folders with recordings, separated like those of `PATH`:
`src/azure-cli/azure/cli/command_modules/acs/tests/latest/recordings` of Azure/azure-cli, and
`src/aks-preview/azext_aks_preview/tests/latest/recordings` of Azure/azure-cli-extensions.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import yaml

FILES = sorted(file for folder in os.environ.get("AZURE_CLI_RECORDINGS", "").split(os.pathsep) if folder for file in Path(folder).glob("*.yaml"))
_CLUSTERS = "managedclusters"
_CHILDREN = ("agentpools", "maintenanceconfigurations")
_ANSWERED = (200, 201)
Document = dict[str, Any]


class Pair(NamedTuple):
    """What one request has sent and what the answer has, each as the documents of an export."""

    request: str
    sent: list[Document]
    shown: list[Document]


class _Exchange(NamedTuple):
    method: str
    cluster: str
    child: tuple[str, str] | None
    body: Document
    """Of the request that writes."""
    answer: Document | None
    """Of the resource, if it is complete."""


@dataclass(slots=True)
class _Cluster:
    """What is known of one cluster at one moment of a recording."""

    shown: Document | None = None
    children: dict[tuple[str, str], Document] = field(default_factory=dict[tuple[str, str], Document])
    waiting: _Exchange | None = None
    """The last request that wrote."""

    def pair(self) -> Pair | None:
        """The last request that wrote, next to its answer."""
        one, shown = self.waiting, self.shown
        if one is None or shown is None or (one.child is not None and one.child not in self.children):
            return None
        if one.child is None:
            return Pair(_CLUSTERS, [_with_kept(_named(one.body, shown), shown)], [shown])
        answer = self.children[one.child]
        others = [] if one.child[0] != _CHILDREN[0] else [pool for pool in _pools(shown) if pool["name"].lower() != one.child[1]]
        return Pair(one.child[0], [shown, *others, _named(one.body, answer)], [shown, *others, answer])


def pairs(file: Path) -> Iterator[Pair]:
    """Each request that writes a cluster, a pool or a maintenance configuration. Any later write to its cluster ends what its answers say."""
    clusters: dict[str, _Cluster] = {}
    for one in _exchanges(file):
        cluster = clusters.setdefault(one.cluster, _Cluster())
        if one.method != "GET":
            if (found := cluster.pair()) is not None:
                yield found
            cluster.waiting = one if one.method == "PUT" else None
            cluster.children.pop(one.child, None) if one.child is not None else None
            cluster.shown = None if one.child is None else cluster.shown
        if one.answer is not None and one.child is None:
            cluster.shown = one.answer
        elif one.answer is not None and one.child is not None:
            cluster.children[one.child] = one.answer
    yield from (found for cluster in clusters.values() if (found := cluster.pair()) is not None)


def _exchanges(file: Path) -> Iterator[_Exchange]:
    for one in yaml.load(file.read_text(encoding="utf-8"), yaml.CSafeLoader)["interactions"]:
        asked, answered = one["request"], one["response"]
        path = asked["uri"].partition("?")[0].lower().split("/")
        if _CLUSTERS not in path[:-1]:
            continue
        cluster, *rest = path[path.index(_CLUSTERS) + 1 :]
        child = (rest[0], rest[1]) if len(rest) == 2 and rest[0] in _CHILDREN else None
        if rest and child is None and asked["method"] == "GET":
            continue
        is_read = asked["method"] in ("GET", "PUT") and answered["status"]["code"] in _ANSWERED and len(rest) in (0, 2)
        answer = json.loads(answered["body"]["string"]) if is_read else None
        body = json.loads(asked["body"]) if asked["method"] == "PUT" and asked["body"] else {}
        yield _Exchange(asked["method"], cluster, child, body, answer if answer is not None and _is_complete(answer) else None)


def _is_complete(answer: Document) -> bool:
    return answer.get("properties", {}).get("provisioningState", "Succeeded") == "Succeeded"


def _named(body: Document, answer: Document) -> Document:
    """A request as an export: its path has the rest."""
    return {**body, **{name: answer[name] for name in ("id", "name", "type") if name in answer}}


def _with_kept(request: Document, shown: Document) -> Document:
    """A request can leave out pools, identity and tier, which AKS keeps."""
    kept = {"agentPoolProfiles": shown["properties"].get("agentPoolProfiles")}
    return {**{name: shown[name] for name in ("identity", "sku") if name in shown}, **request, "properties": {**kept, **request["properties"]}}


def _pools(shown: Document) -> Iterator[Document]:
    """The pools of a cluster as resources of their own."""
    for pool in shown["properties"].get("agentPoolProfiles", ()):
        ident = f"{shown['id']}/agentPools/{pool['name']}"
        yield {"id": ident, "name": pool["name"], "type": f"{shown['type']}/agentPools", "properties": pool}
