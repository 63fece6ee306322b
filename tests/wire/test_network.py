"""The tables of networks: complete on both sides, and undone by reading as far as one resource says it."""

import pytest
from pulumi_azure_native.network import _inputs
from pulumi_azure_native.network.subnet import Subnet as SubnetResource
from pulumi_azure_native.network.virtual_network import VirtualNetwork

from nodepools import AksNetworkArgs, ExistingAksNetwork
from nodepools.aks import ManagedAksNetwork
from nodepools.model.unknowns import UNKNOWN, partial
from nodepools.wire.aks.network import EXISTING, MANAGED, SUBNET, VIRTUAL_NETWORK, NetworkContext, pods_subnet_name, subnets
from nodepools.wire.paths import effect_of, model_of, wire_of
from nodepools.wire.reading import Reading, Why, read, write
from nodepools.wire.table import Effect, python_name
from tests.wire.completeness import arguments, declared, fields, inputs, names_below, without_reason, without_source

AROUND = NetworkContext("n" * 80, "westeurope")
DUAL = AksNetworkArgs(cidr="10.1.0.0/16", cidr_v6="fd00:1::/48", pool_subnets={"web": "10.1.64.0/24"})
PREFIXES = ("addressSpace", "addressPrefixes")


def test_every_argument_of_the_sdk_has_a_row() -> None:
    assert {python_name(name) for name in names_below(VIRTUAL_NETWORK)} | {"id"} == arguments(VirtualNetwork)
    assert names_below(VIRTUAL_NETWORK, PREFIXES[:1]) == inputs(_inputs.AddressSpaceArgs)
    assert {python_name(name) for name in names_below(SUBNET)} | {"id"} == arguments(SubnetResource)


def test_every_field_has_one_row() -> None:
    assert fields(VIRTUAL_NETWORK) == declared(AksNetworkArgs)
    assert fields(EXISTING) == declared(ExistingAksNetwork)
    assert fields(MANAGED) == declared(ManagedAksNetwork)


def test_a_row_says_what_a_change_does_and_who_says_so() -> None:
    assert [without_source(table) for table in (VIRTUAL_NETWORK, SUBNET, EXISTING, MANAGED)] == [[], [], [], []]
    assert [without_reason(table) for table in (VIRTUAL_NETWORK, SUBNET)] == [[], []]


@pytest.mark.parametrize("network", [AksNetworkArgs(), DUAL], ids=["one family", "both families"])
def test_a_network_comes_back_as_it_was_sent(network: AksNetworkArgs) -> None:
    wire = write(VIRTUAL_NETWORK, network, AROUND)
    reading = Reading()
    found = read(VIRTUAL_NETWORK, wire, reading)
    assert found == {name: value for name in ("cidr", "cidr_v6") if (value := getattr(network, name)) is not None}
    assert reading.left == []
    assert write(VIRTUAL_NETWORK, AksNetworkArgs.model_validate(found), AROUND) == wire


def test_a_network_has_its_names() -> None:
    wire = write(VIRTUAL_NETWORK, AksNetworkArgs(), AROUND)
    assert (len(str(wire["virtualNetworkName"])), wire["location"], wire["addressSpace"]) == (
        64,
        "westeurope",
        {"addressPrefixes": ["10.224.0.0/16"]},
    )


def test_subnets_are_in_the_order_of_registration() -> None:
    made = subnets(AksNetworkArgs(pool_subnets={"web": "10.224.64.0/24"}, pod_subnet_cidr="10.224.128.0/17"))
    assert [(one.name.partition("-")[0], one.cidr) for one in made.values()] == [
        ("nodes", "10.224.0.0/18"),
        ("web", "10.224.64.0/24"),
        ("pods", "10.224.128.0/17"),
    ]
    assert list(made) == [one.name for one in made.values()]
    assert pods_subnet_name("10.224.128.0/17") in made


def test_a_subnet_has_a_range_of_each_family() -> None:
    nodes, web = subnets(DUAL).values()
    assert write(SUBNET, DUAL, web)["addressPrefixes"] == ["10.1.64.0/24", "fd00:1:0:4000::/64"]
    assert "addressPrefix" not in write(SUBNET, DUAL, web)
    assert write(SUBNET, DUAL, nodes)["subnetName"] == "nodes"


def test_pods_have_a_subnet_in_networks_of_one_family_only() -> None:
    [_, pods] = subnets(network := AksNetworkArgs(pod_subnet_cidr="10.224.128.0/17", cidr_v6="fd00:1::/48")).values()
    assert write(SUBNET, network, pods)["addressPrefix"] == "10.224.128.0/17"


def test_what_others_have_is_listed() -> None:
    reading = Reading()
    assert read(VIRTUAL_NETWORK, {"encryption": {"enabled": True}, "addressSpace": {"addressPrefixes": ["odd"]}}, reading) == {
        "cidr": UNKNOWN,
        "cidr_v6": UNKNOWN,
    }
    assert [(one.steps, one.why) for one in reading.left] == [(PREFIXES, Why.UNREADABLE), (("encryption",), Why.UNMODELED)]
    assert write(VIRTUAL_NETWORK, partial(AksNetworkArgs(), ("cidr",)), AROUND)["addressSpace"] == {"addressPrefixes": UNKNOWN}


def test_paths_go_both_ways() -> None:
    assert wire_of(VIRTUAL_NETWORK, ("cidr_v6",)) == PREFIXES
    assert model_of(VIRTUAL_NETWORK, PREFIXES) == ("cidr",)
    assert wire_of(EXISTING, ("pod_subnet_id",)) == ("podSubnetID",)


def test_ranges_in_use_cannot_change() -> None:
    assert effect_of(VIRTUAL_NETWORK, PREFIXES, "") is Effect.REFUSED
    assert effect_of(SUBNET, ("addressPrefix",), "") is Effect.REFUSED
    assert effect_of(EXISTING, ("vnetSubnetID",), "") is Effect.ROTATES
