"""Parts of fixes that few declarations need."""

from nodepools import UserPool
from nodepools.rules.aks.subnets import _without_allocation
from nodepools.rules.engine.finding import PYTHON, literal_in
from nodepools.rules.engine.samples import SIZE, aks


def test_allocation_goes_with_the_pod_subnet() -> None:
    cluster = aks(system_pool={"pod_ip_allocation": "StaticBlock"}, pools={"web": UserPool(vm_size=SIZE, pod_ip_allocation="StaticBlock")})
    assert [one.path for one in _without_allocation(cluster)] == [("system_pool", "pod_ip_allocation"), ("pools", "web", "pod_ip_allocation")]


def test_a_list_is_spelled() -> None:
    assert literal_in([True], PYTHON) == "[True]"
