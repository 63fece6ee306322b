"""Files of other tools next to NodePools: named, and not checked."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from nodepools.cli.program import app

POOL = """apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: web}
spec:
  limits: {cpu: 100}
  template:
    spec:
      expireAfter: 336h
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: own}
      requirements:
      - {key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}
      - {key: kubernetes.io/arch, operator: In, values: [amd64]}
"""
CLOUDFORMATION = "AWSTemplateFormatVersion: '2010-09-09'\nResources:\n  Role:\n    Type: AWS::IAM::Role\n    Properties: {RoleName: !Ref Name}\n"


def checked(folder: Path) -> Any:
    return json.loads(CliRunner().invoke(app, ["check", str(folder), "--format", "json"]).stdout)


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("stack.yaml", CLOUDFORMATION, "a template of CloudFormation"),
        ("stack.json", '{"Resources": {"Role": {"Type": "AWS::IAM::Role"}}}', "a template of CloudFormation"),
        (".gitlab-ci.yml", "job: {rules: !reference [.setup, rules]}\n", "a pipeline of GitLab"),
    ],
)
def test_files_in_a_folder(tmp_path: Path, name: str, text: str, told: str) -> None:
    (tmp_path / "pool.yaml").write_text(POOL)
    (tmp_path / name).write_text(text if name.endswith("ml") else text.replace('"Type"', '\n"Type"'))
    found = checked(tmp_path)
    assert (found["complete"], found["problems"]) == (True, [])
    assert [one["message"] for one in found["notices"]] == [f"{told}: not read as part of a folder"]
    assert not checked(tmp_path / name)["complete"]
