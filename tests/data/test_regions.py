"""The tables of regions and sizes: all clouds are in them, and of which day they are."""

import re
from datetime import date

import pytest

from nodepools.data.azure_vm_sizes import azure_vm_sizes
from nodepools.data.regions import aws_regions, azure_regions
from nodepools.model.name_limits import azure_name


@pytest.mark.parametrize("regions", [azure_regions(), aws_regions()], ids=["Azure", "AWS"])
def test_a_table_is_of_a_day_and_names_regions_alone(regions):
    assert regions.day >= date(2026, 8, 21)
    assert len(regions.names) > 40
    assert all(re.fullmatch(r"[a-z]+[a-z0-9]*|[a-z]+(-[a-z]+)+-[0-9]", name) for name in regions.names)


@pytest.mark.parametrize(
    ("table", "name", "near"),
    [
        pytest.param(azure_regions(), "westeuropa", ("westeurope",), id="another letter"),
        pytest.param(azure_regions(), "westeruope", ("westeurope",), id="two letters exchanged"),
        pytest.param(azure_regions(), "esatus2", ("eastus2",), id="exchanged, with a number"),
        pytest.param(azure_regions(), "westeuropee", ("westeurope",), id="a letter more"),
        pytest.param(azure_regions(), "north_central-us", ("northcentralus",), id="separators"),
        pytest.param(azure_regions(), "estus", ("eastus", "westus"), id="two are as near"),
        pytest.param(azure_regions(), "eastus9", (), id="another number can be newer"),
        pytest.param(azure_regions(), "westeurope2", (), id="so can a first number"),
        pytest.param(azure_regions(), "ukeast", (), id="another direction can be newer"),
        pytest.param(azure_regions(), "atlantis", (), id="another word can be newer"),
        pytest.param(azure_regions(), "uswest", (), id="another country can be newer"),
        pytest.param(azure_regions(), "westeurope", (), id="a region"),
        pytest.param(azure_regions(), "", (), id="nothing"),
        pytest.param(azure_regions(), "Ärger!", (), id="no name at all"),
        pytest.param(aws_regions(), "us-esat-1", ("us-east-1",), id="AWS: exchanged"),
        pytest.param(aws_regions(), "us-east1", ("us-east-1",), id="AWS: without a hyphen"),
        pytest.param(aws_regions(), "US-EAST-1", ("us-east-1",), id="AWS: in capitals"),
        pytest.param(aws_regions(), "us-esat-7", ("us-east-1", "us-east-2"), id="AWS: with a number that is not known"),
        pytest.param(aws_regions(), "nz-central-1", (), id="AWS: another country can be newer"),
        pytest.param(aws_regions(), "us-south-1", (), id="AWS: so can another direction"),
        pytest.param(aws_regions(), "us-east-3", (), id="AWS: and another number"),
        pytest.param(aws_regions(), "us-goov-west-1", (), id="AWS: another partition can be newer"),
    ],
)
def test_a_misspelt_region_is_certain_and_a_newer_one_is_not(table, name, near):
    assert table.misspelt(name) == near


def test_no_region_is_taken_for_a_misspelling_of_another():
    """Each region, as if the table were from before it: that it is not known must not make it an error."""
    for table in (azure_regions(), aws_regions()):
        for name in table.names:
            assert table._replace(names=table.names - {name}).misspelt(name) == (), name


def test_regions_without_zones_are_regions():
    assert azure_regions().without_zones < azure_regions().names
    assert {"westus", "northcentralus", "westcentralus"} <= azure_regions().without_zones
    assert not {"westus2", "eastus", "westeurope", "chinanorth3"} & azure_regions().without_zones
    assert aws_regions().without_zones == set()


def test_a_display_name_is_that_of_its_region():
    assert azure_name("West US 2") == "westus2"


def test_a_size_is_found_in_capitals_or_not_and_told_as_azure_spells_it():
    sizes = azure_vm_sizes()
    assert sizes["STANDARD_D4DS_V5"] is sizes["Standard_D4ds_v5"]
    assert sizes["standard_d4ds_v5"].name == "Standard_D4ds_v5"
    assert all(sizes[name].name == name for name in sizes)


def test_sizes_that_have_gpus_of_nvidia_are_known_to_have_gpus():
    assert {size.name for size in azure_vm_sizes().values() if size.has_nvidia_gpus and size.gpus == 0} == set()
