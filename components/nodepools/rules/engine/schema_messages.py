"""The texts of schema findings: a message and a fix for every error that pydantic can report about a declaration."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MessageTemplate:
    """The texts of a finding.

    `{field}` is the field itself, `{f:name}` another one of its part, `{true}` and `{false}` are values. Limits come from pydantic.
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
    "cidr": "Write a range, such as `10.10.0.0/16`",
    "cidr6": "Write an IPv6 range, such as `fd00:10::/48`",
    "duration": "Write {example}",
    "endpoints": 'Write each service once, such as `["ecr.api", "ecr.dkr", "s3"]`',
    "moment": "Write a time as Kubernetes does, such as `2026-11-21T04:40:00Z`",
    "quantity": 'Write a quantity such as `"500m"` for CPU or `"16Gi"` for memory',
    "ref": "Write it as text, or as a reference to an output of another stack",
    "ref_empty": "Remove it, or write the id",
    "ref_resource": "Write the id of the resource: its output `id`",
    "requirement_values": 'Write values as text, such as `["4"]`',
    "taint": 'Write `"key=value:NoSchedule"`',
    "window_length": "Use more `hours`, or the time zone `UTC`",
    "window_tz": "Write a name of the tz database, such as `Europe/Paris`, or `UTC`; the package tzdata must be installed",
    "zones": 'Write names, such as `["us-east-1a", "us-east-1b"]`, or ids, such as `["use1-az1", "use1-az2"]`',
}
"""The fixes of errors that the models' own validators raise; these errors have their own messages."""

_VERSION = MessageTemplate(
    "CFG006", "{field} must be a version of Kubernetes, with or without its patch version", 'Write only its numbers: `"1.MINOR"` or `"1.MINOR.PATCH"`'
)
_NODES = MessageTemplate("CFG006", "{field} must be a count or a percentage of nodes, as text", 'Write `"1"` or `"33%"`')
_BYTES = MessageTemplate("CFG006", "{field} must be a whole number with its unit", 'Write a size such as `"50Mi"`')
_DAY = MessageTemplate("CFG006", "{field} must be a date", 'Write a date such as `"2026-12-20"`')
_TIME = MessageTemplate("CFG006", "{field} must be a time of day", 'Write a time such as `"02:00"`')
_MINUTES = MessageTemplate("CFG006", "{field} must be whole minutes: Azure has no other unit here", 'Write a duration such as `"10m"`')
_SECONDS = MessageTemplate("CFG006", "{field} must be whole seconds or minutes", 'Write a duration such as `"10s"`')

