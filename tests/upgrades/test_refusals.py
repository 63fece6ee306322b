"""Every refusal of an upgrade that Azure documents, or that people met, has a case that predicts it.

Facts: docs/facts/aks.md § 9.
"""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from nodepools import AksNetworkArgs, Autoscale, SystemPool, UpgradeSettings
from nodepools.aks import LoadBalancer, NetworkProfile
from nodepools.clouds.item import Counter, ExistingStock, Stock
from nodepools.data.version_support import removal
from nodepools.upgrades.cluster_upgrade import ClusterUpgrade
from nodepools.upgrades.karpenter_versions import UsedApi
from tests.upgrades.declared import SIZE, aks, budget, on, plan, pool

MANY = {"web": pool(count=None, scale=Autoscale(1, 100))}
ALL_NODES = pool(count=None, scale=Autoscale(1, 1000), upgrade=UpgradeSettings(max_surge="10"))


def beta_api() -> UsedApi:
    planned = removal("networking.k8s.io/v1beta1", "ServiceCIDR")
    assert planned is not None
    return UsedApi("networking.k8s.io/v1beta1", "ServiceCIDR", "more", "a.yaml:1:1", planned)


def quota() -> ExistingStock:
    return ExistingStock({Counter("vcpus", "standardDDSv5Family", "westeurope").key: Stock(20, 0)})


REFUSALS: dict[str, tuple[Callable[[], ClusterUpgrade], str, str]] = {
    "PodDisruptionBudgets that allow no eviction, before the start": (
        lambda: plan(aks(), "1.36", on("web"), budget(maxUnavailable=0)),
        "UnsatisfiablePDB",
        "never allows an eviction",
    ),
    "Too Many Requests while a node drains": (
        lambda: plan(aks(), "1.36", on("web"), budget(minAvailable="100%")),
        "UpgradeFailed",
        "the upgrade of the pool fails 30 minutes after the drain",
    ),
    "undrainable nodes that are quarantined": (
        lambda: plan(aks(pools={"web": pool(upgrade=UpgradeSettings(undrainable="Cordon"))}), "1.36", on("web"), budget(maxUnavailable=0)),
        "UpgradeFailed",
        "the upgrade ends as failed",
    ),
    "calls of removed APIs in the last 12 hours": (
        lambda: plan(aks(kubernetes_version="1.36"), "1.37", apis=[beta_api()]),
        "UpgradeBlockedOnDeprecatedAPIUsage",
        "Kubernetes 1.37 does not serve `networking.k8s.io/v1beta1` of ServiceCIDR `more`",
    ),
    "too few addresses of the pod CIDR": (
        lambda: plan(aks(pools=MANY, network_profile=NetworkProfile(pod_cidr="192.168.0.0/20")), "1.36"),
        "InsufficientSubnetSize",
        "with surge nodes",
    ),
    "too few addresses of the node subnet": (
        lambda: plan(aks(pools=MANY, network=AksNetworkArgs(cidr="10.10.0.0/26")), "1.36"),
        "InsufficientSubnetSize",
        "node addresses",
    ),
    "too few outbound ports": (
        lambda: plan(aks(pools=MANY, network_profile=NetworkProfile(load_balancer=LoadBalancer(allocated_outbound_ports=1024))), "1.36"),
        "InvalidLoadBalancerProfileAllocatedOutboundPorts",
        "outbound ports",
    ),
    "too small a quota of vCPUs": (
        lambda: plan(aks(), "1.36", existing=quota()),
        "ErrCode_InsufficientVCPUQuota",
        "vCPUs",
    ),
    "a scale set over 1,000 nodes": (lambda: plan(aks(pools={"web": ALL_NODES}), "1.36"), "", "1,010"),
    "a pool too far behind": (
        lambda: plan(aks(pools={"web": pool(snapshot_id="/subscriptions/s/resourceGroups/g/providers/x/snapshots/s")}), "1.39"),
        "NodePoolMcVersionIncompatible",
        "4 minor versions behind",
    ),
}

MANUAL = ("resource locks", "service principal", "failed or stopped state")
FACTS: dict[str, tuple[str, ...]] = {
    "PDB that allows nothing": ("PodDisruptionBudgets that allow no eviction, before the start",),
    "eviction refused while draining": ("Too Many Requests while a node drains",),
    "undrainable = Schedule (default)": ("Too Many Requests while a node drains",),
    "undrainable = Cordon": ("undrainable nodes that are quarantined",),
    "deprecated APIs": ("calls of removed APIs in the last 12 hours",),
    "addresses, quota, ports": (
        "too few addresses of the pod CIDR",
        "too few addresses of the node subnet",
        "too few outbound ports",
        "too small a quota of vCPUs",
    ),
    "others": ("a scale set over 1,000 nodes", *MANUAL),
    "force upgrade": ("PodDisruptionBudgets that allow no eviction, before the start",),
}
"""The cases, or the manual checks, for each row of the facts about what blocks an upgrade."""


def test_every_message_of_the_facts_has_a_case():
    file = Path(__file__).resolve().parents[3] / "shared" / "facts" / "upgrades.md"
    if not file.exists():
        pytest.skip("the collected facts are beside the project in CI only")
    text = file.read_text(encoding="utf-8").partition("### 1.7 ")[2].partition("\n### ")[0]
    rows = [line.split(" | ")[0].removeprefix("| ") for line in text.splitlines() if line.startswith("| ")][1:]
    assert sorted(rows) == sorted(FACTS)
    assert {case for cases in FACTS.values() for case in cases} <= {*REFUSALS, *MANUAL}
    codes = {code for code in re.findall(r"`([A-Z][A-Za-z]+[A-Z][A-Za-z]+)`", text) if not code.startswith("Operation")}
    assert codes <= {code for _, code, _ in REFUSALS.values()}


@pytest.mark.parametrize(("predicted", "code", "words"), REFUSALS.values(), ids=REFUSALS)
def test_a_refusal_is_predicted(predicted, code, words):
    found = [blocker for blocker in predicted().blockers if blocker.refusal == code and words in blocker.message]
    assert found
    assert all(blocker.to_json()["code"] == code for blocker in found)


@pytest.mark.parametrize("words", MANUAL)
def test_what_cannot_be_predicted_is_listed(words):
    assert any(words in text for text in plan(aks(), "1.36").not_checked)


def test_a_forced_upgrade_skips_the_checks_and_not_the_drains():
    found = plan(aks(), "1.36", on("web"), budget(maxUnavailable=0))
    fixes = {blocker.refusal: blocker.fix for blocker in found.blockers}
    assert "`upgradeSettings.overrideSettings`" in str(fixes["UnsatisfiablePDB"])
    assert "overrideSettings" not in str(fixes["UpgradeFailed"])


def test_room_that_is_certainly_missing_is_an_error_and_otherwise_a_warning():
    small = aks(network=AksNetworkArgs(cidr="10.10.0.0/26"), pools=MANY)
    existing = plan(aks(system_pool=SystemPool(vm_size=SIZE, count=6)), "1.36", existing=quota())
    assert [str(blocker.severity) for blocker in plan(small, "1.36").blockers if blocker.refusal == "InsufficientSubnetSize"] == ["warning"]
    assert [str(blocker.severity) for blocker in existing.blockers if blocker.refusal == "ErrCode_InsufficientVCPUQuota"] == ["error"]


def test_room_that_is_there_is_not_told():
    assert [blocker for blocker in plan(aks(), "1.36").blockers if blocker.kind == "capacity"] == []
