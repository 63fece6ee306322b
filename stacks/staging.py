"""Staging: development with the features of production, at a smaller scale: zones, a GPU pool, restricted API servers."""

from nodepools import Autoscale, GpuPool, derive, partial
from stacks import _environments as environments
from stacks import dev

_API_SERVER = partial.ApiServer(authorized_ip_ranges=[environments.OFFICE])
_CHANGES = {
    "weu": partial.AksClusterArgs(
        api_server=_API_SERVER,
        system_pool=partial.SystemPool(count=3, zones=[1, 2, 3]),
        pools={
            "web": partial.UserPool(scale=Autoscale(2, 6), zones=[1, 2, 3]),
            "train": GpuPool(vm_size="Standard_NC4as_T4_v3", scale=Autoscale(0, 1)),  # adds the taint sku=gpu and the device plugin
        },
    ),
    "neu": partial.AksClusterArgs(api_server=_API_SERVER, system_pool=partial.SystemPool(count=3)),
    "use1": partial.EksClusterArgs(api_server=_API_SERVER),
}

# Without `baseline="cis"`: staging has no data to protect. `prod` has it.
PLATFORM = derive(
    derive(dev.PLATFORM, name="staging", protect=True, clusters=environments.with_addresses({"weu": 11, "neu": 21, "use1": 31})),
    clusters=_CHANGES,
)
