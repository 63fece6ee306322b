"""NodePools of self-managed Karpenter: what the names of instance types, their node class and zones say of the nodes that are launched."""

from datetime import date
from typing import Any

import pytest

from nodepools import Requirement
from nodepools.data.eks_instance_types import eks_instance_types, labels_of_ec2_types
from nodepools.model.eks.ec2_node_class import AMI_FAMILIES, SelfManagedKarpenter
from nodepools.rules import NodePool
from nodepools.rules.engine.runner import check
from nodepools.rules.engine.samples import AMD64_ON_DEMAND, ON_DEMAND, ec2_class

DAY = date(2026, 11, 21)
SYSTEMS = {"os": ("linux", "windows"), "arch": ("amd64", "arm64")}


@pytest.mark.parametrize(
    ("requirements", "told"),
    [
        ([Requirement("karpenter.k8s.aws/instance-family", "In", ["m7g", "c7g"])], ["SMK045"]),
        ([Requirement("node.kubernetes.io/instance-type", "In", ["m7g.large"])], ["SMK045"]),
        ([Requirement("karpenter.k8s.aws/instance-family", "In", ["m7g", "m7i"])], []),
        ([Requirement("karpenter.k8s.aws/instance-family", "In", ["m7g", "m99g"])], []),
        ([Requirement("karpenter.k8s.aws/instance-family", "NotIn", ["m7i"])], []),
    ],
)
def test_families_of_another_architecture(requirements: list[Requirement], told: list[str]) -> None:
    pool = NodePool(requirements=[*AMD64_ON_DEMAND, *requirements], expire_after="720h")
    assert codes_of(pool) & {"SMK045"} == set(told)
    assert "SMK045" not in codes_of(NodePool(requirements=requirements))


def codes_of(pool: NodePool, **fields: Any) -> set[str]:
    return {one.code for one in check(SelfManagedKarpenter(node_pools={"web": pool}, **fields), today=DAY)}


OWN, TYPE = "karpenter.k8s.aws/instance-", "node.kubernetes.io/instance-type"
LIMITED: list[Any] = [
    pytest.param({"cpu": 8}, [("node.kubernetes.io/instance-type", "In", ["m5.4xlarge"])], True, id="a type above it"),
    pytest.param({"cpu": 16}, [("node.kubernetes.io/instance-type", "In", ["m5.4xlarge"])], False, id="as much as the type"),
    pytest.param({"cpu": 8}, [("node.kubernetes.io/instance-type", "In", ["m5.4xlarge", "m5.large"])], False, id="one within it"),
    pytest.param(
        {"cpu": 4, "memory": "20Gi"}, [("node.kubernetes.io/instance-type", "In", ["r7i.xlarge", "c7i.2xlarge"])], True, id="each above one"
    ),
    pytest.param({"memory": "15Gi"}, [("node.kubernetes.io/instance-type", "In", ["m7i.xlarge"])], False, id="as much as it reports"),
    pytest.param({"cpu": 8}, [("karpenter.k8s.aws/instance-cpu", "Gt", ["15"])], True, id="more is required"),
    pytest.param({"cpu": 8}, [("karpenter.k8s.aws/instance-cpu", "In", ["16", "32"])], True, id="more is listed"),
    pytest.param({"cpu": 8}, [("karpenter.k8s.aws/instance-cpu", "Lt", ["15"])], False, id="less is required"),
    pytest.param({"cpu": 1}, [("karpenter.k8s.aws/instance-family", "In", ["m5"])], True, id="every size of a family"),
    pytest.param({"nvidia.com/gpu": 4}, [("karpenter.k8s.aws/instance-family", "In", ["p4d"])], True, id="eight GPUs in every size"),
    pytest.param({"nvidia.com/gpu": "500m"}, [("karpenter.k8s.aws/instance-family", "In", ["g5"])], True, id="a part of a GPU"),
    pytest.param({"cpu": 1}, [("karpenter.k8s.aws/instance-family", "In", ["m5", "t2"])], False, id="a family with a small size"),
    pytest.param({"cpu": 1}, [("karpenter.k8s.aws/instance-family", "In", ["m99"])], False, id="sizes that are not known"),
    pytest.param({"cpu": 0}, [("node.kubernetes.io/instance-type", "In", ["m5.4xlarge"])], False, id="turned off"),
    pytest.param({"nvidia.com/gpu": 1}, [("node.kubernetes.io/instance-type", "In", ["g4ad.8xlarge"])], False, id="GPUs of AMD are another resource"),
    pytest.param({"nvidia.com/gpu": 1}, [("node.kubernetes.io/instance-type", "In", ["g4dn.12xlarge"])], True, id="more GPUs"),
    pytest.param({"nodes": 3}, [("node.kubernetes.io/instance-type", "In", ["m5.4xlarge"])], False, id="another limit"),
    pytest.param({"cpu": "1500m"}, [("karpenter.k8s.aws/instance-size", "In", ["4xlarge"])], True, id="a size of any family"),
    pytest.param({"cpu": 8}, [("karpenter.k8s.aws/instance-size", "In", ["4xlarge"])], False, id="m2.4xlarge has 8"),
    pytest.param({"cpu": 15}, [(f"{OWN}size", "In", ["4xlarge", "8xlarge"]), (f"{OWN}generation", "Gt", ["2"])], True, id="the others have 16"),
    pytest.param({"cpu": 16}, [(f"{OWN}size", "In", ["4xlarge"]), (f"{OWN}generation", "Gt", ["2"])], False, id="as many as the size"),
    pytest.param({"cpu": 4}, [(f"{OWN}category", "In", ["p"])], True, id="a category without small types"),
    pytest.param({"cpu": 1}, [(f"{OWN}size", "In", ["large"]), (f"{OWN}cpu", "Gt", ["1"])], True, id="a size and a number"),
    pytest.param({"cpu": 1}, [(f"{OWN}category", "In", ["no"])], False, id="no type at all, which SMK056 reports"),
]


