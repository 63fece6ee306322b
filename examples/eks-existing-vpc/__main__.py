"""A cluster in an existing VPC. Uses only the component, without a platform or stacks."""

import pulumi

from nodepools import (
    ApiServer,
    AutoMode,
    EksCluster,
    EksClusterArgs,
    EksNodeClass,
    EksNodePool,
    ExistingEksNetwork,
    keys,
)
from nodepools.eks import LogGroup, PodIdentity

config = pulumi.Config()
subnets: list[str] = config.require_object("privateSubnetIds")
key = config.require("keyArn")  # its policy allows CloudWatch Logs to use it

cluster = EksCluster(
    "shop",
    EksClusterArgs(
        region="eu-west-1",
        kubernetes_version="1.35",
        network=ExistingEksNetwork(vpc_id=config.require("vpcId"), private_subnet_ids=subnets),
        api_server=ApiServer(authorized_ip_ranges=["203.0.113.0/24"]),  # and from the VPC
        secrets_key=key,
        logs=LogGroup(retention_days=365, kms_key=key, keep=True),
        deletion_protection=True,
        pod_identities={"shop": PodIdentity(namespace="shop", service_account="shop", policies=["AmazonS3ReadOnlyAccess"])},
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
pulumi.export("securityGroup", cluster.cluster_security_group)  # for databases that let the nodes in
