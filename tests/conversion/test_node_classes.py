"""Node classes of other Karpenters."""

import pytest

from nodepools.conversion.node_classes import FIELDS
from nodepools.conversion.unconverted import HIDDEN
from nodepools.wire.aks import node_class as aks
from nodepools.wire.eks import ec2_node_class as ec2
from nodepools.wire.eks import node_class as eks
from nodepools.wire.karpenter import AKS_NODE_CLASS, EC2_NODE_CLASS, EKS_NODE_CLASS
from tests.conversion.objects import AUTO, NAP, entry, listed, node_class, one, spec

SELECTED = {"subnetSelectorTerms": [{"tags": {"tier": "private"}}], "securityGroupSelectorTerms": [{"id": "sg-1"}]}
TABLES = {EC2_NODE_CLASS.group: ec2.NODE_CLASS, EKS_NODE_CLASS.group: eks.NODE_CLASS, AKS_NODE_CLASS.group: aks.NODE_CLASS}


def azure(version="v1beta1", **fields):
    return {"apiVersion": f"karpenter.azure.com/{version}", "kind": "AKSNodeClass", "metadata": {"name": "default"}, "spec": fields}


def auto_mode(**fields):
    return {"apiVersion": "eks.amazonaws.com/v1", "kind": "NodeClass", "metadata": {"name": "web"}, "spec": fields}


@pytest.mark.parametrize(("group", "target"), FIELDS, ids=str)
def test_every_field_of_a_node_class_has_a_row(group, target):
    fields = {str(claim[0]) for claim in TABLES[group].read_paths}
    assert fields - set(FIELDS[group, target]) == set()


def test_a_node_class_is_one_of_the_target():
    found = one(node_class(role="nodes", tags={"team": "web"}, associatePublicIPAddress=False, **SELECTED))
    assert found.new == {
        "apiVersion": "eks.amazonaws.com/v1",
        "kind": "NodeClass",
        "metadata": {"name": "default-auto"},
        "spec": {"role": "nodes", "tags": {"team": "web"}, "advancedNetworking": {"associatePublicIPAddress": False}, **SELECTED},
    }
    assert listed(found) == [("kept", "spec.role"), ("kept", "spec.tags")]


ROLES = {
    "the role of the class": ({"role": "nodes"}, None, {"role": "nodes"}, [("kept", "spec.role")]),
    "another role": ({"role": "nodes"}, "auto", {"role": "auto"}, [("changed", "spec.role")]),
    "the same role": ({"role": "auto"}, "auto", {"role": "auto"}, []),
    "no role": ({}, None, {}, [("missing", "spec.role")]),
    "an instance profile": ({"instanceProfile": "nodes"}, None, {}, [("missing", "spec.role"), ("removed", "spec.instanceProfile")]),
    "an instance profile of EKS": ({"instanceProfile": "eks-nodes"}, None, {"instanceProfile": "eks-nodes"}, []),
    "a role instead of a profile": ({"instanceProfile": "eks-nodes"}, "auto", {"role": "auto"}, [("removed", "spec.instanceProfile")]),
}


@pytest.mark.parametrize(("given", "role", "identity", "changes"), ROLES.values(), ids=ROLES)
def test_the_identity_of_nodes(given, role, identity, changes):
    found = one(node_class(**given, **SELECTED), role=role)
    assert {name: value for name, value in spec(found).items() if name not in SELECTED} == identity
    assert listed(found) == changes


def test_selectors_that_are_missing_are_listed():
    assert [path for outcome, path in listed(one(node_class(role="nodes"))) if outcome == "missing"] == [f"spec.{name}" for name in SELECTED]


REMOVED = {
    "images": {"amiSelectorTerms": [{"alias": "al2023@latest"}]},
    "the family of images": {"amiFamily": "AL2023"},
    "settings of the kubelet": {"kubelet": {"maxPods": 20}},
    "access to instance metadata": {"metadataOptions": {"httpPutResponseHopLimit": 2}},
    "local disks": {"instanceStorePolicy": "RAID0"},
    "detailed monitoring": {"detailedMonitoring": True},
    "enclaves": {"enclaveOptions": {"enabled": True}},
    "a field that nobody knows": {"somethingNew": 1},
}


