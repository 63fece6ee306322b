"""Two clusters, of which it matters how they are kept up and who reaches them."""

# What the pack reports: a policy, the name of the resource, and the path of what is wrong with it.
# found: AKS064 kept supportPlan
# found: AKS066 kept kubernetesVersion
# found: AKS067 kept autoUpgradeProfile.upgradeChannel
# found: PLT011 kept apiServerAccessProfile.authorizedIPRanges[0]
# found: AKS068 free autoUpgradeProfile.nodeOSUpgradeChannel
# found: AKS078 free sku.tier
# found: PLT012 free apiServerAccessProfile.authorizedIPRanges

from pulumi_azure_native import containerservice

for name, arguments in {
    "kept": {
        "kubernetes_version": "1.35.2",
        "sku": {"name": "Base", "tier": "Standard"},
        "support_plan": "AKSLongTermSupport",
        "auto_upgrade_profile": {"upgrade_channel": "stable"},
        "api_server_access_profile": {"authorized_ip_ranges": ["203.0.113/24"]},
    },
    "free": {
        "kubernetes_version": "1.35",
        "sku": {"name": "Base", "tier": "Free"},
        "auto_upgrade_profile": {"upgrade_channel": "node-image", "node_os_upgrade_channel": "None"},
        "api_server_access_profile": {"enable_private_cluster": True, "authorized_ip_ranges": ["203.0.113.0/24"]},
    },
}.items():
    containerservice.ManagedCluster(
        name,
        resource_group_name="platform",
        location="westeurope",
        dns_prefix=name,
        identity={"type": containerservice.ResourceIdentityType.SYSTEM_ASSIGNED},
        aad_profile={"managed": True, "enable_azure_rbac": True},
        disable_local_accounts=True,
        network_profile={"network_plugin": "azure", "network_plugin_mode": "overlay"},
        agent_pool_profiles=[
            {"name": "system", "mode": "System", "vm_size": "Standard_D4ds_v5", "count": 3, "type": "VirtualMachineScaleSets"},
            {
                "name": "web",
                "mode": "User",
                "vm_size": "Standard_D4ds_v5",
                "enable_auto_scaling": True,
                "min_count": 1,
                "max_count": 20,
                "count": 1,
                "type": "VirtualMachineScaleSets",
            },
        ],
        **arguments,
    )
