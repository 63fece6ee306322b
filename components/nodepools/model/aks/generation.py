"""The generation of an agent pool: what Azure cannot change in place, and the name that follows from it.

Such a change fails when it is applied, so a pool of another generation gets another name: the new one is made before the
old one goes. Source: the mutability matrix of aks.md § 2.10.
"""

from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.network import AksNetworkArgs
from nodepools.model.aks.pools import AgentPool
from nodepools.model.base import Model, plain
from nodepools.model.names import fingerprint
from nodepools.model.ref import is_output

LONGEST = 12
_FIXED_FIELDS = ("vm_size", "zones", "os_disk_size_gb", "os_disk_type", "max_pods", "vnet_subnet_id", "spot", "driver", "generation")
_CHANGEABLE_ARGUMENTS = frozenset(
    {
        "count",
        "enable_auto_scaling",
        "enable_fips",
        "max_count",
        "min_count",
        "mode",
        "node_labels",
        "node_taints",
        "orchestrator_version",
        "os_sku",
        "power_state",
        "scale_down_mode",
        "security_profile",
        "tags",
        "upgrade_settings",
        "workload_runtime",
    }
)
"""Arguments of an AgentPool, in Python spelling, that `overrides` may change in place."""


def generation(cluster: AksClusterArgs, key: str) -> str:
    """Changes when, and only when, something fixed of the pool changes. An Output counts as always the same: its value is not known here."""
    pool = cluster.pools[key]
    fixed: dict[str, object] = {name: _known(getattr(pool, name)) for name in _FIXED_FIELDS if getattr(pool, name, None) not in (None, ())}
    fixed |= {"zones": sorted(pool.zones)} if pool.zones else {}  # a set, to Azure
    fixed |= {f"overrides.{name}": plain(value) for name, value in pool.overrides.items() if name not in _CHANGEABLE_ARGUMENTS}
    return fingerprint([key, type(pool).__name__, _subnet(cluster, key, pool), fixed])


def pool_name(cluster: AksClusterArgs, key: str) -> str:
    """The name in Azure: the key, cut short, and its generation; 12 characters at most."""
    mark = generation(cluster, key)
    return key.replace("-", "")[: LONGEST - len(mark)] + mark


def subnet_name(key: str, cidr: str) -> str:
    """The name of a pool's own subnet: a range in use cannot be changed either."""
    return f"{key}-{fingerprint(cidr)}"


def _subnet(cluster: AksClusterArgs, key: str, pool: AgentPool) -> object:
    if pool.vnet_subnet_id is not None:
        return None  # among the fixed fields
    return cluster.network.pool_subnets.get(key) if isinstance(cluster.network, AksNetworkArgs) else _known(cluster.network.subnet_id)


def _known(value: object) -> object:
    if is_output(value):
        return "output"
    if isinstance(value, Model):
        return value.model_dump(mode="json")
    return plain(value)
