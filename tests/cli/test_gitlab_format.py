"""`check --format gitlab`: a code quality report with the fields that GitLab documents, and fingerprints that survive other edits."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.cli.conftest import Answer, Run

SCHEMA = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "additionalProperties": False,
        "properties": {
            "description": {"type": "string", "minLength": 1},
            "check_name": {"type": "string", "minLength": 1},
            "fingerprint": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path", "lines"],
                "properties": {
                    "path": {"type": "string", "minLength": 1, "not": {"pattern": "^(/|\\./)"}},
                    "lines": {"type": "object", "required": ["begin"], "properties": {"begin": {"type": "integer", "minimum": 1}}},
                },
            },
        },
    },
}
"""The fields of https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format, all of them required (2026-11)."""
NODE_POOL = """apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: web}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      requirements:
        - {key: kubernetes.io/arch, operator: In, values: [amd46]}
        - {key: kubernetes.io/os, operator: In, values: [linus]}
"""


def report(answer: Answer) -> list[dict[str, Any]]:
    found = json.loads(answer.out)
    jsonschema.validate(found, SCHEMA)
    marks = [entry["fingerprint"] for entry in found]
    assert len(marks) == len(set(marks))
    return found


def checked(nodepools: Run, folder: Path, *texts: str, env: dict[str, str] | None = None) -> list[dict[str, Any]]:
    for number, text in enumerate(texts):
        (folder / f"{number}.yaml").write_text(text, encoding="utf-8")
    return report(nodepools("check", *(f"{number}.yaml" for number in range(len(texts))), "--format", "gitlab", cwd=folder, env=env))


def test_an_entry_has_the_code_and_the_place_of_its_finding(nodepools: Run, tmp_path: Path):
    errors = [entry for entry in checked(nodepools, tmp_path, NODE_POOL) if entry["severity"] == "critical"]
    assert {(entry["location"]["path"], entry["location"]["lines"]["begin"]) for entry in errors} <= {("0.yaml", 9), ("0.yaml", 10)}
    assert all(entry["description"].startswith(f"{entry['check_name']} spec.template.spec.requirements[") for entry in errors)


SAME = [
    pytest.param(f"# a comment\n\n{NODE_POOL}", id="lines above"),
    pytest.param(f"{NODE_POOL}---\n{NODE_POOL.replace('name: web', 'name: other')}", id="another object below"),
]


@pytest.mark.parametrize("edited", SAME)
def test_a_fingerprint_stays_when_lines_move(nodepools: Run, tmp_path: Path, edited: str):
    before = {entry["fingerprint"] for entry in checked(nodepools, tmp_path, NODE_POOL)}
    assert before <= {entry["fingerprint"] for entry in checked(nodepools, tmp_path, edited)}


OTHER = [
    pytest.param(NODE_POOL.replace("name: web", "name: other"), id="another object"),
    pytest.param(NODE_POOL.replace("amd46", "amd64").replace("linus", "linux"), id="without the findings"),
]


@pytest.mark.parametrize("edited", OTHER)
def test_another_finding_has_another_fingerprint(nodepools: Run, tmp_path: Path, edited: str):
    before = {entry["fingerprint"] for entry in checked(nodepools, tmp_path, NODE_POOL) if entry["severity"] == "critical"}
    after = {entry["fingerprint"] for entry in checked(nodepools, tmp_path, edited)}
    assert before
    assert before & after == set()


def test_equal_findings_have_several_fingerprints(nodepools: Run, tmp_path: Path):
    assert len(checked(nodepools, tmp_path, f"{NODE_POOL}---\n{NODE_POOL}")) > len(checked(nodepools, tmp_path, NODE_POOL))


def test_a_file_that_cannot_be_read_is_an_entry(nodepools: Run, tmp_path: Path):
    [entry] = checked(nodepools, tmp_path, "a: [")
    assert (entry["check_name"], entry["severity"], entry["location"]) == ("not-checked", "blocker", {"path": "0.yaml", "lines": {"begin": 2}})


def test_a_stack_has_entries_in_its_file(nodepools: Run, copy: Path):
    entries = report(nodepools("check", "--format", "gitlab", cwd=copy))
    assert {entry["location"]["path"] for entry in entries} == {"stacks/dev.py"}


def test_no_findings_are_an_empty_list(nodepools: Run, tmp_path: Path):
    (tmp_path / "a.yaml").write_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")
    assert report(nodepools("check", "a.yaml", "--format", "gitlab", cwd=tmp_path)) == []


ROOTS = [
    pytest.param("CI_PROJECT_DIR", ".", "infra/0.yaml", id="GitLab: from the root of the checkout"),
    pytest.param("GITHUB_WORKSPACE", ".", "infra/0.yaml", id="GitHub: from the root of the checkout"),
    pytest.param("CI_PROJECT_DIR", "other", "0.yaml", id="a checkout elsewhere"),
    pytest.param("CI_PROJECT_DIR", "", "0.yaml", id="an empty variable"),
]


@pytest.mark.parametrize(("variable", "root", "path"), ROOTS)
def test_paths_of_reviews_start_at_the_root_of_the_checkout(nodepools: Run, tmp_path: Path, variable: str, root: str, path: str):
    folder = tmp_path / "infra"
    folder.mkdir()
    env = {variable: str(tmp_path / root) if root else ""}
    entries = checked(nodepools, folder, NODE_POOL, env=env)
    assert {entry["location"]["path"] for entry in entries} == {path}
    annotations = nodepools("check", "0.yaml", "--format", "github", cwd=folder, env=env).out.splitlines()
    assert [line for line in annotations if f" file={path}," not in line] == []
    [run] = nodepools("check", "0.yaml", "--format", "sarif", cwd=folder, env=env).json["runs"]
    assert {place["physicalLocation"]["artifactLocation"]["uri"] for result in run["results"] for place in result["locations"]} == {path}
