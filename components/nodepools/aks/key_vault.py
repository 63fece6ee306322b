"""The identity of the Key Vault provider, and its rights on vaults. Facts: docs/facts/aks.md § 11."""

from collections.abc import Mapping
from typing import Final

import pulumi
from pulumi_azure_native import containerservice

from nodepools.aks.after_creation import known_after_creation
from nodepools.aks.role_assignments import SECRETS_USER, distinct, granted, mark
from nodepools.component.scope import ChildScope
from nodepools.model.aks.cluster import AksClusterArgs

_PROVIDER: Final = "azureKeyvaultSecretsProvider"


def vault_rights(scope: ChildScope, args: AksClusterArgs, cluster: containerservice.ManagedCluster) -> None:
    """Lets the provider read secrets of the declared vaults. AKS creates its identity, so the roles follow the cluster."""
    provider = args.key_vault_provider
    if provider is None or not provider.enabled:
        return
    identity = provider_identity(args, cluster)
    for number, vault in enumerate(distinct(provider.vaults)):
        granted(scope, scope.name("vault", mark(vault, number)), SECRETS_USER, to=identity, on=scope.value(vault))


def provider_identity(args: AksClusterArgs, cluster: containerservice.ManagedCluster) -> pulumi.Output[str]:
    """Object id of the identity of the provider; empty without one."""
    if args.key_vault_provider is None or not args.key_vault_provider.enabled:
        return pulumi.Output.from_input("")
    return known_after_creation(cluster, lambda created: created.addon_profiles.apply(_object_id))


def _object_id(profiles: Mapping[str, containerservice.outputs.ManagedClusterAddonProfileResponse] | None) -> str:
    """Mocks of other programs return what was sent, which has no identity."""
    identity = profiles[_PROVIDER].identity if profiles is not None and _PROVIDER in profiles else None
    return identity.object_id if identity is not None and identity.object_id is not None else ""
