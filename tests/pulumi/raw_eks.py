"""An EKS cluster as another program declares it, and as `aws` and `kubectl` print it."""

import json
from pathlib import Path
from typing import Any

from tests.pulumi.simulated_clouds import SimulatedClouds

PROGRAM = """
import json
import pulumi, pulumi_aws as aws, pulumi_kubernetes as k8s

POLICY = "arn:aws:eks::aws:cluster-access-policy"


def role(name, service, policies):
    trust = json.dumps({"Statement": [{"Effect": "Allow", "Action": "sts:AssumeRole", "Principal": {"Service": service}}]})
    made = aws.iam.Role(name, name=name, assume_role_policy=trust)
    attached = [aws.iam.RolePolicyAttachment(f"{name}-{one}", role=made.name, policy_arn=f"arn:aws:iam::aws:policy/{one}") for one in policies]
    return made, attached


needed = [f"AmazonEKS{one}Policy" for one in ("Cluster", "Compute", "BlockStorage", "LoadBalancing", "Networking")]
control, policies = role("control", "eks.amazonaws.com", needed)
built_in, more = role("auto-nodes", "ec2.amazonaws.com", ["AmazonEKSWorkerNodeMinimalPolicy"])
nodes, others = role("data-nodes", "ec2.amazonaws.com", ["AmazonEKSWorkerNodeMinimalPolicy"])
key = aws.kms.Key("key", description="Secrets of the EKS cluster shop", enable_key_rotation=True, rotation_period_in_days=180)
cluster = aws.eks.Cluster(
    "cluster", encryption_config={"resources": ["secrets"], "provider": {"key_arn": key.arn}},
    name="shop", role_arn=control.arn, version="1.35", bootstrap_self_managed_addons=False,
    access_config={"authentication_mode": "API"},
    vpc_config={"subnet_ids": ["subnet-a", "subnet-b"], "endpoint_public_access": True, "endpoint_private_access": True},
    compute_config={"enabled": True, "node_pools": ["system"], "node_role_arn": built_in.arn},
    kubernetes_network_config={"elastic_load_balancing": {"enabled": True}, "service_ipv4_cidr": "172.20.0.0/16"},
    storage_config={"block_storage": {"enabled": True}}, tags={"team": "shop"}, opts=pulumi.ResourceOptions(depends_on=policies + more),
)
admin = aws.eks.AccessEntry("admins", cluster_name=cluster.name, principal_arn="arn:aws:iam::123456789012:role/admins", type="STANDARD")
aws.eks.AccessPolicyAssociation(
    "admins", cluster_name=cluster.name, principal_arn=admin.principal_arn, policy_arn=f"{POLICY}/AmazonEKSClusterAdminPolicy",
    access_scope={"type": "cluster"},
)
aws.eks.IdentityProviderConfig(
    "shop:people", cluster_name=cluster.name,  # its id: the simulated cloud takes the name
    oidc={"identity_provider_config_name": "people", "issuer_url": "https://login.example.com", "client_id": "kubernetes"},
)
entry = aws.eks.AccessEntry("nodes", cluster_name=cluster.name, principal_arn=nodes.arn, type="EC2", opts=pulumi.ResourceOptions(depends_on=others))
joined = aws.eks.AccessPolicyAssociation(
    "nodes", cluster_name=cluster.name, principal_arn=entry.principal_arn, policy_arn=f"{POLICY}/AmazonEKSAutoNodePolicy",
    access_scope={"type": "cluster"},
)
config = cluster.endpoint.apply(lambda server: json.dumps({
    "apiVersion": "v1", "kind": "Config", "current-context": "c", "clusters": [{"name": "c", "cluster": {"server": server}}],
    "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}], "users": [{"name": "u", "user": {}}],
}))
inside = k8s.Provider("inside", kubeconfig=config)
options = pulumi.ResourceOptions(provider=inside, depends_on=[joined])
terms = {"subnetSelectorTerms": [{"tags": {"team": "data"}}], "securityGroupSelectorTerms": [{"tags": {"aws:eks:cluster-name": "shop"}}]}
nvme = k8s.apiextensions.CustomResource(
    "nvme", api_version="eks.amazonaws.com/v1", kind="NodeClass", metadata={"name": "nvme"}, spec={"role": "data-nodes", **terms}, opts=options,
)
k8s.apiextensions.CustomResource(
    "spark", api_version="karpenter.sh/v1", kind="NodePool", metadata={"name": "spark"},
    spec={
        "weight": 50, "limits": {"cpu": "64"},
        "disruption": {"consolidateAfter": "30s", "consolidationPolicy": "WhenEmptyOrUnderutilized", "budgets": [{"nodes": "10%"}]},
        "template": {"spec": {
            "expireAfter": "336h", "terminationGracePeriod": "24h",
            "nodeClassRef": {"group": "eks.amazonaws.com", "kind": "NodeClass", "name": "nvme"},
            "requirements": [{"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["on-demand"]},
                             {"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64"]}],
        }},
    },
    opts=pulumi.ResourceOptions(provider=inside, depends_on=[nvme]),
)
"""
_ARN = "arn:aws:eks:eu-central-1:123456789012"


