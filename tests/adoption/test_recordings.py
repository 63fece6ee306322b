"""Every cluster, pool and window that the Azure CLI's recorded tests wrote is declared as it is, and what their requests declared is declared again.

Read on 2026-11-23, 798 recordings: those of azure-cli at 89c41db0 of 2025-02 (178), d8453938 of 2023-07 (128) and 1fec5c4e of 2020-11 (39), and of
aks-preview in azure-cli-extensions at 2a0caa45 of 2025-11 (261 of 263) and b3f7d8da of 2024-12 (192), from copies of the repositories: the snapshot
of azure-cli itself is too large to read. 1,239 requests for clusters, 225 for pools and 15 for maintenance configurations were declared; 124 for
clusters with a service principal and 34 for clusters without a Linux system pool in a scale set were not. The text of 3 recordings is damaged.
"""

import re
from collections import Counter
from collections.abc import Iterator

import pytest
import yaml

from nodepools.adoption.adopted import adopt, adoption_of
from nodepools.adoption.draft import CannotAdoptError
from nodepools.adoption.proof import values
from nodepools.clouds.aks.existing import ExistingAksCluster, clusters_of, exports
from nodepools.wire.paths import value_at
from tests.adoption.recordings import FILES, Document, Pair, pairs

EXPLAINED = {
    r"admin_password: .* None is read": "AKS never returns it",
    r"count: \d+ was declared": "the autoscaler counts nodes, and AKS raises the number to the minimum",
    r"pod_cidr: .* None is read": "AKS drops the range of pods if pods have addresses of the subnet",
    r"enableRetinaNetworkFlags: False .* True is read": "AKS enables it for flow logs",
    r"http_proxy.no_proxy: .* is read": "AKS adds what the cluster itself must reach, in any order",
    r"(run_command: True|ssh_access: localuser) was declared, None is read": "AKS does not always return the default",
    r"ssh_access: localuser .* Disabled is read": "Automatic clusters have no SSH",
    r"dataplane: azure .* cilium is read": "the request has none, and Automatic clusters have Cilium",
    r"force_upgrade_until: .*\.000Z was declared": "AKS returns the same moment without milliseconds",
    r"tier: Paid .* Standard is read": "the tier had this name once",
    r"kind: UserPool .* WindowsPool is read": "the request has `windows` in lower case",
}
"""Lines of `not_found` that AKS decides."""


def existing(documents: list[Document]) -> ExistingAksCluster:
    [one], wrong = clusters_of(found for document in documents for found in exports(document, "recording"))
    assert wrong == []
    return one


def not_found(pair: Pair) -> Iterator[str]:
    """Values that a request declares, and that are read otherwise from the answer. The server chooses what a request leaves empty."""
    asked, have = (adoption_of(existing(documents)).draft().fields for documents in (pair.sent, pair.shown))
    for path in values(asked):
        value, found = value_at(asked, path), value_at(have, path)
        line = f"{'.'.join(path)}: {value} was declared, {found} is read"
        if value not in (None, "", 0, [], {}, ()) and _plain(value) != _plain(found) and not any(re.search(known, line) for known in EXPLAINED):
            yield line


def _plain(value: object) -> object:
    """AKS accepts names of values in any case and zones in any order, and returns its own."""
    return sorted(map(str, value)) if isinstance(value, list | tuple) else value.lower() if isinstance(value, str) else value


@pytest.mark.skipif(not FILES, reason="AZURE_CLI_RECORDINGS names no folder with recordings")
def test_recorded_resources_are_declared_as_they_are() -> None:
    counted: Counter[str] = Counter()
    wrong: dict[str, list[str]] = {}
    for file in FILES:
        try:
            found = list(pairs(file))
        except (ValueError, yaml.YAMLError):
            counted["recordings whose text is damaged"] += 1
            continue
        for number, pair in enumerate(found):
            try:
                one = adopt(existing(pair.shown), "recorded", "west")
            except CannotAdoptError as error:
                counted[f"cannot be adopted: {error}"] += 1
                continue
            counted[pair.request] += 1
            differing = [f"{'.'.join(item.path)}: {item.observed} => {item.sent}" for item in one.differences if not item.reason]
            wrong[f"{file.parent.name}/{file.stem}, request {number}"] = [*differing, *not_found(pair)]
    print(f"{len(FILES)} recordings: {dict(counted)}")  # noqa: T201  # the numbers are the result
    assert {name: lines for name, lines in wrong.items() if lines} == {}
