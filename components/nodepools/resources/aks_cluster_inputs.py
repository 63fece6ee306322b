"""AKS clusters of any program: from the inputs of azure-native to the model, by the tables that requests are written by. No SDK is needed.

What is left out is as Azure has it, not as we would; what no input says (who else gets in, what is applied inside) is not known.
"""

from collections.abc import Mapping
from typing import Final, cast

from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.maintenance import MaintenanceWindow
from nodepools.model.unknowns import UNKNOWN, partial_below
from nodepools.resources.aks_overrides import overrides_of
from nodepools.rules.partial_validation import validate_partial
from nodepools.wire.aks.cluster import CLUSTER, TIER
from nodepools.wire.aks.maintenance import CONFIGURATION
from nodepools.wire.aks.network_profile import DATAPLANE, POD_RANGE, SERVICE_RANGE
from nodepools.wire.reading import Reading, read
from nodepools.wire.unmodeled import Note

_NOT_READ: Final = frozenset({"resource_group", "identity"})
"""Fields that an input says, of which ours mean more: that the group and the identity were there before, with the rights that it needs."""
_SILENT: Final[tuple[str, object]] = ("api_server", {})
"""A part that is always there, of which nothing is said."""
_ELSEWHERE: Final = frozenset({"pools", "network", "maintenance", "maintenance_configurations", "overrides", "kind"})
"""Fields that other resources say, or that programs without our components have not."""
_UNSAID: Final = _NOT_READ | {row.name for row in CLUSTER.rows if isinstance(row, Note) and row.kind == "ours"} - _ELSEWHERE
"""Fields of which nothing is known, whatever the inputs are."""


def managed_cluster(written: Mapping[str, object], *, agent_alone: bool = False) -> AksClusterArgs | None:
    """The cluster as far as it is known, with a system pool that stands for its own, which is not read here.

    Args:
        written: the inputs.
        agent_alone: its agent for logs has no rule that tells it what to collect.
    """
    found = {name: value for name, value in read(CLUSTER, written, Reading()).items() if name not in _NOT_READ and (name, value) != _SILENT}
    if agent_alone:
        found.pop("log_analytics_workspace_id", None)
    if _at(written, "sku", "name") == "Automatic":  # all that is left out is decided by AKS
        unsaid = AksClusterArgs.model_fields.keys() - found.keys() - {"kind", "overrides"}
    else:
        _complete(found, written)
        unsaid = _UNSAID
    if isinstance(autoscaler := found.get("autoscaler"), dict):
        cast("dict[str, object]", autoscaler)["priorities"] = UNKNOWN  # they are in a ConfigMap
    found["overrides"] = overrides_of(written, agent_alone=agent_alone)
    stand_in = {"system_pool": {"kind": "SystemPool", "vm_size": UNKNOWN}, "network": {"kind": "ExistingAksNetwork", "subnet_id": "unknown"}}
    made, _ = validate_partial(AksClusterArgs, {**found, **stand_in})
    return partial_below(made, [(name,) for name in unsaid]) if made is not None else None


def maintenance_window(written: Mapping[str, object]) -> MaintenanceWindow | None:
    """The window of a maintenance configuration, as far as it is known; none where only the hours of the week are said, in the former way."""
    if written.get("maintenanceWindow") is None:
        return None
    return validate_partial(MaintenanceWindow, read(CONFIGURATION, written, Reading()))[0]


def _complete(found: dict[str, object], written: Mapping[str, object]) -> None:
    """What Azure makes of what is left out."""
    found.setdefault("tier", TIER)
    if _at(written, "apiServerAccessProfile", "enableVnetIntegration") not in (None, False):
        found.setdefault("api_server_subnet_id", UNKNOWN)  # in a network of AKS's the subnet is AKS's too
    found.setdefault("entra", None if written.get("aadProfile") is None else UNKNOWN)  # Entra ID in its former way
    if isinstance(provisioning := found.get("node_provisioning"), dict):
        cast("dict[str, object]", provisioning)["cilium_startup_taint"] = False  # nothing comes by itself
    if found.get("network_profile") is not UNKNOWN:
        _complete_network(cast("dict[str, object]", found.setdefault("network_profile", {})))


def _complete_network(profile: dict[str, object]) -> None:
    if "plugin" not in profile:  # it is decided by the version of the API
        profile |= {name: UNKNOWN for name in ("plugin", "plugin_mode", "dataplane") if name not in profile}
    profile.setdefault("plugin_mode", None)
    profile.setdefault("dataplane", DATAPLANE)
    profile.setdefault("service_cidr", SERVICE_RANGE)
    if profile["plugin_mode"] == "overlay":
        profile.setdefault("pod_cidr", POD_RANGE)


def _at(written: Mapping[str, object], profile: str, name: str) -> object:
    """The argument, or what stands where its profile should."""
    held = written.get(profile)
    return cast("Mapping[str, object]", held).get(name) if isinstance(held, Mapping) else held
