"""Groups of requirements to add to a pool's own: `[*presets.eks_general_purpose, keys.eks.instance_cpu.less_than(33)]`."""

from typing import Final

from nodepools.keys import aks, eks

eks_general_purpose: Final = (
    eks.capacity_type.one_of("on-demand"),
    eks.arch.one_of("amd64"),
    eks.instance_category.one_of("c", "m", "r"),
    eks.instance_generation.more_than(4),
)
"""The requirements of the built-in `general-purpose` pool of EKS Auto Mode."""
eks_private_endpoints: Final = ("ec2", "ecr.api", "ecr.dkr", "eks", "eks-auth", "elasticloadbalancing", "logs", "s3", "sts")
"""VPC endpoints of a cluster without internet access: those that the EKS user guide lists (private-clusters, 2026-01) for nodes, images, pod
identities, load balancers and logs. AWS publishes no list for Auto Mode alone. Images must be in ECR, and Route 53 has no endpoint."""
aks_general_purpose: Final = (aks.capacity_type.one_of("on-demand"), aks.arch.one_of("amd64"), aks.os.one_of("linux"), aks.sku_family.one_of("D"))
"""The requirements of the built-in `default` pool of AKS node auto provisioning."""
