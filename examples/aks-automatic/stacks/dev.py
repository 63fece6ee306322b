"""AKS Automatic: AKS runs the system nodes, and pods run on the NodePool `default` or on `batch`."""

from nodepools import AksClusterArgs, AksNodePool, ApiServer, NodeProvisioning, Platform, Taint, Weekly, keys
from nodepools.aks import ManagedAksNetwork, NetworkProfile

# Without `baseline="cis"`: the example is about the system nodes. docs/security-baseline.md lists what production needs.
PLATFORM = Platform(
    name="dev",
    protect=False,  # an example to try and to destroy
    clusters={
        "auto": AksClusterArgs(
            location="westeurope",
            kubernetes_version="1.36",
            api_version="2026-05-01",  # hosted system nodes need 2026-02-01 or later
            sku="Automatic",
            hosted_system=True,  # instead of a system pool
            network=ManagedAksNetwork(),
            network_profile=NetworkProfile(outbound_type="managedNATGateway"),
            auto_upgrade="stable",
            node_os_upgrade="NodeImage",
            node_resource_group_restriction="ReadOnly",
            maintenance=Weekly(days="sun", start="02:00", hours=5, tz="Europe/Amsterdam"),
            api_server=ApiServer(authorized_ip_ranges=["203.0.113.0/24"]),
            node_provisioning=NodeProvisioning(
                node_pools={
                    "batch": AksNodePool(
                        requirements=[keys.aks.capacity_type.one_of("spot", "on-demand"), keys.aks.arch.one_of("amd64")],
                        taints=[Taint("dedicated", "batch")],
                        limits={"cpu": "64"},
                    ),
                },
            ),
        ),
    },
)
