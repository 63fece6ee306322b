"""The fields of NodeClasses: what is refused beside what is taken."""

import base64

import pytest

from nodepools import AutoMode, EksNodeClass, StackOutput, check, keys
from nodepools.eks import (
    AdvancedNetworking,
    CapacityReservationTerm,
    CertificateBundle,
    NetworkInterface,
    PlacementGroup,
    SelectorTerm,
)
from nodepools.model.derive import derive
from nodepools.model.karpenter import NodePool
from nodepools.rules.engine.samples import AMD64, ON_DEMAND, auto_mode, eks, eks_pool

OUTPUT = StackOutput("org/net/prod", "id")
GROUPS = {"pod_security_groups": [SelectorTerm(id="sg-1")]}
ARN = "arn:aws:kms:us-east-1:111122223333"
EFA = {"device_index": 1, "interface_type": "efa-only"}


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        pytest.param({"instance_profile": "eks-nodes"}, [], id="a profile"),
        pytest.param({"instance_profile": OUTPUT}, [], id="a profile that is not known yet"),
        pytest.param({"instance_profile": "eks", "role": "nodes"}, ["EKS021 instance_profile"], id="a profile and a role"),
        pytest.param({"instance_profile": "eks", "create_role": True}, ["EKS021 instance_profile"], id="a profile and a role to be made"),
        pytest.param({"role": "nodes", "create_role": True}, ["EKS021 create_role"], id="a role and a role to be made"),
        pytest.param({"pod_subnets": [SelectorTerm(id="subnet-1")], **GROUPS}, [], id="subnets and groups of pods"),
        pytest.param(GROUPS, ["EKS031 pod_security_groups"], id="groups of pods alone"),
        pytest.param({"pod_subnets": [SelectorTerm(name="x")], **GROUPS}, ["EKS025 pod_subnets[0].name"], id="subnets of pods have no name"),
        pytest.param({"subnets": [SelectorTerm(tags={"": "x"})]}, ['EKS030 subnets[0].tags[""]'], id="a tag without a key"),
        pytest.param({"subnets": [SelectorTerm(tags={"tier": "*"})]}, [], id="a tag of any value"),
        *[pytest.param({"ephemeral_storage": size}, [], id=size) for size in ("17Ti", "20Ti", "58Ti", "18T")],
        *[pytest.param({"ephemeral_storage": size}, ["EKS032 ephemeral_storage"], id=size) for size in ("19Ti", "49Ti")],
        *[
            pytest.param({"ephemeral_storage_kms_key_id": key}, [], id=f"key {key}")
            for key in ("alias/nodes", f"{ARN}:key/1", f"{ARN}:alias/x", f"mrk-{'0' * 32}", "01234567-89ab-cdef-0123-456789abcdef")
        ],
        pytest.param({"ephemeral_storage_kms_key_id": OUTPUT}, [], id="a key that is not known yet"),
        pytest.param({"ephemeral_storage_kms_key_id": "key/1"}, ["EKS033 ephemeral_storage_kms_key_id"], id="no key"),
        pytest.param({"capacity_reservations": [CapacityReservationTerm(id="cr-1")]}, [], id="a reservation"),
        pytest.param({"capacity_reservations": [CapacityReservationTerm(tags={"team": "ml"}, owner="012345678901")]}, [], id="reservations by tag"),
        pytest.param({"capacity_reservations": [CapacityReservationTerm(id="r-1")]}, ["EKS034 capacity_reservations[0].id"], id="no reservation"),
        pytest.param(
            {"capacity_reservations": [CapacityReservationTerm(id=OUTPUT, owner="1")]},
            ["EKS034 capacity_reservations[0].id", "EKS034 capacity_reservations[0].owner"],
            id="an id and an owner, which is no account",
        ),
        pytest.param(
            {"certificate_bundles": [CertificateBundle(name="ca", data=base64.b64encode(b"-----BEGIN CERTIFICATE-----").decode())]},
            [],
            id="a certificate",
        ),
        pytest.param({"certificate_bundles": [CertificateBundle(name="ca", data="LS0tLS1C\nRUdJTiA=")]}, [], id="base64 on several lines"),
        pytest.param({"certificate_bundles": [CertificateBundle(name="ca", data="MIIB")]}, ["EKS198 certificate_bundles[0].data"], id="no PEM"),
        pytest.param({"certificate_bundles": [CertificateBundle(name="ca", data="é")]}, ["EKS035 certificate_bundles[0].data"], id="no base64"),
        pytest.param({"placement_group": PlacementGroup(name="hpc")}, [], id="a placement group by name"),
        pytest.param({"placement_group": PlacementGroup(id="pg-1")}, [], id="by id"),
        pytest.param({"placement_group": PlacementGroup(id=OUTPUT)}, [], id="by an id that is not known yet"),
        pytest.param({"placement_group": PlacementGroup(id="hpc")}, ["EKS038 placement_group.id"], id="by no id"),
        pytest.param({"placement_group": PlacementGroup()}, ["EKS038 placement_group"], id="by nothing"),
        pytest.param({"ephemeral_storage": "20Gi", "ephemeral_storage_iops": 10_000}, [], id="500 IOPS for each GiB"),
        pytest.param({"ephemeral_storage": "20Gi", "ephemeral_storage_iops": 10_001}, ["EKS183 ephemeral_storage_iops"], id="more"),
        pytest.param({"ephemeral_storage": "1Gi", "ephemeral_storage_iops": 3000}, [], id="3,000 IOPS at any size"),
        pytest.param({"ephemeral_storage_throughput": 751}, ["EKS183 ephemeral_storage_throughput"], id="more than 3,000 IOPS are enough for"),
        pytest.param({"ephemeral_storage_throughput": 1000, "ephemeral_storage_iops": 4000}, [], id="with enough IOPS"),
        pytest.param({"tags": {f"t{number}": "" for number in range(47)}}, [], id="47 tags next to those of Auto Mode"),
        pytest.param({"tags": {f"t{number}": "" for number in range(48)}}, ["EKS016 tags"], id="48 tags"),
        pytest.param({"tags": {"": "x"}}, ['EKS024 tags[""]'], id="no key, told once"),
        pytest.param({"tags": {"k" * 129: "x"}}, [f"EKS016 tags.{'k' * 129}"], id="a long tag"),
    ],
)
def test_fields(fields: dict[str, object], found: list[str], judged) -> None:
    assert judged(EksNodeClass.model_validate(fields)) == found


