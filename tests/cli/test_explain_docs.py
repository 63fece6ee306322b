"""The pages about `explain` describe what it prints."""

import re

import pytest

from nodepools import load
from nodepools.placement.catalog import catalog
from nodepools.placement.explain import explain
from nodepools.placement.workloads.reader import read_workloads
from tests.cli.conftest import started


@pytest.fixture(scope="module")
def sections(project):
    """What is printed of each workload, by its name."""
    out = started("explain", "--stack", "prod", "examples/workloads/", cwd=project).out
    return {part.split()[0]: part for part in out.split("\n\n")}


QUESTIONS = [
    pytest.param(1, "web", ["weu/web"], id="where web lands"),
    pytest.param(2, "web", ["100 pods need at least 7 nodes of `weu/web`"], id="how many nodes it takes"),
    pytest.param(3, "train", ["weu/web "], id="why train does not land on web"),
    pytest.param(4, "train", ["✔ weu/train "], id="where train lands"),
    pytest.param(5, "report", ["✔ weu/batch ", "✔ weu/batch-fallback "], id="where report runs without spot"),
    pytest.param(6, "misspelt", ["closest is `weu/web`"], id="what is wrong with misspelt"),
    pytest.param(7, "untolerating", ["stays Pending", "closest is `weu/system`"], id="what lets untolerating in"),
    pytest.param(8, "arm", ["✘ use1/system ", "closest is `weu/web`"], id="which pool could host arm"),
    pytest.param(9, "cache", ["? use1/compute "], id="whether cache fits"),
    pytest.param(10, "logs", [], id="which pools logs does not reach"),
]


@pytest.mark.parametrize(("number", "workload", "also"), QUESTIONS)
def test_each_answer_stands_in_the_output(sections, project, number, workload, also):
    page = (project / "docs/explain-questions.md").read_text()
    [item] = re.findall(rf"(?ms)^{number}\. (.*?)(?=^[0-9]+\. |\Z)", page)
    question, answer = item.split("**")[1:]
    assert f"`{workload}`" in question
    quoted = re.findall(r'"([^"]+)"', answer)
    assert quoted
    for words in [*quoted, *also]:
        assert words in sections[workload], words


def test_ten_questions_and_no_more(project):
    assert re.findall(r"(?m)^([0-9]+)\. ", (project / "docs/explain-questions.md").read_text()) == [str(number) for number in range(1, 11)]


PODS = [
    pytest.param("gpu", ["weu/train"], id="a GPU pod"),
    pytest.param("spot_first", ["weu/batch", "weu/batch-fallback"], id="spot first, with its fallback"),
    pytest.param("of_this_environment", ["weu/web"], id="a pod of each environment"),
    pytest.param("spec", ["weu/batch", "weu/batch-fallback"], id="all of it together"),
]


@pytest.mark.parametrize(("name", "pools"), PODS)
def test_fragments_of_the_page_bring_pods_where_it_says(project, monkeypatch, name, pools):
    monkeypatch.chdir(project)
    [code] = re.findall(r"(?s)```python\n(.*?)```", (project / "docs/explain.md").read_text())
    made: dict[str, object] = {}
    exec(code, made)  # noqa: S102  # the page's own program
    [workload] = read_workloads(
        {"kind": "Pod", "metadata": {"name": name.replace("_", "-")}, "spec": {"containers": [{"name": "main"}], **made[name]}}
    )
    answers = explain([workload], catalog(load("prod", project)))
    assert [judged.pool for answer in answers for judged in answer.pools if judged.verdict.value == "fits"] == pools
