"""The same resources as our components register, written by hand: what a program costs without this library.

Run as a Pulumi program; the configuration `bench:clusters` says how many clusters, of the kinds of stack dev in turn.
"""

import json

import pulumi
import pulumi_kubernetes
from pulumi import ResourceOptions
from pulumi_aws import cloudwatch, ec2, eks, get_availability_zones, get_caller_identity, get_partition, iam
from pulumi_azure_native import authorization, containerservice, managedidentity, resources
from pulumi_azure_native import network as azure
from pulumi_kubernetes.apiextensions import CustomResource
from pulumi_kubernetes.storage.v1 import StorageClass

CLUSTER_POLICIES = ["Cluster", "Compute", "BlockStorage", "LoadBalancing", "Networking"]
NODE_POLICIES = ["AmazonEKSWorkerNodeMinimalPolicy", "AmazonEC2ContainerRegistryPullOnly"]


class Group(pulumi.ComponentResource):
    def __init__(self, kind, name, opts=None):
        super().__init__(f"raw:index:{kind}", name, {}, opts)
        self.register_outputs({})


def role(name, service, policies, parent):
    trust = json.dumps({"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["sts:AssumeRole"], "Principal": {"Service": service}}]})
    made = iam.Role(name, name=name, assume_role_policy=trust, opts=ResourceOptions(parent=parent))
    attached = [
        iam.RolePolicyAttachment(
            f"{name}-{policy}", role=made.name, policy_arn=f"arn:aws:iam::aws:policy/{policy}", opts=ResourceOptions(parent=made)
        )
        for policy in policies
    ]
    return made, attached


def network(name, region, parent):
    inside = Group("Network", name, ResourceOptions(parent=parent))
    here = ResourceOptions(parent=inside)
    zones = get_availability_zones(state="available", region=region).names[:3]
    vpc = ec2.Vpc(f"{name}-vpc", cidr_block="10.30.0.0/16", enable_dns_hostnames=True, enable_dns_support=True, region=region, opts=here)
    internet = ec2.InternetGateway(f"{name}-internet", vpc_id=vpc.id, region=region, opts=here)
    public = [
        ec2.Subnet(f"{name}-public-{i}", vpc_id=vpc.id, cidr_block=f"10.30.{i}.0/24", availability_zone=zone, region=region, opts=here)
        for i, zone in enumerate(zones)
    ]
    private = [
        ec2.Subnet(f"{name}-private-{i}", vpc_id=vpc.id, cidr_block=f"10.30.{64 * (i + 1)}.0/18", availability_zone=zone, region=region, opts=here)
        for i, zone in enumerate(zones)
    ]
    address = ec2.Eip(f"{name}-nat", domain="vpc", region=region, opts=here)
    nat = ec2.NatGateway(f"{name}-nat", allocation_id=address.id, subnet_id=public[0].id, region=region, opts=here)
    tables = [ec2.RouteTable(f"{name}-{key}", vpc_id=vpc.id, region=region, opts=here) for key in ("public", "private-1", "private-2", "private-3")]
    routes = [
        ec2.Route(f"{name}-public", route_table_id=tables[0].id, destination_cidr_block="0.0.0.0/0", gateway_id=internet.id, region=region, opts=here)
    ]
    routes += [
        ec2.Route(f"{name}-private-{i}", route_table_id=table.id, destination_cidr_block="0.0.0.0/0", nat_gateway_id=nat.id, region=region, opts=here)
        for i, table in enumerate(tables[1:])
    ]
    pairs = [*((subnet, tables[0]) for subnet in public), *zip(private, tables[1:], strict=True)]
    associations = [
        ec2.RouteTableAssociation(f"{name}-{i}", subnet_id=subnet.id, route_table_id=table.id, region=region, opts=here)
        for i, (subnet, table) in enumerate(pairs)
    ]
    return private, [internet, nat, *routes, *associations]


def raw_eks(name):
    inside = Group("Eks", name)
    here = ResourceOptions(parent=inside)
    region = "us-east-1"
    get_partition()
    get_caller_identity()
    private, egress = network(name, region, inside)
    control, control_policies = role(f"{name}-cluster", "eks.amazonaws.com", [f"AmazonEKS{policy}Policy" for policy in CLUSTER_POLICIES], inside)
    node, node_policies = role(f"{name}-node", "ec2.amazonaws.com", NODE_POLICIES, inside)
    of_class, class_policies = role(f"{name}-class-node", "ec2.amazonaws.com", NODE_POLICIES, inside)
    logs = cloudwatch.LogGroup(f"{name}-logs", name=f"/aws/eks/{name}/cluster", retention_in_days=90, opts=ResourceOptions(parent=inside))
    cluster = eks.Cluster(
        name,
        name=name,
        role_arn=control.arn,
        version="1.35",
        region=region,
        access_config={"authentication_mode": "API", "bootstrap_cluster_creator_admin_permissions": True},
        bootstrap_self_managed_addons=False,
        compute_config={"enabled": True, "node_pools": ["system"], "node_role_arn": node.arn},
        kubernetes_network_config={"elastic_load_balancing": {"enabled": True}, "service_ipv4_cidr": "172.20.0.0/16"},
        storage_config={"block_storage": {"enabled": True}},
        vpc_config={"subnet_ids": [subnet.id for subnet in private], "endpoint_private_access": True},
        opts=ResourceOptions(parent=inside, depends_on=[logs, *control_policies]),
    )
    config = pulumi.Output.all(cluster.endpoint, cluster.certificate_authority).apply(lambda known: json.dumps([str(part) for part in known]))
    provider = pulumi_kubernetes.Provider(f"{name}-kubernetes", kubeconfig=config, cluster_identifier=cluster.name, opts=here)
    entry = eks.AccessEntry(f"{name}-class", cluster_name=cluster.name, principal_arn=of_class.arn, type="EC2", region=region, opts=here)
    allowed = eks.AccessPolicyAssociation(
        f"{name}-class",
        cluster_name=cluster.name,
        principal_arn=of_class.arn,
        policy_arn="arn:aws:eks::aws:cluster-access-policy/AmazonEKSAutoNodePolicy",
        access_scope={"type": "cluster"},
        region=region,
        opts=ResourceOptions(parent=inside, depends_on=[entry]),
    )
    objects = ResourceOptions(parent=inside, provider=provider, depends_on=[*node_policies, *class_policies, *egress, allowed])
    made = CustomResource(
        f"{name}-class",
        "eks.amazonaws.com/v1",
        "NodeClass",
        {"role": of_class.name, "ephemeralStorage": {"size": "100Gi"}},
        {"name": "private"},
        objects,
    )
    template = {"spec": {"nodeClassRef": {"group": "eks.amazonaws.com", "kind": "NodeClass", "name": "private"}, "requirements": []}}
    CustomResource(
        f"{name}-pool",
        "karpenter.sh/v1",
        "NodePool",
        {"weight": 20, "template": template},
        {"name": "compute"},
        ResourceOptions(parent=inside, provider=provider, depends_on=[made]),
    )
    classes = ResourceOptions(parent=inside, provider=provider, depends_on=[cluster])
    StorageClass(f"{name}-storage", metadata={"name": "auto"}, provisioner="ebs.csi.eks.amazonaws.com", opts=classes)
    CustomResource(f"{name}-params", "eks.amazonaws.com/v1", "IngressClassParams", {"scheme": "internet-facing"}, {"name": "alb"}, classes)
    CustomResource(f"{name}-ingress", "networking.k8s.io/v1", "IngressClass", {"controller": "eks.amazonaws.com/alb"}, {"name": "alb"}, classes)


def raw_aks(name, *, pools=("web", "batch"), provisioned=False):
    inside = Group("Aks", name)
    here = ResourceOptions(parent=inside)
    client = authorization.get_client_config()
    group = resources.ResourceGroup(name, resource_group_name=name, location="westeurope", opts=here)
    net = Group("Network", name, here)
    vnet = azure.VirtualNetwork(
        f"{name}-vnet",
        resource_group_name=group.name,
        virtual_network_name=name,
        address_space={"address_prefixes": ["10.10.0.0/16"]},
        opts=ResourceOptions(parent=net),
    )
    subnet = azure.Subnet(
        f"{name}-nodes",
        resource_group_name=group.name,
        virtual_network_name=vnet.name,
        subnet_name="nodes",
        address_prefix="10.10.0.0/18",
        opts=ResourceOptions(parent=net),
    )
    identity = managedidentity.UserAssignedIdentity(name, resource_group_name=group.name, resource_name_=name, opts=here)
    grant = authorization.RoleAssignment(
        f"{name}-network",
        principal_id=identity.principal_id,
        role_definition_id="network",
        scope=vnet.id,
        principal_type="ServicePrincipal",
        opts=here,
    )
    cluster = containerservice.ManagedCluster(
        name,
        resource_group_name=group.name,
        resource_name_=name,
        kubernetes_version="1.35",
        dns_prefix=name,
        identity={"type": "UserAssigned", "user_assigned_identities": [identity.id]},
        agent_pool_profiles=[{"name": "system", "mode": "System", "vm_size": "Standard_D4ds_v5", "count": 2, "vnet_subnet_id": subnet.id}],
        node_provisioning_profile={"mode": "Auto" if provisioned else "Manual"},
        opts=ResourceOptions(parent=inside, depends_on=[grant]),
    )
    made = []
    for pool in pools:
        made.append(
            containerservice.AgentPool(
                f"{name}-{pool}",
                resource_group_name=group.name,
                resource_name_=cluster.name,
                agent_pool_name=pool,
                mode="User",
                vm_size="Standard_D2ds_v5",
                count=1,
                vnet_subnet_id=subnet.id,
                opts=ResourceOptions(parent=inside, depends_on=[cluster, *made]),
            )
        )
    admin = authorization.RoleAssignment(f"{name}-admin", principal_id=client.object_id, role_definition_id="admin", scope=cluster.id, opts=here)
    for kind in ("default", "aksManagedNodeOSUpgradeSchedule"):
        containerservice.MaintenanceConfiguration(
            f"{name}-{kind}",
            resource_group_name=group.name,
            resource_name_=cluster.name,
            config_name=kind,
            maintenance_window={"duration_hours": 5, "start_time": "02:00", "schedule": {"weekly": {"day_of_week": "Sunday", "interval_weeks": 1}}},
            opts=here,
        )
    if provisioned:
        provider = pulumi_kubernetes.Provider(
            f"{name}-kubernetes", kubeconfig=cluster.fqdn, cluster_identifier=cluster.name, opts=ResourceOptions(parent=inside, depends_on=[admin])
        )
        reference = {"group": "karpenter.azure.com", "kind": "AKSNodeClass", "name": "default"}
        CustomResource(
            f"{name}-pool",
            "karpenter.sh/v1",
            "NodePool",
            {"weight": 10, "template": {"spec": {"nodeClassRef": reference, "requirements": []}}},
            {"name": "general"},
            ResourceOptions(parent=inside, provider=provider, depends_on=[admin]),
        )


MAKERS = (raw_aks, lambda name: raw_aks(name, pools=(), provisioned=True), raw_eks)
for number in range(pulumi.Config("bench").require_int("clusters")):
    MAKERS[number % 3](f"raw-{number}")
