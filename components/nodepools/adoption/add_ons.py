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


def _is_credential(key: str, value: object) -> bool:
    return any(part in key.lower() for part in _CREDENTIALS) and str(value).lower() not in _SWITCHES
