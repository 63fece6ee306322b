"""Arguments of a cluster without a field: those that only `overrides` can set, each with the reason, and those that only Azure sets."""

from typing import Final

from nodepools.wire.aks.sources import KEPT, PRINCIPAL, UNKNOWN
from nodepools.wire.effects import Change
from nodepools.wire.unmodeled import Note

_ADD_ON: Final = "an optional add-on that neither pools nor NodePools depend on"
_BEFORE: Final = "the legacy Entra ID integration with your own applications, which AKS no longer supports for new clusters"
_REASONS: Final[dict[str, tuple[Change, str]]] = {
    **dict.fromkeys(("aadProfile.clientAppID", "aadProfile.serverAppID", "aadProfile.serverAppSecret"), (UNKNOWN, _BEFORE)),
    "aiToolchainOperatorProfile": (KEPT, _ADD_ON),
    "extendedLocation": (UNKNOWN, "for clusters in edge zones, where most features are not available"),
    "identity.delegatedResources": (UNKNOWN, "for resource providers that act for a customer: Azure sets it"),
    "ingressProfile": (KEPT, f"{_ADD_ON}; the rule AKS168 reads it"),
    "kind": (UNKNOWN, "metadata of the Azure portal without an effect on the cluster"),
    "podIdentityProfile": (UNKNOWN, "pod identity, which is retired in favor of workload identity"),
    "privateLinkResources": (KEPT, "private endpoints of the API server in other networks, which are separate resources"),
    "publicNetworkAccess": (UNKNOWN, "documented only for clusters with private links, where `api_server.private` determines it"),
    "servicePrincipalProfile": (PRINCIPAL, "clusters with a service principal and its password: a managed identity is used instead"),
}
_READ_ONLY: Final = (
    *("id", "name", "type", "eTag", "systemData", "provisioningState", "powerState", "currentKubernetesVersion", "maxAgentPools", "status"),
    *("fqdn", "privateFQDN", "azurePortalFQDN", "resourceUID", "azureApiVersion", "oidcIssuerProfile.issuerURL"),
)

UNMODELED: Final = tuple(Note("unmodeled", name, change, why) for name, (change, why) in _REASONS.items())
READ_ONLY: Final = tuple(Note("read_only", name) for name in _READ_ONLY)
