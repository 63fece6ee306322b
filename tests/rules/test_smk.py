"""EC2NodeClasses of self-managed Karpenter: what the API server rejects, and what it accepts although it looks alike."""

from datetime import date
from typing import Any

import pytest

from nodepools import Requirement, StackOutput
from nodepools.clouds.eks.self_managed import self_managed_cloud
from nodepools.model.eks.ec2_node_class import OWN_DOMAIN, OWN_LABELS, SelfManagedKarpenter
from nodepools.rules import NodePool
from nodepools.rules.engine.runner import check
from nodepools.rules.engine.samples import AMD64_ON_DEMAND, ec2_class

DAY = date(2026, 11, 21)
ENCRYPTED = {"volume_size": "100Gi", "encrypted": True}


def found(**fields: Any) -> list[str]:
    return [finding.code for finding in check(ec2_class(**fields), today=DAY)]


def volume(**fields: Any) -> list[str]:
    return found(block_devices=[{"device_name": "/dev/xvda", "ebs": {**ENCRYPTED, **fields}}])


def interfaces(*places: tuple[int, int, str]) -> list[str]:
    fields = ("network_card_index", "device_index", "interface_type")
    return found(network_interfaces=[dict(zip(fields, place, strict=True)) for place in places])


IMAGES = [
    pytest.param({"ami_terms": [{"id": "ami-0a1"}], "ami_family": "AL2023"}, [], id="an ID with a family"),
    pytest.param(
        {"ami_terms": [{"ssm_parameter": "/own/image", "tags": {"a": "b"}}], "ami_family": "Custom"}, [], id="an SSM parameter next to tags"
    ),
    pytest.param({"ami_terms": [{"name": "own-*", "owner": "self"}], "ami_family": "Bottlerocket"}, [], id="a name with an owner"),
    pytest.param({"ami_terms": [{"tags": {"team": "web"}}]}, ["SMK001"], id="tags without a family"),
    pytest.param({"ami_family": "Custom"}, [], id="a custom family with an alias"),
    pytest.param({"ami_family": "AL2023"}, [], id="the family of the alias"),
    pytest.param({"ami_terms": [{"alias": "al2023@v20260801", "id": "ami-0a1"}]}, ["SMK004"], id="an alias with an ID"),
    pytest.param({"ami_terms": [{"alias": "al2023@v20260801", "name": "a"}]}, ["SMK004"], id="an alias with a name"),
    pytest.param({"ami_terms": [{"alias": "AL2O23@v1"}]}, ["SMK006"], id="a family that is nearly one"),
    pytest.param({"ami_terms": [{"alias": "ubuntu@v1"}]}, ["SMK006"], id="a family that is none"),
    pytest.param({"ami_terms": [{"alias": "al2023@20260801"}]}, ["SMK006"], id="a version without its letter"),
    pytest.param({"ami_terms": [{"alias": "al2023@v1.2"}]}, ["SMK006"], id="a version of another family"),
    pytest.param({"ami_terms": [{"alias": "debian"}]}, ["SMK006"], id="no version, and no family"),
    pytest.param({"ami_terms": [{"alias": "windows2022@v1"}]}, ["SMK006"], id="a version of Windows"),
    pytest.param({"ami_terms": [{"alias": "windows2022@latest"}]}, [], id="the only version of Windows"),
    pytest.param({"ami_terms": [{"id": "ami-0a1"}], "ami_family": "AL2"}, ["SMK008"], id="Amazon Linux 2 without an alias"),
]


@pytest.mark.parametrize(("fields", "codes"), IMAGES)
def test_images(fields: dict[str, Any], codes: list[str]) -> None:
    assert found(**fields) == codes


SSM = (
    "Use a version of the SSM parameters below `/aws/service/bottlerocket/aws-k8s-VERSION`, such as `bottlerocket@v1.50.0`, "
    "and raise it in one environment after the other"
)


