"""The first system pool: what cannot be sent with its cluster, and what is sent again."""

import pytest

from nodepools import Autoscale, SystemPool, UserPool, check, derive
from nodepools.model.base import Model
from nodepools.rules.samples import SIZE, aks

ANOTHER = SystemPool(vm_size=SIZE, scale=Autoscale(2, 5))


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(aks(), [], id="it has no version, and a fixed size"),
        pytest.param(aks(system_pool={"kubernetes_version": "1.36"}), ["AKS120 system_pool.kubernetes_version"], id="the version of its cluster"),
        pytest.param(aks(system_pool={"kubernetes_version": "1.35"}), ["AKS120 system_pool.kubernetes_version"], id="an older one"),
        pytest.param(
            aks(system_pool={"kubernetes_version": "1.37"}),
            ["AKS060 system_pool.kubernetes_version", "AKS120 system_pool.kubernetes_version"],
            id="a newer one",
        ),
        pytest.param(aks(pools={"web": UserPool(vm_size=SIZE, kubernetes_version="1.35")}), [], id="a pool of its own may have a version"),
        pytest.param(aks(pools={"more": derive(ANOTHER, kubernetes_version="1.35")}), [], id="a further system pool too"),
        pytest.param(aks(system_pool={"count": None, "scale": Autoscale(3, 5)}), ["AKS121 system_pool.scale"], id="it is autoscaled"),
        pytest.param(aks(system_pool={"scale": Autoscale(3, 5)}), ["AKS121 system_pool.scale"], id="it is autoscaled, from a declared count"),
    ],
)
def test_the_first_system_pool(declared: Model, found: list[str], judged) -> None:
    assert judged(declared) == found


def test_the_count_that_is_sent_again_is_told() -> None:
    told = {
        pool: [finding.message for finding in check(aks(system_pool=pool)) if finding.code == "AKS121"]
        for pool in (ANOTHER, derive(ANOTHER, count=4))
    }
    assert ["`system_pool.count` (2)" in message for message in told[ANOTHER]] == [True]
    assert ["`system_pool.count` (4)" in message for message in told[derive(ANOTHER, count=4)]] == [True]


@pytest.mark.parametrize(
    ("broken", "fixed"),
    [
        pytest.param({"kubernetes_version": "1.36"}, {"system_pool": {"kubernetes_version": None}}, id="AKS120"),
        pytest.param(
            {"count": None, "scale": Autoscale(3, 5)},
            {"system_pool": {"count": 3, "scale": None}, "pools": {"system2": SystemPool(vm_size=SIZE, scale=Autoscale(3, 5))}},
            id="AKS121",
        ),
    ],
)
def test_the_fix_leaves_nothing_to_say(broken: dict[str, object], fixed: dict[str, object], judged) -> None:
    assert len(judged(aks(system_pool=broken))) == 1
    assert judged(derive(aks(system_pool=broken), fixed)) == []
