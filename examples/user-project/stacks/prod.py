"""Production: larger than development, in three zones, restricted and protected; no worker on spot capacity."""

from nodepools import Autoscale, derive

from stacks import dev

_CHANGES: dict[str, object] = {
    "weu": {
        "protect": True,
        "network": {"cidr": "10.80.0.0/16"},
        "api_server": {"authorized_ip_ranges": ["203.0.113.0/24"]},
        "system_pool": {"count": 3, "zones": [1, 2, 3]},
        "pools": {
            "web": {"vm_size": "Standard_D4ds_v5", "scale": Autoscale(3, 12), "zones": [1, 2, 3]},
            "worker": {"vm_size": "Standard_D4ds_v5", "scale": Autoscale(3, 9), "spot": None, "zones": [1, 2, 3]},
        },
    },
}

PLATFORM = derive(dev.PLATFORM, name="prod", clusters=_CHANGES)
