"""The declaration of an AKS cluster, with its cluster autoscaler and node auto provisioning. Facts: docs/facts/aks.md § 1, § 2.3, § 2.9, § 3, § 8."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from nodepools.model.access import ApiServer, Entra, EntraPrincipal
from nodepools.model.aks.agent_pool import AgentPool, AnyPool, EgressConfiguration, GpuPool, SystemPool, UserPool
from nodepools.model.aks.maintenance import Configuration, MaintenanceConfigurations, Moment
from nodepools.model.aks.monitoring import Category, ContainerLogs
from nodepools.model.aks.network import AksNetwork, AksNetworkArgs, ExistingAksNetwork, ImageCache, ManagedAksNetwork, NetworkProfile
from nodepools.model.aks.node_settings import KubeletConfig, LinuxOsConfig, LinuxProfile, LocalDns, WindowsProfile
from nodepools.model.aks.services import AksServices, DevicePlugin
from nodepools.model.aks.workload_identity import KubeletIdentity, WorkloadIdentity
from nodepools.model.base import Model
from nodepools.model.cidr import first_free
from nodepools.model.derive import derive
from nodepools.model.karpenter import NodePool
from nodepools.model.kubernetes.duration import Timeouts
from nodepools.model.kubernetes.label import Taint
from nodepools.model.maintenance import MaybeWindow
from nodepools.model.ref import Ref
from nodepools.model.steps import Steps

_MINUTES = r"^[0-9]+m$"


class AutoscalerProfile(Model):
    """Settings of the cluster autoscaler."""

    expander: Literal["least-waste", "most-pods", "priority", "random"] | None = None
    """How the autoscaler chooses among several pools that fit. Cloud default `random`. `priority` requires `priorities`, or a ConfigMap that you
    apply."""
    priorities: Mapping[Annotated[int, Field(ge=1)], Sequence[str]] = {}
    """Priority to pool keys, highest first: `{50: ["batch"], 10: ["batch-fallback"]}`. It creates the ConfigMap
    `cluster-autoscaler-priority-expander` with the pool names in Azure."""
    balance_similar_node_groups: bool | None = None
    """Whether the autoscaler balances the sizes of pools with the same VM size and labels: for one pool per zone. Cloud default false."""
    daemonset_eviction_for_empty_nodes: bool | None = None
    """Whether DaemonSet pods are evicted from empty nodes. Cloud default false."""
    daemonset_eviction_for_occupied_nodes: bool | None = None
    """Whether DaemonSet pods are evicted from nodes that also run other pods. Cloud default true."""
    ignore_daemonsets_utilization: bool | None = None
    """Whether the utilization of a node excludes DaemonSet pods. Cloud default false."""
    max_empty_bulk_delete: int | None = Field(default=None, ge=1)
    """Maximum number of empty nodes that are deleted at once. Cloud default 10."""
    max_graceful_termination_sec: int | None = Field(default=None, ge=0)
    """Seconds that pods have to terminate when a node is removed. Cloud default 600."""
    max_node_provision_time: str | None = Field(default=None, pattern=_MINUTES)
    """How long a node can take to become ready, in whole minutes. Cloud default `15m`."""
    max_total_unready_percentage: int | None = Field(default=None, ge=0, le=100)
    """Percentage of unready nodes above which the autoscaler stops. Cloud default 45."""
    ok_total_unready_count: int | None = Field(default=None, ge=0)
    """Number of unready nodes that is allowed regardless of the percentage. Cloud default 3."""
    new_pod_scale_up_delay: str | None = Field(default=None, pattern=r"^[0-9]+[smh]$")
    """Minimum age of a Pending pod before the autoscaler considers it. Cloud default `0s`."""
    scale_down_delay_after_add: str | None = Field(default=None, pattern=_MINUTES)
    """How long scale-in pauses after a scale-out, in whole minutes. Cloud default `10m`."""
    scale_down_delay_after_delete: str | None = Field(default=None, pattern=r"^[0-9]+[sm]$")
    """How long scale-in pauses after a node is deleted. Cloud default: `scan_interval`."""
    scale_down_delay_after_failure: str | None = Field(default=None, pattern=_MINUTES)
    """How long scale-in pauses after it failed, in whole minutes. Cloud default `3m`."""
    scale_down_unneeded_time: str | None = Field(default=None, pattern=_MINUTES)
    """How long a node must be unneeded before it is removed, in whole minutes. Cloud default `10m`."""
    scale_down_unready_time: str | None = Field(default=None, pattern=_MINUTES)
    """How long an unready node must be unneeded before it is removed, in whole minutes. Cloud default `20m`."""
    scale_down_utilization_threshold: float | None = Field(default=None, ge=0, le=1)
    """Utilization below which a node can be removed, 0 to 1. Cloud default 0.5."""
    scan_interval: str | None = Field(default=None, pattern=r"^[0-9]+[sm]$")
    """How often the autoscaler evaluates the cluster. Cloud default `10s`."""
    skip_nodes_with_local_storage: bool | None = None
    """Whether nodes with pods that use `emptyDir` or `hostPath` are never removed. Cloud default: false since AKS 1.21 according to the AKS guide,
    true according to the API reference."""
    skip_nodes_with_system_pods: bool | None = None
    """Whether nodes with pods of `kube-system` are never removed. Cloud default true."""


class AksNodeClass(Model):
    """A karpenter.azure.com/v1beta1 AKSNodeClass. A change of any field except `tags` replaces the nodes of every NodePool that uses it."""

    image_family: Literal["Ubuntu", "Ubuntu2204", "Ubuntu2404", "AzureLinux"] = "Ubuntu"
    """Node image. Cloud default `Ubuntu`, which is Ubuntu 24.04 from Kubernetes 1.34."""
    fips_mode: Literal["FIPS", "Disabled"] | None = None
    """`FIPS` selects a FIPS 140 validated image. Not available for `Ubuntu2404`; `Ubuntu2204` requires trusted launch."""
    os_disk_size_gb: int | None = Field(default=None, ge=30, le=2048)
    """Size of the OS disk in GiB, 30 to 2048. Cloud default 128. The disk is ephemeral if the VM size has room for it."""
    max_pods: int | None = Field(default=None, ge=10, le=250)
    """Maximum number of pods per node, 10 to 250. Default: 250 with overlay networking."""
    vnet_subnet_id: Ref | None = None
    """Id of a subnet in the cluster's virtual network. Default: the subnet of the cluster. Not in a network that AKS manages."""
    gpu_mode: Literal["Driver", "None"] | None = None
    """`Driver` (cloud default) allows GPU sizes for which AKS installs the driver. `None` allows all GPU sizes and installs no driver. Since managed
    Karpenter 1.12."""
    artifact_streaming: bool | None = None
    """Whether nodes stream container images from an Azure container registry. Then no arm64 nodes are launched. Since managed Karpenter 1.10."""
    encryption_at_host: bool | None = None
    """Whether the VM host encrypts the disks of the nodes. Then only VM sizes that support it are launched."""
    secure_boot: bool | None = None
    """Trusted launch: nodes boot only signed code. Requires a managed Karpenter newer than 1.14."""
    vtpm: bool | None = None
    """Trusted launch: nodes have a virtual trusted platform module. Requires a managed Karpenter newer than 1.14."""
    kubelet: KubeletConfig | None = None
    """Kubelet settings."""
    linux_os: LinuxOsConfig | None = None
    """Linux settings: kernel parameters, huge pages and swap. Since managed Karpenter 1.10."""
    local_dns: LocalDns | None = None
    """DNS cache on every node. With it, only VM sizes with at least 4 vCPUs are launched."""
    tags: Mapping[str, str] = {}
    """Azure tags of the nodes. A change updates running nodes in place."""
    timeouts: Timeouts = Timeouts(create="15m", update="15m", delete="60m")
    """How long Pulumi waits. A node class is deleted only after the last of its nodes."""
    overrides: Mapping[str, object] = {}
    """Fields of the object's `spec`, for fields that are not modeled yet. They replace what the fields send."""


