"""Production: larger, in three zones, with the controls of the CIS benchmarks, and without workers on spot capacity."""

from nodepools import Autoscale, StackOutput, derive, partial
from nodepools.aks import AuditLogs, ContainerLogs, Defender, EtcdKey, ImageCleaner

from stacks import dev

SECURITY = "organization/security/prod"
WORKSPACE = StackOutput(SECURITY, "workspace_id")

_CHANGES = {
    "weu": partial.AksClusterArgs(
        logs=ContainerLogs(WORKSPACE, location="westeurope"),
        audit=AuditLogs(WORKSPACE),
        etcd_key=EtcdKey(StackOutput(SECURITY, "etcd_key_version_id"), vault_id=StackOutput(SECURITY, "vault_id")),
        azure_policy=True,
        defender=Defender(WORKSPACE),
        image_cleaner=ImageCleaner(),
        run_command=False,
        network=partial.AksNetworkArgs(cidr="10.80.0.0/16"),
        api_server=partial.ApiServer(authorized_ip_ranges=["203.0.113.0/24"]),
        system_pool=partial.SystemPool(count=3, zones=[1, 2, 3]),
        pools={
            "web": partial.UserPool(vm_size="Standard_D4ds_v5", scale=Autoscale(3, 12), zones=[1, 2, 3]),
            "worker": partial.UserPool(vm_size="Standard_D4ds_v5", scale=Autoscale(3, 9), spot=None, zones=[1, 2, 3]),
        },
    ),
}

PLATFORM = derive(dev.PLATFORM, name="prod", protect=True, baseline="cis", clusters=_CHANGES)
