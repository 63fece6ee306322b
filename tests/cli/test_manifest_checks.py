"""The NodePools of manifests, for the calendar."""

from pathlib import Path

import pytest

from nodepools.cli.calendar import pools_in
from nodepools.cli.command_run import CommandRun
from nodepools.cli.inputs.input_files import InputFiles
from nodepools.cli.inputs.manifest_checks import Exports, check_manifests
from nodepools.reading.bounded_input import LISTED_VALUES
from tests.kubectl_nodes import kubectl_nodes

POOL = """apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: web}
spec: {template: {spec: {nodeClassRef: {group: eks.amazonaws.com, kind: NodeClass, name: default}, requirements: []}}}
"""


def test_the_nodes_next_to_the_pools_do_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LISTED_VALUES.variable, "200")
    file = tmp_path / "all.yaml"
    file.write_text(f"{''.join(kubectl_nodes(20, 50, 'yaml'))}---\n{POOL}")
    run = CommandRun("calendar", "text")
    pools, _ = pools_in(InputFiles([file]), run, Exports(run))
    assert [name for name, *_ in pools] == ["web"]
    assert not run.problems


@pytest.mark.parametrize(
    ("text", "message"), [("", "contains no Kubernetes object"), ("a: [", "all.yaml:2:1"), ("- a", "should be a Kubernetes object")]
)
def test_what_has_no_objects_is_told(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "all.yaml"
    file.write_text(f"{text}\n")
    run = CommandRun("calendar", "text")
    assert pools_in(InputFiles([file]), run, Exports(run)) == ([], ())
    [problem] = run.problems
    assert message in str(problem)


def test_exports_next_to_the_pools_are_not_a_problem(project: Path) -> None:
    run = CommandRun("calendar", "text")
    pools, _ = pools_in(InputFiles([project / "examples/node-groups/exports"]), run, Exports(run))
    assert ([name for name, *_ in pools], run.problems) == (["general"], [])


def test_a_former_version_has_a_calendar_and_a_note(tmp_path: Path) -> None:
    file = tmp_path / "old.yaml"
    file.write_text(POOL.replace("karpenter.sh/v1", "karpenter.sh/v1beta1"))
    run = CommandRun("calendar", "text")
    pools, _ = pools_in(InputFiles([file]), run, Exports(run))
    assert ([name for name, *_ in pools], run.problems) == (["web"], [])
    [note] = run.notes
    assert "is read as `karpenter.sh/v1`" in note.message


def test_checks_know_the_node_groups_in_exports(project: Path) -> None:
    example, run = project / "examples/node-groups", CommandRun("check", "text")
    alone = check_manifests(InputFiles([example / "workloads.yaml", example / "exports/karpenter.yaml"]), None, run)
    together = check_manifests(InputFiles([example]), None, run)
    assert [[finding.code for finding in checked.findings if finding.code == "OBJ010"] for checked in (alone, together)] == [["OBJ010"] * 2, []]
    assert not run.problems


def test_exports_of_two_clusters_are_a_problem(project: Path, tmp_path: Path) -> None:
    web = project / "examples/node-groups/exports/web.json"
    other = tmp_path / "other.json"
    other.write_text(web.read_text().replace('"clusterName": "shop"', '"clusterName": "other"'))
    pool = tmp_path / "pool.yaml"
    pool.write_text(POOL)
    run = CommandRun("check", "text")
    check_manifests(InputFiles([web, other, pool]), None, run)
    [problem] = run.problems
    assert "pools of several clusters" in str(problem)
