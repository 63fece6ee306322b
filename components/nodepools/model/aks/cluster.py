"""The AKS cluster. Facts: docs/facts/aks.md § 1, § 2.9, § 8."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from pydantic import Field

from nodepools.model.access import ApiServer, Entra, EntraPrincipal
from nodepools.model.aks.autoscaler import AutoscalerProfile
from nodepools.model.aks.device_plugin import DevicePlugin
from nodepools.model.aks.maintenance import Configuration, MaintenanceConfigurations
from nodepools.model.aks.network import AksNetwork, AksNetworkArgs, ExistingAksNetwork, NetworkProfile
from nodepools.model.aks.node_class import AksNodeClass
from nodepools.model.aks.node_provisioning import AksNodePool, NodeProvisioning
from nodepools.model.aks.pools import AgentPool, AnyPool, GpuPool, SystemPool
from nodepools.model.aks.windows_profile import WindowsProfile
from nodepools.model.base import Model
from nodepools.model.cidr import first_free
from nodepools.model.derive import derive
from nodepools.model.karpenter import NodePool
from nodepools.model.maintenance import MaybeWindow
from nodepools.model.ref import Ref
from nodepools.model.steps import Steps
from nodepools.model.timeouts import Timeouts

_POD_RANGES = ("10.244.0.0/16", "10.240.0.0/16", "192.168.0.0/16", "172.16.0.0/14")
_SERVICE_RANGES = ("10.0.0.0/16", "10.96.0.0/16", "172.20.0.0/16", "192.168.128.0/17")
_NETWORK_6, _PODS_6, _SERVICES_6 = "fd12:3456:789b::/48", "fd12:3456:789a::/64", "fd12:3456:789a:1::/108"
"""Private ranges of dual stack; of pods and services those that AKS takes itself."""


class AksClusterArgs(Model):
    """An AKS cluster and all its pools."""

    kind: Literal["AksCluster"] = "AksCluster"
    location: str = Field(min_length=1)
    """Azure region, `westeurope`."""
    kubernetes_version: str = Field(pattern=r"^1\.[0-9]+(\.[0-9]+)?$")
    """Version of the control plane, in quotes: `"1.35"` is its newest patch when the cluster is made."""
    system_pool: SystemPool
    """The first system pool, made with the cluster, and named `system` unless it has a name. Its fixed fields cannot be changed: another pool
    takes its place (docs/decisions/0002)."""
    pools: Mapping[str, AnyPool] = {}
    """Agent pools by key, each a resource of its own."""
    node_provisioning: NodeProvisioning | None = None
    """Node auto provisioning; off (`Manual`) when left out."""
    network: AksNetwork = AksNetworkArgs()
    """The virtual network."""
    network_profile: NetworkProfile = NetworkProfile()
    """How pods and services are networked."""
    tier: Literal["Free", "Standard", "Premium"] = "Standard"
    """Of the control plane; `Free` has no uptime guarantee. Cloud default `Free`."""
    entra: Entra | None = Entra()
    """Log-in by Entra ID, no local accounts. `None` is the declared exception: a static credential, in the kubeconfig."""
    admins: Sequence[EntraPrincipal] = ()
    """Who gets the cluster-admin role, beside the deployer."""
    api_server: ApiServer = ApiServer()
    """From where the API can be reached."""
    apply: Literal["direct", "render"] = "direct"
    """In-cluster objects by Pulumi, or only as YAML for others to apply."""
    device_plugin: DevicePlugin | None = DevicePlugin()
    """On clusters with GPU pools; `None` where someone else brings it."""
    gpu_operator: bool = False
    """The NVIDIA GPU operator is there, and owns device plugin and drivers: nothing of that is registered, and GPU pools want `driver="None"`."""
    support_plan: Literal["KubernetesOfficial", "AKSLongTermSupport"] | None = None
    """`AKSLongTermSupport` takes two years of support, with `tier="Premium"`. Cloud default `KubernetesOfficial`."""
    auto_upgrade: Literal["none", "patch", "stable", "rapid", "node-image"] | None = None
    """Whether AKS upgrades Kubernetes by itself. Cloud default `none`. `stable` and `rapid` run ahead of `kubernetes_version` here."""
    node_os_upgrade: Literal["None", "Unmanaged", "NodeImage", "SecurityPatch"] | None = None
    """Whether AKS upgrades node images by itself. Cloud default `NodeImage`."""
    maintenance: MaybeWindow = None
    """When AKS may touch the cluster of its own accord, and Karpenter the nodes of its NodePools. That of the platform when left out;
    at any time where that has none. NodePools may have one of their own; agent pools have that of their cluster."""
    maintenance_configurations: MaintenanceConfigurations = MaintenanceConfigurations()
    """What `maintenance` cannot say, in AKS's own words: configurations that are set here take the place of those that come of it."""
    autoscaler: AutoscalerProfile | None = None
    """How the cluster autoscaler behaves; as Azure has it when left out."""
    windows_profile: WindowsProfile | None = None
    """The administrator of Windows nodes: set it when the cluster is made, or never have Windows pools."""
    log_analytics_workspace_id: Ref | None = None
    """Id of a Log Analytics workspace for Container Insights: logs of containers, Kubernetes events and the inventory of pods. The data collection
    rule and the association that tell the agent what to send are made too; no role is needed."""
    log_analytics_workspace_location: str | None = Field(default=None, min_length=1)
    """Azure region of that workspace, in which its data collection rule must be; that of the cluster when left out."""
    disk_encryption_set_id: Ref | None = None
    """Id of a disk encryption set for OS disks; the identity that is made becomes Reader of it. Another one is another cluster."""
    private_dns_zone: Ref | None = None
    """Of a private API server: `system`, the cloud's default, `none`, or the id of a zone, of which the identity that is made becomes contributor."""
    private_public_fqdn: bool | None = None
    """Whether the address of a private API server is in public DNS too. Cloud default true."""
    run_command: bool | None = None
    """Whether `az aks command invoke` works. Cloud default true."""
    api_server_subnet_id: Ref | None = None
    """Id of a subnet, delegated to AKS, in which the API server stands (API server VNet integration)."""
    subscription_id: str | None = Field(default=None, pattern=r"^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$")
    """Azure subscription; that of the stack's provider when left out."""
    resource_group: Ref | None = None
    """Name of an existing resource group; one is made when left out."""
    identity: Ref | None = None
    """Id of an existing user-assigned identity that has its rights already; one is made, and given them, when left out."""
    protect: bool = False
    """Whether Pulumi refuses to delete the cluster; its pools and objects can still go."""
    tags: Mapping[str, str] = {}
    """Azure tags of all resources."""
    timeouts: Timeouts = Timeouts(create="60m", update="90m", delete="60m")
    """How long Pulumi waits for the cluster."""
    overrides: Mapping[str, object] = {}
    """Laid over the arguments of `azure-native:containerservice:ManagedCluster`, in its Python spelling, for what is not modelled yet."""

    def all_pools(self) -> Iterator[tuple[str, AgentPool]]:
        """Every agent pool with its key, the first system pool before the others."""
        yield "system", self.system_pool
        yield from self.pools.items()

    @property
    def node_pools(self) -> Mapping[str, AksNodePool]:
        """The declared NodePools by name; none without node auto provisioning."""
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
        yield ("system_pool",), "system", self.system_pool
        yield from ((("pools", key), key, pool) for key, pool in self.pools.items())
        yield from ((("node_provisioning", "node_pools", name), name, pool) for name, pool in self.node_pools.items())

    @property
    def has_objects(self) -> bool:
        """Something is created inside the cluster, in addition to what AKS creates there."""
        return bool(self.node_pools or self.node_classes) or self.own_device_plugin is not None or bool(self.priorities)

    @property
    def has_gpus(self) -> bool:
        """Some pool is a GPU pool."""
        return bool(self.gpu_pools)

    @property
    def gpu_pools(self) -> dict[str, GpuPool]:
        """The GPU pools by key."""
        return {key: pool for key, pool in self.pools.items() if isinstance(pool, GpuPool)}

    @property
    def own_device_plugin(self) -> DevicePlugin | None:
        """The device plugin, where it is ours to bring."""
        return self.device_plugin if self.has_gpus and not self.gpu_operator else None

    @property
    def applied_node_pools(self) -> dict[str, AksNodePool]:
        """The NodePools of node auto provisioning, with what comes by itself, and budgets for the window of the cluster."""
        auto = self.node_provisioning
        cilium = self.network_profile.plugin == "azure" and self.network_profile.dataplane == "cilium"
        pools = {} if auto is None else {name: auto.applied(pool, cilium=cilium) for name, pool in auto.node_pools.items()}
        return {name: pool.within(self.maintenance) for name, pool in pools.items()}

    @property
    def upkeep(self) -> tuple[Configuration, ...]:
        """What AKS does to it of its own accord, by the configuration that says when; its releases always come."""
        upgrades = self.auto_upgrade not in (None, "none")
        images = self.node_os_upgrade not in ("None", "Unmanaged") or self.auto_upgrade == "node-image" or self.node_provisioning is not None
        return ("releases", *(("upgrades",) if upgrades else ()), *(("node_images",) if images else ()))

    @property
    def applied_maintenance(self) -> MaintenanceConfigurations:
        """The maintenance configurations, those that come of its window among them."""
        return self.maintenance_configurations.completed(self.maintenance, self.upkeep)

    @property
    def logs_location(self) -> str:
        """Azure region of the Log Analytics workspace, with the default filled in."""
        return self.log_analytics_workspace_location if self.log_analytics_workspace_location is not None else self.location

    @property
    def priorities(self) -> Mapping[int, Sequence[str]]:
        """Pools by the priority with which the autoscaler grows them."""
        return self.autoscaler.priorities if self.autoscaler is not None else {}

    @property
    def service_cidr(self) -> str:
        """Range of the services, with the default filled in."""
        taken = [cidr for cidr in (self.network.cidr, self.network_profile.pod_cidr) if cidr]
        return self.network_profile.service_cidr or first_free(_SERVICE_RANGES, taken)

    @property
    def applied_network(self) -> AksNetworkArgs | ExistingAksNetwork:
        """The network; one that is made has an IPv6 range where the cluster has both families."""
        filled = isinstance(self.network, AksNetworkArgs) and self.network_profile.is_dual and self.network.cidr_v6 is None
        return derive(self.network, cidr_v6=_NETWORK_6) if filled else self.network

    @property
    def service_cidr_v6(self) -> str | None:
        """IPv6 range of the services, with the default filled in."""
        profile = self.network_profile
        return (profile.service_cidr_v6 if profile.service_cidr_v6 is not None else _SERVICES_6) if profile.is_dual else None

    @property
    def pod_cidr_v6(self) -> str | None:
        """IPv6 range of the pods, with the default filled in."""
        profile = self.network_profile
        if not profile.is_dual or profile.plugin_mode != "overlay":
            return None
        return profile.pod_cidr_v6 if profile.pod_cidr_v6 is not None else _PODS_6

    @property
    def pod_cidr(self) -> str | None:
        """Range of the pods, with the default filled in; they have one in overlay mode only."""
        if self.network_profile.plugin_mode != "overlay":
            return None
        taken = [cidr for cidr in (self.network.cidr, self.service_cidr) if cidr]
        return self.network_profile.pod_cidr or first_free(_POD_RANGES, taken)