@pytest.mark.parametrize(
    ("alias", "fix"),
    [
        pytest.param("al2023", "Use a family and a version, such as `al2023@v20260801`", id="a release, not the newest one"),
        pytest.param("bottlerocket", "Use a family and a version, such as `bottlerocket@v1.50.0`", id="as Bottlerocket numbers its releases"),
        pytest.param("al2", "Use a family and a version, such as `al2023@v20260801`", id="a family without new images"),
        pytest.param("debian", "Use a family and a version, such as `al2023@v20260801`", id="no family"),
        pytest.param("windows2022", 'Set `alias` to `"windows2022@latest"`', id="Windows has nothing else"),
        pytest.param("bottlerocket@latest", SSM, id="unpinned"),
        pytest.param("ubuntu@latest", "Use one of al2, al2023, bottlerocket, windows2019, windows2022, windows2025", id="no family is never pinned"),
        pytest.param("AL2023@latest", 'Set `alias` to `"al2023@latest"`', id="a family that is misspelled"),
    ],
)
def test_a_fix_of_an_alias_is_not_reported_by_another_rule(alias: str, fix: str) -> None:
    [finding] = [one for one in check(ec2_class(ami_terms=[{"alias": alias}])) if one.code in {"SMK006", "SMK007"}]
    assert finding.fix is not None
    assert finding.fix.text == fix


BY_TAG = {"tags": {"team": "web"}}
CLASSES = [
    pytest.param({}, [], id="a class with a role"),
    pytest.param({"role": None, "instance_profile": "nodes"}, [], id="an instance profile"),
    pytest.param({"role": None}, ["SMK010"], id="neither"),
    pytest.param({"security_groups": [{"name": "web"}]}, [], id="security groups have"),
    pytest.param({"subnets": [{"id": "subnet-1", **BY_TAG}, BY_TAG]}, ["SMK046"], id="the API server looks for one valid term"),
    pytest.param({"security_groups": [{"id": "sg-1", "name": "web"}]}, ["SMK012"], id="an ID with a name"),
    pytest.param({"subnets": [{"tags": {"a": "b"}}, {"id": "subnet-1", "tags": {"a": "b"}}]}, ["SMK046"], id="an ID with tags next to others"),
    pytest.param(
        {"security_groups": [{"id": "sg-1", "name": "web"}, {"name": "web", **BY_TAG}, BY_TAG]}, ["SMK046", "SMK046"], id="two that ignore a part"
    ),
    pytest.param({"subnets": [{"id": "subnet-1"}, {"tags": {"a": "b"}}]}, [], id="terms of one kind each"),
    pytest.param({"security_groups": [{"name": "web", **BY_TAG}, {"name": "web"}]}, ["SMK046"], id="one valid term with a name"),
    pytest.param({"ami_terms": [{"tags": {"": "web"}}], "ami_family": "AL2023"}, ["SMK014"], id="a tag without a key"),
    pytest.param({"capacity_reservations": [{"id": "cr-1"}, {"instance_match_criteria": "open"}, BY_TAG]}, [], id="reservations"),
    pytest.param({"capacity_reservations": [{"id": "cr-1", "owner": "123456789012"}]}, ["SMK015"], id="an ID with an owner"),
    pytest.param({"placement_group": {}}, ["SMK016"], id="a placement group without a name"),
    pytest.param({"placement_group": {"name": "hpc"}}, [], id="a placement group by name"),
    pytest.param({"connection_tracking": {"udp_timeout": 30}}, [], id="one timeout"),
    pytest.param({"tags": {"kubernetes.io/cluster/web": "owned", "": "x", "team": "web"}}, ["SMK019", "SMK019"], id="tags of the cluster"),
    pytest.param({"metadata_options": {"http_tokens": "optional", "http_endpoint": "disabled"}}, ["SMK053"], id="no metadata service"),
]


@pytest.mark.parametrize(("fields", "codes"), CLASSES)
def test_classes(fields: dict[str, Any], codes: list[str]) -> None:
    assert found(**fields) == codes


