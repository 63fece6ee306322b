"""Reads inputs that only clusters of other programs have into `overrides`, where rules check them."""

from collections.abc import Mapping
from typing import Final, cast

from nodepools.model.unknowns import UNKNOWN
from nodepools.wire.codecs import SAME, Codec, Convert
from nodepools.wire.reading import Reading, read
from nodepools.wire.rows import Part, Row
from nodepools.wire.table import Table

_ADD_ONS: Final = "addon_profiles"
_BOOTSTRAP: Final = "bootstrap_profile"


def _if(*values: object) -> Codec:
    """Returns a codec that reads only these values: any other value is the same as that of a declaration."""
    read_back: Convert = lambda value: value if value in values else None  # noqa: E731  # a codec takes functions
    return SAME._replace(read=read_back)


def _application(client_id: object) -> object:
    return client_id if client_id != "msi" else None


OVERRIDES: Final = Table(
    Row("enable_rbac", "enableRBAC", codec=_if(False)),
    Part("service_principal_profile", "servicePrincipalProfile", Table(Row("client_id", "clientId", codec=SAME._replace(read=_application)))),
    Part(_BOOTSTRAP, "bootstrapProfile", Table(Row("artifact_source", "artifactSource"))),
    Part(
        "network_profile",
        "networkProfile",
        Table(
            Row("dns_service_ip", "dnsServiceIP"),
            Row("load_balancer_sku", "loadBalancerSku", codec=_if("basic", "Basic")),
        ),
    ),
    Part("ingress_profile", "ingressProfile", Table(Part("web_app_routing", "webAppRouting", Table(Row("enabled", "enabled"))))),
    Part(
        _ADD_ONS,
        "addonProfiles",
        Table(Part("omsagent", "omsagent", Table(Row("enabled", "enabled"), Part("config", "config", Table(Row("useAADAuth", "useAADAuth")))))),
    ),
)
"""The `overrides` of a cluster in azure-native's Python spelling, with the inputs that they are read from."""


def overrides_of(written: Mapping[str, object], *, agent_alone: bool) -> dict[str, object]:
    """Returns the `overrides` that a declaration of this cluster would set, without unknown values."""
    found = read(OVERRIDES, written, Reading())
    if not agent_alone:
        found.pop(_ADD_ONS, None)
    bootstrap = found.get(_BOOTSTRAP)
    if bootstrap is UNKNOWN or (isinstance(bootstrap, dict) and UNKNOWN in cast("dict[str, object]", bootstrap).values()):
        found[_BOOTSTRAP] = {"artifact_source": "Cache"}  # an unknown value can be right: no rule reports it as missing
    return _without_unknown(found)


def _without_unknown(values: Mapping[str, object]) -> dict[str, object]:
    return {
        name: _without_unknown(cast("Mapping[str, object]", value)) if isinstance(value, Mapping) else value
        for name, value in values.items()
        if value is not UNKNOWN
    }
