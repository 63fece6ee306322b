"""Development: small sizes that fit the default quotas of a new subscription and a new account."""

from nodepools import (
    AksClusterArgs,
    AksNetworkArgs,
    AksNodePool,
    AutoMode,
    Autoscale,
    EksClusterArgs,
    EksNetworkArgs,
    EksNodeClass,
    EksNodePool,
    NodeProvisioning,
    Platform,
    Spot,
    SystemPool,
    UserPool,
    Weekly,
    keys,
)

# Without `baseline="cis"`: development has no data to protect. `prod` has it.
PLATFORM = Platform(
    name="dev",
    protect=False,  # `pulumi destroy` can delete it; `staging` and `prod` are protected
    maintenance=Weekly(days="sun", start="02:00", hours=6, tz="Europe/Paris"),  # without it, nodes can be replaced at any time
    clusters={
        "weu": AksClusterArgs(
            location="westeurope",
            kubernetes_version="1.35",
            network=AksNetworkArgs(cidr="10.10.0.0/16"),
            system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=2, zones=[1, 2]),  # tainted CriticalAddonsOnly by default
            pools={
                "web": UserPool(vm_size="Standard_D2ds_v5", scale=Autoscale(1, 5), labels={"tier": "web"}),
                "batch": UserPool(vm_size="Standard_D2ds_v5", scale=Autoscale(0, 10), spot=Spot()),  # adds the spot label and taint
            },
        ),
        "neu": AksClusterArgs(
            location="northeurope",
            kubernetes_version="1.35",
            network=AksNetworkArgs(cidr="10.20.0.0/16"),
            system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=2),
            node_provisioning=NodeProvisioning(  # NAP: node_provisioning_profile.mode = Auto
                node_pools={
                    "general": AksNodePool(
                        weight=10,
                        requirements=[
                            keys.aks.arch.one_of("amd64"),
                            keys.aks.capacity_type.one_of("on-demand"),
                            keys.aks.sku_family.one_of("D"),
                            keys.aks.sku_cpu.one_of(8),
                        ],
                    ),
                },
            ),
        ),
        "use1": EksClusterArgs(
            region="us-east-1",
            kubernetes_version="1.35",
            network=EksNetworkArgs(cidr="10.30.0.0/16", nat="single"),
            maintenance=Weekly(days="sun", start="02:00", hours=6, tz="America/New_York"),  # overrides the window of the platform
            auto_mode=AutoMode(
                built_in_node_pools=["system"],
                node_classes={"private": EksNodeClass(ephemeral_storage="100Gi")},
                node_pools={
                    "compute": EksNodePool(
                        node_class="private",
                        weight=20,
                        limits={"cpu": 200},
                        requirements=[
                            keys.eks.capacity_type.one_of("spot", "on-demand"),
                            keys.eks.instance_category.one_of("c", "m", "r"),
                            keys.eks.instance_cpu.one_of(2, 4, 8),
                            keys.eks.arch.one_of("amd64"),
                        ],
                    ),
                },
            ),
        ),
    },
)
