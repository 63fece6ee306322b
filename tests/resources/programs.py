"""Declarations as resources of a program that knows nothing of our components: registered with the SDKs, so that the wire is theirs."""

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pulumi
from pulumi_aws import eks
from pulumi_azure_native import containerservice

from nodepools import testing
from nodepools.aks.cluster import agent_pool_arguments, cluster_arguments, maintenance_arguments
from nodepools.clouds.karpenter_objects import aks_node_class, eks_node_class, node_pool
from nodepools.eks.cluster import cluster_arguments as eks_cluster_arguments
from nodepools.engine.property_values import plain_of
from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.base import to_plain
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.ref import revealed
from nodepools.resources.resource import Resource
from nodepools.wire.aks.agent_pool import AgentPoolContext
from nodepools.wire.aks.cluster_context import KubeletIds
from nodepools.wire.eks.access import IDENTITY_PROVIDER
from nodepools.wire.eks.cluster import EksClusterContext as EksAround
from nodepools.wire.karpenter import AKS_NODE_CLASS, EKS_NODE_CLASS
from nodepools.wire.reading import write
from nodepools.wire.table import python_name

AnyCluster = AksClusterArgs | EksClusterArgs
GROUP = "rg"


NODES = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets/nodes"


def as_text(value: object) -> str:
    """A reference as the text that a provider gets, a secret too."""
    return str(revealed(value))


def wire(program: Callable[[], object]) -> list[Resource]:
    """What a program registers, in an empty stack, all known."""
    graph = testing.run(program)
    return [
        Resource(node.urn, node.type, node.name, plain_of(node.request.object), dependencies=tuple(node.request.dependencies))
        for node in graph
        if not node.is_component
    ]


def pool_arguments(key: str, pool: AgentPool, cluster: AksClusterArgs) -> dict[str, Any]:
    subnet = pool.vnet_subnet_id if pool.vnet_subnet_id is not None else NODES
    return agent_pool_arguments(pool, AgentPoolContext(key, cluster.kubernetes_version, subnet), resolve=as_text)


def register_aks(name: str, cluster: AksClusterArgs) -> None:
    """A ManagedCluster, its AgentPools beside it, its maintenance configurations."""
    subnet = cluster.system_pool.vnet_subnet_id if cluster.system_pool is not None else None
    arguments = cluster_arguments(
        name,
        cluster,
        identity_id="identity",
        system_subnet_id=subnet if subnet is not None else NODES,
        kubelet=KubeletIds("kubelet", "client", "object"),
        resolve=as_text,
    )
    containerservice.ManagedCluster(name, resource_group_name=GROUP, **{**arguments, "resource_name_": name})
    for key, pool in cluster.pools.items():
        called = pool.name if pool.name is not None else key
        containerservice.AgentPool(
            f"{name}-{key}", resource_group_name=GROUP, resource_name_=name, agent_pool_name=called, **pool_arguments(key, pool, cluster)
        )
    for config, arguments in maintenance_arguments(cluster.applied_maintenance).items():
        containerservice.MaintenanceConfiguration(f"{name}-{config}", resource_group_name=GROUP, resource_name_=name, config_name=config, **arguments)


