"""The development stack, and a transform of somebody's that spoils nine of its inputs; a tenth mistake is an output."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pulumi

from nodepools import deploy, load

PROJECT = Path(__file__).parents[3]


def needing(key: str, value: str) -> dict[str, object]:
    return {"key": key, "operator": "In", "values": [value]}


def within(spec: dict[str, Any], **changed: Any) -> dict[str, Any]:
    """A NodePool's spec with other fields in its template."""
    template = spec["template"]
    return {**spec, "template": {**template, "spec": {**template["spec"], **{name: change(template["spec"]) for name, change in changed.items()}}}}


def more(spec: dict[str, Any]) -> list[object]:
    return [*spec["requirements"], needing("karpenter.azure.com/sku-cpus", "8"), needing("kubernetes.io/arch", "arm64")]


PLANTED: dict[tuple[str, str], dict[str, Callable[[Any], object]]] = {
    ("ManagedCluster", "dev-weu"): {"supportPlan": lambda _: "AKSLongTermSupport"},
    ("ManagedCluster", "dev-neu"): {"networkProfile": lambda profile: {**profile, "networkPolicy": "calico", "networkDataplane": "azure"}},
    ("AgentPool", "dev-weu-web"): {"minCount": lambda _: 6, "count": lambda _: 6},
    ("AgentPool", "dev-weu-batch"): {"spotMaxPrice": lambda _: 0},
    ("Cluster", "dev-use1"): {"storageConfig": lambda _: {"blockStorage": {"enabled": False}}},
    ("NodeClass", "dev-use1-private"): {"spec": lambda spec: {**spec, "ephemeralStorage": {"size": "80000Mi"}}},
    ("NodePool", "dev-use1-compute"): {"spec": lambda spec: within(spec, expireAfter=lambda _: "720h")},
    ("NodePool", "dev-neu-general"): {"spec": lambda spec: within(spec, requirements=more)},
}
"""By kind and the beginning of the name."""


def spoil(args: pulumi.ResourceTransformArgs) -> pulumi.ResourceTransformResult | None:
    for (kind, name), changes in PLANTED.items():
        if args.type_.rpartition(":")[2] == kind and args.name.startswith(name):
            changed = {field: pulumi.Output.from_input(args.props.get(field)).apply(change) for field, change in changes.items()}
            return pulumi.ResourceTransformResult({**args.props, **changed}, args.opts)
    return None


pulumi.runtime.register_resource_transform(spoil)
deploy(load("dev", PROJECT))
pulumi.export("kubeconfig", "apiVersion: v1\nclusters: [{cluster: {server: x}}]\ncontexts: []\nusers: []\n")
