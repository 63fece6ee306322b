"""The kubelet of EC2NodeClasses of self-managed Karpenter: each setting with the values that Karpenter accepts, and those that it rejects."""

from datetime import date
from typing import Any

import pytest

from nodepools.rules.engine.runner import check
from nodepools.rules.engine.samples import ec2_class
from nodepools.rules.self_managed.node_classes import KUBELET_FIELDS

DAY = date(2026, 11, 21)


def found(**fields: Any) -> list[str]:
    return [finding.code for finding in check(ec2_class(**fields), today=DAY)]


KUBELETS = [
    pytest.param({"kubeReserved": {"cpu": "100m", "gpu": "1"}}, ["SMK032"], id="a resource that the kubelet does not reserve"),
    pytest.param({"systemReserved": {"cpu": "-1"}}, ["SMK032"], id="a negative reservation"),
    pytest.param({"systemReserved": {"cpu": "vcpus * 10"}, "maxPods": "vcpus * 10"}, ["SMK047", "SMK047"], id="expressions"),
    pytest.param({"evictionHard": {"memory.free": "5%"}}, ["SMK032"], id="a signal that does not exist"),
    pytest.param({"evictionHard": {"memory.available": "5%"}}, [], id="one that does"),
    pytest.param({"evictionSoftGracePeriod": {"memory.available": "1m"}}, ["SMK032"], id="a grace period alone"),
    pytest.param({"evictionSoft": {"memory.available": "5%"}, "evictionSoftGracePeriod": {"memory.available": "1m"}}, [], id="with its threshold"),
    pytest.param({"imageGCHighThresholdPercent": 80, "imageGCLowThresholdPercent": 80}, ["SMK032"], id="thresholds in the wrong order"),
    pytest.param({"imageGCHighThresholdPercent": 85, "imageGCLowThresholdPercent": 80}, [], id="in the right order"),
    pytest.param({"imageGCHighThresholdPercent": 101}, ["SMK032"], id="a percentage above 100"),
    pytest.param({"podsPerCore": -1}, ["SMK032"], id="a negative number"),
    pytest.param({"maxPods": 0}, ["SMK032"], id="no pod fits"),
    pytest.param({"podsPerCore": 0}, [], id="zero is no limit"),
    pytest.param({"evictionHard": {"memory.available": "1O%", "nodefs.available": "5GB"}}, ["SMK032", "SMK032"], id="a letter for a digit"),
    pytest.param({"evictionMinimumReclaim": {"memory.available": "500Mi", "nodefs.available": "1.5%"}}, [], id="amounts and percentages"),
    pytest.param({"kubeReserved": "100m"}, ["SMK032"], id="a value of another type"),
    pytest.param({"kubeReserved": {"cpu": 1}}, ["SMK032"], id="a number in place of text"),
    pytest.param({"kubeReserved": {"memory": "1GB"}, "maxPods": "1GB"}, ["SMK032", "SMK032"], id="neither an amount nor an expression"),
    pytest.param({"maxPods": "self.map(x, y, z, w)"}, ["SMK047"], id="whether it is an expression is not known"),
    pytest.param({"maxPods": "Pod{}"}, ["SMK047"], id="nor of a message that it creates"),
    pytest.param({"evictionHard": {"memory.available": "110%"}}, ["SMK032"], id="more than everything"),
    pytest.param({"maxPod": 60}, ["SMK032"], id="a misspelt setting"),
    pytest.param({"quantumScheduling": True}, ["SMK049"], id="a setting that this kubelet does not have"),
    pytest.param({"registerWithTaints": []}, ["SMK032"], id="a setting of Karpenter itself"),
    pytest.param({"maxPods": None, "nodeLeaseDurationSeconds": 40.0, "shutdownGracePeriod": "1.5h", "serializeImagePulls": False}, [], id="others"),
    *(
        pytest.param({"evictionSoft": {"memory.available": "5%"}, "evictionSoftGracePeriod": {"memory.available": value}}, codes, id=value)
        for value, codes in (("1m30s", []), ("0", []), ("1.5h", []), ("1min", ["SMK032"]), ("90", ["SMK032"]), ("-1m", ["SMK032"]))
    ),
]


@pytest.mark.parametrize(("kubelet", "expected"), KUBELETS)
def test_settings_of_the_kubelet(kubelet: dict[str, Any], expected: list[str]) -> None:
    assert found(kubelet=kubelet) == expected


VALID: dict[str, Any] = {
    "switch": True,
    "text": "x",
    "duration": "90s",
    "whole number": 7,
    "number": 0.5,
    "list": [],
    "mapping of text": {},
    "mapping": {},
}


@pytest.mark.parametrize("field", sorted(KUBELET_FIELDS.keys() - {"registerWithTaints"}))
def test_each_setting_of_the_kubelet_has_values_of_one_type(field: str) -> None:
    kind = KUBELET_FIELDS[field]
    texts = {"text", "duration"}
    assert found(kubelet={field: VALID[kind]}) == []
    for other, value in VALID.items():
        fits = other == kind or {other, kind} == {"mapping", "mapping of text"} or (other, kind) in (("duration", "text"), ("whole number", "number"))
        told = [] if fits else ["SMK047"] if field == "maxPods" and other in texts - {"duration"} else ["SMK032"]
        assert found(kubelet={field: value}) == told, (other, value)


@pytest.mark.parametrize(
    ("fields", "codes"),
    [
        *(({"ami_terms": [{"alias": alias}]}, ["SMK048"]) for alias in ("bottlerocket@v1.50.0", "windows2022@latest", "WINDOWS2019@latest")),
        ({"ami_terms": [{"id": "ami-1"}], "ami_family": "Windows2025"}, ["SMK048"]),
        ({"ami_family": "Custom", "ami_terms": [{"alias": "bottlerocket@v1.50.0"}]}, []),
        ({"ami_terms": [{"id": "ami-1"}], "ami_family": "AL2023"}, []),
    ],
)
def test_settings_that_a_family_of_images_does_not_get(fields: dict[str, Any], codes: list[str]) -> None:
    dropped: list[dict[str, Any]] = [{"serializeImagePulls": False}, {"clusterDNS": ["10.0.0.1", "10.0.0.2"]}, {"evictionMinimumReclaim": {}}]
    for kubelet in dropped:
        assert [code for code in found(kubelet=kubelet, **fields) if code.startswith("SMK03") or code == "SMK048"] == codes, kubelet
    assert "SMK048" not in found(kubelet={"maxPods": 20, "clusterDNS": ["10.0.0.1"], "evictionHard": {"memory.available": "5%"}}, **fields)


def test_only_bottlerocket_has_no_pods_for_each_core() -> None:
    for alias, told in (("bottlerocket@v1.50.0", True), ("windows2022@latest", False), ("al2023@v20260801", False)):
        assert ("SMK048" in found(ami_terms=[{"alias": alias}], kubelet={"podsPerCore": 5})) is told
