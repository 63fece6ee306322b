"""A small cluster as `az aks show`, `az aks nodepool list` and `az aks maintenanceconfiguration list` print it."""

import copy
from typing import Any

GROUP = "/subscriptions/11111111-2222-4333-8444-555555555555/resourcegroups/Shop"
ID = f"{GROUP}/providers/Microsoft.ContainerService/managedClusters/Shop_West"
SUBNET = f"{GROUP.replace('groups', 'Groups')}/providers/Microsoft.Network/virtualNetworks/shop/subnets/nodes"
_TYPE = "Microsoft.ContainerService/ManagedClusters"


def pool(name: str, mode: str = "User", **others: object) -> dict[str, Any]:
    """An agent pool."""
    return {
        "id": f"{ID}/agentPools/{name}",
        "name": name,
        "type": f"{_TYPE}/agentPools",
        "typePropertiesType": "VirtualMachineScaleSets",
        "mode": mode,
        "osType": "Linux",
        "vmSize": "Standard_D4ds_v5",
        "count": 3,
        "maxPods": 110,
        "enableAutoScaling": False,
        "enableFips": False,
        "orchestratorVersion": "1.35",
        "availabilityZones": ["3", "1"],
        "vnetSubnetId": SUBNET,
        "nodeTaints": None,
        "nodeLabels": {},
        "tags": None,
        "provisioningState": "Succeeded",
        **others,
    }


def cluster(**others: object) -> dict[str, Any]:
    """A cluster."""
    return {
        "id": ID,
        "name": "Shop_West",
        "type": _TYPE,
        "location": "westeurope",
        "kubernetesVersion": "1.35",
        "dnsPrefix": "shop-dns",
        "nodeResourceGroup": "MC_shop",
        "enableRbac": True,
        "disableLocalAccounts": False,
        "identity": {"type": "SystemAssigned", "principalId": "p", "userAssignedIdentities": None},
        "sku": {"name": "Base", "tier": "Free"},
        "oidcIssuerProfile": {"enabled": False},
        "networkProfile": {
            "networkPlugin": "azure",
            "networkPluginMode": None,
            "networkDataplane": "azure",
            "serviceCidr": "10.0.0.0/16",
            "serviceCidrs": ["10.0.0.0/16"],
            "dnsServiceIp": "10.0.0.10",
            "outboundType": "loadBalancer",
            "loadBalancerSku": "standard",
            "ipFamilies": ["IPv4"],
        },
        "addonProfiles": None,
        "tags": {"team": "shop"},
        **copy.deepcopy(others),
    }


def configuration(name: str, window: object) -> dict[str, Any]:
    """A maintenance configuration."""
    return {"id": f"{ID}/maintenanceConfigurations/{name}", "name": name, "type": f"{_TYPE}/maintenanceConfigurations", "maintenanceWindow": window}


WINDOW = {"schedule": {"weekly": {"intervalWeeks": 1, "dayOfWeek": "Sunday"}}, "durationHours": 6, "utcOffset": "+01:00", "startTime": "02:00"}
