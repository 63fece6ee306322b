"""Default responses to invokes of a program: plain values that are obviously invented."""

import base64
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from nodepools.engine.property_values import JsonValue
from nodepools.engine.yaml_groups import decoded

Fixture: TypeAlias = Callable[[Mapping[str, JsonValue]], Mapping[str, JsonValue]]
"""Responds to one function. Receives the settings of the provider (`region`, `subscriptionId`), overridden by the arguments of the call."""

ACCOUNT = "123456789012"
ZERO = "00000000-0000-0000-0000-000000000000"
_KUBECONFIG = Path(__file__).parent / "kubeconfig.template"  # its server and client ids belong to AKS and are the same for all clusters

# Regions that do not have three zones.
_ZONES = {"us-east-1": "abcdef", "us-west-2": "abcd", "ap-northeast-2": "abcd", "us-west-1": "ab"}


def client_config(args: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    """Who is deploying to Azure."""
    return {
        "clientId": text(args, "clientId", ZERO),
        "objectId": ZERO,
        "subscriptionId": text(args, "subscriptionId", ZERO),
        "tenantId": text(args, "tenantId", ZERO),
    }


def user_credentials(args: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    """The kubeconfig of an AKS cluster with Entra ID: without secrets, with a login through `kubelogin`."""
    cluster = text(args, "resourceName", "cluster")
    user = f"clusterUser_{text(args, 'resourceGroupName', 'group')}_{cluster}"
    tenant, template = text(args, "tenantId", ZERO), _KUBECONFIG.read_text(encoding="utf-8")
    kubeconfig = template.format(cluster=cluster, user=user, tenant=tenant, authority=_base64("made up"))
    return {"kubeconfigs": [{"name": "clusterUser", "value": _base64(kubeconfig)}]}


def caller_identity(args: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    """Who is deploying to AWS."""
    arn = f"arn:{partition_of(text(args, 'region', ''))}:iam::{ACCOUNT}:user/example"
    return {"accountId": ACCOUNT, "arn": arn, "id": ACCOUNT, "userId": "AIDAEXAMPLEEXAMPLE00"}


def partition(args: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    """The AWS partition of a region."""
    name = partition_of(text(args, "region", ""))
    suffix, reverse = ("amazonaws.com.cn", "cn.com.amazonaws") if name == "aws-cn" else ("amazonaws.com", "com.amazonaws")
    return {"dnsSuffix": suffix, "id": name, "partition": name, "reverseDnsPrefix": reverse}


def availability_zones(args: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    """The zones of a region. AWS maps zone names to ids for each account; here `a` is always the first id."""
    region = text(args, "region", "us-east-1")
    zones = [(f"{region}{letter}", f"{zone_prefix(region)}-az{number}") for number, letter in enumerate(_ZONES.get(region, "abc"), 1)]
    kept = [(name, id_) for name, id_ in zones if name not in words(args, "excludeNames") and id_ not in words(args, "excludeZoneIds")]
    names, ids = [name for name, _ in kept], [id_ for _, id_ in kept]
    return {"groupNames": [region], "id": region, "names": names, "region": region, "state": text(args, "state", "available"), "zoneIds": ids}


DEFAULTS: Mapping[str, Fixture] = {
    "aws:index/getAvailabilityZones:getAvailabilityZones": availability_zones,
    "aws:index/getCallerIdentity:getCallerIdentity": caller_identity,
    "aws:index/getPartition:getPartition": partition,
    "azure-native:authorization:getClientConfig": client_config,
    "azure-native:containerservice:listManagedClusterUserCredentials": user_credentials,
    "kubernetes:yaml:decode": decoded,
    "pulumi:pulumi:readStackResourceOutputs": lambda _: {"outputs": {}},  # there is no state
}


ASSUMED: Mapping[str, str] = {"aws:index/getAvailabilityZones:getAvailabilityZones": "the zones of the region"}
"""What the default responses invent. Those that are not here follow from the arguments."""


def partition_of(region: str) -> str:
    """`aws`, `aws-cn` or `aws-us-gov`."""
    return next((f"aws-{start}" for start in ("cn", "us-gov") if region.startswith(f"{start}-")), "aws")


def zone_prefix(region: str) -> str:
    """The abbreviation of a region in zone ids: `apse2` for `ap-southeast-2`, `usgw1` for `us-gov-west-1`."""
    area, *directions, number = region.split("-")
    short = {"northeast": "ne", "northwest": "nw", "southeast": "se", "southwest": "sw"}
    return area + "".join(short.get(direction, direction[:1]) for direction in directions) + number


def text(args: Mapping[str, JsonValue], name: str, otherwise: str) -> str:
    """The argument if it is a string; otherwise `otherwise`."""
    value = args.get(name)
    return value if isinstance(value, str) else otherwise


def words(args: Mapping[str, JsonValue], name: str) -> Sequence[JsonValue]:
    """The argument if it is a list; otherwise empty."""
    value = args.get(name)
    return value if isinstance(value, list) else ()


def _base64(plain: str) -> str:
    return base64.b64encode(plain.encode()).decode()