def register_eks(name: str, cluster: EksClusterArgs) -> None:
    """A Cluster with its access entries, pod identities and add-ons."""
    role = str(cluster.cluster_role) if cluster.cluster_role is not None else "arn:aws:iam::111122223333:role/cluster"
    nodes = str(cluster.node_role) if cluster.node_role is not None else "arn:aws:iam::111122223333:role/nodes"
    subnets = [str(subnet) for subnet in getattr(cluster.network, "private_subnet_ids", ("subnet-1", "subnet-2"))]
    eks.Cluster(name, **eks_cluster_arguments(cluster, EksAround(name, role, nodes, subnets), resolve=as_text))
    for admin in cluster.admins:
        register_entry(f"{name}-{admin}", name, str(admin), "STANDARD", ["AmazonEKSClusterAdminPolicy"])
    for entry_key, entry in cluster.access_entries.items():
        policies = [policy.name for policy in entry.policies]
        register_entry(f"{name}-{entry_key}", name, str(entry.principal), entry.type, policies, entry.groups, entry.user_name)
    for one, identity in cluster.pod_identities.items():
        eks.PodIdentityAssociation(
            f"{name}-{one}",
            cluster_name=name,
            namespace=identity.namespace,
            service_account=identity.service_account,
            role_arn=str(identity.role),
            target_role_arn=str(identity.target_role) if identity.target_role is not None else None,
            disable_session_tags=True if not identity.session_tags else None,
            policy=json.dumps(dict(identity.session_policy)) if identity.session_policy is not None else None,
        )
    if cluster.identity_provider is not None:
        made = write(IDENTITY_PROVIDER, cluster.identity_provider, spell=python_name, resolve=as_text)
        eks.IdentityProviderConfig(f"{name}-people", cluster_name=name, **made)
    for add_on, declared in cluster.add_ons.items():
        eks.Addon(f"{name}-{add_on}", cluster_name=name, addon_name=add_on, addon_version=declared.version, preserve=declared.keep)


def register_entry(
    name: str, cluster: str, principal: str, kind: str, policies: Iterable[str], groups: Iterable[str] = (), user: str | None = None
) -> None:
    entry = eks.AccessEntry(name, cluster_name=cluster, principal_arn=principal, type=kind, kubernetes_groups=[*groups] or None, user_name=user)
    for policy in policies:
        eks.AccessPolicyAssociation(
            f"{name}-{policy}",
            cluster_name=cluster,
            principal_arn=principal,
            policy_arn=f"arn:aws:eks::aws:cluster-access-policy/{policy}",
            access_scope={"type": "cluster"},
            opts=pulumi.ResourceOptions(depends_on=[entry]),
        )


def objects_in(name: str, cluster: AnyCluster, urn: str) -> list[Resource]:
    """The provider of a cluster, and what is applied by it."""
    provider = f"urn:pulumi:dev::p::pulumi:providers:kubernetes::{name}"
    made = [Resource(provider, "pulumi:providers:kubernetes", name, {}, dependencies=(urn,))]
    return [*made, *(as_resource(f"{name}-{one['kind']}-{one['metadata']['name']}", one, provider) for one in manifests(cluster))]


def manifests(cluster: AnyCluster) -> list[Mapping[str, Any]]:
    if isinstance(cluster, AksClusterArgs):
        auto = cluster.node_provisioning
        classes = [aks_node_class(name, one, str) for name, one in auto.node_classes.items()] if auto is not None else []
        return [*classes, *(node_pool(name, one, AKS_NODE_CLASS) for name, one in cluster.applied_node_pools.items())]
    term = [{"tags": {"a": "b"}}]
    mode = cluster.auto_mode
    classes = [
        eks_node_class(name, one, str, role=str(one.role) if one.role is not None else "node", subnets=term, security_groups=term)
        for name, one in mode.node_classes.items()
    ]
    return [*classes, *(node_pool(name, one, EKS_NODE_CLASS) for name, one in cluster.applied_node_pools.items())]


def as_resource(name: str, manifest: Mapping[str, Any], provider: str | None = None) -> Resource:
    token = f"kubernetes:{manifest['apiVersion']}:{manifest['kind']}"
    inputs = to_plain(manifest)
    assert isinstance(inputs, dict)
    return Resource(f"urn:pulumi:dev::p::{token}::{name}", token, name, inputs, provider=provider)


def stack_of(clusters: Mapping[str, AnyCluster]) -> list[Resource]:
    """All of them in one program."""

    def program() -> None:
        for name, cluster in clusters.items():
            (register_aks if isinstance(cluster, AksClusterArgs) else register_eks)(name, cluster)

    resources = wire(program)
    by_name = {(one.name, one.type.rpartition(":")[2]): one.urn for one in resources}
    for name, cluster in clusters.items():
        resources += objects_in(name, cluster, by_name[name, "ManagedCluster" if isinstance(cluster, AksClusterArgs) else "Cluster"])
    return resources
