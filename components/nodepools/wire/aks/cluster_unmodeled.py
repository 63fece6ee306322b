"""Arguments of a cluster that no field of the model has: left to `overrides`, each with the reason, or told by Azure alone."""

from typing import Final

from nodepools.wire.aks.sources import ARTIFACTS, CERTIFICATES, KEPT, PRINCIPAL, PROXY, REPLACED, UNKNOWN
from nodepools.wire.effects import Change
from nodepools.wire.unmodeled import Note

_ADD_ON: Final = "an add-on of its own, which no pool and no NodePool depends on"
_BEFORE: Final = "Entra ID in its former way, with applications of one's own: AKS no longer creates clusters with it"
_REASONS: Final[dict[str, tuple[Change, str]]] = {
    "aadProfile.adminGroupObjectIDs": (KEPT, "groups that are admins: `admins` gives them the role of Azure RBAC, which can be taken back"),
    **dict.fromkeys(("aadProfile.clientAppID", "aadProfile.serverAppID", "aadProfile.serverAppSecret"), (UNKNOWN, _BEFORE)),
    "aiToolchainOperatorProfile": (KEPT, _ADD_ON),
    "azureMonitorProfile": (KEPT, "Managed Prometheus: it needs a workspace and rules that collect, which are not ours to make"),
    "bootstrapProfile": (ARTIFACTS, "of clusters without a way out, which pull images from a registry of their own"),
    "extendedLocation": (UNKNOWN, "of clusters in edge zones, where most of what a declaration can say is not available"),
    "fqdnSubdomain": (REPLACED, "of private clusters with a DNS zone of one's own; the prefix of the stem takes its place"),
    "httpProxyConfig": (PROXY, "an outbound proxy for nodes and pods: a file of settings that networks hand out as they are"),
    "identity.delegatedResources": (UNKNOWN, "of resource providers that act for a customer: Azure sets it for them"),
    "identityProfile": (PRINCIPAL, "an identity of one's own for the kubelet: AKS makes one in the resource group of the nodes"),
    "ingressProfile": (KEPT, _ADD_ON),
    "kind": (UNKNOWN, "a word of the portal's that no behavior of the cluster follows from"),
    "linuxProfile": (REPLACED, "an administrator and SSH keys for nodes; `ssh_access` of a pool and Entra ID take their place"),
    "metricsProfile": (KEPT, "analysis of costs by namespace, which asks for the Standard tier and nothing of pools"),
    "nodeResourceGroupProfile": (KEPT, "locks the resource group of the nodes against changes by hand: an organization's policy"),
    "podIdentityProfile": (UNKNOWN, "pod identities, which retired in favor of workload identity, which is always on"),
    "privateLinkResources": (KEPT, "private endpoints of the API server in other networks: resources of their own make them"),
    "publicNetworkAccess": (UNKNOWN, "documented for clusters behind private links alone, where `api_server.private` says it"),
    "securityProfile.azureKeyVaultKms": (KEPT, "encryption of secrets by a key of one's own, whose vault must let the cluster in first"),
    "securityProfile.customCATrustCertificates": (CERTIFICATES, "certificates that nodes trust: files that organizations hand out"),
    "securityProfile.defender": (KEPT, _ADD_ON),
    "securityProfile.imageCleaner": (KEPT, _ADD_ON),
    "serviceMeshProfile": (KEPT, _ADD_ON),
    "servicePrincipalProfile": (PRINCIPAL, "clusters that act by an application and its password: an identity takes its place"),
    "storageProfile": (KEPT, "which CSI drivers AKS brings: all but that of blobs are on, which few clusters turn off"),
    "upgradeSettings": (KEPT, "forces an upgrade past removed APIs until a time: an act of a day, and no state to declare"),
    "workloadAutoScalerProfile": (KEPT, _ADD_ON),
}
_TOLD: Final = (
    *("id", "name", "type", "eTag", "systemData", "provisioningState", "powerState", "currentKubernetesVersion", "maxAgentPools", "status"),
    *("fqdn", "privateFQDN", "azurePortalFQDN", "resourceUID", "azureApiVersion", "oidcIssuerProfile.issuerURL"),
)

LEFT: Final = tuple(Note("left", name, change, why) for name, (change, why) in _REASONS.items())
TOLD: Final = tuple(Note("told", name) for name in _TOLD)
