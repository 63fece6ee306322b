"""Clusters of EKS that were turned to Auto Mode half-way."""

# What the pack reports: a policy, the name of the resource, and the path of what is wrong with it.
# found: EKS013 half storageConfig.blockStorage.enabled
# found: EKS014 bootstrapped bootstrapSelfManagedAddons
# found: EKS014 mapped accessConfig.authenticationMode
# found: EKS092 roleless computeConfig.nodePools
# found: EKS070 old version
# found: EKS003 range kubernetesNetworkConfig.serviceIpv4Cidr
# found: PLT011 open vpcConfig.publicAccessCidrs[0]
# found: EKS010 same computeConfig.nodeRoleArn

import pulumi_aws as aws

SUBNETS = ["subnet-0a", "subnet-0b"]


def cluster(name: str, **arguments: object) -> aws.eks.Cluster:
    return aws.eks.Cluster(
        name,
        **{
            "name": name,
            "region": "eu-west-1",
            "version": "1.35",
            "role_arn": "arn:aws:iam::111122223333:role/cluster",
            "bootstrap_self_managed_addons": False,
            "access_config": {"authentication_mode": "API"},
            "compute_config": {"enabled": True, "node_pools": ["general-purpose"], "node_role_arn": "arn:aws:iam::111122223333:role/nodes"},
            "kubernetes_network_config": {"elastic_load_balancing": {"enabled": True}},
            "storage_config": {"block_storage": {"enabled": True}},
            "vpc_config": {"subnet_ids": SUBNETS},
            **arguments,
        },
    )


cluster("half", storage_config={"block_storage": {"enabled": False}})
cluster("bootstrapped", bootstrap_self_managed_addons=True)
cluster("mapped", access_config={"authentication_mode": "CONFIG_MAP"})
cluster("roleless", compute_config={"enabled": True, "node_pools": ["general-purpose"]})
cluster("old", version="1.33")
cluster("range", kubernetes_network_config={"elastic_load_balancing": {"enabled": True}, "service_ipv4_cidr": "10.0.0.0/8"})
cluster("open", vpc_config={"subnet_ids": SUBNETS, "public_access_cidrs": ["203.0.113/24"]})
cluster(
    "same",
    compute_config={"enabled": True, "node_pools": ["general-purpose"], "node_role_arn": "arn:aws:iam::111122223333:role/cluster"},
)
