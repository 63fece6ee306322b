"""`nodepools cost`: what a person reads, and what a program does."""

import pytest

LIST = """currency: EUR
origin: our agreement of 2026
azure:
  westeurope: {Standard_D4ds_v5: 1, Standard_D2ds_v5: {on_demand: 0.5, spot: 0.1}}
"""


def test_a_table_for_people_says_what_is_counted_and_whose_prices_they_are(nodepools, project):
    said = nodepools("cost", "--stack", "dev", cwd=project).out
    lines = [line.split() for line in said.splitlines()]
    assert said.startswith("dev: USD per month\n")
    assert ["weu/system", "2", "x", "Standard_D4ds_v5", "at", "0.272", "per", "hour", "397.12", "397.12"] in lines
    assert "weu/batch: spot prices are unknown: pass yours with `--prices`" in said
    assert "Includes instances only" in said
    assert "2026-06-18" in said


def test_a_sum_with_an_unknown_part_keeps_what_is_known(nodepools, project):
    assert "at least 893.52" in nodepools("cost", "--stack", "dev", cwd=project).out


def test_json_has_every_platform_and_its_sums(nodepools, project):
    found = nodepools("cost", "--all", "--format", "json", cwd=project).json
    assert [one["name"] for one in found["platforms"]] == ["dev", "prod", "staging"]
    dev = found["platforms"][0]
    assert dev["minimum"] == {"amount": 864.32}
    assert dev["maximum"]["unbounded"] is True
    assert dev["pools"][0] == {
        "pool": "weu/system",
        "what": "2 x Standard_D4ds_v5 at 0.272 per hour",
        "minimum": {"amount": 397.12},
        "maximum": {"amount": 397.12},
        "notes": [],
    }
    assert found["currency"] == "USD"


def test_prices_of_your_own_take_the_place_of_the_shipped_ones(nodepools, project, tmp_path):
    (tmp_path / "prices.yaml").write_text(LIST)
    found = nodepools("cost", "--prices", str(tmp_path / "prices.yaml"), "--format", "json", cwd=project).json
    pools = {one["pool"]: one for one in found["platforms"][0]["pools"]}
    assert pools["weu/batch"]["maximum"] == {"amount": 730.0}
    assert pools["neu/system"]["minimum"]["why"] == "no price of `Standard_D4ds_v5` in `northeurope`: pass it with `--prices`"
    assert (found["currency"], found["prices"]) == ("EUR", "our agreement of 2026")


def test_markdown_for_a_pull_request(nodepools, project):
    said = nodepools("cost", "--stack", "dev", "--format", "markdown", cwd=project).out
    assert "| `weu/web` | 1 to 5 x Standard_D2ds_v5 at 0.136 per hour | 99.28 | 496.40 |" in said
    assert "| **weu** | | **496.40** | **at least 893.52** |" in said


@pytest.mark.parametrize(
    ("text", "status", "told"),
    [
        pytest.param("azure: {westeurope: {Standard_D4ds_v5: cheap}}", 1, "at azure.westeurope.Standard_D4ds_v5.on_demand: 'cheap'", id="no number"),
        pytest.param("azure: {westeurope: {Standard_D4ds_v5: 1e400}}", 1, "`on_demand` must be a number", id="a number beyond all bounds"),
        pytest.param("azure: {westeurope: {Standard_D4ds_v5: {spot: -1}}}", 1, "CFG001 error", id="no price on demand"),
        pytest.param("curency: EUR", 1, "Rename it to `currency`", id="a misspelt field"),
        pytest.param("- 1", 2, "is not a price list", id="a list"),
        pytest.param("a: [", 2, "prices.yaml:2:1: ", id="no YAML"),
    ],
)
def test_a_price_list_with_findings_is_refused_with_all_of_them(nodepools, project, tmp_path, text, status, told):
    (tmp_path / "prices.yaml").write_text(text)
    answer = nodepools("cost", "--prices", str(tmp_path / "prices.yaml"), cwd=project)
    assert (answer.status, answer.out) == (status, "")
    assert told in answer.err


def test_a_price_list_that_is_not_there(nodepools, project, tmp_path):
    answer = nodepools("cost", "--prices", str(tmp_path / "none.yaml"), cwd=project)
    assert (answer.status, answer.err.count("\n")) == (2, 1)
