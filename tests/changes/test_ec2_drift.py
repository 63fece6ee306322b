"""What changes the hash of an EC2NodeClass, and what does not. The oracle of drift compares random edits with Karpenter's own hash."""

from dataclasses import replace
from datetime import date

import pytest

from nodepools.changes.ec2_drift import of_ec2_node_class
from nodepools.changes.object_requests import object_request
from nodepools.changes.request_changes import request_changes
from nodepools.clouds.change import Change
from nodepools.data.karpenter_releases import KarpenterRelease, karpenter_release

Spec = dict[str, object]
LATEST: Spec = {"amiSelectorTerms": [{"alias": "al2023@latest"}]}

DAY = date(2026, 11, 26)


def disks(**disk: object) -> dict[str, object]:
    return {"blockDeviceMappings": [{"deviceName": "/dev/xvda", "ebs": disk}]}


CLASSES: dict[str, tuple[Spec, Spec, bool]] = {
    "tags": (LATEST, {**LATEST, "tags": {"a": "b"}}, True),
    "tags: {}": (LATEST, {**LATEST, "tags": {}}, True),
    "a family instead of the same alias": ({**LATEST, "amiFamily": "AL2023"}, LATEST, False),
    "another family": (LATEST, {"amiSelectorTerms": [{"alias": "bottlerocket@latest"}]}, True),
    "another version of an alias": (LATEST, {"amiSelectorTerms": [{"alias": "al2023@v20260101"}]}, False),
    "Custom, of images by their id": ({"amiSelectorTerms": [{"id": "ami-1"}]}, {"amiFamily": "Custom"}, False),
    "subnets": (LATEST, {**LATEST, "subnetSelectorTerms": [{"id": "subnet-1"}]}, False),
    "defaults of the metadata options": (LATEST, {**LATEST, "metadataOptions": {"httpTokens": "required"}}, False),
    "a hop limit": (LATEST, {**LATEST, "metadataOptions": {"httpPutResponseHopLimit": 2}}, True),
    "kubelet: {}": (LATEST, {**LATEST, "kubelet": {}}, False),
    "fields of the kubelet in another order": ({"kubelet": {"maxPods": 9, "podsPerCore": 2}}, {"kubelet": {"podsPerCore": 2, "maxPods": 9}}, False),
    "a duration of the kubelet respelled": ({"kubelet": {"cpuCFSQuotaPeriod": "100ms"}}, {"kubelet": {"cpuCFSQuotaPeriod": "0.1s"}}, True),
    "a size respelled": (disks(volumeSize="1Ti"), disks(volumeSize="1024Gi"), False),
    "a decimal size respelled": (disks(volumeSize="1T"), disks(volumeSize="1000G"), False),
    "a decimal and a binary size": (disks(volumeSize="100G"), disks(volumeSize="100Gi"), True),
    "a size that no CRD accepts": (disks(volumeSize="big"), disks(volumeSize="bigger"), True),
    "rootVolume: false": ({"blockDeviceMappings": [{}]}, {"blockDeviceMappings": [{"rootVolume": False}]}, False),
    "rootVolume: true": ({"blockDeviceMappings": [{}]}, {"blockDeviceMappings": [{"rootVolume": True}]}, True),
    "blockDeviceMappings: []": ({}, {"blockDeviceMappings": []}, True),
    "encrypted: false": (disks(), disks(encrypted=False), True),
    "detailedMonitoring: false": ({}, {"detailedMonitoring": False}, True),
}


@pytest.mark.parametrize(("old", "new", "drifts"), CLASSES.values(), ids=CLASSES)
def test_ec2_node_class(old: Spec, new: Spec, drifts: bool) -> None:  # noqa: FBT001  # a row
    assert (of_ec2_node_class(old) != of_ec2_node_class(new)) is drifts


def kubelet(period: str) -> dict[str, object]:
    return {"kubelet": {"cpuCFSQuotaPeriod": period}}


def effects(old: dict[str, object], new: dict[str, object], karpenter: KarpenterRelease | None = None) -> dict[str, str]:
    base = {"apiVersion": "karpenter.k8s.aws/v1", "kind": "EC2NodeClass", "metadata": {"name": "default"}}
    before, after = (object_request({**base, "spec": {"role": "r", **LATEST, **spec}}) for spec in (old, new))
    assert before is not None
    assert after is not None
    return {".".join(map(str, change.steps[3:])): change.effect.value for change in request_changes(before, replace(after, karpenter=karpenter), DAY)}


