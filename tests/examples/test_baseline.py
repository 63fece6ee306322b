"""Declarations that people copy: those for production have the controls of the CIS benchmarks, and the others say why they do not."""

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import pulumi
import pytest

import nodepools
from nodepools import EksClusterArgs, Platform, check

SCRIPT = Path(sys.executable).with_name("nodepools")

FOR_PRODUCTION = ["stacks/prod.py", "examples/aks-existing-network/stacks/dev.py", "examples/user-project/stacks/prod.py"]
"""Platforms. Each declares the baseline."""
PROGRAM_FOR_PRODUCTION = "examples/eks-existing-vpc/__main__.py"
"""A component has no baseline: its cluster is checked in a platform that has it."""
ABOUT_OTHERS = [
    "stacks/dev.py",
    "stacks/staging.py",
    "examples/aks-automatic/stacks/dev.py",
    "examples/aks-nap/stacks/dev.py",
    "examples/aks-pools/stacks/dev.py",
    "examples/drift/platform.yaml",
    "examples/eks-auto/stacks/dev.py",
    "examples/eks-gpu-arm/stacks/dev.py",
    "examples/ledger/old.yaml",
    "examples/ledger/platform.yaml",
    "examples/editor/platform.yaml",
    "examples/first/platform.yaml",
    "examples/micro-stacks/cluster/stacks/prod.py",
    "examples/pulumi-yaml/Pulumi.yaml",
    "examples/shop/__main__.py",
    "examples/user-project/stacks/dev.py",
    *(f"examples/real-account/{cloud}/{step}.yaml" for cloud in ("aks", "eks") for step in ("up", "edit", "upgrade")),
    *(f"examples/fleet/stacks/{stage}-{place}.yaml" for stage in ("dev", "staging", "prod") for place in ("weu", "neu", "use1", "euc1")),
]
DERIVED = {"examples/eks-auto/stacks/own.py": "examples/eks-auto/stacks/dev.py"}
"""Variants of an example, which has the reason."""
_DECLARES = re.compile(r"^PLATFORM = |^ *kind: (?:Aks|Eks)Cluster$|^ *type: nodepools:|^cluster = (?:Aks|Eks)Cluster\(", re.MULTILINE)
_REASON = re.compile(r"^# Without .*`baseline(?:=\"cis\"|: cis)`: \w.*\.$", re.MULTILINE)


def test_every_declaration_is_for_production_or_about_something_else(project: Path) -> None:
    files = [path for place in ("examples", "stacks") for end in ("py", "yaml") for path in (project / place).rglob(f"*.{end}")]
    declared = {path.relative_to(project).as_posix() for path in files if ".venv" not in path.parts and _DECLARES.search(path.read_text())}
    assert declared == {*FOR_PRODUCTION, PROGRAM_FOR_PRODUCTION, *ABOUT_OTHERS, *DERIVED}


@pytest.mark.parametrize("path", FOR_PRODUCTION)
def test_a_platform_for_production_passes_strictly_with_the_baseline(project: Path, path: str) -> None:
    stack = project / path
    assert 'baseline="cis"' in stack.read_text()
    words = [SCRIPT, "check", "--strict", "--stack", stack.stem, "--today", "2026-11-21"]
    done = subprocess.run(words, cwd=stack.parents[1], capture_output=True, text=True, check=False, env={**os.environ, "COLUMNS": "200"})
    assert (done.returncode, done.stdout.partition(",")[0]) == (0, f"{stack.stem}: no errors or warnings"), done.stdout


def test_a_program_for_production_has_nothing_open(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = {"vpcId": "vpc-1", "keyArn": "arn:aws:kms:eu-west-1:111122223333:key/1"}
    subnets = ["subnet-0a000000000000001", "subnet-0a000000000000002"]
    declared: dict[str, EksClusterArgs] = {}

    def component(name: str, args: EksClusterArgs) -> Mock:
        declared[name] = args
        return Mock()

    monkeypatch.setattr(nodepools, "EksCluster", component, raising=False)
    monkeypatch.setattr(pulumi, "Config", lambda: Mock(require=settings.__getitem__, require_object=Mock(return_value=subnets)))
    monkeypatch.setattr(pulumi, "export", Mock())
    runpy.run_path(str(project / PROGRAM_FOR_PRODUCTION))
    assert list(declared) == ["shop"]
    whole = Platform(name="prod", baseline="cis", clusters=declared)
    found = [finding for finding in check(whole) if finding.severity != "note"]
    assert [finding.code for finding in found] == ["EKS141"], "the policy of a key is not in a declaration"


@pytest.mark.parametrize("path", ABOUT_OTHERS)
def test_every_other_declaration_has_one_comment_with_the_reason(project: Path, path: str) -> None:
    text = (project / path).read_text()
    assert len(_REASON.findall(text)) == 1
    assert 'baseline="cis",' not in text


@pytest.mark.parametrize(("variant", "example"), DERIVED.items())
def test_a_variant_is_derived_from_an_example_that_has_the_reason(project: Path, variant: str, example: str) -> None:
    assert f"derive({Path(example).stem}.PLATFORM" in (project / variant).read_text()
    assert example in ABOUT_OTHERS