BUILT_IN = ("default", "system-surge")
"""The NodePools that AKS creates; AKS creates AKSNodeClasses with the same names."""
CILIUM_LABEL = {"kubernetes.azure.com/ebpf-dataplane": "cilium"}
CILIUM_TAINT = Taint("node.cilium.io/agent-not-ready", "true", "NoExecute")
"""Cilium removes this taint when it runs on the node."""
CAS_BLOCK = Taint("autoscaling.azure.com/cas-block", "true", "NoSchedule")
"""On agent pools of the cluster autoscaler while node auto provisioning is on too."""
NAP_BLOCK = Taint("autoscaling.azure.com/nap-block", "true", "NoSchedule")
"""On nodes of node auto provisioning while the cluster autoscaler is on too."""


class AksNodePool(NodePool):
    """A NodePool of node auto provisioning."""

    further_reasons: ClassVar[tuple[str, ...]] = ()
    capacity_types: ClassVar[tuple[str, ...]] = ("on-demand", "spot")
    """Karpenter cannot use reserved capacity in Azure."""
    operating_systems: ClassVar[tuple[str, ...]] = ("linux",)
    fewest_cpus: ClassVar[int] = 2
    least_memory: ClassVar[int] = int(2.7 * 1024**3)
    label_domains: ClassVar[tuple[str, ...]] = ("karpenter.azure.com", "kubernetes.azure.com")
    class_label: ClassVar[str] = "karpenter.azure.com/aksnodeclass"
    synonyms: ClassVar[Mapping[str, tuple[str, Mapping[str, str]]]] = {
        **dict.fromkeys(
            ("kubernetes.azure.com/scalesetpriority", "kubernetes.azure.com/priority"),
            ("karpenter.sh/capacity-type", {"spot": "spot", "regular": "on-demand"}),
        ),
        **{f"kubernetes.azure.com/sku-{name}": (f"karpenter.azure.com/sku-{name}", {}) for name in ("cpu", "memory")},
        "karpenter.azure.com/sku-name": ("node.kubernetes.io/instance-type", {}),
    }
    """Source: karpenter-provider-azure @ 352646f (2026-08-21), pkg/providers/instancetype/instancetype.go and instancetypes.go."""


