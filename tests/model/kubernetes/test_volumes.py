"""PersistentVolumes, claims and classes, read from raw objects."""

from typing import Any

import pytest

from nodepools.model.kubernetes.admission_objects import read_limit_range, read_runtime_class
from nodepools.model.kubernetes.pod import Expression, Term
from nodepools.model.kubernetes.raw_fields import PodError
from nodepools.model.kubernetes.volumes import Claim, Volume, VolumeClass, read_claim, read_class, read_volume

ZONE = "topology.kubernetes.io/zone"
IN_A = Term((Expression(ZONE, "In", ("a",)),))


def on(*terms: dict[str, Any]) -> dict[str, Any]:
    return {"nodeAffinity": {"required": {"nodeSelectorTerms": list(terms)}}}


def zone(*values: str, key: str = ZONE) -> dict[str, Any]:
    return {"matchExpressions": [{"key": key, "operator": "In", "values": list(values)}]}


VOLUMES = [
    pytest.param({}, {}, Volume("v"), id="nothing is known"),
    pytest.param({"csi": {"driver": "d"}, "storageClassName": "fast"}, {}, Volume("v", "d", storage_class="fast"), id="driver and class"),
    pytest.param({"awsElasticBlockStore": {}}, {}, Volume("v", "ebs.csi.aws.com"), id="a plugin that was part of Kubernetes"),
    pytest.param({"claimRef": {"namespace": "n", "name": "c"}}, {}, Volume("v", claim=("n", "c")), id="a claim"),
    pytest.param(on(zone("a"), zone("b")), {}, Volume("v", terms=(IN_A, Term((Expression(ZONE, "In", ("b",)),)))), id="one of two zones"),
    pytest.param(on(zone("a", key="topology.ebs.csi.aws.com/zone")), {}, Volume("v", terms=(IN_A,)), id="the label of a driver"),
    pytest.param(
        on(zone("", key="topology.disk.csi.azure.com/zone")),
        {},
        Volume("v", terms=(Term((Expression(ZONE, "In", ("0", "1", "2", "3", "4")),)),)),
        id="a disk without a zone",
    ),
    pytest.param(on(), {}, Volume("v", terms=(Term(),)), id="no term matches"),
    pytest.param({}, {"labels": {ZONE: "a"}}, Volume("v", terms=(IN_A,)), id="a zone in a label"),
    pytest.param(
        {},
        {"labels": {"failure-domain.beta.kubernetes.io/zone": "a__b"}},
        Volume("v", terms=(Term((Expression(ZONE, "In", ("a", "b")),)),)),
        id="two zones in a label",
    ),
]


@pytest.mark.parametrize(("spec", "metadata", "expected"), VOLUMES)
def test_volumes(spec: dict[str, Any], metadata: dict[str, Any], expected: Volume) -> None:
    assert read_volume({"metadata": {"name": "v", **metadata}, "spec": spec}) == expected


@pytest.mark.parametrize(("phase", "released"), [("Bound", False), ("Available", False), ("Released", True), ("Failed", True)])
def test_phases_of_a_volume(phase: str, *, released: bool) -> None:
    assert read_volume({"metadata": {"name": "v"}, "status": {"phase": phase}}).released is released


CLAIMS = [
    pytest.param({}, Claim(("default", "c")), id="nothing is known"),
    pytest.param({"spec": {"storageClassName": ""}}, Claim(("default", "c"), storage_class=""), id="no class"),
    pytest.param({"spec": {"volumeName": "v", "storageClassName": "fast"}}, Claim(("default", "c"), "v", "fast"), id="volume and class"),
    pytest.param({"spec": {"accessModes": ["ReadWriteOncePod"]}}, Claim(("default", "c"), modes=("ReadWriteOncePod",)), id="for one pod"),
    pytest.param({"status": {"phase": "Lost"}}, Claim(("default", "c"), problem="lost its PersistentVolume"), id="lost"),
]


@pytest.mark.parametrize(("fields", "expected"), CLAIMS)
def test_claims(fields: dict[str, Any], expected: Claim) -> None:
    assert read_claim({"metadata": {"name": "c"}, **fields}) == expected


