"""The arguments of Terraform's provider azurerm (azurerm.json), with their places in Azure's API, which the rows have."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, TypedDict, cast

from nodepools.model.aks.node_settings import Sysctls
from nodepools.model.steps import mapping, sequence
from nodepools.model.unknowns import UNKNOWN
from nodepools.wire.rows import IDS, OPPOSITE, Convert
from nodepools.wire.table import camel
from nodepools.wire.terraform import NOT_ZERO, TEXT, Argument, Arguments, block_of, listed_entries, pairs, text_list

_INTERVAL: Final = "net_ipv4_tcp_keepalive_intvl"
_SYSCTLS: Final = {
    f"linux_os_config.sysctl_config.{name}": Argument(
        f"linuxOSConfig.sysctls.{'netIpv4TcpkeepaliveIntvl' if name == _INTERVAL else camel(name)}", NOT_ZERO
    )
    for name in Sysctls.model_fields
    if name != "net_ipv4_ip_local_port_range"
}


_CONVERSIONS: Final[Mapping[str, Convert]] = {
    "dns zone": lambda zone: {"System": "system", "None": "none"}.get(zone, zone),
    "host ports": listed_entries({"port_start": "portStart", "port_end": "portEnd", "protocol": "protocol"}),
    "ids": IDS.write,
    "ip tags": pairs("ipTagType", "tag"),
    "list": text_list,
    "not zero": NOT_ZERO,
    "opposite": OPPOSITE.write,
    "ssh keys": lambda blocks: [{"keyData": key} for block in sequence(blocks) if (key := mapping(block).get("key_data")) is not None],
    "text": TEXT,
}


class _Tables(TypedDict):
    pool: Mapping[str, str | tuple[str, str]]
    own_pool: Mapping[str, str | tuple[str, str]]
    default_node_pool: Mapping[str, str | tuple[str, str]]
    cluster: Mapping[str, str | tuple[str, str]]
    pool_without_place: Mapping[str, str]
    cluster_without_place: Mapping[str, Sequence[str]]
    cluster_switches: Mapping[str, str]
    cycled: Sequence[str]


_TABLES: Final = cast("_Tables", json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8")))
_OF_POOLS: Final = _TABLES["pool_without_place"]


def _arguments(rows: Mapping[str, str | tuple[str, str]]) -> dict[str, Argument]:
    """Places, each with a conversion if the value differs."""
    return {name: Argument(row) if isinstance(row, str) else Argument(row[0], _CONVERSIONS[row[1]]) for name, row in rows.items()}


_POOL: Final = {**_arguments(_TABLES["pool"]), **_SYSCTLS}
POOL: Final = Arguments("azurerm_kubernetes_cluster_node_pool", {**_POOL, **_arguments(_TABLES["own_pool"])}, _OF_POOLS)
"""A node pool of its own."""
INLINE: Final = Arguments("default_node_pool", {**_POOL, **_arguments(_TABLES["default_node_pool"])}, _OF_POOLS)
"""`default_node_pool` of a cluster."""
CYCLED: Final = frozenset(_TABLES["cycled"])
"""Arguments of pools for which the provider creates a temporary pool, deletes the pool, and creates it again, without a drain: docs of
`default_node_pool`. `os_sku` is one of them for some values only."""
CLUSTER: Final = Arguments(
    "azurerm_kubernetes_cluster",
    {
        **_arguments(_TABLES["cluster"]),
        **{f"{INLINE.type}.{name}": Argument(f"agentPoolProfiles.0.{argument.wire}", argument.write) for name, argument in INLINE.places.items()},
    },
    {
        **{name: why for why, names in _TABLES["cluster_without_place"].items() for name in names},
        **{f"{INLINE.type}.{name}": why for name, why in _OF_POOLS.items()},
    },
    _TABLES["cluster_switches"],
)
"""A cluster with its default node pool."""
WINDOWS: Final = {
    "maintenance_window_auto_upgrade": "aksManagedAutoUpgradeSchedule",
    "maintenance_window_node_os": "aksManagedNodeOSUpgradeSchedule",
    "maintenance_window": "default",
}
"""Blocks of a cluster, and the maintenance configurations that they are in Azure."""
_SCHEDULES: Final[Mapping[str, tuple[str, Mapping[str, str]]]] = {
    "": ("", {}),
    "Daily": ("daily", {"interval": "intervalDays"}),
    "Weekly": ("weekly", {"interval": "intervalWeeks", "day_of_week": "dayOfWeek"}),
    "AbsoluteMonthly": ("absoluteMonthly", {"interval": "intervalMonths", "day_of_month": "dayOfMonth"}),
    "RelativeMonthly": ("relativeMonthly", {"interval": "intervalMonths", "day_of_week": "dayOfWeek", "week_index": "weekIndex"}),
}
_DATE: Final = len("2026-11-28")


def _date(value: object) -> object:
    """The day of a time."""
    return value[:_DATE] if isinstance(value, str) else value


def windows(address: str, values: Mapping[str, object]) -> Iterator[tuple[str, Mapping[str, object]]]:
    """The maintenance configurations that the provider creates for blocks of a cluster."""
    for block, name in WINDOWS.items():
        held = block_of(values.get(block))
        if held is None or held == []:
            continue
        window = mapping(held)
        of = {"configName": name, "resourceName": values.get("name"), "resourceGroupName": values.get("resource_group_name")}
        if name == "default":
            yield f"{address}.{block}", {**of, "timeInWeek": window.get("allowed", UNKNOWN)}
            continue
        schedule, names = _SCHEDULES.get(str(window.get("frequency")), _SCHEDULES[""])
        start = window.get("start_date")
        inside = {
            "schedule": {schedule: {wire: window.get(own) for own, wire in names.items()}} if schedule else UNKNOWN,
            "durationHours": window.get("duration", UNKNOWN),
            "startTime": window.get("start_time"),
            "utcOffset": window.get("utc_offset"),
            "startDate": _date(start),
            "notAllowedDates": [{key: _date(mapping(one).get(key)) for key in ("start", "end")} for one in sequence(window.get("not_allowed"))],
        }
        yield f"{address}.{block}", {**of, "maintenanceWindow": {key: value for key, value in inside.items() if value not in (None, [], "")}}
