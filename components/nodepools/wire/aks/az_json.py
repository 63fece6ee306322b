"""Output of `az aks`: the same rows as for requests, and what `az` adds. Names can differ in capitals, so it is read with `Reading(fold=True)`."""

from typing import Final

from nodepools.wire.aks.agent_pool import POOL
from nodepools.wire.aks.cluster import CLUSTER
from nodepools.wire.aks.maintenance import CONFIGURATION
from nodepools.wire.dialects import respelled
from nodepools.wire.table import Table
from nodepools.wire.unmodeled import Note

_ADD_ONS: Final = ("omsagent", "azurepolicy", "azureKeyvaultSecretsProvider")
_OF_IDENTITIES: Final = ("identity.principalId", "identity.tenantId", *(f"addonProfiles.{name}.identity" for name in _ADD_ONS))

SHOWN: Final = Table(*respelled(CLUSTER, {"resourceName": "name"}), *(Note("read_only", name) for name in ("resourceGroup", *_OF_IDENTITIES)))
"""A cluster, from `az aks show`."""
LISTED_POOL: Final = Table(
    *respelled(POOL, {"type": "typePropertiesType", "resourceGroupName": None, "resourceName": None}),
    *(Note("read_only", name) for name in ("resourceGroup", "type")),
)
"""An agent pool, an entry of `az aks nodepool list`. `type` is the type of the resource there."""
LISTED_CONFIGURATION: Final = Table(*CONFIGURATION.rows, Note("read_only", "resourceGroup"))
"""A maintenance configuration, an entry of `az aks maintenanceconfiguration list`."""