@pytest.mark.parametrize(("limits", "requirements", "found"), LIMITED)
def test_limits_below_the_types_that_are_named(limits: dict[str, Any], requirements: list[Any], *, found: bool) -> None:
    pool = NodePool(requirements=[*AMD64_ON_DEMAND, *(Requirement(*one) for one in requirements)], limits=limits, expire_after="720h")
    assert ("SMK054" in codes_of(pool)) is found


TYPES: list[Any] = [
    pytest.param([(f"{OWN}family", "In", ["m5", "c5"]), (f"{OWN}generation", "Gt", ["5"])], True, id="older than the generation"),
    pytest.param([(f"{OWN}family", "In", ["m5", "c7i"]), (f"{OWN}generation", "Gt", ["5"])], False, id="one of them is not"),
    pytest.param([(f"{OWN}family", "In", ["m5"]), (f"{OWN}category", "In", ["c"])], True, id="another category"),
    pytest.param([(f"{OWN}family", "In", ["x99z", "u-6tb1"]), (f"{OWN}category", "In", ["c"])], True, id="families that no table has"),
    pytest.param([(f"{OWN}family", "In", ["x99z"]), (f"{OWN}cpu-manufacturer", "In", ["aws"])], False, id="of which only the name is known"),
    pytest.param([(TYPE, "In", ["m5.large"]), (f"{OWN}cpu", "Gt", ["4"])], True, id="too few vCPUs"),
    pytest.param([(TYPE, "In", ["t3.nano"]), (f"{OWN}cpu", "Gt", ["4"])], True, id="a size that the table of Auto Mode lacks"),
    pytest.param([(TYPE, "In", ["t3.nano"]), (f"{OWN}size", "In", ["large"])], True, id="and its name"),
    pytest.param([(f"{OWN}family", "In", ["m5"]), (f"{OWN}cpu", "Gt", ["400"])], False, id="sizes can be missing"),
    pytest.param([(f"{OWN}family", "In", ["m5"]), (f"{OWN}size", "In", ["large"]), (f"{OWN}cpu", "Gt", ["4"])], True, id="a size of a family"),
    pytest.param([(f"{OWN}family", "In", ["m7i"]), (f"{OWN}local-nvme", "Exists", ())], True, id="no local disk in any size"),
    pytest.param([(f"{OWN}family", "In", ["m99"]), (f"{OWN}local-nvme", "DoesNotExist", ())], False, id="a newer family without one"),
    pytest.param([(f"{OWN}local-nvme", "DoesNotExist", ())], False, id="any type without one"),
    pytest.param([(f"{OWN}cpu", "In", ["04"])], True, id="numbers are compared as text"),
    pytest.param([(TYPE, "In", ["mac1.metal"])], True, id="a Mac"),
    pytest.param([(f"{OWN}family", "In", ["m5d"]), (f"{OWN}local-nvme", "Gt", ["100"])], False, id="a local disk in every size"),
    pytest.param([(f"{OWN}family", "In", ["m7i"]), (f"{OWN}gpu-count", "Gt", ["0"])], True, id="no GPU"),
    pytest.param([(f"{OWN}family", "In", ["m7i"]), (f"{OWN}gpu-name", "NotIn", ["l4"])], False, id="nor is one needed"),
    pytest.param([(f"{OWN}family", "In", ["inf2"]), (f"{OWN}gpu-manufacturer", "In", ["nvidia"])], True, id="an accelerator of another maker"),
    pytest.param([(f"{OWN}family", "In", ["g6"]), (f"{OWN}gpu-name", "In", ["l4"])], False, id="a GPU"),
    pytest.param([(f"{OWN}family", "In", ["m7i"]), (f"{OWN}cpu-manufacturer", "In", ["amd"])], True, id="another CPU"),
    pytest.param([(TYPE, "In", ["m5large"])], True, id="no name of a type"),
    pytest.param([(TYPE, "In", ["m5.2XL"])], True, id="a size in capital letters"),
    pytest.param([(f"{OWN}family", "In", ["M5"])], True, id="a family in capital letters"),
    pytest.param([(f"{OWN}family", "In", ["m5.large"])], True, id="a type as a family"),
    pytest.param([(TYPE, "In", ["m5large", "m5.large"])], False, id="next to one"),
    pytest.param([(f"{OWN}category", "In", ["C", "M"])], True, id="capital letters"),
    pytest.param([(f"{OWN}category", "In", ["C", "m"])], False, id="one of them"),
    pytest.param([(f"{OWN}generation", "In", ["five"])], True, id="no number"),
    pytest.param([(f"{OWN}hypervisor", "In", [""])], False, id="bare metal"),
    pytest.param([(f"{OWN}cpu", "Lt", ["1"])], True, id="no vCPU"),
    pytest.param([(f"{OWN}cpu", "Lt", ["2"])], False, id="one vCPU"),
    pytest.param([(f"{OWN}gpu-count", "Lt", ["1"])], False, id="a share of a GPU, of which Karpenter counts 0"),
    pytest.param([(f"{OWN}family", "In", ["g6f"]), (f"{OWN}gpu-count", "In", ["0"])], False, id="by its family"),
    pytest.param([(TYPE, "In", ["p5.48xlarge"]), (f"{OWN}gpu-count", "Lt", ["1"])], True, id="a type with GPUs"),
    pytest.param([(f"{OWN}tenancy", "In", ["Host"])], False, id="a label that no table has"),
    pytest.param([("eks.amazonaws.com/instance-cpu", "Lt", ["1"])], False, id="a label of Auto Mode, which means nothing"),
    pytest.param([(f"{OWN}cpu", "Lt", ["1"]), (f"{OWN}cpu", "Gt", ["1"])], False, id="a contradiction, which KAR040 reports"),
]


