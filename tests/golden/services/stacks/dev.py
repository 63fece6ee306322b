"""Every field of the services of clusters, in as few clusters as their combinations allow: what excludes each other is in different clusters.

The plan of this stack is stored, and the real engine applies it twice.
"""

from nodepools import (
    AksClusterArgs,
    AksNetworkArgs,
    ApiServer,
    AutoMode,
    EksClusterArgs,
    EksNetworkArgs,
    Platform,
    SystemPool,
    UserPool,
    derive,
)
from nodepools.aks import (
    AppRouting,
    AuditLogs,
    AzureRole,
    ContainerLogs,
    Defender,
    Entra,
    EntraPrincipal,
    EtcdKey,
    HttpProxy,
    ImageCache,
    ImageCleaner,
    Istio,
    KeyVaultProvider,
    KubeletIdentity,
    LoadBalancer,
    ManagedAksNetwork,
    ManagedNatGateway,
    ManagedPrometheus,
    NatGateway,
    NetworkProfile,
    StorageDrivers,
    Syslog,
    WorkloadIdentity,
)
from nodepools.eks import AddOn, ClusterObjects, IngressClass, LogGroup, PodIdentity, PodRole
from nodepools.keys import presets

_GIVEN = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/given/providers"
_WORKSPACE = f"{_GIVEN}/Microsoft.OperationalInsights/workspaces/logs"
_VAULT = f"{_GIVEN}/Microsoft.KeyVault/vaults/secrets"
_ACCOUNT = "000000000000"
_KEY = f"arn:aws:kms:us-east-1:{_ACCOUNT}:key/00000000-0000-0000-0000-000000000000"
_ROLE = f"arn:aws:iam::{_ACCOUNT}:role/given"
_AKS = AksClusterArgs(
    location="westeurope",
    kubernetes_version="1.35",
    entra=Entra(deployer_is_admin=False),
    admins=[EntraPrincipal("00000000-0000-0000-0000-000000000001")],
    network=AksNetworkArgs(cidr="10.10.0.0/16"),
    system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=2),
)
_EKS = EksClusterArgs(
    region="us-east-1",
    kubernetes_version="1.35",
    network=EksNetworkArgs(cidr="10.30.0.0/16"),
    auto_mode=AutoMode(built_in_node_pools=["general-purpose"]),
)

