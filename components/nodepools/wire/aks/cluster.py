"""Clusters in Azure's API; the Python spelling of azure-native is derived from it. Facts: docs/facts/aks.md § 1, § 2.9, § 4, § 8.

Fields whose change replaces the cluster are always sent, so that they do not depend on a cloud default.
"""

from typing import Final

from nodepools.model.access import ApiServer
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.name_limits import cut
from nodepools.wire.aks.around import ALONE, ClusterAround
from nodepools.wire.aks.autoscaler import AUTOSCALER
from nodepools.wire.aks.cluster_unmodeled import READ_ONLY, UNMODELED
from nodepools.wire.aks.first_pool import FirstPool
from nodepools.wire.aks.identity import Identity
from nodepools.wire.aks.kubelet_identity import OfKubelets
from nodepools.wire.aks.linux import LINUX
from nodepools.wire.aks.network_profile import NETWORK_PROFILE
from nodepools.wire.aks.services import SERVICES
from nodepools.wire.aks.sources import (
    ARTIFACTS,
    BUILT_IN,
    CHANNEL,
    CREATED_WITH,
    ENTRA,
    IN_PLACE,
    INTEGRATED,
    ISSUER,
    KEPT,
    OURS,
    PATH,
    PROVISIONING,
    REPLACED,
    SEPARATE,
    VERSION,
    ZONE,
)
from nodepools.wire.aks.windows import WINDOWS
from nodepools.wire.codecs import OPPOSITE
from nodepools.wire.rows import Part, Presence, Row
from nodepools.wire.table import Table
from nodepools.wire.unmodeled import Always, Note

TIER: Final = "Free"
"""Cloud default of the tier."""
_BALANCER_ALONE: Final = "0.0.0.0/32"
_LONGEST_NAME, _LONGEST_DNS_PREFIX, _LONGEST_GROUP = 63, 54, 80


def cluster_name(cluster: AksClusterArgs, stem: str) -> str:
    """The name in Azure."""
    return cluster.name if cluster.name is not None else cut(stem, _LONGEST_NAME)


def resource_group_name(cluster: AksClusterArgs, stem: str) -> str | None:
    """The name of its resource group; `None` if only the program knows it."""
    if cluster.resource_group is None:
        return stem
    return cluster.resource_group if isinstance(cluster.resource_group, str) else None


def node_group_name(cluster: AksClusterArgs, stem: str) -> str:
    """The name of the resource group of the nodes."""
    return cluster.node_resource_group if cluster.node_resource_group is not None else cut(f"{stem}-nodes", _LONGEST_GROUP)


def _name(cluster: AksClusterArgs, around: ClusterAround) -> object:
    return cluster_name(cluster, around.stem)


def _dns_prefix(cluster: AksClusterArgs, around: ClusterAround) -> object:
    if cluster.fqdn_subdomain is not None:
        return None
    return cluster.dns_prefix if cluster.dns_prefix is not None else cut(around.stem, _LONGEST_DNS_PREFIX)


def _node_group(cluster: AksClusterArgs, around: ClusterAround) -> object:
    return node_group_name(cluster, around.stem)


def _nothing(_: AksClusterArgs, __: ClusterAround) -> object:
    return None


def _ip_ranges(access: ApiServer, around: ClusterAround) -> object:
    """With a NAT gateway, its addresses too: AKS adds only those of its own load balancer, for which `0.0.0.0/32` stands."""
    ranges = access.authorized_ip_ranges
    if access.private or not ranges or not around.egress:
        return None if access.private else ranges
    return (*(one for one in ranges if one != _BALANCER_ALONE), *around.egress)


def _zone(cluster: AksClusterArgs, _: ClusterAround) -> object:
    return cluster.private_dns_zone if cluster.api_server.private else None


def _public_fqdn(cluster: AksClusterArgs, _: ClusterAround) -> object:
    return cluster.private_public_fqdn if cluster.api_server.private else None


def _is_integrated(cluster: AksClusterArgs, _: ClusterAround) -> object:
    return True if cluster.api_server_subnet_id is not None else None


def _is_forced(cluster: AksClusterArgs, _: ClusterAround) -> object:
    return True if cluster.force_upgrade_until is not None else None


def _without_entra(cluster: AksClusterArgs, _: ClusterAround) -> object:
    return False if cluster.entra is None else None


