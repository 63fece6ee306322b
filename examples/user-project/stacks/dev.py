"""Development: one small cluster, with workers on spot capacity."""

from nodepools import AksClusterArgs, AksNetworkArgs, Autoscale, Platform, Spot, SystemPool, UserPool

# Without `baseline="cis"`: development has no data to protect.
PLATFORM = Platform(
    name="dev",
    protect=False,  # `pulumi destroy` can delete it
    tags={"team": "payments"},
    clusters={
        "weu": AksClusterArgs(
            location="westeurope",
            kubernetes_version="1.35",
            network=AksNetworkArgs(cidr="10.70.0.0/16"),
            system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=2),
            pools={
                "web": UserPool(vm_size="Standard_D2ds_v5", scale=Autoscale(1, 3)),
                "worker": UserPool(vm_size="Standard_D2ds_v5", scale=Autoscale(0, 4), spot=Spot()),
            },
        ),
    },
)
