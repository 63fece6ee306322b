"""`nodepools cost`: what a person reads, and what a program does."""

import pytest

from nodepools.cli.cost import EXAMPLE

LIST = """currency: EUR
origin: our agreement of 2026
azure:
  westeurope: {Standard_D4ds_v5: 1, Standard_D2ds_v5: {on_demand: 0.5, spot: 0.1}}
"""


def test_the_answer_comes_first(nodepools, project):
    said = nodepools("cost", "--stack", "dev", cwd=project).out
    lines = said.splitlines()
    assert lines[0] == "dev: at least 864 USD per month for nodes: neu/general, neu/default and 2 more have no maximum"
    assert lines[1].startswith("next: stacks/dev.py:") and "neu/general: Add `limits` with" in lines[1]  # noqa: PT018  # one line
    prices = f"FILE: all your prices, such as `{EXAMPLE}`, because it replaces the built-in list: that lacks weu/batch"
    assert lines[2] == f"then: nodepools cost --stack dev --prices FILE  # changes nothing; {prices}"
    rows = [line.split() for line in lines]
    assert ["weu/system", "397.12", "397.12", "2", "x", "Standard_D4ds_v5", "at", "0.272", "per", "hour"] in rows
    assert "    spot prices are unknown: pass yours with `--prices`" in lines
    assert "2026-06-18" not in said


def test_the_advised_price_list_is_read(nodepools, project, tmp_path):
    (tmp_path / "prices.yaml").write_text(EXAMPLE)
    said = nodepools("cost", "--stack", "dev", "--prices", str(tmp_path / "prices.yaml"), cwd=project)
    assert (said.status, said.err) == (0, "")
    assert ["weu/batch", "0.00", "219.00"] in [line.split()[:3] for line in said.out.splitlines()]


def test_details_say_what_is_counted_and_whose_prices_they_are(nodepools, project):
    said = nodepools("cost", "--stack", "dev", "--details", cwd=project).out
    assert "Includes instances only" in said
    assert "2026-06-18" in said


@pytest.mark.parametrize(
    ("prices", "pools", "answer"),
    [
        pytest.param(LIST, "", "1,460.00 EUR per month for nodes", id="one figure"),
        pytest.param(
            LIST, "web: {kind: UserPool, vm_size: Standard_D2ds_v5, scale: {min: 1, max: 3}}", "1,825 to 2,555 EUR per month for nodes", id="both"
        ),
        pytest.param(
            LIST,
            "web: {kind: UserPool, vm_size: Standard_D8ds_v5, count: 1}",
            "at least 1,460 EUR per month for nodes: weu/web has an unknown price",
            id="no price",
        ),
        pytest.param("currency: EUR\norigin: none\nazure: {}\n", "", "unknown: weu/system has an unknown price", id="nothing is known"),
    ],
)
def test_first_lines(nodepools, tmp_path, prices, pools, answer):
    (tmp_path / "prices.yaml").write_text(prices)
    (tmp_path / "shop.yaml").write_text(
        'name: shop\nclusters:\n  weu: {kind: AksCluster, location: westeurope, kubernetes_version: "1.35", '
        f"system_pool: {{vm_size: Standard_D4ds_v5, count: 2}}, pools: {{{pools}}}}}\n"
    )
    said = nodepools("cost", "--file", "shop.yaml", "--prices", "prices.yaml", cwd=tmp_path).out
    assert said.splitlines()[0] == f"shop.yaml: {answer}"


def test_a_maximum_price_of_spot_bounds_the_cost(nodepools, tmp_path):
    (tmp_path / "shop.yaml").write_text(
        'name: shop\nclusters:\n  weu: {kind: AksCluster, location: westeurope, kubernetes_version: "1.35", '
        "system_pool: {vm_size: Standard_D4ds_v5, count: 2}, "
        "pools: {web: {kind: UserPool, vm_size: Standard_D4ds_v5, scale: {min: 1, max: 5}, spot: {max_price: 0.01}}}}\n"
    )
    said = nodepools("cost", "--file", "shop.yaml", cwd=tmp_path).out
    assert said.splitlines()[0] == "shop.yaml: 397 to 434 USD per month for nodes: weu/web has an unknown minimum price"


