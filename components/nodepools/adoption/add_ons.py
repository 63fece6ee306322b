"""Add-ons as they are. Whether a request without them keeps them is not documented, so all are declared: by their fields, or by `overrides`."""

from collections.abc import Mapping
from typing import Final, cast

from nodepools.model.aks.services import AksServices
from nodepools.wire.aks.cluster_context import STANDALONE
from nodepools.wire.aks.services import SERVICES
from nodepools.wire.reading import write
from nodepools.wire.table import Table, Written

_CREDENTIALS: Final = ("secret", "password", "token", "key")
_SWITCHES: Final = ("true", "false")
_FIELDS: Final = {"azurepolicy": "azure_policy", "azureKeyvaultSecretsProvider": "key_vault_provider"}
"""Fields of add-ons. The log agent has none here: its field also creates the resources that collect logs, and those exist."""
_TABLE: Final = Table(*SERVICES)


def add_ons(profile: object) -> dict[str, object]:
    """Add-ons without what only Azure sets, and without values that can be credentials: Azure keeps those."""
    entries = cast("Written", profile).items() if isinstance(profile, Mapping) else ()
    return {name: _add_on(cast("Written", one)) for name, one in entries if isinstance(one, Mapping)}


def _add_on(one: Written) -> dict[str, object]:
    config = one.get("config")
    kept = {key: value for key, value in cast("Written", config).items() if not _is_credential(key, value)} if isinstance(config, Mapping) else {}
    return {"enabled": one.get("enabled"), **({"config": kept} if kept else {})}


def running(profile: Written) -> dict[str, object]:
    """The add-ons that are on: one that is off is not sent, and stays off."""
    return {name: one for name, one in profile.items() if not isinstance(one, Mapping) or cast("Written", one).get("enabled") is not False}


def by_fields(profile: Mapping[str, object], fields: Written) -> tuple[dict[str, object], dict[str, object]]:
    """The fields that send add-ons exactly as they are, and the other add-ons, which `overrides` have."""
    found = {name: field for name, field in _FIELDS.items() if name in profile}
    held = {field: fields[field] for field in found.values() if field in fields}
    sent = cast("Written", write(_TABLE, AksServices.model_validate(held), STANDALONE).get("addonProfiles", {}))
    own = {name for name in found if sent.get(name) == profile[name] or name not in running(profile)}
    rest = {name: one for name, one in profile.items() if name not in own}
    return {field: held[field] for name, field in found.items() if name in own and field in held}, rest


def has_credential(configuration: object) -> bool:
    """A key at some depth names a credential."""
    if isinstance(configuration, Mapping):
        values = cast("Written", configuration).items()
        return any(has_credential(value) or (not isinstance(value, Mapping | list) and _is_credential(key, value)) for key, value in values)
    return isinstance(configuration, list) and any(map(has_credential, cast("list[object]", configuration)))


def _is_credential(key: str, value: object) -> bool:
    return any(part in key.lower() for part in _CREDENTIALS) and str(value).lower() not in _SWITCHES