@pytest.mark.parametrize("fields", REMOVED.values(), ids=REMOVED)
@pytest.mark.parametrize("target", [AUTO, NAP])
def test_what_the_target_does_not_have_is_listed(fields, target):
    found = one(node_class(role="nodes", **SELECTED, **fields), target)
    [(name, value)] = fields.items()
    assert name not in spec(found) or (name, target) == ("kubelet", NAP)
    assert any(path.startswith(f"spec.{name}") for outcome, path in listed(found) if outcome == "removed") or value == {"maxPods": 20}


SAME = {
    "the metadata options of Auto Mode": {"metadataOptions": {"httpTokens": "required", "httpPutResponseHopLimit": 1}},
    "no detailed monitoring": {"detailedMonitoring": False},
    "no enclaves": {"enclaveOptions": {"enabled": False}},
}


@pytest.mark.parametrize("fields", SAME.values(), ids=SAME)
def test_what_the_target_does_anyway_is_not_listed(fields):
    assert listed(one(node_class(role="auto", **SELECTED, **fields), role="auto")) == []


def test_user_data_is_never_shown():
    found = one(node_class(role="nodes", userData="TOKEN=hunter2", **SELECTED))
    assert entry(found, "spec.userData").value == HIDDEN
    assert "hunter2" not in str(found.new) + str([each.to_json() for each in found.unconverted])


def test_v1beta1_had_another_default_of_metadata_options():
    assert ("changed", "spec.metadataOptions") in listed(one(node_class("v1beta1", role="nodes", **SELECTED)))
    assert "spec.metadataOptions" not in dict(map(reversed, listed(one(node_class("v1", role="nodes", **SELECTED)))))


def test_capacity_reservations():
    terms = [{"tags": {"team": "ml"}, "ownerID": "111122223333", "instanceMatchCriteria": "open"}, {"id": "cr-1"}]
    found = one(node_class(role="nodes", capacityReservationSelectorTerms=terms, **SELECTED))
    assert spec(found)["capacityReservationSelectorTerms"] == [{"tags": {"team": "ml"}, "owner": "111122223333"}, {"id": "cr-1"}]
    assert ("removed", "spec.capacityReservationSelectorTerms[0].instanceMatchCriteria") in listed(found)


def test_tags_that_auto_mode_rejects_are_removed():
    found = one(node_class(role="nodes", tags={"karpenter.sh/nodepool": "x"}, **SELECTED))
    assert "tags" not in spec(found)
    assert ("removed", 'spec.tags["karpenter.sh/nodepool"]') in listed(found)


def volume(name, **ebs):
    return {"deviceName": name, "ebs": ebs}


DISKS = {
    "one volume": ({}, [volume("/dev/xvda", volumeSize="100Gi", volumeType="gp3", encrypted=True)], {"size": "100Gi"}, []),
    "all of its settings": (
        {},
        [volume("/dev/xvda", volumeSize="1Ti", iops=4000, throughput=200, kmsKeyID="alias/web")],
        {"size": "1Ti", "iops": 4000, "throughput": 200, "kmsKeyID": "alias/web"},
        [],
    ),
    "no size": ({}, [volume("/dev/xvda", iops=3000)], {"iops": 3000}, []),
    "settings out of range": ({}, [volume("/dev/xvda", iops=20000, volumeSize="60000Gi")], None, ["[0].ebs.volumeSize", "[0].ebs.iops"]),
    "a size that is not a whole number": ({}, [volume("/dev/xvda", volumeSize="1.5Gi")], None, ["[0].ebs.volumeSize"]),
    "other settings": (
        {},
        [volume("/dev/xvda", volumeSize="9Gi", volumeType="io2", encrypted=False, snapshotID="snap-1")],
        {"size": "9Gi"},
        ["[0].ebs.encrypted", "[0].ebs.volumeType", "[0].ebs.snapshotID"],
    ),
    "the data volume of Bottlerocket": (
        {"amiSelectorTerms": [{"alias": "bottlerocket@latest"}]},
        [volume("/dev/xvda", volumeSize="4Gi"), volume("/dev/xvdb", volumeSize="50Gi")],
        {"size": "50Gi"},
        ["[0]"],
    ),
    "the first volume of other images": (
        {},
        [volume("/dev/xvda", volumeSize="4Gi"), volume("/dev/xvdb", volumeSize="50Gi")],
        {"size": "4Gi"},
        ["[1]"],
    ),
    "the marked volume": (
        {},
        [volume("/dev/a", volumeSize="4Gi"), {**volume("/dev/b", volumeSize="5Gi"), "rootVolume": True}],
        {"size": "5Gi"},
        ["[0]"],
    ),
    "no volume": ({}, [{"deviceName": "/dev/xvda"}], None, ["[0]"]),
}