@pytest.mark.parametrize(("requirements", "told"), TYPES)
def test_types_that_requirements_exclude(requirements: list[tuple[Any, Any, Any]], *, told: bool) -> None:
    pool = NodePool(requirements=[*AMD64_ON_DEMAND, *(Requirement(*one) for one in requirements)], expire_after="720h")
    assert ("SMK045" in codes_of(pool)) is told


@pytest.mark.parametrize(
    ("requirement", "found"),
    [
        pytest.param(("node.kubernetes.io/instance-type", "In", ["M7i.large"]), ["SMK045", "SMK057"], id="a type in capitals"),
        pytest.param(("node.kubernetes.io/instance-type", "In", ["M7i.large", "m7i.large"]), ["SMK057"], id="and one that there is"),
        pytest.param(("node.kubernetes.io/instance-type", "In", ["m7i.lrge"]), ["SMK057"], id="a size that can be newer"),
        pytest.param(("node.kubernetes.io/instance-type", "In", ["t3.micro"]), [], id="a type that Auto Mode lacks"),
        pytest.param((f"{OWN}family", "In", ["m99", "m7i"]), ["SMK057"], id="a family that can be newer"),
        pytest.param((f"{OWN}category", "In", ["M", "c"]), ["SMK057"], id="a category in capitals"),
        pytest.param(("node.kubernetes.io/instance-type", "NotIn", ["M7i.large"]), ["SMK057"], id="excludes nothing"),
        pytest.param(("node.kubernetes.io/instance-type", "NotIn", ["m99.large"]), [], id="excludes a type that can be newer"),
        pytest.param(("team", "In", ["M7i"]), [], id="another label"),
    ],
)
def test_values_that_no_type_has(requirement: tuple[Any, Any, Any], found: list[str]) -> None:
    pool = NodePool(requirements=[*AMD64_ON_DEMAND, Requirement(*requirement)], expire_after="720h")
    assert sorted({"SMK045", "SMK057"} & set(codes_of(pool))) == found


@pytest.mark.parametrize(("value", "can_be"), [("m99.large", True), ("M7i.large", False)])
def test_a_type_can_be_newer_than_the_table(value: str, *, can_be: bool) -> None:
    pool = NodePool(requirements=[*AMD64_ON_DEMAND, Requirement("node.kubernetes.io/instance-type", "In", [value])], expire_after="720h")
    [found] = [one for one in check(SelfManagedKarpenter(node_pools={"web": pool}), today=DAY) if one.code == "SMK057"]
    assert found.message.endswith(", unless it is newer than the table") is can_be


