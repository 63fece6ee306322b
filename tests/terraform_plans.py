"""Plans of Terraform as `terraform show -json` prints them, with the arguments that azurerm and aws fill in."""

import json

GROUP = "/subscriptions/s/resourceGroups/rg/providers"
CLUSTER_ID = f"{GROUP}/Microsoft.ContainerService/managedClusters/shop"
SUBNET = f"{GROUP}/Microsoft.Network/virtualNetworks/v/subnets/nodes"
AKS, POOL = "azurerm_kubernetes_cluster", "azurerm_kubernetes_cluster_node_pool"
EKS, GROUPS = "aws_eks_cluster", "aws_eks_node_group"


def system(**values):
    return {
        "name": "system",
        "vm_size": "Standard_D4ds_v5",
        "node_count": 3,
        "auto_scaling_enabled": False,
        "min_count": 0,
        "max_count": 0,
        "type": "VirtualMachineScaleSets",
        "only_critical_addons_enabled": True,
        "zones": ["1", "2", "3"],
        "os_disk_size_gb": 128,
        "os_sku": "Ubuntu",
        "max_pods": 30,
        "node_labels": {},
        "temporary_name_for_rotation": "systemtmp",
        "orchestrator_version": "1.35.1",
        "vnet_subnet_id": SUBNET,
        "upgrade_settings": [{"max_surge": "10%", "drain_timeout_in_minutes": 0, "node_soak_duration_in_minutes": 0}],
        **values,
    }


def cluster(pool=None, **values):
    return {
        "name": "shop",
        "id": CLUSTER_ID,
        "resource_group_name": "rg",
        "location": "westeurope",
        "kubernetes_version": "1.35.1",
        "dns_prefix": "shop",
        "sku_tier": "Standard",
        "identity": [{"type": "SystemAssigned", "identity_ids": [], "principal_id": "p", "tenant_id": "t"}],
        "network_profile": [
            {
                "network_plugin": "azure",
                "network_plugin_mode": "overlay",
                "network_policy": "",
                "network_data_plane": "azure",
                "pod_cidr": "10.244.0.0/16",
                "service_cidr": "10.0.0.0/16",
                "dns_service_ip": "10.0.0.10",
                "load_balancer_sku": "standard",
                "outbound_type": "loadBalancer",
            }
        ],
        "default_node_pool": [pool if pool is not None else system()],
        "kube_config_raw": "kubeconfig-with-password",
        "oidc_issuer_enabled": True,
        "private_cluster_public_fqdn_enabled": False,
        "role_based_access_control_enabled": True,
        "tags": {},
        **values,
    }


def pool(name="web", **values):
    return {
        "name": name,
        "kubernetes_cluster_id": CLUSTER_ID,
        "vm_size": "Standard_D4ds_v5",
        "auto_scaling_enabled": True,
        "min_count": 2,
        "max_count": 6,
        "node_count": 3,
        "mode": "User",
        "os_type": "Linux",
        "os_sku": "Ubuntu",
        "os_disk_size_gb": 128,
        "node_labels": {"tier": "web"},
        "node_taints": None,
        "zones": ["1", "2", "3"],
        "max_pods": 30,
        "priority": "Regular",
        "spot_max_price": -1,
        "eviction_policy": "",
        "orchestrator_version": "1.35.1",
        "temporary_name_for_rotation": None,
        "vnet_subnet_id": SUBNET,
        "upgrade_settings": [{"max_surge": "33%"}],
        **values,
    }


ARN = "arn:aws:eks:us-east-1:111122223333"
ROLE = "arn:aws:iam::111122223333:role"


def eks(**values):
    network = {"service_ipv4_cidr": "172.20.0.0/16", "ip_family": "ipv4"}
    return {
        "name": "shop",
        "version": "1.35",
        "role_arn": f"{ROLE}/cluster",
        "arn": f"{ARN}:cluster/shop",
        "vpc_config": [{"subnet_ids": ["subnet-a", "subnet-b"], "vpc_id": "vpc-1", "endpoint_public_access": True}],
        "upgrade_policy": [{"support_type": "STANDARD"}],
        "access_config": [{"authentication_mode": "API", "bootstrap_cluster_creator_admin_permissions": True}],
        "kubernetes_network_config": [network],
        "bootstrap_self_managed_addons": True,
        "tags": {},
        "tags_all": {"team": "shop"},
        **values,
    }


def auto_mode(**values):
    """A cluster with Auto Mode."""
    made = eks(bootstrap_self_managed_addons=False, **values)
    compute = {"enabled": True, "node_pools": ["general-purpose", "system"], "node_role_arn": f"{ROLE}/nodes"}
    network = [{**made["kubernetes_network_config"][0], "elastic_load_balancing": [{"enabled": True}]}]
    return {**made, "compute_config": [compute], "storage_config": [{"block_storage": [{"enabled": True}]}], "kubernetes_network_config": network}


def group(**values):
    return {
        "cluster_name": "shop",
        "node_group_name": "web",
        "arn": f"{ARN}:nodegroup/shop/web/1",
        "node_role_arn": f"{ROLE}/nodes",
        "subnet_ids": ["subnet-a", "subnet-b"],
        "instance_types": ["m5.large"],
        "ami_type": "AL2023_x86_64_STANDARD",
        "capacity_type": "ON_DEMAND",
        "scaling_config": [{"min_size": 2, "max_size": 5, "desired_size": 3}],
        "labels": {"tier": "web"},
        "taint": [],
        "version": "1.35",
        "update_config": [{"max_unavailable": 1}],
        "disk_size": 20,
        "launch_template": [],
        **values,
    }


def subnet(zone):
    return {
        "id": f"subnet-{zone}",
        "cidr_block": "10.0.1.0/24",
        "availability_zone": f"us-east-1{zone}",
        "vpc_id": "vpc-1",
        "tags_all": {"tier": "private"},
    }


def without(values, *names):
    return {name: value for name, value in values.items() if name not in names}


def provider(region):
    """The configuration of a plan with this provider of AWS."""
    return {"provider_config": {"aws": {"name": "aws", "expressions": {"region": region}}}}


def change(of_type, before, after, *, name="this", actions=None, paths=(), unknown=None, sensitive=None, module=""):
    """A resource of a plan."""
    if actions is None:
        actions = ["create"] if before is None else ["delete"] if after is None else ["no-op"] if before == after else ["update"]
    secret = {"kube_config_raw": True} if of_type == AKS else sensitive or {}
    return {
        "address": f"{module}.{of_type}.{name}".lstrip("."),
        **({"module_address": module} if module else {}),
        "mode": "managed",
        "type": of_type,
        "change": {
            "actions": actions,
            "before": before,
            "after": after,
            "after_unknown": unknown or {},
            "before_sensitive": secret,
            "after_sensitive": secret,
            **({"replace_paths": list(paths)} if paths else {}),
        },
    }


def plan(*changes, **more):
    return {"format_version": "1.2", "terraform_version": "1.14.1", "planned_values": {}, "resource_changes": list(changes), **more}


def state(*resources):
    """A state: each resource is given with its type, name and values."""
    listed = [{"address": f"{kind}.{name}", "mode": "managed", "type": kind, "values": values} for kind, name, values in resources]
    return {"format_version": "1.0", "terraform_version": "1.14.1", "values": {"root_module": {"resources": listed}}}


def text(value):
    return json.dumps(value)
