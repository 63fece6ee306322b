"""Staging: development with the features of production, at a smaller scale: zones, a GPU pool, restricted API servers."""

from nodepools import Autoscale, GpuPool, derive
from stacks import _environments as environments
from stacks import dev

_CHANGES: dict[str, object] = {
    "weu": {
        "api_server": {"authorized_ip_ranges": [environments.OFFICE]},
        "system_pool": {"count": 3, "zones": [1, 2, 3]},
        "pools": {
            "web": {"scale": Autoscale(2, 6), "zones": [1, 2, 3]},
            "train": GpuPool(vm_size="Standard_NC4as_T4_v3", scale=Autoscale(0, 1)),  # adds the taint sku=gpu and the device plugin
        },
    },
    "neu": {"api_server": {"authorized_ip_ranges": [environments.OFFICE]}, "system_pool": {"count": 3}},
    "use1": {"api_server": {"authorized_ip_ranges": [environments.OFFICE]}},
}

# Without `baseline="cis"`: staging has no data to protect. `prod` has it.
PLATFORM = derive(
    derive(dev.PLATFORM, name="staging", protect=True, clusters=environments.with_addresses({"weu": 11, "neu": 21, "use1": 31})),
    clusters=_CHANGES,
)
