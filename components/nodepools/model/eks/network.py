"""Network settings of an EKS cluster. Facts: docs/facts/eks.md C27, C28, C37, § 12."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import IPv4Network
from typing import Annotated, Literal

from pydantic import Discriminator, Field, field_validator
from pydantic_core import PydanticCustomError

from nodepools.model.base import Model
from nodepools.model.cidr import Cidr, part
from nodepools.model.ref import KNOWN, Ref

_ZONE = re.compile(r"[a-z]{2,3}(?:-[a-z]+)+-[0-9](?P<letter>[a-f])|[a-z]+[0-9]-az(?P<number>[1-6])")
_SERVICE = re.compile(r"[a-z0-9][a-z0-9.-]*")
_SMALLEST = 28
"""AWS creates no subnet smaller than /28."""
_ZONES, _ZONES_OF = 3, {"us-west-1": 2}
"""Number of zones of a new network. Each region has at least three, of which an account sees two in `us-west-1`."""

_MOST_ZONES_OF = {"ap-northeast-1": 4, "ap-northeast-2": 4, "ca-central-1": 4, "cn-north-1": 4, "us-east-1": 6, "us-west-2": 4}
"""Regions with more than three zones, or with a zone of the fourth letter.

Source: docs.aws.amazon.com/global-infrastructure/latest/regions/aws-availability-zones.html, 2026-11."""


def default_zone_count(region: str) -> int:
    """Number of zones of a new network that declares none."""
    return _ZONES_OF.get(region, _ZONES)


def most_zones(region: str) -> int:
    """The most availability zones that a region has; an account can see fewer."""
    return _MOST_ZONES_OF.get(region, _ZONES)


def zone_place(zone: str) -> int | None:
    """Number of a zone in its region, from 0: by letter (`us-east-1c` is 2) or by id (`use1-az3` is 2). `None` if it is not an availability zone."""
    spelled = _ZONE.fullmatch(zone)
    if spelled is None:
        return None
    return int(spelled["number"]) - 1 if spelled["number"] else ord(spelled["letter"]) - ord("a")


def _is_id(zone: str) -> bool:
    return "-az" in zone


@dataclass(frozen=True, slots=True)
class ZoneRanges:
    """The subnets of one zone."""

    place: int
    """Number of the zone in its region, from 0. All resources of the zone are named by it."""
    private: str
    """An eighth of the VPC, for nodes and pods."""
    public: str
    """A thirty-second of the VPC, for NAT gateways and load balancers."""


class EksNetworkArgs(Model):
    """A new VPC for the cluster, with a public and a private subnet in each zone."""

    kind: Literal["EksNetwork"] = "EksNetwork"
    cidr: Cidr = "10.64.0.0/16"
    """Address range of the VPC, /16 to /23. Each zone gets an eighth of it for nodes and pods."""
    zones: Sequence[str] = ()
    """Availability zones, at least 2, all by name (`us-east-1a`) or all by id (`use1-az1`, the same place in every account). Default: the first three
    zones of the region that support a control plane. Adding a zone does not change the others."""
    nat: Literal["per-zone", "single"] | None = "per-zone"
    """Outbound route of private subnets: a NAT gateway in each zone (`per-zone`), one for all zones (`single`), or none. NAT gateways are in public
    subnets."""
    public_subnets: bool = True
    """Whether each zone has a public subnet, with one internet gateway, for NAT gateways and internet-facing load balancers. `False` requires
    `nat=None`: the VPC then has no route to the internet, and load balancers are internal. A change creates or deletes subnets and routes in place;
    AWS deletes no subnet while load balancers are in it."""
    endpoints: Sequence[str] = ()
    """VPC endpoints, by AWS service as in `com.amazonaws.REGION.SERVICE`: `ecr.api`, `sts`, …; a full service name is used unchanged. `s3` and
    `dynamodb` are gateway endpoints in the routes of private subnets, free of charge. The others have an interface in each private subnet, at an
    hourly price, with private DNS, and accept HTTPS from the VPC. `presets.eks_private_endpoints` has those that AWS lists for clusters without
    internet access. They are created before the cluster and deleted after it. A change is in place."""
    ipv6: bool = False
    """Whether the VPC also has an IPv6 range, which AWS assigns: a /56, of which each subnet has a /64. Private subnets reach the internet over IPv6
    through an egress-only gateway. Required for clusters with `ip_family="IPv6"`. A change is in place."""

    @field_validator("zones")
    @classmethod
    def _each_in_its_own_place(cls, zones: Sequence[str]) -> Sequence[str]:
        places: dict[int, str] = {}
        for zone in zones:
            place = zone_place(zone)
            if place is None:
                raise PydanticCustomError("zones", "must be availability zones such as `us-east-1a` or `use1-az1`, not {zone}", {"zone": repr(zone)})
            same = places.get(place, next((known for known in places.values() if _is_id(known) is not _is_id(zone)), None))
            if same is not None:
                message = "must be in one spelling, each once: {one} and {other} may be the same zone"
                raise PydanticCustomError("zones", message, {"one": same, "other": zone})
            places[place] = zone
        return zones

    @field_validator("endpoints")
    @classmethod
    def _each_service_once(cls, endpoints: Sequence[str]) -> Sequence[str]:
        for number, service in enumerate(endpoints):
            if _SERVICE.fullmatch(service) is None:
                raise PydanticCustomError("endpoints", "must be names of AWS services such as `ecr.api`, not {service}", {"service": repr(service)})
            if service in endpoints[:number]:
                raise PydanticCustomError("endpoints", "must be each service once: {service} is listed twice", {"service": repr(service)})
        return endpoints

    def ranges(self, place: int) -> ZoneRanges:
        """The subnets of zone number `place` in its region, 0 to 5: six eighths of the VPC are private, the rest is public.

        They depend only on the zone, so zones can be added, removed and reordered.
        """
        prefix = IPv4Network(self.cidr).prefixlen
        public = part(self.cidr, prefix + 2, 3)
        return ZoneRanges(place, private=part(self.cidr, prefix + 3, place), public=part(public, min(prefix + 5, _SMALLEST), place))


class ExistingEksNetwork(Model):
    """An existing VPC. Its owner has tagged the subnets for load balancers."""

    kind: Literal["ExistingEksNetwork"] = "ExistingEksNetwork"
    vpc_id: Ref
    """Id of the VPC."""
    private_subnet_ids: Sequence[Ref] = Field(min_length=1)
    """Ids of the subnets for nodes."""
    control_plane_subnet_ids: Sequence[Ref] = ()
    """Ids of the subnets for the control plane, in at least 2 zones. Default: the subnets for nodes."""
    cidr: Cidr | None = None
    """Range of the VPC, for checks and for the default service CIDR."""
    public_subnets: bool = True
    """Whether the VPC has public subnets for internet-facing load balancers. `False` makes the load balancers of the ingress class internal, unless
    its `scheme` is set. A change replaces the load balancers of Ingresses."""


EksNetwork = Annotated[EksNetworkArgs | ExistingEksNetwork, Discriminator("kind"), KNOWN]