CLUSTER: Final = Table(
    Row("name", "resourceName", PATH, compute=_name),
    Row("resource_group", "resourceGroupName", PATH, compute=_nothing),
    Row("location", "location", REPLACED),
    Row("kubernetes_version", "kubernetesVersion", VERSION),
    Row("dns_prefix", "dnsPrefix", REPLACED, compute=_dns_prefix),
    Row("fqdn_subdomain", "fqdnSubdomain", REPLACED),
    Part(
        "image_cache",
        "",
        Table(Row("registry_id", "bootstrapProfile.containerRegistryId", ARTIFACTS)),
        ARTIFACTS,
        presence=Presence("bootstrapProfile.artifactSource", on="Cache", off=(None, "Direct")),
    ),
    Row("force_upgrade_until", "upgradeSettings.overrideSettings.until", KEPT),
    Note("derived", "upgradeSettings.overrideSettings.forceUpgrade", KEPT, "true if a time is set", compute=_is_forced),
    Row("node_resource_group", "nodeResourceGroup", REPLACED, compute=_node_group),
    Row("node_resource_group_restriction", "nodeResourceGroupProfile.restrictionLevel", KEPT, default="Unrestricted"),
    Always("sku.name", "Base", CREATED_WITH),
    Row("tier", "sku.tier", IN_PLACE, default=TIER),
    Identity("identity", IN_PLACE),
    OfKubelets("kubelet_identity"),
    FirstPool("system_pool", "agentPoolProfiles"),
    Part("network_profile", "networkProfile", NETWORK_PROFILE),
    Part(
        "node_provisioning",
        "",
        Table(
            Row("default_node_pools", "nodeProvisioningProfile.defaultNodePools", BUILT_IN, default="Auto"),
            *(Note("ours", name, SEPARATE, "objects inside the cluster") for name in ("node_classes", "node_pools")),
            *(Note("ours", name, OURS) for name in ("existing_node_classes", "with_cluster_autoscaler", "cilium_startup_taint")),
        ),
        PROVISIONING,
        presence=Presence("nodeProvisioningProfile.mode", on="Auto", off=("Manual",)),
    ),
    Row("oidc_issuer", "oidcIssuerProfile.enabled", ISSUER),
    Row("workload_identity", "securityProfile.workloadIdentity.enabled", KEPT, default=False),
    Part(
        "api_server",
        "",
        Table(
            Row("private", "apiServerAccessProfile.enablePrivateCluster", CREATED_WITH, default=False),
            Row("authorized_ip_ranges", "apiServerAccessProfile.authorizedIPRanges", IN_PLACE, compute=_ip_ranges, always=True),
        ),
    ),
    Row("private_dns_zone", "apiServerAccessProfile.privateDNSZone", ZONE, compute=_zone, default="system"),
    Row("private_public_fqdn", "apiServerAccessProfile.enablePrivateClusterPublicFQDN", KEPT, compute=_public_fqdn, default=True),
    Row("run_command", "apiServerAccessProfile.disableRunCommand", KEPT, OPPOSITE, default=False),
    Row("api_server_subnet_id", "apiServerAccessProfile.subnetId", INTEGRATED),
    Note("derived", "apiServerAccessProfile.enableVnetIntegration", INTEGRATED, "true if the API server has a subnet", compute=_is_integrated),
    Always("enableRBAC", True, CREATED_WITH),
    Row("tags", "tags", IN_PLACE, always=True),
    Row("support_plan", "supportPlan", KEPT, default="KubernetesOfficial"),
    Row("auto_upgrade", "autoUpgradeProfile.upgradeChannel", KEPT, default="none"),
    Row("node_os_upgrade", "autoUpgradeProfile.nodeOSUpgradeChannel", CHANNEL, default="NodeImage"),
    Part("autoscaler", "autoScalerProfile", AUTOSCALER, KEPT),
    Part("linux_profile", "linuxProfile", LINUX, REPLACED),
    Part("windows_profile", "windowsProfile", WINDOWS, REPLACED),
    *SERVICES,
    Row("disk_encryption_set_id", "diskEncryptionSetID", REPLACED),
    Part(
        "entra",
        "",
        Table(
            Row("tenant_id", "aadProfile.tenantID", IN_PLACE),
            Row("azure_rbac", "aadProfile.enableAzureRBAC", IN_PLACE, default=False, absent=False),
            Row("admin_groups", "aadProfile.adminGroupObjectIDs", KEPT, default=[]),
            Row("local_accounts", "disableLocalAccounts", IN_PLACE, OPPOSITE, default=False, absent=True),
            Note("ours", "deployer_is_admin", SEPARATE, "a role assignment"),
        ),
        ENTRA,
        presence=Presence("aadProfile.managed", on=True, off=(None, False)),
    ),
    Note("derived", "disableLocalAccounts", IN_PLACE, "false without `entra`", compute=_without_entra),
    *(Note("ours", name, SEPARATE, "resources of their own") for name in ("pools", "network", "maintenance_configurations", "admins")),
    Note("ours", "workload_identities", SEPARATE, "identities, credentials and role assignments"),
    *(Note("ours", name, SEPARATE, "objects inside the cluster") for name in ("device_plugin", "apply")),
    Note("ours", "network_rights", SEPARATE, "role assignments"),
    Note("ours", "maintenance", SEPARATE, "sent as maintenance configurations and as budgets of NodePools"),
    Note("ours", "subscription_id", PATH, "subscription of the provider"),
    *(Note("ours", name, OURS) for name in ("kind", "gpu_operator", "protect", "accepted_errors", "timeouts", "overrides")),
    *UNMODELED,
    *READ_ONLY,
    alone=ALONE,
)
"""A ManagedCluster."""