@pytest.mark.parametrize(
    ("fields", "fix"),
    [
        pytest.param({}, None, id="the default"),
        pytest.param({"iops": 80_000}, None, id="IOPS of any size"),
        pytest.param({"iops": 2999}, "Set `iops` to `3000`", id="fewer than each volume has"),
        pytest.param({"volume_type": "io2", "iops": 100}, None, id="with them"),
        pytest.param({"volume_type": "io1", "iops": 64_001}, "Set `iops` to `64000`", id="more than its type has"),
        pytest.param({"volume_type": "st1"}, None, id="a type without"),
        pytest.param({"volume_type": "sc1", "iops": 100}, "Remove `iops`", id="that are not taken"),
    ],
)
def test_volumes_of_storage_classes(fields: dict[str, object], fix: str | None) -> None:
    found = [one for one in check(eks(objects={"storage_class": fields})) if one.code in {"EKS183", "EKS221"}]
    assert [str(one.fix and one.fix.text) for one in found] == ([] if fix is None else [fix])
    assert {f"{one.code} {one.path}" for one in found} <= {"EKS183 objects.storage_class.iops"}


@pytest.mark.parametrize("volume", ["io1", "io2"])
def test_a_volume_attributes_class_can_give_iops(volume: str) -> None:
    [found] = [one for one in check(eks(objects={"storage_class": {"volume_type": volume}})) if one.code in {"EKS183", "EKS221"}]
    assert (found.code, found.severity.name, found.path) == ("EKS221", "WARNING", "objects.storage_class.iops")
    assert found.fix is not None
    assert found.fix.text == "Set `iops` to `100`, or use the type `gp3`"


