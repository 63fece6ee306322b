"""Production: larger than staging, protected against deletion, with a fallback for spot. One cluster is private and deployed by GitOps."""

from nodepools import Autoscale, GpuPool, derive
from stacks import _environments as environments
from stacks import staging

_CHANGES: dict[str, object] = {
    "weu": {
        "protect": True,
        "api_server": {"private": True, "authorized_ip_ranges": []},
        "apply": "render",  # GitOps in the cluster applies the output of `nodepools render`
        "system_pool": {"vm_size": "Standard_D8ds_v5"},
        "pools": {
            "web": {"vm_size": "Standard_D8ds_v5", "scale": Autoscale(3, 30)},
            "batch": {"scale": Autoscale(0, 50)},
            "batch-fallback": environments.on_demand_fallback(staging.PLATFORM, "weu/batch", most=20),
            "train": GpuPool(vm_size="Standard_NC24ads_A100_v4", scale=Autoscale(0, 4)),
        },
    },
    "neu": {
        "protect": True,
        "system_pool": {"vm_size": "Standard_D8ds_v5", "zones": [1, 2, 3]},
        "node_provisioning": {"node_pools": {"general": {"limits": {"cpu": 500, "memory": "2000Gi"}}}},
    },
    "use1": {
        "protect": True,
        "deletion_protection": True,
        "network": {"nat": "per-zone"},
        "auto_mode": {
            "node_classes": {"private": {"ephemeral_storage": "200Gi", "create_role": True}},
            "node_pools": environments.spot_before_on_demand(staging.PLATFORM, "use1/compute"),
        },
    },
}

PLATFORM = derive(
    derive(staging.PLATFORM, name="prod", clusters=environments.with_addresses({"weu": 64, "neu": 80, "use1": 96})),
    clusters=_CHANGES,
)
