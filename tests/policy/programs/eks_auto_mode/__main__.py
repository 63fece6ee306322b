"""EKS Auto Mode by hand: the cluster, its roles, a NodeClass and NodePools."""

# What the pack reports: a policy, the name of the resource, and the path of what is wrong with it.
# found: EKS022 private spec.role
# found: EKS023 private spec.ephemeralStorage.size
# found: EKS024 private spec.tags["karpenter.sh/nodepool"]
# found: EKS029 private spec.tags
# found: EKS025 private spec.subnetSelectorTerms[0].id
# found: EKS110 private spec.securityGroupSelectorTerms[0].id
# found: EKS040 system metadata.name
# found: EKS042 lost spec.template.spec.nodeClassRef.name
# found: EKS044 old spec.template.spec.expireAfter
# found: EKS045 selfhosted spec.template.spec.requirements[2].key
# found: EKS046 managed spec.template.metadata.labels["eks.amazonaws.com/nodegroup"]
# found: KAR087 misspelt spec.template.spec.requirements[2].key
# found: EKS048 helm spec.template.metadata.labels["app.kubernetes.io/managed-by"]
# found: EKS049 far spec.template.spec.requirements[2].values
# found: KAR048 large spec.template.spec.requirements[2].values[0]
# found: EKS062 small spec.template.spec.requirements[2].values[0]

import json

import pulumi
import pulumi_aws as aws
import pulumi_kubernetes as kubernetes
from pulumi_kubernetes.apiextensions import CustomResource


def assumed_by(service: str) -> str:
    statement = {"Effect": "Allow", "Principal": {"Service": service}, "Action": ["sts:AssumeRole", "sts:TagSession"]}
    return json.dumps({"Version": "2012-10-17", "Statement": [statement]})


control_plane = aws.iam.Role("orders-cluster", assume_role_policy=assumed_by("eks.amazonaws.com"))
nodes = aws.iam.Role("orders-nodes", assume_role_policy=assumed_by("ec2.amazonaws.com"))

cluster = aws.eks.Cluster(
    "orders",
    name="orders",
    region="us-east-1",
    version="1.35",
    role_arn=control_plane.arn,
    bootstrap_self_managed_addons=False,
    access_config={"authentication_mode": "API"},
    compute_config={"enabled": True, "node_pools": ["general-purpose", "system"], "node_role_arn": nodes.arn},
    kubernetes_network_config={"elastic_load_balancing": {"enabled": True}},
    storage_config={"block_storage": {"enabled": True}},
    vpc_config={"subnet_ids": ["subnet-0a", "subnet-0b"], "endpoint_private_access": True},
)
kubeconfig = pulumi.Output.all(cluster.endpoint, cluster.certificate_authority.data).apply(
    lambda said: json.dumps({"server": said[0], "ca": said[1]})
)
provider = kubernetes.Provider("orders", kubeconfig=kubeconfig)
INSIDE = pulumi.ResourceOptions(provider=provider)


def needs(key: str, *values: str, operator: str = "In") -> dict[str, object]:
    return {"key": key, "operator": operator, "values": list(values)}


AMD64 = needs("kubernetes.io/arch", "amd64")
ON_DEMAND = needs("karpenter.sh/capacity-type", "on-demand")


def node_pool(name: str, *requirements: dict[str, object], node_class: str = "default", labels: dict[str, str] | None = None, **spec: object) -> None:
    inside = {
        "nodeClassRef": {"group": "eks.amazonaws.com", "kind": "NodeClass", "name": node_class},
        "requirements": [AMD64, ON_DEMAND, *requirements],
        **{key: spec.pop(key) for key in ("expireAfter", "taints") if key in spec},
    }
    CustomResource(
        name,
        api_version="karpenter.sh/v1",
        kind="NodePool",
        metadata={"name": name},
        spec={"template": {"metadata": {"labels": labels or {}}, "spec": inside}, **spec},
        opts=INSIDE,
    )


CustomResource(
    "private",
    api_version="eks.amazonaws.com/v1",
    kind="NodeClass",
    metadata={"name": "private"},
    spec={
        "role": "arn:aws:iam::111122223333:role/orders-nodes",
        "subnetSelectorTerms": [{"id": "arn:aws:ec2:us-east-1:111122223333:subnet/subnet-0a"}],
        "securityGroupSelectorTerms": [{"id": "sg-0a", "tags": {"team": "orders"}}],
        "ephemeralStorage": {"size": "80000Mi"},
        "tags": {"karpenter.sh/nodepool": "private"},
    },
    opts=INSIDE,
)
node_pool("system")
node_pool("lost", node_class="missing")
node_pool("old", expireAfter="720h")
node_pool("selfhosted", needs("karpenter.k8s.aws/instance-cpu", "4"))
node_pool("managed", labels={"eks.amazonaws.com/nodegroup": "managed"})
node_pool("misspelt", needs("eks.amazonaws.com/instance-cpus", "4"))
node_pool("helm", labels={"app.kubernetes.io/managed-by": "pulumi"})
node_pool("far", needs("topology.kubernetes.io/zone", "eu-west-1a"))
node_pool("large", needs("eks.amazonaws.com/instance-memory", "16", operator="Gt"))
node_pool("small", needs("node.kubernetes.io/instance-type", "t3.micro", "m7i.large"))
