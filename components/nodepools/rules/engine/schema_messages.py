"""The texts of schema findings: a message and a fix for every error that pydantic can report about a declaration."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MessageTemplate:
    """The texts of a finding.

    `{field}` is the field itself, `{f:name}` another one of its part, `{f:inner.name}` one below it, `{true}` and `{false}` are
    values. Limits come from pydantic.
    """

    code: str
    message: str
    fix: str
    meant: str | None = None
    """The field that an unknown name is probably intended for."""
    kind: str | None = None
    """The only kind that a part without one can have."""

    def filled(self, known: dict[str, object]) -> "MessageTemplate":
        """Returns the texts with the limits of the field."""
        given = known | {"field": "{field}", "true": "{true}", "false": "{false}"}
        return MessageTemplate(self.code, self.message.format(**given), self.fix.format(**given))


_WHOLE_NUMBER = MessageTemplate("CFG004", "{field} must be a whole number", "Write a whole number, without quotes and without a fraction")
_NUMBER = MessageTemplate("CFG004", "{field} must be a number", "Write a number, without quotes")
_YES_OR_NO = MessageTemplate("CFG004", "{field} must be {true} or {false}", "Set {field} to {true} or {false}")
_MAPPING = MessageTemplate("CFG004", "{field} must be a mapping of keys to values", "Write a mapping, such as `{{key: value}}`")
_LIST = MessageTemplate("CFG004", "{field} must be a list", "Write a list in brackets, such as `[a, b]`")

PYDANTIC_MESSAGES = {
    "bool_parsing": _YES_OR_NO,
    "bool_type": _YES_OR_NO,
    "dict_type": _MAPPING,
    "finite_number": _NUMBER,
    "float_parsing": _NUMBER,
    "float_type": _NUMBER,
    "int_from_float": _WHOLE_NUMBER,
    "int_parsing": _WHOLE_NUMBER,
    "int_parsing_size": _WHOLE_NUMBER,
    "int_type": _WHOLE_NUMBER,
    "is_instance_of": _LIST,
    "mapping_type": _MAPPING,
    "greater_than_equal": MessageTemplate("CFG007", "{field} must be at least {ge}", "Use {ge} or more"),
    "less_than_equal": MessageTemplate("CFG007", "{field} must be at most {le}", "Use {le} or less"),
    "string_too_short": MessageTemplate("CFG006", "{field} must not be empty", "Write a value, or remove {field} if it is optional"),
    "string_too_long": MessageTemplate("CFG006", "{field} must have at most {max_length} characters", "Shorten it to {max_length} characters"),
    "too_short": MessageTemplate("CFG008", "{field} is empty: at least {min_length} entry is required", "Add an entry"),
    "too_long": MessageTemplate("CFG008", "{field} must have at most {max_length} entries", "Keep {max_length} entries"),
    "invalid_key": MessageTemplate("CFG002", "{field} is not a field: the name of a field must be text", "Remove it"),
}
"""The texts of errors that do not depend on the field."""

OWN_ERROR_FIXES = {
    "revision": "Write a revision such as `asm-1-30`",
    "budget_nodes": 'Write a count, such as `"5"`, or a percentage, such as `"10%"`',
    "calendar": "Write a day that its month has; hours are `00` to `23`",
    "cidr": "Write a range, such as `10.10.0.0/16`",
    "cidr6": "Write an IPv6 range, such as `fd00:10::/48`",
    "duration": "Write {example}",
    "endpoints": 'Write each service once, such as `["ecr.api", "ecr.dkr", "s3"]`',
    "moment": "Write a time as Kubernetes does, such as `2026-11-21T04:40:00Z`",
    "quantity": "Write {example}",
    "ref": "Write it as text, or as a reference to an output of another stack",
    "ref_empty": "Remove it, or write the id",
    "ref_resource": "Write the id of the resource: its output `id`",
    "overlay_capacity": "Remove it: the NodePool chooses instance types that have enough",
    "price": 'Write a price such as `"0.25"` in one field, or a difference such as `"-15%"` in the other',
    "buffered": "Use `podTemplateRef` with `replicas`, or `scalableRef` with `percentage`",
    "restricted_label": "Use a label of instance types, `karpenter.sh/nodepool` or `karpenter.sh/capacity-type`",
    "requirement_values": "Write {example}",
    "taint": 'Write `"key=value:NoSchedule"`',
    "window_length": "Use more `hours`, or the time zone `UTC`",
    "window_tz": "Write a name of the tz database, such as `Europe/Paris`, or `UTC`; the package tzdata must be installed",
    "zones": 'Write names, such as `["us-east-1a", "us-east-1b"]`, or ids, such as `["use1-az1", "use1-az2"]`',
}
"""The fixes of errors that the models' own validators raise; these errors have their own messages."""


