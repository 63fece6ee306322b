"""A cluster whose pools are resources of their own."""

# What the pack reports: a policy, the name of the resource, and the path of what is wrong with it.
# found: AKS010 upside minCount
# found: AKS012 empty minCount
# found: AKS015 twice nodeTaints[1]
# found: AKS023 twice nodeLabels.team
# found: AKS020 stuck upgradeSettings.maxSurge
# found: AKS028 stuck upgradeSettings.nodeSoakDurationInMinutes
# found: AKS026 preview upgradeSettings.maxUnavailable
# found: AKS029 disks scaleDownMode
# found: AKS039 disks maxPods
# found: AKS031 images linuxOSConfig.swapFileSizeMB
# found: AKS032 images kubeletConfig.imageGcHighThreshold
# found: AKS060 newer orchestratorVersion
# found: AKS061 older orchestratorVersion
# found: AKS070 older orchestratorVersion
# found: AKS038 near proximityPlacementGroupID
# found: AKS036 paused powerState.code

from pulumi_azure_native import containerservice

GROUP = "media"
PLACE = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/media/providers/Microsoft.Compute/proximityPlacementGroups/media"

cluster = containerservice.ManagedCluster(
    "media",
    resource_group_name=GROUP,
    location="northeurope",
    dns_prefix="media",
    kubernetes_version="1.35",
    identity={"type": containerservice.ResourceIdentityType.SYSTEM_ASSIGNED},
    aad_profile={"managed": True, "enable_azure_rbac": True},
    disable_local_accounts=True,
    sku={"name": "Base", "tier": "Standard"},
    network_profile={"network_plugin": "azure", "network_plugin_mode": "overlay"},
    agent_pool_profiles=[
        {"name": "system", "mode": "System", "vm_size": "Standard_D4ds_v5", "count": 3, "type": "VirtualMachineScaleSets"},
    ],
)


def pool(name: str, vm_size: str = "Standard_D8ds_v5", mode: str = "User", **arguments: object) -> containerservice.AgentPool:
    return containerservice.AgentPool(
        name,
        agent_pool_name=name,
        resource_group_name=GROUP,
        resource_name_=cluster.name,
        mode=mode,
        vm_size=vm_size,
        type="VirtualMachineScaleSets",
        **arguments,
    )


pool("upside", enable_auto_scaling=True, min_count=5, max_count=2, count=5)
pool("empty", mode="System", enable_auto_scaling=True, min_count=0, max_count=3, count=1)
pool("twice", count=2, node_taints=["team=ml:NoSchedule", "team=web:NoSchedule"], node_labels={"team": "web & mobile"})
pool("stuck", count=2, upgrade_settings={"max_surge": "0", "node_soak_duration_in_minutes": 45})
pool("preview", count=2, upgrade_settings={"max_surge": "1", "max_unavailable": "1"})
pool("disks", count=2, scale_down_mode="Deallocate", os_disk_type="Ephemeral", max_pods=10)
pool("images", count=2, kubelet_config={"image_gc_high_threshold": 70, "image_gc_low_threshold": 80}, linux_os_config={"swap_file_size_mb": 1024})
pool("newer", count=2, orchestrator_version="1.36")
pool("older", count=2, orchestrator_version="1.31")
pool("near", count=2, availability_zones=["1", "2"], proximity_placement_group_id=PLACE)
pool("paused", mode="System", count=3, power_state={"code": "Stopped"})