@pytest.mark.parametrize(("key", "is_known"), [("alias/data", True), (OUTPUT, True), (None, True), ("alias/", False), ("data key", False)])
def test_keys_of_storage_classes(key: str | StackOutput | None, *, is_known: bool) -> None:
    found = [one.path for one in check(eks(objects={"storage_class": {"kms_key": key}})) if one.code == "EKS033"]
    assert found == ([] if is_known else ["objects.storage_class.kms_key"])


@pytest.mark.parametrize(
    ("interfaces", "public", "found"),
    [
        pytest.param([], True, [], id="none of one's own"),
        pytest.param([{}], True, [], id="the primary one, with a public address"),
        pytest.param([{}, EFA], None, [], id="and one for EFA"),
        pytest.param([{}, EFA], True, ["EKS052 associate_public_ip_address"], id="several with a public address"),
        pytest.param([{}, {}], None, ["EKS050 network_interfaces[1]"], id="one twice"),
        pytest.param([{"interface_type": "efa-only"}], None, ["EKS050 network_interfaces"], id="a primary one without IP"),
        pytest.param([{}, EFA, {**EFA, "device_index": 2}], None, ["EKS052 network_interfaces[2]"], id="two for EFA on one card"),
        pytest.param([{}, EFA, {**EFA, "network_card_index": 1}], None, [], id="one on each card"),
        pytest.param([{"secondary_ipv4_count": 2}], None, [], id="further addresses"),
        pytest.param([{}, {**EFA, "secondary_ipv4_count": 2}], None, ["EKS051 network_interfaces[1].secondary_ipv4_count"], id="for EFA alone"),
        pytest.param(
            [{}, {"network_card_index": 1, "secondary_ipv4_prefix_count": 1}],
            None,
            ["EKS051 network_interfaces[1].secondary_ipv4_prefix_count"],
            id="on another card",
        ),
    ],
)
def test_interfaces(interfaces: list[dict[str, object]], public: bool | None, found: list[str], judged) -> None:  # noqa: FBT001  # a row of the table
    made = [NetworkInterface.model_validate(fields) for fields in interfaces]
    assert judged(AdvancedNetworking(network_interfaces=made, associate_public_ip_address=public)) == found


_RESERVED_ALONE = eks_pool(requirements=[AMD64, keys.eks.capacity_type.one_of("reserved")], node_class="own")


def _of_reservation(name: str) -> NodePool:
    required = [AMD64, keys.eks.capacity_type.one_of("reserved"), keys.eks.capacity_reservation_id.one_of(name)]
    return eks_pool(requirements=required, node_class="own")


RESERVED = EksNodeClass(capacity_reservations=[CapacityReservationTerm(id="cr-1")])


@pytest.mark.parametrize(
    ("pool", "classes", "found"),
    [
        pytest.param(eks_pool(), {"own": EksNodeClass()}, [], id="no reservation"),
        pytest.param(
            _RESERVED_ALONE, {"own": EksNodeClass()}, ["EKS130 auto_mode.node_pools.web.requirements"], id="reserved alone, and none selected"
        ),
        pytest.param(
            derive(_RESERVED_ALONE, node_class=None),
            {"own": RESERVED},
            ["EKS130 auto_mode.node_pools.web.requirements"],
            id="reserved alone, of the built-in class",
        ),
        pytest.param(_RESERVED_ALONE, {"own": RESERVED}, [], id="reserved alone, and some selected"),
        pytest.param(_of_reservation("cr-1"), {"own": RESERVED}, [], id="the one that is required"),
        pytest.param(_of_reservation("cr-2"), {"own": RESERVED}, ["EKS130 auto_mode.node_pools.web.requirements"], id="another than is required"),
        pytest.param(
            _of_reservation("cr-2"),
            {"own": EksNodeClass(capacity_reservations=[CapacityReservationTerm(id="cr-1"), CapacityReservationTerm(tags={"team": "web"})])},
            [],
            id="another, or one by its tags",
        ),
        pytest.param(
            _RESERVED_ALONE,
            {"own": EksNodeClass(overrides={"capacityReservationSelectorTerms": [{"id": "cr-1"}]})},
            [],
            id="and selected by what is laid over",
        ),
        pytest.param(
            derive(_RESERVED_ALONE, node_class="other"),
            {"own": RESERVED},
            ["EKS042 auto_mode.node_pools.web.node_class"],
            id="of a class that there is not: that is told",
        ),
        pytest.param(
            eks_pool(requirements=[AMD64, keys.eks.capacity_type.one_of("reserved", "on-demand")], node_class="own"), {"own": RESERVED}, [], id="one"
        ),
        pytest.param(eks_pool(node_class="own"), {"own": EksNodeClass()}, [], id="a class without one"),
        pytest.param(eks_pool(), {"a": RESERVED, "b": RESERVED}, [], id="two classes with theirs"),
    ],
)
def test_reservations(pool, classes, found, judged) -> None:
    assert judged(auto_mode({"web": pool}, classes)) == found