def test_pools_of_several_platforms_are_details(nodepools, project):
    said = nodepools("cost", "--all", cwd=project).out
    assert said.startswith("all stacks: at least 5,696 USD per month for nodes: dev/neu/general, ")
    assert next(line.split()[:4] for line in said.splitlines() if line.startswith("  all of weu")) == ["all", "of", "weu", "496.40"]
    assert "weu/web" not in said
    assert "weu/web" in nodepools("cost", "--all", "--details", cwd=project).out


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
        "details": [],
    }
    assert found["currency"] == "USD"
    assert found["minimum"] == {"amount": 5696.92}
    assert found["maximum"]["unbounded"] is True


def test_prices_of_your_own_take_the_place_of_the_shipped_ones(nodepools, project, tmp_path):
    (tmp_path / "prices.yaml").write_text(LIST)
    found = nodepools("cost", "--prices", str(tmp_path / "prices.yaml"), "--format", "json", cwd=project).json
    pools = {one["pool"]: one for one in found["platforms"][0]["pools"]}
    assert pools["weu/batch"]["maximum"] == {"amount": 730.0}
    assert pools["neu/system"]["minimum"]["message"] == "no price of `Standard_D4ds_v5` in `northeurope`: pass it with `--prices`"
    assert (found["currency"], found["prices"]) == ("EUR", "our agreement of 2026")


def test_markdown_for_a_pull_request(nodepools, project):
    said = nodepools("cost", "--stack", "dev", "--format", "markdown", cwd=project).out
    assert said.startswith("**dev: at least 864 USD per month for nodes: ")
    assert "| weu/web | 99.28 | 496.40 | 1 to 5 x Standard_D2ds_v5 at 0.136 per hour |" in said
    assert "| all of weu | 496.40 | at least 893.52 | 3 pools |" in said


@pytest.mark.parametrize(
    ("text", "status", "told"),
    [
        pytest.param("azure: {westeurope: {Standard_D4ds_v5: cheap}}", 1, "at azure.westeurope.Standard_D4ds_v5.on_demand: 'cheap'", id="no number"),
        pytest.param("azure: {westeurope: {Standard_D4ds_v5: 1e400}}", 1, "`on_demand` must be a number", id="a number beyond all bounds"),
        pytest.param("azure: {westeurope: {Standard_D4ds_v5: {spot: -1}}}", 1, "CFG001 error", id="no price on demand"),
        pytest.param("curency: EUR", 1, "Rename it to `currency`", id="a misspelt field"),
        pytest.param("- 1", 2, "is not a price list", id="a list"),
        pytest.param("a: [", 2, "prices.yaml:2:1: ", id="no YAML"),
        pytest.param("azure: {westeurope: {A: 1, B: 2, A: 3}}", 2, "the key `A` is in this mapping twice", id="two prices"),
        pytest.param("currency: EUR\n---\nazure: {}\n", 2, "prices.yaml:3:1: a second document begins here", id="two lists"),
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


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param("name: shop\nclusters: {}\n", "is a platform: `nodepools cost --file {}`, and is not a price list", id="a platform"),
        pytest.param("kind: Pod\napiVersion: v1\n", "is a Kubernetes manifest, and is not a price list", id="a manifest"),
    ],
)
def test_another_file_than_prices_is_named(nodepools, project, tmp_path, text, told):
    (tmp_path / "p.yaml").write_text(text)
    answer = nodepools("cost", "--stack", "dev", "--prices", str(tmp_path / "p.yaml"), cwd=project)
    assert (answer.status, answer.out) == (2, "")
    assert f"p.yaml: {told.format(tmp_path / 'p.yaml')}: it must have `azure:` or `aws:`" in answer.err
