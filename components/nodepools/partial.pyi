# Made by tools/partial_stub.py: the models have the descriptions
# ruff: noqa: N802  # functions have the names of models

from collections.abc import Mapping, Sequence
from typing import Literal, TypedDict, Unpack, overload

from nodepools.model.access import ApiServer as _ApiServer
from nodepools.model.access import Entra as _Entra
from nodepools.model.access import EntraPrincipal as _EntraPrincipal
from nodepools.model.aks.agent_pool import Autoscale as _Autoscale
from nodepools.model.aks.agent_pool import EgressConfiguration as _EgressConfiguration
from nodepools.model.aks.agent_pool import GpuPool as _GpuPool
from nodepools.model.aks.agent_pool import HostPorts as _HostPorts
from nodepools.model.aks.agent_pool import Machines as _Machines
from nodepools.model.aks.agent_pool import Spot as _Spot
from nodepools.model.aks.agent_pool import SystemPool as _SystemPool
from nodepools.model.aks.agent_pool import UpgradeSettings as _UpgradeSettings
from nodepools.model.aks.agent_pool import UserPool as _UserPool
from nodepools.model.aks.agent_pool import WindowsPool as _WindowsPool
from nodepools.model.aks.cluster import AksClusterArgs as _AksClusterArgs
from nodepools.model.aks.cluster import AksNodeClass as _AksNodeClass
from nodepools.model.aks.cluster import AksNodePool as _AksNodePool
from nodepools.model.aks.cluster import AutoscalerProfile as _AutoscalerProfile
from nodepools.model.aks.cluster import NodeProvisioning as _NodeProvisioning
from nodepools.model.aks.maintenance import AbsoluteMonthlySchedule as _AbsoluteMonthlySchedule
from nodepools.model.aks.maintenance import DailySchedule as _DailySchedule
from nodepools.model.aks.maintenance import Dates as _Dates
from nodepools.model.aks.maintenance import MaintenanceConfigurations as _MaintenanceConfigurations
from nodepools.model.aks.maintenance import MaintenanceWindow as _MaintenanceWindow
from nodepools.model.aks.maintenance import Moment, WeekDay
from nodepools.model.aks.maintenance import RelativeMonthlySchedule as _RelativeMonthlySchedule
from nodepools.model.aks.maintenance import WeeklySchedule as _WeeklySchedule
from nodepools.model.aks.monitoring import AuditLogs as _AuditLogs
from nodepools.model.aks.monitoring import Category, Facility, Stream, SyslogLevel
from nodepools.model.aks.monitoring import ContainerLogs as _ContainerLogs
from nodepools.model.aks.monitoring import ManagedPrometheus as _ManagedPrometheus
from nodepools.model.aks.monitoring import Syslog as _Syslog
from nodepools.model.aks.network import AdvancedContainerNetworking as _AdvancedContainerNetworking
from nodepools.model.aks.network import AksNetworkArgs as _AksNetworkArgs
from nodepools.model.aks.network import ExistingAksNetwork as _ExistingAksNetwork
from nodepools.model.aks.network import ImageCache as _ImageCache
from nodepools.model.aks.network import LoadBalancer as _LoadBalancer
from nodepools.model.aks.network import ManagedAksNetwork as _ManagedAksNetwork
from nodepools.model.aks.network import ManagedNatGateway as _ManagedNatGateway
from nodepools.model.aks.network import NatGateway as _NatGateway
from nodepools.model.aks.network import NetworkProfile as _NetworkProfile
from nodepools.model.aks.node_settings import Gmsa as _Gmsa
from nodepools.model.aks.node_settings import KubeletConfig as _KubeletConfig
from nodepools.model.aks.node_settings import LinuxOsConfig as _LinuxOsConfig
from nodepools.model.aks.node_settings import LinuxProfile as _LinuxProfile
from nodepools.model.aks.node_settings import LocalDns as _LocalDns
from nodepools.model.aks.node_settings import LocalDnsOverride as _LocalDnsOverride
from nodepools.model.aks.node_settings import Sysctls as _Sysctls
from nodepools.model.aks.node_settings import WindowsProfile as _WindowsProfile
from nodepools.model.aks.services import AppRouting as _AppRouting
from nodepools.model.aks.services import Defender as _Defender
from nodepools.model.aks.services import DevicePlugin as _DevicePlugin
from nodepools.model.aks.services import EgressGateway as _EgressGateway
from nodepools.model.aks.services import EtcdKey as _EtcdKey
from nodepools.model.aks.services import HttpProxy as _HttpProxy
from nodepools.model.aks.services import ImageCleaner as _ImageCleaner
from nodepools.model.aks.services import Istio as _Istio
from nodepools.model.aks.services import KeyVaultProvider as _KeyVaultProvider
from nodepools.model.aks.services import MeshAuthority as _MeshAuthority
from nodepools.model.aks.services import Revision
from nodepools.model.aks.services import StorageDrivers as _StorageDrivers
from nodepools.model.aks.workload_identity import AzureRole as _AzureRole
from nodepools.model.aks.workload_identity import KubeletIdentity as _KubeletIdentity
from nodepools.model.aks.workload_identity import WorkloadIdentity as _WorkloadIdentity
from nodepools.model.cidr import Cidr, Cidr6
from nodepools.model.eks.access import AccessEntry as _AccessEntry
from nodepools.model.eks.access import AccessPolicy as _AccessPolicy
from nodepools.model.eks.access import AddOn as _AddOn
from nodepools.model.eks.access import IdentityProvider as _IdentityProvider
from nodepools.model.eks.access import PodIdentity as _PodIdentity
from nodepools.model.eks.access import PodRole as _PodRole
from nodepools.model.eks.cluster import AwsAccount as _AwsAccount
from nodepools.model.eks.cluster import ClusterObjects as _ClusterObjects
from nodepools.model.eks.cluster import ControlPlane as _ControlPlane
from nodepools.model.eks.cluster import EksClusterArgs as _EksClusterArgs
from nodepools.model.eks.cluster import EksNetworkArgs as _EksNetworkArgs
from nodepools.model.eks.cluster import ExistingEksNetwork as _ExistingEksNetwork
from nodepools.model.eks.cluster import IngressClass as _IngressClass
from nodepools.model.eks.cluster import LogGroup as _LogGroup
from nodepools.model.eks.cluster import NewKey as _NewKey
from nodepools.model.eks.cluster import Retention
from nodepools.model.eks.cluster import StorageClass as _StorageClass
from nodepools.model.eks.node_class import AdvancedNetworking as _AdvancedNetworking
from nodepools.model.eks.node_class import AutoMode as _AutoMode
from nodepools.model.eks.node_class import BuiltIn
from nodepools.model.eks.node_class import CapacityReservationTerm as _CapacityReservationTerm
from nodepools.model.eks.node_class import CertificateBundle as _CertificateBundle
from nodepools.model.eks.node_class import EksNodeClass as _EksNodeClass
from nodepools.model.eks.node_class import EksNodePool as _EksNodePool
from nodepools.model.eks.node_class import NetworkInterface as _NetworkInterface
from nodepools.model.eks.node_class import PlacementGroup as _PlacementGroup
from nodepools.model.eks.node_class import SelectorTerm as _SelectorTerm
from nodepools.model.karpenter import Headroom as _Headroom
from nodepools.model.karpenter import Operator
from nodepools.model.karpenter import Requirement as _Requirement
from nodepools.model.kubernetes.duration import BudgetDuration, Duration, DurationOrNever
from nodepools.model.kubernetes.duration import Timeouts as _Timeouts
from nodepools.model.kubernetes.label import Effect
from nodepools.model.kubernetes.label import Taint as _Taint
from nodepools.model.kubernetes.quantity import Quantity
from nodepools.model.maintenance import Budget as _Budget
from nodepools.model.maintenance import Daily as _Daily
from nodepools.model.maintenance import Disruption as _Disruption
from nodepools.model.maintenance import Reason
from nodepools.model.maintenance import Weekly as _Weekly
from nodepools.model.platform import Owners as _Owners
from nodepools.model.platform import Platform as _Platform
from nodepools.model.platform import Team as _Team
from nodepools.model.ref import Ref, Secret

class PartialAbsoluteMonthlySchedule(TypedDict, total=False):
    kind: Literal["AbsoluteMonthlySchedule"]
    day_of_month: int
    interval_months: int

class PartialAccessEntry(TypedDict, total=False):
    principal: Ref
    type: Literal["STANDARD", "EC2", "EC2_LINUX", "EC2_WINDOWS", "FARGATE_LINUX", "HYBRID_LINUX", "HYPERPOD_LINUX"]
    policies: Sequence[_AccessPolicy]
    groups: Sequence[str]
    user_name: str | None

class PartialAccessPolicy(TypedDict, total=False):
    name: str
    namespaces: Sequence[str]

class PartialAddOn(TypedDict, total=False):
    version: str | None
    configuration: Mapping[str, object]
    role: Ref | None
    pod_identity: Mapping[str, _PodRole | PartialPodRole | None]
    namespace: str | None
    keep: bool

class PartialAdvancedContainerNetworking(TypedDict, total=False):
    observability: bool | None
    security: bool | None
    policies: Literal["None", "FQDN", "L7"] | None
    encryption: Literal["None", "WireGuard"] | None
    acceleration: Literal["None", "BpfVeth"] | None

class PartialAdvancedNetworking(TypedDict, total=False):
    https_proxy: str | None
    no_proxy: Sequence[str]
    associate_public_ip_address: bool | None
    ipv4_prefix_size: Literal["Auto", "32"]
    enable_v4_egress: bool | None
    network_interfaces: Sequence[_NetworkInterface]

