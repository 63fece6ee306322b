"""The network of a cluster, or one on its own."""

import pulumi_aws
import pytest

from nodepools import EksNetworkArgs, ExistingEksNetwork, StackOutput, testing
from nodepools.eks import EksNetwork

ZONES = "aws:index/getAvailabilityZones:getAvailabilityZones"


@pytest.fixture
def make():
    """Registers a network called `dev-use1`; the fields of its declaration are keywords."""

    def made(*, region="us-east-1", **fields):
        run = {name: fields.pop(name) for name in ("calls", "preview") if name in fields}
        return testing.run(lambda: EksNetwork("dev-use1", EksNetworkArgs(**fields), region, {"platform": "dev"}), **run)

    return made


def zones_of(graph, side):
    return [node.inputs.get("availabilityZone", node.inputs.get("availabilityZoneId")) for node in graph.all(f"Subnet/dev-use1-{side}-*")]


def test_every_zone_has_a_public_and_a_private_subnet(make, preview):
    graph = make(preview=preview)
    assert zones_of(graph, "public") == zones_of(graph, "private")
    assert len(zones_of(graph, "private")) == 3


def test_by_default_it_stands_in_the_first_zones_that_hold_a_control_plane(make):
    asked = []

    def answer(args):
        asked.append(args)
        return {"names": ["us-east-1d", "us-east-1b", "us-east-1f", "us-east-1a"], "zoneIds": []}

    assert zones_of(make(calls={ZONES: answer}), "private") == ["us-east-1a", "us-east-1b", "us-east-1d"]
    [args] = asked
    assert args["excludeZoneIds"] == ["use1-az3", "usw1-az2", "cac1-az3"]
    assert args["filters"] == [{"name": "opt-in-status", "values": ["opt-in-not-required"]}]  # no local zones
    assert (args["region"], args["state"]) == ("us-east-1", "available")


def test_a_newly_announced_zone_replaces_no_subnet(make):
    assert {subnet.ignore_changes for subnet in make().some("Subnet")} == {("availabilityZone",)}


def test_a_declared_zone_is_not_ignored(make):
    assert {subnet.ignore_changes for subnet in make(zones=["us-east-1a", "us-east-1b"]).some("Subnet")} == {()}


def test_to_declare_the_zones_that_were_chosen_changes_nothing(make):
    chosen, fixed = make(region="eu-west-1"), make(region="eu-west-1", zones=["eu-west-1a", "eu-west-1b", "eu-west-1c"])
    between = fixed.waves(since=chosen)
    assert (between.creates, between.updates, between.deletes) == ((), frozenset(), ())


def test_a_region_that_shows_too_few_zones_says_what_to_do(make):
    with pytest.raises(Exception, match=r"set network\.zones to two zones"):
        make(calls={ZONES: lambda _: {"names": ["us-east-1a"], "zoneIds": []}})


def test_a_region_where_accounts_see_two_zones_has_two(make):
    graph = make(region="us-west-1", calls={ZONES: lambda _: {"names": ["us-west-1a", "us-west-1c"], "zoneIds": []}})
    assert zones_of(graph, "private") == ["us-west-1a", "us-west-1c"]


def test_zones_may_be_given_by_id(make):
    graph = make(zones=["use1-az4", "use1-az1"])
    assert zones_of(graph, "private") == ["use1-az1", "use1-az4"]
    assert not any("availabilityZone" in subnet.inputs for subnet in graph.some("Subnet"))


def test_another_zone_adds_and_changes_nothing_else(make):
    between = make(zones=["us-east-1b", "us-east-1c", "us-east-1a"]).waves(since=make(zones=["us-east-1a", "us-east-1c"]))
    made = {label for wave in between.creates for label in wave}
    assert (between.updates, between.deletes) == (frozenset(), ())
    assert all(label.endswith("-2") for label in made)