def _must(be: str, fix: str) -> MessageTemplate:
    """The texts for a value that does not have the form of its field."""
    return MessageTemplate("CFG006", f"{{field}} must {be}", fix)


_VERSION = _must("be a version of Kubernetes, with or without its patch version", 'Write only its numbers: `"1.MINOR"` or `"1.MINOR.PATCH"`')
_NODES = _must("be a count or a percentage of nodes, as text", 'Write `"1"` or `"33%"`')
_BYTES = _must("be a whole number with its unit", 'Write a size such as `"50Mi"`')
_DAY = _must("be a date", 'Write a date such as `"2026-12-20"`')
_TIME = _must("be a time of day", 'Write a time such as `"02:00"`')
_MINUTES = _must("be whole minutes: Azure has no other unit here", 'Write a duration such as `"10m"`')
_SECONDS = _must("be whole seconds or minutes", 'Write a duration such as `"10s"`')
_ONE_UNIT = _must("be a whole number and one unit: EKS has no other form here", 'Write a duration such as `"30m"`')

PATTERNS = {
    ("Platform", "name"): _must(
        "be at most 30 lowercase letters, digits and hyphens, starting with a letter", "Shorten it, and write it in lower case"
    ),
    ("AksClusterArgs", "kubernetes_version"): _VERSION,
    ("AgentPool", "kubernetes_version"): _VERSION,
    ("ControlPlane", "event_ttl"): _ONE_UNIT,
    ("ControlPlane", "autoscaler_sync_period"): _ONE_UNIT,
    ("AgentPool", "name"): _must(
        "be at most 12 lowercase letters and digits, starting with a letter", "Use at most 12 lowercase letters and digits, a letter first"
    ),
    ("UpgradeSettings", "max_surge"): _NODES,
    ("UpgradeSettings", "max_unavailable"): _NODES,
    ("KubeletConfig", "container_log_max_size"): _BYTES,
    ("LinuxOsConfig", "swap_file_size"): _BYTES,
    ("Sysctls", "net_ipv4_ip_local_port_range"): _must("be two ports", 'Write the first and the last port, such as `"32768 60999"`'),
    ("Dates", "start"): _DAY,
    ("Dates", "end"): _DAY,
    ("MaintenanceHours", "start"): _TIME,
    ("Weekly", "days"): _must("be days of the week, `sun` to `sat`, with commas and ranges", 'Write `"sat"`, `"sat,sun"` or `"mon-fri"`'),
    ("MaintenanceWindow", "start_date"): _DAY,
    ("MaintenanceWindow", "start_time"): _TIME,
    ("MaintenanceWindow", "utc_offset"): _must("be hours and minutes ahead of UTC, or behind it", 'Write an offset such as `"+01:00"`'),
    **{
        ("AutoscalerProfile", name): _MINUTES
        for name in (
            *("max_node_provision_time", "scale_down_delay_after_add", "scale_down_delay_after_failure"),
            *("scale_down_unneeded_time", "scale_down_unready_time"),
        )
    },
    ("AutoscalerProfile", "new_pod_scale_up_delay"): _must("be one number of seconds, minutes or hours", 'Write a duration such as `"30s"`'),
    ("AutoscalerProfile", "scale_down_delay_after_delete"): _SECONDS,
    ("AutoscalerProfile", "scan_interval"): _SECONDS,
    ("WindowsProfile", "admin_username"): _must("be at most 20 letters, digits, `-` and `_`", "Shorten it, or remove it"),
    ("LinuxProfile", "admin_username"): _must(
        "start with a letter, followed by letters, digits, `-` and `_`", "Use the name that the cluster has in Azure"
    ),
    ("EksNodeClass", "name"): _must(
        "be lowercase letters, digits, `-` and `.`, with a letter or digit at both ends", "Use the name that the NodeClass has"
    ),
    ("EksClusterArgs", "kubernetes_version"): _must(
        "be a minor version of Kubernetes: EKS chooses the patch version", "Write the minor version alone, without the patch version"
    ),
    ("AksClusterArgs", "subscription_id"): _must(
        "be the id of a subscription: 32 hexadecimal digits, 8-4-4-4-12", "Write its id, as `az account show` prints it, not its name"
    ),
    ("AksClusterArgs", "name"): _must(
        "be at most 63 letters, digits, `-` and `_`, with a letter or digit at both ends", "Write the name of the cluster in Azure"
    ),
    ("AksClusterArgs", "dns_prefix"): _must(
        "be at most 54 letters, digits and hyphens, with a letter or digit at both ends", "Write `dnsPrefix` of the cluster in Azure"
    ),
    ("AksClusterArgs", "fqdn_subdomain"): _must(
        "be at most 63 letters, digits and hyphens, with a letter or digit at both ends", "Write one part of a DNS name"
    ),
    ("AksClusterArgs", "force_upgrade_until"): _must("be a date and time with a time zone", 'Write a time such as `"2026-12-01T06:00:00Z"`'),
    ("EgressGateway", "name"): _must(
        "be lowercase letters, digits, `-` and `.`, with a letter or digit at both ends", "Write a DNS name of at most 53 characters"
    ),
    ("WorkloadIdentity", "namespace"): _must(
        "be at most 63 lowercase letters, digits and hyphens, with a letter or digit at both ends", "Write the name of the namespace"
    ),
    ("WorkloadIdentity", "service_account"): _must(
        "be lowercase letters, digits, `-` and `.`, with a letter or digit at both ends", "Write the name of the service account"
    ),
    ("AksClusterArgs", "node_resource_group"): _must(
        "be the name of a resource group of at most 80 characters, without a period at the end", "Write its name, not its id"
    ),
    ("EksClusterArgs", "name"): _must(
        "be at most 100 letters, digits, `-` and `_`, with a letter or digit first", "Write the name of the cluster in AWS"
    ),
    ("AwsAccount", "id"): _must("be the 12 digits of an AWS account", "Write all 12 digits in quotes, leading zeros too, without hyphens"),
    ("SubnetTerm", "id"): _must("be the ID of a subnet", "Write the ID, such as `subnet-0123456789abcdef0`"),
    ("SecurityGroupTerm", "id"): _must("be the ID of a security group", "Write the ID, such as `sg-0123456789abcdef0`"),
    ("AmiTerm", "id"): _must("be the ID of an image", "Write the ID, such as `ami-0123456789abcdef0`"),
    ("Ec2ReservationTerm", "id"): _must("be the ID of a capacity reservation", "Write the ID, such as `cr-0123456789abcdef0`"),
    ("Ec2ReservationTerm", "owner"): _must("be the 12 digits of an AWS account", "Write all 12 digits in quotes"),
    ("Ec2PlacementGroup", "id"): _must("be the ID of a placement group", "Write the ID, such as `pg-0123456789abcdef0`"),
    ("AgentPool", "generation"): _must("be at most 32 lowercase letters, digits and hyphens", 'Write a word, such as `"b"`'),
    ("EksClusterArgs", "iam_path"): _must("begin and end with a slash", 'Write a path such as `"/teams/web/"`'),
    ("StackOutput", "stack"): _must("be the full name of a stack", 'Write its full name: `"organization/project/stack"`'),
}
"""The texts of errors about patterns, by model and field."""

