"""The cluster, as `aws:eks:Cluster` of pulumi-aws has it; the Python spelling of its arguments follows from it.

pulumi-aws has the spelling of the Terraform provider that it wraps, which is not the one of AWS's API: what `aws eks describe-cluster` prints is
in described.py. A new field is a line in the model and a row here. Facts: docs/facts/eks.md § 1.1, § 14.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from nodepools.model.access import ApiServer
from nodepools.model.base import Model
from nodepools.model.eks.auto_mode import AutoMode
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.unknowns import UNKNOWN
from nodepools.wire.codecs import OPPOSITE
from nodepools.wire.effects import Change, Effect
from nodepools.wire.overrides import Argument, Overrides
from nodepools.wire.rows import Part, Row
from nodepools.wire.table import Table
from nodepools.wire.unmodeled import Note


@dataclass(frozen=True, slots=True)
class Around:
    """What is sent for a cluster that its declaration does not have."""

    name: object
    role: object
    """ARN of the role of the control plane: the declared one, or the one that is made."""
    node_role: object
    """ARN of the role of the nodes of its built-in pools; `None` without such pools."""
    subnets: Sequence[object]
    """Ids of the subnets of the control plane."""


ALONE: Final = Around(UNKNOWN, UNKNOWN, UNKNOWN, (UNKNOWN,))
"""Of a cluster of which nothing else is known."""


def _name(_: EksClusterArgs, around: Around) -> object:
    return around.name


def _role(_: EksClusterArgs, around: Around) -> object:
    return around.role


def _subnets(_: Model, around: Around) -> object:
    return list(around.subnets)


def _service_range(cluster: EksClusterArgs, _: Around) -> object:
    return cluster.service_range


def _built_in(auto: AutoMode, around: Around) -> object:
    """With their role, without which EKS rejects them, as it rejects the role without them (C9, C10, C12)."""
    return list(auto.built_in_node_pools) if around.node_role is not None else None


def _node_role(cluster: EksClusterArgs, around: Around) -> object:
    return around.node_role if cluster.auto_mode.built_in_node_pools else None


def _ranges(server: ApiServer, _: Around) -> object:
    return server.authorized_ip_ranges if not server.private else None


def _encrypted(cluster: EksClusterArgs, _: Around) -> object:
    return ["secrets"] if cluster.secrets_key is not None else None


def _nothing(_: Model, __: Around) -> object:
    return None


_FACTS: Final = "docs/facts/eks.md § 14"
UPDATED: Final = Change(Effect.IN_PLACE, f"{_FACTS}: updated in place")
_KEPT: Final = Change(Effect.IN_PLACE, f"{_FACTS}: updated in place; computed by the provider when it is no longer sent", kept=True)
_REPLACED: Final = Change(Effect.REPLACES, f"{_FACTS}: replaces the cluster")
_CREATED: Final = Change(Effect.REPLACES, f"{_FACTS}: set at creation alone, and ignored by Pulumi after that (C4, C48)", ignored=True)
_ROLLED: Final = Change(Effect.ROLLS, f"{_FACTS}: in place, one minor version up; then Auto Mode replaces its nodes within budgets")
_SWITCH: Final = Change(Effect.REMOVES_NODES, f"{_FACTS}: off ends all nodes of Auto Mode; one of the three alone is rejected (C1, C14)")
_POOLS: Final = Change(Effect.REMOVES_NODES, f"{_FACTS}: on in place; off ends the nodes of the pool")
_NODE_ROLE: Final = Change(Effect.REPLACES, f"{_FACTS}: another role replaces the cluster; with the last built-in pool it goes in place (C11)")
_EGRESS: Final = Change(Effect.REPLACES, f"{_FACTS}: from CUSTOMER_ROUTED back replaces the cluster, to it in place (C35)")
KEY: Final = Change(
    Effect.REPLACES, f"{_FACTS}: removing it replaces the cluster (C36), adding it is in place; of another key the provider sends nothing"
)
_MODE: Final = Change(Effect.IN_PLACE, f"{_FACTS}: forward only, CONFIG_MAP to API_AND_CONFIG_MAP to API (C6)", kept=True)
_SUPPORT: Final = Change(Effect.IN_PLACE, f"{_FACTS}: updated in place, while the version has standard support (C32)", kept=True)
_UNTOLD: Final = Change(Effect.UNKNOWN, "no source says")
_OURS: Final = Change(Effect.NONE, "no argument has it")
_BESIDE: Final = Change(Effect.NONE, "each is a resource of its own, or an object in the cluster")
_SETTINGS: Final = "settings of control plane processes, some for large tiers only (C34): what pools do does not depend on them"

NETWORK: Final = Table(
    Row("control_plane_subnet_ids", "vpcConfig.subnetIds", UPDATED, says=_subnets),
    Row("vpc_id", "vpcConfig.vpcId", Change(Effect.NONE, "AWS tells it, by the subnets"), says=_nothing),
    *(Note("ours", name, _OURS) for name in ("kind", "private_subnet_ids", "cidr")),
    *(Note("ours", name, _BESIDE) for name in ("zones", "nat")),
)
"""The network: `control_plane_subnet_ids` of an existing one, and the subnets that are made for a new one, whose rows are in network.py."""
AUTO_MODE: Final = Table(
    Row("built_in_node_pools", "computeConfig.nodePools", _POOLS, says=_built_in, absent=[]),
    *(Note("ours", name, _BESIDE) for name in ("node_pools", "node_classes")),
)
API_SERVER: Final = Table(
    Row("private", "vpcConfig.endpointPublicAccess", UPDATED, OPPOSITE, default=True),
    Row("authorized_ip_ranges", "vpcConfig.publicAccessCidrs", _KEPT, says=_ranges, default=["0.0.0.0/0"]),
)
"""From where the API server can be reached: from the VPC, where the nodes are, always."""
CLUSTER: Final = Table(
    Note("derived", "name", _REPLACED, "the name of the component", says=_name),
    Row("region", "region", _REPLACED),
    Row("kubernetes_version", "version", _ROLLED),
    Row("cluster_role", "roleArn", _REPLACED, says=_role),
    Overrides(
        (
            Argument("bootstrapSelfManagedAddons", _CREATED, value=False, default=True),
            Argument("accessConfig.authenticationMode", _MODE, value="API"),  # left out, it may be any: EKS's default depends on who creates it
            Argument("computeConfig.enabled", _SWITCH, value=True, default=False),
            Argument("kubernetesNetworkConfig.elasticLoadBalancing.enabled", _SWITCH, value=True, default=False),
            Argument("storageConfig.blockStorage.enabled", _SWITCH, value=True, default=False),
            Argument("vpcConfig.endpointPrivateAccess", UPDATED, value=True, default=False),
            Argument("vpcConfig.securityGroupIds", UPDATED, default=[]),
            Argument("kubernetesNetworkConfig.ipFamily", _REPLACED, default="ipv4"),
            Argument("zonalShiftConfig.enabled", UPDATED, default=False),
        )
    ),
    Row("creator_is_admin", "accessConfig.bootstrapClusterCreatorAdminPermissions", _CREATED, default=True),
    Part("auto_mode", "", AUTO_MODE),
    Row("node_role", "computeConfig.nodeRoleArn", _NODE_ROLE, says=_node_role),
    Row("service_cidr", "kubernetesNetworkConfig.serviceIpv4Cidr", _REPLACED, says=_service_range),
    Part("network", "", NETWORK),
    Part("api_server", "", API_SERVER),
    Row("control_plane_egress", "vpcConfig.controlPlaneEgressMode", _EGRESS, default="AWS_MANAGED"),
    Row("log_types", "enabledClusterLogTypes", UPDATED, always=True, default=[], absent=[]),
    Row("upgrade_policy", "upgradePolicy.supportType", _SUPPORT, default="EXTENDED"),
    Row("control_plane_tier", "controlPlaneScalingConfig.tier", UPDATED, default="standard"),
    Row("secrets_key", "encryptionConfig.provider.keyArn", KEY),
    Note("derived", "encryptionConfig.resources", KEY, "secrets are all that EKS encrypts", says=_encrypted),
    Row("deletion_protection", "deletionProtection", UPDATED, default=False),
    Row("tags", "tags", UPDATED, always=True, default={}),
    *(Note("ours", name, _OURS) for name in ("kind", "apply", "account", "protect", "timeouts")),
    *(Note("ours", name, _BESIDE) for name in ("maintenance", "admins", "access_entries", "pod_identities", "oidc_provider", "add_ons", "objects")),
    *(Note("ours", name, _BESIDE) for name in ("iam_path", "permissions_boundary")),
    Note("left", "kubernetesNetworkConfig.serviceIpv6Cidr", _UNTOLD, "EKS chooses it where the family is ipv6"),
    Note("left", "remoteNetworkConfig", UPDATED, "hybrid nodes, which are in no pool"),
    Note("left", "outpostConfig", _REPLACED, "a control plane on an Outpost has no Auto Mode (C31)"),
    Note("left", "defaultAddonsToRemoves", _UNTOLD, "without EKS's own add-ons none is to be removed"),
    Note("left", "forceUpdateVersion", _UNTOLD, "an upgrade against the findings of EKS's own check is for one update: nothing to declare"),
    *(Note("left", name, _UNTOLD, _SETTINGS) for name in ("kubeApiServerConfig", "kubeControllerManagerConfig", "kubeSchedulerConfig")),
    Note("told", "vpcConfig.clusterSecurityGroupId"),
    alone=ALONE,
)
"""The inputs of a Cluster."""
