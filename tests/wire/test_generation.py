"""A pool's name changes when, and only when, something changes that Azure cannot change in place."""

import re

import pulumi
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodepools import AksClusterArgs, ExistingAksNetwork, Spot, StackOutput, SystemPool, Taint, UserPool, derive
from nodepools.model.name_limits import cut, fingerprint
from nodepools.wire.aks.generation import generation, pool_name, subnet_name

BASE = AksClusterArgs(
    location="westeurope",
    kubernetes_version="1.35",
    system_pool=SystemPool(vm_size="x"),
    pools={"web": UserPool(vm_size="Standard_D2ds_v5")},
)


@pytest.mark.parametrize(
    "change",
    [
        {"vm_size": "Standard_D4ds_v5"},
        {"zones": [1]},
        {"os_disk_size_gb": 64},
        {"os_disk_type": "Managed"},
        {"max_pods": 30},
        {"vnet_subnet_id": "subnet"},
        {"vnet_subnet_id": StackOutput("org/network/prod", "subnet")},
        {"spot": Spot()},
        {"generation": "b"},
        {"overrides": {"kubelet_disk_type": "OS"}},
    ],
    ids=lambda change: next(iter(change)),
)
def test_what_is_fixed_changes_the_name(change: dict[str, object]) -> None:
    assert pool_name(derive(BASE, pools={"web": change}), "web") != pool_name(BASE, "web")


@pytest.mark.parametrize(
    "change",
    [
        {"count": 3},
        {"labels": {"tier": "web"}},
        {"taints": [Taint("a")]},
        {"tags": {"a": "b"}},
        {"kubernetes_version": "1.35"},
        {"os_sku": "AzureLinux"},
        {"overrides": {"enable_fips": True}},
    ],
    ids=lambda change: next(iter(change)),
)
def test_all_else_does_not(change: dict[str, object]) -> None:
    assert pool_name(derive(BASE, pools={"web": change}), "web") == pool_name(BASE, "web")


def test_the_subnet_is_fixed_too() -> None:
    own = derive(BASE, network={"pool_subnets": {"web": "10.224.64.0/24"}})
    existing = derive(BASE, network=ExistingAksNetwork(subnet_id="subnet"))
    assert len({generation(cluster, "web") for cluster in (BASE, own, existing)}) == 3
    assert subnet_name("web", "10.224.64.0/24") != subnet_name("web", "10.224.65.0/24")


@pytest.mark.usefixtures("loop")
def test_outputs_count_as_one() -> None:
    one, other = (derive(BASE, network=ExistingAksNetwork(subnet_id=pulumi.Output.from_input(text))) for text in "ab")
    assert generation(one, "web") == generation(other, "web")


@pytest.mark.usefixtures("loop")
def test_the_text_of_an_output_in_overrides_is_not_part_of_the_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pulumi's warning would be: the pool would rotate with another version of Pulumi."""
    outputs = (pulumi.Output.from_input(size) for size in (30, 31))
    one, other = (derive(BASE, pools={"web": {"overrides": {"gateway_profile": {"public_ip_prefix_size": size}}}}) for size in outputs)
    monkeypatch.setattr(pulumi.Output, "__str__", lambda _: pytest.fail("an Output has no text"))
    assert generation(one, "web") == generation(other, "web") != generation(BASE, "web")


@given(st.from_regex(r"[a-z][a-z0-9-]{0,40}", fullmatch=True))
def test_a_name_is_one_that_azure_takes(key: str) -> None:
    cluster = AksClusterArgs(location="x", kubernetes_version="1.35", system_pool=SystemPool(vm_size="x"), pools={key: UserPool(vm_size="x")})
    assert re.fullmatch(r"[a-z][a-z0-9]{0,11}", pool_name(cluster, key))


@given(st.text(max_size=99), st.integers(6, 99))
def test_cutting_keeps_what_is_short_and_bounds_what_is_long(name: str, longest: int) -> None:
    assert len(cut(name, longest)) <= longest
    assert cut(name, 99) == name
    assert cut(name, longest) == cut(name, longest)


@given(st.text(), st.text())
def test_fingerprints_depend_on_what_they_are_of(one: str, other: str) -> None:
    assert (fingerprint([one] * 3, 9) == fingerprint([other] * 3, 9)) is (one == other)
    assert re.fullmatch(r"[0-9a-z]{4}", fingerprint(one))
