"""Clusters, their log group and their kubeconfig in the spelling of pulumi-aws; the Python spelling is derived from it.

pulumi-aws has the spelling of the Terraform provider that it wraps, which differs from AWS's API. The output of `aws eks describe-cluster` is in
aws_json.py. A new field is a line in the model and a row here. Facts: docs/facts/eks.md § 1.1, § 14, § 16.
"""

import json
from collections.abc import Sequence
from typing import Final

from nodepools.model.access import ApiServer
from nodepools.model.eks.cluster import EksClusterArgs, LogGroup, NewKey
from nodepools.model.eks.node_class import AutoMode
from nodepools.model.unknowns import UNKNOWN
from nodepools.model.values import dataclass
from nodepools.wire.eks.access import CLUSTER_TAGS, FACTS, OURS, UNDOCUMENTED, UPDATED
from nodepools.wire.overrides import Argument, Overrides
from nodepools.wire.rows import OPPOSITE, Note, Pairs, Part, Row, codec, computed
from nodepools.wire.table import Change, Effect, Table


def log_group_name(cluster_name: object) -> str:
    """The name of the log group that EKS writes to: it cannot be chosen."""
    return f"/aws/eks/{cluster_name}/cluster"


def _name_of_log_group(_: LogGroup, cluster_name: object) -> object:
    return UNKNOWN if cluster_name is UNKNOWN else log_group_name(cluster_name)


_FACTS: Final = "docs/facts/eks.md § 16"
_IN_PLACE: Final = Change(Effect.IN_PLACE, f"{_FACTS}: updated in place")
_RETENTION: Final = Change(Effect.IN_PLACE, f"{_FACTS}: updated in place; a shorter time deletes older log events")
_KEY: Final = Change(Effect.IN_PLACE, f"{_FACTS}: updated in place, for new log events; older ones need the former key")
_LOGS_REPLACED: Final = Change(Effect.REPLACES, f"{_FACTS}: replaces the log group, with the loss of its logs unless `keep`")

LOG_GROUP: Final = Table(
    Note("derived", "name", _LOGS_REPLACED, "`/aws/eks/`, the name of the cluster, `/cluster`", compute=_name_of_log_group),
    Note("derived", "region", _LOGS_REPLACED, "the region of the cluster"),
    CLUSTER_TAGS,
    Row("retention_days", "retentionInDays", _RETENTION, always=True, default=0, absent=0),
    Row("kms_key", "kmsKeyId", _KEY),
    Row("keep", "skipDestroy", _IN_PLACE, default=False),
    Note("ours", "existing", OURS),
    Note("unmodeled", "logGroupClass", _LOGS_REPLACED, "subscriptions, alarms and export need the standard class, which is the default"),
    Note("unmodeled", "namePrefix", UNDOCUMENTED, "EKS writes to one fixed name"),
    Note("unmodeled", "deletionProtectionEnabled", _IN_PLACE, "`keep` leaves the logs in AWS without blocking `pulumi destroy`"),
    standalone=UNKNOWN,
)
"""The inputs of a LogGroup. Context is the name of the cluster in AWS."""
_OTHER_KEY: Final = Change(Effect.REPLACES, "Terraform AWS provider, aws_kms_key (2026-11): creates another key")
_SAME_KEY: Final = Change(Effect.IN_PLACE, "Terraform AWS provider, aws_kms_key (2026-11): updated in place; nothing is encrypted again")


def _description(_: NewKey, cluster_name: object) -> object:
    return UNKNOWN if cluster_name is UNKNOWN else f"Secrets of the EKS cluster {cluster_name}"


SECRETS_KEY: Final = Table(
    Note("derived", "description", _SAME_KEY, "names the cluster", compute=_description),
    Note("derived", "enableKeyRotation", _SAME_KEY, "always", compute=computed(lambda _, __: True)),
    Row("rotation_days", "rotationPeriodInDays", _SAME_KEY, always=True),
    Row("deletion_days", "deletionWindowInDays", _SAME_KEY, always=True),
    Note("derived", "region", _OTHER_KEY, "the region of the cluster"),
    CLUSTER_TAGS,
    Note("unmodeled", "policy", _SAME_KEY, "by default, IAM policies of the account decide"),
    Note("unmodeled", "bypassPolicyLockoutSafetyCheck", _SAME_KEY, "no policy is sent"),
    Note("unmodeled", "isEnabled", _SAME_KEY, "a cluster whose key is disabled loses its secrets"),
    *(
        Note("unmodeled", name, _OTHER_KEY, "another kind of key: create it, and name it in `secrets_key`")
        for name in ("customerMasterKeySpec", "keyUsage", "customKeyStoreId", "xksKeyId", "multiRegion")
    ),
    standalone=UNKNOWN,
)
"""The inputs of the Key of `new_secrets_key`. Context is the name of the cluster in AWS."""