UNKNOWN: list[Any] = [
    pytest.param([(f"{OWN}family", "In", ["M5", "m5"])], False, id="one family in capital letters"),
    pytest.param([(f"{OWN}family", "In", ["M5", "m99"])], False, id="a family that can be newer"),
    pytest.param([(f"{OWN}category", "In", ["m5"])], True, id="a family as a category"),
    pytest.param([(f"{OWN}category", "In", ["u", "dl"])], False, id="categories that Auto Mode lacks"),
    pytest.param([(f"{OWN}size", "In", ["2xl"])], True, id="a size that no type has"),
    pytest.param([(f"{OWN}size", "In", ["micro"])], False, id="a size that Auto Mode lacks"),
    pytest.param([(f"{OWN}generation", "Gt", ["12"])], True, id="a later generation"),
    pytest.param([(f"{OWN}cpu-manufacturer", "In", ["graviton"])], True, id="a name of processors as their maker"),
    pytest.param([(f"{OWN}category", "In", ["c", "m"]), (f"{OWN}gpu-manufacturer", "In", ["nvidia"])], True, id="GPUs in categories without any"),
    pytest.param([(f"{OWN}gpu-name", "In", ["v100"])], False, id="a GPU of a family that Auto Mode lacks"),
    pytest.param([(f"{OWN}category", "In", ["a"])], True, id="arm64 processors alone"),
    pytest.param([(f"{OWN}family", "In", ["m7g"])], False, id="what SMK045 reports"),
    pytest.param([(f"{OWN}hypervisor", "In", ["xen"]), (f"{OWN}generation", "Gt", ["4"])], True, id="a hypervisor that newer types lack"),
    pytest.param([(f"{OWN}hypervisor", "In", ["xen"]), (f"{OWN}generation", "Gt", ["3"])], False, id="types of that hypervisor"),
    pytest.param([(f"{OWN}hypervisor", "In", ["xen"]), (f"{OWN}category", "In", ["x", "f"])], False, id="of which Auto Mode has none"),
    pytest.param([(f"{OWN}hypervisor", "In", ["nitro"]), (f"{OWN}size", "In", ["metal"])], True, id="none on bare metal"),
    pytest.param([(f"{OWN}family", "In", ["m5"]), (f"{OWN}family", "In", ["c5"])], False, id="what KAR040 reports"),
    pytest.param([("team", "In", ["web"])], False, id="no label of types"),
    pytest.param([(f"{OWN}family", "In", ["m5"]), (f"{OWN}size", "In", ["48xlarge"])], True, id="a size that the family lacks"),
    pytest.param([(f"{OWN}family", "In", ["m5", "m99"]), (f"{OWN}size", "In", ["48xlarge"])], False, id="which a newer family can have"),
    pytest.param([(f"{OWN}cpu", "In", ["3"])], True, id="a number of vCPUs that no type has"),
    pytest.param([(f"{OWN}cpu", "In", ["1"])], False, id="one that only types without Auto Mode have"),
    pytest.param([(f"{OWN}size", "In", ["large"]), (f"{OWN}cpu", "Gt", ["8"])], True, id="more than the size has"),
    pytest.param([(f"{OWN}category", "In", ["c"]), (f"{OWN}memory", "Gt", ["1048576"])], True, id="more memory than the category has"),
    pytest.param([(f"{OWN}category", "In", ["u"]), (f"{OWN}memory", "Gt", ["1048576"])], False, id="which high memory types have"),
    pytest.param([(f"{OWN}gpu-manufacturer", "In", ["nvidia"]), (f"{OWN}gpu-name", "In", ["radeon-pro-v520"])], True, id="a GPU of another maker"),
    pytest.param([(f"{OWN}category", "In", ["g"]), (f"{OWN}accelerator-name", "In", ["inferentia"])], True, id="a device of another category"),
    pytest.param([(f"{OWN}family", "In", ["i3"]), (f"{OWN}local-nvme", "DoesNotExist", ())], True, id="a local disk in each size"),
    pytest.param([(f"{OWN}category", "In", ["mac"])], True, id="Macs, for which Karpenter does not ask"),
    pytest.param([(f"{OWN}category", "In", ["m"]), (f"{OWN}local-nvme", "DoesNotExist", ())], False, id="types without local disks"),
    pytest.param([(f"{OWN}category", "In", ["d"]), (f"{OWN}local-nvme", "Gt", ["9999999"])], True, id="too large a disk"),
]


@pytest.mark.parametrize(("requirements", "told"), UNKNOWN)
def test_requirements_that_no_type_of_ec2_meets(requirements: list[tuple[Any, Any, Any]], *, told: bool) -> None:
    pool = NodePool(requirements=[*AMD64_ON_DEMAND, *(Requirement(*one) for one in requirements)], expire_after="720h")
    assert ("SMK056" in codes_of(pool)) is told