@pytest.mark.parametrize(("more", "devices", "storage", "lost"), DISKS.values(), ids=DISKS)
def test_the_disk_of_nodes(more, devices, storage, lost):
    found = one(node_class(role="auto", blockDeviceMappings=devices, **more, **SELECTED), role="auto")
    assert spec(found).get("ephemeralStorage") == storage
    paths = [path.removeprefix("spec.blockDeviceMappings") for _, path in listed(found) if "blockDevice" in path]
    assert paths == lost


AZURE_DISKS = {"100Gi": (100, []), "10Gi": (None, ["volumeSize"]), "100G": (None, ["volumeSize"]), None: (None, [])}


@pytest.mark.parametrize("size", AZURE_DISKS, ids=str)
def test_the_disk_of_nodes_on_azure(size):
    ebs = {"volumeType": "gp3", **({"volumeSize": size} if size else {})}
    found = one(node_class(blockDeviceMappings=[volume("/dev/xvda", **ebs)]), NAP)
    disk, lost = AZURE_DISKS[size]
    assert spec(found) == ({"osDiskSizeGB": disk} if disk else {})
    assert [path.rpartition(".")[2] for _, path in listed(found)] == [*lost, "volumeType"]


def test_what_an_aks_node_class_has_of_the_kubelet():
    found = one(node_class(kubelet={"maxPods": 50, "cpuCFSQuota": False, "systemReserved": {"cpu": "1"}}), NAP)
    assert spec(found) == {"maxPods": 50, "kubelet": {"cpuCFSQuota": False}}
    assert listed(found) == [("removed", "spec.kubelet.systemReserved")]
    assert ("removed", "spec.kubelet.maxPods") in listed(one(node_class(kubelet={"maxPods": 500}), NAP))


def test_a_node_class_of_auto_mode_on_azure():
    found = one(
        auto_mode(role="x", ephemeralStorage={"size": "80Gi", "iops": 3000}, advancedSecurity={"fips": True}, tags={"a": "b"}, **SELECTED), NAP
    )
    assert found.new == azure(osDiskSizeGB=80, tags={"a": "b"}) | {"metadata": {"name": "web"}}
    assert ("removed", "spec.ephemeralStorage.iops") in listed(found)
    assert ("removed", "spec.advancedSecurity") in listed(found)


def test_an_aks_node_class_in_auto_mode():
    found = one(azure(imageFamily="Ubuntu", osDiskSizeGB=128, maxPods=50), role="nodes")
    assert spec(found) == {"role": "nodes", "ephemeralStorage": {"size": "128Gi"}}
    assert [path for outcome, path in listed(found) if outcome == "missing"] == [f"spec.{name}" for name in SELECTED]


def test_an_aks_node_class_of_an_older_version():
    found = one(azure("v1alpha2", imageVersion="2024.1", imageFamily="Ubuntu"), NAP)
    assert found.new == azure(imageFamily="Ubuntu")
    assert listed(found) == [("removed", "spec.imageVersion")]
    assert listed(one(azure("v1alpha2"), NAP)) == []


@pytest.mark.parametrize(("raw", "target"), [(auto_mode(role="x"), AUTO), (azure(), NAP)])
def test_a_node_class_of_the_target_is_untouched(raw, target):
    assert one(raw, target).new is raw


@pytest.mark.parametrize("fields", [None, [], {"blockDeviceMappings": {}, "kubelet": 3, "tags": [], "capacityReservationSelectorTerms": "x"}])
@pytest.mark.parametrize("target", [AUTO, NAP])
def test_parts_of_another_type_do_not_stop_the_conversion(fields, target):
    assert one(node_class() | {"spec": fields}, target).is_changed
