"""What findings about EKS and NodePools advise beyond the samples: operations near what is declared, words where nothing is certain."""

import pytest

from nodepools import check
from nodepools.keys import aks as aks_keys
from nodepools.keys import eks as keys
from nodepools.model.access import ApiServer
from nodepools.model.base import Model
from nodepools.model.eks.node_class import EksNodeClass
from nodepools.model.karpenter import Requirement
from nodepools.model.kubernetes.label import Taint
from nodepools.rules.engine.samples import AMD64, ON_DEMAND, aks_pool, auto_mode, eks, eks_pool, platform
from nodepools.rules.karpenter.node_pools import readable
from tests.rules.conftest import DAY

ROLE = "arn:aws:iam::111122223333:role/team"
CAPACITY = "karpenter.sh/capacity-type"
EFA = {"device_index": 1, "interface_type": "efa-only"}


def of_class(**fields: object) -> EksNodeClass:
    return EksNodeClass.model_validate(fields)


def networking(*interfaces: object, **fields: object) -> EksNodeClass:
    return of_class(advanced_networking={"network_interfaces": interfaces, **fields})


def capacity(*values: str, **fields: object) -> Model:
    return eks_pool(requirements=[AMD64, Requirement(CAPACITY, "In", values)], **fields)


def budget(**fields: object) -> dict[str, object]:
    return {"budgets": [fields]}


NEVER = "0 0 30 2 *"
SOME = budget(nodes="5", schedule="0 0 28 2 *", duration="8h")
ARM = [keys.arch.one_of("arm64"), keys.instance_family.one_of("m7g")]

