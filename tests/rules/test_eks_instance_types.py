"""The instance types and zones that a NodePool admits: none, few, of two makers, named and excluded."""

import pytest

from nodepools import EksNodePool, Requirement, check, derive, keys
from nodepools.model.eks.cluster import ExistingEksNetwork
from nodepools.model.eks.node_class import EksNodeClass
from nodepools.rules.engine.samples import AMD64, auto_mode, eks_pool

SPOT = keys.eks.capacity_type.one_of("spot")
BOTH = keys.eks.capacity_type.one_of("spot", "on-demand")


@pytest.mark.parametrize(
    ("requirements", "found"),
    [
        pytest.param([AMD64, SPOT], [], id="spot of every type"),
        pytest.param([AMD64, SPOT, keys.eks.instance_type.one_of("m7i.large")], ["EKS061 requirements"], id="spot of one type"),
        pytest.param([AMD64, BOTH, keys.eks.instance_type.one_of("m7i.large")], [], id="on-demand is a way out"),
        pytest.param([AMD64, keys.eks.instance_type.one_of("m7i.large")], ["KAR045 requirements"], id="so is any capacity type, which is told"),
        pytest.param(
            [AMD64, BOTH, SPOT, keys.eks.instance_type.one_of("m7i.large")], ["EKS061 requirements"], id="what is asked twice holds together"
        ),
        pytest.param([AMD64, SPOT, keys.eks.instance_cpu.one_of(3)], ["EKS060 requirements"], id="nothing at all is told once"),
        pytest.param([AMD64, SPOT, keys.eks.instance_category.one_of("m"), keys.eks.instance_cpu.one_of(2)], [], id="ten and more"),
        pytest.param([AMD64, SPOT, keys.eks.zone.one_of("us-east-1a", "us-east-1b")], [], id="spot in two zones"),
        pytest.param([AMD64, BOTH, keys.eks.zone.one_of("us-east-1a")], [], id="on-demand in one zone"),
        pytest.param([AMD64, SPOT, keys.eks.zone_id.one_of("use1-az1")], ["EKS065 requirements[2]"], id="spot in one zone by its id"),
    ],
)
def test_spot(requirements: list[Requirement], found: list[str], judged) -> None:
    assert judged(EksNodePool(requirements=requirements)) == found


@pytest.mark.parametrize(
    ("requirement", "found"),
    [
        pytest.param(keys.eks.instance_type.one_of("m7i.large"), [], id="a type"),
        pytest.param(keys.eks.instance_type.one_of("t3.micro"), ["EKS060 requirements", "EKS062 requirements[2].values[0]"], id="too small a type"),
        pytest.param(keys.eks.instance_family.one_of("m7i", "g3"), ["EKS062 requirements[2].values[1]"], id="a family that is not supported"),
        pytest.param(keys.eks.instance_size.one_of("large", "small"), ["EKS062 requirements[2].values[1]"], id="a size that is not supported"),
        pytest.param(keys.eks.instance_type.one_of("m5.larg", "m5.xlarge"), ["EKS062 requirements[2].values[0]"], id="a misspelt size"),
        pytest.param(
            keys.eks.instance_type.one_of("M7i.large"), ["EKS060 requirements", "EKS062 requirements[2].values[0]"], id="a type in capitals"
        ),
        pytest.param(keys.eks.instance_category.one_of("M", "c"), ["EKS062 requirements[2].values[0]"], id="a category in capitals"),
        pytest.param(keys.eks.instance_family.not_in("M7i"), ["EKS062 requirements[2].values[0]"], id="excludes nothing"),
        pytest.param(keys.eks.instance_family.one_of("m7g", "c7g"), ["EKS184 requirements"], id="families of another architecture"),
        pytest.param(keys.eks.instance_type.one_of("m7g.large"), ["EKS184 requirements"], id="a type of another architecture"),
        pytest.param(keys.eks.instance_family.one_of("m7g", "m99"), ["EKS060 requirements", "EKS062 requirements[2].values[1]"], id="and a new one"),
        pytest.param(keys.eks.instance_family.one_of("m7g", "m7i"), ["EKS064 requirements[2].values[0]"], id="one of two families"),
        pytest.param(keys.eks.instance_family.not_in("g3"), [], id="to exclude what there is not is harmless"),
        pytest.param(Requirement("kubernetes.io/os", "In", ["windows"]), ["KAR043 requirements[2].values"], id="no Windows, told once"),
        pytest.param(keys.eks.arch.one_of("arm64"), ["KAR040 requirements[2]"], id="a contradiction, told once"),
        pytest.param(keys.eks.instance_gpu_name.does_not_exist(), [], id="no GPU"),
        pytest.param(Requirement("team", "In", ["a", "b"], min_values=2), ["EKS067 requirements[2].min_values"], id="values of no type"),
    ],
)
def test_names_of_types(requirement: Requirement, found: list[str], judged) -> None:
    assert sorted(judged(eks_pool(requirement))) == found


