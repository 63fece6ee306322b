"""A cluster in an existing VPC. Uses only the component, without a platform or stacks."""

import pulumi

from nodepools import AutoMode, EksCluster, EksClusterArgs, EksNodeClass, EksNodePool, ExistingEksNetwork, keys

config = pulumi.Config()
subnets: list[str] = config.require_object("privateSubnetIds")

cluster = EksCluster(
    "shop",
    EksClusterArgs(
        region="eu-west-1",
        kubernetes_version="1.35",
        network=ExistingEksNetwork(vpc_id=config.require("vpcId"), private_subnet_ids=subnets),
        auto_mode=AutoMode(
            built_in_node_pools=["system"],
            node_classes={"web": EksNodeClass(create_role=True, network_policy="DefaultDeny")},
            node_pools={
                "web": EksNodePool(
                    node_class="web",
                    requirements=[keys.eks.capacity_type.one_of("on-demand"), keys.eks.arch.one_of("amd64"), keys.eks.instance_category.one_of("m")],
                    limits={"cpu": 100},
                )
            },
        ),
    ),
)
pulumi.export("kubeconfig", cluster.kubeconfig)  # a secret
pulumi.export("pools", cluster.pools)
