"""What an editor accepts: nothing here is underlined."""

from collections.abc import Callable
from typing import assert_type

import pulumi

from nodepools import (
    AksClusterArgs,
    AksNodePool,
    AutoMode,
    Autoscale,
    EksClusterArgs,
    EksNodePool,
    ExistingAksNetwork,
    Finding,
    NodeProvisioning,
    Platform,
    Requirement,
    Severity,
    Spot,
    StackOutput,
    SystemPool,
    Taint,
    UnreadableError,
    UserPool,
    check,
    derive,
    keys,
    load_file,
    pack,
    partial,
)
from nodepools.keys import presets

network = pulumi.StackReference("org/network/prod")
subnet: pulumi.Output[str] = network.require_output("subnet").apply(str)

pools = {f"web{number}": UserPool(vm_size="Standard_D2ds_v5", scale=Autoscale(1, 5)) for number in range(3)}
cluster = AksClusterArgs(
    location="westeurope",
    kubernetes_version="1.35",
    system_pool=SystemPool(
        vm_size="Standard_D4ds_v5", count=2, zones=[1, 2], taints=(Taint("a", "b", "PreferNoSchedule"), Taint.parse("c:PreferNoSchedule"))
    ),
    pools={**pools, "batch": UserPool(vm_size="Standard_D2ds_v5", spot=Spot(max_price=0.5), vnet_subnet_id=subnet)},
    node_provisioning=NodeProvisioning(node_pools={"general": AksNodePool(requirements=[*presets.aks_general_purpose, keys.aks.sku_cpu.one_of(8)])}),
    network=ExistingAksNetwork(subnet_id=StackOutput("org/network/prod", "subnet")),
    overrides={"support_plan": "AKSLongTermSupport"},
)
auto = EksClusterArgs(
    region="us-east-1",
    kubernetes_version="1.35",
    auto_mode=AutoMode(
        built_in_node_pools=["system"],
        node_pools={
            "compute": EksNodePool(
                weight=20,
                limits={"cpu": 200, "memory": "10Gi"},
                requirements=[
                    keys.eks.capacity_type.one_of("spot", "on-demand", min_values=1),
                    keys.eks.instance_memory.more_than("16Gi"),
                    keys.label("team").one_of("ml"),
                    Requirement("team", "NotIn", ["web"]),
                ],
            )
        },
    ),
)
platform = Platform(name="dev", clusters={"weu": cluster, "use1": auto})

assert_type(keys.eks.instance_cpu.one_of(2, 4), Requirement)
assert_type(derive(platform, name="prod"), Platform)
assert_type(check(platform), list[Finding])
assert_type(platform.pool("weu/batch").scheduling(), dict[str, object])
assert_type([finding for finding in check(load_file("platform.yaml")) if finding.severity is Severity.ERROR], list[Finding])
unreadable: type[Exception] = UnreadableError
serve: Callable[[], None] = pack.serve

ADDRESSES: dict[str, partial.PartialAksClusterArgs] = {"weu": {"network": {"cidr": "10.80.0.0/16"}}}
WEB = partial.UserPool(zones=[1], spot=None, scale={"max": 5}, labels={"tier": None}, vnet_subnet_id=subnet)
larger = derive(
    Platform(name="dev", clusters={"weu": cluster}),
    {"name": "prod", "tags": {"team": None}},
    clusters={
        **ADDRESSES,
        "weu": partial.AksClusterArgs(protect=True) | partial.AksClusterArgs(pools={"web": WEB, "batch": None, "new": UserPool(vm_size="x")}),
        "use1": {"auto_mode": {"node_pools": {"web": {"limits": {"cpu": 9}}}}},
        "old": None,
    },
)
assert_type(larger, Platform)
assert_type(derive(pools["web0"], zones=[1, 2], scale=Autoscale(1, 2), upgrade={"max_surge": "33%"}), UserPool)
either = derive(larger.clusters["weu"], kubernetes_version="1.36", tags={"team": None})
