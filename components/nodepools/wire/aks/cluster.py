"""Clusters in Azure's API; the Python spelling of azure-native is derived from it. Facts: docs/facts/aks.md § 1, § 2.9, § 4, § 8.

Fields whose change replaces the cluster are always sent, so that they do not depend on a cloud default.
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple, cast

from nodepools.model.access import ApiServer
from nodepools.model.aks.agent_pool import SystemPool
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.network import ExistingAksNetwork
from nodepools.model.aks.workload_identity import KubeletIdentity
from nodepools.model.base import Model
from nodepools.model.name_limits import cut
from nodepools.model.steps import Steps
from nodepools.model.unknowns import UNKNOWN
from nodepools.wire.aks.agent_pool import INLINE
from nodepools.wire.aks.cluster_context import STANDALONE, AksClusterContext, Identity, cluster_name, node_group_name
from nodepools.wire.aks.generation import first_pool_name
from nodepools.wire.aks.network_profile import NETWORK_PROFILE
from nodepools.wire.aks.services import SERVICES
from nodepools.wire.aks.sources import (
    ARTIFACTS,
    BUILT_IN,
    CHANNEL,
    CREATED_WITH,
    ENTRA,
    HOSTED,
    IN_PLACE,
    INTEGRATED,
    ISSUER,
    KEPT,
    OURS,
    PACKAGE,
    PATH,
    PRINCIPAL,
    PROVISIONING,
    REPLACED,
    SEPARATE,
    SKU,
    UNDOCUMENTED,
    VERSION,
    ZONE,
)
from nodepools.wire.reading import UNREADABLE, Reading, Why, Writing, is_known
from nodepools.wire.rows import BOOL_AS_TEXT, NUMBER_AS_TEXT, OPPOSITE, SAME, WHOLE_AS_TEXT, Always, Codec, Note, Part, Presence, Row, codec, computed
from nodepools.wire.table import Change, Effect, FieldPath, Pattern, Table, Written, camel, own_place, path

_LICENSED: Final = "Windows_Server"


WINDOWS: Final = Table(
    Row("admin_username", "adminUsername"),
    Row("admin_password", "adminPassword"),
    Row("hybrid_benefit", "licenseType", codec=codec(lambda is_on: _LICENSED if is_on else None, lambda word: word == _LICENSED), default="None"),
    Row("csi_proxy", "enableCSIProxy", default=True),
    Part(
        "gmsa",
        "",
        Table(Row("dns_server", "gmsaProfile.dnsServer"), Row("root_domain_name", "gmsaProfile.rootDomainName")),
        presence=Presence("gmsaProfile.enabled", on=True, off=(None, False)),
    ),
)


_SSH_KEY_DATA: Final = "keyData"


class OnlyKey(NamedTuple):
    """A public key, in a list that can contain one."""

    field: str
    wire: str
    change: Change | None = None

    def write(self, part: Model, out: Writing) -> None:
        """Writes the list."""
        key = out.value(part, self.field)
        out.put(self.wire, [{out.spell(_SSH_KEY_DATA): key}] if is_known(key) else key)

    def read(self, written: Written, reading: Reading, place: Steps) -> Written:
        """The key; unknown if the list does not contain one key."""
        held = reading.at(written, self.wire)
        if held is None:
            return {}
        try:
            [one] = cast("list[Mapping[str, object]]", held) if is_known(held) else [{_SSH_KEY_DATA: UNKNOWN}]
            key = one[_SSH_KEY_DATA]
        except UNREADABLE:
            reading.report_unread((*place, *path(self.wire)), held, Why.UNREADABLE)
            key = UNKNOWN
        return {self.field: key}

    def field_paths(self) -> Iterator[FieldPath]:
        """The list."""
        yield FieldPath((self.field,), path(self.wire), self.change, self)

    read_paths = own_place


LINUX: Final = Table(Row("admin_username", "adminUsername"), OnlyKey("ssh_key", "ssh.publicKeys"))


_KUBELET_PROFILE: Final = "identityProfile.kubeletidentity"
_KUBELET_ID: Final = f"{_KUBELET_PROFILE}.resourceId"
_KUBELET_NAMES: Final = ("resourceId", "clientId", "objectId")

KUBELET_IDENTITY: Final = Table(Row("id", "resourceId", PRINCIPAL), Row("client_id", "clientId", PRINCIPAL), Row("object_id", "objectId", PRINCIPAL))
"""`identityProfile.kubeletidentity`."""


class OfKubelets(NamedTuple):
    """The ids of an existing identity, or those of the one that the component creates; nothing if AKS creates it."""

    field: str

    def write(self, part: Model, out: Writing) -> None:
        """Writes the three ids."""
        held, ids = out.value(part, self.field), cast("AksClusterContext", out.around).kubelet
        if held is UNKNOWN:
            out.put(_KUBELET_PROFILE, UNKNOWN)
        elif isinstance(held, KubeletIdentity) and held.id is not None:
            out.put(_KUBELET_PROFILE, out.entry(KUBELET_IDENTITY, held))
        elif out.value(part, "", lambda cluster, _: cluster.creates_kubelet_identity) is True:
            for name, value in zip(_KUBELET_NAMES, ids if ids is not None else (UNKNOWN, None, None), strict=True):
                out.put(f"{_KUBELET_PROFILE}.{name}", value)

    def read(self, written: Written, reading: Reading, place: Steps) -> Written:
        """The ids, unless AKS created the identity, in the node resource group."""
        held = reading.at(written, _KUBELET_PROFILE)
        if held is None or held is UNKNOWN:
            return {} if held is None else {self.field: UNKNOWN}
        found = reading.entry(KUBELET_IDENTITY, held, (*place, *path(_KUBELET_PROFILE)))
        if found is None or found.get("id") is UNKNOWN:
            return {self.field: UNKNOWN}
        return {} if _is_of_group(found.get("id"), reading.at(written, "nodeResourceGroup")) or not found else {self.field: found}

    def field_paths(self) -> Iterator[FieldPath]:
        """The ids, and the registries, the first of which creates the identity."""
        yield FieldPath((self.field,), path(_KUBELET_PROFILE), PRINCIPAL, self)
        yield from (way._replace(model=(self.field, *way.model), wire=(*path(_KUBELET_PROFILE), *way.wire)) for way in KUBELET_IDENTITY.field_paths)
        yield FieldPath(("registries",), path(_KUBELET_ID), PRINCIPAL, self)

    def read_paths(self) -> Iterator[Pattern]:
        """The profile."""
        yield path(_KUBELET_PROFILE)


def _is_of_group(identity: object, group: object) -> bool:
    return isinstance(identity, str) and isinstance(group, str) and f"/resourcegroups/{group.lower()}/" in identity.lower()


_FIRST_POOL_SOURCE: Final = "docs/facts/aks.md § 4: G2, G5: PropertyChangeNotAllowed; another pool takes its place"
_ADD_A_SYSTEM_POOL: Final = (
    "AKS rejects it for the first system pool, which is part of the cluster: add a `SystemPool` with it to `pools`; "
    "it can later take the place of the first (guide: Upgrade)"
)
_WITHOUT_A_HASH: Final = Change(Effect.NONE, "docs/facts/aks.md § 4: G2: the name of the first system pool has no hash of its fields")


class FirstPool(NamedTuple):
    """The pool inside the cluster, with the table of agent pools. A change that rotates another pool is rejected by Azure here."""

    field: str
    wire: str

    def write(self, part: Model, out: Writing) -> None:
        """Writes the list with the pool."""
        pool = out.value(part, self.field)
        around = cast("AksClusterContext", out.around)
        if isinstance(pool, Model):
            inside = Writing(around.system, out.spell, out.resolve).entry(INLINE, pool)
            name = first_pool_name(around.declared) if around.declared is not None else UNKNOWN
            pool = [{"name": name, **inside}]
        out.put(self.wire, pool)

    def read(self, written: Written, reading: Reading, place: Steps) -> Written:
        """Reads nothing: which of several pools is the first, and the kind of each, is decided together with the other pools."""
        del written, reading, place
        return {}

    def field_paths(self) -> Iterator[FieldPath]:
        """The list, and the places in its first entry."""
        yield FieldPath((self.field,), path(self.wire), None, self)
        for way in INLINE.field_paths:
            model = (self.field, *way.model) if way.model else ()
            change = _WITHOUT_A_HASH if way.model == ("generation",) else _change_in_cluster(way.change)
            yield way._replace(model=model, wire=(*path(self.wire), 0, *way.wire) if way.wire else (), change=change)

    read_paths = own_place


def _change_in_cluster(change: Change | None) -> Change | None:
    """The effect of the same change on a pool inside the cluster, which is a system pool."""
    if change is None:
        return None
    effect = change.of(SystemPool.__name__)
    return (
        Change(Effect.REFUSED, _FIRST_POOL_SOURCE, refused=_ADD_A_SYSTEM_POOL)
        if effect in (Effect.ROTATES, Effect.REPLACES)
        else change._replace(effect=effect, on={})
    )


_LEGACY_ENTRA: Final = "Entra ID with applications of your own, with which AKS has created no cluster since 2023-06: use `entra`"
_UNMODELED_REASONS: Final[dict[str, tuple[Change, str]]] = {
    "extendedLocation": (UNDOCUMENTED, "for clusters in edge zones, where most features are not available"),
    "kind": (UNDOCUMENTED, "metadata of the Azure portal without an effect on the cluster"),
    "publicNetworkAccess": (UNDOCUMENTED, "documented only for clusters with private links, where `api_server.private` determines it"),
    "servicePrincipalProfile": (PRINCIPAL, "clusters with a service principal and its password: a managed identity is used instead"),
}
_REFUSED: Final = {
    **dict.fromkeys(("aadProfile.clientAppID", "aadProfile.serverAppID", "aadProfile.serverAppSecret"), _LEGACY_ENTRA),
    "identity.delegatedResources": "read 2026-11-28: only Azure's own resource providers set it, when they act for a customer",
    "podIdentityProfile": "pod identity, which AKS supported until 2025-09: use workload identity",
    "privateLinkResources": "read 2026-11-28: AKS lists the private endpoints of the API server there, which are resources of their own",
}
_READ_ONLY: Final = (
    *("id", "name", "type", "eTag", "systemData", "provisioningState", "powerState", "currentKubernetesVersion", "maxAgentPools", "status"),
    *("fqdn", "privateFQDN", "azurePortalFQDN", "resourceUID", "azureApiVersion", "oidcIssuerProfile.issuerURL"),
)

UNMODELED: Final = (
    *(Note("unmodeled", name, change, why) for name, (change, why) in _UNMODELED_REASONS.items()),
    *(Note("refused", name, UNDOCUMENTED, why) for name, why in _REFUSED.items()),
)
READ_ONLY: Final = tuple(Note("read_only", name) for name in _READ_ONLY)


def _autoscaler_row(field: str, default: object = None, codec: Codec = SAME) -> Row:
    """A field with the same name in Azure, in camel case."""
    return Row(field, camel(field), codec=codec, default=default)


AUTOSCALER: Final = Table(
    _autoscaler_row("expander", "random"),
    _autoscaler_row("balance_similar_node_groups", "false", BOOL_AS_TEXT),
    _autoscaler_row("daemonset_eviction_for_empty_nodes", default=False),
    _autoscaler_row("daemonset_eviction_for_occupied_nodes", default=True),
    _autoscaler_row("ignore_daemonsets_utilization", default=False),
    _autoscaler_row("max_empty_bulk_delete", "10", WHOLE_AS_TEXT),
    _autoscaler_row("max_graceful_termination_sec", "600", WHOLE_AS_TEXT),
    _autoscaler_row("max_node_provision_time", "15m"),
    _autoscaler_row("max_total_unready_percentage", "45", WHOLE_AS_TEXT),
    _autoscaler_row("ok_total_unready_count", "3", WHOLE_AS_TEXT),
    _autoscaler_row("new_pod_scale_up_delay", "0s"),
    _autoscaler_row("scale_down_delay_after_add", "10m"),
    _autoscaler_row("scale_down_delay_after_delete"),
    _autoscaler_row("scale_down_delay_after_failure", "3m"),
    _autoscaler_row("scale_down_unneeded_time", "10m"),
    _autoscaler_row("scale_down_unready_time", "20m"),
    _autoscaler_row("scale_down_utilization_threshold", "0.5", NUMBER_AS_TEXT),
    _autoscaler_row("scan_interval", "10s"),
    _autoscaler_row("skip_nodes_with_local_storage", codec=BOOL_AS_TEXT),
    _autoscaler_row("skip_nodes_with_system_pods", "true", BOOL_AS_TEXT),
    Note("ours", "priorities", SEPARATE, "a ConfigMap inside the cluster"),
)


TIER: Final = "Free"
"""Cloud default of the tier."""
_BALANCER_ALONE: Final = "0.0.0.0/32"
_LONGEST_DNS_PREFIX: Final = 54


def _dns_prefix(cluster: AksClusterArgs, around: AksClusterContext) -> object:
    if cluster.fqdn_subdomain is not None:
        return None
    return cluster.dns_prefix if cluster.dns_prefix is not None else cut(around.stem, _LONGEST_DNS_PREFIX)


def _ip_ranges(access: ApiServer, around: AksClusterContext) -> object:
    """With a NAT gateway, its addresses too: AKS adds only those of its own load balancer, for which `0.0.0.0/32` stands."""
    ranges = access.authorized_ip_ranges
    if access.private or not ranges or not around.egress:
        return None if access.private else ranges
    return (*(one for one in ranges if one != _BALANCER_ALONE), *around.egress)


def _zone(cluster: AksClusterArgs, _: AksClusterContext) -> object:
    return cluster.private_dns_zone if cluster.api_server.private else None


def _public_fqdn(cluster: AksClusterArgs, _: AksClusterContext) -> object:
    return cluster.private_public_fqdn if cluster.api_server.private else None


def _is_integrated(cluster: AksClusterArgs, _: AksClusterContext) -> object:
    return True if cluster.api_server_subnet_id is not None else None


def _is_forced(cluster: AksClusterArgs, _: AksClusterContext) -> object:
    return True if cluster.force_upgrade_until is not None else None


def _hosted_nodes(cluster: AksClusterArgs, _: AksClusterContext) -> object:
    return cluster.network.subnet_id if cluster.hosted_system_subnet_id is not None and isinstance(cluster.network, ExistingAksNetwork) else None


HOSTED_SINCE: Final = "2026-02-01"
"""The first version of the API with system nodes that AKS runs."""
CLUSTER: Final = Table(
    Row("name", "resourceName", PATH, compute=computed(lambda cluster, around: cluster_name(cluster, around.stem))),
    Row("resource_group", "resourceGroupName", PATH, compute=computed(lambda _, __: None)),
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
    Row("node_resource_group", "nodeResourceGroup", REPLACED, compute=computed(lambda cluster, around: node_group_name(cluster, around.stem))),
    Row("node_resource_group_restriction", "nodeResourceGroupProfile.restrictionLevel", KEPT, default="Unrestricted"),
    Row("sku", "sku.name", SKU, default="Base"),
    Row("tier", "sku.tier", IN_PLACE, default=TIER),
    Identity("identity", IN_PLACE),
    OfKubelets("kubelet_identity"),
    FirstPool("system_pool", "agentPoolProfiles"),
    Row("hosted_system", "hostedSystemProfile.enabled", HOSTED, default=False, since=HOSTED_SINCE),
    Row("hosted_system_subnet_id", "hostedSystemProfile.systemNodeSubnetID", UNDOCUMENTED, since=HOSTED_SINCE),
    Note("derived", "hostedSystemProfile.nodeSubnetID", UNDOCUMENTED, "the subnet of `network`", _hosted_nodes, HOSTED_SINCE),
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
    Note("derived", "disableLocalAccounts", IN_PLACE, "false without `entra`", computed(lambda cluster, _: False if cluster.entra is None else None)),
    *(Note("ours", name, SEPARATE, "resources of their own") for name in ("pools", "network", "maintenance_configurations", "admins")),
    Note("ours", "workload_identities", SEPARATE, "identities, credentials and role assignments"),
    *(Note("ours", name, SEPARATE, "objects inside the cluster") for name in ("device_plugin", "apply")),
    Note("ours", "network_rights", SEPARATE, "role assignments"),
    Note("ours", "maintenance", SEPARATE, "sent as maintenance configurations and as budgets of NodePools"),
    Note("ours", "subscription_id", PATH, "subscription of the provider"),
    Note("ours", "api_version", PACKAGE, "the package of azure-native that sends the cluster, its pools and its maintenance configurations"),
    *(Note("ours", name, OURS) for name in ("kind", "gpu_operator", "protect", "accepted_errors", "owner", "timeouts", "overrides")),
    *UNMODELED,
    *READ_ONLY,
    standalone=STANDALONE,
)
