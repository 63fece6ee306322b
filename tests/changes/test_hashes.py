"""Hashes of NodePools and node classes, bit for bit: those that real clusters showed, and the constants in the tests of karpenter-provider-azure."""

from typing import Any

import pytest

from nodepools.changes.drift import aks_node_class_hash, node_pool_hash

AUTO_MODE = {"group": "eks.amazonaws.com", "kind": "NodeClass", "name": "default"}
EC2 = {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"}
ADD_ONS = [{"effect": "NoSchedule", "key": "CriticalAddonsOnly"}]
ARCH = [{"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64"]}]


@pytest.mark.parametrize(
    ("template", "published"),
    [
        pytest.param(
            {"metadata": {}, "spec": {"expireAfter": "336h", "nodeClassRef": AUTO_MODE, "requirements": ARCH, "terminationGracePeriod": "24h0m0s"}},
            "4012513481623584108",
            id="general-purpose of Auto Mode, as AWS workshops show it (2025-01-15)",
        ),
        pytest.param(
            {"metadata": {}, "spec": {"nodeClassRef": AUTO_MODE, "taints": ADD_ONS, "terminationGracePeriod": "1440m"}},
            "4982684901400657622",
            id="system of Auto Mode (2025-04-26); its default of expireAfter is 336h",
        ),
        pytest.param({"spec": {"nodeClassRef": EC2}}, "6821555240594823858", id="self-managed (2024-10-12); its default of expireAfter is 720h"),
    ],
)
def test_of_node_pools_of_real_clusters(template: dict[str, Any], published: str):
    assert node_pool_hash({"template": template, "limits": {"cpu": "9"}, "weight": 3}) == published


KUBELET = {
    "cpuManagerPolicy": "static",
    "cpuCFSQuota": True,
    "cpuCFSQuotaPeriod": "100ms",
    "imageGCHighThresholdPercent": 85,
    "imageGCLowThresholdPercent": 80,
    "topologyManagerPolicy": "none",
    "allowedUnsafeSysctls": ["net.core.somaxconn"],
    "containerLogMaxSize": "10Mi",
    "containerLogMaxFiles": 10,
}
CLASS = {"vnetSubnetID": "subnet-id", "osDiskSizeGB": 30, "imageFamily": "Ubuntu2204", "kubelet": KUBELET, "maxPods": 100, "tags": {"a": "b"}}


def with_zone(kind: str, **settings: str) -> dict[str, Any]:
    return {"localDNS": {kind: [{"zone": "example.com", **settings}]}}


@pytest.mark.parametrize(
    ("edit", "published"),
    [
        ({}, "4108492229247269128"),
        ({"tags": {"other": "tag"}}, "4108492229247269128"),
        ({"vnetSubnetID": "subnet-id-2"}, "13971920214979852468"),
        ({"osDiskSizeGB": 40}, "7816855636861645563"),
        ({"imageFamily": "AzureLinux"}, "15616969746300892810"),
        ({"kubelet": {**KUBELET, "cpuManagerPolicy": "none"}}, "33638514539106194"),
        ({"maxPods": 200}, "15508761509963240710"),
        ({"localDNS": {"mode": "Required"}}, "17805442572569734619"),
        (with_zone("vnetDNSOverrides", queryLogging="Log"), "14608914734386108436"),
        (with_zone("kubeDNSOverrides", protocol="ForceTCP"), "4529827108104295737"),
        (with_zone("vnetDNSOverrides", cacheDuration="1h"), "11008649797056761238"),
        (with_zone("vnetDNSOverrides", serveStaleDuration="30m"), "4895720480850206885"),
        ({"artifactStreaming": {"enabled": True}}, "15355387647114481444"),
    ],
)
def test_of_node_classes_of_azure(edit: dict[str, Any], published: str):
    """The constants of `aksnodeclass_hash_test.go` in karpenter-provider-azure 1.14.0 (read 2026-11-29)."""
    assert aks_node_class_hash({**CLASS, **edit}) == published


def of(**template: object) -> str:
    return node_pool_hash({"template": {"spec": {"nodeClassRef": EC2}, **template}})


def test_what_go_cannot_tell_from_an_absent_field_has_the_same_hash():
    """Empty texts and `Never`, and metadata without anything; an empty map, or a pointer to zero, is something."""
    assert of(metadata={}) == of() != of(metadata={"labels": {}})
    assert of(spec={"nodeClassRef": EC2, "taints": [{"key": "a", "value": "", "effect": "NoSchedule"}]}) == of(
        spec={"nodeClassRef": EC2, "taints": [{"key": "a", "effect": "NoSchedule"}]}
    )
    assert of(spec={"nodeClassRef": EC2, "expireAfter": "Never"}) != of(spec={"nodeClassRef": EC2, "expireAfter": "0s"}) != of()
    assert of(spec={"nodeClassRef": EC2, "terminationGracePeriod": "0s"}) != of()
    without = {"kubelet": {name: value for name, value in KUBELET.items() if name != "cpuCFSQuotaPeriod"}}
    assert aks_node_class_hash({**CLASS, "kubelet": {**KUBELET, "cpuCFSQuotaPeriod": "0s"}}) != aks_node_class_hash({**CLASS, **without})
