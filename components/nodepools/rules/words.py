"""What shape findings say: our words for every error that pydantic can find in a declaration."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Said:
    """What a finding says. `{…}` are filled in from what pydantic knows."""

    code: str
    message: str
    fix: str
    meant: str | None = None
    """The field that a misspelt one stands for."""

    def filled(self, known: dict[str, object]) -> "Said":
        """With the limits of this very field."""
        return Said(self.code, self.message.format(**known), self.fix.format(**known))


_WHOLE_NUMBER = Said("CFG004", "should be a whole number", "write a whole number, without quotes or fraction")
_NUMBER = Said("CFG004", "should be a number", "write a number, without quotes")
_YES_OR_NO = Said("CFG004", "should be true or false", "write true or false; True or False in Python")
_MAPPING = Said("CFG004", "should be a mapping of names to values", "write names with their values, {{name: value}}")
_LIST = Said("CFG004", "should be a list", "write it in brackets, [ ]")

SAYS = {
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
    "greater_than_equal": Said("CFG007", "should be {ge} or more", "write {ge} or more"),
    "less_than_equal": Said("CFG007", "should be {le} or less", "write {le} or less"),
    "string_too_short": Said("CFG006", "should not be empty", "write it, {min_length} character at least"),
    "string_too_long": Said("CFG006", "should have {max_length} characters at most", "shorten it to {max_length}"),
    "too_short": Said("CFG008", "should have {min_length} entry at least", "add one"),
    "too_long": Said("CFG008", "should have {max_length} entries at most", "leave {max_length}"),
    "invalid_key": Said("CFG002", "is not a field here: fields are words", "remove it"),
}
"""What is said of an error wherever it is found."""

OWN = {
    "budget_nodes": 'write a count, "5", or a percentage, "10%"',
    "cidr": 'write a range, "10.10.0.0/16"',
    "cidr6": 'Write an IPv6 range, such as "fd00:10::/48"',
    "duration": 'write hours, minutes and seconds, "1h30m"',
    "moment": 'write it as Kubernetes does, "2026-11-21T04:40:00Z"',
    "quantity": 'write it in quotes, "500m" or "16Gi"',
    "ref": "write its id as text, a StackOutput, or an Output of text",
    "ref_empty": "leave it out, or write the id",
    "ref_resource": "write its id, such as subnet.id",
    "requirement_values": 'write values as texts, ["4"]',
    "taint": 'write "key=value:NoSchedule", or Taint("key", "value", "NoSchedule")',
    "window_length": 'add an hour, or write tz="UTC"',
    "window_tz": 'write a name of the tz database, "Europe/Paris", or "UTC"; tzdata has to be installed',
    "zones": 'write names, ["us-east-1a", "us-east-1b"], or ids, ["use1-az1", "use1-az2"]',
}
"""What to do about the errors that our own validators raise; they bring their own words."""

_VERSION = Said("CFG006", "should be a version of Kubernetes, with or without its patch", 'write it as "1.35" or "1.35.2"')
_NODES = Said("CFG006", "should be a count or a percentage of nodes, as text", 'write "1" or "33%"')
_BYTES = Said("CFG006", "should be a whole number with its unit", 'write it as "50Mi"')
_DAY = Said("CFG006", "should be a date", 'write it as "2026-12-20"')
_TIME = Said("CFG006", "should be a time of day", 'write it as "02:00"')
_MINUTES = Said("CFG006", "should be whole minutes: Azure knows no other unit here", 'write it as "10m"')
_SECONDS = Said("CFG006", "should be whole seconds or minutes", 'write it as "10s"')

PATTERNS = {
    ("Platform", "name"): Said(
        "CFG006", "should be lower-case letters, digits and hyphens, a letter first, 30 at most", "shorten it, and write it in lower case"
    ),
    ("AksClusterArgs", "kubernetes_version"): _VERSION,
    ("AgentPool", "kubernetes_version"): _VERSION,
    ("AgentPool", "name"): Said(
        "CFG006", "should be lower-case letters and digits, a letter first, 12 at most", "shorten it, or leave it out: the key names the pool"
    ),
    ("UpgradeSettings", "max_surge"): _NODES,
    ("UpgradeSettings", "max_unavailable"): _NODES,
    ("KubeletConfig", "container_log_max_size"): _BYTES,
    ("LinuxOsConfig", "swap_file_size"): _BYTES,
    ("Sysctls", "net_ipv4_ip_local_port_range"): Said("CFG006", "should be two ports", 'write them as "32768 60999"'),
    ("Dates", "start"): _DAY,
    ("Dates", "end"): _DAY,
    ("MaintenanceHours", "start"): _TIME,
    ("Weekly", "days"): Said("CFG006", "should be days of the week, sun to sat, with commas and ranges", 'write "sat", "sat,sun" or "mon-fri"'),
    ("MaintenanceWindow", "start_date"): _DAY,
    ("MaintenanceWindow", "start_time"): _TIME,
    ("MaintenanceWindow", "utc_offset"): Said("CFG006", "should be hours and minutes ahead of UTC, or behind", 'write it as "+01:00"'),
    **{
        ("AutoscalerProfile", name): _MINUTES
        for name in (
            *("max_node_provision_time", "scale_down_delay_after_add", "scale_down_delay_after_failure"),
            *("scale_down_unneeded_time", "scale_down_unready_time"),
        )
    },
    ("AutoscalerProfile", "new_pod_scale_up_delay"): Said("CFG006", "should be one number of seconds, minutes or hours", 'write it as "30s"'),
    ("AutoscalerProfile", "scale_down_delay_after_delete"): _SECONDS,
    ("AutoscalerProfile", "scan_interval"): _SECONDS,
    ("WindowsProfile", "admin_username"): Said("CFG006", "should be letters, digits, - and _, 20 at most", "shorten it, or leave it out"),
    ("EksClusterArgs", "kubernetes_version"): Said("CFG006", "should be a minor version of Kubernetes: EKS chooses the patch", 'write it as "1.35"'),
    ("AksClusterArgs", "subscription_id"): Said(
        "CFG006", "should be the id of a subscription: 32 hexadecimal digits, 8-4-4-4-12", "write its id, as `az account show` gives it, not its name"
    ),
    ("AwsAccount", "id"): Said("CFG006", "should be the twelve digits of an AWS account", "write all twelve, leading zeros too, without hyphens"),
    ("AgentPool", "generation"): Said("CFG006", "should be lower-case letters, digits and hyphens, 32 at most", 'write a word, such as "b"'),
    ("EksClusterArgs", "iam_path"): Said("CFG006", "should begin and end with a slash", 'write it as "/teams/web/"'),
    ("StackOutput", "stack"): Said("CFG006", "should be the full name of a stack", 'write it as "organization/project/stack"'),
}
"""What a pattern means, by the model that has it and its field."""

ELSEWHERE = {
    ("AgentPool", "maintenance"): Said(
        "CFG002", "cannot be said of an agent pool: AKS has one window for all agent pools of a cluster", "move it to the cluster, or to the platform"
    ),
    **{
        (cluster, field): Said("CFG002", f"is not a field of {cluster}", f"move it into api_server, as its field {field}")
        for cluster in ("AksClusterArgs", "EksClusterArgs")
        for field in ("private", "authorized_ip_ranges")
    },
}
"""Fields that people expect of a model and that belong to another, by the model and the field."""

SYNONYMS = {
    "availability_zones": "zones",
    "instance_type": "vm_size",
    "location": "region",
    "max_count": "scale",
    "min_count": "scale",
    "node_class_ref": "node_class",
    "node_count": "count",
    "node_labels": "labels",
    "node_taints": "taints",
    "orchestrator_version": "kubernetes_version",
    "region": "location",
    "size": "vm_size",
    "version": "kubernetes_version",
}
"""What other tools call our fields."""
