"""Node auto provisioning: two NodePools in addition to the built-in ones, with overlay networking and Cilium."""

from nodepools import (
    AksClusterArgs,
    AksNetworkArgs,
    AksNodePool,
    NodeProvisioning,
    Platform,
    SystemPool,
    Weekly,
    keys,
)

# Without `baseline="cis"`: the example is about NodePools. docs/security-baseline.md lists what production needs.
PLATFORM = Platform(
    name="dev",
    protect=False,  # an example to try and to destroy
    clusters={
        "nap": AksClusterArgs(
            location="westeurope",
            kubernetes_version="1.35",
            network=AksNetworkArgs(cidr="10.50.0.0/16"),
            system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=3),  # tainted: application pods go to nodes that Karpenter launches
            maintenance=Weekly(days="sun", start="02:00", hours=5, tz="Europe/Amsterdam"),
            node_provisioning=NodeProvisioning(
                node_pools={
                    "my-node": AksNodePool(
                        weight=10,
                        requirements=[keys.aks.capacity_type.one_of("on-demand"), keys.aks.arch.one_of("amd64"), keys.aks.sku_cpu.one_of(8)],
                    ),
                    # `check` warns here on purpose: the NodePool can launch spot nodes, and arm64 nodes.
                    "my-node-comp": AksNodePool(requirements=[keys.aks.sku_memory.one_of("128Gi")]),
                },
            ),
        ),
    },
)
