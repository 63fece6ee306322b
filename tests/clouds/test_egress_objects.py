"""StaticGatewayConfigurations of gateway pools, as objects."""

from nodepools import GpuPool, UserPool
from nodepools.aks import EgressConfiguration
from nodepools.clouds.registry import cloud_of
from nodepools.rules.engine.samples import SIZE, aks
from nodepools.wire.aks.generation import pool_name

PREFIX = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/net/providers/Microsoft.Network/publicIPPrefixes/fixed"


def test_each_names_its_pool_and_only_what_is_declared() -> None:
    declared = {"fixed": EgressConfiguration("shop", exclude=["10.0.0.0/8"], prefix_id=PREFIX), "any": EgressConfiguration("other")}
    gateways = UserPool(vm_size=SIZE, count=2, gateway_prefix_size=31, egress_configurations=declared)
    cluster = aks(pools={"out": gateways, "train": GpuPool(vm_size="Standard_NC24ads_A100_v4", count=1)}, device_plugin=None)
    name = pool_name(cluster, "out")
    fixed, other = cloud_of(cluster).objects("dev-weu", lambda ref: f"resolved {ref}")
    assert (fixed["apiVersion"], fixed["kind"]) == ("egressgateway.kubernetes.azure.com/v1alpha1", "StaticGatewayConfiguration")
    assert fixed["metadata"] == {"name": "fixed", "namespace": "shop"}
    assert fixed["spec"] == {"gatewayNodepoolName": name, "excludeCidrs": ["10.0.0.0/8"], "publicIpPrefixId": f"resolved {PREFIX}"}
    assert (other["metadata"], other["spec"]) == ({"name": "any", "namespace": "other"}, {"gatewayNodepoolName": name})
    assert cluster.has_objects
