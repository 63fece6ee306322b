"""A small EKS cluster as `aws eks` and `kubectl` print it."""

from typing import Any

ACCOUNT = "111122223333"
REGION = "eu-west-1"
NODES = f"arn:aws:iam::{ACCOUNT}:role/teams/auto-nodes"
ADMIN = f"arn:aws:iam::{ACCOUNT}:role/admins"
SUBNETS = ["subnet-b", "subnet-a"]
PROFILE = f"eks-{REGION}-shop-1234567890"
_POLICIES = "arn:aws:eks::aws:cluster-access-policy"


def described(name: str = "shop", region: str = REGION, **others: object) -> dict[str, Any]:
    """`aws eks describe-cluster`."""
    return {
        "cluster": {
            "name": name,
            "arn": f"arn:aws:eks:{region}:{ACCOUNT}:cluster/{name}",
            "version": "1.34",
            "endpoint": "https://ABC.gr7.eu-west-1.eks.amazonaws.com",
            "roleArn": f"arn:aws:iam::{ACCOUNT}:role/cluster",
            "resourcesVpcConfig": {
                "subnetIds": SUBNETS,
                "securityGroupIds": [],
                "clusterSecurityGroupId": "sg-1",
                "vpcId": "vpc-1",
                "endpointPublicAccess": True,
                "endpointPrivateAccess": True,
                "publicAccessCidrs": ["0.0.0.0/0"],
            },
            "kubernetesNetworkConfig": {"serviceIpv4Cidr": "172.20.0.0/16", "ipFamily": "ipv4", "elasticLoadBalancing": {"enabled": True}},
            "logging": {"clusterLogging": [{"types": ["api"], "enabled": True}, {"types": ["audit"], "enabled": False}]},
            "identity": {"oidc": {"issuer": "https://oidc.eks.eu-west-1.amazonaws.com/id/ABC"}},
            "certificateAuthority": {"data": "QUJD"},
            "status": "ACTIVE",
            "tags": {"team": "shop", "aws:cloudformation:stack-name": "shop"},
            "accessConfig": {"authenticationMode": "API"},
            "upgradePolicy": {"supportType": "EXTENDED"},
            "zonalShiftConfig": {"enabled": False},
            "computeConfig": {"enabled": True, "nodePools": ["system"], "nodeRoleArn": NODES},
            "storageConfig": {"blockStorage": {"enabled": True}},
            "deletionProtection": False,
            **others,
        }
    }


def entry(principal: str, cluster: str = "shop", region: str = REGION, **others: object) -> dict[str, Any]:
    """`aws eks describe-access-entry`."""
    kind, _, path = principal.rpartition(":")[2].partition("/")
    name = path.rpartition("/")[2]
    return {
        "accessEntry": {
            "clusterName": cluster,
            "principalArn": principal,
            "kubernetesGroups": [],
            "accessEntryArn": f"arn:aws:eks:{region}:{ACCOUNT}:access-entry/{cluster}/{kind}/{ACCOUNT}/{name}/1",
            "tags": {},
            "username": f"arn:aws:sts::{ACCOUNT}:assumed-role/{name}/{{{{SessionName}}}}",
            "type": "STANDARD",
            **others,
        }
    }


def policies(principal: str, *names: str, cluster: str = "shop", namespaces: tuple[str, ...] = ()) -> dict[str, Any]:
    """`aws eks list-associated-access-policies`."""
    scope = {"type": "namespace" if namespaces else "cluster", "namespaces": list(namespaces)}
    found = [{"policyArn": f"{_POLICIES}/{name}", "accessScope": scope} for name in names]
    return {"clusterName": cluster, "principalArn": principal, "associatedAccessPolicies": found}


def node_pool(name: str, node_class: str = "default", **others: object) -> dict[str, Any]:
    """A NodePool."""
    reference = {"group": "eks.amazonaws.com", "kind": "NodeClass", "name": node_class}
    return {
        "apiVersion": "karpenter.sh/v1",
        "kind": "NodePool",
        "metadata": {"name": name},
        "spec": {
            "disruption": {"budgets": [{"nodes": "10%"}], "consolidateAfter": "30s", "consolidationPolicy": "WhenEmptyOrUnderutilized"},
            "template": {
                "metadata": {},
                "spec": {
                    "expireAfter": "336h",
                    "nodeClassRef": reference,
                    "requirements": [{"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["on-demand"]}],
                    "terminationGracePeriod": "24h0m0s",
                },
            },
            **others,
        },
    }


def node_class(name: str, role: str = "data-nodes", **others: object) -> dict[str, Any]:
    """A NodeClass."""
    return {
        "apiVersion": "eks.amazonaws.com/v1",
        "kind": "NodeClass",
        "metadata": {"name": name},
        "spec": {
            "ephemeralStorage": {"iops": 3000, "size": "80Gi", "throughput": 125},
            "role": role,
            "subnetSelectorTerms": [{"tags": {"team": "data"}}],
            "securityGroupSelectorTerms": [{"tags": {"aws:eks:cluster-name": "shop"}}],
            **others,
        },
        "status": {"instanceProfile": PROFILE},
    }


def node(region: str = REGION) -> dict[str, Any]:
    """A node."""
    labels = {"topology.kubernetes.io/region": region}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "i-1", "labels": labels}, "spec": {"providerID": f"aws:///{region}a/i-1"}}


def listed(*objects: dict[str, Any]) -> dict[str, Any]:
    """`kubectl get … -o yaml` of several objects."""
    return {"apiVersion": "v1", "kind": "List", "items": list(objects)}
