"""The room on nodes of the images of EKS. `tests/oracle/kubelet` compares all types with Karpenter's own library."""

import pytest

from nodepools.clouds.eks.kubelet import Kubelet, by_interfaces
from nodepools.data.eks_instance_types import InstanceType, eks_instance_types

GIB = 1024**3 * 1000
LARGE = eks_instance_types().types["m5.large"]
ARM = eks_instance_types().types["m6g.large"]
NEWER = InstanceType("m99.large", LARGE.labels, {}, None)

ROWS = [
    pytest.param(Kubelet("al2023"), LARGE, 29, 1930, 6903, id="two CPUs and 8 GiB"),
    pytest.param(Kubelet("al2023"), ARM, 29, 1930, 6844, id="Arm keeps 64 MiB"),
    pytest.param(Kubelet("al2023", max_pods=110), LARGE, 110, 1930, 6903, id="prefixes: AL2023 reserves by the interfaces"),
    pytest.param(Kubelet("bottlerocket", max_pods=110), LARGE, 110, 1930, 6012, id="Bottlerocket reserves by the pods"),
    pytest.param(Kubelet("al2", pods_per_core=4), LARGE, 8, 1930, 6903, id="pods for each core"),
    pytest.param(Kubelet("al2", pods_per_core=40), LARGE, 29, 1930, 6903, id="more of them than the interfaces hold"),
    pytest.param(Kubelet("bottlerocket", pods_per_core=4), LARGE, 29, 1930, 6903, id="Bottlerocket does not read them"),
    pytest.param(Kubelet("al2", reserved={"cpu": 500, "memory": GIB}), LARGE, 29, 1500, 6453, id="other reservations"),
    pytest.param(Kubelet("al2", reserved_for_system={"cpu": 500, "memory": GIB}), LARGE, 29, 1430, 5879, id="more reservations"),
    pytest.param(Kubelet("al2", eviction=str(GIB)), LARGE, 29, 1930, 5979, id="an eviction threshold"),
    pytest.param(Kubelet("al2", eviction="10%"), LARGE, 29, 1930, 6245, id="a part of the memory"),
    pytest.param(Kubelet("al2", eviction="100%"), LARGE, 29, 1930, 7003, id="none"),
    pytest.param(Kubelet("al2", reserved_for_system={"cpu": 9000, "memory": 9 * GIB}), LARGE, 29, 0, 0, id="more than the node has"),
]


@pytest.mark.parametrize(("kubelet", "known", "pods", "cpu", "mib"), ROWS)
def test_a_node(kubelet: Kubelet, known: InstanceType, pods: int, cpu: int, mib: int) -> None:
    offers = kubelet.offers(known)
    assert offers["pods"].least == offers["pods"].most == pods * 1000
    assert offers["cpu"].least == cpu
    assert offers["memory"].least // (1024**2 * 1000) == mib


def test_a_type_whose_interfaces_are_not_known_has_an_unknown_number_of_pods_and_reserves_all_its_memory() -> None:
    offers = Kubelet("al2023").offers(NEWER)
    assert by_interfaces(NEWER.name) is None
    assert "pods" not in offers
    assert offers["memory"].least == 0
    assert offers["memory"].most == 8 * GIB
