"""Output of `aws eks`, in the spelling of AWS's API: the same rows at the places that the API has.

The output lacks the region and arguments that only apply at creation. It also contains values that only AWS sets.
"""

from collections.abc import Mapping, Sequence
from typing import Final, cast

from nodepools.wire.codecs import Codec
from nodepools.wire.dialects import respelled
from nodepools.wire.eks.access import ENTRY, POLICY
from nodepools.wire.eks.cluster import CLUSTER, KEY
from nodepools.wire.eks.log_group import LOG_GROUP
from nodepools.wire.eks.sources import UPDATED
from nodepools.wire.rows import Row
from nodepools.wire.table import Table, Written
from nodepools.wire.unmodeled import Note


def _logged(logging: Mapping[str, Sequence[Written]]) -> list[object]:
    return [type_name for group in logging["clusterLogging"] if group["enabled"] for type_name in cast("Sequence[object]", group["types"])]


def _to_logging(types: Sequence[object]) -> dict[str, object]:
    return {"clusterLogging": [{"types": list(types), "enabled": True}]} if types else {}


def _key(encryption: Sequence[Mapping[str, Written]]) -> object:
    [one] = encryption
    return one["provider"]["keyArn"]


def _to_encryption(key: object) -> list[object]:
    return [{"resources": ["secrets"], "provider": {"keyArn": key}}]


_NOT_REPORTED: Final = ("region", "bootstrapSelfManagedAddons", "accessConfig.bootstrapClusterCreatorAdminPermissions", "defaultAddonsToRemoves")
_OTHERWISE: Final = ("enabledClusterLogTypes", "encryptionConfig", "forceUpdateVersion")
_FROM_AWS: Final = (
    "arn",
    "createdAt",
    "endpoint",
    "identity",
    "status",
    "certificateAuthority",
    "clientRequestToken",
    "platformVersion",
    "id",
    "health",
)

DESCRIBED: Final = Table(
    *respelled(CLUSTER, {"vpcConfig": "resourcesVpcConfig", **dict.fromkeys((*_NOT_REPORTED, *_OTHERWISE))}),
    Row("log_types", "logging", UPDATED, Codec(_to_logging, _logged), absent=[]),
    Row("secrets_key", "encryptionConfig", KEY, Codec(_to_encryption, _key)),
    *(Note("read_only", name) for name in (*_FROM_AWS, "connectorConfig")),
)
"""`cluster` of `aws eks describe-cluster`."""
DESCRIBED_ENTRY: Final = Table(
    *respelled(ENTRY, {"userName": "username", "region": None}), *(Note("read_only", name) for name in ("accessEntryArn", "createdAt", "modifiedAt"))
)
"""`accessEntry` of `aws eks describe-access-entry`."""
LISTED_POLICY: Final = Table(
    *respelled(POLICY, dict.fromkeys(("clusterName", "principalArn", "region"))),
    *(Note("read_only", name) for name in ("associatedAt", "modifiedAt")),
)
"""An entry of `associatedAccessPolicies` of `aws eks list-associated-access-policies`."""
LISTED_GROUP: Final = Table(
    *respelled(LOG_GROUP, dict.fromkeys(("name", "region", "tags", "skipDestroy", "logGroupClass", "namePrefix", "deletionProtectionEnabled"))),
    *(
        Note("read_only", name)
        for name in ("logGroupName", "creationTime", "metricFilterCount", "arn", "storedBytes", "logGroupArn", "logGroupClass")
    ),
    *(
        Note("read_only", name)
        for name in ("dataProtectionStatus", "inheritedProperties", "deletionProtectionEnabled", "bearerTokenAuthenticationEnabled")
    ),
)
"""An entry of `logGroups` of `aws logs describe-log-groups`."""
