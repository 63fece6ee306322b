"""Output that programs read: one document on every exit, and no text from a file that a CI runner takes for a command."""

import os
from pathlib import Path
from typing import Final

from tests.hostile.case import Case
from tests.hostile.programs import GOOD, PROJECT

_POOL: Final = "apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: %s}\nspec: {weight: 200}\n"
_LEAP_DAYS: Final = """\
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: web}
spec:
  disruption:
    consolidateAfter: 0s
    budgets: [{nodes: 100%, schedule: "0 0 29 2 *", duration: 8h}]
  template:
    spec:
      nodeClassRef: {group: eks.amazonaws.com, kind: NodeClass, name: default}
      requirements: [{key: kubernetes.io/arch, operator: In, values: [amd64]}]
"""
_TEMPLATE: Final = "kind: NodePool\nmetadata:\n  name: {{ .Values.name }}\n"
_CHART: Final = {"chart/Chart.yaml": "name: web\nversion: 1.0.0\n", "chart/templates/pool.yaml": _TEMPLATE, "k8s/pool.yaml": _POOL % "web"}
_KUSTOMIZE: Final = {
    "prod/kustomization.yaml": "resources: [../base]\npatches: [{path: limits.yaml}]\n",
    "prod/limits.yaml": "apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: web}\nspec: {limits: {cpu: 10}}\n",
}
_NUMBER: Final = "9" * 5_000
_LOGS: Final = "import pulumi\npulumi.log.error('the quota is used up')\n"


def _stack(text: str) -> dict[str, str | bytes]:
    return {**PROJECT, "stacks/dev.py": text}


def _file_that_is_not_utf8(folder: Path) -> None:
    (folder / os.fsdecode(b"pool-\xff.yaml")).write_text(_POOL % "web")


def _folder_that_loops(folder: Path) -> None:
    """Root may enter every folder, so a link that leads to itself stands for one that the user may not enter: reading it is an OSError, too."""
    (folder / "k8s").mkdir()
    (folder / "k8s" / "pool.yaml").write_text(_POOL % "web")
    (folder / "k8s" / "loop.yaml").symlink_to("loop.yaml")


OUTPUT: Final = (
    Case(
        "JSON about a broken file says that it is not complete",
        ("check", "bad.yaml", "--format", "json"),
        2,
        '"complete": false',
        {"bad.yaml": "a: [1,\n"},
        is_json=True,
    ),
    Case(
        "SARIF about a broken file says that the check failed",
        ("check", "bad.yaml", "--format", "sarif"),
        2,
        '"executionSuccessful": false',
        {"bad.yaml": "a: [1,\n"},
        is_json=True,
    ),
    Case(
        "JSON about a stack that raises names its line",
        ("cost", "--format", "json"),
        2,
        '"path": "stacks/dev.py:1"',
        _stack("1 / 0\n"),
        is_json=True,
    ),
    Case(
        "JSON about a time limit is a document",
        ("preview", "--timeout", "1", "--format", "json"),
        2,
        '"message": "the program did not end within 1 seconds and was stopped; `--timeout` raises the limit"',
        {**PROJECT, "__main__.py": "import time\ntime.sleep(60)\n"},
        is_json=True,
    ),
    Case(
        "an error that a program logs is a problem",
        ("preview", "--format", "json"),
        2,
        '"message": "the quota is used up"',
        {**PROJECT, "__main__.py": _LOGS},
        is_json=True,
    ),
    Case("a rule that does not exist is a document", ("rules", "nope", "--format", "json"), 2, '"command": "rules"', is_json=True),
    Case(
        "a Helm template is named as such, and the rest is checked", ("check", "."), 1, "chart/templates/pool.yaml: This is a Helm template.", _CHART
    ),
    Case(
        "a workflow of GitHub is not taken for a Helm template",
        ("check", "ci.yml"),
        2,
        "ci.yml:1:1: should be a Kubernetes object: it has no kind",
        {"ci.yml": "if: ${{ always() }}\n"},
    ),
    Case(
        "a playbook of Ansible is not taken for a Helm template",
        ("check", "play.yml"),
        2,
        "play.yml:1:1: should be a Kubernetes object, not a list",
        {"play.yml": '- hosts: all\n  tasks: [{name: "{{ x }}"}]\n'},
    ),
    Case(
        "an excluded chart leaves the check complete",
        ("check", ".", "--exclude", "chart", "--format", "json"),
        1,
        '"complete": true',
        _CHART,
        is_json=True,
    ),
    Case("a Kustomize patch is named as such", ("check", "prod"), 2, "prod/limits.yaml: This is a Kustomize patch.", _KUSTOMIZE),
    Case("an entry of a folder that cannot be read is a problem", ("check", "k8s"), 1, "k8s/loop.yaml: ", prepare=_folder_that_loops),
    Case("a name cannot start a workflow command", ("check", "pool.yaml"), 1, "\n\\::error::x", {"pool.yaml": _POOL % r'"a\n::error::x"'}),
    Case("a name cannot write control characters", ("check", "pool.yaml"), 1, r"\x1b]0;title\x07", {"pool.yaml": _POOL % r'"\e]0;title\a"'}),
    Case(
        "SARIF has the bytes of a name that is not UTF-8",
        ("check", ".", "--format", "sarif"),
        1,
        "pool-%FF.yaml",
        prepare=_file_that_is_not_utf8,
        is_json=True,
    ),
    Case(
        "JSON has a name that is not UTF-8", ("check", ".", "--format", "json"), 1, r"pool-\\xff.yaml", prepare=_file_that_is_not_utf8, is_json=True
    ),
    Case(
        "a number of 5,000 digits in an object is a finding",
        ("check", "pool.yaml", "--format", "json"),
        1,
        "spec.weight",
        {"pool.yaml": (_POOL % "web").replace("200", _NUMBER)},
        is_json=True,
    ),
    Case("a number of 5,000 digits as an argument is one line", ("calendar", "--days", _NUMBER), 2, "error: `--days` must be"),
    Case("a number of nodes of 5,000 digits is one line", ("calendar", "--node-count", _NUMBER), 2, "error: `--node-count` must be a smaller number"),
    Case("a number of nodes beyond 32 bits has its limit in full", ("calendar", "--node-count", "4294967296"), 2, "must be at most 2147483647, not"),
    Case("the last time that there is", ("calendar", "--at", "9999-12-31T23:59-14:00"), 2, "error: `--at` must be in the years 1970 to 9000"),
    Case(
        "a time cannot write commands of a CI runner",
        ("calendar", "--at", "2026-11-21\n::error::stop\x1b[2J"),
        2,
        "error: `--at` must be a time such as",
        hidden="\n::error",
    ),
    Case(
        "a year of a schedule that starts once in four, at the last time that is accepted",
        ("calendar", "pool.yaml", "--at", "9000-12-31T23:59-12:00", "--days", "366", "--node-count", "2147483647", "--format", "json"),
        0,
        '"allowed": null',
        {"pool.yaml": _LEAP_DAYS},
        is_json=True,
    ),
    Case(
        "numbers that JSON does not have are text",
        ("check", "--format", "json"),
        1,
        '"nan"',
        _stack(GOOD.replace("count=3", "count=float('nan')")),
        is_json=True,
    ),
)