def kubeconfig(name: str, endpoint: str, authority: str, region: str, *, profile: str | None = None, role_arn: str | None = None) -> str:
    """A kubeconfig for one cluster as JSON, which is valid YAML.

    Args:
        name: name of the cluster.
        endpoint: URL of its API server.
        authority: its certificate authority, base64.
        region: AWS region of the cluster.
        profile: profile of the AWS configuration for the login (default: from the environment).
        role_arn: role to assume for the login.
    """
    arguments = ["eks", "get-token", "--cluster-name", name, "--region", region, "--output", "json"]
    arguments += ["--role-arn", role_arn] if role_arn is not None else []
    arguments += ["--profile", profile] if profile is not None else []
    login = {
        "apiVersion": "client.authentication.k8s.io/v1beta1",
        "command": "aws",
        "args": arguments,
        "interactiveMode": "Never",
        "installHint": "the AWS CLI is not on PATH: https://docs.aws.amazon.com/cli/latest/userguide/getting-started-install.html",
    }
    return json.dumps(
        {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": name, "cluster": {"server": endpoint, "certificate-authority-data": authority}}],
            "contexts": [{"name": name, "context": {"cluster": name, "user": name}}],
            "current-context": name,
            "users": [{"name": name, "user": {"exec": login}}],
        }
    )


@dataclass(frozen=True, slots=True)
class EksClusterContext:
    """Values of a cluster's request that are not fields of the declaration."""

    stem: object
    """Prefix of the names in AWS."""
    role: object
    """ARN of the cluster role: the declared one, or the one that is created."""
    node_role: object
    """ARN of the node role of the built-in NodePools; `None` without built-in NodePools."""
    subnets: Sequence[object]
    """Ids of the subnets for the control plane."""
    key: object = None
    """ARN of the key of secrets that is created; `None` without one."""


ALONE: Final = EksClusterContext(UNKNOWN, UNKNOWN, UNKNOWN, (UNKNOWN,))
"""Context of a cluster of which nothing else is known."""


def _built_in(auto: AutoMode, around: EksClusterContext) -> object:
    """EKS rejects built-in NodePools without a node role, and a node role without built-in NodePools (C9, C10, C12)."""
    return list(auto.built_in_node_pools) if around.node_role is not None else None


def _node_role(cluster: EksClusterArgs, around: EksClusterContext) -> object:
    return around.node_role if cluster.auto_mode.built_in_node_pools else None


def _ranges(server: ApiServer, _: EksClusterContext) -> object:
    return server.authorized_ip_ranges if not server.private else None


def _secrets_key(cluster: EksClusterArgs, around: EksClusterContext) -> object:
    return cluster.secrets_key if cluster.secrets_key is not None else around.key


def _encrypted(cluster: EksClusterArgs, around: EksClusterContext) -> object:
    return ["secrets"] if _secrets_key(cluster, around) is not None else None


