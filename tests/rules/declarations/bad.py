"""A platform with ten and more findings of shape, as people make them."""

from nodepools import (
    AksClusterArgs,
    AksNodePool,
    AutoMode,
    Autoscale,
    EksClusterArgs,
    EksNodePool,
    GpuPool,
    Platform,
    Spot,
    SpotPool,
    SystemPool,
    Taint,
    UserPool,
    keys,
)

PLATFORM = Platform(
    name="bad",
    clusters={
        "weu": AksClusterArgs(
            location="westeurope",
            kubernetes_version=1.34,
            system_pool=SystemPool(vm_sze="Standard_D4ds_v5", count="three", zones=(1, 2, 4), taints=["nonsense", Taint("a", "b", "Noschedule")]),
            pools={
                "web": UserPool(vm_size="Standard_D8ds_v5", scale=Autoscale(2), labels={"tier": True}),
                "user": UserPool(vm_size="x", scale=Autoscale(2, "x")),
                "train": GpuPool(vm_size="x", spot=Spot(eviction="delete")),
                "batch": SpotPool(vm_size="Standard_D8ds_v5", scale=Autoscale(0, 10)),
                "np": AksNodePool(weight=10),
                "raw": {"kind": "UserPol", "vm_size": "x"},
                "raw2": {"vm_size": "x"},
            },
        ),
        "use1": EksClusterArgs(
            kubernetes_version="1.35",
            auto_mode=AutoMode(
                built_in_node_pools=("system"),
                node_pools={
                    "compute": EksNodePool(
                        node_class="private",
                        weight=200,
                        limits={"cpu": 2.5},
                        requirements=[
                            keys.eks.capacity_type.one_of("spot", min_values=99),
                            keys.eks.instance_memory.more_than("16GB"),
                            "x",
                        ],
                    ),
                },
            ),
        ),
    },
)
