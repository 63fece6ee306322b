"""Spot pools of a small team, and a GPU pool."""

# What the pack reports: a policy, the name of the resource, and the path of what is wrong with it.
# found: EKS061 few spec.template.spec.requirements
# found: EKS065 zonal spec.template.spec.requirements[2]
# found: KAR086 zonal metadata.name
# found: KAR045 silent spec.template.spec.requirements
# found: KAR046 anyarch spec.template.spec.requirements
# found: KAR044 mixed spec.template.spec.requirements[1].values[1]
# found: EKS060 none spec.template.spec.requirements
# found: EKS063 gpus spec.template.spec.requirements
# found: EKS068 tight spec.limits.cpu
# found: KAR047 exists spec.template.spec.requirements[2].values
# found: KAR012 static spec.limits.nodes

from pulumi_kubernetes.apiextensions import CustomResource


def needs(key: str, *values: str, operator: str = "In", **more: object) -> dict[str, object]:
    return {"key": key, "operator": operator, "values": list(values), **more}


def node_pool(name: str, *requirements: dict[str, object], **spec: object) -> None:
    CustomResource(
        name,
        api_version="karpenter.sh/v1",
        kind="NodePool",
        metadata={"name": name},
        spec={
            "template": {
                "spec": {"nodeClassRef": {"group": "eks.amazonaws.com", "kind": "NodeClass", "name": "main"}, "requirements": list(requirements)}
            },
            **spec,
        },
    )


AMD64 = needs("kubernetes.io/arch", "amd64")
ON_DEMAND = needs("karpenter.sh/capacity-type", "on-demand")
SPOT = needs("karpenter.sh/capacity-type", "spot")

node_pool("few", AMD64, SPOT, needs("node.kubernetes.io/instance-type", "m7i.large", "m7a.large"))
node_pool("zonal", AMD64, SPOT, needs("topology.kubernetes.io/zone", "us-east-1a"))
node_pool("silent", AMD64)
node_pool("anyarch", ON_DEMAND)
node_pool("mixed", AMD64, needs("karpenter.sh/capacity-type", "on-demand", "ondemand"))
node_pool("none", AMD64, ON_DEMAND, needs("eks.amazonaws.com/instance-cpu", "2"), needs("eks.amazonaws.com/instance-memory", "524288", operator="Gt"))
node_pool("gpus", AMD64, ON_DEMAND, needs("eks.amazonaws.com/instance-category", "g"), limits={"nvidia.com/gpu": "8"})
node_pool("tight", AMD64, ON_DEMAND, needs("eks.amazonaws.com/instance-cpu", "15", operator="Gt"), limits={"cpu": "8"})
node_pool("exists", AMD64, ON_DEMAND, needs("example.com/team", "ml", operator="Exists"))
node_pool("static", AMD64, ON_DEMAND, replicas=3, limits={"nodes": "2"})