@pytest.mark.parametrize(
    ("requirements", "found"),
    [
        pytest.param([keys.eks.instance_category.one_of("g")], ["EKS063 requirements"], id="category g is of NVIDIA and AMD"),
        pytest.param([keys.eks.instance_category.one_of("g"), keys.eks.instance_gpu_manufacturer.one_of("nvidia")], [], id="the maker is named"),
        pytest.param([keys.eks.instance_category.one_of("p")], [], id="category p is of NVIDIA alone"),
        pytest.param([keys.eks.instance_gpu_name.one_of("l4"), keys.eks.instance_gpu_memory.more_than("22Gi")], [], id="an L4 has 22888Mi"),
        pytest.param(
            [keys.eks.instance_gpu_name.one_of("l4", "h100"), keys.eks.instance_gpu_memory.more_than("23Gi")],
            ["EKS064 requirements[2].values[0]"],
            id="and no more",
        ),
        pytest.param(
            [keys.eks.instance_family.one_of("g4dn", "g6"), keys.eks.instance_generation.more_than(4)],
            ["EKS064 requirements[2].values[0]"],
            id="more than the fourth generation excludes g4dn",
        ),
    ],
)
def test_gpus(requirements: list[Requirement], found: list[str], judged) -> None:
    assert judged(eks_pool(*requirements, limits={"nodes": 4})) == found


GPU = keys.eks.instance_gpu_manufacturer.one_of("nvidia")


@pytest.mark.parametrize(
    ("requirements", "limits", "found"),
    [
        pytest.param([GPU], {"cpu": 100}, ["EKS066 limits"], id="GPUs bounded by their processors"),
        pytest.param([GPU], {"cpu": 100, "nvidia.com/gpu": 8}, [], id="GPUs counted"),
        pytest.param([GPU], {"nodes": 4}, [], id="nodes counted"),
        pytest.param([GPU], {}, ["EKS066 limits"], id="no limit at all"),
        pytest.param([keys.eks.instance_family.one_of("g5", "g6")], {}, ["EKS066 limits"], id="families of GPUs"),
        pytest.param([keys.eks.instance_accelerator_manufacturer.one_of("aws")], {"memory": "1Ti"}, ["EKS066 limits"], id="accelerators likewise"),
        pytest.param([keys.eks.instance_category.one_of("g", "m")], {"cpu": 100}, [], id="some types have no GPU"),
    ],
)
def test_limits_of_accelerators(requirements: list[Requirement], limits: dict[str, object], found: list[str], judged) -> None:
    assert judged(eks_pool(*requirements, limits=limits)) == found


TYPES = [f"{family}.{size}" for family in ("m7i", "m7a", "c7i", "c7a") for size in ("large", "xlarge", "2xlarge", "4xlarge")]


