"""The instance types that a NodePool admits: none, few, of two makers, named and excluded."""

import pytest

from nodepools import EksNodePool, Requirement, keys
from nodepools.rules.samples import AMD64, eks_pool

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
        pytest.param(keys.eks.instance_family.not_in("g3"), [], id="to exclude what there is not is harmless"),
        pytest.param(Requirement("kubernetes.io/os", "In", ["windows"]), ["KAR043 requirements[2].values"], id="no Windows, told once"),
        pytest.param(keys.eks.arch.one_of("arm64"), ["KAR040 requirements[2]"], id="a contradiction, told once"),
        pytest.param(keys.eks.instance_gpu_name.does_not_exist(), [], id="no GPU"),
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
    assert judged(eks_pool(*requirements)) == found
