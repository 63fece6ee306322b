"""Windows and GPU nodes beside each other."""

# What the pack reports: a policy, the name of the resource, and the path of what is wrong with it.
# found: AKS094 render agentPoolProfiles[2].vmSize
# found: AKS146 render agentPoolProfiles[2].nodeTaints
# found: AKS080 render agentPoolProfiles[3].gpuInstanceProfile
# found: AKS082 render agentPoolProfiles[3].nodeTaints
# found: AKS086 render agentPoolProfiles[4].securityProfile.enableSecureBoot

from pulumi_azure_native import containerservice

cluster = containerservice.ManagedCluster(
    "render",
    resource_group_name="render",
    location="westeurope",
    dns_prefix="render",
    kubernetes_version="1.35",
    identity={"type": containerservice.ResourceIdentityType.SYSTEM_ASSIGNED},
    aad_profile={"managed": True, "enable_azure_rbac": True},
    disable_local_accounts=True,
    sku={"name": "Base", "tier": "Standard"},
    network_profile={"network_plugin": "azure", "network_plugin_mode": "overlay"},
    agent_pool_profiles=[
        {"name": "system", "mode": "System", "vm_size": "Standard_D4ds_v5", "count": 3, "type": "VirtualMachineScaleSets"},
        {"name": "web", "mode": "User", "vm_size": "Standard_D4ds_v5", "count": 2, "type": "VirtualMachineScaleSets"},
        {
            "name": "win",
            "mode": "User",
            "vm_size": "Standard_D4ps_v5",
            "count": 2,
            "os_type": "Windows",
            "os_sku": "Windows2022",
            "type": "VirtualMachineScaleSets",
        },
        {
            "name": "train",
            "mode": "User",
            "vm_size": "Standard_NC4as_T4_v3",
            "count": 1,
            "gpu_instance_profile": "MIG1g",
            "type": "VirtualMachineScaleSets",
        },
        {
            "name": "infer",
            "mode": "User",
            "vm_size": "Standard_NC4as_T4_v3",
            "count": 1,
            "node_taints": ["sku=gpu:NoSchedule"],
            "security_profile": {"enable_secure_boot": True},
            "type": "VirtualMachineScaleSets",
        },
    ],
)
