"""A private cluster in an existing network, behind its firewall, with an existing identity and resource group."""

from nodepools import (
    AksClusterArgs,
    ApiServer,
    Autoscale,
    Entra,
    EntraPrincipal,
    ExistingAksNetwork,
    NetworkProfile,
    Platform,
    StackOutput,
    SystemPool,
    UserPool,
)

NETWORK = "organization/network/dev"

PLATFORM = Platform(
    name="dev",
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
            apply="render",  # the objects are applied from a network that can reach the API server
            system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=3, encryption_at_host=True),
            pools={
                "web": UserPool(vm_size="Standard_D4ds_v5", scale=Autoscale(2, 10), encryption_at_host=True),
                "data": UserPool(vm_size="Standard_E4ds_v5", count=3, zones=[1, 2, 3], vnet_subnet_id=StackOutput(NETWORK, "data_subnet_id")),
            },
        ),
    },
)
