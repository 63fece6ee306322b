"""Objects of `convert` that are broken, and texts that terminals and CI runners read in their own way."""

from pathlib import Path
from typing import Final

import pytest

from tests.hostile.case import Case, problems, run

pytestmark = pytest.mark.sweep

_POOL: Final = """apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: web}
spec: {template: {spec: {requirements: [], nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}}}}
"""
_CLASS: Final = """apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata:
  name: web
  annotations: {kubectl.kubernetes.io/last-applied-configuration: '{"spec": {"userData": "correct-horse"}}'}
spec: {role: nodes, userData: "export TOKEN=correct-horse"}
"""
_CONFIG: Final = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  run: |\n    ::error::gotcha\n"
_CONVERT: Final = ("convert", "a.yaml", "--to", "auto-mode")

CONVERSIONS: Final = (
    Case(
        "requirements of another type",
        _CONVERT,
        1,
        "a.yaml:4:26: CFG004 error at NodePool/web-auto spec.template.spec.requirements",
        {"a.yaml": _POOL.replace("requirements: []", "requirements: {a: [1]}")},
    ),
    Case(
        "a NodePool that is a list",
        _CONVERT,
        1,
        "a.yaml:3:1: CFG004 error at NodePool/ spec: [1]",
        {"a.yaml": "apiVersion: karpenter.sh/v1\nkind: NodePool\nspec: [1]\n"},
    ),
    Case(
        "a name of another type",
        _CONVERT,
        1,
        "a.yaml:3:12: KAR001 error at NodePool/-auto metadata.name",
        {"a.yaml": _POOL.replace("{name: web}", "{name: [1]}")},
    ),
    Case("user data is not printed", (*_CONVERT, "--details"), 1, "NodeClass/web-auto: [secret]", {"a.yaml": _CLASS}, hidden="correct-horse"),
    Case("user data is not in JSON", (*_CONVERT, "--format", "json"), 1, "$secret", {"a.yaml": _CLASS}, hidden="correct-horse", is_json=True),
    Case("a command of a CI runner stays a value", _CONVERT, 0, "a.yaml: nothing to convert", {"a.yaml": _CONFIG}, hidden="\n    ::error"),
    Case("a folder that cannot be created", (*_CONVERT, "-o", "a.yaml/out"), 2, "error: a.yaml", {"a.yaml": _POOL}),
    Case("an anchor that is not there", _CONVERT, 2, "error: a.yaml:", {"a.yaml": "kind: *none\n"}),
    Case("nothing", (*_CONVERT, "-o", "out"), 2, "error: a.yaml: contains no Kubernetes object", {"a.yaml": "---\n---\n"}),
)


@pytest.mark.parametrize("case", CONVERSIONS, ids=lambda case: case.title)
def test_hostile_objects_are_one_clear_answer(case: Case, tmp_path: Path) -> None:
    assert problems(case, run(case, tmp_path)) == []
