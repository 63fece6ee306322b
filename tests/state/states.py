"""Small states."""

from collections.abc import Mapping
from typing import Any

BASE = "urn:pulumi:dev::shop::"
STACK = f"{BASE}pulumi:pulumi:Stack::shop-dev"
COMPONENT = f"{BASE}nodepools:index:AksCluster::dev-weu"
AZURE = f"{BASE}pulumi:providers:azure-native::default_3_29_0"
KUBERNETES = f"{BASE}pulumi:providers:kubernetes::dev-weu-kubernetes"
GROUP = "/subscriptions/s1/resourceGroups/shop"
CLUSTER = f"{GROUP}/providers/Microsoft.ContainerService/managedClusters/weu"


def resource(of_type: str, name: str, provider: str = AZURE, **others: Any) -> dict[str, Any]:
    """A resource of the component."""
    urn = f"{BASE}nodepools:index:AksCluster${of_type}::{name}"
    return {"urn": urn, "custom": True, "type": of_type, "parent": COMPONENT, "provider": f"{provider}::p", **others}


def provider(urn: str, **inputs: Any) -> dict[str, Any]:
    return {"urn": urn, "custom": True, "id": "p", "type": urn.split("::")[2], "inputs": {"version": "3.29.0", **inputs}}


def state(*resources: Mapping[str, Any], pending: Mapping[str, Mapping[str, Any]] | None = None) -> dict[str, Any]:
    """A state with these resources, beside the stack and the component; `pending` are resources by operation."""
    first = [{"urn": STACK, "type": "pulumi:pulumi:Stack"}, {"urn": COMPONENT, "type": "nodepools:index:AksCluster", "parent": STACK}]
    operations = [{"type": operation, "resource": one} for operation, one in (pending or {}).items()]
    return {"version": 3, "deployment": {"resources": [*first, *resources], **({"pending_operations": operations} if operations else {})}}


def pool(name: str = "web", **others: Any) -> dict[str, Any]:
    inputs = {"agentPoolName": name, "resourceGroupName": "shop", "resourceName": "weu", "count": 1}
    return resource("azure-native:containerservice:AgentPool", f"dev-weu-{name}", **{"inputs": inputs, **others})


def imported_pool(**inputs: Any) -> dict[str, Any]:
    return pool(id=f"{CLUSTER}/agentPools/web", inputs={"count": 1, "osDiskSizeGB": 128, **inputs})
