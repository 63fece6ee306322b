"""What the first `pulumi up` of an AKS cluster needs, and the commands that export one."""

import os
from collections.abc import Iterator, Mapping
from shlex import quote
from typing import Final

from nodepools.clouds.aks.nodes import REGIONAL, SPOT, Provisioned, vcpu_uses
from nodepools.clouds.cloud import Prerequisites
from nodepools.clouds.rows import Place, kubectl, words
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.network import AksNetworkArgs
from nodepools.placement.node_pools import ClusterPools

_LOGIN = "AAD_LOGIN_METHOD"
_TOGETHER: Final[Mapping[str, str]] = {REGIONAL: "all families together", SPOT: "all spot pools together"}
"""Counters that are not about one family, in words."""


def aks_prerequisites(cluster: AksClusterArgs) -> Prerequisites:
    """Entra ID login, Azure roles, and VM quota."""
    tools = ("az", "kubelogin") if cluster.entra is not None else ("az",)
    login = "waits for a browser login: set it to azurecli, spn, msi or workloadidentity"
    waits = _LOGIN not in os.environ and cluster.entra is not None and cluster.apply == "direct"
    environment = (("login", f"{_LOGIN} is not set, so `kubelogin` {login}"),) if waits else ()
    return Prerequisites(tools, environment, tuple(_account(cluster)))


def _account(cluster: AksClusterArgs) -> Iterator[tuple[str, str]]:
    """The package of another version of the API, roles on the subscription, and quota."""
    if cluster.api_version is not None:
        needs = "the plugin azure-native, which Pulumi installs, and a Pulumi CLI with parameterized packages; no SDK is generated"
        yield "package", f"`pulumi up` sends version {cluster.api_version} of the Azure API: it needs {needs}"
    yield "role", "Contributor on the subscription" if cluster.resource_group is None else "Contributor on the resource group"
    roles = cluster.entra if cluster.entra is not None and cluster.entra.azure_rbac else None
    grants = cluster.identity is None or bool(cluster.registries) or (roles is not None and (roles.deployer_is_admin or cluster.admins))
    if grants:
        yield (
            "role",
            "Owner or User Access Administrator, to assign roles (`Microsoft.Authorization/roleAssignments/write`): Contributor is not enough",
        )
    if cluster.entra is not None and roles is None and cluster.apply == "direct":
        yield "group", "membership of the deployer in one of `admin_groups`: without Azure RBAC, no role gives access to the cluster"
    if roles is not None and not roles.deployer_is_admin and cluster.apply == "direct":
        yield "role", "Azure Kubernetes Service RBAC Cluster Admin for the deployer: `deployer_is_admin=False` does not grant it"
    yield from _monitoring(cluster)
    yield from _vcpus(cluster)
    if cluster.node_provisioning is not None:
        yield "quota", f"VMs that node auto provisioning can launch in {cluster.location}: see the limits of its NodePools"
    if isinstance(cluster.network, AksNetworkArgs):
        yield "quota", f"1 virtual network, 1 public IP in {cluster.location}"


def _monitoring(cluster: AksClusterArgs) -> Iterator[tuple[str, str]]:
    """Roles, regions and resource providers of logs and metrics."""
    if cluster.container_logs is not None:
        yield "role", "Log Analytics Contributor on the Log Analytics workspace, to read its shared keys when the agent is enabled"
        yield "region", f"Log Analytics workspace in {cluster.logs_location}; resource provider Microsoft.Insights registered"
    if cluster.audit is not None:
        yield "role", "Log Analytics Contributor on the Log Analytics workspace of the audit logs, to send logs there"
    if cluster.metrics is not None and cluster.metrics.enabled:
        yield "region", "resource providers Microsoft.Insights, Microsoft.Monitor and Microsoft.AlertsManagement registered"


def _vcpus(cluster: AksClusterArgs) -> Iterator[tuple[str, str]]:
    """The vCPUs of the agent pools by quota: when the pools are created, and at their maximum sizes during an upgrade."""
    uses = {(use.counter, use.checked_by): use.needs for use in vcpu_uses(cluster, Provisioned(cluster, ClusterPools(None)), others=())}
    for counter in dict.fromkeys(counter for counter, _ in uses):
        created, most = uses[counter, "server"], uses[counter, "true_use"]
        of = f"`{counter.name}` ({_TOGETHER[counter.name]})" if counter.name in _TOGETHER else f"`{counter.name}`"
        yield "quota", f"vCPUs of {of} in {counter.region}: {created} to create the pools, {most} at their maximum sizes during an upgrade"


def aks_commands(cluster: AksClusterArgs, place: Place) -> Iterator[str]:
    """The cluster, its pools, its maintenance configurations and its objects. A resource group that another stack creates is a variable."""
    name = cluster.name if cluster.name is not None else place.stem
    group = cluster.resource_group if cluster.resource_group is not None else place.stem
    of_group = quote(group) if isinstance(group, str) else '"$RESOURCE_GROUP"'
    account = ["--subscription", str(cluster.subscription_id)] if cluster.subscription_id is not None else []
    rest = words(["-o", "json", *account])
    for command, option, file in (
        ("show", "--name", "show"),
        ("nodepool list", "--cluster-name", "nodepool-list"),
        ("maintenanceconfiguration list", "--cluster-name", "maintenanceconfiguration-list"),
    ):
        yield f"az aks {command} --resource-group {of_group} {option} {quote(name)} {rest} > {place.folder}/{file}.json"
    kinds = "nodepools,aksnodeclasses,nodes" if cluster.node_provisioning is not None else "nodes"
    yield kubectl(kinds, quote(name), place)