FIELDS: dict[str, tuple[Spec, Spec, dict[str, str]]] = {
    "a role, which Karpenter permits": ({}, {"role": "s"}, {"role": "rolls"}),
    "a pinned image": ({}, {"amiSelectorTerms": [{"alias": "al2023@v20260101"}]}, {"amiSelectorTerms": "rolls_some"}),
    "another family": ({}, {"amiSelectorTerms": [{"alias": "bottlerocket@latest"}]}, {"amiSelectorTerms": "rolls"}),
    "the family of the alias": ({}, {"amiFamily": "AL2023"}, {"amiFamily": "none"}),
    "no family of the alias": ({}, {"amiFamily": "Custom"}, {"amiFamily": "rolls"}),
    "subnets": ({}, {"subnetSelectorTerms": [{"id": "subnet-1"}]}, {"subnetSelectorTerms": "rolls_some"}),
    "security groups by tags, then by id, which can be the same": (
        {},
        {"securityGroupSelectorTerms": [{"id": "sg-1"}]},
        {"securityGroupSelectorTerms": "rolls_some"},
    ),
    "other security groups by id": (
        {"securityGroupSelectorTerms": [{"id": "sg-1"}]},
        {"securityGroupSelectorTerms": [{"id": "sg-1"}, {"id": "sg-2"}]},
        {"securityGroupSelectorTerms": "rolls"},
    ),
    "other security groups by name": (
        {"securityGroupSelectorTerms": [{"name": "web"}]},
        {"securityGroupSelectorTerms": [{"name": "api"}]},
        {"securityGroupSelectorTerms": "rolls"},
    ),
    "security groups by a pattern of names": (
        {"securityGroupSelectorTerms": [{"name": "web"}]},
        {"securityGroupSelectorTerms": [{"name": "we*"}]},
        {"securityGroupSelectorTerms": "rolls_some"},
    ),
    "security groups by other tags, which the same groups can have": (
        {"securityGroupSelectorTerms": [{"tags": {"a": "b"}}]},
        {"securityGroupSelectorTerms": [{"tags": {"c": "d"}}]},
        {"securityGroupSelectorTerms": "rolls_some"},
    ),
    "prefixes": ({}, {"ipPrefixCount": 1}, {"ipPrefixCount": "in_place"}),
    "a duration of the kubelet": (kubelet("100ms"), kubelet("0.1s"), {"kubelet.cpuCFSQuotaPeriod": "rolls"}),
    "an empty kubelet": ({}, {"kubelet": {}}, {}),
    "user data": ({"userData": "a"}, {"userData": "b"}, {"userData": "rolls"}),
    "an empty map": ({}, {"tags": {}}, {"tags": "rolls"}),
    "a size respelled": (disks(volumeSize="1Ti"), disks(volumeSize="1024Gi"), {"blockDeviceMappings": "none"}),
}


@pytest.mark.parametrize(("old", "new", "said"), FIELDS.values(), ids=FIELDS)
def test_the_effect_of_each_field(old: Spec, new: Spec, said: dict[str, str]) -> None:
    assert effects(old, new) == said


def test_user_data_is_not_shown() -> None:
    [change] = request_changes_of("echo a", "echo b")
    assert (change.old, change.new) == ({"$secret": True}, {"$secret": True})


def request_changes_of(old: str, new: str) -> list[Change]:
    base = {"apiVersion": "karpenter.k8s.aws/v1", "kind": "EC2NodeClass", "metadata": {"name": "default"}}
    before, after = (object_request({**base, "spec": {"userData": text}}) for text in (old, new))
    assert before is not None
    assert after is not None
    return list(request_changes(before, after, DAY))


def grace(period: str) -> dict[str, object]:
    return {"evictionSoftGracePeriod": {"memory.available": period}}


def release(version: str) -> KarpenterRelease:
    found = karpenter_release(version)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("version", "old", "new", "effect"),
    [
        pytest.param("1.14", grace("1m"), grace("60s"), ["none"], id="a duration by its meaning"),
        pytest.param("1.15", grace("1m"), grace("60s"), ["rolls"], id="by its text"),
        pytest.param("1.14", {"maxPods": 8}, {"maxPods": 9}, ["rolls"], id="another number"),
        pytest.param("1.0", {"maxPods": 8}, {"maxPods": 9}, ["in_place"], id="not compared at all"),
    ],
)
def test_versions_of_karpenter_compare_the_kubelet_differently(version: str, old: object, new: object, effect: list[str]) -> None:
    assert list(effects({"kubelet": old}, {"kubelet": new}, release(version)).values()) == effect


@pytest.mark.parametrize(
    ("version", "old", "new", "found"),
    [
        pytest.param("1.6", {}, {"role": "s"}, {"role": "refused"}, id="a role that is fixed"),
        pytest.param("1.7", {}, {"role": "s"}, {"role": "rolls"}, id="a role that is not"),
        pytest.param("1.6", {"role": None, "instanceProfile": "p"}, {}, {"instanceProfile": "rolls", "role": "refused"}, id="a role for a profile"),
    ],
)
def test_a_role_could_not_change_before_1_7(version: str, old: dict[str, object], new: dict[str, object], found: dict[str, str]) -> None:
    assert effects(old, new, release(version)) == found
