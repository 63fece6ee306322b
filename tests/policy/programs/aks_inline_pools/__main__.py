"""A cluster with its pools inside, as quickstarts have it."""

# What the pack reports: a policy, the name of the resource, and the path of what is wrong with it.
# found: AKS062 shop aadProfile.managed
# found: AKS070 shop kubernetesVersion
# found: AKS013 shop agentPoolProfiles[0]
# found: AKS014 shop agentPoolProfiles[0].nodeTaints[0]
# found: AKS018 shop agentPoolProfiles[0].vmSize
# found: AKS047 shop agentPoolProfiles[0].vmSize
# found: AKS011 shop agentPoolProfiles[1].count
# found: AKS021 shop agentPoolProfiles[1].nodeLabels["kubernetes.azure.com/mode"]
# found: AKS022 shop agentPoolProfiles[1].nodeLabels["node-role.kubernetes.io/worker"]
# found: AKS025 shop agentPoolProfiles[1].nodeLabels.agentpool
# found: AKS016 shop agentPoolProfiles[2].spotMaxPrice
# found: AKS017 shop agentPoolProfiles[2].scaleSetPriority
# found: AKS019 shop agentPoolProfiles[2].upgradeSettings.maxSurge
# found: AKS030 shop agentPoolProfiles[2].scaleSetEvictionPolicy
# found: AKS338 shop agentPoolProfiles[2].scaleSetEvictionPolicy

import pulumi
from pulumi_azure_native import containerservice, resources

group = resources.ResourceGroup("shop", location="westeurope")

cluster = containerservice.ManagedCluster(
    "shop",
    resource_group_name=group.name,
    location="westeurope",
    dns_prefix="shop",
    kubernetes_version="1.33",
    identity={"type": containerservice.ResourceIdentityType.SYSTEM_ASSIGNED},
    sku={"name": "Base", "tier": "Standard"},
    network_profile={"network_plugin": "azure", "network_plugin_mode": "overlay"},
    agent_pool_profiles=[
        {
            "name": "system",
            "mode": "System",
            "vm_size": "Standard_B2ms",
            "count": 1,
            "os_type": "Linux",
            "type": "VirtualMachineScaleSets",
            "node_taints": ["dedicated=system:NoSchedule"],
        },
        {
            "name": "web",
            "mode": "User",
            "vm_size": "Standard_D4ds_v5",
            "enable_auto_scaling": True,
            "min_count": 1,
            "max_count": 5,
            "count": 9,
            "type": "VirtualMachineScaleSets",
            "node_labels": {"kubernetes.azure.com/mode": "user", "node-role.kubernetes.io/worker": "true", "agentpool": "web"},
        },
        {
            "name": "batch",
            "mode": "User",
            "vm_size": "Standard_D4ds_v5",
            "count": 3,
            "type": "VirtualMachineScaleSets",
            "scale_set_priority": "Spot",
            "scale_set_eviction_policy": "Deallocate",
            "spot_max_price": 0,
            "upgrade_settings": {"max_surge": "1"},
        },
    ],
)

pulumi.export("cluster", cluster.name)