class PartialAksClusterArgs(TypedDict, total=False):
    logs: _ContainerLogs | PartialContainerLogs | None
    metrics: _ManagedPrometheus | PartialManagedPrometheus | None
    audit: _AuditLogs | PartialAuditLogs | None
    log_analytics_workspace_id: Ref | None
    log_analytics_workspace_location: str | None
    azure_policy: bool | None
    key_vault_provider: _KeyVaultProvider | PartialKeyVaultProvider | None
    keda: bool | None
    vertical_pod_autoscaler: bool | None
    app_monitoring: bool | None
    cost_analysis: bool | None
    image_cleaner: _ImageCleaner | PartialImageCleaner | None
    defender: _Defender | PartialDefender | None
    istio: _Istio | PartialIstio | None
    gateway_api: bool | None
    app_routing: _AppRouting | PartialAppRouting | None
    scheduler_profiles: bool | None
    ai_toolchain_operator: bool | None
    storage: _StorageDrivers | PartialStorageDrivers
    http_proxy: _HttpProxy | PartialHttpProxy | None
    trusted_certificates: Sequence[str]
    etcd_key: _EtcdKey | PartialEtcdKey | None
    kind: Literal["AksCluster"]
    location: str
    kubernetes_version: str
    system_pool: _SystemPool | PartialSystemPool | None
    hosted_system: bool | None
    hosted_system_subnet_id: Ref | None
    pools: Mapping[
        str, _SystemPool | PartialSystemPool | _UserPool | PartialUserPool | _GpuPool | PartialGpuPool | _WindowsPool | PartialWindowsPool | None
    ]
    node_provisioning: _NodeProvisioning | PartialNodeProvisioning | None
    network: _AksNetworkArgs | PartialAksNetworkArgs | _ExistingAksNetwork | PartialExistingAksNetwork | _ManagedAksNetwork | PartialManagedAksNetwork
    network_profile: _NetworkProfile | PartialNetworkProfile
    sku: Literal["Base", "Automatic"]
    tier: Literal["Free", "Standard", "Premium"]
    entra: _Entra | PartialEntra | None
    admins: Sequence[_EntraPrincipal]
    api_server: _ApiServer | PartialApiServer
    apply: Literal["direct", "render"]
    device_plugin: _DevicePlugin | PartialDevicePlugin | None
    gpu_operator: bool
    support_plan: Literal["KubernetesOfficial", "AKSLongTermSupport"] | None
    auto_upgrade: Literal["none", "patch", "stable", "rapid", "node-image"] | None
    node_os_upgrade: Literal["None", "Unmanaged", "NodeImage", "SecurityPatch"] | None
    maintenance: _Daily | PartialDaily | _Weekly | PartialWeekly | None
    maintenance_configurations: _MaintenanceConfigurations | PartialMaintenanceConfigurations
    autoscaler: _AutoscalerProfile | PartialAutoscalerProfile | None
    windows_profile: _WindowsProfile | PartialWindowsProfile | None
    linux_profile: _LinuxProfile | PartialLinuxProfile | None
    disk_encryption_set_id: Ref | None
    private_dns_zone: Ref | None
    private_public_fqdn: bool | None
    run_command: bool | None
    api_server_subnet_id: Ref | None
    subscription_id: str | None
    node_resource_group_restriction: Literal["Unrestricted", "ReadOnly"] | None
    name: str | None
    dns_prefix: str | None
    fqdn_subdomain: str | None
    image_cache: _ImageCache | PartialImageCache | None
    force_upgrade_until: Moment | None
    node_resource_group: str | None
    resource_group: Ref | None
    identity: Ref | None
    kubelet_identity: _KubeletIdentity | PartialKubeletIdentity | None
    registries: Sequence[Ref]
    network_rights: Literal["network", "subnets"]
    oidc_issuer: bool
    workload_identity: bool
    workload_identities: Mapping[str, _WorkloadIdentity | PartialWorkloadIdentity | None]
    protect: bool | None
    accepted_errors: Mapping[str, str | None]
    owner: str | None
    tags: Mapping[str, str | None]
    timeouts: _Timeouts | PartialTimeouts
    api_version: str | None
    overrides: Mapping[str, object]

class PartialAksNetworkArgs(TypedDict, total=False):
    kind: Literal["AksNetwork"]
    cidr: Cidr
    node_subnet_cidr: Cidr | None
    pool_subnets: Mapping[str, Cidr | None]
    pod_subnet_cidr: Cidr | None
    cidr_v6: Cidr6 | None
    nat: _NatGateway | PartialNatGateway | None
    route_table_id: Ref | None

class PartialAksNodeClass(TypedDict, total=False):
    image_family: Literal["Ubuntu", "Ubuntu2204", "Ubuntu2404", "AzureLinux"]
    fips_mode: Literal["FIPS", "Disabled"] | None
    os_disk_size_gb: int | None
    max_pods: int | None
    vnet_subnet_id: Ref | None
    gpu_mode: Literal["Driver", "None"] | None
    artifact_streaming: bool | None
    encryption_at_host: bool | None
    secure_boot: bool | None
    vtpm: bool | None
    kubelet: _KubeletConfig | PartialKubeletConfig | None
    linux_os: _LinuxOsConfig | PartialLinuxOsConfig | None
    local_dns: _LocalDns | PartialLocalDns | None
    tags: Mapping[str, str | None]
    timeouts: _Timeouts | PartialTimeouts
    overrides: Mapping[str, object]

class PartialAksNodePool(TypedDict, total=False):
    node_class: str | None
    weight: int | None
    replicas: int | None
    requirements: Sequence[_Requirement]
    labels: Mapping[str, str | None]
    labeled: bool
    annotations: Mapping[str, str | None]
    taints: Sequence[_Taint]
    startup_taints: Sequence[_Taint]
    limits: Mapping[str, Quantity | None]
    headroom: _Headroom | PartialHeadroom | None
    disruption: _Disruption | PartialDisruption
    maintenance: _Daily | PartialDaily | _Weekly | PartialWeekly | None
    expire_after: DurationOrNever | None
    termination_grace_period: Duration | None
    owner: str | None
    timeouts: _Timeouts | PartialTimeouts
    overrides: Mapping[str, object]

class PartialApiServer(TypedDict, total=False):
    private: bool
    authorized_ip_ranges: Sequence[str]

class PartialAppRouting(TypedDict, total=False):
    gateway: bool | None
    enabled: bool | None
    nginx: Literal["AnnotationControlled", "External", "Internal", "None"] | None
    dns_zones: Sequence[Ref]

class PartialAuditLogs(TypedDict, total=False):
    workspace: Ref
    categories: Sequence[Category]

class PartialAutoMode(TypedDict, total=False):
    built_in_node_pools: Sequence[BuiltIn]
    node_classes: Mapping[str, _EksNodeClass | PartialEksNodeClass | None]
    existing_node_classes: Sequence[str]
    node_pools: Mapping[str, _EksNodePool | PartialEksNodePool | None]

class PartialAutoscale(TypedDict, total=False):
    min: int
    max: int

class PartialAutoscalerProfile(TypedDict, total=False):
    expander: Literal["least-waste", "most-pods", "priority", "random"] | None
    priorities: Mapping[int, Sequence[str] | None]
    balance_similar_node_groups: bool | None
    daemonset_eviction_for_empty_nodes: bool | None
    daemonset_eviction_for_occupied_nodes: bool | None
    ignore_daemonsets_utilization: bool | None
    max_empty_bulk_delete: int | None
    max_graceful_termination_sec: int | None
    max_node_provision_time: str | None
    max_total_unready_percentage: int | None
    ok_total_unready_count: int | None
    new_pod_scale_up_delay: str | None
    scale_down_delay_after_add: str | None
    scale_down_delay_after_delete: str | None
    scale_down_delay_after_failure: str | None
    scale_down_unneeded_time: str | None
    scale_down_unready_time: str | None
    scale_down_utilization_threshold: float | None
    scan_interval: str | None
    skip_nodes_with_local_storage: bool | None
    skip_nodes_with_system_pods: bool | None

class PartialAwsAccount(TypedDict, total=False):
    id: str
    profile: str | None
    role_arn: Ref | None

class PartialAzureRole(TypedDict, total=False):
    role: str
    on: Ref

class PartialBudget(TypedDict, total=False):
    nodes: str
    schedule: str | None
    duration: BudgetDuration | None
    reasons: Sequence[Literal["Underutilized", "Empty", "Drifted", "Unhealthy", "NodeNotHealthy"]] | None

class PartialCapacityReservationTerm(TypedDict, total=False):
    id: Ref | None
    tags: Mapping[str, str | None]
    owner: str | None

class PartialCertificateBundle(TypedDict, total=False):
    name: str
    data: str

class PartialClusterObjects(TypedDict, total=False):
    storage_class: _StorageClass | PartialStorageClass | None
    ingress_class: _IngressClass | PartialIngressClass | None
    network_policies: bool | None

class PartialContainerLogs(TypedDict, total=False):
    workspace: Ref
    location: str | None
    streams: Sequence[Stream]
    interval: Duration
    only_namespaces: Sequence[str]
    except_namespaces: Sequence[str]
    syslog: _Syslog | PartialSyslog | None

class PartialControlPlane(TypedDict, total=False):
    event_ttl: str | None
    first_node_port: int | None
    last_node_port: int | None
    autoscaler_sync_period: str | None
    terminated_pods: int | None
    scoring: Literal["LeastAllocated", "MostAllocated"] | None
    scoring_weights: Mapping[str, int | None]

