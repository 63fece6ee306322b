"""`nodepools doctor`: what a first `pulumi up` needs on this machine, and what to verify by hand in each account."""

import os
import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass

import typer

from nodepools.cli.exits import FAULTY
from nodepools.cli.report import print_json
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.network import AksNetworkArgs
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.platform import Platform

_LOGIN = "AAD_LOGIN_METHOD"


@dataclass(frozen=True, slots=True)
class Tool:
    """A program that Pulumi or a kubeconfig calls."""

    name: str
    why: str
    path: str | None


@dataclass(frozen=True, slots=True)
class Need:
    """What nobody can know offline: to be verified by hand."""

    cluster: str
    what: str
    need: str


def diagnose(platform: Platform, *, as_json: bool) -> None:
    """Prints both; ends with 1 where a tool is missing."""
    tools, needs = list(_tools(platform)), [*_environment(platform), *_needs(platform)]
    missing = [tool.name for tool in tools if tool.path is None]
    if as_json:
        print_json({"tools": [asdict(tool) for tool in tools], "needs": [asdict(need) for need in needs], "missing": missing})
    else:
        _print(tools, needs)
    raise typer.Exit(FAULTY if missing else 0)


def _print(tools: list[Tool], needs: list[Need]) -> None:
    typer.echo("On this machine")
    for tool in tools:
        typer.echo(f"  {'found  ' if tool.path else 'missing'}  {tool.name:<10} {tool.why}{f'  ({tool.path})' if tool.path else ''}")
    typer.echo("\nTo verify by hand")
    for need in needs:
        typer.echo(f"  {need.cluster:<8} {need.what:<7} {need.need}")


def _tools(platform: Platform) -> Iterator[Tool]:
    yield _tool("pulumi", "deploys; check and preview do without it")
    clusters = platform.clusters.values()
    if any(isinstance(cluster, AksClusterArgs) and cluster.entra is not None for cluster in clusters):
        yield _tool("kubelogin", "logs in to AKS clusters with Entra ID; set AAD_LOGIN_METHOD to azurecli, spn, msi or workloadidentity")
    if any(isinstance(cluster, EksClusterArgs) for cluster in clusters):
        yield _tool("aws", "gets the tokens for EKS clusters")


def _environment(platform: Platform) -> Iterator[Need]:
    """What `kubelogin` takes from the environment: without it, it waits for somebody with a browser."""
    if _LOGIN in os.environ:
        return
    for key, cluster in platform.clusters.items():
        if isinstance(cluster, AksClusterArgs) and cluster.entra is not None and cluster.apply == "direct":
            yield Need(key, "login", f"{_LOGIN} is not set: kubelogin would wait for a browser; set azurecli, spn, msi or workloadidentity")


def _tool(name: str, why: str) -> Tool:
    return Tool(name, why, shutil.which(name))


def _needs(platform: Platform) -> Iterator[Need]:
    for key, cluster in platform.clusters.items():
        if isinstance(cluster, AksClusterArgs):
            yield from (Need(key, what, need) for what, need in _aks(cluster))
        else:
            yield from (Need(key, what, need) for what, need in _eks(cluster))


def _aks(cluster: AksClusterArgs) -> Iterator[tuple[str, str]]:
    yield "role", "Contributor on the subscription" if cluster.resource_group is None else "Contributor on the resource group"
    grants = cluster.identity is None or (cluster.entra is not None and (cluster.entra.deployer_is_admin or cluster.admins))
    if grants:
        yield "role", "roleAssignments/write (User Access Administrator or Owner): Contributor lacks it"
    if cluster.entra is not None and not cluster.entra.deployer_is_admin and cluster.apply == "direct":
        yield "role", "Azure Kubernetes Service RBAC Cluster Admin for the deployer: it is not granted"
    if cluster.log_analytics_workspace_id is not None:
        yield "role", "Log Analytics Contributor on the Log Analytics workspace: the deployer reads its shared keys when the agent is turned on"
        yield "region", f"Log Analytics workspace in {cluster.logs_location}, and resource provider Microsoft.Insights registered"
    most = Counter[str]()
    for _, pool in cluster.all_pools():
        for one in (pool, pool.retiring):
            if one is not None:
                most[one.vm_size] += one.most_nodes
    for size, nodes in most.items():
        yield "quota", f"{nodes} x {size} in {cluster.location}, at the most, and a surge beside it"
    if cluster.node_provisioning is not None:
        yield "quota", f"what node auto provisioning may start in {cluster.location}: see the limits of its NodePools"
    if isinstance(cluster.network, AksNetworkArgs):
        yield "quota", f"1 virtual network, 1 public IP in {cluster.location}"


def _eks(cluster: EksClusterArgs) -> Iterator[tuple[str, str]]:
    yield "role", "eks:*, ec2 networking in the region, iam:PassRole"
    if _makes_roles(cluster):
        yield "role", f"iam:CreateRole and iam:AttachRolePolicy under {cluster.iam_path}"
    if cluster.network.kind == "EksNetwork":
        gateways = {"per-zone": "one a zone", "single": "1", None: "0"}[cluster.network.nat]
        yield "quota", f"1 VPC, NAT gateways and elastic IPs: {gateways}, in {cluster.region}"
    for name, pool in cluster.auto_mode.node_pools.items():
        limits = ", ".join(f"{resource} {quantity}" for resource, quantity in pool.limits.items()) or "no limits"
        yield "quota", f"EC2 vCPUs for NodePool {name}: {limits}"
    for name in cluster.auto_mode.built_in_node_pools:
        yield "quota", f"EC2 vCPUs for the built-in pool {name}: no limits"


def _makes_roles(cluster: EksClusterArgs) -> bool:
    mode = cluster.auto_mode
    of_nodes = cluster.node_role is None and (mode.built_in_node_pools or mode.shares_a_role)
    return cluster.cluster_role is None or bool(of_nodes) or any(declared.own_role for _, _, declared in mode.all_classes())