@pytest.mark.parametrize(
    ("capacity", "count", "fields", "found"),
    [
        pytest.param(SPOT, 9, {}, ["EKS061"], id="too few to find spot capacity is told once"),
        pytest.param(SPOT, 10, {}, ["EKS069"], id="enough for capacity, too few for consolidation"),
        pytest.param(SPOT, 14, {}, ["EKS069"], id="one too few"),
        pytest.param(SPOT, 15, {}, [], id="enough for both"),
        pytest.param(keys.eks.capacity_type.one_of("spot", "on-demand"), 10, {}, [], id="on-demand nodes are replaced too"),
        pytest.param(SPOT, 10, {"disruption": {"consolidation_policy": "WhenEmpty"}}, [], id="only empty nodes are removed"),
        pytest.param(SPOT, 10, {"disruption": {"consolidate_after": "Never"}}, [], id="nothing is consolidated"),
        pytest.param(SPOT, 10, {"replicas": 3}, [], id="static pools are not consolidated"),
    ],
)
def test_spot_pools_of_few_types(capacity: Requirement, count: int, fields: dict[str, object], found: list[str]) -> None:
    pool = eks_pool(requirements=[AMD64, capacity, keys.eks.instance_type.one_of(*TYPES[:count])], **fields)
    assert [finding.code for finding in check(pool)] == found


EACH = keys.eks.instance_type.one_of("r7i.xlarge", "c7i.2xlarge")
TRAINIUM = keys.eks.instance_type.one_of("trn1.32xlarge")
BIG = keys.eks.instance_cpu.more_than(15)


@pytest.mark.parametrize(
    ("requirements", "limits", "found"),
    [
        pytest.param([BIG], {"cpu": 15}, ["EKS068 limits.cpu"], id="one vCPU less than the smallest has"),
        pytest.param([BIG], {"cpu": 16}, [], id="room for one"),
        pytest.param([BIG], {"cpu": 0}, [], id="a pool that is turned off"),
        pytest.param([], {"cpu": 1}, ["KAR013 limits.cpu"], id="less than any node has is told once"),
        pytest.param([], {"memory": "1Gi"}, ["EKS068 limits.memory"], id="memory"),
        pytest.param([EACH], {"cpu": 4, "memory": "20Gi"}, ["EKS068 limits"], id="each type is above one of two"),
        pytest.param([EACH], {"cpu": 8, "memory": "20Gi"}, [], id="one type is within both"),
        pytest.param([], {"memory": "40"}, ["KAR013 limits.memory"], id="memory without a unit is told once"),
        pytest.param([keys.eks.instance_memory.more_than("31Gi")], {"memory": "30Gi"}, [], id="nodes report less memory than their types have"),
        pytest.param([], {"pods": 1}, ["EKS068 limits.pods"], id="fewer pods than any node has"),
        pytest.param([], {"pods": 110, "ephemeral-storage": "80Gi"}, [], id="room for one node"),
        pytest.param([], {"ephemeral-storage": "79Gi"}, ["EKS068 limits.ephemeral-storage"], id="less than the disk of the built-in class"),
        pytest.param([TRAINIUM], {"aws.amazon.com/neuroncore": 31}, ['EKS068 limits["aws.amazon.com/neuroncore"]'], id="cores of accelerators"),
        pytest.param([keys.eks.instance_cpu.one_of(3)], {"cpu": 4}, ["EKS060 requirements"], id="no type at all is told once"),
    ],
)
def test_limits_below_any_type(requirements: list[Requirement], limits: dict[str, object], found: list[str], judged) -> None:
    assert judged(eks_pool(*requirements, limits=limits)) == found


@pytest.mark.parametrize(("limit", "told"), [("199Gi", True), ("200Gi", False)])
def test_limits_below_the_disk_of_a_node_class(limit: str, *, told: bool) -> None:
    own = EksNodeClass(ephemeral_storage="200Gi")
    declared = auto_mode({"web": eks_pool(node_class="own", limits={"ephemeral-storage": limit})}, {"own": own})
    assert ("EKS068" in {one.code for one in check(declared)}) is told
    assert "EKS068" not in {one.code for one in check(eks_pool(node_class="others", limits={"ephemeral-storage": "1Gi"}))}


@pytest.mark.parametrize(
    ("requirements", "found"),
    [
        pytest.param([Requirement("eks.amazonaws.com/instance-category", "Exists", min_values=3)], [], id="categories enough"),
        pytest.param([keys.eks.zone.one_of("us-east-1a", "us-east-1b", min_values=2)], [], id="zones are for others to judge"),
        pytest.param(
            [keys.eks.instance_category.one_of("z", "c", min_values=2), keys.eks.instance_generation.more_than(4)],
            ["EKS064 requirements[2].values[0]", "EKS067 requirements[2].min_values"],
            id="one of two that the rest excludes",
        ),
        pytest.param(
            [GPU, Requirement("eks.amazonaws.com/instance-gpu-name", "Exists", min_values=50)], ["EKS067 requirements[3].min_values"], id="GPUs"
        ),
    ],
)
def test_flexibility(requirements: list[Requirement], found: list[str], judged) -> None:
    assert judged(eks_pool(*requirements, limits={"nodes": 4})) == found