class PartialDaily(TypedDict, total=False):
    start: str
    hours: int
    tz: str
    reasons: Sequence[Reason]
    kind: Literal["Daily"]

class PartialDailySchedule(TypedDict, total=False):
    kind: Literal["DailySchedule"]
    interval_days: int

class PartialDates(TypedDict, total=False):
    start: Moment
    end: Moment

class PartialDefender(TypedDict, total=False):
    workspace: Ref
    enabled: bool
    gating: bool | None
    gating_in_private_registries: bool | None
    gating_identities: Mapping[str, Ref | None] | None

class PartialDevicePlugin(TypedDict, total=False):
    image: str
    time_slices: int | None
    fail_on_more_than_one: bool
    mig_strategy: Literal["none", "single", "mixed"] | None
    tolerations: Sequence[_Taint]

class PartialDisruption(TypedDict, total=False):
    consolidation_policy: Literal["WhenEmpty", "WhenEmptyOrUnderutilized", "Balanced"]
    consolidate_after: DurationOrNever
    budgets: Sequence[_Budget] | None

class PartialEgressConfiguration(TypedDict, total=False):
    namespace: str
    exclude: Sequence[Cidr]
    prefix_id: Ref | None

class PartialEgressGateway(TypedDict, total=False):
    name: str
    configuration: str
    namespace: str | None
    enabled: bool

class PartialEksClusterArgs(TypedDict, total=False):
    kind: Literal["EksCluster"]
    region: str
    kubernetes_version: str
    auto_mode: _AutoMode | PartialAutoMode
    maintenance: _Daily | PartialDaily | _Weekly | PartialWeekly | None
    network: _EksNetworkArgs | PartialEksNetworkArgs | _ExistingEksNetwork | PartialExistingEksNetwork
    service_cidr: Cidr | None
    ip_family: Literal["IPv4", "IPv6"]
    admins: Sequence[Ref]
    creator_is_admin: bool
    authentication_mode: Literal["CONFIG_MAP", "API_AND_CONFIG_MAP", "API"]
    access_entries: Mapping[str, _AccessEntry | PartialAccessEntry | None]
    pod_identities: Mapping[str, _PodIdentity | PartialPodIdentity | None]
    identity_provider: _IdentityProvider | PartialIdentityProvider | None
    oidc_provider: bool
    add_ons: Mapping[str, _AddOn | PartialAddOn | None]
    objects: _ClusterObjects | PartialClusterObjects
    api_server: _ApiServer | PartialApiServer
    apply: Literal["direct", "render"]
    name: str | None
    account: _AwsAccount | PartialAwsAccount | None
    cluster_role: Ref | None
    node_role: Ref | None
    iam_path: str
    permissions_boundary: Ref | None
    cluster_policies: Sequence[Ref]
    node_policies: Sequence[Ref]
    cluster_statements: Sequence[Mapping[str, object]]
    node_statements: Sequence[Mapping[str, object]]
    role_names: Literal["plain", "regional"]
    upgrade_policy: Literal["STANDARD", "EXTENDED"] | None
    zonal_shift: bool | None
    control_plane_tier: Literal["standard", "tier-xl", "tier-2xl", "tier-4xl", "tier-8xl"] | None
    control_plane: _ControlPlane | PartialControlPlane
    security_group_ids: Sequence[Ref]
    control_plane_egress: Literal["AWS_MANAGED", "CUSTOMER_ROUTED"] | None
    secrets_key: Ref | None
    new_secrets_key: _NewKey | PartialNewKey | None
    log_types: Sequence[Literal["api", "audit", "authenticator", "controllerManager", "scheduler"]]
    logs: _LogGroup | PartialLogGroup
    deletion_protection: bool
    protect: bool | None
    accepted_errors: Mapping[str, str | None]
    owner: str | None
    tags: Mapping[str, str | None]
    timeouts: _Timeouts | PartialTimeouts
    overrides: Mapping[str, object]

class PartialEksNetworkArgs(TypedDict, total=False):
    kind: Literal["EksNetwork"]
    cidr: Cidr
    zones: Sequence[str]
    nat: Literal["per-zone", "single"] | None
    public_subnets: bool
    endpoints: Sequence[str]
    ipv6: bool

class PartialEksNodeClass(TypedDict, total=False):
    role: Ref | None
    create_role: bool
    name: str | None
    instance_profile: Ref | None
    subnets: Sequence[_SelectorTerm]
    security_groups: Sequence[_SelectorTerm]
    pod_subnets: Sequence[_SelectorTerm]
    pod_security_groups: Sequence[_SelectorTerm]
    capacity_reservations: Sequence[_CapacityReservationTerm]
    ephemeral_storage: Quantity
    ephemeral_storage_iops: int | None
    ephemeral_storage_throughput: int | None
    ephemeral_storage_kms_key_id: Ref | None
    network_policy: Literal["DefaultAllow", "DefaultDeny"]
    network_policy_event_logs: Literal["Disabled", "Enabled"]
    snat_policy: Literal["Random", "Disabled"]
    advanced_networking: _AdvancedNetworking | PartialAdvancedNetworking | None
    fips: bool
    placement_group: _PlacementGroup | PartialPlacementGroup | None
    certificate_bundles: Sequence[_CertificateBundle]
    tags: Mapping[str, str | None]
    previous: _EksNodeClass | PartialEksNodeClass | None
    timeouts: _Timeouts | PartialTimeouts
    overrides: Mapping[str, object]

class PartialEksNodePool(TypedDict, total=False):
    node_class: str | None
    weight: int | None
    replicas: int | None
    requirements: Sequence[_Requirement]
    labels: Mapping[str, str | None]
    labeled: bool
    annotations: Mapping[str, str | None]
    taints: Sequence[_Taint]
    startup_taints: Sequence[_Taint]
    limits: Mapping[str, Quantity | None]
    headroom: _Headroom | PartialHeadroom | None
    disruption: _Disruption | PartialDisruption
    maintenance: _Daily | PartialDaily | _Weekly | PartialWeekly | None
    expire_after: DurationOrNever | None
    termination_grace_period: Duration | None
    owner: str | None
    timeouts: _Timeouts | PartialTimeouts
    overrides: Mapping[str, object]

class PartialEntra(TypedDict, total=False):
    tenant_id: Ref | None
    azure_rbac: bool
    admin_groups: Sequence[Ref]
    local_accounts: bool
    deployer_is_admin: bool

class PartialEntraPrincipal(TypedDict, total=False):
    object_id: Ref
    principal_type: Literal["User", "Group", "ServicePrincipal"]

class PartialEtcdKey(TypedDict, total=False):
    key_id: Ref
    vault_id: Ref | None
    vault_access: Literal["Public", "Private"]
    enabled: bool

class PartialExistingAksNetwork(TypedDict, total=False):
    kind: Literal["ExistingAksNetwork"]
    subnet_id: Ref
    pod_subnet_id: Ref | None
    cidr: Cidr | None

class PartialExistingEksNetwork(TypedDict, total=False):
    kind: Literal["ExistingEksNetwork"]
    vpc_id: Ref
    private_subnet_ids: Sequence[Ref]
    control_plane_subnet_ids: Sequence[Ref]
    cidr: Cidr | None
    public_subnets: bool

class PartialGmsa(TypedDict, total=False):
    dns_server: str | None
    root_domain_name: str | None

class PartialGpuPool(TypedDict, total=False):
    vm_size: str
    count: int | None
    scale: _Autoscale | PartialAutoscale | None
    zones: Sequence[Literal[1, 2, 3]]
    kubernetes_version: str | None
    os_sku: str | None
    os_disk_size_gb: int | None
    os_disk_type: Literal["Ephemeral", "Managed"] | None
    max_pods: int | None
    kubelet_disk_type: Literal["OS", "Temporary"] | None
    ultra_ssd: bool | None
    encryption_at_host: bool | None
    fips: bool | None
    secure_boot: bool | None
    vtpm: bool | None
    ssh_access: Literal["LocalUser", "Disabled", "EntraId"] | None
    kubelet: _KubeletConfig | PartialKubeletConfig | None
    local_dns: _LocalDns | PartialLocalDns | None
    upgrade: _UpgradeSettings | PartialUpgradeSettings | None
    scale_down_mode: Literal["Delete", "Deallocate"] | None
    power_state: Literal["Running", "Stopped"] | None
    workload_runtime: Literal["OCIContainer", "WasmWasi", "KataVmIsolation"] | None
    node_image_version: str | None
    snapshot_id: Ref | None
    proximity_placement_group_id: Ref | None
    capacity_reservation_group_id: Ref | None
    host_group_id: Ref | None
    labels: Mapping[str, str | None]
    labeled: bool
    taints: Sequence[_Taint]
    vnet_subnet_id: Ref | None
    pod_subnet_id: Ref | None
    pod_ip_allocation: Literal["DynamicIndividual", "StaticBlock"] | None
    node_public_ip: bool | None
    node_public_ip_prefix_id: Ref | None
    node_public_ip_tags: Mapping[str, str | None]
    allowed_host_ports: Sequence[_HostPorts]
    application_security_group_ids: Sequence[Ref]
    name: str | None
    generation: str | None
    tags: Mapping[str, str | None]
    owner: str | None
    timeouts: _Timeouts | PartialTimeouts
    overrides: Mapping[str, object]
    linux_os: _LinuxOsConfig | PartialLinuxOsConfig | None
    message_of_the_day: str | None
    artifact_streaming: bool | None
    dranet: Literal["Managed", "Unmanaged"] | None
    spot: _Spot | PartialSpot | None
    kind: Literal["GpuPool"]
    tainted: bool
    driver: Literal["Install", "None"]
    management: Literal["Managed", "Unmanaged"] | None
    mig: Literal["MIG1g", "MIG2g", "MIG3g", "MIG4g", "MIG7g"] | None
    previous: _GpuPool | PartialGpuPool | None

