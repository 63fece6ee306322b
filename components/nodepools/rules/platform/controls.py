"""The controls of the baseline: who requires each, and the field and the rules that cover it. docs/security-baseline.md is generated from it.

Sources: CIS Azure Kubernetes Service Benchmark 1.8 and CIS Amazon EKS Benchmark 1.8, the sections about clusters (2 and 5); PSRule for Azure; the AKS
baseline architecture of Microsoft (2026-03); the EKS best practices of AWS (2026-05).
"""

from typing import Final, NamedTuple


class Answer(NamedTuple):
    """What this library has for a control on one cloud."""

    field: str = ""
    """Path of the field in the cluster; empty if there is none."""
    rules: tuple[str, ...] = ()
    """The codes that report an open control."""
    why: str = ""
    """Why nothing reports it."""


class Control(NamedTuple):
    """One requirement of a benchmark."""

    title: str
    source: str
    aks: Answer
    eks: Answer


_ALWAYS: Final = "always so"
CONTROLS: Final = (
    Control("Audit logs", "CIS 2.1.1; PSRule AuditLogs; AKS baseline", Answer("audit", ("AKS300",)), Answer("log_types", ("EKS170",))),
    Control("Logs of containers", "PSRule ContainerInsights", Answer("logs", ("AKS301",)), Answer(why="an add-on or a DaemonSet of your own")),
    Control("API server not open to the internet", "CIS 5.4.1; PSRule AuthorizedIPs", *(Answer("api_server.authorized_ip_ranges", ("PLT010",)),) * 2),
    Control(
        "Private API server", "CIS 5.4.2", *(Answer("api_server.private", why="authorized ranges are accepted too: the deployer needs a route"),) * 2
    ),
    Control(
        "Nodes without public addresses",
        "CIS 5.4.3",
        Answer("pools.node_public_ip", ("AKS313",)),
        Answer("network.private_subnet_ids", why="nodes are in the private subnets of a new VPC; subnets that exist are yours"),
    ),
    Control("Secrets encrypted with a key of your own", "CIS 5.3.1", Answer("etcd_key", ("AKS302", "AKS296")), Answer("secrets_key", ("EKS171",))),
    Control(
        "Personal accounts instead of shared credentials",
        "CIS 5.5.1; PSRule ManagedAAD, LocalAccounts",
        Answer("entra", ("AKS062", "AKS240")),
        Answer("access_entries", why=_ALWAYS),
    ),
    Control("Roles of the cloud authorize people", "CIS 5.5.2; PSRule AzureRBAC", Answer("entra.azure_rbac", ("AKS241",)), Answer(why=_ALWAYS)),
    Control(
        "The creator does not stay admin",
        "EKS best practices",
        Answer("entra.deployer_is_admin", why="the role can be removed at any time"),
        Answer("creator_is_admin", ("EKS173",)),
    ),
    Control("Commands only through the API server", "AKS baseline", Answer("run_command", ("AKS305",)), Answer(why="EKS has no such command")),
    Control(
        "Network policies",
        "CIS 5.4.4; PSRule NetworkPolicy",
        Answer("network_profile.policy", ("AKS308",)),
        Answer("objects.network_policies", ("EKS172",)),
    ),
    Control(
        "Identities of pods instead of nodes",
        "CIS 5.2.1",
        Answer("workload_identity", ("AKS307",)),
        Answer("pod_identities", why="the agent always runs"),
    ),
    Control(
        "Vulnerable images and threats are detected",
        "CIS 5.1.1; PSRule DefenderProfile",
        Answer("defender", ("AKS304",)),
        Answer(why="image scans of ECR and GuardDuty belong to the account"),
    ),
    Control(
        "Vulnerable images leave the nodes",
        "AKS baseline",
        Answer("image_cleaner", ("AKS314",)),
        Answer(why="nodes are replaced after 21 days at most"),
    ),
    Control(
        "Policies apply inside clusters",
        "CIS 5.1.4; PSRule AzurePolicyAddOn",
        Answer("azure_policy", ("AKS303",)),
        Answer(why="an admission controller of your own"),
    ),
    Control(
        "Mounted secrets are rotated",
        "PSRule SecretStore, SecretStoreRotation",
        Answer("key_vault_provider.rotate", ("AKS312",)),
        Answer(why="an add-on of your own"),
    ),
    Control("Nodes get security patches", "PSRule NodeAutoUpgrade; AKS baseline", Answer("node_os_upgrade", ("AKS309",)), Answer(why=_ALWAYS)),
    Control(
        "Maintenance has a window", "PSRule MaintenanceWindow", *(Answer("maintenance", why="without one, maintenance is possible at any time"),) * 2
    ),
    Control("Control plane with an SLA", "PSRule UptimeSLA", Answer("tier", ("AKS310",)), Answer(why=_ALWAYS)),
    Control(
        "Disks of nodes are encrypted on their host",
        "PSRule",
        Answer("pools.encryption_at_host", why="the subscription must have the feature registered"),
        Answer(why=_ALWAYS),
    ),
    Control(
        "Nodes without SSH",
        "AKS Automatic",
        Answer("pools.ssh_access", why="nodes have private addresses, and no one has their key"),
        Answer(why=_ALWAYS),
    ),
    Control(
        "Only AKS changes the resources of nodes",
        "AKS Automatic",
        Answer("node_resource_group_restriction", why="it also prevents links to private DNS zones and roles for identities of AKS"),
        Answer(why="Auto Mode owns its nodes"),
    ),
    Control(
        "Images are pulled with read-only rights", "CIS 5.1.3", Answer("registries", why="roles that only pull are assigned"), Answer(why=_ALWAYS)
    ),
    Control(
        "Outbound traffic is restricted",
        "AKS baseline",
        Answer("network_profile.outbound_type", why="a firewall and its rules are yours"),
        Answer("network.nat", why="a firewall and its rules are yours"),
    ),
    Control("No single command deletes the cluster", "nodepools", Answer("protect", ("AKS311",)), Answer("deletion_protection", ("EKS174",))),
)
"""The table."""
