"""The pages about `explain` describe what it prints."""

import re

import pytest

from nodepools import load
from nodepools.clouds.registry import catalog
from nodepools.placement.explain import explain
from nodepools.placement.workloads.reader import read_workloads
from tests.cli.conftest import started
from tests.docs.walkthrough import matches


def test_the_page_shows_what_is_printed(project):
    [(command, shown), *_] = re.findall(r"(?s)```text\n\$ nodepools (.*?)\n(.*?)```", (project / "docs/explain.md").read_text())
    answer = started(*command.split(), cwd=project, env={"COLUMNS": "100"})
    assert answer.status == 1
    assert matches(shown, answer.out)


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