ROWS: list[tuple[str, Model, str, str]] = [
    ("a key of which nothing is left", platform(**{"": eks(), "é" * 3: eks()}), "EKS002", "Rename `clusters.ééé` to `-`"),
    ("a key whose like is taken", platform(**{"a.b": eks(), "a-b": eks()}), "EKS002", "Use at most 96 letters, digits, hyphens and underscores"),
    ("all zones that there are", eks(region="us-west-1", network={"zones": ["usw1-az1", "usw1-az2", "usw1-az3"]}), "EKS005", "Remove `zones[1]`"),
    (
        "one subnet of the control plane",
        eks(network={"kind": "ExistingEksNetwork", "vpc_id": "v", "private_subnet_ids": ["a", "b"], "control_plane_subnet_ids": ["c"]}),
        "EKS008",
        "Add a subnet in another zone",
    ),
    (
        "a boundary is a policy",
        eks(permissions_boundary="own"),
        "EKS009",
        "Use the full ARN, such as `arn:aws:iam::111122223333:policy/own`",
    ),
    (
        "an entry that EKS creates",
        eks(node_role=ROLE, access_entries={"nodes": {"principal": ROLE, "type": "EC2"}}),
        "EKS080",
        "Remove `access_entries.nodes`",
    ),
    ("a key that is too long", eks(tags={"k" * 129: "v"}), "EKS016", "Use at most 128 characters"),
    (
        "a class that NodePools use",
        auto_mode({"web": eks_pool(node_class="default")}, {"default": of_class(), "custom": of_class()}),
        "EKS020",
        "Rename the NodeClass, such as to `custom-2`",
    ),
    ("an instance profile beside a role", of_class(instance_profile="eks-own", role="own"), "EKS021", "Remove `role` or `instance_profile`"),
    ("an ARN without a name", of_class(role="arn:aws:iam::111122223333:user/team"), "EKS022", "Use the name of the role"),
    ("a role of 65 characters", of_class(role="r" * 65), "EKS022", "Use a role with a shorter path and name"),
    ("a disk that is too large", of_class(ephemeral_storage="90Ti"), "EKS023", 'Set `ephemeral_storage` to `"59000Gi"`'),
    ("a disk without a unit", of_class(ephemeral_storage="80"), "EKS023", 'Set `ephemeral_storage` to `"80Gi"`'),
    ("a disk in bytes", of_class(ephemeral_storage="85899345920"), "EKS023", 'Set `ephemeral_storage` to `"80Gi"`'),
    (
        "a taint that is a startup taint, too",
        eks_pool(taints=[Taint("agent", effect="NoExecute")], startup_taints=[Taint("agent", effect="NoExecute")]),
        "KAR030",
        "Keep it in `startup_taints` alone if an agent on the node removes it, or in `taints` alone",
    ),
    ("a disk of nothing", of_class(ephemeral_storage="0"), "EKS023", "Use a size such as `80Gi`"),
    ("a subnet by name", of_class(subnets=[{"name": "a"}]), "EKS025", 'Remove `name`, and add `{"Name": "a"}` to `tags`'),
    ("a subnet by its tag too", of_class(subnets=[{"name": "a", "tags": {"Name": "b"}}]), "EKS025", "Remove `name`"),
    ("the ARN of a subnet", of_class(subnets=[{"id": "arn:aws:ec2:r:1:subnet/subnet-1"}]), "EKS025", 'Set `id` to `"subnet-1"`'),
    ("a group that is no ID", of_class(security_groups=[{"id": "web"}]), "EKS025", "Use the ID, such as `sg-0123456789abcdef0`"),
    (
        "the ARN of a profile",
        of_class(instance_profile="arn:aws:iam::111122223333:instance-profile/eks-own"),
        "EKS027",
        'Set `instance_profile` to `"eks-own"`',
    ),
    ("an empty key of two", of_class(subnets=[{"tags": {"": "a", "team": "web"}}]), "EKS030", 'Remove `tags[""]`'),
    ("an empty key alone", of_class(subnets=[{"tags": {"": "a"}}]), "EKS030", "Use the key of a tag"),
    ("a key of another form", of_class(ephemeral_storage_kms_key_id="arn:own"), "EKS033", "Use the ID or an alias of the key, such as `alias/nodes`"),
    ("an account with hyphens", of_class(capacity_reservations=[{"tags": {"a": "b"}, "owner": "0123-4567-8901"}]), "EKS034", 'Set `owner` to `"0123'),
    ("an account of 11 digits", of_class(capacity_reservations=[{"tags": {"a": "b"}, "owner": "12345678901"}]), "EKS034", "Use all 12 digits"),
    ("an owner beside an ID", of_class(capacity_reservations=[{"id": "cr-1", "owner": "012345678901"}]), "EKS034", "Remove `owner`, or split"),
    ("no group", of_class(placement_group={}), "EKS038", "Set `name` or `id`"),
    ("a name where an ID belongs", of_class(placement_group={"id": "hpc"}), "EKS038", "Use the ID (`pg-…`), or set `name` instead"),
    ("two interfaces in one place", networking({}, EFA, EFA), "EKS050", "Set `network_interfaces[2].device_index` to `2`"),
    (
        "a primary interface without IP",
        networking({"interface_type": "efa-only"}),
        "EKS050",
        'Set `network_interfaces[0].interface_type` to `"interface"`',
    ),
    (
        "a public address beside it",
        networking(EFA, associate_public_ip_address=True),
        "EKS050",
        "Add `NetworkInterface(network_card_index=0, device_index=0)` to `network_interfaces`, and remove `associate_public_ip_address`",
    ),
    (
        "both on a card that has neither",
        networking({}, {"network_card_index": 1, "secondary_ipv4_count": 1, "secondary_ipv4_prefix_count": 1}),
        "EKS051",
        "Remove `secondary_ipv4_count`, and remove `secondary_ipv4_prefix_count`",
    ),
    (
        "reserved capacity is left out",
        auto_mode(
            {"web": eks_pool(requirements=[AMD64, Requirement(CAPACITY, "NotIn", ["reserved"])], node_class="own")},
            {"own": of_class(capacity_reservations=[{"id": "cr-1"}])},
        ),
        "EKS054",
        "Allow the capacity type `reserved`",
    ),
    ("a name that is taken too", auto_mode({"system": eks_pool(), "custom-system": eks_pool()}), "EKS040", "Rename the NodePool"),
    ("a misspelt class", auto_mode({"web": eks_pool(node_class="privat")}, {"private": of_class()}), "EKS042", 'Set `node_class` to `"private"`'),
    ("a class of two", auto_mode({"web": eks_pool(node_class="x")}, {"one": of_class(), "two": of_class()}), "EKS042", "or use one of `one`, `two`"),
    ("the only class", auto_mode({"web": eks_pool()}, {"own": of_class()}, built_in_node_pools=[]), "EKS043", 'Set `node_class` to `"own"`'),
    ("nodes that never expire", eks_pool(expire_after="Never"), "EKS044", 'Set `expire_after` to `"480h"`'),
    ("a grace period without end", eks_pool(expire_after="1h", termination_grace_period="600h"), "EKS044", "and remove `expire_after`"),
    ("a grace period alone", eks_pool(termination_grace_period="200h"), "EKS044", 'Set `termination_grace_period` to `"168h"`'),
    ("a label of self-managed Karpenter", eks_pool(labels={"karpenter.k8s.aws/instance-tenancy": "x"}), "EKS045", "Remove the label"),
    ("a label with its like", eks_pool(labels={"karpenter.k8s.aws/instance-family": "m7i"}), "EKS045", 'Rename `labels["karpenter.k8s.aws/inst'),
    ("a label like no other", eks_pool(labels={"eks.amazonaws.com/x": "x"}), "EKS047", "Use a label that AWS documents for Auto Mode"),
    ("a family of another architecture", eks_pool(keys.instance_family.one_of("m7g")), "EKS184", "Allow `arm64` for `kubernetes.io/arch`"),
    (
        "a family like it",
        eks_pool(requirements=[ON_DEMAND, keys.arch.one_of("arm64"), keys.instance_family.one_of("m7i")]),
        "EKS184",
        "Allow `amd64` for `kubernetes.io/arch`, or name families that the requirements allow, such as `m7g`",
    ),
    (
        "the type that the fewest requirements exclude",
        eks_pool(keys.instance_type.one_of("m7g.large", "m7i.xlarge"), keys.instance_cpu.one_of(2)),
        "EKS184",
        "Allow `arm64` for `kubernetes.io/arch`",
    ),
    (
        "the smallest of several",
        eks_pool(keys.instance_family.one_of("m7i"), keys.instance_size.one_of("medium")),
        "EKS184",
        "Allow `large` for `eks.amazonaws.com/instance-size`",
    ),
    (
        "a label that its types do not have",
        eks_pool(keys.instance_family.one_of("m7i"), keys.instance_gpu_name.one_of("t4")),
        "EKS184",
        "Remove the requirement on `eks.amazonaws.com/instance-gpu-name`",
    ),
    (
        "a type of another family",
        eks_pool(keys.instance_type.one_of("m7i.large"), keys.instance_family.one_of("c7i")),
        "EKS184",
        "Relax a requirement: `nodepools instances`",
    ),
    (
        "a size of another architecture",
        aks_pool(requirements=[ON_DEMAND, aks_keys.arch.one_of("arm64"), aks_keys.sku_name.one_of("Standard_D4ds_v5")]),
        "NAP074",
        "Allow `amd64` for `kubernetes.io/arch`",
    ),
    (
        "each size excluded by another requirement",
        aks_pool(aks_keys.sku_name.one_of("Standard_D4ds_v5", "Standard_E8ds_v5"), aks_keys.sku_family.one_of("E"), aks_keys.sku_cpu.one_of(4)),
        "NAP074",
        "Allow `D` for `karpenter.azure.com/sku-family`",
    ),
    ("a date that no year has", eks_pool(disruption=budget(nodes="5", schedule="0 0 30 2 *", duration="8h")), "KAR026", 'such as `"0 0 28 2 *"`'),
    ("the only type is too small", eks_pool(keys.instance_type.one_of("t3.micro")), "EKS062", "Use another value"),
    ("every type is too small", eks_pool(keys.instance_type.one_of("t3.micro", "t3.nano")), "EKS062", "Use another value"),
    (
        "words that must be counted",
        eks_pool(Requirement("kubernetes.io/os", "In", ["linux", "a", "b"], min_values=2)),
        "KAR044",
        "Use one of `linux`",
    ),
    ("a name that is taken", auto_mode({"Web": eks_pool(), "web": eks_pool()}), "KAR001", "Use at most 63 lowercase letters"),
    (
        "a class with its NodePools",
        auto_mode({"web": eks_pool(node_class="Own"), "other": eks_pool()}, {"Own": of_class()}),
        "KAR001",
        "Rename the node class to `own`, also where NodePools use it",
    ),
    ("bytes", eks_pool(limits={"memory": "40"}), "KAR013", 'Add a unit, such as `"40Gi"`: a number without a unit is in bytes'),
    ("mebibytes", eks_pool(limits={"memory": "100Mi"}), "KAR013", 'Set `limits.memory` to the memory of at least one node, such as `"8Gi"`'),
    ("less than nothing", eks_pool(limits={"memory": "-1Gi"}), "KAR013", 'Raise `limits.memory`, or set it to `"0"`'),
    ("a schedule of six fields", eks_pool(disruption=budget(schedule="0 0 9 * * 1", duration="8h")), "KAR021", "Use five cron fields"),
    ("a line break", eks_pool(disruption=budget(schedule="0 9 * * *\n", duration="8h")), "KAR021", 'schedule` to `"0 9 * * *"`'),
    ("a blank before a name", eks_pool(disruption=budget(schedule=" @daily", duration="8h")), "KAR021", 'schedule` to `"@daily"`'),
    ("a period", eks_pool(disruption=budget(schedule="@every 1h", duration="30m")), "KAR021", "Use five cron fields"),
    (
        "a reason among others",
        aks_pool(disruption=budget(reasons=["Empty", "NodeNotHealthy", "Drifted", "NodeNotHealthy"])),
        "KAR024",
        "Remove `reasons[3]`, and remove `reasons[1]`",
    ),
    ("two reasons that AKS does not have", aks_pool(disruption=budget(reasons=["Unhealthy", "NodeNotHealthy"])), "KAR024", "Remove the budget"),
    ("an unknown word", capacity("cheap"), "KAR043", "Use one of `on-demand`, `spot`, `reserved`"),
    ("an unknown system", eks_pool(Requirement("kubernetes.io/os", "In", ["bsd"])), "KAR043", "Use `linux`"),
    ("another word beside a known one", capacity("spot", "cheap"), "KAR044", "Remove `values[1]`"),
    ("a word that must be counted", eks_pool(Requirement("kubernetes.io/os", "In", ["linux", "bsd"], min_values=2)), "KAR044", "Use one of `linux`"),
    (
        "two that admit the same",
        auto_mode({"a": eks_pool(weight=20), "b": eks_pool(weight=10)}),
        "KAR060",
        "Remove one of the two NodePools, or give them different requirements",
    ),
    (
        "the highest weight",
        auto_mode({"a": eks_pool(weight=100), "b": eks_pool(weight=10, limits={"cpu": 100})}),
        "KAR060",
        "Set a lower weight for `a`, or remove `b`",
    ),
    ("a range that is none", ApiServer(authorized_ip_ranges=["office"]), "PLT011", "Use a range such as `203.0.113.0/24`"),
    ("blanks around a range", ApiServer(authorized_ip_ranges=[" 203.0.113.0/24"]), "PLT011", 'Set `authorized_ip_ranges[0]` to `"203.0.113.0/24"`'),
]