@pytest.mark.parametrize(
    ("requirement", "fix"),
    [
        (keys.eks.instance_type.one_of("m5.larg"), 'Set `values[0]` to `"m5.large"`'),
        (keys.eks.instance_size.one_of("larg"), 'Set `values[0]` to `"large"`'),
        (keys.eks.instance_type.one_of("m5.larg", "m5.large"), "Remove"),
        (keys.eks.instance_type.one_of("t3.micro", "t3.large"), "Remove"),
        (keys.eks.instance_type.one_of("zz.nothing", "t3.large"), "Remove"),
    ],
)
def test_the_fix_of_a_value(requirement: Requirement, fix: str) -> None:
    [found] = [one.fix for one in check(eks_pool(requirement)) if one.code == "EKS062"]
    assert found is not None
    assert found.text.startswith(fix)


def test_why_named_types_are_excluded() -> None:
    def why(*requirements: Requirement) -> str:
        [found] = [one.message for one in check(eks_pool(*requirements)) if one.code == "EKS184"]
        return found

    assert why(keys.eks.instance_family.one_of("m7g")) == (
        "No node is ever launched: `kubernetes.io/arch` excludes every instance type that the other requirements name (`arm64`)"
    )
    both = (
        keys.eks.instance_family.one_of("m7i", "m6a"),
        keys.eks.instance_cpu_manufacturer.one_of("amd"),
        keys.eks.instance_generation.more_than(6),
    )
    assert why(*both) == "No node is ever launched: the requirements exclude each other's types"


def test_sizes_that_the_families_do_not_have(judged) -> None:
    pool = eks_pool(keys.eks.instance_family.one_of("m7i"), keys.eks.instance_size.one_of("medium", "large"))
    assert judged(pool) == ["EKS064 requirements[3].values[0]"]


ZONE = "topology.kubernetes.io/zone"
REGION, ZONE_ID = "topology.kubernetes.io/region", "topology.k8s.aws/zone-id"
NAMED, BY_ID = {"zones": ["us-east-1a", "us-east-1b"]}, {"zones": ["use1-az1", "use1-az2"]}
OWN_SUBNETS = {"own": {"subnets": [{"id": "subnet-1"}]}}
WEB = "auto_mode.node_pools.web"


ZONES_OF_REGIONS = {
    "us-east-1": "use1-az1",
    "us-west-2": "usw2-az1",
    "ap-southeast-2": "apse2-az1",
    "ap-south-2": "aps2-az1",
    "eu-central-1": "euc1-az1",
    "us-gov-west-1": "usgw1-az1",
    "cn-northwest-1": "cnnw1-az1",
}
"""The first zone of regions. Source: docs.aws.amazon.com/global-infrastructure/latest/regions/aws-availability-zones.html (2026-11)."""
EXISTING = ExistingEksNetwork(vpc_id="vpc-0a1", private_subnet_ids=["subnet-0a1", "subnet-0a2", "subnet-0a3"])
APART = derive(EXISTING, control_plane_subnet_ids=["subnet-0b1", "subnet-0b2"])


@pytest.mark.parametrize("region", ZONES_OF_REGIONS)
def test_ids_of_zones_begin_with_their_region(region: str, judged) -> None:
    for other, one in ZONES_OF_REGIONS.items():
        declared = derive(auto_mode({"web": eks_pool(Requirement(ZONE_ID, "In", [one]))}), region=region)
        assert [code for code in judged(declared) if code.startswith("EKS179")] == ([] if other == region else [f"EKS179 {WEB}.requirements[2]"])