_FAMILIES: Final = {"ipv4": "IPv4", "ipv6": "IPv6"}
_FAMILY: Final = codec(lambda family: "ipv6" if family == "IPv6" else None, lambda word: _FAMILIES[word])
"""Only the other one is sent: the default of EKS is IPv4."""
_KEPT: Final = Change(Effect.IN_PLACE, f"{FACTS}: updated in place; computed by the provider when it is no longer sent", kept=True)
_REPLACED: Final = Change(Effect.REPLACES, f"{FACTS}: replaces the cluster")
_CREATED: Final = Change(Effect.REPLACES, f"{FACTS}: only applies at creation, and ignored by Pulumi after that (C4, C48)", ignored=True)
_ROLLED: Final = Change(
    Effect.ROLLS,
    f"{FACTS}: in place, one minor version at a time; then Auto Mode replaces its nodes within budgets",
    refused="EKS upgrades by one minor version at a time, and `pulumi up` to no lower version: declare the next minor version, apply it, then go on",
)
_SWITCH: Final = Change(
    Effect.REMOVES_NODES, f"{FACTS}: turning it off terminates all nodes of Auto Mode; one of the three alone is rejected (C1, C14)"
)
_POOLS: Final = Change(Effect.REMOVES_NODES, f"{FACTS}: turned on in place; turning it off terminates the nodes of the pool")
_NODE_ROLE: Final = Change(
    Effect.REPLACES, f"{FACTS}: another role replaces the cluster; removed in place together with the last built-in pool (C11)"
)
_EGRESS: Final = Change(Effect.REPLACES, f"{FACTS}: a change from CUSTOMER_ROUTED replaces the cluster, to it is in place (C35)")
KEY: Final = Change(
    Effect.REPLACES, f"{FACTS}: removing it replaces the cluster (C36), adding it is in place; a change of the key is not sent by the provider"
)
_MODE: Final = Change(
    Effect.IN_PLACE,
    f"{FACTS}: only forward, CONFIG_MAP to API_AND_CONFIG_MAP to API (C6)",
    kept=True,
    refused="EKS rejects it: the authentication mode only goes from CONFIG_MAP to API_AND_CONFIG_MAP to API. Keep the mode",
)
_SUBNETS: Final = Change(
    Effect.UNKNOWN,
    f"{FACTS}; AWS: EKS API reference, UpdateClusterConfig (2026-11): in place in the same VPC and in the zones of its creation, otherwise rejected",
)
_SUPPORT: Final = Change(Effect.IN_PLACE, f"{FACTS}: updated in place, while the version has standard support (C32)", kept=True)
_SEPARATE: Final = Change(Effect.NONE, "each is a separate resource, or an object inside the cluster")
_BALANCERS: Final = Change(Effect.IN_PLACE, "docs/facts/eks.md § 19: the scheme of the ingress class follows, which replaces its load balancers")