def test_types_that_auto_mode_lacks_have_their_labels() -> None:
    """Also those that only pages of older versions list, and EC2 still has."""
    arch = {name: labels["kubernetes.io/arch"] for name, labels in labels_of_ec2_types().items()}
    assert {arch[name] for name in ("a1.large", "m9g.large", "hpc7g.4xlarge")} == {"arm64"}
    assert {arch[name] for name in ("c8ib.large", "p3.2xlarge", "g6f.large", "m3.large", "dl1.24xlarge")} == {"amd64"}
    assert not {"p2.xlarge", "mac2.metal"} & arch.keys(), "retired, and none that Karpenter asks for"
    assert labels_of_ec2_types()["t3.nano"]["eks.amazonaws.com/instance-memory"] == "512"


@pytest.mark.parametrize(
    ("images", "build", "told"),
    [
        ("windows2022", "10.0.17763", True),
        ("windows2022", "10.0.20348", False),
        ("windows2025", "10.0.26100", False),
        ("windows2019", None, False),
        ("al2023", "10.0.17763", True),
    ],
)
def test_builds_of_windows_are_those_of_the_images(images: str, build: str | None, *, told: bool) -> None:
    asked = [] if build is None else [Requirement("node.kubernetes.io/windows-build", "In", [build])]
    pool = NodePool(node_class="own", requirements=[*AMD64_ON_DEMAND, *asked], expire_after="720h")
    assert ("SMK051" in codes_of(pool, node_classes={"own": ec2_class(ami_terms=[{"alias": f"{images}@latest"}])})) is told


@pytest.mark.parametrize(("value", "told"), [("host", True), ("dedicated", False)])
def test_tenancies(value: str, *, told: bool) -> None:
    pool = NodePool(requirements=[*AMD64_ON_DEMAND, Requirement(f"{OWN}tenancy", "In", [value])], expire_after="720h")
    assert ("KAR043" in codes_of(pool)) is told


@pytest.mark.parametrize("name", sorted(eks_instance_types().types)[::7])
def test_each_known_type_has_what_its_name_says(name: str) -> None:
    """The labels that follow from family and size are those that the type has."""
    family, _, size = name.partition(".")
    table = eks_instance_types()
    for known in (table.labels_by_name(family, None), table.labels_by_name(family, size)):
        assert {key: table.types[name].labels.get(key) for key in known} == known


@pytest.mark.parametrize(
    ("requirements", "told"),
    [
        ([Requirement(f"{OWN}family", "In", ["m5", "m5"], min_values=2)], ["SMK050"]),
        ([Requirement(f"{OWN}family", "In", ["m5", "c5"], min_values=2)], []),
        ([Requirement(f"{OWN}family", "In", ["m5"], min_values=2)], ["KAR042"]),
        ([Requirement(f"{OWN}family", "In", ["m5", "m6i"]), Requirement(f"{OWN}category", "Exists", min_values=2)], ["SMK050"]),
        ([Requirement(f"{OWN}category", "In", ["z"]), Requirement(f"{OWN}family", "Exists", min_values=2)], ["SMK050"]),
        ([Requirement(f"{OWN}category", "In", ["r"]), Requirement(f"{OWN}family", "Exists", min_values=2)], []),
        ([Requirement(f"{OWN}family", "In", ["m5", "m6i"]), Requirement(f"{OWN}cpu", "Exists", min_values=50)], ["SMK050"]),
        ([Requirement(f"{OWN}family", "In", ["m5", "m9g"]), Requirement(f"{OWN}cpu", "Exists", min_values=50)], ["SMK050"]),
        ([Requirement(f"{OWN}family", "In", ["m5", "m99"]), Requirement(f"{OWN}cpu", "Exists", min_values=50)], []),
        ([Requirement(f"{OWN}category", "In", ["c", "m"]), Requirement(f"{OWN}family", "Exists", min_values=90)], []),
        ([Requirement(f"{OWN}family", "In", ["m5", "m6i"]), Requirement("topology.kubernetes.io/zone", "Exists", min_values=9)], []),
        ([Requirement("team", "In", ["web", "api"], min_values=2)], ["SMK050"]),
        ([Requirement("example.com/team", "Exists", min_values=1)], ["SMK050"]),
        ([Requirement("node-restriction.kubernetes.io/team", "Exists", min_values=1)], []),
    ],
)
def test_fewest_values_of_named_types(requirements: list[Requirement], told: list[str]) -> None:
    pool = NodePool(requirements=[*AMD64_ON_DEMAND, *requirements], expire_after="720h")
    assert sorted(codes_of(pool) & {"SMK050", "KAR042"}) == told


ALIASES = [*AMI_FAMILIES, "windows2019 by id", "custom by id", "custom next to windows2022"]