@pytest.mark.parametrize(
    ("types", "size", "notes"),
    [
        pytest.param(("m6id.large",), "80Gi", [], id="NVMe larger than the disk holds the pods' data"),
        pytest.param(("m6id.large",), "118Gi", ["EKS055"], id="NVMe as large stays raw"),
        pytest.param(("m6id.large", "m6i.large"), "500Gi", [], id="some types have none"),
        pytest.param(("m6i.large",), "500Gi", [], id="no type has any"),
    ],
)
def test_local_disks(types: tuple[str, ...], size: str, notes: list[str]) -> None:
    from nodepools import check

    pool = eks_pool(requirements=[ON_DEMAND, AMD64, keys.eks.instance_type.one_of(*types)], node_class="own")
    assert [finding.code for finding in check(auto_mode({"web": pool}, {"own": EksNodeClass(ephemeral_storage=size)}))] == notes


IN_A_GROUP = EksNodeClass(placement_group=PlacementGroup(name="hpc"))


@pytest.mark.parametrize(
    ("zones", "declared", "notes"),
    [
        pytest.param([], IN_A_GROUP, ["EKS058"], id="a group, and any zone"),
        pytest.param([keys.eks.zone.one_of("us-east-1a")], IN_A_GROUP, [], id="a group, and its zone"),
        pytest.param([keys.eks.zone_id.one_of("use1-az1")], IN_A_GROUP, [], id="a group, and its zone by id"),
        pytest.param([keys.eks.zone.one_of("us-east-1a", "us-east-1b")], IN_A_GROUP, ["EKS058"], id="a group, and two zones"),
        pytest.param([keys.eks.zone.not_in("us-east-1a")], IN_A_GROUP, ["EKS058"], id="a group, and any zone but one"),
        pytest.param([], EksNodeClass(), [], id="no group"),
    ],
)
def test_placement_groups(zones, declared, notes) -> None:
    from nodepools import check

    pool = eks_pool(*zones, node_class="own")
    assert [finding.code for finding in check(auto_mode({"web": pool}, {"own": declared}))] == notes


@pytest.mark.parametrize("region", ["us-east-1", "us-gov-west-1"])
def test_fips_in_the_us(region: str, judged) -> None:
    assert judged(eks(region=region, auto_mode=AutoMode(node_classes={"own": EksNodeClass(fips=True)}))) == []


def test_proxies_of_usual_length(judged) -> None:
    assert judged(AdvancedNetworking(https_proxy="http://proxy:3128", no_proxy=["localhost"])) == []


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        pytest.param({"role": "new", "previous": EksNodeClass(role="old")}, [], id="another role"),
        pytest.param({"create_role": True, "previous": EksNodeClass()}, [], id="a role of its own after the shared one"),
        pytest.param({"instance_profile": "eks-b", "previous": EksNodeClass(instance_profile="eks-a")}, [], id="another profile"),
        pytest.param({"create_role": True, "previous": EksNodeClass(create_role=True)}, ["EKS087 previous"], id="the same role"),
        pytest.param({"role": OUTPUT, "previous": EksNodeClass(role="old")}, ["EKS087 previous"], id="a role that is not known yet"),
        pytest.param(
            {"role": "c", "previous": EksNodeClass(role="b", previous=EksNodeClass(role="a"))}, ["EKS087 previous.previous"], id="one after another"
        ),
    ],
)
def test_retiring(fields: dict[str, object], found: list[str], judged) -> None:
    assert judged(EksNodeClass.model_validate(fields)) == found