PATTERNS = {
    ("Platform", "name"): MessageTemplate(
        "CFG006", "{field} must be at most 30 lowercase letters, digits and hyphens, starting with a letter", "Shorten it, and write it in lower case"
    ),
    ("AksClusterArgs", "kubernetes_version"): _VERSION,
    ("AgentPool", "kubernetes_version"): _VERSION,
    ("AgentPool", "name"): MessageTemplate(
        "CFG006",
        "{field} must be at most 12 lowercase letters and digits, starting with a letter",
        "Use at most 12 lowercase letters and digits, a letter first",
    ),
    ("UpgradeSettings", "max_surge"): _NODES,
    ("UpgradeSettings", "max_unavailable"): _NODES,
    ("KubeletConfig", "container_log_max_size"): _BYTES,
    ("LinuxOsConfig", "swap_file_size"): _BYTES,
    ("Sysctls", "net_ipv4_ip_local_port_range"): MessageTemplate(
        "CFG006", "{field} must be two ports", 'Write the first and the last port, such as `"32768 60999"`'
    ),
    ("Dates", "start"): _DAY,
    ("Dates", "end"): _DAY,
    ("MaintenanceHours", "start"): _TIME,
    ("Weekly", "days"): MessageTemplate(
        "CFG006", "{field} must be days of the week, `sun` to `sat`, with commas and ranges", 'Write `"sat"`, `"sat,sun"` or `"mon-fri"`'
    ),
    ("MaintenanceWindow", "start_date"): _DAY,
    ("MaintenanceWindow", "start_time"): _TIME,
    ("MaintenanceWindow", "utc_offset"): MessageTemplate(
        "CFG006", "{field} must be hours and minutes ahead of UTC, or behind it", 'Write an offset such as `"+01:00"`'
    ),
    **{
        ("AutoscalerProfile", name): _MINUTES
        for name in (
            *("max_node_provision_time", "scale_down_delay_after_add", "scale_down_delay_after_failure"),
            *("scale_down_unneeded_time", "scale_down_unready_time"),
        )
    },
    ("AutoscalerProfile", "new_pod_scale_up_delay"): MessageTemplate(
        "CFG006", "{field} must be one number of seconds, minutes or hours", 'Write a duration such as `"30s"`'
    ),
    ("AutoscalerProfile", "scale_down_delay_after_delete"): _SECONDS,
    ("AutoscalerProfile", "scan_interval"): _SECONDS,
    ("WindowsProfile", "admin_username"): MessageTemplate(
        "CFG006", "{field} must be at most 20 letters, digits, `-` and `_`", "Shorten it, or remove it"
    ),
    ("LinuxProfile", "admin_username"): MessageTemplate(
        "CFG006", "{field} must start with a letter, followed by letters, digits, `-` and `_`", "Use the name that the cluster has in Azure"
    ),
    ("EksNodeClass", "name"): MessageTemplate(
        "CFG006", "{field} must be lowercase letters, digits, `-` and `.`, with a letter or digit at both ends", "Use the name that the NodeClass has"
    ),
    ("EksClusterArgs", "kubernetes_version"): MessageTemplate(
        "CFG006",
        "{field} must be a minor version of Kubernetes: EKS chooses the patch version",
        "Write the minor version alone, without the patch version",
    ),
    ("AksClusterArgs", "subscription_id"): MessageTemplate(
        "CFG006",
        "{field} must be the id of a subscription: 32 hexadecimal digits, 8-4-4-4-12",
        "Write its id, as `az account show` prints it, not its name",
    ),
    ("AksClusterArgs", "name"): MessageTemplate(
        "CFG006",
        "{field} must be at most 63 letters, digits, `-` and `_`, with a letter or digit at both ends",
        "Write the name of the cluster in Azure",
    ),
    ("AksClusterArgs", "dns_prefix"): MessageTemplate(
        "CFG006",
        "{field} must be at most 54 letters, digits and hyphens, with a letter or digit at both ends",
        "Write `dnsPrefix` of the cluster in Azure",
    ),
    ("AksClusterArgs", "fqdn_subdomain"): MessageTemplate(
        "CFG006", "{field} must be at most 63 letters, digits and hyphens, with a letter or digit at both ends", "Write one part of a DNS name"
    ),
    ("AksClusterArgs", "force_upgrade_until"): MessageTemplate(
        "CFG006", "{field} must be a date and time with a time zone", 'Write a time such as `"2026-12-01T06:00:00Z"`'
    ),
    ("WorkloadIdentity", "namespace"): MessageTemplate(
        "CFG006",
        "{field} must be at most 63 lowercase letters, digits and hyphens, with a letter or digit at both ends",
        "Write the name of the namespace",
    ),
    ("WorkloadIdentity", "service_account"): MessageTemplate(
        "CFG006",
        "{field} must be lowercase letters, digits, `-` and `.`, with a letter or digit at both ends",
        "Write the name of the service account",
    ),
    ("AksClusterArgs", "node_resource_group"): MessageTemplate(
        "CFG006", "{field} must be the name of a resource group of at most 80 characters, without a period at the end", "Write its name, not its id"
    ),
    ("EksClusterArgs", "name"): MessageTemplate(
        "CFG006", "{field} must be at most 100 letters, digits, `-` and `_`, with a letter or digit first", "Write the name of the cluster in AWS"
    ),
    ("AwsAccount", "id"): MessageTemplate(
        "CFG006", "{field} must be the 12 digits of an AWS account", "Write all 12 digits in quotes, leading zeros too, without hyphens"
    ),
    ("SubnetTerm", "id"): MessageTemplate("CFG006", "{field} must be the ID of a subnet", "Write the ID, such as `subnet-0123456789abcdef0`"),
    ("SecurityGroupTerm", "id"): MessageTemplate(
        "CFG006", "{field} must be the ID of a security group", "Write the ID, such as `sg-0123456789abcdef0`"
    ),
    ("AmiTerm", "id"): MessageTemplate("CFG006", "{field} must be the ID of an image", "Write the ID, such as `ami-0123456789abcdef0`"),
    ("Ec2ReservationTerm", "id"): MessageTemplate(
        "CFG006", "{field} must be the ID of a capacity reservation", "Write the ID, such as `cr-0123456789abcdef0`"
    ),
    ("Ec2ReservationTerm", "owner"): MessageTemplate("CFG006", "{field} must be the 12 digits of an AWS account", "Write all 12 digits in quotes"),
    ("Ec2PlacementGroup", "id"): MessageTemplate(
        "CFG006", "{field} must be the ID of a placement group", "Write the ID, such as `pg-0123456789abcdef0`"
    ),
    ("AgentPool", "generation"): MessageTemplate(
        "CFG006", "{field} must be at most 32 lowercase letters, digits and hyphens", 'Write a word, such as `"b"`'
    ),
    ("EksClusterArgs", "iam_path"): MessageTemplate("CFG006", "{field} must begin and end with a slash", 'Write a path such as `"/teams/web/"`'),
    ("StackOutput", "stack"): MessageTemplate(
        "CFG006", "{field} must be the full name of a stack", 'Write its full name: `"organization/project/stack"`'
    ),
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
        ("AgentPool", field): MessageTemplate(
            "CFG002", "{field} is not a field of an agent pool: `scale` has the range of its size", "Remove it, and set {f:scale}"
        )
        for field in ("min_count", "max_count", "enable_auto_scaling", "auto_scaling_enabled")
    },
    ("AksClusterArgs", "vnet_subnet_id"): MessageTemplate(
        "CFG002",
        "{field} is not a field of a cluster: its network has the subnet of the nodes",
        "Set {f:network} to an `ExistingAksNetwork` with its `subnet_id`",
    ),
    ("EksClusterArgs", "subnet_ids"): MessageTemplate(
        "CFG002", "{field} is not a field of a cluster: its network has the subnets", "Set {f:network} to an `ExistingEksNetwork`"
    ),
    **{
        ("AksClusterArgs", field): MessageTemplate(
            "CFG002",
            "{field} is not a field of a cluster: its first pool is the system pool",
            "Use {f:system_pool}, and {f:pools} for the other pools",
        )
        for field in ("agent_pool_profiles", "default_node_pool", "node_pools")
    },
    **{
        (cluster, field): MessageTemplate("CFG002", "{field} is not a field of a cluster", "Move it to {f:api_server}")
        for cluster in ("AksClusterArgs", "EksClusterArgs")
        for field in ("private", "authorized_ip_ranges")
    },
}
"""Fields that people expect in a model and that belong to another one, by model and field."""

