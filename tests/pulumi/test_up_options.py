"""Options of `pulumi up` with which an update goes another way: a saved plan, and going on after a failure."""

from tests.pulumi.cloud_copies import Clouds

STACK = """from nodepools import *; from nodepools.aks import *; from nodepools.eks import *

PLATFORM = Platform(name="dev", clusters={{"weu": AksClusterArgs(
    location="westeurope", kubernetes_version="1.35", entra=None, protect=False,
    system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=3), {others}
)}})
"""
ROTATING = 'pools={{"web": UserPool(vm_size="{size}"), "jobs": UserPool(name="jobs", vm_size="Standard_D4ds_v5")}},'


def rotating(size: str) -> str:
    return STACK.format(others=ROTATING.format(size=size))


def test_a_pool_whose_successor_is_not_created_stays(empty_clouds: Clouds) -> None:
    assert not empty_clouds.up(rotating("Standard_D4ds_v5")).failed
    failed = empty_clouds.up(rotating("Standard_D96ds_v5"), "--continue-on-error")
    assert failed.failed
    assert [one.kind for one in failed.done if one.kind == "delete"] == []
    assert "Nothing is deleted" in failed.output
    mended = empty_clouds.up(rotating("Standard_D8ds_v5"))
    assert not mended.failed, mended.output
    assert [one.kind for one in mended.done] == ["create", "delete"]
    assert empty_clouds.up(rotating("Standard_D8ds_v5")).done == ()


def test_the_first_up_from_a_saved_plan_passes(empty_clouds: Clouds) -> None:
    stack = STACK.format(others='node_provisioning=NodeProvisioning(node_pools={"jobs": AksNodePool()}),')
    made = empty_clouds.up(stack, "--plan", empty_clouds.plan(stack))
    assert not made.failed, made.output