class NodeProvisioning(Model):
    """Node auto provisioning in mode `Auto`. Declaring it turns it on."""

    default_node_pools: Literal["Auto", "None"] = "Auto"
    """Whether AKS creates the NodePools `default` and `system-surge`. A change from `Auto` to `None` can delete them and their nodes."""
    node_classes: Mapping[str, AksNodeClass] = {}
    """AKSNodeClasses by name, in addition to the built-in `default` and `system-surge`."""
    existing_node_classes: Sequence[str] = ()
    """Names of AKSNodeClasses that another tool creates in the cluster. NodePools can use them; nothing is known about them offline."""
    node_pools: Mapping[str, AksNodePool] = {}
    """NodePools by name, in addition to the built-in ones."""
    with_cluster_autoscaler: bool = False
    """The subscription has registered the feature `AllowClusterAutoscalerAndNAP`, so autoscaled agent pools are allowed during a migration. They need
    the taint `autoscaling.azure.com/cas-block=true:NoSchedule`, and NodePools need `autoscaling.azure.com/nap-block=true:NoSchedule`."""
    cilium_startup_taint: bool = True
    """Whether NodePools on the Cilium dataplane get Cilium's label and startup taint. Karpenter then accounts for Cilium's overhead on each node."""

    @property
    def built_in_node_pools(self) -> tuple[str, ...]:
        """Names of the NodePools that AKS creates."""
        return BUILT_IN if self.default_node_pools == "Auto" else ()

    def applied(self, pool: AksNodePool, *, cilium: bool) -> AksNodePool:
        """`pool` with the label and startup taint of Cilium, if the cluster uses its dataplane."""
        if not (cilium and self.cilium_startup_taint):
            return pool
        marked = {(taint.key, taint.effect) for taint in (*pool.taints, *pool.startup_taints)}
        own = () if (CILIUM_TAINT.key, CILIUM_TAINT.effect) in marked else (CILIUM_TAINT,)
        return derive(pool, labels={**CILIUM_LABEL, **pool.labels}, startup_taints=(*pool.startup_taints, *own))

    @property
    def built_in_for_ordinary_pods(self) -> Sequence[str]:
        """Built-in NodePools for pods without tolerations. They have no weight, and launch on-demand amd64 nodes."""
        return ["default"] if self.default_node_pools == "Auto" else []