@pytest.mark.parametrize(("declared", "code", "fix"), [pytest.param(*row, id=name) for name, *row in ROWS])
def test_a_fix_is_near_what_is_declared(declared: Model, code: str, fix: str) -> None:
    found = [one.fix.text for one in check(declared, today=DAY) if one.code == code and one.fix is not None]
    assert [text for text in found if fix in text], found


@pytest.mark.parametrize(
    ("code", "excluded", "allowed"),
    [
        ("EKS184", eks_pool(keys.instance_family.one_of("m7g")), eks_pool(requirements=[ON_DEMAND, *ARM])),
        ("KAR026", eks_pool(disruption=budget(nodes="5", schedule=NEVER, duration="8h")), eks_pool(disruption=SOME)),
    ],
)
def test_what_a_fix_gives_as_a_value_clears_the_finding(code: str, excluded: Model, allowed: Model) -> None:
    assert [code in [one.code for one in check(declared, today=DAY)] for declared in (excluded, allowed)] == [True, False]


SCHEDULES = [
    pytest.param("0 9 * * sat-sun", "0 9 * * sat,sun", id="a range over the end of the week"),
    pytest.param("0 9 * * Fri-1", "0 9 * * fri,sat,sun,mon", id="with a number and a capital"),
    pytest.param("0 9 * * 1-7", "0 9 * * mon,tue,wed,thu,fri,sat,sun", id="Sunday as 7"),
    pytest.param("0 9 * * 1,7", "0 9 * * 1,0", id="Sunday alone"),
    pytest.param("0 9 * * mon-xyz", None, id="no day"),
    pytest.param("0 9 * *", None, id="four fields"),
    pytest.param("", None, id="nothing"),
]


@pytest.mark.parametrize(("schedule", "same"), SCHEDULES)
def test_a_schedule_that_karpenter_can_read(schedule: str, same: str | None) -> None:
    assert readable(schedule) == same