INTERFACES = [
    pytest.param([(0, 0, "interface"), (1, 1, "efa-only")], [], id="a primary interface, and one for EFA"),
    pytest.param([(0, 0, "efa-only")], ["SMK018"], id="the primary interface is for EFA only"),
    pytest.param([(0, 0, "interface"), (0, 0, "interface")], ["SMK018", "SMK018"], id="a device twice"),
    pytest.param([(0, 0, "interface"), (0, 1, "efa-only"), (0, 2, "efa-only")], ["SMK018", "SMK018"], id="two EFA devices on a card"),
]


@pytest.mark.parametrize(("places", "codes"), INTERFACES)
def test_interfaces(places: list[tuple[int, int, str]], codes: list[str]) -> None:
    assert interfaces(*places) == codes


VOLUMES = [
    pytest.param({}, [], id="a size"),
    pytest.param({"volume_size": None, "snapshot_id": "snap-1", "encrypted": None}, [], id="a snapshot decides its size and encryption"),
    pytest.param({"volume_size": "59000Gi"}, [], id="the largest"),
    pytest.param({"volume_size": "59001Gi"}, ["SMK021"], id="larger"),
    pytest.param({"volume_size": "0Gi"}, ["SMK021"], id="nothing"),
    pytest.param({"volume_size": "010Gi"}, ["SMK021"], id="a leading zero"),
    pytest.param({"volume_size": "18Ti"}, ["SMK021"], id="a size that the pattern leaves out"),
    pytest.param({"volume_size": "18T"}, [], id="the same in T"),
    pytest.param({"volume_initialization_rate": 100, "snapshot_id": "snap-1"}, [], id="a snapshot is loaded"),
]


@pytest.mark.parametrize(("fields", "codes"), VOLUMES)
def test_volumes(fields: dict[str, Any], codes: list[str]) -> None:
    assert volume(**fields) == codes


def test_a_device_without_a_name_or_a_volume() -> None:
    assert found(block_devices=[{"root_volume": True}, {"ebs": {"volume_size": "1Gi"}}]) == ["SMK052", "SMK031"]


def test_labels_of_karpenter_itself_select_types() -> None:
    requirement = Requirement("karpenter.k8s.aws/instance-cpu", "In", ["4"])
    pool = NodePool(requirements=[*AMD64_ON_DEMAND, requirement], expire_after="720h")
    assert [finding.code for finding in check(SelfManagedKarpenter(node_pools={"web": pool}), today=DAY)] == []


def test_a_missing_class() -> None:
    def fixes(name: str | None) -> list[str]:
        pools = {"web": NodePool(requirements=AMD64_ON_DEMAND, node_class=name, expire_after="720h")}
        found = check(SelfManagedKarpenter(node_pools=pools, node_classes={"general": ec2_class()}))
        return [str(finding.fix.text) for finding in found if finding.code == "SMK041" and finding.fix is not None]

    assert fixes("genral") == ['Set `node_class` to `"general"`, if that is meant']
    assert fixes("x") == ["Add the EC2NodeClass `x`, or use one that exists"]
    assert fixes("general") == fixes(None) == []
    alone = NodePool(requirements=AMD64_ON_DEMAND, node_class="elsewhere", expire_after="720h")
    assert check(SelfManagedKarpenter(node_pools={"web": alone})) == []


@pytest.mark.parametrize(
    ("key", "fix"),
    [
        pytest.param(
            "karpenter.k8s.aws/instance-famly", "Use `karpenter.k8s.aws/instance-family`, if that is meant, or a prefix of your own", id="a typo"
        ),
        pytest.param(
            "web.karpenter.k8s.aws/tier", "Use a label that Karpenter documents, or a prefix of your own, such as `example.com/`", id="a subdomain"
        ),
        pytest.param("karpenter.k8s.aws/placement-group-id", None, id="a label of a newer version"),
        pytest.param("example.com/tier", None, id="a label of one's own"),
    ],
)
def test_labels_that_karpenter_does_not_know(key: str, fix: str | None) -> None:
    pool = NodePool(requirements=[*AMD64_ON_DEMAND, Requirement(key, "In", ["m7i"])], expire_after="720h")
    found = [
        str(one.fix.text) for one in check(SelfManagedKarpenter(node_pools={"web": pool})) if one.code in ("SMK042", "KAR087") and one.fix is not None
    ]
    assert found == ([] if fix is None else [fix])