SYNONYMS = {
    "availability_zones": "zones",
    "beside_cluster_autoscaler": "with_cluster_autoscaler",
    "cilium_marks": "cilium_startup_taint",
    "instance_type": "vm_size",
    "location": "region",
    "cluster_name": "name",
    "cluster_version": "kubernetes_version",
    "disk_size_gb": "os_disk_size_gb",
    "node_class_ref": "node_class",
    "node_count": "count",
    "node_labels": "labels",
    "node_taints": "taints",
    "oidc_issuer_enabled": "oidc_issuer",
    "orchestrator_version": "kubernetes_version",
    "own_role": "create_role",
    "region": "location",
    "size": "vm_size",
    "sku_tier": "tier",
    "upgrade_settings": "upgrade",
    "version": "kubernetes_version",
    "workload_identity_enabled": "workload_identity",
}
"""Names of fields in other tools and in version 0.1, with the fields of declarations."""

POOL_KINDS = {
    "Gpu": "GpuPool",
    "LinuxPool": "UserPool",
    "SpotPool": "UserPool",
    "System": "SystemPool",
    "User": "UserPool",
    "Windows": "WindowsPool",
}
"""Kinds that people write for an agent pool, such as the modes of AKS, with the kinds of declarations. The function `SpotPool` is not a kind."""
