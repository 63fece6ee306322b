"""The first system pool: what cannot be sent with its cluster."""

import pytest

from nodepools import Autoscale, SystemPool, UserPool, derive
from nodepools.model.base import Model
from nodepools.rules.engine.samples import SIZE, aks

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
        pytest.param(aks(system_pool={"count": None, "scale": Autoscale(3, 5)}), [], id="it is autoscaled"),
        pytest.param(aks(system_pool={"scale": Autoscale(3, 5)}), [], id="it is autoscaled, from a declared count"),
    ],
)
def test_the_first_system_pool(declared: Model, found: list[str], judged) -> None:
    assert judged(declared) == found


def test_the_fix_leaves_nothing_to_say(judged) -> None:
    broken = aks(system_pool={"kubernetes_version": "1.36"})
    assert len(judged(broken)) == 1
    assert judged(derive(broken, {"system_pool": {"kubernetes_version": None}})) == []