def test_the_metadata_of_a_claim() -> None:
    annotations = {"volume.beta.kubernetes.io/storage-provisioner": "kubernetes.io/azure-disk"}
    found = read_claim({"metadata": {"name": "c", "namespace": "n", "annotations": annotations, "deletionTimestamp": "2026-11-22T00:00:00Z"}})
    assert found == Claim(("n", "c"), driver="disk.csi.azure.com", problem="is being deleted")


CLASSES = [
    pytest.param({}, VolumeClass("s", "d", immediate=True), id="volumes are created at once by default"),
    pytest.param({"volumeBindingMode": "WaitForFirstConsumer"}, VolumeClass("s", "d"), id="or when a pod is scheduled"),
    pytest.param({"provisioner": "kubernetes.io/azure-file"}, VolumeClass("s", "file.csi.azure.com", immediate=True), id="its driver"),
    pytest.param(
        {"allowedTopologies": [{"matchLabelExpressions": [{"key": ZONE, "values": ["a"]}]}]},
        VolumeClass("s", "d", immediate=True, topologies=(IN_A,)),
        id="its topologies",
    ),
    pytest.param(
        {"provisioner": "kubernetes.io/aws-ebs"}, VolumeClass("s", "ebs.csi.aws.com", immediate=True, is_zonal=True), id="disks of one zone"
    ),
    pytest.param(
        {"provisioner": "disk.csi.azure.com", "parameters": {"skuname": "Premium_ZRS"}},
        VolumeClass("s", "disk.csi.azure.com", immediate=True),
        id="disks of all zones",
    ),
]


@pytest.mark.parametrize(("fields", "expected"), CLASSES)
def test_classes(fields: dict[str, Any], expected: VolumeClass) -> None:
    assert read_class({"metadata": {"name": "s"}, "provisioner": "d", **fields}) == expected


def test_the_default_class() -> None:
    raw = {"metadata": {"name": "s", "annotations": {"storageclass.kubernetes.io/is-default-class": "true"}}, "provisioner": "d"}
    assert read_class(raw) == VolumeClass("s", "d", immediate=True, is_default=True)


@pytest.mark.parametrize("spec", [{"claimRef": "c"}, {"nodeAffinity": []}, on({"matchExpressions": [{"operator": "Near"}]}), {"csi": {"driver": 1}}])
def test_invalid_volumes(spec: dict[str, Any]) -> None:
    with pytest.raises(PodError):
        read_volume({"metadata": {"name": "v"}, "spec": spec})


IN_ZONES = "matchLabelExpressions"
REFUSED = [
    pytest.param(read_runtime_class, {}, "but is not set", id="a RuntimeClass without a handler"),
    pytest.param(read_runtime_class, {"handler": "Not_Valid"}, "but is `Not_Valid`", id="a handler"),
    pytest.param(
        read_runtime_class, {"handler": "a", "overhead": {"podFixed": {"cpu": "-1"}}}, "`overhead.podFixed.cpu` must be 0 or more", id="an overhead"
    ),
    pytest.param(
        read_runtime_class,
        {"handler": "a", "scheduling": {"tolerations": [{"key": "a", "operator": "Maybe"}]}},
        "`scheduling.tolerations[0].operator` must be `Equal`, ",
        id="a toleration",
    ),
    pytest.param(read_runtime_class, {"handler": "a", "scheduling": {"nodeSelector": {"a b": "c"}}}, "is not a valid key of a label", id="a label"),
    pytest.param(
        read_limit_range, {"spec": {"limits": [{"type": "Pod"}, {"type": "Pod"}]}}, "but has several of `Pod`", id="two entries of one type"
    ),
]


@pytest.mark.parametrize(("read", "fields", "message"), REFUSED)
def test_what_the_api_server_refuses(read: Any, fields: dict[str, Any], message: str) -> None:
    with pytest.raises(PodError) as refused:
        read({"metadata": {"name": "a"}, **fields})
    assert message in str(refused.value)
