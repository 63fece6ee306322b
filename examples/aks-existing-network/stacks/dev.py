"""A private cluster in an existing network, behind its firewall, in an existing resource group, with the controls of the CIS benchmarks."""

from nodepools import (
    AksClusterArgs,
    ApiServer,
    Autoscale,
    ExistingAksNetwork,
    Platform,
    StackOutput,
    SystemPool,
    UserPool,
)
from nodepools.aks import (
    AuditLogs,
    ContainerLogs,
    Defender,
    Entra,
    EntraPrincipal,
    EtcdKey,
    ImageCleaner,
    NetworkProfile,
)

NETWORK = "organization/network/dev"
SECURITY = "organization/security/dev"
WORKSPACE = StackOutput(SECURITY, "workspace_id")

PLATFORM = Platform(
    name="dev",
    baseline="cis",
    clusters={
        "hub": AksClusterArgs(
            location="westeurope",
            kubernetes_version="1.35",
            resource_group=StackOutput(NETWORK, "resource_group"),
            network=ExistingAksNetwork(subnet_id=StackOutput(NETWORK, "node_subnet_id"), cidr="10.60.0.0/16"),
            network_profile=NetworkProfile(outbound_type="userDefinedRouting"),  # the subnet already has its route table
            identity=StackOutput(NETWORK, "aks_identity_id"),  # already has access to the subnet and the DNS zone: no role is assigned
            api_server=ApiServer(private=True),
            private_dns_zone=StackOutput(NETWORK, "private_dns_zone_id"),
            private_public_fqdn=False,
            run_command=False,
            entra=Entra(deployer_is_admin=False),
            admins=[EntraPrincipal("00000000-0000-0000-0000-000000000001", "Group")],
            logs=ContainerLogs(WORKSPACE, location="westeurope"),
            audit=AuditLogs(WORKSPACE),
            etcd_key=EtcdKey(StackOutput(SECURITY, "etcd_key_version_id"), vault_id=StackOutput(SECURITY, "vault_id")),
            azure_policy=True,
            defender=Defender(WORKSPACE),
            image_cleaner=ImageCleaner(),
            apply="render",  # the objects are applied from a network that can reach the API server
            system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=3, encryption_at_host=True),
            pools={
                "web": UserPool(vm_size="Standard_D4ds_v5", scale=Autoscale(2, 10), encryption_at_host=True),
                "data": UserPool(vm_size="Standard_E4ds_v5", count=3, zones=[1, 2, 3], vnet_subnet_id=StackOutput(NETWORK, "data_subnet_id")),
            },
        ),
    },
)