@pytest.mark.parametrize(
    ("network", "pool", "found"),
    [
        pytest.param(NAMED, {ZONE: ("In", ["us-east-1f"])}, ["EKS179 {}.requirements[2]"], id="no zone of the network"),
        pytest.param(NAMED, {ZONE: ("In", ["us-east-1a", "us-east-1f"])}, ["EKS180 {}.requirements[2].values[1]"], id="one of them"),
        pytest.param(NAMED, {ZONE: ("NotIn", ["us-east-1a", "us-east-1b"])}, ["EKS179 {}.requirements[2]"], id="neither"),
        pytest.param(NAMED, {ZONE: ("NotIn", ["us-east-1a"])}, [], id="not one of two"),
        pytest.param(NAMED, {ZONE: ("In", ["eu-west-1a"])}, ["EKS049 {}.requirements[2].values"], id="another region, told once"),
        pytest.param(NAMED, {ZONE_ID: ("In", ["use1-az4"])}, [], id="ids where the network has names"),
        pytest.param(NAMED, {ZONE_ID: ("In", ["use1-az9"])}, ["EKS179 {}.requirements[2]"], id="an id that no zone has"),
        pytest.param(NAMED, {ZONE_ID: ("In", ["use1-az1", "use1-az9"])}, ["EKS180 {}.requirements[2].values[1]"], id="next to one"),
        pytest.param(NAMED, {ZONE_ID: ("In", ["use1-bos1-az1"])}, [], id="a Local Zone"),
        pytest.param(NAMED, {ZONE_ID: ("In", ["usw2-lax1-az1"])}, ["EKS179 {}.requirements[2]"], id="a Local Zone of another region"),
        pytest.param({}, {ZONE_ID: ("In", ["use1-az3"])}, ["EKS179 {}.requirements[2]"], id="a zone without a control plane, and so without subnets"),
        pytest.param(EXISTING, {ZONE_ID: ("In", ["use1-az3"])}, ["EKS179 {}.requirements[2]"], id="nor in the subnets of an existing control plane"),
        pytest.param(APART, {ZONE_ID: ("In", ["use1-az3"])}, ["EKS179 {}.requirements[2]"], id="the built-in class uses those, too"),
        pytest.param(APART, {"node_class": "own", ZONE_ID: ("In", ["use1-az3"])}, [], id="nodes have subnets of their own"),
        pytest.param(BY_ID, {ZONE_ID: ("In", ["use1-az4"])}, ["EKS179 {}.requirements[2]"], id="ids"),
        pytest.param(BY_ID, {ZONE: ("In", ["us-east-1a"])}, [], id="a name where the network has ids"),
        pytest.param({}, {ZONE: ("In", ["us-east-1f"])}, [], id="the first zones of the region, whichever these are"),
        pytest.param({}, {REGION: ("In", ["us-east-2"])}, ["EKS179 {}.requirements[2]"], id="another region"),
        pytest.param({}, {REGION: ("In", ["us-east-1"])}, [], id="its region"),
        pytest.param(NAMED, {"labels": {ZONE: "us-east-1f"}}, ['EKS179 {}.labels["topology.kubernetes.io/zone"]'], id="a label"),
        pytest.param(NAMED, {"node_class": "own", ZONE: ("In", ["us-east-1f"])}, [], id="a NodeClass with subnets of its own"),
    ],
)
def test_zones_of_the_network(network: object, pool: dict[str, object], found: list[str], judged) -> None:
    requirements = [Requirement(key, *how) for key, how in pool.items() if isinstance(how, tuple)]
    fields = {name: value for name, value in pool.items() if not isinstance(value, tuple)}
    declared = derive(auto_mode({"web": eks_pool(*requirements, **fields)}, OWN_SUBNETS), network=network)
    assert judged(declared) == [one.format(WEB) for one in found]


@pytest.mark.parametrize(("value", "meant"), [("M7i.large", "m7i.large"), ("m7i.lrge", "m7i.large"), ("M7i.Large", "m7i.large"), ("t3.micro", None)])
def test_what_is_meant_by_a_type(value: str, meant: str | None) -> None:
    [found] = [one.fix for one in check(eks_pool(keys.eks.instance_type.one_of(value))) if one.code == "EKS062"]
    assert found is not None
    assert [operation.value for operation in found.operations] == ([] if meant is None else [meant])
