"""What runs in a cluster, as an API server lists it."""

from typing import Any

LABELS = {"kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64", "kubernetes.azure.com/agentpool": "web", "kubernetes.io/hostname": "n0"}


def node(number: int = 0, group: str = "MC_dev-weu_dev-weu_westeurope") -> dict[str, Any]:
    scale = f"azure:///subscriptions/0/resourceGroups/{group}/providers/Microsoft.Compute/virtualMachineScaleSets/aks-web/virtualMachines/{number}"
    room = {"cpu": "4", "memory": "16Gi", "pods": "30"}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": f"n{number}", "labels": {**LABELS, "kubernetes.io/hostname": f"n{number}"}, "uid": str(number)},
        "spec": {"providerID": scale},
        "status": {"allocatable": room, "capacity": room},
    }


def agent(number: int) -> dict[str, Any]:
    container = {"name": "c", "image": "i", "resources": {"requests": {"cpu": "100m"}}}
    metadata = {"name": f"agent-{number}", "namespace": "kube-system", "uid": f"p{number}"}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": metadata,
        "spec": {"nodeName": f"n{number}", "containers": [container]},
        "status": {"phase": "Running"},
    }


def deployment(name: str, cpu: str) -> dict[str, Any]:
    container = {"name": "c", "image": "i", "resources": {"requests": {"cpu": cpu}}}
    spec = {"selector": {"matchLabels": {"app": name}}, "template": {"metadata": {"labels": {"app": name}}, "spec": {"containers": [container]}}}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": name, "namespace": "default"}, "spec": {"replicas": 1, **spec}}


SPEC = {
    "nodeClassRef": {"group": "karpenter.azure.com", "kind": "AKSNodeClass", "name": "default"},
    "requirements": [{"key": "kubernetes.io/arch", "operator": "In", "values": ["amd46"]}],
}
CONTEXTS = [
    {"name": "dev", "context": {"cluster": "dev-weu", "user": "jane"}},
    {"name": "prod-weu", "context": {"cluster": "prod-weu", "user": "jane", "namespace": "shop"}},
]


NAMED = [deployment("web", "1"), deployment("big", "9")]