NETWORK: Final = Table(
    Row("control_plane_subnet_ids", "vpcConfig.subnetIds", _SUBNETS, compute=computed(lambda _, around: list(around.subnets))),
    Row("vpc_id", "vpcConfig.vpcId", Change(Effect.NONE, "AWS derives it from the subnets"), compute=computed(lambda _, __: None)),
    *(Note("ours", name, OURS) for name in ("kind", "private_subnet_ids", "cidr")),
    *(Note("ours", name, _SEPARATE) for name in ("zones", "nat", "endpoints", "ipv6")),
    Note("ours", "public_subnets", _BALANCERS),
)
"""The network: `control_plane_subnet_ids` of an existing VPC, or the subnets of a new one, whose rows are in network.py."""
AUTO_MODE: Final = Table(
    Row("built_in_node_pools", "computeConfig.nodePools", _POOLS, compute=_built_in, absent=[]),
    *(Note("ours", name, _SEPARATE) for name in ("node_pools", "node_classes")),
    Note("ours", "existing_node_classes", OURS, "names of objects that another tool creates"),
)
API_SERVER: Final = Table(
    Row("private", "vpcConfig.endpointPublicAccess", UPDATED, OPPOSITE, default=True),
    Row("authorized_ip_ranges", "vpcConfig.publicAccessCidrs", _KEPT, compute=_ranges, default=["0.0.0.0/0"]),
)
"""From where the API server can be reached: from the VPC, where the nodes are, always."""
_SETTINGS: Final = Change(Effect.IN_PLACE, f"{FACTS} and C49: updated in place, for the control plane alone")
_SCORING: Final = "kubeSchedulerConfig.nodeResourcesFit.scoringStrategy"
CONTROL_PLANE: Final = Table(
    Row("event_ttl", "kubeApiServerConfig.eventTtl", _SETTINGS, default="1h"),
    Row("first_node_port", "kubeApiServerConfig.serviceNodePortRange.minPort", _SETTINGS, default=30000),
    Row("last_node_port", "kubeApiServerConfig.serviceNodePortRange.maxPort", _SETTINGS, default=32767),
    Row(
        "autoscaler_sync_period",
        "kubeControllerManagerConfig.horizontalPodAutoscalerControllerConfig.horizontalPodAutoscalerSyncPeriod",
        _SETTINGS,
        default="15s",
    ),
    Row("terminated_pods", "kubeControllerManagerConfig.podGcControllerConfig.terminatedPodGcThreshold", _SETTINGS),
    Row("scoring", f"{_SCORING}.type", _SETTINGS, default="LeastAllocated"),
    Pairs("scoring_weights", f"{_SCORING}.resources", "name", "weight", _SETTINGS),
)
"""Settings of the processes of the control plane."""
CLUSTER: Final = Table(
    Row("name", "name", _REPLACED, compute=computed(lambda cluster, around: cluster.name if cluster.name is not None else around.stem)),
    Row("region", "region", _REPLACED),
    Row("kubernetes_version", "version", _ROLLED),
    Row("cluster_role", "roleArn", _REPLACED, compute=computed(lambda _, around: around.role)),
    Overrides(
        (
            Argument("bootstrapSelfManagedAddons", _CREATED, value=False, default=True),
            Argument("computeConfig.enabled", _SWITCH, value=True, default=False),
            Argument("kubernetesNetworkConfig.elasticLoadBalancing.enabled", _SWITCH, value=True, default=False),
            Argument("storageConfig.blockStorage.enabled", _SWITCH, value=True, default=False),
            Argument("vpcConfig.endpointPrivateAccess", UPDATED, value=True, default=False),
        )
    ),
    Row("authentication_mode", "accessConfig.authenticationMode", _MODE),  # no default: it depends on how the cluster is created
    Row("creator_is_admin", "accessConfig.bootstrapClusterCreatorAdminPermissions", _CREATED, default=True),
    Part("auto_mode", "", AUTO_MODE),
    Row("node_role", "computeConfig.nodeRoleArn", _NODE_ROLE, compute=_node_role),
    Row("service_cidr", "kubernetesNetworkConfig.serviceIpv4Cidr", _REPLACED, compute=computed(lambda cluster, _: cluster.service_range)),
    Row("ip_family", "kubernetesNetworkConfig.ipFamily", _REPLACED, _FAMILY, default="ipv4"),
    Part("network", "", NETWORK),
    Part("api_server", "", API_SERVER),
    Row("security_group_ids", "vpcConfig.securityGroupIds", UPDATED, default=[]),
    Row("control_plane_egress", "vpcConfig.controlPlaneEgressMode", _EGRESS, default="AWS_MANAGED"),
    Row("log_types", "enabledClusterLogTypes", UPDATED, always=True, default=[], absent=[]),
    Row("upgrade_policy", "upgradePolicy.supportType", _SUPPORT, default="EXTENDED"),
    Row("zonal_shift", "zonalShiftConfig.enabled", UPDATED, default=False),
    Row("control_plane_tier", "controlPlaneScalingConfig.tier", UPDATED, default="standard"),
    Part("control_plane", "", CONTROL_PLANE),
    Row("secrets_key", "encryptionConfig.provider.keyArn", KEY, compute=_secrets_key),
    Note("derived", "encryptionConfig.resources", KEY, "EKS encrypts only secrets with it", compute=_encrypted),
    Row("deletion_protection", "deletionProtection", UPDATED, default=False),
    Row("tags", "tags", UPDATED, always=True, default={}),
    *(Note("ours", name, OURS) for name in ("kind", "apply", "account", "protect", "accepted_errors", "owner", "timeouts")),
    *(
        Note("ours", name, _SEPARATE)
        for name in ("maintenance", "admins", "access_entries", "pod_identities", "identity_provider", "oidc_provider", "add_ons", "objects", "logs")
    ),
    *(Note("ours", name, _SEPARATE) for name in ("iam_path", "permissions_boundary", "cluster_policies", "node_policies", "role_names")),
    *(Note("ours", name, _SEPARATE) for name in ("cluster_statements", "node_statements", "new_secrets_key")),
    Note("unmodeled", "remoteNetworkConfig", UPDATED, "for hybrid nodes, which are not in pools"),
    Note("unmodeled", "outpostConfig", _REPLACED, "a control plane on an Outpost does not support Auto Mode (C31)"),
    Note("unmodeled", "defaultAddonsToRemoves", UNDOCUMENTED, "no default add-ons are installed, so there is none to remove"),
    Note("unmodeled", "forceUpdateVersion", UNDOCUMENTED, "forces one upgrade despite the findings of EKS: a one-time action, not a state"),
    Note("read_only", "vpcConfig.clusterSecurityGroupId"),
    Note("read_only", "kubernetesNetworkConfig.serviceIpv6Cidr", why="EKS chooses it for IPv6 clusters"),
    standalone=ALONE,
)