class PartialHeadroom(TypedDict, total=False):
    pods: int
    requests: Mapping[str, Quantity | None]
    by: Literal["placeholder-pods", "capacity-buffer"]
    namespace: str
    image: str

class PartialHostPorts(TypedDict, total=False):
    start: int
    end: int
    protocol: Literal["TCP", "UDP"]

class PartialHttpProxy(TypedDict, total=False):
    http: str | None
    https: str | None
    no_proxy: Sequence[str]
    trusted_ca: str | None
    enabled: bool | None

class PartialIdentityProvider(TypedDict, total=False):
    name: str
    issuer_url: Ref
    client_id: Ref
    username_claim: str | None
    username_prefix: str | None
    groups_claim: str | None
    groups_prefix: str | None
    required_claims: Mapping[str, str | None]

class PartialImageCache(TypedDict, total=False):
    registry_id: Ref | None

class PartialImageCleaner(TypedDict, total=False):
    interval: Duration
    enabled: bool

class PartialIngressClass(TypedDict, total=False):
    name: str
    default: bool
    scheme: Literal["internet-facing", "internal"] | None

class PartialIstio(TypedDict, total=False):
    revisions: Sequence[Revision]
    ingress: Sequence[Literal["External", "Internal"]]
    egress: Sequence[_EgressGateway]
    certificate_authority: _MeshAuthority | PartialMeshAuthority | None
    redirection: Literal["InitContainers", "CNIChaining"] | None
    enabled: bool

class PartialKeyVaultProvider(TypedDict, total=False):
    rotate: bool
    rotation_interval: Duration
    vaults: Sequence[Ref]
    enabled: bool

class PartialKubeletConfig(TypedDict, total=False):
    cpu_manager_policy: Literal["none", "static"] | None
    cpu_cfs_quota: bool | None
    cpu_cfs_quota_period: str | None
    topology_manager_policy: Literal["none", "best-effort", "restricted", "single-numa-node"] | None
    image_gc_high_threshold: int | None
    image_gc_low_threshold: int | None
    allowed_unsafe_sysctls: Sequence[str]
    container_log_max_size: str | None
    container_log_max_files: int | None
    pod_max_pids: int | None
    fail_swap_on: bool | None

class PartialKubeletIdentity(TypedDict, total=False):
    id: Ref | None
    client_id: Ref | None
    object_id: Ref | None

class PartialLinuxOsConfig(TypedDict, total=False):
    sysctls: _Sysctls | PartialSysctls | None
    transparent_huge_page_enabled: Literal["always", "madvise", "never"] | None
    transparent_huge_page_defrag: Literal["always", "defer", "defer+madvise", "madvise", "never"] | None
    swap_file_size: str | None

class PartialLinuxProfile(TypedDict, total=False):
    admin_username: str
    ssh_key: str

class PartialLoadBalancer(TypedDict, total=False):
    managed_outbound_ips: int | None
    managed_outbound_ips_v6: int | None
    outbound_ip_ids: Sequence[Ref]
    outbound_ip_prefix_ids: Sequence[Ref]
    allocated_outbound_ports: int | None
    idle_timeout: Duration | None
    backend_pool_type: Literal["NodeIPConfiguration", "NodeIP"] | None

class PartialLocalDns(TypedDict, total=False):
    mode: Literal["Preferred", "Required", "Disabled"]
    vnet_dns: Sequence[_LocalDnsOverride]
    kube_dns: Sequence[_LocalDnsOverride]

class PartialLocalDnsOverride(TypedDict, total=False):
    zone: str
    forward_destination: Literal["ClusterCoreDNS", "VnetDNS"]
    forward_policy: Literal["Sequential", "RoundRobin", "Random"]
    query_logging: Literal["Error", "Log"]
    protocol: Literal["PreferUDP", "ForceTCP"]
    max_concurrent: int
    cache_duration: Duration
    serve_stale: Literal["Verify", "Immediate", "Disable"]
    serve_stale_duration: Duration

class PartialLogGroup(TypedDict, total=False):
    retention_days: Retention
    kms_key: Ref | None
    keep: bool
    existing: bool

class PartialMachines(TypedDict, total=False):
    vm_size: str
    count: int
    scale: _Autoscale | PartialAutoscale | None

class PartialMaintenanceConfigurations(TypedDict, total=False):
    releases: _MaintenanceWindow | PartialMaintenanceWindow | None
    upgrades: _MaintenanceWindow | PartialMaintenanceWindow | None
    node_images: _MaintenanceWindow | PartialMaintenanceWindow | None

class PartialMaintenanceWindow(TypedDict, total=False):
    schedule: (
        _DailySchedule
        | PartialDailySchedule
        | _WeeklySchedule
        | PartialWeeklySchedule
        | _AbsoluteMonthlySchedule
        | PartialAbsoluteMonthlySchedule
        | _RelativeMonthlySchedule
        | PartialRelativeMonthlySchedule
    )
    duration_hours: int
    start_time: str
    utc_offset: str
    start_date: Moment | None
    not_allowed: Sequence[_Dates]

class PartialManagedAksNetwork(TypedDict, total=False):
    kind: Literal["ManagedAksNetwork"]
    cidr: Cidr | None

class PartialManagedNatGateway(TypedDict, total=False):
    managed_outbound_ips: int | None
    idle_timeout: Duration | None

class PartialManagedPrometheus(TypedDict, total=False):
    workspace: Ref | None
    location: str | None
    label_keys: Mapping[str, Sequence[str] | None]
    annotation_keys: Mapping[str, Sequence[str] | None]
    enabled: bool
    control_plane: bool | None

class PartialMeshAuthority(TypedDict, total=False):
    vault_id: Ref
    root: str
    intermediate: str
    key: str
    chain: str

class PartialNatGateway(TypedDict, total=False):
    addresses: int
    zone: Literal[1, 2, 3] | None
    idle_timeout: Duration | None

class PartialNetworkInterface(TypedDict, total=False):
    network_card_index: int
    device_index: int
    interface_type: Literal["interface", "efa-only"]
    secondary_ipv4_count: int | None
    secondary_ipv4_prefix_count: int | None

class PartialNetworkProfile(TypedDict, total=False):
    plugin: Literal["azure", "kubenet", "none"]
    plugin_mode: Literal["overlay"] | None
    dataplane: Literal["azure", "cilium"]
    policy: Literal["cilium", "azure", "calico", "none"] | None
    outbound_type: Literal["loadBalancer", "userDefinedRouting", "userAssignedNATGateway", "managedNATGateway", "none"]
    pod_cidr: Cidr | None
    service_cidr: Cidr | None
    ip_families: Sequence[Literal["IPv4", "IPv6"]]
    pod_cidr_v6: Cidr6 | None
    service_cidr_v6: Cidr6 | None
    load_balancer: _LoadBalancer | PartialLoadBalancer | None
    nat_gateway: _ManagedNatGateway | PartialManagedNatGateway | None
    advanced: _AdvancedContainerNetworking | PartialAdvancedContainerNetworking | None
    static_egress_gateway: bool | None

class PartialNewKey(TypedDict, total=False):
    rotation_days: int
    deletion_days: int

class PartialNodeProvisioning(TypedDict, total=False):
    default_node_pools: Literal["Auto", "None"]
    node_classes: Mapping[str, _AksNodeClass | PartialAksNodeClass | None]
    existing_node_classes: Sequence[str]
    node_pools: Mapping[str, _AksNodePool | PartialAksNodePool | None]
    with_cluster_autoscaler: bool
    cilium_startup_taint: bool

class PartialOwners(TypedDict, total=False):
    required: bool
    teams: Mapping[str, _Team | PartialTeam | None]
    label: str | None
    tag: str | None

class PartialPlacementGroup(TypedDict, total=False):
    name: str | None
    id: Ref | None

class PartialPlatform(TypedDict, total=False):
    name: str
    environment: str | None
    clusters: Mapping[str, _AksClusterArgs | PartialAksClusterArgs | _EksClusterArgs | PartialEksClusterArgs | None]
    tags: Mapping[str, str | None]
    standard_tags: bool
    maintenance: _Daily | PartialDaily | _Weekly | PartialWeekly | None
    protect: bool
    baseline: Literal["none", "cis"]
    must_fit: Sequence[Mapping[str, object]]
    owners: _Owners | PartialOwners

class PartialPodIdentity(TypedDict, total=False):
    role: Ref | None
    policies: Sequence[Ref]
    statements: Sequence[Mapping[str, object]]
    namespace: str
    service_account: str
    target_role: Ref | None
    session_tags: bool
    session_policy: Mapping[str, object] | None
    overrides: Mapping[str, object]

class PartialPodRole(TypedDict, total=False):
    role: Ref | None
    policies: Sequence[Ref]
    statements: Sequence[Mapping[str, object]]

class PartialRelativeMonthlySchedule(TypedDict, total=False):
    kind: Literal["RelativeMonthlySchedule"]
    week_index: Literal["First", "Second", "Third", "Fourth", "Last"]
    day_of_week: WeekDay
    interval_months: int