@pytest.mark.parametrize(
    ("nat", "gateways", "routes"),
    [
        pytest.param("per-zone", ["1", "2", "3"], {"1": "1", "2": "2", "3": "3"}, id="each zone its own"),
        pytest.param("single", ["1"], {"1": "1", "2": "1", "3": "1"}, id="one for all"),
        pytest.param(None, [], {}, id="none"),
    ],
)
def test_private_subnets_reach_the_internet_by_nat(make, nat, gateways, routes):
    graph = make(nat=nat)
    assert [node.name for node in graph.all("NatGateway")] == [f"dev-use1-nat-{zone}" for zone in gateways]
    assert len(graph.all("Eip")) == len(gateways)
    led = {node.name: node.inputs["natGatewayId"] for node in graph.all("Route/dev-use1-private-*")}
    assert led == {f"dev-use1-private-{zone}": f"dev-use1-nat-{by}-id" for zone, by in routes.items()}


def test_more_nat_gateways_change_where_routes_lead_and_nothing_else(make):
    between = make(nat="per-zone").waves(since=make(nat="single"))
    assert between.updates == {"Route/dev-use1-private-2", "Route/dev-use1-private-3"}
    assert between.deletes == ()


def test_nat_goes_before_the_gateway_that_it_uses(make):
    graph = make()
    assert graph.deletes("NatGateway").before("InternetGateway")
    assert graph.deletes("Eip").before("InternetGateway")


def test_load_balancers_and_node_classes_find_subnets_by_tags(make):
    graph = make()
    for public, private in zip(graph.all("Subnet/dev-use1-public-*"), graph.all("Subnet/dev-use1-private-*"), strict=True):
        assert public.inputs["tags"]["kubernetes.io/role/elb"] == "1"
        assert private.inputs["tags"]["kubernetes.io/role/internal-elb"] == "1"
        assert private.inputs["tags"]["nodepools/network"] == "dev-use1"
        assert private.inputs["tags"]["platform"] == "dev"


def test_names_are_found_in_the_vpc(make):
    vpc = make(cidr="10.1.0.0/16").one("Vpc").inputs
    assert (vpc["cidrBlock"], vpc["enableDnsHostnames"], vpc["enableDnsSupport"]) == ("10.1.0.0/16", True, True)


def test_it_hands_on_its_ids():
    def program():
        network = EksNetwork("shared", EksNetworkArgs(zones=["us-east-1a", "us-east-1b"]), "us-east-1")
        pulumi_aws.ec2.SecurityGroup("mine", vpc_id=network.vpc_id)

    graph = testing.run(program)
    assert graph.one("EksNetwork").outputs == {
        "vpc_id": "shared-vpc-id",
        "private_subnet_ids": ["shared-private-1-id", "shared-private-2-id"],
        "public_subnet_ids": ["shared-public-1-id", "shared-public-2-id"],
    }
    assert graph.one("SecurityGroup").inputs["vpcId"] == "shared-vpc-id"


def test_an_existing_network_is_used_and_nothing_made(deploy, preview):
    graph = deploy(network=ExistingEksNetwork(vpc_id="vpc-1", private_subnet_ids=["subnet-1", "subnet-2"]), preview=preview)
    assert not [node for node in graph if node.type.startswith("aws:ec2")]
    assert graph.one("Cluster").inputs["vpcConfig"]["subnetIds"] == ["subnet-1", "subnet-2"]
    assert graph.one("NodeClass").inputs["spec"]["subnetSelectorTerms"] == [{"id": "subnet-1"}, {"id": "subnet-2"}]


def test_the_control_plane_of_an_existing_network_may_stand_elsewhere(deploy):
    network = ExistingEksNetwork(vpc_id="vpc-1", private_subnet_ids=["subnet-1"], control_plane_subnet_ids=["subnet-8", "subnet-9"])
    graph = deploy(network=network)
    assert graph.one("Cluster").inputs["vpcConfig"]["subnetIds"] == ["subnet-8", "subnet-9"]
    assert graph.one("NodeClass").inputs["spec"]["subnetSelectorTerms"] == [{"id": "subnet-1"}]


