"""The arguments of Terraform's provider aws for EKS. Its Pulumi provider is made of it: places are the same in camel case.

Names are those of aws 6 (website/docs/r/eks_*.html.markdown, 2026-11). Managed node groups have the names of the EKS API.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from nodepools.model.eks.access import IdentityProvider
from nodepools.wire.paths import value_at
from nodepools.wire.rows import Note
from nodepools.wire.table import Change, Effect, Pattern, Table, camel
from nodepools.wire.terraform import Argument, Arguments, listed_entries, text_list

PROVIDER: Final = "aws"
_OF_AWS: Final = "set by AWS"
_COMPUTED: Final = dict.fromkeys(("id", "arn", "tags_all", "status", "created_at", "modified_at"), _OF_AWS) | {"timeouts": "how long Terraform waits"}


def _alike(names: Iterable[str]) -> dict[str, Argument]:
    return {name: Argument(".".join(map(camel, name.split(".")))) for name in names}


_CONTROLLERS: Final = "kube_controller_manager_config"
_SCORING: Final = "kube_scheduler_config.node_resources_fit.scoring_strategy"
CLUSTER: Final = Arguments(
    "aws_eks_cluster",
    {
        **_alike(("name", "role_arn", "version", "region", "tags", "bootstrap_self_managed_addons", "deletion_protection", "force_update_version")),
        **_alike(("access_config.authentication_mode", "access_config.bootstrap_cluster_creator_admin_permissions")),
        **_alike(("compute_config.enabled", "compute_config.node_role_arn", "control_plane_scaling_config.tier")),
        "compute_config.node_pools": Argument("computeConfig.nodePools", text_list),
        "enabled_cluster_log_types": Argument("enabledClusterLogTypes", text_list),
        "default_addons_to_remove": Argument("defaultAddonsToRemoves"),
        **_alike(("encryption_config.provider.key_arn", "encryption_config.resources", "upgrade_policy.support_type", "zonal_shift_config.enabled")),
        **_alike(("kubernetes_network_config.elastic_load_balancing.enabled", "kubernetes_network_config.ip_family")),
        **_alike(("kubernetes_network_config.service_ipv4_cidr", "kubernetes_network_config.service_ipv6_cidr")),
        **_alike(("storage_config.block_storage.enabled", "vpc_config.endpoint_private_access", "vpc_config.endpoint_public_access")),
        **_alike(("vpc_config.public_access_cidrs", "vpc_config.security_group_ids", "vpc_config.subnet_ids", "vpc_config.vpc_id")),
        **_alike(("vpc_config.cluster_security_group_id", "vpc_config.control_plane_egress_mode")),
        **_alike(("outpost_config.control_plane_instance_type", "outpost_config.outpost_arns", "outpost_config.control_plane_placement")),
        **_alike(("outpost_config.etcd_instance_type", "outpost_config.etcd_placement")),
        **_alike(("kube_api_server_config.event_ttl", "kube_api_server_config.service_node_port_range.min_port")),
        **_alike(("kube_api_server_config.service_node_port_range.max_port", f"{_SCORING}.type")),
        **_alike((f"{_CONTROLLERS}.horizontal_pod_autoscaler_controller_config.horizontal_pod_autoscaler_sync_period",)),
        **_alike((f"{_CONTROLLERS}.pod_gc_controller_config.terminated_pod_gc_threshold",)),
        f"{_SCORING}.resources": Argument(
            "kubeSchedulerConfig.nodeResourcesFit.scoringStrategy.resources", listed_entries({"name": "name", "weight": "weight"})
        ),
        **_alike(("remote_network_config.remote_node_networks", "remote_network_config.remote_pod_networks")),
    },
    {**_COMPUTED, **dict.fromkeys(("certificate_authority", "cluster_id", "endpoint", "identity", "platform_version"), _OF_AWS)},
)
_OF_CLUSTER: Final = ("cluster_name", "region", "tags")
ACCESS_ENTRY: Final = Arguments(
    "aws_eks_access_entry",
    {**_alike((*_OF_CLUSTER, "principal_arn", "type", "user_name")), "kubernetes_groups": Argument("kubernetesGroups", text_list)},
    {**_COMPUTED, "access_entry_arn": _OF_AWS},
)
ACCESS_POLICY: Final = Arguments(
    "aws_eks_access_policy_association",
    _alike(("cluster_name", "region", "principal_arn", "policy_arn", "access_scope.type", "access_scope.namespaces")),
    {**_COMPUTED, "associated_at": _OF_AWS},
)
POD_IDENTITY: Final = Arguments(
    "aws_eks_pod_identity_association",
    _alike((*_OF_CLUSTER, "namespace", "service_account", "role_arn", "target_role_arn", "disable_session_tags", "policy")),
    {**_COMPUTED, "association_arn": _OF_AWS, "association_id": _OF_AWS, "external_id": _OF_AWS},
)
IDENTITY_PROVIDER: Final = Arguments(
    "aws_eks_identity_provider_config",
    _alike((*_OF_CLUSTER, "oidc.identity_provider_config_name", *(f"oidc.{name}" for name in list(IdentityProvider.model_fields)[1:]))),
    _COMPUTED,
)
ADD_ON: Final = Arguments(
    "aws_eks_addon",
    {
        **_alike((*_OF_CLUSTER, "addon_name", "addon_version", "configuration_values", "service_account_role_arn", "preserve")),
        **_alike(("resolve_conflicts_on_create", "resolve_conflicts_on_update", "namespace_config.namespace")),
        "pod_identity_association": Argument("podIdentityAssociations", listed_entries({"service_account": "serviceAccount", "role_arn": "roleArn"})),
    },
    {**_COMPUTED, "resolve_conflicts": "removed in aws 6: the two others have replaced it"},
)
_TAINT: Final = {"key": "key", "value": "value", "effect": "effect"}
NODE_GROUP: Final = Arguments(
    "aws_eks_node_group",
    {
        "cluster_name": Argument("clusterName"),
        "region": Argument("region"),
        "node_group_name": Argument("nodegroupName"),
        "node_role_arn": Argument("nodeRole"),
        "subnet_ids": Argument("subnets", text_list),
        "taint": Argument("taints", listed_entries(_TAINT)),
        **_alike(("ami_type", "capacity_type", "disk_size", "instance_types", "labels", "release_version", "tags", "version")),
        **_alike(("scaling_config.desired_size", "scaling_config.max_size", "scaling_config.min_size")),
        **_alike(("launch_template.id", "launch_template.name", "launch_template.version")),
        **_alike(("update_config.max_unavailable", "update_config.max_unavailable_percentage", "update_config.update_strategy")),
        **_alike(("remote_access.ec2_ssh_key", "remote_access.source_security_group_ids")),
    },
    {
        **_COMPUTED,
        "resources": _OF_AWS,
        "node_group_name_prefix": "the name that it begins is there, too",
        "force_update_version": "what an update does with pods that cannot be evicted",
        "node_repair_config": "which unhealthy nodes EKS replaces",
        "warm_pool_config": "instances that wait next to the nodes",
    },
)
_DOCS: Final = "https://registry.terraform.io/providers/hashicorp/aws/latest/docs/resources/eks_node_group"
_GUIDE: Final = "https://docs.aws.amazon.com/eks/latest/userguide"
_NEW: Final = Change(Effect.REPLACES, f"{_DOCS}: another value creates another node group")
_UPDATED: Final = Change(Effect.IN_PLACE, f"{_GUIDE}/update-managed-node-group.html: the configuration changes, nodes stay")
_ROLLED: Final = Change(
    Effect.REIMAGES, f"{_GUIDE}/managed-node-update-behavior.html: new nodes are launched, then old ones are drained, `update_config` at a time"
)
_SIZE: Final = Change(Effect.IN_PLACE, f"{_GUIDE}/managed-node-groups.html: fewer nodes are removed without regard to PodDisruptionBudgets")
_CHANGES: Final[Mapping[str, Change]] = {
    **dict.fromkeys(("clusterName", "region", "nodegroupName", "nodeRole", "subnets", "amiType", "capacityType", "diskSize", "instanceTypes"), _NEW),
    **dict.fromkeys(("launchTemplate.id", "launchTemplate.name", "remoteAccess.ec2SshKey", "remoteAccess.sourceSecurityGroupIds"), _NEW),
    **dict.fromkeys(("version", "releaseVersion", "launchTemplate.version"), _ROLLED),
    **dict.fromkeys(("labels", "taints", "tags", "scalingConfig.maxSize", "scalingConfig.minSize"), _UPDATED),
    **dict.fromkeys(("updateConfig.maxUnavailable", "updateConfig.maxUnavailablePercentage", "updateConfig.updateStrategy"), _UPDATED),
    "scalingConfig.desiredSize": _SIZE,
}
_LEAST, _WANTED, _MOST = (("scalingConfig", name) for name in ("minSize", "desiredSize", "maxSize"))
_AT_ONCE: Final[Pattern] = ("updateConfig", "maxUnavailable")
_BOUNDS: Final[Sequence[tuple[Pattern, Pattern]]] = ((_LEAST, _MOST), (_AT_ONCE, _MOST), (_LEAST, _WANTED), (_WANTED, _MOST))


def rejected_size(group: Mapping[str, object], changed: Pattern = (), *, desired: bool = True) -> str:
    """Why EKS rejects the sizes of a node group because of the argument that changes, or of any; empty if it does not for certain.

    Without `desired`, the declared size is not what is sent: Pulumi can ignore its changes. Terraform sends what its plan has (2026-11). Sources: EKS
    API, NodegroupScalingConfig; terraform-aws-eks#3306, cloud-platform-infrastructure#4595, terraform-provider-aws#26551 (messages of EKS).
    """
    for lower, upper in _BOUNDS if desired else _BOUNDS[:2]:
        least, most = value_at(group, lower), value_at(group, upper)
        is_about = changed in ((), lower) or (changed == upper and lower != _AT_ONCE)
        if is_about and type(least) is int and type(most) is int and least > most:
            return f"EKS rejects `{lower[-1]}` above `{upper[-1]}`: {least} is more than {most}"
    return ""


PULUMI_NAMES: Final[Mapping[str, str]] = {"nodegroupName": "nodeGroupName", "nodeRole": "nodeRoleArn", "subnets": "subnetIds"}
"""What the API of EKS names otherwise."""


def _groups(names: Mapping[str, str]) -> Table:
    return Table(*(Note("unmodeled", names.get(wire, wire), change, "node groups are not declared here") for wire, change in _CHANGES.items()))


NODE_GROUPS: Final = _groups({})
"""The effect of a change of a node group."""
PULUMI_NODE_GROUPS: Final = _groups(PULUMI_NAMES)
"""The same, as Pulumi registers it."""
