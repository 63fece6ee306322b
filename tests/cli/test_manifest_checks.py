"""The NodePools of manifests, for the calendar."""

from pathlib import Path

import pytest

from nodepools.cli.command_run import CommandRun
from nodepools.cli.exclusion import Inputs
from nodepools.cli.manifest_checks import pools_in
from nodepools.reading.limits import LISTED_VALUES
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
    run = CommandRun("windows", "text")
    pools, _ = pools_in(Inputs([file]), run)
    assert [name for name, _ in pools] == ["web"]
    assert not run.problems


@pytest.mark.parametrize(
    ("text", "message"), [("", "contains no Kubernetes object"), ("a: [", "all.yaml:2:1"), ("- a", "should be a Kubernetes object")]
)
def test_what_has_no_objects_is_told(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "all.yaml"
    file.write_text(f"{text}\n")
    run = CommandRun("windows", "text")
    assert pools_in(Inputs([file]), run) == ([], ())
    [problem] = run.problems
    assert message in str(problem)