def test_an_existing_network_may_be_the_output_of_another_stack(deploy):
    given = {f"subnet{n}": StackOutput("acme/network/prod", f"subnet{n}") for n in (1, 2)}
    network = ExistingEksNetwork(vpc_id="vpc-1", private_subnet_ids=list(given.values()))
    graph = deploy(network=network, stacks={"acme/network/prod": {"subnet1": "subnet-a", "subnet2": "subnet-b"}})
    assert graph.one("Cluster").inputs["vpcConfig"]["subnetIds"] == ["subnet-a", "subnet-b"]
    assert len(graph.some("StackReference")) == 1


PRIVATE = {"public_subnets": False, "nat": None}


def test_a_private_network_has_no_way_to_the_internet(make, preview):
    graph = make(**PRIVATE, preview=preview)
    assert zones_of(graph, "public") == []
    assert len(zones_of(graph, "private")) == 3
    assert not [node.display_name for kind in ("InternetGateway", "NatGateway", "Eip", "Route") for node in graph.all(kind)]
    assert graph.one("EksNetwork").outputs["public_subnet_ids"] == []


def test_endpoints_are_in_private_subnets_or_in_their_routes(make, preview):
    graph = make(**PRIVATE, endpoints=["ecr.api", "s3", "com.amazonaws.vpce.us-east-1.vpce-svc-1"], preview=preview)
    images = graph.one("VpcEndpoint/dev-use1-endpoint-ecr-api")
    assert images.inputs["serviceName"] == "com.amazonaws.us-east-1.ecr.api"
    assert (images.inputs["vpcEndpointType"], images.inputs["privateDnsEnabled"]) == ("Interface", True)
    assert images.depends_on("Subnet/dev-use1-private-1")
    assert images.depends_on("SecurityGroup/dev-use1-endpoints")
    objects = graph.one("VpcEndpoint/dev-use1-endpoint-s3")
    assert objects.inputs["vpcEndpointType"] == "Gateway"
    assert not {"subnetIds", "securityGroupIds", "privateDnsEnabled"} & objects.inputs.keys()
    assert objects.depends_on("RouteTable/dev-use1-private-1")
    assert graph.one("VpcEndpoint/*vpce-svc-1").inputs["serviceName"] == "com.amazonaws.vpce.us-east-1.vpce-svc-1"
    [rule] = graph.one("SecurityGroup").inputs["ingress"]
    assert (rule["protocol"], rule["fromPort"], rule["toPort"]) == ("tcp", 443, 443)


@pytest.mark.parametrize("services", [[], ["s3"]])
def test_without_interfaces_there_is_no_security_group(make, services):
    assert not make(endpoints=services).all("SecurityGroup")


def test_a_second_family_adds_ranges_and_routes(make, preview):
    graph = make(ipv6=True, zones=["us-east-1a", "us-east-1b"], preview=preview)
    assert graph.one("Vpc").inputs["assignGeneratedIpv6CidrBlock"] is True
    assert {subnet.inputs["assignIpv6AddressOnCreation"] for subnet in graph.some("Subnet")} == {True}
    out = graph.one("Route/dev-use1-private-1-ipv6")
    assert (out.inputs["destinationIpv6CidrBlock"], out.depends_on("EgressOnlyInternetGateway")) == ("::/0", True)
    assert graph.one("Route/dev-use1-public-ipv6").depends_on("InternetGateway")


def test_each_subnet_has_a_64_of_its_own(make):
    ranges = {node.name: node.inputs["ipv6CidrBlock"] for node in make(ipv6=True, zones=["us-east-1a", "us-east-1c"]).some("Subnet")}
    assert ranges == {
        "dev-use1-private-1": "2001:db8:1234:1a00::/64",
        "dev-use1-private-3": "2001:db8:1234:1a02::/64",
        "dev-use1-public-1": "2001:db8:1234:1a08::/64",
        "dev-use1-public-3": "2001:db8:1234:1a0a::/64",
    }


def test_one_family_adds_nothing(make):
    graph = make()
    assert not graph.all("EgressOnlyInternetGateway")
    assert not graph.all("Route/*ipv6")
    assert not any({"ipv6CidrBlock", "assignIpv6AddressOnCreation"} & node.inputs.keys() for node in graph.some("Subnet"))
