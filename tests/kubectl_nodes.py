"""What `kubectl get nodes` prints for a cluster with many nodes: labels, taints, conditions and images as AKS has them."""

import json
from collections.abc import Iterator
from functools import cache
from typing import Literal

import yaml

_REASONS = {
    "MemoryPressure": "KubeletHasSufficientMemory",
    "DiskPressure": "KubeletHasNoDiskPressure",
    "PIDPressure": "KubeletHasSufficientPID",
    "FrequentKubeletRestart": "NoFrequentKubeletRestart",
    "KernelDeadlock": "KernelHasNoDeadlock",
    "ReadonlyFilesystem": "FilesystemIsNotReadOnly",
    "VMEventScheduled": "NoVMEventScheduled",
    "ContainerRuntimeProblem": "ContainerRuntimeIsUp",
    "Ready": "KubeletReady",
}
_RESOURCES = {
    "attachable-volumes-azure-disk": "8",
    "cpu": "7820m",
    "ephemeral-storage": "119703055367",
    "hugepages-1Gi": "0",
    "hugepages-2Mi": "0",
    "memory": "27595264Ki",
    "pods": "110",
}


def _image(number: int) -> dict[str, object]:
    repository = f"mcr.microsoft.com/oss/kubernetes/component-{number}"
    return {"names": [f"{repository}@sha256:{number:064x}", f"{repository}:v1.{number}.0"], "sizeBytes": 20_000_000 + number}


def node(number: int, images: int) -> dict[str, object]:
    """One node, with unique names and with as many images as the kubelet reports."""
    pool, zone = f"pool{number % 12}", f"westeurope-{number % 3 + 1}"
    name = f"aks-{pool}-28345671-vmss{number:06x}"
    labels = {
        "agentpool": pool,
        "beta.kubernetes.io/arch": "amd64",
        "beta.kubernetes.io/instance-type": "Standard_D8ds_v5",
        "beta.kubernetes.io/os": "linux",
        "failure-domain.beta.kubernetes.io/region": "westeurope",
        "failure-domain.beta.kubernetes.io/zone": zone,
        **{f"kubernetes.azure.com/feature-{feature}": "true" for feature in range(16)},
        "kubernetes.azure.com/agentpool": pool,
        "kubernetes.io/arch": "amd64",
        "kubernetes.io/hostname": name,
        "kubernetes.io/os": "linux",
        "node.kubernetes.io/instance-type": "Standard_D8ds_v5",
        "topology.kubernetes.io/region": "westeurope",
        "topology.kubernetes.io/zone": zone,
    }
    conditions = [
        {
            "lastHeartbeatTime": "2026-11-22T10:05:12Z",
            "lastTransitionTime": "2026-11-01T08:00:40Z",
            "message": f"{reason} is reported by the node",
            "reason": reason,
            "status": "True" if kind == "Ready" else "False",
            "type": kind,
        }
        for kind, reason in _REASONS.items()
    ]
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {
            "annotations": {
                "csi.volume.kubernetes.io/nodeid": json.dumps({"disk.csi.azure.com": name, "file.csi.azure.com": name}),
                "node.alpha.kubernetes.io/ttl": "0",
                "volumes.kubernetes.io/controller-managed-attach-detach": "true",
            },
            "creationTimestamp": "2026-11-01T08:00:38Z",
            "labels": labels,
            "name": name,
            "resourceVersion": str(90_000_000 + number),
            "uid": f"{number:08x}-7d0e-4f0e-9d2c-5f1f0c3f1b2a",
        },
        "spec": {
            "podCIDR": "10.244.1.0/24",
            "podCIDRs": ["10.244.1.0/24"],
            "providerID": f"azure:///subscriptions/0/resourceGroups/mc/providers/Microsoft.Compute/virtualMachineScaleSets/{pool}/{number}",
            **({"taints": [{"effect": "NoSchedule", "key": "workload", "value": "batch"}]} if number % 4 == 0 else {}),
        },
        "status": {
            "addresses": [{"address": f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}", "type": "InternalIP"}],
            "allocatable": _RESOURCES,
            "capacity": {**_RESOURCES, "cpu": "8", "memory": "32863640Ki"},
            "conditions": conditions,
            "daemonEndpoints": {"kubeletEndpoint": {"Port": 10250}},
            "images": [_image(image) for image in range(images)],
            "nodeInfo": {"architecture": "amd64", "kubeletVersion": "v1.35.2", "operatingSystem": "linux", "osImage": "Ubuntu 24.04.3 LTS"},
            "volumesInUse": [f"kubernetes.io/csi/disk.csi.azure.com^{number}-{volume}" for volume in range(3)],
        },
    }


@cache
def _images(images: int, form: str) -> str:
    """The images of every node, as text."""
    held = [_image(image) for image in range(images)]
    return json.dumps(held, indent=4).replace("\n", "\n" + " " * 16) if form == "json" else _indented(yaml.safe_dump(held), 4)


def _indented(text: str, columns: int) -> str:
    return "".join(" " * columns + line for line in text.splitlines(keepends=True))


def kubectl_nodes(nodes: int, images: int, form: Literal["yaml", "json"]) -> Iterator[str]:
    """Yields the parts of the text. The images are inserted as text, which is much faster than writing them anew for each node."""
    yield '{\n    "apiVersion": "v1",\n    "items": [\n' if form == "json" else "apiVersion: v1\nitems:\n"
    for number in range(nodes):
        one = node(number, 0)
        if form == "json":
            text = json.dumps(one, indent=4, sort_keys=True).replace('"images": []', f'"images": {_images(images, form)}')
            yield _indented(text, 8) + (",\n" if number + 1 < nodes else "\n")
        else:
            text = yaml.dump([one], Dumper=yaml.CSafeDumper).replace("    images: []\n", f"    images:\n{_images(images, form)}")
            yield text
    ending = '    ],\n    "kind": "List",\n    "metadata": {"resourceVersion": ""}\n}\n', "kind: List\nmetadata:\n  resourceVersion: ''\n"
    yield ending[form == "yaml"]