def test_each_label_that_is_accepted_is_one_that_pods_can_select() -> None:
    assert {key for key in self_managed_cloud().well_known if key.startswith(f"{OWN_DOMAIN}/")} == OWN_LABELS


def ebs(**fields: object) -> list[str]:
    volume = {"volume_size": "100Gi", "volume_type": "gp3", "encrypted": True, **fields}
    found = check(ec2_class(block_devices=[{"device_name": "/dev/xvda", "ebs": volume}]))
    return [f"{one.message} / {one.fix.text}" for one in found if one.code == "SMK043" and one.fix is not None]


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({}, None),
        ({"iops": 3000, "throughput": 750}, None),
        ({"iops": 50_000}, None),
        ({"volume_size": "6Gi", "iops": 3000}, None),
        ({"iops": 50_001}, "EBS rejects 50,001 IOPS on 100 GiB of type `gp3`: at most 500 for each GiB, 50,000 here / Set"),
        ({"volume_size": "20G", "iops": 16_000}, "on 19 GiB of type `gp3`: at most 500 for each GiB, 9,500 here"),
        ({"volume_size": "1Ti", "iops": 80_001}, "EBS rejects 80,001 IOPS: volumes of type `gp3` have 3,000 to 80,000"),
        ({"iops": 100}, "EBS rejects 100 IOPS"),
        ({"throughput": 1000}, "EBS rejects 1,000 MiB/s with 3,000 IOPS: at most 1 MiB/s for each 4 IOPS, 750 here / Set"),
        ({"throughput": 1000, "iops": 4000}, None),
        ({"throughput": 100}, "EBS rejects 100 MiB/s: volumes of type `gp3` have 125 to 2,000"),
        ({"volume_type": "gp2", "iops": 3000}, "EBS rejects IOPS for a volume of type `gp2`: only `gp3`, `io1` and `io2` have them / Remove"),
        ({"volume_type": "io2", "iops": 3000, "throughput": 500}, "EBS rejects a throughput for a volume of type `io2`: only `gp3` has one / Remove"),
        ({"volume_type": "io1", "iops": 5001}, "at most 50 for each GiB, 5,000 here"),
        ({"volume_type": "io2", "iops": 100_000}, None),
        ({"volume_type": "io2"}, "EBS requires IOPS for a volume of type `io2` / Set `iops` to `100`, or use the type `gp3`"),
        ({"volume_type": "st1"}, "EBS rejects 100 GiB: volumes of type `st1` have 125 to 16,384 GiB / Set"),
        ({"volume_type": None, "iops": 1, "throughput": 1}, None),
        ({"volume_size": "100Mi", "iops": 16_000}, None),
        ({"volume_size": None, "snapshot_id": "snap-1", "iops": 60_000}, None),
    ],
)
def test_volumes_of_ebs(fields: dict[str, object], told: str | None) -> None:
    found = ebs(**fields)
    assert len(found) == (told is not None), found
    assert told is None or told in found[0]


def test_a_volume_without_any_valid_iops() -> None:
    assert len(ebs(volume_type="io1", volume_size="1Gi", iops=100)) == 2


@pytest.mark.parametrize(
    ("tags", "found"),
    [
        ({f"t{number}": "" for number in range(44)}, []),
        ({f"t{number}": "" for number in range(45)}, ["tags"]),
        ({"AWS:team": "web"}, ["tags.AWS:team"]),
    ],
)
def test_tags_of_nodes(tags: dict[str, str], found: list[str]) -> None:
    assert [one.path.replace('["', ".").replace('"]', "") for one in check(ec2_class(tags=tags)) if one.code == "SMK044"] == found


def test_a_public_address_with_several_interfaces() -> None:
    two = [{"network_card_index": 0, "device_index": index, "interface_type": "interface"} for index in range(2)]
    efa = {"network_card_index": 1, "device_index": 1, "interface_type": "efa-only"}
    assert found(network_interfaces=two, associate_public_ip_address=True) == ["EKS052"]
    assert found(network_interfaces=two, associate_public_ip_address=False) == []
    assert found(network_interfaces=[two[0], efa], associate_public_ip_address=True) == []


