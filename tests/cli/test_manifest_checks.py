"""The NodePools of manifests, for the calendar."""

from pathlib import Path

import pytest

from nodepools.cli.manifest_checks import pools_in
from nodepools.loading import UnreadableError
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
    assert [name for name, _ in pools_in([file])] == ["web"]


@pytest.mark.parametrize(
    ("text", "message"), [("", "contains no Kubernetes object"), ("a: [", "all.yaml:2:1"), ("- a", "should be a Kubernetes object")]
)
def test_what_has_no_objects_is_told(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "all.yaml"
    file.write_text(f"{text}\n")
    with pytest.raises(UnreadableError, match=message):
        list(pools_in([file]))
