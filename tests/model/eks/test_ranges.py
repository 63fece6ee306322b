"""The subnets of a network: they depend on the zone alone."""

from itertools import combinations

import pytest

from nodepools import DeclarationError, EksNetworkArgs
from nodepools.model.cidr import inside, overlap
from nodepools.model.eks.cluster import zone_place

ALL_PLACES = range(6)


@pytest.mark.parametrize(
    ("zone", "place"),
    [
        pytest.param("us-east-1a", 0, id="a is the first"),
        pytest.param("us-east-1f", 5, id="f is the sixth"),
        pytest.param("use1-az1", 0, id="ids count from one"),
        pytest.param("apne1-az4", 3, id="ids leave numbers out"),
        pytest.param("us-gov-west-1b", 1, id="GovCloud"),
        pytest.param("cn-northwest-1c", 2, id="China"),
        pytest.param("us-east-1-bos-1a", None, id="a local zone is none"),
        pytest.param("us-east-1-wl1-bos-wlz-1", None, id="a wavelength zone is none"),
        pytest.param("us-east-1", None, id="a region is none"),
        pytest.param("use1-az9", None, id="there are no nine"),
    ],
)
def test_a_zone_has_a_place_in_its_region(zone, place):
    assert zone_place(zone) == place


@pytest.mark.parametrize("cidr", ["10.0.0.0/16", "172.16.32.0/20", "192.168.0.0/23"])
def test_the_subnets_of_six_zones_lie_in_the_vpc_and_do_not_meet(cidr):
    zones = [EksNetworkArgs(cidr=cidr).ranges(place) for place in ALL_PLACES]
    subnets = [subnet for zone in zones for subnet in (zone.private, zone.public)]
    assert all(inside(subnet, cidr) for subnet in subnets)
    assert not any(overlap(one, other) for one, other in combinations(subnets, 2))


def test_nodes_have_the_large_ranges():
    first = EksNetworkArgs(cidr="10.0.0.0/16").ranges(0)
    assert (first.private, first.public) == ("10.0.0.0/19", "10.0.192.0/21")


def test_another_zone_changes_no_subnet_of_the_others():
    two, three = EksNetworkArgs(zones=["us-east-1b", "us-east-1d"]), EksNetworkArgs(zones=["us-east-1a", "us-east-1d", "us-east-1b"])
    assert [two.ranges(place) for place in (1, 3)] == [three.ranges(place) for place in (1, 3)]


@pytest.mark.parametrize(
    ("zones", "said"),
    [
        pytest.param(["us-east-1a", "us-east-1a"], "each once", id="a zone twice"),
        pytest.param(["us-east-1a", "use1-az1"], "one spelling", id="a name and an id, which may be the same zone"),
        pytest.param(["us-east-1a", "us-east-1b", "use1-az3"], "us-east-1a and use1-az3", id="whatever their places: names differ between accounts"),
        pytest.param(["us-east-1-bos-1a", "us-east-1a"], "not 'us-east-1-bos-1a'", id="a local zone"),
    ],
)
def test_zones_that_cannot_be_told_apart_are_refused(zones, said):
    with pytest.raises(DeclarationError, match=said):
        _ = EksNetworkArgs(zones=zones).zones


@pytest.mark.parametrize(
    ("endpoints", "said"),
    [
        pytest.param(["ECR api"], "must be names of AWS services such as `ecr.api`, not 'ECR api'", id="no name of a service"),
        pytest.param(["s3", "sts", "s3"], "must be each service once: 's3' is listed twice", id="one service twice"),
    ],
)
def test_endpoints_are_services_each_once(endpoints, said):
    with pytest.raises(DeclarationError, match=said):
        _ = EksNetworkArgs(endpoints=endpoints).endpoints