class PartialRequirement(TypedDict, total=False):
    key: str
    operator: Operator
    values: Sequence[str]
    min_values: int | None

class PartialSelectorTerm(TypedDict, total=False):
    id: Ref | None
    name: str | None
    tags: Mapping[str, str | None]

class PartialSpot(TypedDict, total=False):
    max_price: float
    eviction: Literal["Delete", "Deallocate"]

class PartialStorageClass(TypedDict, total=False):
    name: str
    default: bool
    volume_type: Literal["gp3", "gp2", "io1", "io2", "st1", "sc1"]
    iops: int | None
    encrypted: bool
    kms_key: Ref | None
    reclaim: Literal["Delete", "Retain"]
    expansion: bool

class PartialStorageDrivers(TypedDict, total=False):
    disk: bool | None
    file: bool | None
    blob: bool | None
    snapshots: bool | None

class PartialSysctls(TypedDict, total=False):
    fs_aio_max_nr: int | None
    fs_file_max: int | None
    fs_inotify_max_user_watches: int | None
    fs_nr_open: int | None
    kernel_threads_max: int | None
    net_core_netdev_max_backlog: int | None
    net_core_optmem_max: int | None
    net_core_rmem_default: int | None
    net_core_rmem_max: int | None
    net_core_somaxconn: int | None
    net_core_wmem_default: int | None
    net_core_wmem_max: int | None
    net_ipv4_ip_local_port_range: str | None
    net_ipv4_neigh_default_gc_thresh1: int | None
    net_ipv4_neigh_default_gc_thresh2: int | None
    net_ipv4_neigh_default_gc_thresh3: int | None
    net_ipv4_tcp_fin_timeout: int | None
    net_ipv4_tcp_keepalive_intvl: int | None
    net_ipv4_tcp_keepalive_probes: int | None
    net_ipv4_tcp_keepalive_time: int | None
    net_ipv4_tcp_max_syn_backlog: int | None
    net_ipv4_tcp_max_tw_buckets: int | None
    net_ipv4_tcp_tw_reuse: bool | None
    net_netfilter_nf_conntrack_buckets: int | None
    net_netfilter_nf_conntrack_max: int | None
    vm_max_map_count: int | None
    vm_swappiness: int | None
    vm_vfs_cache_pressure: int | None

class PartialSyslog(TypedDict, total=False):
    level: SyslogLevel
    facilities: Sequence[Facility]

class PartialSystemPool(TypedDict, total=False):
    vm_size: str
    count: int | None
    scale: _Autoscale | PartialAutoscale | None
    zones: Sequence[Literal[1, 2, 3]]
    kubernetes_version: str | None
    os_sku: str | None
    os_disk_size_gb: int | None
    os_disk_type: Literal["Ephemeral", "Managed"] | None
    max_pods: int | None
    kubelet_disk_type: Literal["OS", "Temporary"] | None
    ultra_ssd: bool | None
    encryption_at_host: bool | None
    fips: bool | None
    secure_boot: bool | None
    vtpm: bool | None
    ssh_access: Literal["LocalUser", "Disabled", "EntraId"] | None
    kubelet: _KubeletConfig | PartialKubeletConfig | None
    local_dns: _LocalDns | PartialLocalDns | None
    upgrade: _UpgradeSettings | PartialUpgradeSettings | None
    scale_down_mode: Literal["Delete", "Deallocate"] | None
    power_state: Literal["Running", "Stopped"] | None
    workload_runtime: Literal["OCIContainer", "WasmWasi", "KataVmIsolation"] | None
    node_image_version: str | None
    snapshot_id: Ref | None
    proximity_placement_group_id: Ref | None
    capacity_reservation_group_id: Ref | None
    host_group_id: Ref | None
    labels: Mapping[str, str | None]
    labeled: bool
    taints: Sequence[_Taint]
    vnet_subnet_id: Ref | None
    pod_subnet_id: Ref | None
    pod_ip_allocation: Literal["DynamicIndividual", "StaticBlock"] | None
    node_public_ip: bool | None
    node_public_ip_prefix_id: Ref | None
    node_public_ip_tags: Mapping[str, str | None]
    allowed_host_ports: Sequence[_HostPorts]
    application_security_group_ids: Sequence[Ref]
    name: str | None
    generation: str | None
    tags: Mapping[str, str | None]
    owner: str | None
    timeouts: _Timeouts | PartialTimeouts
    overrides: Mapping[str, object]
    linux_os: _LinuxOsConfig | PartialLinuxOsConfig | None
    message_of_the_day: str | None
    artifact_streaming: bool | None
    dranet: Literal["Managed", "Unmanaged"] | None
    kind: Literal["SystemPool"]
    isolated: bool
    retain: bool
    previous: _SystemPool | PartialSystemPool | None

class PartialTaint(TypedDict, total=False):
    key: str
    value: str
    effect: Effect
    time_added: str | None

class PartialTeam(TypedDict, total=False):
    nodes: int | None
    vcpus: int | None
    monthly: float | None
    approvers: Sequence[str]

class PartialTimeouts(TypedDict, total=False):
    create: Duration
    update: Duration
    delete: Duration

class PartialUpgradeSettings(TypedDict, total=False):
    max_surge: str | None
    max_unavailable: str | None
    drain_timeout: Duration | None
    soak: Duration | None
    undrainable: Literal["Cordon", "Schedule"] | None

class PartialUserPool(TypedDict, total=False):
    vm_size: str
    count: int | None
    scale: _Autoscale | PartialAutoscale | None
    zones: Sequence[Literal[1, 2, 3]]
    kubernetes_version: str | None
    os_sku: str | None
    os_disk_size_gb: int | None
    os_disk_type: Literal["Ephemeral", "Managed"] | None
    max_pods: int | None
    kubelet_disk_type: Literal["OS", "Temporary"] | None
    ultra_ssd: bool | None
    encryption_at_host: bool | None
    fips: bool | None
    secure_boot: bool | None
    vtpm: bool | None
    ssh_access: Literal["LocalUser", "Disabled", "EntraId"] | None
    kubelet: _KubeletConfig | PartialKubeletConfig | None
    local_dns: _LocalDns | PartialLocalDns | None
    upgrade: _UpgradeSettings | PartialUpgradeSettings | None
    scale_down_mode: Literal["Delete", "Deallocate"] | None
    power_state: Literal["Running", "Stopped"] | None
    workload_runtime: Literal["OCIContainer", "WasmWasi", "KataVmIsolation"] | None
    node_image_version: str | None
    snapshot_id: Ref | None
    proximity_placement_group_id: Ref | None
    capacity_reservation_group_id: Ref | None
    host_group_id: Ref | None
    labels: Mapping[str, str | None]
    labeled: bool
    taints: Sequence[_Taint]
    vnet_subnet_id: Ref | None
    pod_subnet_id: Ref | None
    pod_ip_allocation: Literal["DynamicIndividual", "StaticBlock"] | None
    node_public_ip: bool | None
    node_public_ip_prefix_id: Ref | None
    node_public_ip_tags: Mapping[str, str | None]
    allowed_host_ports: Sequence[_HostPorts]
    application_security_group_ids: Sequence[Ref]
    name: str | None
    generation: str | None
    tags: Mapping[str, str | None]
    owner: str | None
    timeouts: _Timeouts | PartialTimeouts
    overrides: Mapping[str, object]
    linux_os: _LinuxOsConfig | PartialLinuxOsConfig | None
    message_of_the_day: str | None
    artifact_streaming: bool | None
    dranet: Literal["Managed", "Unmanaged"] | None
    spot: _Spot | PartialSpot | None
    kind: Literal["UserPool"]
    machines: Sequence[_Machines] | None
    gateway_prefix_size: int | None
    egress_configurations: Mapping[str, _EgressConfiguration | PartialEgressConfiguration | None]
    headroom: _Headroom | PartialHeadroom | None
    previous: _UserPool | PartialUserPool | None

class PartialWeekly(TypedDict, total=False):
    start: str
    hours: int
    tz: str
    reasons: Sequence[Reason]
    kind: Literal["Weekly"]
    days: str

class PartialWeeklySchedule(TypedDict, total=False):
    kind: Literal["WeeklySchedule"]
    day_of_week: WeekDay
    interval_weeks: int

class PartialWindowsPool(TypedDict, total=False):
    vm_size: str
    count: int | None
    scale: _Autoscale | PartialAutoscale | None
    zones: Sequence[Literal[1, 2, 3]]
    kubernetes_version: str | None
    os_sku: Literal["Windows2019", "Windows2022", "Windows2025"]
    os_disk_size_gb: int | None
    os_disk_type: Literal["Ephemeral", "Managed"] | None
    max_pods: int | None
    kubelet_disk_type: Literal["OS", "Temporary"] | None
    ultra_ssd: bool | None
    encryption_at_host: bool | None
    fips: bool | None
    secure_boot: bool | None
    vtpm: bool | None
    ssh_access: Literal["LocalUser", "Disabled", "EntraId"] | None
    kubelet: _KubeletConfig | PartialKubeletConfig | None
    local_dns: _LocalDns | PartialLocalDns | None
    upgrade: _UpgradeSettings | PartialUpgradeSettings | None
    scale_down_mode: Literal["Delete", "Deallocate"] | None
    power_state: Literal["Running", "Stopped"] | None
    workload_runtime: Literal["OCIContainer", "WasmWasi", "KataVmIsolation"] | None
    node_image_version: str | None
    snapshot_id: Ref | None
    proximity_placement_group_id: Ref | None
    capacity_reservation_group_id: Ref | None
    host_group_id: Ref | None
    labels: Mapping[str, str | None]
    labeled: bool
    taints: Sequence[_Taint]
    vnet_subnet_id: Ref | None
    pod_subnet_id: Ref | None
    pod_ip_allocation: Literal["DynamicIndividual", "StaticBlock"] | None
    node_public_ip: bool | None
    node_public_ip_prefix_id: Ref | None
    node_public_ip_tags: Mapping[str, str | None]
    allowed_host_ports: Sequence[_HostPorts]
    application_security_group_ids: Sequence[Ref]
    name: str | None
    generation: str | None
    tags: Mapping[str, str | None]
    owner: str | None
    timeouts: _Timeouts | PartialTimeouts
    overrides: Mapping[str, object]
    kind: Literal["WindowsPool"]
    tainted: bool
    outbound_nat: bool
    previous: _WindowsPool | PartialWindowsPool | None

