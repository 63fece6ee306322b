"""Small valid declarations without findings, which the samples of rules change in one place."""

from collections.abc import Mapping

from nodepools.model.access import ApiServer
from nodepools.model.aks.agent_pool import SystemPool, UserPool
from nodepools.model.aks.cluster import AksClusterArgs, AksNodePool, NodeProvisioning
from nodepools.model.derive import derive
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.eks.ec2_node_class import Ec2NodeClass, SelfManagedKarpenter
from nodepools.model.eks.node_class import AutoMode, EksNodeClass, EksNodePool
from nodepools.model.karpenter import NodePool, Requirement
from nodepools.model.platform import AnyCluster, Platform

SIZE = "Standard_D4ds_v5"
_PROVIDERS = "/subscriptions/s/resourceGroups/g/providers"
SUBNET = f"{_PROVIDERS}/Microsoft.Network/virtualNetworks/v/subnets/nodes"
PODS = f"{_PROVIDERS}/Microsoft.Network/virtualNetworks/v/subnets/pods"
NEAR = f"{_PROVIDERS}/Microsoft.Compute/proximityPlacementGroups/near"
RESERVED = f"{_PROVIDERS}/Microsoft.Compute/capacityReservationGroups/r"
ADDRESS = f"{_PROVIDERS}/Microsoft.Network/publicIPAddresses/ip"
PREFIX = f"{_PROVIDERS}/Microsoft.Network/publicIPPrefixes/p"
"""Ids of resources of Azure: subnets, a proximity placement group, a group of reservations, an address, and a prefix of addresses."""
OFFICE_API_SERVER = ApiServer(authorized_ip_ranges=["203.0.113.0/24"])
ON_DEMAND = Requirement("karpenter.sh/capacity-type", "In", ["on-demand"])
AMD64 = Requirement("kubernetes.io/arch", "In", ["amd64"])
AMD64_ON_DEMAND = (ON_DEMAND, AMD64)
LIMITS_AND_EXPIRY: Mapping[str, object] = {"expire_after": "720h", "limits": {"cpu": "100"}}
"""Settings without which a NodePool of node auto provisioning has findings."""
KEPT_A_WHILE: Mapping[str, object] = {"disruption": {"consolidate_after": "10m"}}
"""Settings without which a NodePool of reserved nodes or of accelerators has a finding."""
NIGHTLY: Mapping[str, object] = {"schedule": {"kind": "WeeklySchedule", "day_of_week": "Sunday"}}
NIGHTLY_MAINTENANCE: Mapping[str, object] = {"node_images": NIGHTLY}
"""Parts of samples are plain data: a check makes no sample, and an object here would compile the validator of its class."""


def aks(**changes: object) -> AksClusterArgs:
    """An AKS cluster with a system pool and a pool for applications."""
    valid = AksClusterArgs(
        location="westeurope",
        kubernetes_version="1.36",
        system_pool=SystemPool(vm_size=SIZE, count=3),
        pools={"web": UserPool(vm_size=SIZE)},
        api_server=OFFICE_API_SERVER,
    )
    return derive(valid, changes)


def with_pool_of(version: str) -> AksClusterArgs:
    """A cluster with a pool of an older version, which long-term support covers."""
    pool = UserPool(vm_size=SIZE, kubernetes_version=version, os_sku="AzureLinux")
    return aks(pools={"web": pool}, tier="Premium", support_plan="AKSLongTermSupport")


def eks(**changes: object) -> EksClusterArgs:
    """An EKS cluster with both built-in NodePools."""
    return derive(EksClusterArgs(region="us-east-1", kubernetes_version="1.36", api_server=OFFICE_API_SERVER), changes)


def platform(**clusters: AnyCluster) -> Platform:
    """A platform of these clusters."""
    return Platform(name="dev", clusters=clusters)


def eks_pool(*requirements: Requirement, **fields: object) -> EksNodePool:
    """A NodePool of EKS Auto Mode, with `requirements` in addition to those that every NodePool should have."""
    return EksNodePool.model_validate({"requirements": [*AMD64_ON_DEMAND, *requirements], **fields})


def aks_pool(*requirements: Requirement, **fields: object) -> AksNodePool:
    """A NodePool of node auto provisioning, with `requirements` in addition to those that every NodePool should have."""
    return AksNodePool.model_validate({"requirements": [*AMD64_ON_DEMAND, *requirements], **LIMITS_AND_EXPIRY, **fields})


def ec2_class(**changes: object) -> Ec2NodeClass:
    """An EC2NodeClass of self-managed Karpenter."""
    term = {"tags": {"karpenter.sh/discovery": "web"}}
    valid = {"role": "nodes", "ami_terms": [{"alias": "al2023@v20260801"}], "subnets": [term], "security_groups": [term]}
    return Ec2NodeClass.model_validate({**valid, **changes})


def self_managed(*added: Requirement, node_class: str | None = None, cpu: str = "512") -> SelfManagedKarpenter:
    """Self-managed Karpenter with a NodePool that has these requirements, too."""
    pool = NodePool(requirements=[*AMD64_ON_DEMAND, *added], expire_after="720h", node_class=node_class, limits={"cpu": cpu})
    return SelfManagedKarpenter(node_pools={"web": pool})


def auto_mode(pools: Mapping[str, EksNodePool] | None = None, classes: Mapping[str, EksNodeClass] | None = None, **fields: object) -> EksClusterArgs:
    """An EKS cluster with these NodePools and NodeClasses."""
    return eks(auto_mode=AutoMode.model_validate({"node_pools": pools or {}, "node_classes": classes or {}, **fields}))


def provisioning(pools: Mapping[str, AksNodePool] | None = None, **fields: object) -> AksClusterArgs:
    """An AKS cluster with node auto provisioning and these NodePools; node images are upgraded in a window."""
    auto = NodeProvisioning.model_validate({"node_pools": pools or {}, **fields})
    return aks(maintenance_configurations=NIGHTLY_MAINTENANCE, node_provisioning=auto)
