"""AKS and EKS node pools, declared once. Everything public is imported from here; deeper paths are private.

Modules are imported when one of their names is first used: the models need only pydantic, the components the SDK of their cloud.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nodepools import keys as keys
    from nodepools import pack as pack
    from nodepools import testing as testing
    from nodepools.aks.cluster import AksCluster as AksCluster
    from nodepools.aks.network import AksNetwork as AksNetwork
    from nodepools.aks.workload_identity import AksWorkloadIdentity as AksWorkloadIdentity
    from nodepools.changes.platform_changes import diff as diff
    from nodepools.deployment import deploy as deploy
    from nodepools.eks.cluster import EksCluster as EksCluster
    from nodepools.eks.network import EksNetwork as EksNetwork
    from nodepools.keys import presets as presets
    from nodepools.loading import UnreadableError as UnreadableError
    from nodepools.loading import load as load
    from nodepools.loading import load_file as load_file
    from nodepools.loading import load_manifests as load_manifests
    from nodepools.model.access import ApiServer as ApiServer
    from nodepools.model.access import Entra as Entra
    from nodepools.model.access import EntraPrincipal as EntraPrincipal
    from nodepools.model.aks.agent_pool import AgentPool as AgentPool
    from nodepools.model.aks.autoscaler import AutoscalerProfile as AutoscalerProfile
    from nodepools.model.aks.cluster import AksClusterArgs as AksClusterArgs
    from nodepools.model.aks.device_plugin import DevicePlugin as DevicePlugin
    from nodepools.model.aks.image_cache import ImageCache as ImageCache
    from nodepools.model.aks.kubelet_identity import KubeletIdentity as KubeletIdentity
    from nodepools.model.aks.linux_profile import LinuxProfile as LinuxProfile
    from nodepools.model.aks.maintenance import AbsoluteMonthlySchedule as AbsoluteMonthlySchedule
    from nodepools.model.aks.maintenance import DailySchedule as DailySchedule
    from nodepools.model.aks.maintenance import Dates as Dates
    from nodepools.model.aks.maintenance import MaintenanceConfigurations as MaintenanceConfigurations
    from nodepools.model.aks.maintenance import MaintenanceWindow as MaintenanceWindow
    from nodepools.model.aks.maintenance import RelativeMonthlySchedule as RelativeMonthlySchedule
    from nodepools.model.aks.maintenance import WeeklySchedule as WeeklySchedule
    from nodepools.model.aks.monitoring import AuditLogs as AuditLogs
    from nodepools.model.aks.monitoring import ContainerLogs as ContainerLogs
    from nodepools.model.aks.monitoring import ManagedPrometheus as ManagedPrometheus
    from nodepools.model.aks.monitoring import Syslog as Syslog
    from nodepools.model.aks.nat_gateway import ManagedNatGateway as ManagedNatGateway
    from nodepools.model.aks.nat_gateway import NatGateway as NatGateway
    from nodepools.model.aks.network import AksNetworkArgs as AksNetworkArgs
    from nodepools.model.aks.network import ExistingAksNetwork as ExistingAksNetwork
    from nodepools.model.aks.network import LoadBalancer as LoadBalancer
    from nodepools.model.aks.network import ManagedAksNetwork as ManagedAksNetwork
    from nodepools.model.aks.network import NetworkProfile as NetworkProfile
    from nodepools.model.aks.node_class import AksNodeClass as AksNodeClass
    from nodepools.model.aks.node_provisioning import AksNodePool as AksNodePool
    from nodepools.model.aks.node_provisioning import NodeProvisioning as NodeProvisioning
    from nodepools.model.aks.node_settings import KubeletConfig as KubeletConfig
    from nodepools.model.aks.node_settings import LinuxOsConfig as LinuxOsConfig
    from nodepools.model.aks.node_settings import LocalDns as LocalDns
    from nodepools.model.aks.node_settings import LocalDnsOverride as LocalDnsOverride
    from nodepools.model.aks.pool_settings import Autoscale as Autoscale
    from nodepools.model.aks.pool_settings import HostPorts as HostPorts
    from nodepools.model.aks.pool_settings import Spot as Spot
    from nodepools.model.aks.pool_settings import UpgradeSettings as UpgradeSettings
    from nodepools.model.aks.pools import GpuPool as GpuPool
    from nodepools.model.aks.pools import SpotPool as SpotPool
    from nodepools.model.aks.pools import SystemPool as SystemPool
    from nodepools.model.aks.pools import UserPool as UserPool
    from nodepools.model.aks.pools import WindowsPool as WindowsPool
    from nodepools.model.aks.services import Defender as Defender
    from nodepools.model.aks.services import EtcdKey as EtcdKey
    from nodepools.model.aks.services import HttpProxy as HttpProxy
    from nodepools.model.aks.services import ImageCleaner as ImageCleaner
    from nodepools.model.aks.services import Istio as Istio
    from nodepools.model.aks.services import KeyVaultProvider as KeyVaultProvider
    from nodepools.model.aks.services import StorageDrivers as StorageDrivers
    from nodepools.model.aks.sysctls import Sysctls as Sysctls
    from nodepools.model.aks.windows_profile import Gmsa as Gmsa
    from nodepools.model.aks.windows_profile import WindowsProfile as WindowsProfile
    from nodepools.model.aks.workload_identity import AzureRole as AzureRole
    from nodepools.model.aks.workload_identity import WorkloadIdentity as WorkloadIdentity
    from nodepools.model.derive import derive as derive
    from nodepools.model.disruption import Budget as Budget
    from nodepools.model.disruption import Disruption as Disruption
    from nodepools.model.eks.access import AccessEntry as AccessEntry
    from nodepools.model.eks.access import AccessPolicy as AccessPolicy
    from nodepools.model.eks.access import AddOn as AddOn
    from nodepools.model.eks.access import PodIdentity as PodIdentity
    from nodepools.model.eks.access import PodRole as PodRole
    from nodepools.model.eks.auto_mode import AutoMode as AutoMode
    from nodepools.model.eks.auto_mode import EksNodePool as EksNodePool
    from nodepools.model.eks.cluster import AwsAccount as AwsAccount
    from nodepools.model.eks.cluster import EksClusterArgs as EksClusterArgs
    from nodepools.model.eks.cluster_objects import ClusterObjects as ClusterObjects
    from nodepools.model.eks.cluster_objects import IngressClass as IngressClass
    from nodepools.model.eks.cluster_objects import StorageClass as StorageClass
    from nodepools.model.eks.log_group import LogGroup as LogGroup
    from nodepools.model.eks.network import EksNetworkArgs as EksNetworkArgs
    from nodepools.model.eks.network import ExistingEksNetwork as ExistingEksNetwork
    from nodepools.model.eks.node_class import AdvancedNetworking as AdvancedNetworking
    from nodepools.model.eks.node_class import CapacityReservationTerm as CapacityReservationTerm
    from nodepools.model.eks.node_class import CertificateBundle as CertificateBundle
    from nodepools.model.eks.node_class import EksNodeClass as EksNodeClass
    from nodepools.model.eks.node_class import NetworkInterface as NetworkInterface
    from nodepools.model.eks.node_class import PlacementGroup as PlacementGroup
    from nodepools.model.eks.node_class import SelectorTerm as SelectorTerm
    from nodepools.model.karpenter import NodePool as NodePool
    from nodepools.model.karpenter import Requirement as Requirement
    from nodepools.model.kubernetes.taint import Taint as Taint
    from nodepools.model.maintenance import Daily as Daily
    from nodepools.model.maintenance import Weekly as Weekly
    from nodepools.model.platform import Platform as Platform
    from nodepools.model.platform import PoolRef as PoolRef
    from nodepools.model.ref import StackOutput as StackOutput
    from nodepools.model.scheduling import scheduling as scheduling
    from nodepools.model.scheduling import spread as spread
    from nodepools.model.timeouts import Timeouts as Timeouts
    from nodepools.needs.platform_capacity import capacity as capacity
    from nodepools.rules.engine.finding import DeclarationError as DeclarationError
    from nodepools.rules.engine.finding import Finding as Finding
    from nodepools.rules.engine.finding import PartFinding as PartFinding
    from nodepools.rules.engine.finding import Severity as Severity
    from nodepools.rules.engine.own_rules import rule as rule
    from nodepools.rules.engine.registry import finding as finding
    from nodepools.rules.engine.runner import check as check
    from nodepools.wire.effects import Effect as Effect
else:
    _HOMES = {
        "": ["keys", "pack", "testing"],
        "keys": ["presets"],
        "aks.cluster": ["AksCluster"],
        "aks.network": ["AksNetwork"],
        "aks.workload_identity": ["AksWorkloadIdentity"],
        "changes.platform_changes": ["diff"],
        "deployment": ["deploy"],
        "eks.cluster": ["EksCluster"],
        "eks.network": ["EksNetwork"],
        "loading": ["UnreadableError", "load", "load_file", "load_manifests"],
        "model.access": ["ApiServer", "Entra", "EntraPrincipal"],
        "model.aks.autoscaler": ["AutoscalerProfile"],
        "model.aks.cluster": ["AksClusterArgs"],
        "model.aks.device_plugin": ["DevicePlugin"],
        "model.aks.maintenance": [
            "AbsoluteMonthlySchedule",
            "DailySchedule",
            "Dates",
            "MaintenanceConfigurations",
            "MaintenanceWindow",
            "RelativeMonthlySchedule",
            "WeeklySchedule",
        ],
        "model.aks.image_cache": ["ImageCache"],
        "model.aks.kubelet_identity": ["KubeletIdentity"],
        "model.aks.nat_gateway": ["ManagedNatGateway", "NatGateway"],
        "model.aks.linux_profile": ["LinuxProfile"],
        "model.aks.monitoring": ["AuditLogs", "ContainerLogs", "ManagedPrometheus", "Syslog"],
        "model.aks.services": ["Defender", "EtcdKey", "HttpProxy", "ImageCleaner", "Istio", "KeyVaultProvider", "StorageDrivers"],
        "model.aks.network": ["AksNetworkArgs", "ExistingAksNetwork", "LoadBalancer", "ManagedAksNetwork", "NetworkProfile"],
        "model.aks.node_class": ["AksNodeClass"],
        "model.aks.node_settings": ["KubeletConfig", "LinuxOsConfig", "LocalDns", "LocalDnsOverride"],
        "model.aks.pool_settings": ["Autoscale", "HostPorts", "Spot", "UpgradeSettings"],
        "model.aks.agent_pool": ["AgentPool"],
        "model.aks.pools": ["GpuPool", "SpotPool", "SystemPool", "UserPool", "WindowsPool"],
        "model.aks.node_provisioning": ["AksNodePool", "NodeProvisioning"],
        "model.aks.sysctls": ["Sysctls"],
        "model.aks.windows_profile": ["Gmsa", "WindowsProfile"],
        "model.aks.workload_identity": ["AzureRole", "WorkloadIdentity"],
        "model.derive": ["derive"],
        "model.eks.access": ["AccessEntry", "AccessPolicy", "AddOn", "PodIdentity", "PodRole"],
        "model.eks.auto_mode": ["AutoMode", "EksNodePool"],
        "model.eks.cluster": ["AwsAccount", "EksClusterArgs"],
        "model.eks.log_group": ["LogGroup"],
        "model.eks.network": ["EksNetworkArgs", "ExistingEksNetwork"],
        "model.eks.node_class": [
            "AdvancedNetworking",
            "CapacityReservationTerm",
            "CertificateBundle",
            "EksNodeClass",
            "NetworkInterface",
            "PlacementGroup",
            "SelectorTerm",
        ],
        "model.eks.cluster_objects": ["ClusterObjects", "IngressClass", "StorageClass"],
        "model.disruption": ["Budget", "Disruption"],
        "model.karpenter": ["NodePool", "Requirement"],
        "model.kubernetes.taint": ["Taint"],
        "model.maintenance": ["Daily", "Weekly"],
        "model.platform": ["Platform", "PoolRef"],
        "model.ref": ["StackOutput"],
        "model.scheduling": ["scheduling", "spread"],
        "model.timeouts": ["Timeouts"],
        "needs.platform_capacity": ["capacity"],
        "rules.engine.finding": ["DeclarationError", "Finding", "PartFinding", "Severity"],
        "rules.engine.runner": ["check"],
        "rules.engine.own_rules": ["rule"],
        "rules.engine.registry": ["finding"],
        "wire.effects": ["Effect"],
    }
    _HOME = {name: home for home, names in _HOMES.items() for name in names}
    __all__ = sorted(_HOME)

    def __getattr__(name):
        if name not in _HOME:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        home = f"{__name__}.{_HOME[name]}".rstrip(".")
        try:
            parent = import_module(home)
            value = vars(parent)[name] if name in vars(parent) else import_module(f"{home}.{name}")
        except ModuleNotFoundError as missing:
            from nodepools.extras import MissingExtraError, is_of_an_extra

            package = (missing.name or "").split(".")[0]
            if not is_of_an_extra(package):
                raise
            raise MissingExtraError(f"nodepools.{name}", package) from None
        globals()[name] = value
        return value

    def __dir__():
        return __all__