def aws_exports(clouds: SimulatedClouds, folder: Path) -> None:
    """What `aws eks` and `kubectl` print about the one cluster."""
    folder.mkdir()
    kinds: dict[str, list[dict[str, Any]]] = {}
    for one in clouds.objects().values():
        kinds.setdefault(one["type"].rpartition(":")[2], []).append(one["outputs"])
    [cluster] = kinds["Cluster"]
    (folder / "describe-cluster.json").write_text(json.dumps({"cluster": _described(cluster)}))
    for number, entry in enumerate(kinds["AccessEntry"]):
        principal = entry["principalArn"]
        described = {"clusterName": "shop", "accessEntryArn": f"{_ARN}:access-entry/shop/{number}", "username": principal, "kubernetesGroups": []}
        whole = {**described, "principalArn": principal, "type": entry["type"], "tags": entry.get("tags", {})}
        (folder / f"describe-access-entry-{number}.json").write_text(json.dumps({"accessEntry": whole}))
        policies = [
            {"policyArn": one["policyArn"], "accessScope": {"namespaces": [], **one["accessScope"]}}
            for one in kinds["AccessPolicyAssociation"]
            if one["principalArn"] == principal
        ]
        associated = {"clusterName": "shop", "principalArn": principal, "associatedAccessPolicies": policies}
        (folder / f"list-associated-access-policies-{number}.json").write_text(json.dumps(associated))
    [key], [provider] = kinds["Key"], kinds["IdentityProviderConfig"]
    own = {"clusterName": "shop", "identityProviderConfigArn": f"{_ARN}:identityproviderconfig/shop/oidc/people/1", "status": "ACTIVE"}
    (folder / "describe-identity-provider-config.json").write_text(json.dumps({"identityProviderConfig": {"oidc": {**provider["oidc"], **own}}}))
    (folder / "describe-key.json").write_text(json.dumps({"KeyMetadata": _key(key)}))
    rotation = {"KeyId": key["keyId"], "KeyRotationEnabled": key["enableKeyRotation"], "RotationPeriodInDays": key["rotationPeriodInDays"]}
    (folder / "get-key-rotation-status.json").write_text(json.dumps(rotation))
    objects = [one for kind in ("NodeClass", "NodePool") for one in kinds[kind]]
    (folder / "objects.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}))


def _key(key: dict[str, Any]) -> dict[str, Any]:
    of_kind = {"Origin": "AWS_KMS", "KeyManager": "CUSTOMER", "KeySpec": "SYMMETRIC_DEFAULT", "MultiRegion": False, "KeyUsage": "ENCRYPT_DECRYPT"}
    return {"KeyId": key["keyId"], "Arn": key["arn"], "Enabled": True, "KeyState": "Enabled", "Description": key["description"], **of_kind}


def _described(cluster: dict[str, Any]) -> dict[str, Any]:
    same = ("name", "version", "endpoint", "roleArn", "certificateAuthority", "status", "tags", "computeConfig", "storageConfig")
    return {
        **{name: cluster[name] for name in same},
        "arn": f"{_ARN}:cluster/{cluster['name']}",
        "resourcesVpcConfig": {**cluster["vpcConfig"], "securityGroupIds": []},
        "kubernetesNetworkConfig": cluster["kubernetesNetworkConfig"],
        "accessConfig": {"authenticationMode": cluster["accessConfig"]["authenticationMode"]},
        "logging": {"clusterLogging": []},
        "upgradePolicy": {"supportType": "EXTENDED"},
        "zonalShiftConfig": {"enabled": False},
        "identity": {"oidc": cluster["identities"][0]["oidcs"][0]},
        "deletionProtection": False,
        "encryptionConfig": [cluster["encryptionConfig"]],
    }
