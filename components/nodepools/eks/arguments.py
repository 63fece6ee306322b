"""The arguments of `aws:eks:Cluster`. Facts: docs/facts/eks.md § 1.1."""

from collections.abc import Sequence

import pulumi
from pulumi_aws import eks

from nodepools.manifests.overlay import overlaid
from nodepools.model.eks.cluster import EksClusterArgs


def cluster_arguments(
    name: str,
    args: EksClusterArgs,
    *,
    role: pulumi.Input[str],
    node_role: pulumi.Input[str] | None,
    subnets: Sequence[pulumi.Input[str]],
    secrets_key: pulumi.Input[str] | None = None,
) -> dict[str, object]:
    """A cluster in Auto Mode: its three switches are plain values, since the provider takes an unknown one for "off" (C1, C2)."""
    made: dict[str, object] = {
        "name": name,
        "region": args.region,
        "version": args.kubernetes_version,
        "role_arn": role,
        "access_config": {"authentication_mode": "API", "bootstrap_cluster_creator_admin_permissions": args.creator_is_admin},
        "bootstrap_self_managed_addons": False,  # C3
        "compute_config": _compute(args, node_role),
        "storage_config": {"block_storage": {"enabled": True}},
        "kubernetes_network_config": {"elastic_load_balancing": {"enabled": True}, "service_ipv4_cidr": args.service_range},
        "vpc_config": _reach(args, subnets),
        "enabled_cluster_log_types": list(args.log_types),
        **_choices(args, secrets_key),
        "deletion_protection": args.deletion_protection,
        "tags": dict(args.tags),
    }
    return overlaid(made, args.overrides)


def _compute(args: EksClusterArgs, node_role: pulumi.Input[str] | None) -> eks.ClusterComputeConfigArgsDict:
    """With built-in pools their names and role, without them neither: EKS refuses one without the other (C9, C10, C12)."""
    if not args.auto_mode.built_in_node_pools or node_role is None:
        return {"enabled": True}
    return {"enabled": True, "node_pools": list(args.auto_mode.built_in_node_pools), "node_role_arn": node_role}


def _choices(args: EksClusterArgs, secrets_key: pulumi.Input[str] | None) -> dict[str, object]:
    """What AWS decides where it is left out."""
    made: dict[str, object] = {}
    if args.upgrade_policy is not None:
        made["upgrade_policy"] = {"support_type": args.upgrade_policy}
    if args.control_plane_tier is not None:
        made["control_plane_scaling_config"] = {"tier": args.control_plane_tier}
    if secrets_key is not None:
        made["encryption_config"] = {"provider": {"key_arn": secrets_key}, "resources": ["secrets"]}
    return made


def _reach(args: EksClusterArgs, subnets: Sequence[pulumi.Input[str]]) -> eks.ClusterVpcConfigArgsDict:
    """The API server is always reached from the VPC, where the nodes are; from the internet unless it is private."""
    reach: eks.ClusterVpcConfigArgsDict = {
        "subnet_ids": list(subnets),
        "endpoint_private_access": True,
        "endpoint_public_access": not args.api_server.private,
    }
    if args.api_server.authorized_ip_ranges and not args.api_server.private:
        reach["public_access_cidrs"] = list(args.api_server.authorized_ip_ranges)
    if args.control_plane_egress is not None:
        reach["control_plane_egress_mode"] = args.control_plane_egress
    return reach
