"""A cluster in the network of another stack."""

from nodepools import AksClusterArgs, Autoscale, ExistingAksNetwork, Platform, StackOutput, SystemPool, UserPool

NETWORK = "acme/network/prod"

# Without `baseline="cis"`: the example is about three stacks. docs/security-baseline.md lists what production needs.
PLATFORM = Platform(
    name="prod",
    clusters={
        "weu": AksClusterArgs(
            location="westeurope",
            kubernetes_version="1.35",
            network=ExistingAksNetwork(subnet_id=StackOutput(NETWORK, "node_subnet_id"), cidr="10.60.0.0/16"),
            system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=3),
            pools={"web": UserPool(vm_size="Standard_D4ds_v5", scale=Autoscale(2, 10))},
        )
    },
)