@pytest.mark.parametrize("images", ALIASES)
@pytest.mark.parametrize(("key", "value"), [(f"kubernetes.io/{key}", one) for key, values in SYSTEMS.items() for one in values])
def test_a_node_pool_and_the_images_of_its_class(images: str, key: str, value: str) -> None:
    """Karpenter starts images of Windows on amd64, all others with Linux; what `explain` says of the same objects agrees."""
    family, _, how = images.partition(" ")
    fields: dict[str, Any] = {"ami_terms": [{"alias": f"{family}@latest"}]}
    if how:
        alias = how.removeprefix("next to ")
        fields = {
            "ami_family": AMI_FAMILIES.get(family, "Custom"),
            "ami_terms": [{"id": "ami-1"} if how == "by id" else {"alias": f"{alias}@latest"}],
        }
    node_class = ec2_class(**fields)
    windows = family.startswith("windows")
    fits = {"windows": windows, "linux": not windows, "amd64": True, "arm64": not windows}[value]
    ways: list[tuple[Any, list[str]]] = [("In", [value]), ("NotIn", [one for one in SYSTEMS[key.partition("/")[2]] if one != value])]
    for operator, values in ways:
        pool = NodePool(requirements=[ON_DEMAND, Requirement(key, operator, values)], node_class="own", expire_after="720h")
        assert ("SMK051" in codes_of(pool, node_classes={"own": node_class})) is not fits
        assert "SMK051" not in codes_of(pool, node_classes={"other": node_class})


@pytest.mark.parametrize(("reservations", "told"), [([], True), ([{"id": "cr-1"}], False)])
def test_reserved_capacity_needs_a_selection(reservations: list[dict[str, str]], *, told: bool) -> None:
    own = {"own": ec2_class(capacity_reservations=reservations)}
    reserved = NodePool(requirements=[Requirement("karpenter.sh/capacity-type", "In", ["reserved"])], node_class="own")
    assert ("SMK051" in codes_of(reserved, node_classes=own)) is told
    on_demand = NodePool(requirements=AMD64_ON_DEMAND, node_class="own")
    assert ("EKS054" in codes_of(on_demand, node_classes=own)) is not told


ALL = ["on-demand", "spot", "reserved"]


@pytest.mark.parametrize(
    ("capacity", "requirement", "terms", "told"),
    [
        (["reserved"], ("id", "In", ["cr-1"]), [{"id": "cr-1"}, {"id": "cr-2"}], False),
        (["reserved"], ("id", "In", ["cr-3"]), [{"id": "cr-1"}, {"id": "cr-2"}], True),
        (["reserved"], ("id", "In", ["cr-3"]), [{"id": "cr-1"}, {"tags": {"team": "web"}}], False),
        (["reserved"], ("id", "NotIn", ["cr-1"]), [{"id": "cr-1"}], True),
        (["reserved"], ("id", "DoesNotExist", []), [{"id": "cr-1"}], True),
        (["reserved"], ("id", "Exists", []), [{"id": "cr-1"}], False),
        (["reserved"], ("type", "In", ["capacity-block"]), [{"id": "cr-1"}], False),
        (ALL, ("id", "In", ["cr-3"]), [{"id": "cr-1"}], True),
        (ALL, ("id", "NotIn", ["cr-1"]), [{"id": "cr-1"}], False),
        (ALL, ("id", "DoesNotExist", []), [{"id": "cr-1"}], False),
        (ALL, ("id", "In", ["cr-1"]), [], True),
        (["spot"], ("id", "In", ["cr-1"]), [{"id": "cr-1"}], True),
        (["on-demand"], ("type", "Exists", []), [{"id": "cr-1"}], True),
        (["on-demand"], ("interruptible", "In", ["true"]), [], True),
        (["on-demand"], ("interruptible", "NotIn", ["true"]), [], False),
    ],
)
def test_only_reserved_nodes_have_labels_of_reservations(
    capacity: list[str], requirement: tuple[str, Any, list[str]], terms: list[dict[str, Any]], *, told: bool
) -> None:
    name, operator, values = requirement
    key = f"karpenter.k8s.aws/capacity-reservation-{name}"
    required = [Requirement("karpenter.sh/capacity-type", "In", capacity), Requirement(key, operator, values)]
    pool = NodePool(requirements=required, node_class="own")
    assert ("SMK051" in codes_of(pool, node_classes={"own": ec2_class(capacity_reservations=terms)})) is told


def test_a_pool_without_reserved_capacity_is_told_once() -> None:
    required = [Requirement("karpenter.sh/capacity-type", "In", ["reserved"]), Requirement("karpenter.k8s.aws/capacity-reservation-id", "Exists")]
    pool = NodePool(requirements=required, node_class="own")
    found = check(SelfManagedKarpenter(node_pools={"web": pool}, node_classes={"own": ec2_class()}), today=DAY)
    assert [one.code for one in found].count("SMK051") == 1


@pytest.mark.parametrize(("size", "code"), [("100", "SMK021"), ("100M", "SMK021"), ("1Gi", "SMK058"), ("100Gi", "")])
def test_a_size_that_is_rejected_is_told_once(size: str, code: str) -> None:
    node_class = ec2_class(block_devices=[{"device_name": "/dev/xvda", "ebs": {"volume_size": size}}])
    pool = NodePool(requirements=AMD64_ON_DEMAND, node_class="own")
    found = codes_of(pool, node_classes={"own": node_class})
    assert found & {"SMK021", "SMK058"} == ({code} if code else set())


