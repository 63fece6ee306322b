"""The arguments of Terraform's provider azurerm, with their places in Azure's API, which the rows have.

Names are those of azurerm 5.2 (2026-08-20, website/docs/r/kubernetes_cluster*.html.markdown), and what 3 and 4 called the same.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from nodepools.model.aks.node_settings import Sysctls
from nodepools.model.steps import mapping, sequence
from nodepools.model.unknowns import UNKNOWN
from nodepools.wire.codecs import IDS, OPPOSITE
from nodepools.wire.table import camel
from nodepools.wire.terraform import NOT_ZERO, TEXT, Argument, Arguments, block_of, listed_entries, pairs, text_list

_INTERVAL: Final = "net_ipv4_tcp_keepalive_intvl"
_PORTS: Final = "net_ipv4_ip_local_port_range"
_SYSCTLS: Final = {
    f"linux_os_config.sysctl_config.{name}": Argument(
        f"linuxOSConfig.sysctls.{'netIpv4TcpkeepaliveIntvl' if name == _INTERVAL else camel(name)}", NOT_ZERO
    )
    for name in Sysctls.model_fields
    if name != _PORTS
}
_KUBELET: Final = {
    "cpu_manager_policy": "cpuManagerPolicy",
    "cpu_cfs_quota_enabled": "cpuCfsQuota",
    "cpu_cfs_quota_period": "cpuCfsQuotaPeriod",
    "image_gc_high_threshold": "imageGcHighThreshold",
    "image_gc_low_threshold": "imageGcLowThreshold",
    "topology_manager_policy": "topologyManagerPolicy",
    "allowed_unsafe_sysctls": "allowedUnsafeSysctls",
    "container_log_max_size_mb": "containerLogMaxSizeMB",
    "container_log_max_files": "containerLogMaxFiles",
    "container_log_max_line": "containerLogMaxFiles",
    "pod_max_pid": "podMaxPids",
}
_UPGRADE: Final = {
    "drain_timeout_in_minutes": "drainTimeoutInMinutes",
    "node_soak_duration_in_minutes": "nodeSoakDurationInMinutes",
    "max_surge": "maxSurge",
    "max_unavailable": "maxUnavailable",
    "undrainable_node_behavior": "undrainableNodeBehavior",
}
_HOST_PORTS: Final = {"port_start": "portStart", "port_end": "portEnd", "protocol": "protocol"}
_POOL: Final[dict[str, Argument]] = {
    "vm_size": Argument("vmSize"),
    "node_count": Argument("count"),
    "min_count": Argument("minCount"),
    "max_count": Argument("maxCount"),
    "auto_scaling_enabled": Argument("enableAutoScaling"),
    "enable_auto_scaling": Argument("enableAutoScaling"),
    "orchestrator_version": Argument("orchestratorVersion"),
    "node_labels": Argument("nodeLabels"),
    "node_taints": Argument("nodeTaints"),
    "vnet_subnet_id": Argument("vnetSubnetID"),
    "pod_subnet_id": Argument("podSubnetID"),
    "tags": Argument("tags"),
    "zones": Argument("availabilityZones"),
    "availability_zones": Argument("availabilityZones"),
    "os_sku": Argument("osSKU"),
    "os_disk_size_gb": Argument("osDiskSizeGB", NOT_ZERO),
    "os_disk_type": Argument("osDiskType"),
    "max_pods": Argument("maxPods", NOT_ZERO),
    "kubelet_disk_type": Argument("kubeletDiskType"),
    "ultra_ssd_enabled": Argument("enableUltraSSD"),
    "host_encryption_enabled": Argument("enableEncryptionAtHost"),
    "enable_host_encryption": Argument("enableEncryptionAtHost"),
    "fips_enabled": Argument("enableFIPS"),
    "message_of_the_day": Argument("messageOfTheDay"),
    "scale_down_mode": Argument("scaleDownMode"),
    "workload_runtime": Argument("workloadRuntime"),
    "snapshot_id": Argument("creationData.sourceResourceId"),
    "proximity_placement_group_id": Argument("proximityPlacementGroupID"),
    "capacity_reservation_group_id": Argument("capacityReservationGroupID"),
    "host_group_id": Argument("hostGroupID"),
    "node_public_ip_enabled": Argument("enableNodePublicIP"),
    "enable_node_public_ip": Argument("enableNodePublicIP"),
    "node_public_ip_prefix_id": Argument("nodePublicIPPrefixID"),
    "gpu_driver": Argument("gpuProfile.driver"),
    "gpu_instance": Argument("gpuInstanceProfile"),
    "gpu_instance_profile": Argument("gpuInstanceProfile"),
    "linux_os_config.swap_file_size_mb": Argument("linuxOSConfig.swapFileSizeMB", NOT_ZERO),
    "linux_os_config.transparent_huge_page": Argument("linuxOSConfig.transparentHugePageEnabled"),
    "linux_os_config.transparent_huge_page_enabled": Argument("linuxOSConfig.transparentHugePageEnabled"),
    "linux_os_config.transparent_huge_page_defrag": Argument("linuxOSConfig.transparentHugePageDefrag"),
    **_SYSCTLS,
    f"linux_os_config.sysctl_config.{_PORTS}_min": Argument("linuxOSConfig.sysctls.portsFrom", NOT_ZERO),
    f"linux_os_config.sysctl_config.{_PORTS}_max": Argument("linuxOSConfig.sysctls.portsTo", NOT_ZERO),
    **{f"kubelet_config.{name}": Argument(f"kubeletConfig.{wire}", NOT_ZERO) for name, wire in _KUBELET.items()},
    **{f"upgrade_settings.{name}": Argument(f"upgradeSettings.{wire}", NOT_ZERO) for name, wire in _UPGRADE.items()},
    "node_network_profile.allowed_host_ports": Argument("networkProfile.allowedHostPorts", listed_entries(_HOST_PORTS)),
    "node_network_profile.application_security_group_ids": Argument("networkProfile.applicationSecurityGroups"),
    "node_network_profile.node_public_ip_tags": Argument("networkProfile.nodePublicIPTags", pairs("ipTagType", "tag")),
}
_ROTATION: Final = "temporary_name_for_rotation"
_OF_POOLS: Final = {
    "timeouts": "how long Terraform waits",
    "id": "set by Azure",
    "node_image_version": "set by Azure",
    _ROTATION: "the name of the pool that replaces this one meanwhile",
    "custom_ca_trust_enabled": "removed in azurerm 4: a preview that AKS replaced by certificates of the cluster",
}
POOL: Final = Arguments(
    "azurerm_kubernetes_cluster_node_pool",
    {
        **_POOL,
        "name": Argument("agentPoolName"),
        "mode": Argument("mode"),
        "os_type": Argument("osType"),
        "priority": Argument("scaleSetPriority"),
        "eviction_policy": Argument("scaleSetEvictionPolicy"),
        "spot_max_price": Argument("spotMaxPrice"),
        "windows_profile.outbound_nat_enabled": Argument("windowsProfile.disableOutboundNat", OPPOSITE.write),
        "kubernetes_cluster_id": Argument("clusterId"),
    },
    _OF_POOLS,
)
"""A node pool of its own."""
INLINE: Final = Arguments(
    "default_node_pool",
    {**_POOL, "name": Argument("name"), "type": Argument("type"), "only_critical_addons_enabled": Argument("criticalAddonsOnly")},
    _OF_POOLS,
)
"""`default_node_pool` of a cluster."""
CYCLED: Final = frozenset(
    {
        *("host_encryption_enabled", "node_public_ip_enabled", "fips_enabled", "kubelet_config", "kubelet_disk_type", "linux_os_config"),
        *("max_pods", "only_critical_addons_enabled", "os_disk_size_gb", "os_disk_type", "pod_subnet_id", "snapshot_id", "ultra_ssd_enabled"),
        *("vm_size", "vnet_subnet_id", "zones", "enable_host_encryption", "enable_node_public_ip"),
    }
)
"""Arguments of pools for which the provider creates a temporary pool, deletes the pool, and creates it again, without a drain: docs of
`default_node_pool`. `os_sku` is one of them for some values only."""
_SCALER: Final = {
    "expander": "expander",
    "daemonset_eviction_for_empty_nodes_enabled": "daemonsetEvictionForEmptyNodes",
    "daemonset_eviction_for_occupied_nodes_enabled": "daemonsetEvictionForOccupiedNodes",
    "ignore_daemonsets_utilization_enabled": "ignoreDaemonsetsUtilization",
    "max_node_provisioning_time": "maxNodeProvisionTime",
    "new_pod_scale_up_delay": "newPodScaleUpDelay",
    "scale_down_delay_after_add": "scaleDownDelayAfterAdd",
    "scale_down_delay_after_delete": "scaleDownDelayAfterDelete",
    "scale_down_delay_after_failure": "scaleDownDelayAfterFailure",
    "scale_down_unneeded": "scaleDownUnneededTime",
    "scale_down_unready": "scaleDownUnreadyTime",
    "scan_interval": "scanInterval",
}
_SCALER_TEXTS: Final = {
    "balance_similar_node_groups": "balanceSimilarNodeGroups",
    "empty_bulk_delete_max": "maxEmptyBulkDelete",
    "max_graceful_termination_sec": "maxGracefulTerminationSec",
    "max_unready_nodes": "okTotalUnreadyCount",
    "max_unready_percentage": "maxTotalUnreadyPercentage",
    "scale_down_utilization_threshold": "scaleDownUtilizationThreshold",
    "skip_nodes_with_local_storage": "skipNodesWithLocalStorage",
    "skip_nodes_with_system_pods": "skipNodesWithSystemPods",
}
_NETWORK: Final = {
    "network_plugin": "networkPlugin",
    "network_plugin_mode": "networkPluginMode",
    "network_mode": "networkMode",
    "network_policy": "networkPolicy",
    "network_data_plane": "networkDataplane",
    "ebpf_data_plane": "networkDataplane",
    "dns_service_ip": "dnsServiceIP",
    "outbound_type": "outboundType",
    "pod_cidr": "podCidr",
    "pod_cidrs": "podCidrs",
    "service_cidr": "serviceCidr",
    "service_cidrs": "serviceCidrs",
    "ip_versions": "ipFamilies",
    "load_balancer_sku": "loadBalancerSku",
    "advanced_networking.observability_enabled": "advancedNetworking.observability.enabled",
    "advanced_networking.security_enabled": "advancedNetworking.security.enabled",
    "load_balancer_profile.backend_pool_type": "loadBalancerProfile.backendPoolType",
    "load_balancer_profile.idle_timeout_in_minutes": "loadBalancerProfile.idleTimeoutInMinutes",
    "load_balancer_profile.managed_outbound_ip_count": "loadBalancerProfile.managedOutboundIPs.count",
    "load_balancer_profile.managed_outbound_ipv6_count": "loadBalancerProfile.managedOutboundIPs.countIPv6",
    "load_balancer_profile.outbound_ports_allocated": "loadBalancerProfile.allocatedOutboundPorts",
    "nat_gateway_profile.idle_timeout_in_minutes": "natGatewayProfile.idleTimeoutInMinutes",
    "nat_gateway_profile.managed_outbound_ip_count": "natGatewayProfile.managedOutboundIPProfile.count",
}
_OUTBOUND: Final = {
    "outbound_ip_address_ids": "loadBalancerProfile.outboundIPs.publicIPs",
    "outbound_ip_prefix_ids": "loadBalancerProfile.outboundIPPrefixes.publicIPPrefixes",
}
_ENTRA: Final = "azure_active_directory_role_based_access_control"
_VAULT: Final = "addonProfiles.azureKeyvaultSecretsProvider"
_AUTHORITY: Final = "serviceMeshProfile.istio.certificateAuthority.plugin"
_OBJECTS: Final = {
    "key_vault_id": "keyVaultId",
    "root_cert_object_name": "rootCertObjectName",
    "cert_object_name": "certObjectName",
    "key_object_name": "keyObjectName",
    "cert_chain_object_name": "certChainObjectName",
}
_ADD_ON: Final = "an add-on that pools do not depend on"
_OF_AZURE: Final = "set by Azure"


def _system(zone: str) -> str:
    return {"System": "system", "None": "none"}.get(zone, zone)


def _keys(blocks: object) -> list[object]:
    """The keys of `ssh_key` blocks."""
    return [{"keyData": key} for block in sequence(blocks) if (key := mapping(block).get("key_data")) is not None]


CLUSTER: Final = Arguments(
    "azurerm_kubernetes_cluster",
    {
        "name": Argument("resourceName"),
        "resource_group_name": Argument("resourceGroupName"),
        "location": Argument("location"),
        "kubernetes_version": Argument("kubernetesVersion"),
        "dns_prefix": Argument("dnsPrefix"),
        "dns_prefix_private_cluster": Argument("fqdnSubdomain"),
        "tags": Argument("tags"),
        "sku_tier": Argument("sku.tier"),
        "support_plan": Argument("supportPlan"),
        "node_resource_group": Argument("nodeResourceGroup"),
        "disk_encryption_set_id": Argument("diskEncryptionSetID"),
        "automatic_upgrade_channel": Argument("autoUpgradeProfile.upgradeChannel"),
        "automatic_channel_upgrade": Argument("autoUpgradeProfile.upgradeChannel"),
        "node_os_upgrade_channel": Argument("autoUpgradeProfile.nodeOSUpgradeChannel"),
        "node_os_channel_upgrade": Argument("autoUpgradeProfile.nodeOSUpgradeChannel"),
        "identity.type": Argument("identity.type"),
        "identity.identity_ids": Argument("identity.userAssignedIdentities"),
        "kubelet_identity.client_id": Argument("identityProfile.kubeletidentity.clientId"),
        "kubelet_identity.object_id": Argument("identityProfile.kubeletidentity.objectId"),
        "kubelet_identity.user_assigned_identity_id": Argument("identityProfile.kubeletidentity.resourceId"),
        "service_principal.client_id": Argument("servicePrincipalProfile.clientId"),
        "service_principal.client_secret": Argument("servicePrincipalProfile.secret"),
        **{f"network_profile.{name}": Argument(f"networkProfile.{wire}", NOT_ZERO) for name, wire in _NETWORK.items()},
        **{f"network_profile.load_balancer_profile.{name}": Argument(f"networkProfile.{wire}", IDS.write) for name, wire in _OUTBOUND.items()},
        "node_provisioning_profile.mode": Argument("nodeProvisioningProfile.mode"),
        "node_provisioning_profile.default_node_pools": Argument("nodeProvisioningProfile.defaultNodePools"),
        "bootstrap_profile.artifact_source": Argument("bootstrapProfile.artifactSource"),
        "bootstrap_profile.container_registry_id": Argument("bootstrapProfile.containerRegistryId"),
        "oidc_issuer_enabled": Argument("oidcIssuerProfile.enabled"),
        "workload_identity_enabled": Argument("securityProfile.workloadIdentity.enabled"),
        "role_based_access_control_enabled": Argument("enableRBAC"),
        "local_account_disabled": Argument("disableLocalAccounts"),
        f"{_ENTRA}.tenant_id": Argument("aadProfile.tenantID"),
        f"{_ENTRA}.azure_rbac_enabled": Argument("aadProfile.enableAzureRBAC"),
        f"{_ENTRA}.admin_group_object_ids": Argument("aadProfile.adminGroupObjectIDs"),
        f"{_ENTRA}.managed": Argument("aadProfile.managed"),
        f"{_ENTRA}.client_app_id": Argument("aadProfile.clientAppID"),
        f"{_ENTRA}.server_app_id": Argument("aadProfile.serverAppID"),
        f"{_ENTRA}.server_app_secret": Argument("aadProfile.serverAppSecret"),
        "api_server_access_profile.authorized_ip_ranges": Argument("apiServerAccessProfile.authorizedIPRanges"),
        "api_server_authorized_ip_ranges": Argument("apiServerAccessProfile.authorizedIPRanges"),
        "api_server_access_profile.subnet_id": Argument("apiServerAccessProfile.subnetId"),
        "api_server_access_profile.virtual_network_integration_enabled": Argument("apiServerAccessProfile.enableVnetIntegration"),
        "api_server_access_profile.vnet_integration_enabled": Argument("apiServerAccessProfile.enableVnetIntegration"),
        "private_cluster_enabled": Argument("apiServerAccessProfile.enablePrivateCluster"),
        "private_cluster_public_fqdn_enabled": Argument("apiServerAccessProfile.enablePrivateClusterPublicFQDN"),
        "private_dns_zone_id": Argument("apiServerAccessProfile.privateDNSZone", _system),
        "run_command_enabled": Argument("apiServerAccessProfile.disableRunCommand", OPPOSITE.write),
        "public_network_access_enabled": Argument("publicNetworkAccess"),
        **{f"auto_scaler_profile.{name}": Argument(f"autoScalerProfile.{wire}") for name, wire in _SCALER.items()},
        **{f"auto_scaler_profile.{name}": Argument(f"autoScalerProfile.{wire}", TEXT) for name, wire in _SCALER_TEXTS.items()},
        "upgrade_override.force_upgrade_enabled": Argument("upgradeSettings.overrideSettings.forceUpgrade"),
        "upgrade_override.effective_until": Argument("upgradeSettings.overrideSettings.until"),
        "linux_profile.admin_username": Argument("linuxProfile.adminUsername"),
        "linux_profile.ssh_key": Argument("linuxProfile.ssh.publicKeys", _keys),
        "windows_profile.admin_username": Argument("windowsProfile.adminUsername"),
        "windows_profile.admin_password": Argument("windowsProfile.adminPassword"),
        "windows_profile.license": Argument("windowsProfile.licenseType"),
        "windows_profile.gmsa.dns_server": Argument("windowsProfile.gmsaProfile.dnsServer"),
        "windows_profile.gmsa.root_domain": Argument("windowsProfile.gmsaProfile.rootDomainName"),
        "azure_policy_enabled": Argument("addonProfiles.azurepolicy.enabled"),
        "oms_agent.log_analytics_workspace_id": Argument("addonProfiles.omsagent.config.logAnalyticsWorkspaceResourceID"),
        "oms_agent.msi_auth_for_monitoring_enabled": Argument("addonProfiles.omsagent.config.useAADAuth", TEXT),
        "key_vault_secrets_provider.secret_rotation_enabled": Argument(f"{_VAULT}.config.enableSecretRotation", TEXT),
        "key_vault_secrets_provider.secret_rotation_interval": Argument(f"{_VAULT}.config.rotationPollInterval"),
        "workload_autoscaler_profile.keda_enabled": Argument("workloadAutoScalerProfile.keda.enabled"),
        "workload_autoscaler_profile.vertical_pod_autoscaler_enabled": Argument("workloadAutoScalerProfile.verticalPodAutoscaler.enabled"),
        "cost_analysis_enabled": Argument("metricsProfile.costAnalysis.enabled"),
        "image_cleaner_enabled": Argument("securityProfile.imageCleaner.enabled"),
        "image_cleaner_interval_hours": Argument("securityProfile.imageCleaner.intervalHours", NOT_ZERO),
        "microsoft_defender.log_analytics_workspace_id": Argument("securityProfile.defender.logAnalyticsWorkspaceResourceId"),
        "monitor_metrics.annotations_allowed": Argument("azureMonitorProfile.metrics.kubeStateMetrics.metricAnnotationsAllowList"),
        "monitor_metrics.labels_allowed": Argument("azureMonitorProfile.metrics.kubeStateMetrics.metricLabelsAllowlist"),
        "key_management_service.key_vault_key_id": Argument("securityProfile.azureKeyVaultKms.keyId"),
        "key_management_service.key_vault_network_access": Argument("securityProfile.azureKeyVaultKms.keyVaultNetworkAccess"),
        "storage_profile.blob_driver_enabled": Argument("storageProfile.blobCSIDriver.enabled"),
        "storage_profile.disk_driver_enabled": Argument("storageProfile.diskCSIDriver.enabled"),
        "storage_profile.file_driver_enabled": Argument("storageProfile.fileCSIDriver.enabled"),
        "storage_profile.snapshot_controller_enabled": Argument("storageProfile.snapshotController.enabled"),
        "service_mesh_profile.mode": Argument("serviceMeshProfile.mode"),
        "service_mesh_profile.revisions": Argument("serviceMeshProfile.istio.revisions"),
        **{f"service_mesh_profile.certificate_authority.{name}": Argument(f"{_AUTHORITY}.{wire}") for name, wire in _OBJECTS.items()},
        "http_proxy_config.http_proxy": Argument("httpProxyConfig.httpProxy"),
        "http_proxy_config.https_proxy": Argument("httpProxyConfig.httpsProxy"),
        "http_proxy_config.no_proxy": Argument("httpProxyConfig.noProxy", text_list),
        "http_proxy_config.trusted_ca": Argument("httpProxyConfig.trustedCa"),
        "custom_ca_trust_certificates_base64": Argument("securityProfile.customCATrustCertificates"),
        "web_app_routing.dns_zone_ids": Argument("ingressProfile.webAppRouting.dnsZoneResourceIds"),
        "web_app_routing.default_nginx_controller": Argument("ingressProfile.webAppRouting.nginx.defaultIngressControllerType"),
        "edge_zone": Argument("extendedLocation.name"),
        "ai_toolchain_operator_enabled": Argument("aiToolchainOperatorProfile.enabled"),
        **{f"default_node_pool.{name}": Argument(f"agentPoolProfiles.0.{argument.wire}", argument.write) for name, argument in INLINE.places.items()},
    },
    {
        **{f"default_node_pool.{name}": why for name, why in _OF_POOLS.items()},
        "timeouts": "how long Terraform waits",
        **dict.fromkeys(("aci_connector_linux", "http_application_routing_enabled", "ingress_application_gateway"), _ADD_ON),
        **dict.fromkeys(("open_service_mesh_enabled", "confidential_computing"), _ADD_ON),
        **{f"service_mesh_profile.{side}_ingress_gateway_enabled": _ADD_ON for side in ("internal", "external")},
        "enable_pod_security_policy": "removed from Kubernetes 1.25",
        "custom_ca_trust_enabled": _OF_POOLS["custom_ca_trust_enabled"],
        "storage_profile.disk_driver_version": "removed in azurerm 4",
        "network_profile.docker_bridge_cidr": "ignored by AKS",
        **dict.fromkeys(("maintenance_window", "maintenance_window_auto_upgrade", "maintenance_window_node_os"), "read as resources of their own"),
        **dict.fromkeys(("id", "fqdn", "private_fqdn", "portal_fqdn", "oidc_issuer_url", "current_kubernetes_version"), _OF_AZURE),
        **dict.fromkeys(("kube_config", "kube_config_raw", "kube_admin_config", "kube_admin_config_raw", "node_resource_group_id"), _OF_AZURE),
        **dict.fromkeys(("http_application_routing_zone_name", "oms_agent.oms_agent_identity", "identity.principal_id"), _OF_AZURE),
        **dict.fromkeys(("identity.tenant_id", "key_vault_secrets_provider.secret_identity"), _OF_AZURE),
        **dict.fromkeys(("network_profile.outbound_ip_address_ids", "network_profile.outbound_ip_prefix_ids"), _OF_AZURE),
        "network_profile.load_balancer_profile.effective_outbound_ips": _OF_AZURE,
        "network_profile.nat_gateway_profile.effective_outbound_ips": _OF_AZURE,
    },
    {
        "oms_agent": "addonProfiles.omsagent.enabled",
        "web_app_routing": "ingressProfile.webAppRouting.enabled",
        "key_vault_secrets_provider": f"{_VAULT}.enabled",
        _ENTRA: "aadProfile.managed",
        "microsoft_defender": "securityProfile.defender.securityMonitoring.enabled",
        "monitor_metrics": "azureMonitorProfile.metrics.enabled",
        "key_management_service": "securityProfile.azureKeyVaultKms.enabled",
        "windows_profile.gmsa": "windowsProfile.gmsaProfile.enabled",
        "network_profile.advanced_networking": "networkProfile.advancedNetworking.enabled",
    },
)
"""A cluster with its default node pool."""
WINDOWS: Final = {
    "maintenance_window_auto_upgrade": "aksManagedAutoUpgradeSchedule",
    "maintenance_window_node_os": "aksManagedNodeOSUpgradeSchedule",
    "maintenance_window": "default",
}
"""Blocks of a cluster, and the maintenance configurations that they are in Azure."""
_SCHEDULES: Final[Mapping[str, tuple[str, Mapping[str, str]]]] = {
    "": ("", {}),
    "Daily": ("daily", {"interval": "intervalDays"}),
    "Weekly": ("weekly", {"interval": "intervalWeeks", "day_of_week": "dayOfWeek"}),
    "AbsoluteMonthly": ("absoluteMonthly", {"interval": "intervalMonths", "day_of_month": "dayOfMonth"}),
    "RelativeMonthly": ("relativeMonthly", {"interval": "intervalMonths", "day_of_week": "dayOfWeek", "week_index": "weekIndex"}),
}
_DATE: Final = len("2026-11-28")


def _date(value: object) -> object:
    """The day of a time."""
    return value[:_DATE] if isinstance(value, str) else value


def windows(address: str, values: Mapping[str, object]) -> Iterator[tuple[str, Mapping[str, object]]]:
    """The maintenance configurations that the provider creates for blocks of a cluster."""
    for block, name in WINDOWS.items():
        held = block_of(values.get(block))
        if held is None or held == []:
            continue
        window = mapping(held)
        of = {"configName": name, "resourceName": values.get("name"), "resourceGroupName": values.get("resource_group_name")}
        if name == "default":
            yield f"{address}.{block}", {**of, "timeInWeek": window.get("allowed", UNKNOWN)}
            continue
        schedule, names = _SCHEDULES.get(str(window.get("frequency")), _SCHEDULES[""])
        start = window.get("start_date")
        inside = {
            "schedule": {schedule: {wire: window.get(own) for own, wire in names.items()}} if schedule else UNKNOWN,
            "durationHours": window.get("duration", UNKNOWN),
            "startTime": window.get("start_time"),
            "utcOffset": window.get("utc_offset"),
            "startDate": _date(start),
            "notAllowedDates": [{key: _date(mapping(one).get(key)) for key in ("start", "end")} for one in sequence(window.get("not_allowed"))],
        }
        yield f"{address}.{block}", {**of, "maintenanceWindow": {key: value for key, value in inside.items() if value not in (None, [], "")}}
