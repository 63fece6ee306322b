"""Address ranges."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from nodepools import AksClusterArgs, EksClusterArgs, ExistingAksNetwork, ExistingEksNetwork, SystemPool
from nodepools.model.cidr import Cidr, Cidr6, first_free, host, inside, overlap, part, twin

ranges = st.builds(lambda prefix, bits: part("0.0.0.0/0", prefix, bits % (1 << prefix)), st.integers(1, 30), st.integers(0, 2**30))


@pytest.mark.parametrize("text", ["10.0.0.0/16", "10.0.0.0/32", "0.0.0.0/0"])
def test_ranges(text: str) -> None:
    assert TypeAdapter(Cidr).validate_python(text) == text


@pytest.mark.parametrize("text", ["", "10.0.0.1/16", "10.0.0/16", "10.0.0.0/33", "2001:db8::/32", "10.0.0.0/16 "])
def test_what_is_no_range(text: str) -> None:
    with pytest.raises(ValidationError, match="must be an IPv4 range such as"):
        TypeAdapter(Cidr).validate_python(text)


@given(ranges, ranges)
def test_ranges_meet_where_one_is_inside_the_other(one: str, other: str) -> None:
    assert overlap(one, other) is overlap(other, one) is (inside(one, other) or inside(other, one))


@given(ranges, st.integers(0, 3))
def test_a_quarter_lies_inside(cidr: str, quarter: int) -> None:
    prefix = int(cidr.partition("/")[2])
    assert inside(part(cidr, prefix + 2, quarter), cidr)


def test_there_is_no_fifth_quarter() -> None:
    with pytest.raises(IndexError, match="has no /18 number 4"):
        part("10.0.0.0/16", 18, 4)


def test_an_address_of_a_range() -> None:
    assert host("10.0.0.0/16", 10) == "10.0.0.10"


@pytest.mark.parametrize(
    ("taken", "free"),
    [
        ([], "10.0.0.0/16"),
        (["10.0.0.0/8"], "172.20.0.0/16"),
        (["10.0.0.0/8", "172.16.0.0/12"], "172.20.0.0/16"),
    ],
)
def test_the_first_that_is_free_or_the_last(taken: list[str], free: str) -> None:
    assert first_free(["10.0.0.0/16", "172.20.0.0/16"], taken) == free


def aks(**fields: object) -> AksClusterArgs:
    return AksClusterArgs.model_validate({"location": "x", "kubernetes_version": "1.35", "system_pool": SystemPool(vm_size="x"), **fields})


@pytest.mark.parametrize(
    ("cluster", "services", "pods"),
    [
        pytest.param(aks(), "10.0.0.0/16", "10.244.0.0/16", id="by default"),
        pytest.param(aks(network={"kind": "AksNetwork", "cidr": "10.0.0.0/16"}), "10.96.0.0/16", "10.244.0.0/16", id="services give way"),
        pytest.param(aks(network={"kind": "AksNetwork", "cidr": "10.0.0.0/8"}), "172.20.0.0/16", "192.168.0.0/16", id="all give way"),
        pytest.param(aks(network_profile={"pod_cidr": "10.0.0.0/16"}), "10.96.0.0/16", "10.0.0.0/16", id="services give way to declared pods"),
        pytest.param(aks(network_profile={"plugin_mode": None}), "10.0.0.0/16", None, id="pods in the nodes' subnet"),
        pytest.param(aks(network=ExistingAksNetwork(subnet_id="s")), "10.0.0.0/16", "10.244.0.0/16", id="beside what is not known"),
    ],
)
def test_defaults_of_aks_do_not_meet(cluster: AksClusterArgs, services: str, pods: str | None) -> None:
    assert (cluster.service_cidr, cluster.pod_cidr) == (services, pods)


def test_the_default_of_eks_does_not_meet_the_vpc() -> None:
    sound = EksClusterArgs(region="x", kubernetes_version="1.35")
    beside = EksClusterArgs.model_validate({**dict(sound), "network": {"kind": "EksNetwork", "cidr": "172.20.0.0/16"}})
    existing = EksClusterArgs.model_validate({**dict(sound), "network": ExistingEksNetwork(vpc_id="v", private_subnet_ids=["s"])})
    declared = EksClusterArgs.model_validate({**dict(sound), "service_cidr": "10.1.0.0/16"})
    assert [args.service_range for args in (sound, beside, existing, declared)] == ["172.20.0.0/16", "10.100.0.0/16", "172.20.0.0/16", "10.1.0.0/16"]


@pytest.mark.parametrize(
    ("cidr", "within", "whole", "of_it"),
    [
        pytest.param("10.1.0.0/18", "10.1.0.0/16", "fd00:10::/48", "fd00:10::/64", id="at the beginning"),
        pytest.param("10.1.64.0/24", "10.1.0.0/16", "fd00:10::/48", "fd00:10:0:4000::/64", id="a /48 has one for every address of a /16"),
        pytest.param("10.1.64.0/24", "10.1.0.0/16", "fd00:10::/56", "fd00:10:0:40::/64", id="a /56 for every /24 of it"),
        pytest.param("10.1.15.240/28", "10.1.0.0/20", "fd00:10::/48", "fd00:10:0:ff0::/64", id="a smaller network"),
        pytest.param("10.255.255.240/28", "10.0.0.0/8", "fd00:10::/48", "fd00:10:0:ffff::/64", id="the last of a large one"),
        pytest.param("10.1.64.0/24", "10.1.0.0/16", "fd00:10::/64", "fd00:10::/64", id="there is but one"),
    ],
)
def test_the_range_of_the_second_family(cidr, within, whole, of_it):
    assert twin(cidr, within, whole) == of_it


@pytest.mark.parametrize("wrong", ["fd00:10::/200", "fd00:10::1/48", "10.0.0.0/8", "banana"])
def test_what_is_no_ipv6_range(wrong):
    with pytest.raises(ValidationError, match="must be an IPv6 range"):
        TypeAdapter(Cidr6).validate_python(wrong)
