"""Sound to the clouds, and not as the organisation wants it."""

# What the pack reports: a policy, the name of the resource, and the path of what is wrong with it.
# found: isolated-system-pools erp agentPoolProfiles[0].nodeTaints
# found: zone-redundant-system-pools erp agentPoolProfiles[0].availabilityZones
# found: private-api-server erp apiServerAccessProfile.enablePrivateCluster
# found: kubernetes-version-support erp kubernetesVersion
# found: allowed-vm-sizes erp agentPoolProfiles[1].vmSize
# found: maximum-vcpus erp agentPoolProfiles[1].count
# found: kubernetes-version-support web version
# found: required-tags web tags
# found: node-pool-limits fast spec.limits
# found: maximum-vcpus fast spec.limits.cpu
# found: allowed-instance-families fast spec.template.spec.requirements[2].values[1]
# found: required-labels fast spec.template.metadata.labels
# found: consolidate-after fast spec.disruption.consolidateAfter
# found: no-spot-only-production checkout metadata.namespace
# found: no-plain-kubeconfig shop-dev kubeconfig

import pulumi
import pulumi_aws as aws
from pulumi_azure_native import containerservice
from pulumi_kubernetes.apiextensions import CustomResource
from pulumi_kubernetes.apps.v1 import Deployment

containerservice.ManagedCluster(
    "erp",
    resource_group_name="erp",
    location="westeurope",
    dns_prefix="erp",
    kubernetes_version="1.35",
    identity={"type": containerservice.ResourceIdentityType.SYSTEM_ASSIGNED},
    aad_profile={"managed": True, "enable_azure_rbac": True},
    disable_local_accounts=True,
    sku={"name": "Base", "tier": "Standard"},
    network_profile={"network_plugin": "azure", "network_plugin_mode": "overlay"},
    api_server_access_profile={"authorized_ip_ranges": ["203.0.113.0/24"]},
    tags={"owner": "erp"},
    agent_pool_profiles=[
        {
            "name": "system",
            "mode": "System",
            "vm_size": "Standard_D4ds_v5",
            "count": 3,
            "type": "VirtualMachineScaleSets",
            "tags": {"owner": "erp"},
            "node_labels": {"team": "erp"},
        },
        {
            "name": "sap",
            "mode": "User",
            "vm_size": "Standard_E96ds_v5",
            "count": 5,
            "type": "VirtualMachineScaleSets",
            "tags": {"owner": "erp"},
            "node_labels": {"team": "erp"},
        },
    ],
)

aws.eks.Cluster(
    "web",
    name="web",
    region="us-east-1",
    version="1.35",
    role_arn="arn:aws:iam::111122223333:role/cluster",
    bootstrap_self_managed_addons=False,
    access_config={"authentication_mode": "API"},
    compute_config={"enabled": True, "node_pools": ["general-purpose"], "node_role_arn": "arn:aws:iam::111122223333:role/nodes"},
    kubernetes_network_config={"elastic_load_balancing": {"enabled": True}},
    storage_config={"block_storage": {"enabled": True}},
    vpc_config={"subnet_ids": ["subnet-0a", "subnet-0b"], "endpoint_private_access": True, "endpoint_public_access": False},
)

CustomResource(
    "fast",
    api_version="karpenter.sh/v1",
    kind="NodePool",
    metadata={"name": "fast"},
    spec={
        "disruption": {"consolidationPolicy": "WhenEmptyOrUnderutilized", "consolidateAfter": "0s"},
        "template": {
            "metadata": {"labels": {"tier": "fast"}},
            "spec": {
                "nodeClassRef": {"group": "eks.amazonaws.com", "kind": "NodeClass", "name": "default"},
                "requirements": [
                    {"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64"]},
                    {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["spot"]},
                    {"key": "eks.amazonaws.com/instance-category", "operator": "In", "values": ["c", "p"]},
                ],
            },
        },
    },
)

Deployment(
    "checkout",
    metadata={"namespace": "production"},
    spec={
        "selector": {"match_labels": {"app": "checkout"}},
        "template": {
            "metadata": {"labels": {"app": "checkout"}},
            "spec": {"node_selector": {"tier": "fast"}, "containers": [{"name": "checkout", "image": "checkout"}]},
        },
    },
)

KUBECONFIG = """
apiVersion: v1
kind: Config
clusters: [{name: web, cluster: {server: "https://web.example.com"}}]
contexts: [{name: web, context: {cluster: web, user: web}}]
users: [{name: web, user: {token: abcdef}}]
"""
pulumi.export("kubeconfig", KUBECONFIG)