NAMED = {"device_name": "/dev/xvda"}
EC2 = [
    pytest.param({"ami_family": "AL2023", "ami_terms": [{"id": "ami-latest"}]}, ["ami_terms[0].id"], id="an image"),
    pytest.param({"ami_family": "AL2023", "ami_terms": [{"id": "ami-latest"}, {"id": "ami-0a1"}]}, [], id="next to one that there is"),
    pytest.param({"subnets": [{"id": "subnet-0a1,subnet-0a2"}]}, ["subnets[0].id"], id="two ids in one"),
    pytest.param({"subnets": [{"id": "subnet-x-1"}, {"tags": {"team": "web"}}]}, [], id="next to tags"),
    pytest.param({"security_groups": [{"id": "arn:aws:ec2:us-east-1:1:security-group/sg-0a1"}]}, ["security_groups[0].id"], id="an ARN"),
    pytest.param({"role": None, "instance_profile": "arn:aws:iam::1:instance-profile/own"}, ["instance_profile"], id="the ARN of a profile"),
    pytest.param({"role": None, "instance_profile": "a profile"}, ["instance_profile"], id="no name"),
    pytest.param({"block_devices": [{**NAMED, "ebs": {**ENCRYPTED, "kms_key_id": "my-key"}}]}, ["block_devices[0].ebs.kms_key_id"], id="no key"),
    pytest.param({"block_devices": [{**NAMED, "ebs": {**ENCRYPTED, "kms_key_id": "alias/my-key"}}]}, [], id="an alias"),
    pytest.param(
        {"block_devices": [{**NAMED, "ebs": {**ENCRYPTED, "encrypted": None, "kms_key_id": "alias/my-key"}}]},
        ["block_devices[0].ebs.encrypted"],
        id="a key without encryption",
    ),
    pytest.param(
        {"block_devices": [{**NAMED, "ebs": {"encrypted": True, "snapshot_id": "snap-x"}}]}, ["block_devices[0].ebs.snapshot_id"], id="a snapshot"
    ),
    pytest.param(
        {"block_devices": [{**NAMED, "ebs": ENCRYPTED}, {**NAMED, "ebs": ENCRYPTED}]}, ["block_devices[1].device_name"], id="a device twice"
    ),
    pytest.param({"block_devices": [{"ebs": ENCRYPTED}, {"ebs": ENCRYPTED}]}, ["block_devices[0].device_name"], id="devices without names"),
    pytest.param({"block_devices": [{**NAMED, "ebs": ENCRYPTED}, {"ebs": ENCRYPTED}]}, [], id="a second one without a name"),
    pytest.param({"block_devices": [{"root_volume": True, "ebs": ENCRYPTED}]}, [], id="a root volume needs no name"),
    pytest.param({"ami_terms": [{"id": "ami-0a1"}], "ami_family": "Custom", "block_devices": [{"ebs": ENCRYPTED}]}, [], id="nor a custom image"),
    pytest.param({"block_devices": [NAMED]}, ["block_devices[0].ebs"], id="a device without a volume"),
    pytest.param({"security_groups": [{"id": f"sg-{one:02d}"} for one in range(17)]}, ["security_groups"], id="more groups than an interface has"),
    pytest.param({"security_groups": [{"id": f"sg-{one % 16:02d}"} for one in range(17)]}, [], id="one of them twice"),
]


