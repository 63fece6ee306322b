"""The tables of regions and sizes: all clouds are in them, and of which day they are."""

import re
from datetime import date

import pytest

from nodepools.data.azure_vm_sizes import azure_vm_sizes
from nodepools.data.regions import aws_regions, azure_name, azure_regions


@pytest.mark.parametrize("regions", [azure_regions(), aws_regions()], ids=["Azure", "AWS"])
def test_a_table_is_of_a_day_and_names_regions_alone(regions):
    assert regions.day >= date(2026, 8, 21)
    assert len(regions.names) > 40
    assert all(re.fullmatch(r"[a-z]+[a-z0-9]*|[a-z]+(-[a-z]+)+-[0-9]", name) for name in regions.names)


def test_a_display_name_is_that_of_its_region():
    assert azure_name("West US 2") == "westus2"


def test_a_size_is_found_in_capitals_or_not_and_told_as_azure_spells_it():
    sizes = azure_vm_sizes()
    assert sizes["STANDARD_D4DS_V5"] is sizes["Standard_D4ds_v5"]
    assert sizes["standard_d4ds_v5"].name == "Standard_D4ds_v5"
    assert all(sizes[name].name == name for name in sizes)


def test_sizes_that_have_gpus_of_nvidia_are_known_to_have_gpus():
    assert {size.name for size in azure_vm_sizes().values() if size.has_nvidia_gpus and size.gpus == 0} == set()
