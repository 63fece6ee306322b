"""StaticGatewayConfigurations of a gateway pool: created, unchanged by a second run, updated, refreshed and destroyed."""

from tests.pulumi.cloud_copies import Clouds

STACK = """from nodepools import *; from nodepools.aks import *; from nodepools.eks import *

PREFIX = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/net/providers/Microsoft.Network/publicIPPrefixes/fixed"
PLATFORM = Platform(name="dev", clusters={{"weu": AksClusterArgs(
    location="westeurope", kubernetes_version="1.35", entra=Entra(deployer_is_admin=False), protect=False,
    system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=2), network_profile={{"static_egress_gateway": True}},
    pools={{"out": UserPool(vm_size={size!r}, count=2, gateway_prefix_size=31, egress_configurations={{
        "fixed": EgressConfiguration({namespace!r}, exclude={exclude!r}, prefix_id=PREFIX),
    }})}},
)}})
"""


def stack(*, size: str = "Standard_D4ds_v5", exclude: tuple[str, ...] = (), namespace: str = "default") -> str:
    return STACK.format(size=size, exclude=list(exclude), namespace=namespace)


def test_configurations_follow_their_pool(empty_clouds: Clouds) -> None:
    made = empty_clouds.up(stack())
    assert not made.failed, made.output
    assert empty_clouds.up(stack()).done == ()
    edited = [str(one) for one in empty_clouds.up(stack(exclude=("10.0.0.0/8",))).done]
    assert edited == ["update StaticGatewayConfiguration/dev-weu-default.fixed"]
    rotated = [str(one).partition("/")[0] for one in empty_clouds.up(stack(size="Standard_D8ds_v5", exclude=("10.0.0.0/8",))).done]
    assert sorted(rotated) == ["create AgentPool", "delete AgentPool", "update StaticGatewayConfiguration"]
    assert rotated.index("update StaticGatewayConfiguration") < rotated.index("delete AgentPool"), "its gateway is there before the old one goes"
    empty_clouds.refresh()  # Azure lists every pool in the cluster: it is updated once, as documented
    assert [str(one) for one in empty_clouds.up(stack(size="Standard_D8ds_v5", exclude=("10.0.0.0/8",))).done] == ["update ManagedCluster/dev-weu"]
    assert empty_clouds.up(stack(size="Standard_D8ds_v5", exclude=("10.0.0.0/8",))).done == ()
    empty_clouds.destroy()


def test_a_namespace_has_to_exist(empty_clouds: Clouds) -> None:
    made = empty_clouds.up(stack(namespace="shop"))
    assert made.failed == {"StaticGatewayConfiguration/dev-weu-shop.fixed"}
    assert not empty_clouds.up(stack()).failed, "the stack goes on from there"
    empty_clouds.destroy()
