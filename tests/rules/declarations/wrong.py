"""A platform of sound shape that the clouds would refuse in ten places."""

from nodepools import (
    AksClusterArgs,
    AksNetworkArgs,
    AksNodePool,
    AutoMode,
    Autoscale,
    Budget,
    Disruption,
    EksClusterArgs,
    EksNodeClass,
    EksNodePool,
    NodeProvisioning,
    Platform,
    Requirement,
    SystemPool,
    Taint,
    UserPool,
    keys,
)

PLATFORM = Platform(
    name="wrong",
    clusters={
        "weu": AksClusterArgs(
            location="westeurope",
            kubernetes_version="1.35",
            network=AksNetworkArgs(pool_subnets={"web": "10.99.0.0/24"}),
            system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=2, taints=["dedicated=system:NoSchedule"]),
            pools={
                "web": UserPool(vm_size="Standard_D2ds_v5", scale=Autoscale(9, 3), labels={"kubernetes.azure.com/tier": "web"}),
                "Batch_1": UserPool(vm_size="Standard_D2ds_v5"),
            },
            node_provisioning=NodeProvisioning(
                node_pools={"default": AksNodePool(requirements=[keys.aks.capacity_type.one_of("spot"), keys.aks.arch.one_of("amd64")])},
            ),
        ),
        "use1": EksClusterArgs(
            region="us-east-1",
            kubernetes_version="1.35",
            auto_mode=AutoMode(
                built_in_node_pools=[],
                node_classes={"private": EksNodeClass(role="arn:aws:iam::111122223333:role/node")},
                node_pools={
                    "compute": EksNodePool(
                        node_class="privat",
                        expire_after="720h",
                        taints=[Taint("team", "ml"), Taint("team", "web")],
                        disruption=Disruption(budgets=[Budget(nodes="0", schedule="0 9 * * 7", duration="8h")]),
                        requirements=[
                            keys.eks.arch.one_of("amd64"),
                            Requirement("karpenter.sh/capacity-type", "In", ["ondemand"]),
                            Requirement("karpenter.k8s.aws/instance-cpu", "In", ["4"]),
                        ],
                    ),
                },
            ),
        ),
    },
)