@pytest.mark.parametrize(
    ("key", "values", "told"),
    [
        ("topology.kubernetes.io/zone", [""], True),
        ("topology.kubernetes.io/zone", ["us-east-1"], True),
        ("topology.kubernetes.io/zone", ["westeurope-1", "use1-az1"], True),
        ("topology.kubernetes.io/zone", ["us-east-1", "us-east-1a"], False),
        ("topology.kubernetes.io/zone", ["us-west-2-lax-1a"], False),
        ("topology.k8s.aws/zone-id", ["us-east-1a"], True),
        ("topology.k8s.aws/zone-id", ["usw2-lax1-az1"], False),
    ],
)
def test_zones_that_are_none(key: str, values: list[str], *, told: bool) -> None:
    assert ("EKS049" in codes_of(NodePool(requirements=[*AMD64_ON_DEMAND, Requirement(key, "In", values)]))) is told


def pool_of(*requirements: tuple[Any, Any, Any], **fields: Any) -> NodePool:
    return NodePool(requirements=[ON_DEMAND, *(Requirement(*one) for one in requirements)], node_class="own", expire_after="720h", **fields)


LARGE, NVME = (TYPE, "In", ["m7i.large"]), (TYPE, "In", ["i4i.large"])
WINDOWS, CUSTOM = {"ami_terms": [{"alias": "windows2022@latest"}]}, {"ami_family": "Custom", "ami_terms": [{"id": "ami-0a1"}]}
VOLUME = {"device_name": "/dev/xvda", "ebs": {"volume_size": "100Gi", "encrypted": True}}
SMALL = {"device_name": "/dev/sda1", "root_volume": True, "ebs": {"volume_size": "30Gi", "encrypted": True}}
PRIMARY = {"network_card_index": 0, "device_index": 0, "interface_type": "interface"}
OF_CLASS: list[Any] = [
    pytest.param({"pods": 28}, LARGE, {}, True, id="29 pods by its interfaces"),
    pytest.param({"pods": 29}, LARGE, {}, False, id="as many"),
    pytest.param({"pods": 0}, LARGE, {}, False, id="turned off"),
    pytest.param({"pods": 3}, (TYPE, "In", ["t3.nano", "hpc7a.96xlarge"]), {}, True, id="fewer than on any node"),
    pytest.param({"pods": 109}, LARGE, {"kubelet": {"maxPods": 110}}, True, id="as many pods as are set"),
    pytest.param({"pods": 19}, LARGE, {"kubelet": {"podsPerCore": 10}}, True, id="pods by vCPU"),
    pytest.param({"pods": 20}, LARGE, {"kubelet": {"podsPerCore": 10}}, False, id="as many pods by vCPU"),
    pytest.param({"pods": 28}, LARGE, {"kubelet": {"podsPerCore": 0}}, True, id="which 0 turns off"),
    pytest.param({"pods": 1}, (TYPE, "In", ["m99.large"]), {"kubelet": {"podsPerCore": 10}}, False, id="vCPUs that are not known"),
    pytest.param({"pods": 3}, LARGE, {"kubelet": {"maxPods": "min(max_pods, 2)"}}, False, id="an expression"),
    pytest.param({"pods": 3}, LARGE, {"network_interfaces": [PRIMARY]}, False, id="other interfaces"),
    pytest.param({"pods": 109}, LARGE, WINDOWS, True, id="pods of Windows"),
    pytest.param({"ephemeral-storage": "19Gi"}, LARGE, {}, True, id="the default disk"),
    pytest.param({"ephemeral-storage": "20Gi"}, NVME, {}, False, id="local disks are not used"),
    pytest.param({"ephemeral-storage": "99Gi"}, LARGE, {"block_devices": [VOLUME]}, True, id="the disk that is declared"),
    pytest.param({"ephemeral-storage": "400G"}, NVME, {"instance_store_policy": "RAID0"}, True, id="local disks"),
    pytest.param({"ephemeral-storage": "19Gi"}, LARGE, {"instance_store_policy": "RAID0"}, True, id="a type without local disks"),
    pytest.param({"ephemeral-storage": "1Gi"}, (TYPE, "In", ["m99.large"]), {"instance_store_policy": "RAID0"}, False, id="not known"),
    pytest.param({"ephemeral-storage": "49Gi"}, LARGE, WINDOWS, True, id="the disk of Windows"),
    pytest.param({"ephemeral-storage": "99Gi"}, LARGE, {**CUSTOM, "block_devices": [VOLUME]}, True, id="the last volume of a custom image"),
    pytest.param({"ephemeral-storage": "30Gi"}, LARGE, {"block_devices": [VOLUME, SMALL]}, False, id="the root volume first"),
    pytest.param({"ephemeral-storage": "1Gi"}, LARGE, {"ami_terms": [{"id": "ami-0a1"}]}, False, id="no family, which SMK001 reports"),
    pytest.param({"aws.amazon.com/neuroncore": 1}, (TYPE, "In", ["trn1.2xlarge"]), {}, True, id="two cores of a device"),
    pytest.param({"habana.ai/gaudi": 4}, (TYPE, "In", ["dl1.24xlarge"]), {}, True, id="eight devices"),
    pytest.param({"nvidia.com/gpu": 0}, (TYPE, "In", ["g5.xlarge"]), {}, True, id="no GPU of nodes that have some"),
]