_POD_RANGES = ("10.244.0.0/16", "10.240.0.0/16", "192.168.0.0/16", "172.16.0.0/14")
_SERVICE_RANGES = ("10.0.0.0/16", "10.96.0.0/16", "172.20.0.0/16", "192.168.128.0/17")
_NETWORK_6, _PODS_6, _SERVICES_6 = "fd12:3456:789b::/48", "fd12:3456:789a::/64", "fd12:3456:789a:1::/108"
"""Private ranges for dual-stack clusters. Those of pods and services are the defaults of AKS."""


def free_key(taken: Collection[str]) -> str:
    """A key for a pool named `system`: this key belongs to `system_pool`."""
    return next(key for number in range(2, len(taken) + 3) if (key := f"system{number}") not in taken)


class AksClusterArgs(AksServices):
    """An AKS cluster with all its pools."""

    kind: Literal["AksCluster"] = "AksCluster"
    location: str = Field(min_length=1)
    """Azure region, such as `westeurope`."""
    kubernetes_version: str = Field(pattern=r"^1\.[0-9]+(\.[0-9]+)?$")
    """Kubernetes version of the control plane, in quotes. A minor version such as `"1.35"` means its newest patch version when the cluster is
    created."""
    system_pool: SystemPool | None = None
    """The first system pool, which is created with the cluster. Its name is `system` unless `name` is set. Its immutable fields cannot change:
    another pool has to replace it (docs/decisions/0002). Required without `hosted_system`."""
    hosted_system: bool | None = None
    """Whether AKS runs the system nodes in a subscription of its own, where it creates, scales, upgrades and pays for them (managed system node pools
    of `sku="Automatic"`). They run cluster DNS, metrics and DaemonSets, and no other pods of yours. Cloud default `False`. From version 2026-02-01 of
    the API. AKS supports no change back. Source: https://learn.microsoft.com/azure/aks/automatic/aks-automatic-managed-system-node-pools-about"""
    hosted_system_subnet_id: Ref | None = None
    """Id of the subnet for the nodes of `hosted_system`, in the network of `network.subnet_id` and `api_server_subnet_id`, which are then required
    too. A subnet that AKS creates is a /26; Microsoft states no smallest size. Default: AKS creates the network, with `network=ManagedAksNetwork()`.
    From version 2026-02-01 of the API."""
    pools: Mapping[str, AnyPool] = {}
    """Agent pools by key. Each is a resource of its own."""
    node_provisioning: NodeProvisioning | None = None
    """Node auto provisioning. Default: off (mode `Manual`)."""
    network: AksNetwork = AksNetworkArgs()
    """The virtual network."""
    network_profile: NetworkProfile = NetworkProfile()
    """Network settings of pods and services."""
    sku: Literal["Base", "Automatic"] = "Base"
    """`Automatic` is AKS Automatic: AKS fixes node auto provisioning, upgrades, Entra ID and other settings. It becomes `Base` in place once it has a
    system pool of its own, and then runs the system components there; AKS supports no change from `Base`. Cloud default `Base`.
    Source: https://learn.microsoft.com/azure/aks/automatic/aks-automatic-sku-migration (2026-07-24)"""
    tier: Literal["Free", "Standard", "Premium"] = "Standard"
    """Pricing tier of the control plane. `Free` has no uptime SLA. Cloud default `Free`."""
    entra: Entra | None = Entra()
    """Microsoft Entra ID authentication. `None` is for clusters with local accounts alone, and a static credential in the kubeconfig. AKS rejects the
    change back to `None`."""
    admins: Sequence[EntraPrincipal] = ()
    """Principals that get the cluster-admin role, in addition to the one that runs Pulumi."""
    api_server: ApiServer = ApiServer()
    """Network access to the Kubernetes API."""
    apply: Literal["direct", "render"] = "direct"
    """`direct`: Pulumi applies the in-cluster objects. `render`: they are only written as YAML, for another tool to apply."""
    device_plugin: DevicePlugin | None = DevicePlugin()
    """The NVIDIA device plugin, on clusters with GPU pools. `None` if another tool installs it."""
    gpu_operator: bool = False
    """Whether the NVIDIA GPU operator is installed. It manages device plugin and drivers: no device plugin is created, and GPU pools need
    `driver="None"`."""
    support_plan: Literal["KubernetesOfficial", "AKSLongTermSupport"] | None = None
    """`AKSLongTermSupport` extends the support of each version to two years; requires `tier="Premium"`. Cloud default `KubernetesOfficial`."""
    auto_upgrade: Literal["none", "patch", "stable", "rapid", "node-image"] | None = None
    """Channel of automatic Kubernetes upgrades. Cloud default `none`. `stable` and `rapid` move past `kubernetes_version`, which then asks for an
    older version."""
    node_os_upgrade: Literal["None", "Unmanaged", "NodeImage", "SecurityPatch"] | None = None
    """Channel of automatic node image upgrades. Cloud default `NodeImage`. A change to or from `Unmanaged` reimages all nodes."""
    maintenance: MaybeWindow = None
    """When AKS can maintain the cluster, and when Karpenter can disrupt nodes. Default: the window of the platform, or any time. A NodePool can have
    its own window; agent pools follow the window of the cluster."""
    maintenance_configurations: MaintenanceConfigurations = MaintenanceConfigurations()
    """AKS's own maintenance configurations, for schedules that `maintenance` cannot express. Those that are set here replace the ones derived from
    it."""
    autoscaler: AutoscalerProfile | None = None
    """Settings of the cluster autoscaler. Default: the cloud defaults."""
    windows_profile: WindowsProfile | None = None
    """The administrator account of Windows nodes. Windows pools require it, and it can be set only when the cluster is created."""
    linux_profile: LinuxProfile | None = None
    """The administrator account of Linux nodes, for an existing cluster that has one. Default: none. A change replaces the cluster."""
    disk_encryption_set_id: Ref | None = None
    """Id of a disk encryption set for OS disks. The identity that is created gets the role Reader on it. A change replaces the cluster."""
    private_dns_zone: Ref | None = None
    """DNS zone of a private API server: `system` (cloud default), `none`, or the id of a zone. The identity that is created becomes a contributor of
    that zone."""
    private_public_fqdn: bool | None = None
    """Whether a private API server also has a name in public DNS. Cloud default true."""
    run_command: bool | None = None
    """Whether `az aks command invoke` works. Cloud default true."""
    api_server_subnet_id: Ref | None = None
    """Id of a subnet, delegated to AKS, for the API server (API Server VNet Integration)."""
    subscription_id: str | None = Field(default=None, pattern=r"^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$")
    """Azure subscription. Default: the subscription of the stack's provider."""
    node_resource_group_restriction: Literal["Unrestricted", "ReadOnly"] | None = None
    """Who can change resources in the node resource group: every principal with permissions (`Unrestricted`, cloud default), or only AKS
    (`ReadOnly`). `ReadOnly` also prevents links to AKS's private DNS zone and role assignments to AKS's identities. A change is in place, both ways.
    Source: https://learn.microsoft.com/azure/aks/node-resource-group-lockdown"""
    name: str | None = Field(default=None, pattern=r"^[a-zA-Z0-9]([-_a-zA-Z0-9]{0,61}[a-zA-Z0-9])?$")
    """Name of the cluster in Azure, for an existing cluster that is named differently. Default: platform name and cluster key, cut to 63 characters.
    A change replaces the cluster."""
    dns_prefix: str | None = Field(default=None, pattern=r"^[a-zA-Z0-9]([-a-zA-Z0-9]{0,52}[a-zA-Z0-9])?$")
    """First part of the DNS name of the API server, at most 54 letters, digits and hyphens. Default: platform name and cluster key. A change replaces
    the cluster."""
    fqdn_subdomain: str | None = Field(default=None, pattern=r"^[a-zA-Z0-9]([-a-zA-Z0-9]{0,61}[a-zA-Z0-9])?$")
    """First part of the name of a private API server in a private DNS zone of your own, instead of `dns_prefix`. A change replaces the cluster.
    Source: https://learn.microsoft.com/azure/aks/private-clusters"""
    image_cache: ImageCache | None = None
    """Registry from which nodes pull system images in a network isolated cluster (`outbound_type="none"`). Default: none, nodes pull from the
    internet. A change takes effect with the next node image; AKS keeps it when it is removed here."""
    force_upgrade_until: Moment | None = Field(default=None, pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$")
    """Until when upgrades start despite checks such as the one for removed APIs: a time such as `2026-12-01T06:00:00Z`. Default: never. A change is
    in place. Source: https://learn.microsoft.com/azure/aks/stop-cluster-upgrade-api-breaking-changes"""
    node_resource_group: str | None = Field(default=None, pattern=r"^[-\w.()]*[-\w()]$", max_length=80)
    """Name of the resource group that AKS creates for nodes, at most 80 characters. Default: platform name and cluster key, then `-nodes`. A change
    replaces the cluster."""
    resource_group: Ref | None = None
    """Name of an existing resource group. Default: a new one."""
    identity: Ref | None = None
    """Id of an existing user-assigned identity that already has its roles, or `system` for the identity that AKS assigns, which gets no roles here.
    Default: a new identity with the roles that it needs. A change is in place."""
    kubelet_identity: KubeletIdentity | None = None
    """Identity with which nodes pull images. Default: with `registries` a new one, otherwise AKS creates one with the cluster, in the node resource
    group. A change reimages all nodes; AKS keeps the identity when this field is removed. The new identity requires a user-assigned `identity`."""
    registries: Sequence[Ref] = ()
    """Ids of container registries in the same Entra tenant. The nodes get the roles AcrPull and Container Registry Repository Reader on each: which
    one applies depends on the permissions mode of the registry. The first registry of an existing cluster gives it another `kubelet_identity`, which
    reimages all nodes; others change no node."""
    network_rights: Literal["network", "subnets"] = "network"
    """Scope of the role Network Contributor of the identity that is created: the whole virtual network, or only the subnets of nodes, pods and API
    server, which is enough for AKS and node auto provisioning except for the cases in docs/guides/identities.md. A change is in place."""
    oidc_issuer: bool = True
    """Whether the cluster has an OIDC issuer of service account tokens. AKS cannot turn it off. Cloud default true for new clusters since Kubernetes
    1.34, false before."""
    workload_identity: bool = True
    """Whether pods can use Entra identities by their service accounts. Requires `oidc_issuer`. A change is in place. Cloud default false."""
    workload_identities: Mapping[str, WorkloadIdentity] = {}
    """Entra identities of service accounts, by a key of your choice, which is part of their names."""
    protect: bool | None = None
    """Whether Pulumi rejects deletion and replacement of the cluster, and of the resource group and virtual network that are created for it.
    Pools and objects are not protected. Default: that of the platform; without a platform, true."""
    accepted_errors: Mapping[str, Annotated[str, Field(min_length=1)]] = {}
    """Errors of `check` in this cluster that are accepted, by code, with the reason: they become notes, and nothing stops because of them. For what
    exists although a new one is rejected, and for what is known better than here. No cloud gets it."""
    owner: str | None = Field(default=None, min_length=1, max_length=256)
    """Who is responsible for the cluster, and for its pools without an owner of their own, as free text. Sent only if `owners` of the platform says
    where."""
    tags: Mapping[str, str] = {}
    """Azure tags of all resources."""
    timeouts: Timeouts = Timeouts(create="60m", update="90m", delete="60m")
    """How long Pulumi waits for the cluster."""
    api_version: str | None = None
    """Preview: version of the Azure API with which the cluster, its agent pools and its maintenance configurations are sent, such as `2026-05-01`.
    Default: the one that azure-native has by default. Guide: docs/guides/api-versions.md."""
    overrides: Mapping[str, object] = {}
    """Arguments of `azure-native:containerservice:ManagedCluster` in its Python spelling, for arguments that have no field yet. They replace what the
    fields send."""

    @property
    def is_protected(self) -> bool:
        """Pulumi rejects deletion of the cluster and of what holds it."""
        return self.protect is not False

    def all_pools(self) -> Iterator[tuple[str, AgentPool]]:
        """Every agent pool with its key. The first system pool comes first."""
        if self.system_pool is not None:
            yield "system", self.system_pool
        yield from self.pools.items()

    @property
    def first_overrides(self) -> Mapping[str, object]:
        """The overrides of the first system pool."""
        return self.system_pool.overrides if self.system_pool is not None else {}

    @property
    def node_pools(self) -> Mapping[str, AksNodePool]:
        """The declared NodePools by name; empty without node auto provisioning."""
        return self.node_provisioning.node_pools if self.node_provisioning is not None else {}

    @property
    def node_classes(self) -> Mapping[str, AksNodeClass]:
        """The declared AKSNodeClasses by name."""
        return self.node_provisioning.node_classes if self.node_provisioning is not None else {}

    @property
    def built_in_node_pools(self) -> tuple[str, ...]:
        """Names of the NodePools that AKS creates in this cluster."""
        return self.node_provisioning.built_in_node_pools if self.node_provisioning is not None else ()

    @property
    def takes_ordinary_pods(self) -> bool:
        """A pod without tolerations can be scheduled on some pool, declared or built-in."""
        return any(pool.takes_ordinary_pods for _, _, pool in self.declared_pools()) or "default" in self.built_in_node_pools

    def declared_pools(self) -> Iterator[tuple[Steps, str, AgentPool | NodePool]]:
        """Every declared pool with its path in the cluster and its key, in the order of the declaration."""
        yield from ((("system_pool",), "system", pool) for pool in (self.system_pool,) if pool is not None)
        yield from ((("pools", key), key, pool) for key, pool in self.pools.items())
        yield from ((("node_provisioning", "node_pools", name), name, pool) for name, pool in self.node_pools.items())

    def declared_versions(self) -> Iterator[tuple[Steps, str]]:
        """The Kubernetes version of the cluster, then those of its agent pools, each with the path of its field."""
        yield ("kubernetes_version",), self.kubernetes_version
        for steps, _, pool in self.declared_pools():
            if isinstance(pool, AgentPool) and pool.kubernetes_version is not None:
                yield (*steps, "kubernetes_version"), pool.kubernetes_version

    @property
    def has_objects(self) -> bool:
        """Something is created inside the cluster, in addition to what AKS creates there."""
        of_pools = any(isinstance(pool, UserPool) and (pool.headroom is not None or pool.egress_configurations) for pool in self.pools.values())
        return bool(self.node_pools or self.node_classes or self.priorities or of_pools) or self.own_device_plugin is not None

    @property
    def egress_configurations(self) -> Iterator[tuple[str, str, EgressConfiguration]]:
        """Those of gateway pools: the key of the pool, the name, the configuration."""
        for key, pool in self.pools.items():
            if isinstance(pool, UserPool):
                yield from ((key, name, one) for name, one in pool.egress_configurations.items())

    @property
    def gpu_pools(self) -> dict[str, GpuPool]:
        """The GPU pools by key."""
        return {key: pool for key, pool in self.pools.items() if isinstance(pool, GpuPool)}

    @property
    def own_device_plugin(self) -> DevicePlugin | None:
        """The device plugin to create; `None` with the GPU operator, or without GPU pools that need it."""
        return self.device_plugin if self.plugged_pools and not self.gpu_operator else None

    @property
    def plugged_pools(self) -> dict[str, GpuPool]:
        """The GPU pools that need a device plugin: AKS installs none on them."""
        return {key: pool for key, pool in self.gpu_pools.items() if pool.management != "Managed"}

    @property
    def applied_node_pools(self) -> dict[str, AksNodePool]:
        """The NodePools as they are applied: with Cilium's label and startup taint, and with the budgets of the maintenance window."""
        auto = self.node_provisioning
        cilium = self.network_profile.plugin == "azure" and self.network_profile.dataplane == "cilium"
        pools = {} if auto is None else {name: auto.applied(pool, cilium=cilium) for name, pool in auto.node_pools.items()}
        return {name: pool.with_window_budgets(self.maintenance) for name, pool in pools.items()}

    @property
    def upgrade_channel(self) -> str | None:
        """The channel of automatic upgrades, which AKS Automatic fixes."""
        return "stable" if self.sku == "Automatic" else self.auto_upgrade

    @property
    def effective_configurations(self) -> tuple[Configuration, ...]:
        """The maintenance configurations that have an effect on this cluster. AKS releases always apply."""
        upgrades = self.upgrade_channel not in (None, "none")
        images = self.node_os_upgrade not in ("None", "Unmanaged") or self.auto_upgrade == "node-image" or self.node_provisioning is not None
        return ("releases", *(("upgrades",) if upgrades else ()), *(("node_images",) if images else ()))

    @property
    def applied_maintenance(self) -> MaintenanceConfigurations:
        """The maintenance configurations as they are applied, including those derived from `maintenance`."""
        return self.maintenance_configurations.completed(self.maintenance, self.effective_configurations)

    @property
    def container_logs(self) -> ContainerLogs | None:
        """Container Insights, from either field."""
        if self.logs is not None or self.log_analytics_workspace_id is None:
            return self.logs
        return ContainerLogs(workspace=self.log_analytics_workspace_id, location=self.log_analytics_workspace_location)

    @property
    def logs_location(self) -> str:
        """Azure region of the Log Analytics workspace, with the default filled in."""
        logs = self.container_logs
        return logs.location if logs is not None and logs.location is not None else self.location

    @property
    def audit_categories(self) -> tuple[Category, ...]:
        """The logs of the control plane, with those of the autoscalers that the cluster has."""
        if self.audit is None:
            return ()
        scaled = any(pool.is_autoscaled for _, pool in self.all_pools())
        own: tuple[tuple[Category, bool], ...] = (("cluster-autoscaler", scaled), ("karpenter-events", self.node_provisioning is not None))
        return tuple(dict.fromkeys((*self.audit.categories, *(category for category, has in own if has))))

    @property
    def creates_kubelet_identity(self) -> bool:
        """The identity of the nodes is created together with the cluster."""
        return self.kubelet_identity.id is None if self.kubelet_identity is not None else bool(self.pulled_registries)

    @property
    def pulled_registries(self) -> tuple[Ref, ...]:
        """All registries on which the nodes get roles. On the cache, only a new identity gets them: an existing one can have them already."""
        cache = self.image_cache.registry_id if isinstance(self.image_cache, ImageCache) else None
        exists = self.kubelet_identity is not None and self.kubelet_identity.id is not None
        return tuple(self.registries) if cache is None or exists else (*self.registries, cache)

    @property
    def priorities(self) -> Mapping[int, Sequence[str]]:
        """Pool keys by the priority with which the cluster autoscaler scales them out."""
        return self.autoscaler.priorities if self.autoscaler is not None else {}

    @property
    def service_cidr(self) -> str:
        """Service CIDR, with the default filled in."""
        taken = [cidr for cidr in (self.network.cidr, self.network_profile.pod_cidr) if cidr]
        return self.network_profile.service_cidr or first_free(_SERVICE_RANGES, taken)

    @property
    def applied_network(self) -> AksNetworkArgs | ExistingAksNetwork | ManagedAksNetwork:
        """The network as it is created: a new network of a dual-stack cluster has an IPv6 range."""
        filled = isinstance(self.network, AksNetworkArgs) and self.network_profile.is_dual and self.network.cidr_v6 is None
        return derive(self.network, cidr_v6=_NETWORK_6) if filled else self.network

    @property
    def service_cidr_v6(self) -> str | None:
        """IPv6 service CIDR, with the default filled in."""
        profile = self.network_profile
        return (profile.service_cidr_v6 if profile.service_cidr_v6 is not None else _SERVICES_6) if profile.is_dual else None

    @property
    def pod_cidr_v6(self) -> str | None:
        """IPv6 pod CIDR, with the default filled in."""
        profile = self.network_profile
        if not profile.is_dual or profile.plugin_mode != "overlay":
            return None
        return profile.pod_cidr_v6 if profile.pod_cidr_v6 is not None else _PODS_6

    @property
    def pod_cidr(self) -> str | None:
        """Pod CIDR, with the default filled in; `None` if pods have addresses of a subnet."""
        if self.network_profile.plugin_mode != "overlay" and self.network_profile.plugin != "kubenet":
            return None
        taken = [cidr for cidr in (self.network.cidr, self.service_cidr) if cidr]
        return self.network_profile.pod_cidr or first_free(_POD_RANGES, taken)
