"""The table of Azure prices: what is in it, and where it is from."""

import json
import subprocess
import sys

import pytest

from nodepools.clouds.prices import azure_price, azure_price_origin


@pytest.mark.parametrize(
    ("region", "size", "price"),
    [
        pytest.param("westeurope", "Standard_D4ds_v5", 0.272, id="a size that is sold there"),
        pytest.param("northeurope", "Standard_D4ds_v5", 0.252, id="each region has its own"),
        pytest.param("westeurope", "Standard_Nothing", None, id="no such size"),
        pytest.param("atlantis", "Standard_D4ds_v5", None, id="no prices of this region"),
        pytest.param("northeurope", "Standard_NC24ads_A100_v4", 4.408, id="a GPU size"),
    ],
)
def test_a_price_is_known_or_none_is_said(region, size, price):
    assert azure_price(region, size) == price


def test_it_says_of_which_day_it_is():
    assert "2026-06-18" in azure_price_origin()


@pytest.fixture
def prices(project):
    table = project.parent / "shared" / "data" / "prices.json"
    if not table.exists():
        pytest.skip("the unfolded table is beside the project in CI only")
    return table


def test_nothing_is_lost_by_folding(prices):
    regions = json.loads(prices.read_text())["azure"]
    assert len(regions) == 8
    assert [(region, size) for region, known in regions.items() for size, price in known.items() if azure_price(region, size) != price] == []


def test_the_shipped_file_is_what_the_script_makes(prices, project, tmp_path):
    subprocess.run([sys.executable, project / "tools" / "fold_azure_prices.py", prices, tmp_path / "made.txt"], check=True)
    assert (tmp_path / "made.txt").read_bytes() == (project / "components/nodepools/data/azure_prices.txt").read_bytes()