PLATFORM = Platform(
    name="dev",
    clusters={
        "services": derive(
            _AKS,
            network=AksNetworkArgs(cidr="10.10.0.0/16", nat=NatGateway(addresses=2)),
            network_profile=NetworkProfile(outbound_type="userAssignedNATGateway"),
            network_rights="subnets",
            api_server=ApiServer(authorized_ip_ranges=["203.0.113.0/24"]),
            logs=ContainerLogs(_WORKSPACE, syslog=Syslog()),
            metrics=ManagedPrometheus(label_keys={"pods": ["app"]}),
            audit=AuditLogs(_WORKSPACE),
            azure_policy=True,
            key_vault_provider=KeyVaultProvider(vaults=[_VAULT]),
            keda=True,
            vertical_pod_autoscaler=True,
            cost_analysis=True,
            image_cleaner=ImageCleaner(),
            defender=Defender(_WORKSPACE),
            istio=Istio(["asm-1-30"], ingress=["Internal"]),
            app_routing=AppRouting(enabled=True, nginx="None", dns_zones=[f"{_GIVEN}/Microsoft.Network/dnsZones/example.com"]),
            ai_toolchain_operator=True,
            storage=StorageDrivers(blob=True),
            http_proxy=HttpProxy(http="http://proxy.example.com:3128", no_proxy=[".corp"]),
            trusted_certificates=["-----BEGIN CERTIFICATE-----\nMII=\n-----END CERTIFICATE-----\n"],
            etcd_key=EtcdKey("https://secrets.vault.azure.net/keys/etcd/00000000000000000000000000000000", vault_id=_VAULT),
            registries=[f"{_GIVEN}/Microsoft.ContainerRegistry/registries/shop"],
            workload_identities={"dns": WorkloadIdentity("dns", "external-dns", roles=[AzureRole("Reader", _GIVEN)])},
        ),
        "isolated": derive(
            _AKS,
            network=AksNetworkArgs(cidr="10.20.0.0/16"),
            api_server=ApiServer(private=True),
            private_dns_zone=f"{_GIVEN}/Microsoft.Network/privateDnsZones/privatelink.westeurope.azmk8s.io",
            fqdn_subdomain="shop",
            network_profile=NetworkProfile(outbound_type="none"),
            image_cache=ImageCache(registry_id=f"{_GIVEN}/Microsoft.ContainerRegistry/registries/cache"),
            run_command=False,
            node_resource_group_restriction="ReadOnly",
            force_upgrade_until="2036-12-01T06:00:00Z",
        ),
        "managed": derive(
            _AKS,
            network=ManagedAksNetwork(),
            network_profile=NetworkProfile(
                outbound_type="managedNATGateway", nat_gateway=ManagedNatGateway(managed_outbound_ips=2, idle_timeout="10m")
            ),
            identity=f"{_GIVEN}/Microsoft.ManagedIdentity/userAssignedIdentities/cluster",
            kubelet_identity=KubeletIdentity(
                id=f"{_GIVEN}/Microsoft.ManagedIdentity/userAssignedIdentities/nodes",
                client_id="22222222-2222-2222-2222-222222222222",
                object_id="33333333-3333-3333-3333-333333333333",
            ),
            log_analytics_workspace_id=_WORKSPACE,
            log_analytics_workspace_location="northeurope",
        ),
        "routed": derive(
            _AKS,
            network=AksNetworkArgs(cidr="10.50.0.0/16", route_table_id=f"{_GIVEN}/Microsoft.Network/routeTables/firewall"),
            network_profile=NetworkProfile(outbound_type="userDefinedRouting"),
        ),
        "dual": derive(
            _AKS,
            network=AksNetworkArgs(cidr="10.60.0.0/16", cidr_v6="fd00:10::/56"),
            network_profile=NetworkProfile(
                ip_families=["IPv4", "IPv6"],
                load_balancer=LoadBalancer(
                    outbound_ip_ids=[f"{_GIVEN}/Microsoft.Network/publicIPAddresses/egress"], backend_pool_type="NodeIPConfiguration"
                ),
            ),
            pools={
                "web": UserPool(
                    vm_size="Standard_D4ds_v5",
                    count=2,
                    capacity_reservation_group_id=f"{_GIVEN}/Microsoft.Compute/capacityReservationGroups/web",
                )
            },
        ),
        "six": derive(
            _EKS,
            ip_family="IPv6",
            network=EksNetworkArgs(cidr="10.30.0.0/16", ipv6=True, nat="single"),
            logs=LogGroup(retention_days=30, kms_key=_KEY),
            log_types=["audit"],
            secrets_key=_KEY,
            zonal_shift=True,
            deletion_protection=True,
            permissions_boundary=f"arn:aws:iam::{_ACCOUNT}:policy/boundary",
            pod_identities={"web": PodIdentity(namespace="shop", service_account="web", policies=["AmazonS3ReadOnlyAccess"], target_role=_ROLE)},
            add_ons={"cw": AddOn(namespace="cw", pod_identity={"b": PodRole(policies=["CloudWatchAgentServerPolicy"]), "a": PodRole(role=_ROLE)})},
        ),
        "private": derive(
            _EKS,
            network=EksNetworkArgs(cidr="10.40.0.0/16", nat=None, public_subnets=False, endpoints=presets.eks_private_endpoints),
            api_server=ApiServer(private=True),
            role_names="regional",
            security_group_ids=["sg-0123456789abcdef0"],
            objects=ClusterObjects(ingress_class=IngressClass(default=False, scheme="internal"), network_policies=True),
        ),
    },
)