class PartialWindowsProfile(TypedDict, total=False):
    admin_username: str
    admin_password: Secret | None
    hybrid_benefit: bool
    csi_proxy: bool | None
    gmsa: _Gmsa | PartialGmsa | None

class PartialWorkloadIdentity(TypedDict, total=False):
    namespace: str
    service_account: str
    roles: Sequence[_AzureRole]
    identity: Ref | None

def AbsoluteMonthlySchedule(**fields: Unpack[PartialAbsoluteMonthlySchedule]) -> PartialAbsoluteMonthlySchedule: ...
def AccessEntry(**fields: Unpack[PartialAccessEntry]) -> PartialAccessEntry: ...
def AccessPolicy(**fields: Unpack[PartialAccessPolicy]) -> PartialAccessPolicy: ...
def AddOn(**fields: Unpack[PartialAddOn]) -> PartialAddOn: ...
def AdvancedContainerNetworking(**fields: Unpack[PartialAdvancedContainerNetworking]) -> PartialAdvancedContainerNetworking: ...
def AdvancedNetworking(**fields: Unpack[PartialAdvancedNetworking]) -> PartialAdvancedNetworking: ...
def AksClusterArgs(**fields: Unpack[PartialAksClusterArgs]) -> PartialAksClusterArgs: ...
def AksNetworkArgs(**fields: Unpack[PartialAksNetworkArgs]) -> PartialAksNetworkArgs: ...
def AksNodeClass(**fields: Unpack[PartialAksNodeClass]) -> PartialAksNodeClass: ...
def AksNodePool(**fields: Unpack[PartialAksNodePool]) -> PartialAksNodePool: ...
def ApiServer(**fields: Unpack[PartialApiServer]) -> PartialApiServer: ...
def AppRouting(**fields: Unpack[PartialAppRouting]) -> PartialAppRouting: ...
def AuditLogs(**fields: Unpack[PartialAuditLogs]) -> PartialAuditLogs: ...
def AutoMode(**fields: Unpack[PartialAutoMode]) -> PartialAutoMode: ...
def Autoscale(**fields: Unpack[PartialAutoscale]) -> PartialAutoscale: ...
def AutoscalerProfile(**fields: Unpack[PartialAutoscalerProfile]) -> PartialAutoscalerProfile: ...
def AwsAccount(**fields: Unpack[PartialAwsAccount]) -> PartialAwsAccount: ...
def AzureRole(**fields: Unpack[PartialAzureRole]) -> PartialAzureRole: ...
def Budget(**fields: Unpack[PartialBudget]) -> PartialBudget: ...
def CapacityReservationTerm(**fields: Unpack[PartialCapacityReservationTerm]) -> PartialCapacityReservationTerm: ...
def CertificateBundle(**fields: Unpack[PartialCertificateBundle]) -> PartialCertificateBundle: ...
def ClusterObjects(**fields: Unpack[PartialClusterObjects]) -> PartialClusterObjects: ...
def ContainerLogs(**fields: Unpack[PartialContainerLogs]) -> PartialContainerLogs: ...
def ControlPlane(**fields: Unpack[PartialControlPlane]) -> PartialControlPlane: ...
def Daily(**fields: Unpack[PartialDaily]) -> PartialDaily: ...
def DailySchedule(**fields: Unpack[PartialDailySchedule]) -> PartialDailySchedule: ...
def Dates(**fields: Unpack[PartialDates]) -> PartialDates: ...
def Defender(**fields: Unpack[PartialDefender]) -> PartialDefender: ...
def DevicePlugin(**fields: Unpack[PartialDevicePlugin]) -> PartialDevicePlugin: ...
def Disruption(**fields: Unpack[PartialDisruption]) -> PartialDisruption: ...
def EgressConfiguration(**fields: Unpack[PartialEgressConfiguration]) -> PartialEgressConfiguration: ...
def EgressGateway(**fields: Unpack[PartialEgressGateway]) -> PartialEgressGateway: ...
def EksClusterArgs(**fields: Unpack[PartialEksClusterArgs]) -> PartialEksClusterArgs: ...
def EksNetworkArgs(**fields: Unpack[PartialEksNetworkArgs]) -> PartialEksNetworkArgs: ...
def EksNodeClass(**fields: Unpack[PartialEksNodeClass]) -> PartialEksNodeClass: ...
def EksNodePool(**fields: Unpack[PartialEksNodePool]) -> PartialEksNodePool: ...
def Entra(**fields: Unpack[PartialEntra]) -> PartialEntra: ...
def EntraPrincipal(**fields: Unpack[PartialEntraPrincipal]) -> PartialEntraPrincipal: ...
def EtcdKey(**fields: Unpack[PartialEtcdKey]) -> PartialEtcdKey: ...
def ExistingAksNetwork(**fields: Unpack[PartialExistingAksNetwork]) -> PartialExistingAksNetwork: ...
def ExistingEksNetwork(**fields: Unpack[PartialExistingEksNetwork]) -> PartialExistingEksNetwork: ...
def Gmsa(**fields: Unpack[PartialGmsa]) -> PartialGmsa: ...
def GpuPool(**fields: Unpack[PartialGpuPool]) -> PartialGpuPool: ...
def Headroom(**fields: Unpack[PartialHeadroom]) -> PartialHeadroom: ...
def HostPorts(**fields: Unpack[PartialHostPorts]) -> PartialHostPorts: ...
def HttpProxy(**fields: Unpack[PartialHttpProxy]) -> PartialHttpProxy: ...
def IdentityProvider(**fields: Unpack[PartialIdentityProvider]) -> PartialIdentityProvider: ...
def ImageCache(**fields: Unpack[PartialImageCache]) -> PartialImageCache: ...
def ImageCleaner(**fields: Unpack[PartialImageCleaner]) -> PartialImageCleaner: ...
def IngressClass(**fields: Unpack[PartialIngressClass]) -> PartialIngressClass: ...
def Istio(**fields: Unpack[PartialIstio]) -> PartialIstio: ...
def KeyVaultProvider(**fields: Unpack[PartialKeyVaultProvider]) -> PartialKeyVaultProvider: ...
def KubeletConfig(**fields: Unpack[PartialKubeletConfig]) -> PartialKubeletConfig: ...
def KubeletIdentity(**fields: Unpack[PartialKubeletIdentity]) -> PartialKubeletIdentity: ...
def LinuxOsConfig(**fields: Unpack[PartialLinuxOsConfig]) -> PartialLinuxOsConfig: ...
def LinuxProfile(**fields: Unpack[PartialLinuxProfile]) -> PartialLinuxProfile: ...
def LoadBalancer(**fields: Unpack[PartialLoadBalancer]) -> PartialLoadBalancer: ...
def LocalDns(**fields: Unpack[PartialLocalDns]) -> PartialLocalDns: ...
def LocalDnsOverride(**fields: Unpack[PartialLocalDnsOverride]) -> PartialLocalDnsOverride: ...
def LogGroup(**fields: Unpack[PartialLogGroup]) -> PartialLogGroup: ...
def Machines(**fields: Unpack[PartialMachines]) -> PartialMachines: ...
def MaintenanceConfigurations(**fields: Unpack[PartialMaintenanceConfigurations]) -> PartialMaintenanceConfigurations: ...
def MaintenanceWindow(**fields: Unpack[PartialMaintenanceWindow]) -> PartialMaintenanceWindow: ...
def ManagedAksNetwork(**fields: Unpack[PartialManagedAksNetwork]) -> PartialManagedAksNetwork: ...
def ManagedNatGateway(**fields: Unpack[PartialManagedNatGateway]) -> PartialManagedNatGateway: ...
def ManagedPrometheus(**fields: Unpack[PartialManagedPrometheus]) -> PartialManagedPrometheus: ...
def MeshAuthority(**fields: Unpack[PartialMeshAuthority]) -> PartialMeshAuthority: ...
def NatGateway(**fields: Unpack[PartialNatGateway]) -> PartialNatGateway: ...
def NetworkInterface(**fields: Unpack[PartialNetworkInterface]) -> PartialNetworkInterface: ...
def NetworkProfile(**fields: Unpack[PartialNetworkProfile]) -> PartialNetworkProfile: ...
def NewKey(**fields: Unpack[PartialNewKey]) -> PartialNewKey: ...
def NodeProvisioning(**fields: Unpack[PartialNodeProvisioning]) -> PartialNodeProvisioning: ...
def Owners(**fields: Unpack[PartialOwners]) -> PartialOwners: ...
def PlacementGroup(**fields: Unpack[PartialPlacementGroup]) -> PartialPlacementGroup: ...
def Platform(**fields: Unpack[PartialPlatform]) -> PartialPlatform: ...
def PodIdentity(**fields: Unpack[PartialPodIdentity]) -> PartialPodIdentity: ...
def PodRole(**fields: Unpack[PartialPodRole]) -> PartialPodRole: ...
def RelativeMonthlySchedule(**fields: Unpack[PartialRelativeMonthlySchedule]) -> PartialRelativeMonthlySchedule: ...
def Requirement(**fields: Unpack[PartialRequirement]) -> PartialRequirement: ...
def SelectorTerm(**fields: Unpack[PartialSelectorTerm]) -> PartialSelectorTerm: ...
def Spot(**fields: Unpack[PartialSpot]) -> PartialSpot: ...
def StorageClass(**fields: Unpack[PartialStorageClass]) -> PartialStorageClass: ...
def StorageDrivers(**fields: Unpack[PartialStorageDrivers]) -> PartialStorageDrivers: ...
def Sysctls(**fields: Unpack[PartialSysctls]) -> PartialSysctls: ...
def Syslog(**fields: Unpack[PartialSyslog]) -> PartialSyslog: ...
def SystemPool(**fields: Unpack[PartialSystemPool]) -> PartialSystemPool: ...
def Taint(**fields: Unpack[PartialTaint]) -> PartialTaint: ...
def Team(**fields: Unpack[PartialTeam]) -> PartialTeam: ...
def Timeouts(**fields: Unpack[PartialTimeouts]) -> PartialTimeouts: ...
def UpgradeSettings(**fields: Unpack[PartialUpgradeSettings]) -> PartialUpgradeSettings: ...
def UserPool(**fields: Unpack[PartialUserPool]) -> PartialUserPool: ...
def Weekly(**fields: Unpack[PartialWeekly]) -> PartialWeekly: ...
def WeeklySchedule(**fields: Unpack[PartialWeeklySchedule]) -> PartialWeeklySchedule: ...
def WindowsPool(**fields: Unpack[PartialWindowsPool]) -> PartialWindowsPool: ...
def WindowsProfile(**fields: Unpack[PartialWindowsProfile]) -> PartialWindowsProfile: ...
def WorkloadIdentity(**fields: Unpack[PartialWorkloadIdentity]) -> PartialWorkloadIdentity: ...
@overload
def derive(
    base: _AbsoluteMonthlySchedule, changes: PartialAbsoluteMonthlySchedule | None = None, /, **more: Unpack[PartialAbsoluteMonthlySchedule]
) -> _AbsoluteMonthlySchedule: ...
@overload
def derive(base: _AccessEntry, changes: PartialAccessEntry | None = None, /, **more: Unpack[PartialAccessEntry]) -> _AccessEntry: ...
@overload
def derive(base: _AccessPolicy, changes: PartialAccessPolicy | None = None, /, **more: Unpack[PartialAccessPolicy]) -> _AccessPolicy: ...
@overload
def derive(base: _AddOn, changes: PartialAddOn | None = None, /, **more: Unpack[PartialAddOn]) -> _AddOn: ...
@overload
def derive(
    base: _AdvancedContainerNetworking,
    changes: PartialAdvancedContainerNetworking | None = None,
    /,
    **more: Unpack[PartialAdvancedContainerNetworking],
) -> _AdvancedContainerNetworking: ...
@overload
def derive(
    base: _AdvancedNetworking, changes: PartialAdvancedNetworking | None = None, /, **more: Unpack[PartialAdvancedNetworking]
) -> _AdvancedNetworking: ...
@overload
def derive(base: _AksClusterArgs, changes: PartialAksClusterArgs | None = None, /, **more: Unpack[PartialAksClusterArgs]) -> _AksClusterArgs: ...
@overload
def derive(base: _AksNetworkArgs, changes: PartialAksNetworkArgs | None = None, /, **more: Unpack[PartialAksNetworkArgs]) -> _AksNetworkArgs: ...
@overload
def derive(base: _AksNodeClass, changes: PartialAksNodeClass | None = None, /, **more: Unpack[PartialAksNodeClass]) -> _AksNodeClass: ...
@overload
def derive(base: _AksNodePool, changes: PartialAksNodePool | None = None, /, **more: Unpack[PartialAksNodePool]) -> _AksNodePool: ...
@overload
def derive(base: _ApiServer, changes: PartialApiServer | None = None, /, **more: Unpack[PartialApiServer]) -> _ApiServer: ...
@overload
def derive(base: _AppRouting, changes: PartialAppRouting | None = None, /, **more: Unpack[PartialAppRouting]) -> _AppRouting: ...
@overload
def derive(base: _AuditLogs, changes: PartialAuditLogs | None = None, /, **more: Unpack[PartialAuditLogs]) -> _AuditLogs: ...
@overload
def derive(base: _AutoMode, changes: PartialAutoMode | None = None, /, **more: Unpack[PartialAutoMode]) -> _AutoMode: ...
@overload
def derive(base: _Autoscale, changes: PartialAutoscale | None = None, /, **more: Unpack[PartialAutoscale]) -> _Autoscale: ...
@overload
def derive(
    base: _AutoscalerProfile, changes: PartialAutoscalerProfile | None = None, /, **more: Unpack[PartialAutoscalerProfile]
) -> _AutoscalerProfile: ...
@overload
def derive(base: _AwsAccount, changes: PartialAwsAccount | None = None, /, **more: Unpack[PartialAwsAccount]) -> _AwsAccount: ...
@overload
def derive(base: _AzureRole, changes: PartialAzureRole | None = None, /, **more: Unpack[PartialAzureRole]) -> _AzureRole: ...
@overload
def derive(base: _Budget, changes: PartialBudget | None = None, /, **more: Unpack[PartialBudget]) -> _Budget: ...
@overload
def derive(
    base: _CapacityReservationTerm, changes: PartialCapacityReservationTerm | None = None, /, **more: Unpack[PartialCapacityReservationTerm]
) -> _CapacityReservationTerm: ...
@overload
def derive(
    base: _CertificateBundle, changes: PartialCertificateBundle | None = None, /, **more: Unpack[PartialCertificateBundle]
) -> _CertificateBundle: ...
@overload
def derive(base: _ClusterObjects, changes: PartialClusterObjects | None = None, /, **more: Unpack[PartialClusterObjects]) -> _ClusterObjects: ...
@overload
def derive(base: _ContainerLogs, changes: PartialContainerLogs | None = None, /, **more: Unpack[PartialContainerLogs]) -> _ContainerLogs: ...
@overload
def derive(base: _ControlPlane, changes: PartialControlPlane | None = None, /, **more: Unpack[PartialControlPlane]) -> _ControlPlane: ...
@overload
def derive(base: _Daily, changes: PartialDaily | None = None, /, **more: Unpack[PartialDaily]) -> _Daily: ...
@overload
def derive(base: _DailySchedule, changes: PartialDailySchedule | None = None, /, **more: Unpack[PartialDailySchedule]) -> _DailySchedule: ...
@overload
def derive(base: _Dates, changes: PartialDates | None = None, /, **more: Unpack[PartialDates]) -> _Dates: ...
@overload
def derive(base: _Defender, changes: PartialDefender | None = None, /, **more: Unpack[PartialDefender]) -> _Defender: ...
@overload
def derive(base: _DevicePlugin, changes: PartialDevicePlugin | None = None, /, **more: Unpack[PartialDevicePlugin]) -> _DevicePlugin: ...
@overload
def derive(base: _Disruption, changes: PartialDisruption | None = None, /, **more: Unpack[PartialDisruption]) -> _Disruption: ...
@overload
def derive(
    base: _EgressConfiguration, changes: PartialEgressConfiguration | None = None, /, **more: Unpack[PartialEgressConfiguration]
) -> _EgressConfiguration: ...
@overload
def derive(base: _EgressGateway, changes: PartialEgressGateway | None = None, /, **more: Unpack[PartialEgressGateway]) -> _EgressGateway: ...
@overload
def derive(base: _EksClusterArgs, changes: PartialEksClusterArgs | None = None, /, **more: Unpack[PartialEksClusterArgs]) -> _EksClusterArgs: ...
@overload
def derive(base: _EksNetworkArgs, changes: PartialEksNetworkArgs | None = None, /, **more: Unpack[PartialEksNetworkArgs]) -> _EksNetworkArgs: ...
@overload
def derive(base: _EksNodeClass, changes: PartialEksNodeClass | None = None, /, **more: Unpack[PartialEksNodeClass]) -> _EksNodeClass: ...
@overload
def derive(base: _EksNodePool, changes: PartialEksNodePool | None = None, /, **more: Unpack[PartialEksNodePool]) -> _EksNodePool: ...
@overload
def derive(base: _Entra, changes: PartialEntra | None = None, /, **more: Unpack[PartialEntra]) -> _Entra: ...
@overload
def derive(base: _EntraPrincipal, changes: PartialEntraPrincipal | None = None, /, **more: Unpack[PartialEntraPrincipal]) -> _EntraPrincipal: ...
@overload
def derive(base: _EtcdKey, changes: PartialEtcdKey | None = None, /, **more: Unpack[PartialEtcdKey]) -> _EtcdKey: ...
@overload
def derive(
    base: _ExistingAksNetwork, changes: PartialExistingAksNetwork | None = None, /, **more: Unpack[PartialExistingAksNetwork]
) -> _ExistingAksNetwork: ...
@overload
def derive(
    base: _ExistingEksNetwork, changes: PartialExistingEksNetwork | None = None, /, **more: Unpack[PartialExistingEksNetwork]
) -> _ExistingEksNetwork: ...
@overload
def derive(base: _Gmsa, changes: PartialGmsa | None = None, /, **more: Unpack[PartialGmsa]) -> _Gmsa: ...
@overload
def derive(base: _GpuPool, changes: PartialGpuPool | None = None, /, **more: Unpack[PartialGpuPool]) -> _GpuPool: ...
@overload
def derive(base: _Headroom, changes: PartialHeadroom | None = None, /, **more: Unpack[PartialHeadroom]) -> _Headroom: ...
@overload
def derive(base: _HostPorts, changes: PartialHostPorts | None = None, /, **more: Unpack[PartialHostPorts]) -> _HostPorts: ...
@overload
def derive(base: _HttpProxy, changes: PartialHttpProxy | None = None, /, **more: Unpack[PartialHttpProxy]) -> _HttpProxy: ...
@overload
def derive(
    base: _IdentityProvider, changes: PartialIdentityProvider | None = None, /, **more: Unpack[PartialIdentityProvider]
) -> _IdentityProvider: ...
@overload
def derive(base: _ImageCache, changes: PartialImageCache | None = None, /, **more: Unpack[PartialImageCache]) -> _ImageCache: ...
@overload
def derive(base: _ImageCleaner, changes: PartialImageCleaner | None = None, /, **more: Unpack[PartialImageCleaner]) -> _ImageCleaner: ...
@overload
def derive(base: _IngressClass, changes: PartialIngressClass | None = None, /, **more: Unpack[PartialIngressClass]) -> _IngressClass: ...
@overload
def derive(base: _Istio, changes: PartialIstio | None = None, /, **more: Unpack[PartialIstio]) -> _Istio: ...
@overload
def derive(
    base: _KeyVaultProvider, changes: PartialKeyVaultProvider | None = None, /, **more: Unpack[PartialKeyVaultProvider]
) -> _KeyVaultProvider: ...
@overload
def derive(base: _KubeletConfig, changes: PartialKubeletConfig | None = None, /, **more: Unpack[PartialKubeletConfig]) -> _KubeletConfig: ...
@overload
def derive(base: _KubeletIdentity, changes: PartialKubeletIdentity | None = None, /, **more: Unpack[PartialKubeletIdentity]) -> _KubeletIdentity: ...
@overload
def derive(base: _LinuxOsConfig, changes: PartialLinuxOsConfig | None = None, /, **more: Unpack[PartialLinuxOsConfig]) -> _LinuxOsConfig: ...
@overload
def derive(base: _LinuxProfile, changes: PartialLinuxProfile | None = None, /, **more: Unpack[PartialLinuxProfile]) -> _LinuxProfile: ...
@overload
def derive(base: _LoadBalancer, changes: PartialLoadBalancer | None = None, /, **more: Unpack[PartialLoadBalancer]) -> _LoadBalancer: ...
@overload
def derive(base: _LocalDns, changes: PartialLocalDns | None = None, /, **more: Unpack[PartialLocalDns]) -> _LocalDns: ...
@overload
def derive(
    base: _LocalDnsOverride, changes: PartialLocalDnsOverride | None = None, /, **more: Unpack[PartialLocalDnsOverride]
) -> _LocalDnsOverride: ...
@overload
def derive(base: _LogGroup, changes: PartialLogGroup | None = None, /, **more: Unpack[PartialLogGroup]) -> _LogGroup: ...
@overload
def derive(base: _Machines, changes: PartialMachines | None = None, /, **more: Unpack[PartialMachines]) -> _Machines: ...
@overload
def derive(
    base: _MaintenanceConfigurations, changes: PartialMaintenanceConfigurations | None = None, /, **more: Unpack[PartialMaintenanceConfigurations]
) -> _MaintenanceConfigurations: ...
@overload
def derive(
    base: _MaintenanceWindow, changes: PartialMaintenanceWindow | None = None, /, **more: Unpack[PartialMaintenanceWindow]
) -> _MaintenanceWindow: ...
@overload
def derive(
    base: _ManagedAksNetwork, changes: PartialManagedAksNetwork | None = None, /, **more: Unpack[PartialManagedAksNetwork]
) -> _ManagedAksNetwork: ...
@overload
def derive(
    base: _ManagedNatGateway, changes: PartialManagedNatGateway | None = None, /, **more: Unpack[PartialManagedNatGateway]
) -> _ManagedNatGateway: ...
@overload
def derive(
    base: _ManagedPrometheus, changes: PartialManagedPrometheus | None = None, /, **more: Unpack[PartialManagedPrometheus]
) -> _ManagedPrometheus: ...
@overload
def derive(base: _MeshAuthority, changes: PartialMeshAuthority | None = None, /, **more: Unpack[PartialMeshAuthority]) -> _MeshAuthority: ...
@overload
def derive(base: _NatGateway, changes: PartialNatGateway | None = None, /, **more: Unpack[PartialNatGateway]) -> _NatGateway: ...
@overload
def derive(
    base: _NetworkInterface, changes: PartialNetworkInterface | None = None, /, **more: Unpack[PartialNetworkInterface]
) -> _NetworkInterface: ...
@overload
def derive(base: _NetworkProfile, changes: PartialNetworkProfile | None = None, /, **more: Unpack[PartialNetworkProfile]) -> _NetworkProfile: ...
@overload
def derive(base: _NewKey, changes: PartialNewKey | None = None, /, **more: Unpack[PartialNewKey]) -> _NewKey: ...
@overload
def derive(
    base: _NodeProvisioning, changes: PartialNodeProvisioning | None = None, /, **more: Unpack[PartialNodeProvisioning]
) -> _NodeProvisioning: ...
@overload
def derive(base: _Owners, changes: PartialOwners | None = None, /, **more: Unpack[PartialOwners]) -> _Owners: ...
@overload
def derive(base: _PlacementGroup, changes: PartialPlacementGroup | None = None, /, **more: Unpack[PartialPlacementGroup]) -> _PlacementGroup: ...
@overload
def derive(base: _Platform, changes: PartialPlatform | None = None, /, **more: Unpack[PartialPlatform]) -> _Platform: ...
@overload
def derive(base: _PodIdentity, changes: PartialPodIdentity | None = None, /, **more: Unpack[PartialPodIdentity]) -> _PodIdentity: ...
@overload
def derive(base: _PodRole, changes: PartialPodRole | None = None, /, **more: Unpack[PartialPodRole]) -> _PodRole: ...
@overload
def derive(
    base: _RelativeMonthlySchedule, changes: PartialRelativeMonthlySchedule | None = None, /, **more: Unpack[PartialRelativeMonthlySchedule]
) -> _RelativeMonthlySchedule: ...
@overload
def derive(base: _Requirement, changes: PartialRequirement | None = None, /, **more: Unpack[PartialRequirement]) -> _Requirement: ...
@overload
def derive(base: _SelectorTerm, changes: PartialSelectorTerm | None = None, /, **more: Unpack[PartialSelectorTerm]) -> _SelectorTerm: ...
@overload
def derive(base: _Spot, changes: PartialSpot | None = None, /, **more: Unpack[PartialSpot]) -> _Spot: ...
@overload
def derive(base: _StorageClass, changes: PartialStorageClass | None = None, /, **more: Unpack[PartialStorageClass]) -> _StorageClass: ...
@overload
def derive(base: _StorageDrivers, changes: PartialStorageDrivers | None = None, /, **more: Unpack[PartialStorageDrivers]) -> _StorageDrivers: ...
@overload
def derive(base: _Sysctls, changes: PartialSysctls | None = None, /, **more: Unpack[PartialSysctls]) -> _Sysctls: ...
@overload
def derive(base: _Syslog, changes: PartialSyslog | None = None, /, **more: Unpack[PartialSyslog]) -> _Syslog: ...
@overload
def derive(base: _SystemPool, changes: PartialSystemPool | None = None, /, **more: Unpack[PartialSystemPool]) -> _SystemPool: ...
@overload
def derive(base: _Taint, changes: PartialTaint | None = None, /, **more: Unpack[PartialTaint]) -> _Taint: ...
@overload
def derive(base: _Team, changes: PartialTeam | None = None, /, **more: Unpack[PartialTeam]) -> _Team: ...
@overload
def derive(base: _Timeouts, changes: PartialTimeouts | None = None, /, **more: Unpack[PartialTimeouts]) -> _Timeouts: ...
@overload
def derive(base: _UpgradeSettings, changes: PartialUpgradeSettings | None = None, /, **more: Unpack[PartialUpgradeSettings]) -> _UpgradeSettings: ...
@overload
def derive(base: _UserPool, changes: PartialUserPool | None = None, /, **more: Unpack[PartialUserPool]) -> _UserPool: ...
@overload
def derive(base: _Weekly, changes: PartialWeekly | None = None, /, **more: Unpack[PartialWeekly]) -> _Weekly: ...
@overload
def derive(base: _WeeklySchedule, changes: PartialWeeklySchedule | None = None, /, **more: Unpack[PartialWeeklySchedule]) -> _WeeklySchedule: ...
@overload
def derive(base: _WindowsPool, changes: PartialWindowsPool | None = None, /, **more: Unpack[PartialWindowsPool]) -> _WindowsPool: ...
@overload
def derive(base: _WindowsProfile, changes: PartialWindowsProfile | None = None, /, **more: Unpack[PartialWindowsProfile]) -> _WindowsProfile: ...
@overload
def derive(
    base: _WorkloadIdentity, changes: PartialWorkloadIdentity | None = None, /, **more: Unpack[PartialWorkloadIdentity]
) -> _WorkloadIdentity: ...
