"""No command prints a secret of a declaration, in any format.

Except `render`, which writes the objects that are applied, and the diff of a Python stack, which shows lines of the user's own file.
"""

import json
import os
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Run, started
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
NODE = """
apiVersion: v1
kind: Node
metadata: {name: node-1, labels: {kubernetes.io/os: linux}, annotations: {token: SEED}}
spec: {providerID: "http://ops:SEED@proxy"}
status: {allocatable: {cpu: "2", memory: 4Gi, pods: "20"}, images: [{names: [SEED]}]}
---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: broken, annotations: {token: SEED}}
spec: {template: {spec: {nodeClassRef: {group: eks.amazonaws.com, kind: NodeClass, name: own}, requirements: "http://ops:SEED@proxy"}}}
---
"""
DRAWS = '#!/bin/sh\ncat "$3" > "$5"\n'
"""A renderer whose picture is the text that it gets."""
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
        "nodes.yaml": (NODE + CLASS).replace("SEED", SEED),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    return tmp_path


COMMANDS = [
    *(("check", *what, "--details", "--format", form) for what in ((), ("--file", "invalid.json")) for form in ("text", "json", "sarif", "github")),
    *(("check", "objects.yaml", "--details", "--format", form) for form in ("text", "json", "sarif", "github")),
    *(("explain", "pod.yaml", "--format", form) for form in ("text", "json", "markdown")),
    *(("explain", "pod.yaml", "--existing", "nodes.yaml", "--format", form) for form in ("text", "json", "markdown")),
    *(("check", *what, "--fix", *diff) for what in (("--file", "invalid.json"), ("objects.yaml",)) for diff in ((), ("--dry-run",))),
    *(("instances", "--pool", "gpu", "--format", form) for form in ("text", "json")),
    *(("calendar", "--format", form) for form in ("text", "json")),
    *(("diagram", "--format", form) for form in ("text", "json")),
    *(("cost", "--format", form) for form in ("text", "json", "markdown")),
    *(("doctor", "--format", form) for form in ("text", "json")),
]


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
@pytest.mark.sweep
def test_a_command_prints_no_secret(nodepools: Run, seeds: Path, arguments: tuple[str, ...]) -> None:
    answer = nodepools(*arguments, cwd=seeds)
    assert re.findall(f".{{0,80}}{SEED}.{{0,40}}", answer.all) == []
    assert len(answer.out if "--fix" not in arguments else answer.all) > 20, answer.err


PLACES = """name: dev
clusters:
  weu:
    kind: AksCluster
    location: LOCATION
    kubernetes_version: "1.35"
    network: {kind: AksNetwork, cidr: 10.10.0.0/16}
    system_pool: {vm_size: Standard_D4ds_v5, count: 2}
    pools: {web: {kind: UserPool, vm_size: SIZE, count: 2}}
"""
TOKEN = "ghp_" + "0123456789abcdef" * 2
PRINTING = [
    *(("diagram", "--file", "new.yaml", "--format", form) for form in ("text", "json")),
    *(("cost", "--file", "new.yaml", "--format", form) for form in ("text", "json")),
    *(("capacity", "--file", "new.yaml", "--format", form) for form in ("text", "json")),
    *(("diff", "old.yaml", "new.yaml", "--format", form) for form in ("text", "json", "markdown")),
    ("upgrade", "--file", "new.yaml", "--to", "1.36"),
    ("doctor", "--file", "new.yaml"),
]


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github", "gitlab"])
@pytest.mark.sweep
def test_a_token_in_a_name_of_a_file_or_in_a_key_is_not_printed(nodepools: Run, tmp_path: Path, form: str) -> None:
    wrong = PLACES.replace("LOCATION", "westeurope").replace("SIZE", f"x, labels: {{{TOKEN}: 'a b'}}, {TOKEN}: 1")
    (tmp_path / f"{TOKEN}.yaml").write_text(wrong.replace("web:", f"{TOKEN}:"))
    for arguments in (("check", "--file", f"{TOKEN}.yaml"), ("check", "--file", f"no-{TOKEN}.yaml"), ("check", f"{TOKEN}.yaml")):
        answer = nodepools(*arguments, "--format", form, cwd=tmp_path)
        assert answer.status > 0
        assert TOKEN not in answer.all


@pytest.mark.parametrize("arguments", PRINTING, ids=" ".join)
@pytest.mark.sweep
def test_a_token_in_another_place_is_not_printed_either(nodepools: Run, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    (tmp_path / "old.yaml").write_text(PLACES.replace("LOCATION", "westeurope").replace("SIZE", "Standard_D4ds_v5"))
    (tmp_path / "new.yaml").write_text(PLACES.replace("LOCATION", TOKEN).replace("SIZE", TOKEN))
    answer = nodepools(*arguments, cwd=tmp_path)
    assert TOKEN not in answer.all
    assert "[secret]" in answer.all or "$secret" in answer.all or "json" not in arguments, "text need not name the place at all"


@pytest.mark.parametrize("form", ["svg", "png"])
def test_a_picture_has_no_secret(nodepools: Run, seeds: Path, form: str) -> None:
    (seeds / "bin").mkdir()
    (seeds / "bin" / "mmdc").write_text(DRAWS)
    (seeds / "bin" / "mmdc").chmod(0o755)
    answer = nodepools(
        "diagram", "pod.yaml", "--format", form, "-o", "picture", cwd=seeds, env={"PATH": f"{seeds / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    )
    drawn = (seeds / "picture").read_text()
    assert "flowchart" in drawn
    assert SEED not in drawn + answer.all


RAISES = """
import pulumi

platform = nodepools.load(pulumi.get_stack())
password = platform.cluster("weu").windows_profile.admin_password.reveal()
nodepools.deploy(platform)
pulumi.log.info(f"the password is {password}")
pulumi.log.error(f"logged {password}")
"""


@pytest.mark.parametrize(("form", "end"), [("text", ""), ("json", "raise ValueError(password)\n")], ids=["logs", "raises"])
@pytest.mark.program
@pytest.mark.usefixtures("hosts")
def test_what_a_program_tells_has_no_declared_secret(seeds: Path, form: str, end: str) -> None:
    (seeds / "__main__.py").write_text(f"import nodepools\n{RAISES}{end}")
    answer = started("preview", "--format", form, cwd=seeds)
    assert (answer.status, re.findall(f".{{0,80}}{SEED}.{{0,40}}", answer.all)) == (2, [])
    assert "logged [secret]" in answer.err
    assert ("ValueError: [secret]" in answer.err) is bool(end)


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.program
@pytest.mark.usefixtures("hosts")
def test_a_preview_with_the_policy_pack_prints_no_secret(nodepools: Run, seeds: Path, project: Path, form: str) -> None:
    answer = nodepools("preview", "--details", "--policy-pack", str(project / "policy"), "--format", form, cwd=seeds)
    assert re.findall(f".{{0,80}}{SEED}.{{0,40}}", answer.all) == []
    assert ("$secret" if form == "json" else "(secret)") in answer.out
    assert "AKS096" in answer.all
