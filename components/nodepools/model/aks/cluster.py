"""The AKS cluster. Facts: aks.md § 1, § 2.9, § 8."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from pydantic import Field

from nodepools.model.access import ApiServer, Entra, EntraPrincipal
from nodepools.model.address import first_free
from nodepools.model.aks.network import AksNetwork, AksNetworkArgs, NetworkProfile
from nodepools.model.aks.pools import AgentPool, AnyPool, GpuPool, SystemPool
from nodepools.model.aks.provisioning import NodeProvisioning
from nodepools.model.base import Model
from nodepools.model.ref import Ref
from nodepools.model.timeouts import Timeouts

_POD_RANGES = ("10.244.0.0/16", "10.240.0.0/16", "192.168.0.0/16", "172.16.0.0/14")
_SERVICE_RANGES = ("10.0.0.0/16", "10.96.0.0/16", "172.20.0.0/16", "192.168.128.0/17")


class DevicePlugin(Model):
    """The NVIDIA device plugin, a DaemonSet on the nodes of GPU pools: without it they offer no GPU."""

    image: str = "nvcr.io/nvidia/k8s-device-plugin:v0.17.1"
    """Its image."""


class AksClusterArgs(Model):
    """An AKS cluster and all its pools."""

    kind: Literal["AksCluster"] = "AksCluster"
    location: str = Field(min_length=1)
    """Azure region, `westeurope`."""
    kubernetes_version: str = Field(pattern=r"^1\.[0-9]+(\.[0-9]+)?$")
    """Version of the control plane, in quotes: `"1.35"` is its newest patch when the cluster is made."""
    system_pool: SystemPool
    """The first system pool, made with the cluster and named `system`."""
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
    """On clusters with GPU pools; `None` where someone else, such as the NVIDIA GPU operator, brings it."""
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
    def has_gpus(self) -> bool:
        """Some pool is a GPU pool."""
        return any(isinstance(pool, GpuPool) for _, pool in self.all_pools())

    @property
    def service_cidr(self) -> str:
        """Range of the services, with the default filled in."""
        taken = [cidr for cidr in (self.network.cidr, self.network_profile.pod_cidr) if cidr]
        return self.network_profile.service_cidr or first_free(_SERVICE_RANGES, taken)

    @property
    def pod_cidr(self) -> str | None:
        """Range of the pods, with the default filled in; they have one in overlay mode only."""
        if self.network_profile.plugin_mode != "overlay":
            return None
        taken = [cidr for cidr in (self.network.cidr, self.service_cidr) if cidr]
        return self.network_profile.pod_cidr or first_free(_POD_RANGES, taken)
