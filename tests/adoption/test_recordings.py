"""Every cluster that Azure CLI's recorded tests created is declared as it is, and what their requests declared is declared again.

`AZURE_CLI_RECORDINGS` is a folder with recordings: `src/azure-cli/azure/cli/command_modules/acs/tests/latest/recordings` of Azure/azure-cli.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from nodepools.adoption.adopted import adopt
from nodepools.adoption.clouds import adoption_of
from nodepools.adoption.draft import CannotAdoptError
from nodepools.adoption.exports import exports
from nodepools.adoption.observed import ObservedCluster, clusters_of
from nodepools.adoption.plain_trees import values
from nodepools.wire.paths import value_at

_FOLDER = os.environ.get("AZURE_CLI_RECORDINGS")
RECORDINGS = sorted(Path(_FOLDER).glob("*.yaml")) if _FOLDER else []
_CREATED = (200, 201)


def _exchanges(file: Path) -> Iterator[tuple[str, Any, Any]]:
    """The method, the request and the answer of each exchange about a cluster."""
    for one in yaml.load(file.read_text(encoding="utf-8"), yaml.CSafeLoader)["interactions"]:
        asked, answered = one["request"], one["response"]
        path = asked["uri"].partition("?")[0].lower().split("/")
        if asked["method"] in ("GET", "PUT") and answered["status"]["code"] in _CREATED and path[-2] == "managedclusters":
            yield asked["method"], json.loads(asked["body"]) if asked["method"] == "PUT" else None, json.loads(answered["body"]["string"])


def clusters(file: Path) -> Iterator[tuple[Any, Any]]:
    """Each request that changes a cluster, with the last answer before the next one in which the cluster is complete."""
    request, answer = None, None
    for method, sent, shown in _exchanges(file):
        if method == "PUT":
            if request is not None and answer is not None:
                yield request, answer
            request, answer = sent, None
        elif shown["properties"]["provisioningState"] == "Succeeded":
            answer = shown
    if request is not None and answer is not None:
        yield request, answer


def observed(shown: Any) -> ObservedCluster:
    [one], wrong = clusters_of(exports(shown, "recording"))
    assert wrong == []
    return one


def not_found(sent: Any, shown: Any) -> Iterator[str]:
    """Values that a request declares, and that are read otherwise from the cluster. The server chooses what a request leaves empty."""
    asked = adoption_of(observed({**sent, "id": shown["id"], "name": shown["name"], "type": shown["type"]})).draft().fields
    have = adoption_of(observed(shown)).draft().fields
    for path in values(asked):
        value = value_at(asked, path)
        if value not in (None, "", 0, [], {}, ()) and value_at(have, path) != value:
            yield f"{'.'.join(path)}: {value} was declared, {value_at(have, path)} is read"


@pytest.mark.skipif(not RECORDINGS, reason="AZURE_CLI_RECORDINGS is not a folder with recordings")
def test_recorded_clusters_are_declared_as_they_are() -> None:
    rejected: dict[str, str] = {}
    wrong: dict[str, list[str]] = {}
    for file in RECORDINGS:
        for number, (sent, shown) in enumerate(clusters(file)):
            name = f"{file.stem}, request {number}"
            try:
                one = adopt(observed(shown), "recorded", "west")
            except CannotAdoptError as error:
                rejected[name] = str(error)
                continue
            differing = [f"{'.'.join(item.path)}: {item.observed} => {item.sent}" for item in one.differences if not item.reason]
            wrong[name] = [*differing, *not_found(sent, shown)]
    print(f"{len(RECORDINGS)} recordings, {len(wrong)} clusters declared, {len(rejected)} not: {rejected}")  # noqa: T201  # the numbers are the result
    assert {name: lines for name, lines in wrong.items() if lines} == {}
