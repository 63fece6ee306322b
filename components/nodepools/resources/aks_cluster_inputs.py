"""Reads the azure-native inputs of an AKS cluster of any program into the model, by the tables that also write requests. No SDK is needed.

An omitted field has Azure's default, not the default of declarations. A field without an input (other users, applied objects) is unknown.
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

_NOT_READ: Final = frozenset({"resource_group", "identity", "registries"})
"""Fields with an input that means less than the field: a declaration requires an existing group, and an identity with its role assignments;
registries are known by these."""
_EMPTY: Final[tuple[str, object]] = ("api_server", {})
"""A part that is always read, here without any value."""
_ELSEWHERE: Final = frozenset({"pools", "network", "maintenance", "maintenance_configurations", "overrides", "kind"})
"""Fields that other resources set, or that only declarations have."""
_UNKNOWN: Final = _NOT_READ | {row.name for row in CLUSTER.rows if isinstance(row, Note) and row.kind == "ours"} - _ELSEWHERE
"""Fields that are unknown, whatever the inputs are."""


def managed_cluster(written: Mapping[str, object], *, agent_alone: bool = False) -> AksClusterArgs | None:
    """Returns the cluster as far as it is known, with a placeholder for its system pool, which is not read here.

    Args:
        written: the inputs.
        agent_alone: no data collection rule configures the cluster's log agent.
    """
    found = {name: value for name, value in read(CLUSTER, written, Reading()).items() if name not in _NOT_READ and (name, value) != _EMPTY}
    if agent_alone:
        found.pop("log_analytics_workspace_id", None)
    if _at(written, "sku", "name") == "Automatic":  # AKS decides every omitted field
        unknown = AksClusterArgs.model_fields.keys() - found.keys() - {"kind", "overrides"}
    else:
        _complete(found, written)
        unknown = _UNKNOWN
    if isinstance(autoscaler := found.get("autoscaler"), dict):
        cast("dict[str, object]", autoscaler)["priorities"] = UNKNOWN  # they are in a ConfigMap
    found["overrides"] = overrides_of(written, agent_alone=agent_alone)
    placeholders = {"system_pool": {"kind": "SystemPool", "vm_size": UNKNOWN}, "network": {"kind": "ExistingAksNetwork", "subnet_id": "unknown"}}
    made, _ = validate_partial(AksClusterArgs, {**found, **placeholders})
    return partial_below(made, [(name,) for name in unknown]) if made is not None else None


def maintenance_window(written: Mapping[str, object]) -> MaintenanceWindow | None:
    """Returns the window of a maintenance configuration, as far as it is known; `None` if only the older `timeInWeek` is set."""
    if written.get("maintenanceWindow") is None:
        return None
    return validate_partial(MaintenanceWindow, read(CONFIGURATION, written, Reading()))[0]


def _complete(found: dict[str, object], written: Mapping[str, object]) -> None:
    """Adds Azure's defaults for omitted fields."""
    found.setdefault("tier", TIER)
    found.setdefault("oidc_issuer", UNKNOWN)  # the default depends on the version with which the cluster was created
    found.setdefault("workload_identity", False)
    if _at(written, "apiServerAccessProfile", "enableVnetIntegration") not in (None, False):
        found.setdefault("api_server_subnet_id", UNKNOWN)  # AKS creates the subnet in a network that it manages
    found.setdefault("entra", None if written.get("aadProfile") is None else UNKNOWN)  # the older integration of Entra ID
    if isinstance(provisioning := found.get("node_provisioning"), dict):
        cast("dict[str, object]", provisioning)["cilium_startup_taint"] = False  # only declarations add it automatically
    if found.get("network_profile") is not UNKNOWN:
        _complete_network(cast("dict[str, object]", found.setdefault("network_profile", {})))


def _complete_network(profile: dict[str, object]) -> None:
    if "plugin" not in profile:  # the default depends on the version of the API
        profile |= {name: UNKNOWN for name in ("plugin", "plugin_mode", "dataplane") if name not in profile}
    profile.setdefault("plugin_mode", None)
    profile.setdefault("dataplane", DATAPLANE)
    profile.setdefault("service_cidr", SERVICE_RANGE)
    if profile["plugin_mode"] == "overlay" or profile["plugin"] == "kubenet":
        profile.setdefault("pod_cidr", POD_RANGE)


def _at(written: Mapping[str, object], profile: str, name: str) -> object:
    """Returns the input `name` of `profile`, or the value of `profile` if that is not a mapping."""
    value = written.get(profile)
    return cast("Mapping[str, object]", value).get(name) if isinstance(value, Mapping) else value
