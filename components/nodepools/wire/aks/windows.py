"""The administrator account of Windows nodes: `windowsProfile`."""

from typing import Final

from nodepools.wire.codecs import Codec
from nodepools.wire.rows import Part, Presence, Row
from nodepools.wire.table import Table

_LICENSED: Final = "Windows_Server"


def _license(benefit: object) -> object:
    return _LICENSED if benefit else None


def _is_licensed(license_type: object) -> bool:
    return license_type == _LICENSED


WINDOWS: Final = Table(
    Row("admin_username", "adminUsername"),
    Row("admin_password", "adminPassword"),
    Row("hybrid_benefit", "licenseType", codec=Codec(_license, _is_licensed), default="None"),
    Row("csi_proxy", "enableCSIProxy", default=True),
    Part(
        "gmsa",
        "",
        Table(Row("dns_server", "gmsaProfile.dnsServer"), Row("root_domain_name", "gmsaProfile.rootDomainName")),
        presence=Presence("gmsaProfile.enabled", on=True, off=(None, False)),
    ),
)
"""`windowsProfile`."""