ELSEWHERE = {
    ("AgentPool", "maintenance"): MessageTemplate(
        "CFG002",
        "{field} is not a field of an agent pool: AKS has one maintenance window for all agent pools of a cluster",
        "Move it to the cluster, or to the platform",
    ),
    ("SystemPool", "spot"): MessageTemplate(
        "CFG002",
        "{field} is not a field of a system pool: AKS has no system pools of spot nodes",
        "Move the spot nodes to a pool in `pools`",
    ),
    **{
        (cluster, field): MessageTemplate("CFG002", "{field} is not a field of a cluster", "Move it to {f:api_server}")
        for cluster in ("AksClusterArgs", "EksClusterArgs")
        for field in ("private", "authorized_ip_ranges")
    },
}
"""Fields that people expect in a model and that belong to another one, by model and field."""

_AZURERM = "hashicorp/terraform-provider-azurerm: kubernetes_cluster, kubernetes_cluster_node_pool"
_AZURE_MODULES = "Azure/terraform-azurerm-aks, Azure/terraform-azurerm-avm-res-containerservice-managedcluster, az aks create"
_AZURE_NATIVE = "pulumi-azure-native: containerservice.ManagedCluster, containerservice.AgentPool"
_EKS_MODULE = "terraform-aws-modules/terraform-aws-eks: variables.tf of versions 20 and 21"
_AWS = "pulumi-aws: eks.Cluster, eks.NodeGroup; pulumi-eks: Cluster"
_KARPENTER = "Karpenter: NodePool and NodeClass"
_BEFORE = "nodepools 0.1, and names of this package at other places"
_POOLS = "Set it in {f:system_pool}, or in a pool of {f:pools}"
_SCALE = "Remove it, and set {f:scale}"
_FIRST_POOL = "Use {f:system_pool}, and {f:pools} for the other pools"
_ENTRA = "Use {f:entra} and {f:admins}"
_SPOT = "Remove it, and set {f:spot}"
_SYSTEM_SPOT = "Remove it: AKS has no system pools of spot nodes"
_VPC = "Set {f:network} to an `ExistingEksNetwork` with its "
_NODE_POOLS = "Use {f:auto_mode.node_pools}: the nodes of EKS Auto Mode come from NodePools"
_REQUIREMENT = "Add a requirement on `{}` to {{f:requirements}}"
_LIMITS = "Remove it: Karpenter launches nodes for Pending pods, and {f:limits} has the maximum"
_OF_CLASS = "Set `{}` of its NodeClass, which {{f:node_class}} names"

