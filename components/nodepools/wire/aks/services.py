"""Services of a cluster: add-ons and profiles that AKS turns on and off. Facts: docs/facts/aks.md § 10, § 11."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from nodepools.model.aks.services import AksServices, EtcdKey
from nodepools.model.base import Model
from nodepools.model.kubernetes.duration import seconds
from nodepools.model.steps import Steps
from nodepools.wire.aks.cluster_context import AksClusterContext
from nodepools.wire.aks.sources import CERTIFICATES, KEPT, PROXY, SEPARATE
from nodepools.wire.reading import Reading, Writing
from nodepools.wire.rows import BASE64, BASE64_TEXTS, BOOL_AS_TEXT, EMPTY_IS_NONE, Codec, Each, Note, Part, Row, codec, whole
from nodepools.wire.table import FieldPath, Pattern, Table, Written

_HOUR: Final = 3600
_ADD_ONS: Final = "addonProfiles"
_VAULT: Final = f"{_ADD_ONS}.azureKeyvaultSecretsProvider"
_METRICS: Final = "azureMonitorProfile.metrics"


class Service(NamedTuple):
    """A part that its switch turns off. A service that is off is read as none: it is the default of the cloud."""

    part: Part
    switch: str
    off: object = False

    def write(self, part: Model, out: Writing) -> None:
        """Writes the part."""
        self.part.write(part, out)

    def read(self, written: Written, reading: Reading, place: Steps) -> Written:
        """The part, if it is on."""
        return {} if reading.at(written, self.switch) in (None, self.off) else self.part.read(written, reading, place)

    def field_paths(self) -> Iterator[FieldPath]:
        """The places of the part."""
        yield from self.part.field_paths()

    def read_paths(self) -> Iterator[Pattern]:
        """The places of the part."""
        yield from self.part.read_paths()


def _to_allowed(keys: Mapping[str, Sequence[str]]) -> str | None:
    return ",".join(f"{resource}=[{','.join(names)}]" for resource, names in keys.items()) if keys else None


def _allowed(text: str) -> dict[str, list[str]]:
    entries = [entry.partition("=[") for entry in text.removesuffix("]").split("],") if entry]
    return {resource: names.split(",") for resource, _, names in entries}


def _switch(on: str, off: str) -> Codec:
    """A boolean that is one of two words in the API."""

    def write(value: object) -> str:
        return on if value else off

    def read(word: object) -> bool:
        return {on.casefold(): True, off.casefold(): False}[str(word).casefold()]

    return Codec(write, read)


def _to_identities(by_registry: Mapping[str, object]) -> list[object]:
    return [{"azureContainerRegistry": registry, "identity": {"resourceId": one}} for registry, one in by_registry.items()]


def _workspace(cluster: AksServices, _: AksClusterContext) -> object:
    return cluster.logs.workspace if cluster.logs is not None else cluster.log_analytics_workspace_id


def _with_logs(cluster: AksServices, around: AksClusterContext) -> object:
    return True if _workspace(cluster, around) is not None else None


def _logs_by_identity(cluster: AksServices, around: AksClusterContext) -> object:
    return "true" if _workspace(cluster, around) is not None else None


def _private_vault(key: EtcdKey, _: AksClusterContext) -> object:
    return key.vault_id if key.vault_access == "Private" else None


_HOURS: Final = codec(lambda duration: seconds(duration) // _HOUR, lambda number: f"{whole(number)}h")
_ALLOWED: Final = Codec(_to_allowed, _allowed)
"""`pods=[a,b],namespaces=[*]` for lists by resource."""
_GATEWAYS: Final = codec(
    lambda modes: [{"enabled": True, "mode": mode} for mode in modes], lambda entries: [one["mode"] for one in entries if one["enabled"]]
)
_IDENTITIES: Final = codec(_to_identities, lambda entries: {entry["azureContainerRegistry"]: entry["identity"]["resourceId"] for entry in entries})

METRICS: Final = Table(
    Row("enabled", f"{_METRICS}.enabled"),
    Row("control_plane", f"{_METRICS}.controlPlane.enabled", default=False, since="2026-04-01"),
    Row("label_keys", f"{_METRICS}.kubeStateMetrics.metricLabelsAllowlist", codec=_ALLOWED),
    Row("annotation_keys", f"{_METRICS}.kubeStateMetrics.metricAnnotationsAllowList", codec=_ALLOWED),
    *(Note("ours", name, SEPARATE, "the workspace, and its data collection endpoint and rule") for name in ("workspace", "location")),
)
KEY_VAULT: Final = Table(
    Row("enabled", f"{_VAULT}.enabled"),
    Row("rotate", f"{_VAULT}.config.enableSecretRotation", codec=BOOL_AS_TEXT, absent=False),
    Row("rotation_interval", f"{_VAULT}.config.rotationPollInterval"),
    Note("ours", "vaults", SEPARATE, "role assignments"),
)
IMAGE_CLEANER: Final = Table(Row("enabled", "enabled"), Row("interval", "intervalHours", codec=_HOURS))
DEFENDER: Final = Table(
    Row("workspace", "logAnalyticsWorkspaceResourceId"),
    Row("enabled", "securityMonitoring.enabled"),
    Row("gating", "securityGating.enabled", default=False, since="2026-05-01"),
    Row("gating_in_private_registries", "securityGating.allowSecretAccess", default=False, since="2026-05-01"),
    Row("gating_identities", "securityGating.identities", codec=_IDENTITIES, since="2026-05-01"),
)
MESH_AUTHORITY: Final = Table(
    Row("vault_id", "keyVaultId"),
    Row("root", "rootCertObjectName"),
    Row("intermediate", "certObjectName"),
    Row("key", "keyObjectName"),
    Row("chain", "certChainObjectName"),
)
EGRESS_GATEWAY: Final = Table(
    Row("name", "name"),
    Row("configuration", "gatewayConfigurationName"),
    Row("namespace", "namespace", default="aks-istio-egress"),
    Row("enabled", "enabled"),
)
"""An entry of `egressGateways`."""
ISTIO: Final = Table(
    Row("enabled", "mode", codec=_switch("Istio", "Disabled")),
    Row("revisions", "istio.revisions"),
    Row("ingress", "istio.components.ingressGateways", codec=_GATEWAYS),
    Each("egress", "istio.components.egressGateways", EGRESS_GATEWAY),
    Part("certificate_authority", "istio.certificateAuthority.plugin", MESH_AUTHORITY),
    Row("redirection", "istio.components.proxyRedirectionMechanism", default="InitContainers", since="2026-01-01"),
)
ETCD_KEY: Final = Table(
    Row("enabled", "enabled"),
    Row("key_id", "keyId"),
    Row("vault_id", "keyVaultResourceId", codec=EMPTY_IS_NONE, compute=_private_vault),
    Row("vault_access", "keyVaultNetworkAccess", default="Public"),
)
PROXY_CONFIG: Final = Table(
    Row("http", "httpProxy"),
    Row("https", "httpsProxy"),
    Row("no_proxy", "noProxy"),
    Row("trusted_ca", "trustedCa", codec=BASE64),
    Row("enabled", "enabled", default=True, since="2026-01-01"),
)
APP_ROUTING: Final = Table(
    Row("gateway", "gatewayAPIImplementations.appRoutingIstio.mode", codec=_switch("Enabled", "Disabled"), default="Disabled", since="2026-02-01"),
    Row("enabled", "enabled", default=False),
    Row("nginx", "nginx.defaultIngressControllerType", default="AnnotationControlled"),
    Row("dns_zones", "dnsZoneResourceIds"),
)
STORAGE: Final = Table(
    Row("disk", "diskCSIDriver.enabled", default=True),
    Row("file", "fileCSIDriver.enabled", default=True),
    Row("blob", "blobCSIDriver.enabled", default=False),
    Row("snapshots", "snapshotController.enabled", default=True),
)

SERVICES: Final = (
    Note("derived", f"{_ADD_ONS}.omsagent.enabled", KEPT, "true if there is a workspace", compute=_with_logs),
    Row("log_analytics_workspace_id", f"{_ADD_ONS}.omsagent.config.logAnalyticsWorkspaceResourceID", KEPT, compute=_workspace, also=("logs",)),
    Note("derived", f"{_ADD_ONS}.omsagent.config.useAADAuth", KEPT, "true if there is a workspace", compute=_logs_by_identity),
    Note("ours", "log_analytics_workspace_location", SEPARATE, "region of the data collection rule"),
    Note("ours", "audit", SEPARATE, "a diagnostic setting"),
    Service(Part("metrics", "", METRICS, KEPT), f"{_METRICS}.enabled"),
    Row("azure_policy", f"{_ADD_ONS}.azurepolicy.enabled", KEPT, default=False),
    Service(Part("key_vault_provider", "", KEY_VAULT, KEPT), f"{_VAULT}.enabled"),
    Row("keda", "workloadAutoScalerProfile.keda.enabled", KEPT, default=False),
    Row("vertical_pod_autoscaler", "workloadAutoScalerProfile.verticalPodAutoscaler.enabled", KEPT, default=False),
    Row("app_monitoring", "azureMonitorProfile.appMonitoring.autoInstrumentation.enabled", KEPT, default=False, since="2026-02-01"),
    Row("cost_analysis", "metricsProfile.costAnalysis.enabled", KEPT, default=False),
    Service(Part("image_cleaner", "securityProfile.imageCleaner", IMAGE_CLEANER, KEPT), "securityProfile.imageCleaner.enabled"),
    Service(Part("defender", "securityProfile.defender", DEFENDER, KEPT), "securityProfile.defender.securityMonitoring.enabled"),
    Service(Part("istio", "serviceMeshProfile", ISTIO, KEPT), "serviceMeshProfile.mode", "Disabled"),
    Row(*("gateway_api", "ingressProfile.gatewayAPI.installation", KEPT, _switch("Standard", "Disabled")), default="Disabled", since="2026-02-01"),
    Part("app_routing", "ingressProfile.webAppRouting", APP_ROUTING, KEPT),
    Row(
        *("scheduler_profiles", "schedulerProfile.upstream.schedulerConfigMode", KEPT, _switch("ManagedByCRD", "Default")),
        default="Default",
        since="2026-05-01",
    ),
    Row("ai_toolchain_operator", "aiToolchainOperatorProfile.enabled", KEPT, default=False),
    Part("storage", "storageProfile", STORAGE, KEPT),
    Part("http_proxy", "httpProxyConfig", PROXY_CONFIG, PROXY),
    Row("trusted_certificates", "securityProfile.customCATrustCertificates", CERTIFICATES, BASE64_TEXTS),
    Service(Part("etcd_key", "securityProfile.azureKeyVaultKms", ETCD_KEY, KEPT), "securityProfile.azureKeyVaultKms.enabled"),
)
"""The rows of `AksServices`."""