@pytest.mark.parametrize(("limits", "types", "fields", "told"), OF_CLASS)
def test_limits_below_what_the_class_decides(limits: dict[str, Any], types: Any, fields: dict[str, Any], *, told: bool) -> None:
    assert ("SMK054" in codes_of(pool_of(types, limits=limits), node_classes={"own": ec2_class(**fields)})) is told
    assert "SMK058" not in codes_of(pool_of(types, limits=limits), node_classes={"own": ec2_class(**fields)})


def kept(name: str, **resources: str) -> dict[str, Any]:
    return {"kubelet": {name: {key.replace("_", "-" if key == "ephemeral_storage" else "."): value for key, value in resources.items()}}}


EXCLUDED: list[Any] = [
    pytest.param(LARGE, kept("systemReserved", memory="8Gi"), True, id="all memory"),
    pytest.param(LARGE, kept("systemReserved", memory="7Gi"), False, id="less than that"),
    pytest.param(LARGE, {"kubelet": {"systemReserved": {"memory": "4Gi"}, "kubeReserved": {"memory": "4Gi"}}}, True, id="together"),
    pytest.param((OWN + "cpu", "Gt", ["0"]), kept("systemReserved", memory="64Ti"), True, id="more than any type of EC2"),
    pytest.param((OWN + "cpu", "Gt", ["0"]), kept("systemReserved", memory="16Gi"), False, id="larger types are left"),
    pytest.param(LARGE, kept("kubeReserved", cpu="3"), True, id="more vCPUs"),
    pytest.param(LARGE, kept("systemReserved", ephemeral_storage="18Gi"), True, id="the disk, with what is reserved by default"),
    pytest.param(LARGE, kept("evictionHard", memory_available="9Gi"), True, id="a threshold above the memory"),
    pytest.param(LARGE, kept("evictionHard", memory_available="99%"), True, id="a percentage"),
    pytest.param(LARGE, kept("evictionHard", memory_available="100%", nodefs_available="100%"), False, id="which turns it off"),
    pytest.param(LARGE, kept("systemReserved", memory="string(max_pods) + 'Gi'"), False, id="an expression"),
    pytest.param((TYPE, "In", ["m99.large"]), kept("systemReserved", memory="64Ti"), False, id="a type that is not known"),
    pytest.param((TYPE, "In", ["a1.large"]), {}, True, id="no image for the first arm64 processors"),
    pytest.param((TYPE, "In", ["a1.large"]), {"ami_terms": [{"alias": "bottlerocket@v1.50.0"}]}, False, id="an image for them"),
    pytest.param((TYPE, "In", ["m5.metal"]), {"connection_tracking": {"udp_timeout": 30}}, True, id="tracking without the Nitro hypervisor"),
    pytest.param(LARGE, {"connection_tracking": {"udp_timeout": 30}}, False, id="with it"),
    pytest.param((TYPE, "In", ["t3.large"]), {"cpu_options": {"nested_virtualization": "enabled"}}, True, id="no nested virtualization"),
    pytest.param((TYPE, "In", ["m8i.large"]), {"cpu_options": {"nested_virtualization": "enabled"}}, False, id="nested virtualization"),
    pytest.param((TYPE, "In", ["m8g.large"]), {"cpu_options": {"nested_virtualization": "enabled"}}, True, id="not of Intel"),
    pytest.param((TYPE, "In", ["i3.metal"]), {"cpu_options": {"nested_virtualization": "enabled"}}, True, id="without a generation"),
]


@pytest.mark.parametrize(("types", "fields", "told"), EXCLUDED)
def test_types_that_the_class_excludes(types: Any, fields: dict[str, Any], *, told: bool) -> None:
    assert ("SMK058" in codes_of(pool_of(types), node_classes={"own": ec2_class(**fields)})) is told


def test_a_label_of_windows_on_nodes_of_linux() -> None:
    build, own = "node.kubernetes.io/windows-build", {"own": ec2_class()}
    assert "SMK051" in codes_of(pool_of((build, "Exists", ())), node_classes=own)
    assert "SMK051" not in codes_of(pool_of((build, "DoesNotExist", ())), node_classes=own)
    assert "SMK051" not in codes_of(pool_of((build, "Exists", ())), node_classes={"own": ec2_class(ami_terms=[{"id": "ami-0a1"}])})
