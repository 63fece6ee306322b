"""What clusters of other programs have that ours never do, and that rules judge: it is read into `overrides`, where ours would have it."""

from collections.abc import Mapping
from typing import Final, cast

from nodepools.model.unknowns import UNKNOWN
from nodepools.wire.codecs import SAME, Codec, Convert
from nodepools.wire.reading import Reading, read
from nodepools.wire.rows import Part, Row
from nodepools.wire.table import Table

_ADD_ONS: Final = "addon_profiles"
_BOOTSTRAP: Final = "bootstrap_profile"


def _if(*words: object) -> Codec:
    """What is said, where it is one of these: else it is as ours are."""
    read_back: Convert = lambda value: value if value in words else None  # noqa: E731  # a codec takes functions
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
            Row("network_plugin", "networkPlugin", codec=_if("kubenet")),
            Row("dns_service_ip", "dnsServiceIP"),
            Row("load_balancer_sku", "loadBalancerSku", codec=_if("basic", "Basic")),
        ),
    ),
    Part(
        _ADD_ONS,
        "addonProfiles",
        Table(Part("omsagent", "omsagent", Table(Row("enabled", "enabled"), Part("config", "config", Table(Row("useAADAuth", "useAADAuth")))))),
    ),
)
"""`overrides` of a cluster in azure-native's Python spelling, and the inputs."""


def overrides_of(written: Mapping[str, object], *, agent_alone: bool) -> dict[str, object]:
    """What `overrides` would have to say of it; of what is not known nothing is said."""
    found = read(OVERRIDES, written, Reading())
    if not agent_alone:
        found.pop(_ADD_ONS, None)
    bootstrap = found.get(_BOOTSTRAP)
    if bootstrap is UNKNOWN or (isinstance(bootstrap, dict) and UNKNOWN in cast("dict[str, object]", bootstrap).values()):
        found[_BOOTSTRAP] = {"artifact_source": "Cache"}  # what may be right is not told to be missing
    return _without_unknown(found)


def _without_unknown(said: Mapping[str, object]) -> dict[str, object]:
    return {
        name: _without_unknown(cast("Mapping[str, object]", value)) if isinstance(value, Mapping) else value
        for name, value in said.items()
        if value is not UNKNOWN
    }
