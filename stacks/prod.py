"""Production: larger than staging, with a fallback for spot and the controls of the CIS benchmarks. One cluster is private and deployed by GitOps."""

from nodepools import Autoscale, GpuPool, derive, partial
from nodepools.aks import AuditLogs, ContainerLogs, Defender, EtcdKey, ImageCleaner
from stacks import _environments as environments
from stacks import staging

_GROUP = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/security/providers"
"""Resources of the security team: use your own."""
_WORKSPACE = f"{_GROUP}/Microsoft.OperationalInsights/workspaces/prod"
_CONTROLS = partial.AksClusterArgs(
    logs=ContainerLogs(_WORKSPACE, location="westeurope"),
    audit=AuditLogs(_WORKSPACE),
    etcd_key=EtcdKey("https://prod.vault.azure.net/keys/etcd/00000000000000000000000000000000", vault_id=f"{_GROUP}/Microsoft.KeyVault/vaults/prod"),
    azure_policy=True,
    defender=Defender(_WORKSPACE),
    image_cleaner=ImageCleaner(),
    run_command=False,
)
"""What the baseline requires of AKS clusters (docs/security-baseline.md)."""
_CHANGES = {
    "weu": _CONTROLS
    | partial.AksClusterArgs(
        api_server=partial.ApiServer(private=True, authorized_ip_ranges=[]),
        apply="render",  # GitOps in the cluster applies the output of `nodepools render`
        system_pool=partial.SystemPool(vm_size="Standard_D8ds_v5"),
        pools={
            "web": partial.UserPool(vm_size="Standard_D8ds_v5", scale=Autoscale(3, 30)),
            "batch": partial.UserPool(scale=Autoscale(0, 50)),
            "batch-fallback": environments.on_demand_fallback(staging.PLATFORM, "weu/batch", most=20),
            "train": GpuPool(vm_size="Standard_NC24ads_A100_v4", scale=Autoscale(0, 4)),
        },
    ),
    "neu": _CONTROLS
    | partial.AksClusterArgs(
        system_pool=partial.SystemPool(vm_size="Standard_D8ds_v5", zones=[1, 2, 3]),
        node_provisioning=partial.NodeProvisioning(node_pools={"general": partial.AksNodePool(limits={"cpu": 500, "memory": "2000Gi"})}),
    ),
    "use1": partial.EksClusterArgs(
        deletion_protection=True,
        secrets_key="arn:aws:kms:us-east-1:000000000000:key/00000000-0000-0000-0000-000000000000",
        objects=partial.ClusterObjects(network_policies=True),
        logs=partial.LogGroup(retention_days=365, keep=True),
        network=partial.EksNetworkArgs(nat="per-zone"),
        auto_mode=partial.AutoMode(
            node_classes={"private": partial.EksNodeClass(ephemeral_storage="200Gi", create_role=True)},
            node_pools=environments.spot_before_on_demand(staging.PLATFORM, "use1/compute"),
        ),
    ),
}

PLATFORM = derive(
    derive(staging.PLATFORM, name="prod", baseline="cis", clusters=environments.with_addresses({"weu": 64, "neu": 80, "use1": 96})),
    clusters=_CHANGES,
)