BROUGHT: dict[tuple[str, str], dict[str, str]] = {
    ("AksClusterArgs", _AZURERM): {
        "api_server_access_profile": "Use {f:api_server}",
        "api_server_authorized_ip_ranges": "Move it to {f:api_server.authorized_ip_ranges}",
        "auto_scaler_profile": "Use {f:autoscaler}",
        "automatic_channel_upgrade": "auto_upgrade",
        "automatic_upgrade_channel": "auto_upgrade",
        "azure_active_directory_role_based_access_control": _ENTRA,
        "azure_policy_enabled": "azure_policy",
        "cost_analysis_enabled": "cost_analysis",
        "default_node_pool": _FIRST_POOL,
        "http_proxy_config": "Use {f:http_proxy}",
        "image_cleaner_enabled": "Use {f:image_cleaner}",
        "image_cleaner_interval_hours": "Use {f:image_cleaner}",
        "key_management_service": "Use {f:etcd_key}",
        "key_vault_secrets_provider": "Use {f:key_vault_provider}",
        "local_account_disabled": "Remove it, and set {f:entra.local_accounts}, which has the opposite meaning",
        "maintenance_window": "Use {f:maintenance}, or {f:maintenance_configurations}",
        "maintenance_window_auto_upgrade": "Use {f:maintenance}, or {f:maintenance_configurations}",
        "maintenance_window_node_os": "Use {f:maintenance}, or {f:maintenance_configurations}",
        "microsoft_defender": "Use {f:defender}",
        "monitor_metrics": "Use {f:metrics}",
        "node_os_channel_upgrade": "node_os_upgrade",
        "node_os_upgrade_channel": "node_os_upgrade",
        "oidc_issuer_enabled": "oidc_issuer",
        "oms_agent": "Set {f:log_analytics_workspace_id}, or {f:logs}",
        "private_cluster_enabled": "Move it to {f:api_server.private}",
        "private_dns_zone_id": "private_dns_zone",
        "resource_group_name": "resource_group",
        "role_based_access_control_enabled": "Remove it: it is always on",
        "run_command_enabled": "run_command",
        "service_mesh_profile": "Use {f:istio}",
        "sku_tier": "tier",
        "storage_profile": "Use {f:storage}",
        "workload_autoscaler_profile": "Use {f:keda} and {f:vertical_pod_autoscaler}",
        "workload_identity_enabled": "workload_identity",
        **dict.fromkeys(("auto_scaling_enabled", "enable_auto_scaling", "max_count", "min_count", "node_count", "node_labels"), _POOLS),
        **dict.fromkeys(("node_taints", "os_disk_size_gb", "vm_size"), _POOLS),
    },
    ("AksClusterArgs", _AZURE_MODULES): {
        "attach_acr": "Add the id of the registry to {f:registries}",
        "attached_acr_id_map": "Add the ids of the registries to {f:registries}",
        "cluster_name": "name",
        "defender_log_analytics_workspace_id": "Set {f:defender} to a `Defender` with the id of the workspace",
        "diagnostic_settings": "Use {f:audit}",
        "network_plugin": "Move it to {f:network_profile.plugin}",
        "node_pools": _FIRST_POOL,
        "rbac_aad": _ENTRA,
        "vnet_subnet_id": "Set {f:network} to an `ExistingAksNetwork` with its `subnet_id`",
    },
    ("AksClusterArgs", _AZURE_NATIVE): {
        "aad_profile": _ENTRA,
        "addon_profiles": "Use {f:azure_policy}, {f:key_vault_provider} and {f:log_analytics_workspace_id}",
        "agent_pool_profiles": _FIRST_POOL,
        "auto_upgrade_profile": "Use {f:auto_upgrade} and {f:node_os_upgrade}",
        "azure_monitor_profile": "Use {f:metrics} and {f:logs}",
        "disable_local_accounts": "Remove it, and set {f:entra.local_accounts}, which has the opposite meaning",
        "enable_rbac": "Remove it: it is always on",
        "identity_profile": "Use {f:kubelet_identity}",
        "node_provisioning_profile": "Use {f:node_provisioning}",
        "oidc_issuer_profile": "Remove it, and set {f:oidc_issuer}",
        "resource_name_": "name",
        "security_profile": "Use {f:defender}, {f:image_cleaner}, {f:workload_identity} and {f:etcd_key}",
    },
    ("AksClusterArgs", _BEFORE): {"region": "location", "version": "kubernetes_version"},
    ("AgentPool", _AZURERM): {
        "auto_scaling_enabled": _SCALE,
        "enable_host_encryption": "encryption_at_host",
        "fips_enabled": "fips",
        "host_encryption_enabled": "encryption_at_host",
        "node_count": "count",
        "node_public_ip_enabled": "node_public_ip",
        "temporary_name_for_rotation": "Remove it: a pool that rotates gets a new name, and is created before the old one is deleted",
        "ultra_ssd_enabled": "ultra_ssd",
    },
    ("Autoscale", _AZURERM): {"max_count": "max", "maximum": "max", "min_count": "min", "minimum": "min"},
    ("AgentPool", _AZURE_NATIVE): {
        "agent_pool_name": "Remove it: the key of a pool is its name, and {f:name} is for pools that exist",
        "availability_zones": "zones",
        "enable_auto_scaling": _SCALE,
        "enable_encryption_at_host": "encryption_at_host",
        "enable_fips": "fips",
        "enable_node_public_ip": "node_public_ip",
        "enable_ultra_ssd": "ultra_ssd",
        "kubelet_config": "kubelet",
        "linux_os_config": "linux_os",
        "max_count": _SCALE,
        "min_count": _SCALE,
        "mode": "Remove it: the kind of the pool, such as `SystemPool`, has its mode",
        "node_labels": "labels",
        "node_taints": "taints",
        "orchestrator_version": "kubernetes_version",
        "os_type": "Remove it: the kind of the pool has it, and Windows nodes need a `WindowsPool`",
        "upgrade_settings": "upgrade",
    },
    ("AgentPool", _BEFORE): {"disk_size_gb": "os_disk_size_gb", "instance_type": "vm_size", "size": "vm_size", "version": "kubernetes_version"},
    ("SystemPool", _AZURERM): {
        "eviction_policy": _SYSTEM_SPOT,
        "only_critical_addons_enabled": "isolated",
        "priority": _SYSTEM_SPOT,
        "spot_max_price": _SYSTEM_SPOT,
    },
    ("SystemPool", _AZURE_NATIVE): {"scale_set_eviction_policy": _SYSTEM_SPOT, "scale_set_priority": _SYSTEM_SPOT},
    **{
        (pool, source): dict.fromkeys(arguments, _SPOT)
        for pool in ("UserPool", "GpuPool")
        for source, arguments in {
            _AZURERM: ("eviction_policy", "priority", "spot_max_price"),
            _AZURE_NATIVE: ("scale_set_eviction_policy", "scale_set_priority"),
        }.items()
    },
    ("EksClusterArgs", _EKS_MODULE): {
        "addons": "Use {f:add_ons}",
        "cloudwatch_log_group_kms_key_id": "Move it to {f:logs.kms_key}",
        "cloudwatch_log_group_retention_in_days": "Move it to {f:logs.retention_days}",
        "cluster_additional_security_group_ids": "security_group_ids",
        "cluster_addons": "Use {f:add_ons}",
        "cluster_compute_config": "Use {f:auto_mode}",
        "cluster_enabled_log_types": "log_types",
        "cluster_encryption_config": "Set {f:secrets_key} to the ARN of the key",
        "cluster_endpoint_private_access": "Use {f:api_server}",
        "cluster_endpoint_public_access": "Remove it, and set {f:api_server.private}, which has the opposite meaning",
        "cluster_endpoint_public_access_cidrs": "Move it to {f:api_server.authorized_ip_ranges}",
        "cluster_ip_family": "ip_family",
        "cluster_name": "name",
        "cluster_security_group_id": "Add it to {f:security_group_ids}",
        "cluster_service_ipv4_cidr": "service_cidr",
        "cluster_upgrade_policy": "Use {f:upgrade_policy}",
        "cluster_version": "kubernetes_version",
        "cluster_zonal_shift_config": "Use {f:zonal_shift}",
        "control_plane_subnet_ids": f"{_VPC}`control_plane_subnet_ids`",
        "eks_managed_node_groups": _NODE_POOLS,
        "enable_cluster_creator_admin_permissions": "Use {f:creator_is_admin}, or {f:admins}",
        "enable_irsa": "oidc_provider",
        "enabled_log_types": "log_types",
        "encryption_config": "Set {f:secrets_key} to the ARN of the key",
        "endpoint_private_access": "Use {f:api_server}",
        "endpoint_public_access": "Remove it, and set {f:api_server.private}, which has the opposite meaning",
        "endpoint_public_access_cidrs": "Move it to {f:api_server.authorized_ip_ranges}",
        "fargate_profiles": _NODE_POOLS,
        "iam_role_arn": "cluster_role",
        "iam_role_path": "iam_path",
        "iam_role_permissions_boundary": "permissions_boundary",
        "node_security_group_id": "Set `security_groups` of the NodeClasses in {f:auto_mode.node_classes}",
        "self_managed_node_groups": _NODE_POOLS,
        "service_ipv4_cidr": "service_cidr",
        "subnet_ids": f"{_VPC}`private_subnet_ids`",
        "vpc_id": f"{_VPC}`vpc_id`",
    },
    ("EksClusterArgs", _AWS): {
        "access_config": "Use {f:authentication_mode} and {f:creator_is_admin}",
        "bootstrap_self_managed_addons": "Remove it: the add-ons of EKS Auto Mode are part of the cluster",
        "compute_config": "Use {f:auto_mode}",
        "create_oidc_provider": "oidc_provider",
        "desired_capacity": _NODE_POOLS,
        "enabled_cluster_log_types": "log_types",
        "instance_type": _NODE_POOLS,
        "instance_types": _NODE_POOLS,
        "kubernetes_network_config": "Use {f:service_cidr} and {f:ip_family}",
        "max_size": _NODE_POOLS,
        "min_size": _NODE_POOLS,
        "node_group": _NODE_POOLS,
        "node_groups": _NODE_POOLS,
        "private_subnet_ids": f"{_VPC}`private_subnet_ids`",
        "role_arn": "cluster_role",
        "role_mappings": "Use {f:access_entries}",
        "storage_config": "Remove it: it is part of EKS Auto Mode",
        "version": "kubernetes_version",
        "vpc_config": f"{_VPC}`vpc_id`, and use {{f:api_server}} and {{f:security_group_ids}}",
        "zonal_shift_config": "Use {f:zonal_shift}",
    },
    ("EksClusterArgs", _BEFORE): {"location": "region"},
    ("EksNodePool", _AWS): {
        "capacity_type": _REQUIREMENT.format("karpenter.sh/capacity-type"),
        "desired_capacity": _LIMITS,
        "desired_size": _LIMITS,
        "disk_size": _OF_CLASS.format("ephemeral_storage"),
        "instance_type": _REQUIREMENT.format("node.kubernetes.io/instance-type"),
        "instance_types": _REQUIREMENT.format("node.kubernetes.io/instance-type"),
        "max_size": _LIMITS,
        "min_size": _LIMITS,
        "subnet_ids": _OF_CLASS.format("subnets"),
        "zones": _REQUIREMENT.format("topology.kubernetes.io/zone"),
    },
    **{(pool, _KARPENTER): {"node_class_ref": "Set {f:node_class} to the name of the NodeClass"} for pool in ("AksNodePool", "EksNodePool")},
    ("EksNodeClass", _KARPENTER): {
        "disk_size": "Set {f:ephemeral_storage} to a size such as `80Gi`",
        "security_group_selector_terms": "security_groups",
        "subnet_selector_terms": "subnets",
    },
    ("EksNodeClass", _BEFORE): {"own_role": "create_role"},
    ("NodeProvisioning", _BEFORE): {"beside_cluster_autoscaler": "with_cluster_autoscaler", "cilium_marks": "cilium_startup_taint"},
}
"""Arguments of other tools, by model and source: the field with the same value, or a fix if its shape differs."""

POOL_KINDS = {
    "Gpu": "GpuPool",
    "LinuxPool": "UserPool",
    "SpotPool": "UserPool",
    "System": "SystemPool",
    "User": "UserPool",
    "Windows": "WindowsPool",
}
"""Kinds that people write for an agent pool, such as the modes of AKS, with the kinds of declarations. The function `SpotPool` is not a kind."""
