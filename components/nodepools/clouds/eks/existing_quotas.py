"""Quotas and subnets as the AWS CLI prints them, recognized by their content."""

from collections.abc import Mapping
from typing import Final, cast

from nodepools.clouds.eks.resources import RESERVED
from nodepools.clouds.existing_objects import more_pages
from nodepools.clouds.export_values import Entry, entries_of, ipv4, number, text_in
from nodepools.clouds.item import Counter, Stock, SubnetStock, What
from nodepools.data.limits import ELASTIC_IPS, NAT_GATEWAYS, VPCS, vcpu_quota_codes
from nodepools.model.steps import mapping, sequence

_FREE: Final = "AvailableIpAddressCount"
_OF_NETWORK: Final[Mapping[str, tuple[What, str]]] = {
    VPCS.code: ("vpcs", "VPCs"),
    ELASTIC_IPS.code: ("elastic_ips", "Elastic IPs"),
    NAT_GATEWAYS.code: ("nat_gateways", ""),  # one quota for each zone
}
_ARN_PARTS: Final = 6


def quotas(value: object) -> Mapping[Counter, Stock] | None:
    """The quotas in the output of `aws service-quotas list-service-quotas`; `None` if it is something else.

    Raises:
        ValueError: a quota is invalid, or the output has more pages.
    """
    listed = _listed(value, "Quotas", "QuotaCode", "Value")
    if listed is None:
        return None
    found: dict[Counter, Stock] = {}
    for entry in listed:
        code = text_in(entry, "QuotaCode")
        kind = _kinds().get(code)
        if kind is not None:
            region, account = _place(entry, code)
            found[Counter(*kind, region, account).key] = Stock(number(entry, "Value", code))
    return found


def _kinds() -> Mapping[str, tuple[What, str]]:
    """What a quota limits, by its code."""
    vcpus: dict[str, tuple[What, str]] = {code: ("spot_vcpus" if spot else "vcpus", name) for code, name, spot in vcpu_quota_codes()}
    return {**vcpus, **_OF_NETWORK}


def _place(entry: Entry, code: str) -> tuple[str, str | None]:
    """Region and account, from the ARN. Default quotas have no account."""
    parts = text_in(entry, "QuotaArn").split(":")
    if len(parts) != _ARN_PARTS or not parts[3]:
        raise ValueError(f"`QuotaArn` of `{code}` must be an ARN with a region, which tells where the quota applies")
    return parts[3], parts[4] if parts[4] else None


def subnets(value: object) -> Mapping[str, SubnetStock] | None:
    """The subnets in the output of `aws ec2 describe-subnets`, by id in lower case; `None` if it is something else.

    Raises:
        ValueError: a subnet is invalid, or the output has more pages.
    """
    listed = _listed(value, "Subnets", "SubnetId", "CidrBlock")
    return None if listed is None else {text_in(entry, "SubnetId").lower(): _subnet(entry) for entry in listed}


def _subnet(entry: Entry) -> SubnetStock:
    name = text_in(entry, "SubnetId")
    cidr, free = ipv4(entry.get("CidrBlock")), number(entry, _FREE, name) if _FREE in entry else None  # Terraform does not have it
    if cidr is None:
        raise ValueError(f"`CidrBlock` of `{name}` must be an IPv4 range")
    limit = max(cidr.num_addresses - RESERVED, 0)
    tags = {str(tag.get("Key")): str(tag.get("Value")) for tag in map(mapping, sequence(entry.get("Tags")))}
    zone = entry.get("AvailabilityZone")
    return SubnetStock(str(cidr), Stock(limit, None if free is None else max(limit - free, 0)), zone if isinstance(zone, str) else "", tags)


def _listed(value: object, key: str, *keys: str) -> list[Entry] | None:
    if not isinstance(value, Mapping):
        return None
    page = cast("Entry", value)
    listed = entries_of(page.get(key), *keys)
    incomplete = more_pages(page) if listed is not None else None
    if incomplete is not None:
        raise ValueError(incomplete)
    return listed
