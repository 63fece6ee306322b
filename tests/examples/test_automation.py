"""The example of the Automation API, without the Pulumi CLI: what it does before and after `pulumi up`. `tests/pulumi` runs it for real."""

import json
import re
from dataclasses import dataclass
from runpy import run_path
from types import SimpleNamespace

import pytest
from pulumi import automation

from nodepools import Severity, check, derive


@pytest.fixture
def example(project):
    return SimpleNamespace(**run_path(str(project / "examples/automation/deploy_all.py")))


@dataclass
class Stack:
    """What the Automation API answers."""

    name: str

    def up(self):
        if self.name == "neu":
            message = "the quota"
            raise automation.CommandError(message)
        outputs = {"clusters": automation.OutputValue({"aks": 1}, secret=False), "kubeconfig-aks": automation.OutputValue("hidden", secret=True)}
        return SimpleNamespace(outputs=outputs)

    def destroy(self):
        return None


@pytest.fixture
def started(monkeypatch):
    names = []

    def start(stack_name, project_name, program):
        assert project_name == "fleet"
        assert callable(program)
        names.append(stack_name)
        return Stack(stack_name)

    monkeypatch.setattr(automation, "create_or_select_stack", start)
    return names


def test_its_platforms_have_no_error(example):
    assert [finding for platform in example.PLATFORMS for finding in check(platform) if finding.severity is not Severity.NOTE] == []


def test_an_error_in_one_platform_starts_no_stack(example, started, capsys):
    first, *others = example.PLATFORMS
    wrong = derive(first, clusters={"aks": {"pools": {"web": {"labels": {"kubernetes.azure.com/mode": "user"}}}}})
    assert example.main([wrong, *others]) == 1
    assert started == []
    said = capsys.readouterr()
    assert said.err.startswith("weu:\nAKS")
    assert "clusters.aks.pools.web.labels" in said.err


def test_secrets_are_not_printed_and_the_others_go_on(example, started, capsys):
    assert example.main(example.PLATFORMS) == 1
    assert sorted(started) == ["neu", "use1", "weu"]
    lines = dict(line.split(": ", 1) for line in capsys.readouterr().out.splitlines() if ": " in line)
    assert json.loads(lines["weu"]) == json.loads(lines["use1"]) == {"clusters": {"aks": 1}, "kubeconfig-aks": "[secret]"}
    assert "the quota" in lines["neu"]


def test_destroy_is_for_all(example, started, capsys):
    assert example.main(example.PLATFORMS, destroys=True) == 0
    assert sorted(started) == ["neu", "use1", "weu"]
    assert capsys.readouterr().out.splitlines() == ["weu: {}", "neu: {}", "use1: {}"]


def test_the_program_of_the_guide_hides_secrets_too(project, example, started):
    shown = re.findall(r"```python\n(.*?)```", (project / "docs/guides/fleets.md").read_text().partition("## The Automation API")[2], re.DOTALL)
    names = {}
    exec(shown[0], names)  # noqa: S102  # of our own page
    assert names["up"](example.PLATFORMS[0]) == {"clusters": {"aks": 1}, "kubeconfig-aks": "[secret]"}
    assert started == ["weu"]


def test_the_guide_has_findings_as_values(project, monkeypatch):
    shown = re.findall(r"```python\n(.*?)```", (project / "docs/guides/fleets.md").read_text().partition("## The Automation API")[2], re.DOTALL)
    monkeypatch.chdir(project)
    names = {}
    exec(shown[1], names)  # noqa: S102  # of our own page
    assert names["errors"] == []
