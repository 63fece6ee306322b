"""Node auto provisioning, with NodePools and a node class through the Kubernetes provider."""

# What the pack reports: a policy, the name of the resource, and the path of what is wrong with it.
# found: NAP001 apps agentPoolProfiles[1].enableAutoScaling
# found: NAP002 apps networkProfile.networkPolicy
# found: NAP012 apps nodeProvisioningProfile.mode
# found: NAP009 zonal spec.template.spec.requirements[2].values
# found: KAR087 unknown spec.template.spec.requirements[2].key
# found: NAP007 labelled spec.template.metadata.labels["kubernetes.azure.com/agentpool"]
# found: NAP006 lost spec.template.spec.nodeClassRef.name
# found: NAP013 cheap spec.template.spec.taints
# found: KAR045 open spec.template.spec.requirements
# found: KAR046 open spec.template.spec.requirements
# found: AKS032 large spec.kubelet.imageGCHighThresholdPercent
# found: NAP020 large spec.fipsMode
# found: NAP027 large spec.tags["a<b"]

import pulumi
import pulumi_kubernetes as kubernetes
from pulumi_azure_native import containerservice, resources
from pulumi_kubernetes.apiextensions import CustomResource

group = resources.ResourceGroup("apps", location="westeurope")
cluster = containerservice.ManagedCluster(
    "apps",
    resource_group_name=group.name,
    location="westeurope",
    dns_prefix="apps",
    kubernetes_version="1.35",
    identity={"type": containerservice.ResourceIdentityType.SYSTEM_ASSIGNED},
    aad_profile={"managed": True, "enable_azure_rbac": True},
    disable_local_accounts=True,
    sku={"name": "Base", "tier": "Standard"},
    network_profile={"network_plugin": "azure", "network_plugin_mode": "overlay", "network_policy": "calico", "load_balancer_sku": "standard"},
    node_provisioning_profile={"mode": "Auto"},
    agent_pool_profiles=[
        {"name": "system", "mode": "System", "vm_size": "Standard_D4ds_v5", "count": 3, "type": "VirtualMachineScaleSets"},
        {
            "name": "web",
            "mode": "User",
            "vm_size": "Standard_D4ds_v5",
            "enable_auto_scaling": True,
            "min_count": 1,
            "max_count": 5,
            "count": 1,
            "type": "VirtualMachineScaleSets",
        },
    ],
)
credentials = containerservice.list_managed_cluster_user_credentials_output(resource_group_name=group.name, resource_name=cluster.name)
provider = kubernetes.Provider("apps", kubeconfig=pulumi.Output.secret(credentials.kubeconfigs[0].value), cluster_identifier=cluster.id)


def needs(key: str, *values: str) -> dict[str, object]:
    return {"key": key, "operator": "In", "values": list(values)}


AMD64 = needs("kubernetes.io/arch", "amd64")
ON_DEMAND = needs("karpenter.sh/capacity-type", "on-demand")


def node_pool(name: str, *requirements: dict[str, object], node_class: str = "default", **template: object) -> CustomResource:
    return CustomResource(
        name,
        api_version="karpenter.sh/v1",
        kind="NodePool",
        metadata={"name": name},
        spec={
            "limits": {"cpu": "100"},
            "template": {
                "metadata": template,
                "spec": {
                    "nodeClassRef": {"group": "karpenter.azure.com", "kind": "AKSNodeClass", "name": node_class},
                    "expireAfter": "Never",
                    "requirements": list(requirements),
                },
            },
        },
        opts=pulumi.ResourceOptions(provider=provider),
    )


node_pool("zonal", AMD64, ON_DEMAND, needs("topology.kubernetes.io/zone", "1", "2"))
node_pool("unknown", AMD64, ON_DEMAND, needs("karpenter.azure.com/sku-cpus", "8"))
node_pool("labelled", AMD64, ON_DEMAND, labels={"kubernetes.azure.com/agentpool": "labelled"})
node_pool("lost", AMD64, ON_DEMAND, node_class="missing")
node_pool("cheap", AMD64, needs("karpenter.sh/capacity-type", "spot"))
node_pool("open")

CustomResource(
    "large",
    api_version="karpenter.azure.com/v1beta1",
    kind="AKSNodeClass",
    metadata={"name": "large"},
    spec={
        "imageFamily": "Ubuntu2404",
        "fipsMode": "FIPS",
        "tags": {"a<b": "c"},
        "kubelet": {"imageGCHighThresholdPercent": 70, "imageGCLowThresholdPercent": 80},
    },
    opts=pulumi.ResourceOptions(provider=provider),
)
