"""No command prints a secret of a declaration, in any format.

Except `render` and `check --diff`: one writes the objects that are applied, the other shows lines of the user's own file.
"""

import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.secrets.seeds import MISSPELT, SEED, seeded

STACK = """
import json
from pathlib import Path

from nodepools import Platform

PLATFORM = Platform.model_validate(json.loads((Path(__file__).parent.parent / "platform.json").read_text()))
"""
PROGRAM = """
import pulumi

import nodepools

nodepools.deploy(nodepools.load(pulumi.get_stack()))
"""
POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: x, env: [{name: PASSWORD, value: SEED}]}]}\n"
CLASS = """
apiVersion: eks.amazonaws.com/v1
kind: NodeClass
metadata: {name: own}
spec:
  userData: SEED-user
  certificateBundles: [{name: ca, data: SEED-ca}]
  advancedNetworking: {httpsProxy: "ftp://ops:SEED@proxy"}
  tags: {password: SEED-tag, "kubernetes.io/token": SEED-token}
  adminPasword: SEED-misspelt
"""


@pytest.fixture
def seeds(tmp_path: Path) -> Path:
    """A project with a valid declaration, an invalid one, and objects, all full of secrets."""
    valid, _ = seeded()
    invalid, _ = seeded()
    clusters = invalid["clusters"]
    assert isinstance(clusters, dict)
    clusters["weu"] |= dict.fromkeys(MISSPELT, SEED) | {"windows_profile": {"admin_pasword": SEED, "x": SEED}}
    clusters["use"] |= {
        "tags": {"password": [SEED]},
        "add_ons": [f"http://ops:{SEED}@proxy"],
        "overrides": {"compute_config": {"node_pools": [], "token": SEED}},
    }
    (tmp_path / "stacks").mkdir()
    files = {
        "Pulumi.yaml": "name: shop\nruntime: python\n",
        "__main__.py": PROGRAM,
        "stacks/dev.py": STACK,
        "platform.json": json.dumps(valid),
        "invalid.json": json.dumps(invalid),
        "objects.yaml": CLASS.replace("SEED", SEED),
        "pod.yaml": POD.replace("SEED", SEED),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    return tmp_path


COMMANDS = [
    *(("check", *what, "--notes", "--format", form) for what in ((), ("--file", "invalid.json")) for form in ("text", "json", "sarif", "github")),
    *(("check", "objects.yaml", "--notes", "--format", form) for form in ("text", "json", "sarif", "github")),
    *(("explain", "pod.yaml", "--format", form) for form in ("text", "json", "markdown")),
    *(("instances", "--pool", "gpu", "--format", form) for form in ("text", "json")),
    *(("windows", "--format", form) for form in ("text", "json")),
    *(("diagram", "--format", form) for form in ("text", "json")),
    *(("cost", "--format", form) for form in ("text", "json", "markdown")),
    *(("doctor", "--format", form) for form in ("text", "json")),
]


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_a_command_prints_no_secret(nodepools: Run, seeds: Path, arguments: tuple[str, ...]) -> None:
    answer = nodepools(*arguments, cwd=seeds)
    assert re.findall(f".{{0,80}}{SEED}.{{0,40}}", answer.all) == []
    assert len(answer.out) > 20, answer.err


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_preview_with_the_policy_pack_prints_no_secret(nodepools: Run, seeds: Path, project: Path, form: str) -> None:
    answer = nodepools("preview", "--notes", "--policy-pack", str(project / "policy"), "--format", form, cwd=seeds)
    assert re.findall(f".{{0,80}}{SEED}.{{0,40}}", answer.all) == []
    assert ("$secret" if form == "json" else "(secret)") in answer.out
    assert "AKS096" in answer.all
