"""Output of `az aks`, as real clusters print it, is read by the rows of requests. What they do not know is listed."""

import json
from pathlib import Path
from typing import Any

import pytest

from nodepools.adoption.aks.draft import LISTED_CONFIGURATION, LISTED_POOL, SHOWN
from nodepools.wire.reading import Reading, Why, read
from nodepools.wire.table import Table

OBSERVED = Path(__file__).parents[3] / "shared/data/observed"


def printed(folder: str, file: str) -> Any:
    if not OBSERVED.is_dir():
        pytest.skip("there are no observed clusters here")
    return json.loads((OBSERVED / folder / file).read_text())


def read_fully(table: Table, written: Any) -> tuple[dict[str, object], set[tuple[str, Why]]]:
    reading = Reading(fold=True)
    found = read(table, written, reading)
    return found, {(".".join(map(str, one.steps)), one.why) for one in reading.left if one.why is not Why.UNMODELED}


CLUSTERS = {
    "aks-billing": (
        {
            "location": "westeurope",
            "kubernetes_version": "1.31.9",
            "tier": "Free",
            "name": "aks-billing",
            "identity": "system",
            "oidc_issuer": False,
        },
        {
            ("networkProfile.loadBalancerSku", Why.ANOTHER_WORD),
            ("addonProfiles.httpApplicationRouting", Why.NO_SUCH_FIELD),
        },
    ),
    "aks-search": ({"location": "swedencentral", "kubernetes_version": "1.34", "tier": "Standard", "identity": "system"}, set[tuple[str, Why]]()),
    "erp_Prod": (
        {
            "location": "northeurope",
            "kubernetes_version": "1.33.5",
            "tier": "Standard",
            "name": "erp_Prod",
            "entra": {
                "tenant_id": "7b1d2c3e-0000-4a4a-9b9b-0123456789ab",
                "azure_rbac": False,
                "admin_groups": ["00000136-1111-4222-8333-000000000136"],
                "local_accounts": True,
            },
        },
        set[tuple[str, Why]](),
    ),
    "ml-9f2c41": ({"location": "eastus2", "kubernetes_version": "1.33", "tier": "Standard"}, set[tuple[str, Why]]()),
}
POOLS = [
    ("aks-billing", "b4ms2", {"vm_size": "Standard_B4ms"}),
    ("erp_Prod", "win1", {"vm_size": "Standard_D8s_v5", "os_sku": "Windows2022", "count": 3}),
    ("erp_Prod", "spotd8", {"vm_size": "Standard_D8s_v5"}),
    ("ml-9f2c41", "gpua", {"vm_size": "Standard_NC24ads_A100_v4"}),
]


@pytest.mark.parametrize("folder", CLUSTERS)
def test_a_cluster_that_az_shows_is_read(folder: str) -> None:
    fields, listed = CLUSTERS[folder]
    found, left = read_fully(SHOWN, printed(folder, "show.json"))
    assert fields.items() <= found.items()
    assert left == listed


@pytest.mark.parametrize("folder", CLUSTERS)
def test_pools_and_maintenance_configurations_that_az_lists_are_understood(folder: str) -> None:
    for pool in printed(folder, "nodepool-list.json"):
        found, left = read_fully(LISTED_POOL, pool)
        assert (found["vm_size"], left) == (pool["vmSize"], set()), pool["name"]
    for configuration in printed(folder, "maintenanceconfiguration-list.json"):
        assert read_fully(LISTED_CONFIGURATION, configuration)[1] == set(), configuration["name"]


@pytest.mark.parametrize(("folder", "name", "fields"), POOLS, ids=[row[1] for row in POOLS])
def test_a_pool_that_az_lists_is_read(folder: str, name: str, fields: dict[str, object]) -> None:
    [pool] = [one for one in printed(folder, "nodepool-list.json") if one["name"] == name]
    assert fields.items() <= read_fully(LISTED_POOL, pool)[0].items()
