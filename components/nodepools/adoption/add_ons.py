"""Add-ons as they are. Whether a request without them keeps them is not documented, so all are declared."""

from collections.abc import Mapping
from typing import Final, cast

from nodepools.wire.table import Written

_CREDENTIALS: Final = ("secret", "password", "token", "key")
_SWITCHES: Final = ("true", "false")


def add_ons(profile: object) -> dict[str, object]:
    """Add-ons without what only Azure sets, and without values that can be credentials: Azure keeps those."""
    entries = cast("Written", profile).items() if isinstance(profile, Mapping) else ()
    return {name: _add_on(cast("Written", one)) for name, one in entries if isinstance(one, Mapping)}


def _add_on(one: Written) -> dict[str, object]:
    config = one.get("config")
    kept = {key: value for key, value in cast("Written", config).items() if not _is_credential(key, value)} if isinstance(config, Mapping) else {}
    return {"enabled": one.get("enabled"), **({"config": kept} if kept else {})}


def has_credential(configuration: object) -> bool:
    """A key at some depth names a credential."""
    if isinstance(configuration, Mapping):
        values = cast("Written", configuration).items()
        return any(has_credential(value) or (not isinstance(value, Mapping | list) and _is_credential(key, value)) for key, value in values)
    return isinstance(configuration, list) and any(map(has_credential, cast("list[object]", configuration)))


def _is_credential(key: str, value: object) -> bool:
    return any(part in key.lower() for part in _CREDENTIALS) and str(value).lower() not in _SWITCHES