ROOTS = [
    pytest.param("al2023@latest", "/dev/xvda", {"volume_size": "10Gi"}, ["volume_size"], id="less than the snapshot"),
    pytest.param("al2023@latest", "/dev/xvda", {"volume_size": "20G"}, ["volume_size"], id="20 GB are 19 GiB"),
    pytest.param("al2023@latest", "/dev/xvda", {"volume_size": "20Gi"}, [], id="as much"),
    pytest.param("al2023@latest", "/dev/xvda", {"volume_size": "10"}, [], id="no size, which SMK021 reports"),
    pytest.param("al2023@latest", "/dev/xvdb", {"volume_size": "10Gi", "volume_type": "st1"}, [], id="another device"),
    pytest.param("bottlerocket@latest", "/dev/xvda", {"volume_size": "4Gi"}, [], id="a smaller image"),
    pytest.param("bottlerocket@latest", "/dev/xvda", {"volume_size": "1Gi"}, ["volume_size"], id="less than that"),
    pytest.param("bottlerocket@latest", "/dev/xvda", {"volume_size": "200Gi", "volume_type": "sc1"}, ["volume_type"], id="no SSD"),
    pytest.param("windows2022@latest", "/dev/xvda", {"volume_size": "200Gi", "volume_type": "sc1"}, [], id="no root device"),
]


@pytest.mark.parametrize(("alias", "device", "fields", "paths"), ROOTS)
def test_root_volumes_that_nodes_start_from(alias: str, device: str, fields: dict[str, Any], paths: list[str]) -> None:
    devices = [{"device_name": device, "ebs": {"encrypted": True, **fields}}, {"device_name": "/dev/sdf", "ebs": ENCRYPTED}]
    found = check(ec2_class(ami_terms=[{"alias": alias}], block_devices=devices), today=DAY)
    assert [one.path for one in found if one.code == "SMK052"] == [f"block_devices[0].ebs.{path}" for path in paths]


@pytest.mark.parametrize(("fields", "paths"), EC2)
def test_values_that_ec2_rejects(fields: dict[str, Any], paths: list[str]) -> None:
    assert [one.path for one in check(ec2_class(**fields), today=DAY) if one.code == "SMK052"] == paths


@pytest.mark.parametrize(
    ("fields", "paths"),
    [
        pytest.param({"ami_family": "AL2023", "ami_terms": [{"id": "ami-0a1"}, {"id": "ami-latest"}]}, ["ami_terms[1].id"], id="next to an image"),
        pytest.param({"subnets": [{"id": "subnet-x-1"}, {"tags": {"team": "web"}}]}, ["subnets[0].id"], id="next to tags"),
        pytest.param({"subnets": [{"id": "subnet-x-1"}]}, [], id="alone"),
        pytest.param({"security_groups": [{"id": "sg-0a1"}, {"name": "web"}]}, [], id="an ID"),
    ],
)
def test_terms_that_select_nothing_next_to_others(fields: dict[str, Any], paths: list[str]) -> None:
    assert [one.path for one in check(ec2_class(**fields), today=DAY) if one.code == "SMK055"] == paths


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ("#!/bin/bash\nset -e", True),
        ("[settings.kubernetes]\nmax-pods = 20", False),
        (StackOutput("o/p/s", "data"), False),
    ],
)
def test_user_data_of_bottlerocket(data: object, *, told: bool) -> None:
    assert ("SMK053" in found(ami_terms=[{"alias": "bottlerocket@v1.50.0"}], user_data=data)) is told
    assert "SMK053" not in found(user_data=data)
    assert "set -e" not in str(check(ec2_class(ami_terms=[{"alias": "bottlerocket@v1.50.0"}], user_data=data)))


@pytest.mark.parametrize("fields", [{"ami_terms": [{"alias": "al2023@v20260720"}]}, {"ami_terms": [{"alias": "windows2022@latest"}]}])
def test_images_of_aws_read_user_data_from_the_metadata_service(fields: dict[str, Any]) -> None:
    off = {"metadata_options": {"http_endpoint": "disabled"}}
    assert "SMK053" in found(**fields, **off)
    assert "SMK053" not in found(**fields)
    assert "SMK053" not in found(ami_family="Custom", ami_terms=[{"id": "ami-0123456789abcdef0"}], **off), "an image of one's own can do without"


@pytest.mark.parametrize(("data", "told"), [("é" * 8 * 1024, False), ("é" * 8 * 1024 + "x", True)])
def test_ec2_counts_the_bytes_of_user_data(data: str, *, told: bool) -> None:
    assert ("SMK053" in found(user_data=data)) is told
