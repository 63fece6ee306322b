"""What the baseline asks of AKS clusters: the CIS benchmark and Microsoft's own baselines. Facts: docs/security-baseline.md."""

from collections.abc import Iterator
from typing import Final

from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.platform import Platform
from nodepools.rules.engine.baseline import asks, control, opened_aks
from nodepools.rules.engine.finding import Fix, PartFinding, literal, ref, set_to
from nodepools.rules.engine.registry import BASELINES, finding, limited, sample, warning

_CIS: Final = "CIS Azure Kubernetes Service Benchmark 1.8"
_PSRULE: Final = "https://azure.github.io/PSRule.Rules.Azure/en/rules"
_REFERENCE: Final = "https://github.com/mspnp/aks-baseline (2026-03)"
_AUDITED: Final = frozenset({"kube-audit", "kube-audit-admin"})


@control("AKS300", f"{_CIS}, 2.1.1; {_PSRULE}/Azure.AKS.AuditLogs")
@sample("clusters.one.audit", lambda: opened_aks(audit=None))
def aks_audit_logs_off(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The baseline asks for audit logs of the control plane."""
    if _AUDITED.isdisjoint(cluster.audit_categories):
        message = "Changes through the API server cannot be traced later: no audit log is collected"
        yield finding(cluster, message, path="audit", fix=f"Set {ref('audit.workspace')} to the id of a Log Analytics workspace")


@control("AKS301", f"{_PSRULE}/Azure.AKS.ContainerInsights")
@sample("clusters.one.logs", lambda: opened_aks(logs=None))
def aks_container_logs_off(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The baseline asks for logs of containers outside the cluster."""
    if cluster.container_logs is None:
        message = "Logs of containers are lost with their nodes: no workspace collects them"
        yield finding(cluster, message, path="logs", fix=f"Set {ref('logs.workspace')} to the id of a Log Analytics workspace")


@control("AKS302", f"{_CIS}, 5.3.1")
@sample("clusters.one.etcd_key", lambda: opened_aks(etcd_key=None))
def aks_secrets_without_own_key(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The baseline asks that Secrets are encrypted in etcd with a key of your own."""
    if cluster.etcd_key is None or not cluster.etcd_key.enabled:
        message = "Secrets are encrypted in etcd with a key of Azure, not with a key of your own"
        fix = f"Set {ref('etcd_key.key_id')} to the id of a version of a key; if the key is lost, so is the cluster"
        yield finding(cluster, message, path="etcd_key", fix=fix)


@control("AKS303", f"{_PSRULE}/Azure.AKS.AzurePolicyAddOn")
@sample("clusters.one.azure_policy", lambda: opened_aks(azure_policy=None))
def azure_policy_off(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The baseline asks that the policies of the organization apply inside clusters."""
    if cluster.azure_policy is not True:
        message = "Azure Policy is off: policies that are assigned to the subscription do not apply inside the cluster"
        yield finding(cluster, message, path="azure_policy", fix=set_to("azure_policy", value=True))


@control("AKS304", f"{_CIS}, 5.1.1; {_PSRULE}/Azure.AKS.DefenderProfile")
@sample("clusters.one.defender", lambda: opened_aks(defender=None))
def defender_off(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The baseline asks that threats and vulnerable images are detected."""
    if cluster.defender is None or not cluster.defender.enabled:
        message = "Nothing detects vulnerable images and threats on the nodes: the Defender sensor is off"
        fix = f"Set {ref('defender.workspace')} to the id of a workspace; Defender is billed by vCPU"
        yield finding(cluster, message, path="defender", fix=fix)


@control("AKS305", f"{_REFERENCE}: disableRunCommand")
@sample("clusters.one.run_command", lambda: opened_aks(run_command=None))
def run_command_on(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """`az aks command invoke` runs commands as cluster admin for everyone who has its Azure action, independent of their rights in the cluster."""
    if cluster.run_command is not False:
        message = "`az aks command invoke` is on: it runs commands as cluster admin, even if the API server is private"
        yield finding(cluster, message, path="run_command", fix=set_to("run_command", value=False))


@control("AKS307", f"{_CIS}, 5.2.1")
@sample("clusters.one.workload_identity", lambda: opened_aks(workload_identity=False))
def workload_identity_off(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The baseline asks that pods have identities of their own instead of that of their node."""
    if not cluster.workload_identity:
        message = "Pods reach Azure with the identity that all pods of a node share: workload identity is off"
        yield finding(cluster, message, path="workload_identity", fix=set_to("workload_identity", value=True))


@control("AKS308", f"{_CIS}, 5.4.4; {_PSRULE}/Azure.AKS.NetworkPolicy")
@sample("clusters.one.network_profile.policy", lambda: opened_aks(network_profile={"dataplane": "azure", "policy": "none"}))
def aks_network_policies_off(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The baseline asks that network policies are enforced."""
    profile = cluster.network_profile
    if profile.plugin != "none" and profile.enforced_policy in (None, "none"):
        fix = f"Set {ref('network_profile.dataplane')} to {literal('cilium')}; the cluster is replaced"
        yield finding(cluster, "Nothing enforces network policies: every pod reaches every other pod", path=("network_profile", "policy"), fix=fix)


@control("AKS309", f"{_PSRULE}/Azure.AKS.NodeAutoUpgrade")
@sample("clusters.one.node_os_upgrade", lambda: opened_aks(node_os_upgrade="None"))
def node_images_not_upgraded(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The baseline asks that nodes get security patches."""
    if cluster.node_os_upgrade in ("None", "Unmanaged") and cluster.auto_upgrade != "node-image":
        fix = Fix(f"Set {ref('node_os_upgrade')} to {literal('NodeImage')}", (set_to("node_os_upgrade", "NodeImage"),))
        yield finding(cluster, "Nodes get no security patches: automatic upgrades of node images are off", path="node_os_upgrade", fix=fix)


@control("AKS310", f"{_PSRULE}/Azure.AKS.UptimeSLA")
@sample("clusters.one.tier", lambda: opened_aks(tier="Free", cost_analysis=None))
def control_plane_without_sla(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The baseline asks for a control plane with an uptime SLA."""
    if cluster.tier == "Free":
        yield finding(cluster, "The control plane has no uptime SLA in the Free tier", path="tier", fix=set_to("tier", "Standard"))


@warning("AKS311", "nodepools: `protect` is the option of Pulumi against deletion")
@limited(BASELINES)
@sample("clusters.one.protect", lambda: opened_aks(protect=False))
def aks_cluster_not_protected(cluster: AksClusterArgs, whole: Platform) -> Iterator[PartFinding]:
    """The baseline asks that no single command deletes a cluster."""
    if asks(whole) and not whole.protects(cluster):
        yield finding(cluster, "`pulumi destroy` deletes the cluster without a further question", path="protect", fix=set_to("protect", value=True))


@control("AKS312", f"{_PSRULE}/Azure.AKS.SecretStoreRotation")
@sample("clusters.one.key_vault_provider.rotate", lambda: opened_aks(key_vault_provider={"rotate": False}))
def mounted_secrets_not_rotated(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The baseline asks that mounted secrets follow their vault."""
    provider = cluster.key_vault_provider
    if provider is not None and provider.enabled and not provider.rotate:
        at = ("key_vault_provider", "rotate")
        yield finding(cluster, "Pods keep old versions of mounted secrets until they restart", path=at, fix=set_to(at, value=True))


@control("AKS313", f"{_CIS}, 5.4.3")
@sample(
    "clusters.one.pools.web.node_public_ip",
    lambda: opened_aks(api_server={"private": True, "authorized_ip_ranges": []}, pools={"web": {"node_public_ip": True}}),
)
def nodes_with_public_addresses(pool: AgentPool) -> Iterator[PartFinding]:
    """The baseline asks for nodes without public addresses."""
    if pool.node_public_ip is True:
        yield finding(pool, "Every node of the pool has a public IP address", path="node_public_ip", fix=set_to("node_public_ip", value=False))


@control("AKS314", f"{_REFERENCE}: imageCleaner")
@sample("clusters.one.image_cleaner", lambda: opened_aks(image_cleaner=None))
def vulnerable_images_stay(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The baseline asks that vulnerable images do not stay on nodes."""
    if cluster.image_cleaner is None or not cluster.image_cleaner.enabled:
        message = "Images with known vulnerabilities stay on the nodes after their containers are deleted"
        yield finding(cluster, message, path="image_cleaner", fix=f"Set {ref('image_cleaner.interval')} to {literal('168h')}")
