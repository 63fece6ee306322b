"""`nodepools check --fix` and `--dry-run`, as a person uses them."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from nodepools import AksClusterArgs, AksNodePool, EksClusterArgs, EksNodeClass, EksNodePool, Platform, check
from nodepools.cli.output.safe_text import safe
from nodepools.manifests.object_samples import SAMPLES
from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.base import Model
from nodepools.model.invalid_parts import is_faulty
from nodepools.rules.engine import samples
from nodepools.rules.engine.registry import all_rules
from tests.cli.test_text_fixes import PLATFORM
from tests.rules.test_invalid_declarations import said_in_a_file
from tests.rules.test_samples import DAY

STACK = """\
from nodepools import AksClusterArgs, AksNetworkArgs, Autoscale, Platform, SystemPool, UserPool

PLATFORM = Platform(
    name="dev",
    clusters={
        "weu": AksClusterArgs(
            location="westeurope",
            kubernetes_version="1.36",
            network=AksNetworkArgs(cidr="10.10.0.0/16"),
            system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=3, os_sku="Azure_Linux"),
            pools={"web": UserPool(vm_size="Standard_D4ds_v5", scale=Autoscale(2, 5))},
        ),
    },
)
"""
TODAY = ("--today", "2026-11-22")


@pytest.fixture
def platform(tmp_path: Path) -> Path:
    file = tmp_path / "platform.yaml"
    file.write_text(PLATFORM)
    return file


@pytest.mark.parametrize("also", [(), ("--fix",)], ids=["alone", "with --fix"])
def test_diff_prints_what_would_change_and_writes_nothing(nodepools, platform, also):
    answer = nodepools("check", "--file", platform.name, *also, "--dry-run", *TODAY, cwd=platform.parent)
    assert answer.status == 1
    assert "-      os_sku: Azure_Linux\n+      os_sku: AzureLinux\n" in answer.out
    assert answer.out.startswith("--- a/platform.yaml\n+++ b/platform.yaml\n")
    assert answer.err == "notice: 2 findings would be fixed in 1 file\n"
    assert platform.read_text() == PLATFORM


def test_a_diff_has_the_line_ends_of_the_file(nodepools, platform):
    platform.write_bytes(PLATFORM.replace("\n", "\r\n").encode())
    answer = nodepools("check", "--file", platform.name, "--dry-run", *TODAY, cwd=platform.parent)
    assert "-      os_sku: Azure_Linux\n+      os_sku: AzureLinux\n" in answer.out  # the test reads every line end as this one
    assert safe("a\r\nb\rc\r\n") == "a\r\nb\\rc\r\n"


@pytest.mark.parametrize(
    "written",
    [PLATFORM, PLATFORM.rstrip("\n"), f"{PLATFORM.rstrip()}  # a\xa0b"],
    ids=["as it is", "no line break at the end", "a blank of Unicode there"],
)
def test_what_patch_makes_of_a_diff_is_what_fix_writes(nodepools, platform, written):
    platform.write_bytes(written.encode())
    subprocess.run(["git", "init", "-q"], cwd=platform.parent, check=True)
    answer = nodepools("check", "--file", platform.name, "--dry-run", *TODAY, cwd=platform.parent)
    subprocess.run(["git", "apply", "-"], cwd=platform.parent, check=True, input=answer.out.encode())
    patched = platform.read_bytes()
    platform.write_bytes(written.encode())
    nodepools("check", "--file", platform.name, "--fix", *TODAY, cwd=platform.parent)
    assert (platform.read_bytes(), patched != written.encode()) == (patched, True)


FORMS = """\
name: dev
clusters:
  use1:
    kind: EksCluster
    region: us-east-1
    kubernetes_version: "1.35"
    auto_mode: {node_pools: {a: {expire_after: 30d}, b: {expire_after: 10d}}}
  weu:
    kind: AksCluster
    location: westeurope
    kubernetes_version: "1.36"
    system_pool: {vm_size: Standard_D4ds_v5, count: 3, zones: ['1']}
"""


def test_the_same_value_in_another_form_is_written_unless_a_rule_rejects_it(nodepools, tmp_path):
    """30 days are 720h, and nodes of Auto Mode live at most 504h."""
    (tmp_path / "p.yaml").write_text(FORMS)
    answer = nodepools("check", "--file", "p.yaml", "--fix", *TODAY, cwd=tmp_path)
    assert (tmp_path / "p.yaml").read_text() == FORMS.replace("10d", '"240h"').replace("['1']", "[1]")
    assert "CFG009 error at clusters.use1.auto_mode.node_pools.a.expire_after" in answer.out
    assert 'fix: Set `expire_after` to `"480h"`\n' in answer.out
    assert "EKS044" not in answer.out


def test_a_manifest_has_such_values_too(nodepools, tmp_path):
    written = POOLS.replace("    spec:\n", "    spec:\n      expireAfter: 7d\n").replace("spec:\n", 'spec:\n  weight: "10"\n', 1)
    (tmp_path / "np.yaml").write_text(written)
    nodepools("check", "np.yaml", "--fix", cwd=tmp_path)
    fixed = (tmp_path / "np.yaml").read_text()
    assert ("weight: 10\n" in fixed, 'expireAfter: "168h"\n' in fixed) == (True, True)


def test_items_without_a_text_are_counted_and_the_others_keep_theirs(nodepools, tmp_path):
    taint = "      -   {key: a,   effect: NoSchedule}  # why\n"
    written = POOLS.replace("    spec:\n", f"    spec:\n      taints:\n{taint}{taint}", 1)
    (tmp_path / "np.yaml").write_text(written)
    answer = nodepools("check", "np.yaml", "--fix", cwd=tmp_path)
    assert "KAR030 spec.template.spec.taints: 2 items → 1 item\n" in answer.out
    assert written.replace(taint + taint, taint).splitlines()[:9] == (tmp_path / "np.yaml").read_text().splitlines()[:9]


def test_a_name_with_a_blank_is_one_that_patch_reads(nodepools, tmp_path):
    (tmp_path / "my platform.yaml").write_text(PLATFORM)
    answer = nodepools("check", "--file", "my platform.yaml", "--dry-run", *TODAY, cwd=tmp_path)
    assert answer.out.startswith("--- a/my platform.yaml\t\n+++ b/my platform.yaml\t\n")


def test_fix_writes_and_a_second_run_finds_nothing_to_fix(nodepools, platform):
    platform.chmod(0o640)
    answer = nodepools("check", "--file", platform.name, "--fix", *TODAY, cwd=platform.parent)
    assert answer.status == 0
    assert answer.out.startswith("platform.yaml: 2 findings fixed in 1 file; no errors")
    assert (
        "Fixed\n"
        "  platform.yaml:13: AKS152 clusters.weu.system_pool.os_sku: 'Azure_Linux' → 'AzureLinux'\n"
        "  platform.yaml:19: AKS288 clusters.weu.http_proxy.no_proxy[0]: '*.corp' → '.corp'\n"
    ) in answer.out
    assert answer.err == ""
    fixed = platform.read_text()
    assert fixed == PLATFORM.replace("Azure_Linux", "AzureLinux").replace("*.corp", ".corp")
    assert platform.stat().st_mode & 0o777 == 0o640
    again = nodepools("check", "--file", platform.name, "--fix", *TODAY, cwd=platform.parent)
    assert (again.status, again.out.split(";")[0], platform.read_text()) == (0, "platform.yaml: nothing fixed", fixed)
    assert [file.name for file in platform.parent.iterdir()] == ["platform.yaml"]


def test_files_stay_what_they_are(nodepools, tmp_path):
    """A link, Windows line ends, a byte order mark, an empty last document and a missing last line end."""
    old = "\ufeff" + PLATFORM.replace("\n", "\r\n").removesuffix("\r\n") + "\r\n---"
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "p.yaml").write_bytes(old.encode())
    link = tmp_path / "platform.yaml"
    link.symlink_to("real/p.yaml")
    answer = nodepools("check", "--file", "platform.yaml", "--fix", *TODAY, cwd=tmp_path)
    assert "2 findings fixed in 1 file" in answer.out
    assert link.is_symlink()
    assert (tmp_path / "real" / "p.yaml").read_bytes() == old.replace("Azure_Linux", "AzureLinux").replace("*.corp", ".corp").encode()


def test_a_file_that_is_read_only_is_not_fixed(nodepools, platform):
    platform.chmod(0o444)
    answer = nodepools("check", "--file", platform.name, "--fix", *TODAY, cwd=platform.parent)
    assert answer.status == 1
    assert "nothing fixed" in answer.out
    assert "error: platform.yaml: is read-only: not fixed\n" in answer.err
    assert platform.read_text() == PLATFORM


def test_what_is_left_is_counted(nodepools, platform):
    platform.write_text(PLATFORM.replace("min: 2, max: 5", "min: 5, max: 2"))
    answer = nodepools("check", "--file", platform.name, "--fix", *TODAY, cwd=platform.parent)
    assert "Not fixed\n  1 finding: several edits are possible, or one that changes what runs: you decide\n" in answer.out
    assert "fix: Lower `min` to `2`, or raise `max` to `5`" in answer.out


POOLS = """\
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: web}
spec:
  template:
    spec:
      nodeClassRef: {group: eks.amazonaws.com, kind: NodeClass, name: default}
      requirements:
        - {key: karpenter.sh/capacity-type, operator: In, values: [ondemand]}
        - {key: karpenter.k8s.aws/instance-cpu, operator: In, values: ["4"]}
"""


def test_a_manifest(nodepools, tmp_path):
    (tmp_path / "np.yaml").write_text(POOLS)
    answer = nodepools("check", "np.yaml", "--fix", cwd=tmp_path)
    assert answer.out.startswith("np.yaml: 2 findings fixed in 1 file; no errors, 1 warning left\n")
    assert (
        "Fixed\n"
        "  np.yaml:9: KAR043 spec.template.spec.requirements[0].values[0]: 'ondemand' → 'on-demand'\n"
        "  np.yaml:10: EKS045 spec.template.spec.requirements[1].key: 'karpenter.k8s.aws/instance-cpu' → 'eks.amazonaws.com/instance-cpu'\n"
    ) in answer.out
    fixed = (tmp_path / "np.yaml").read_text()
    assert fixed == POOLS.replace("ondemand", "on-demand").replace("karpenter.k8s.aws/instance-cpu", "eks.amazonaws.com/instance-cpu")


def whole(sample: Model) -> Platform | None:
    """The platform of a sample."""
    match sample:
        case AksClusterArgs() | EksClusterArgs():
            return samples.platform(weu=sample)
        case EksNodePool():
            return samples.platform(weu=samples.auto_mode({"web": sample}))
        case AksNodePool():
            return samples.platform(weu=samples.provisioning({"web": sample}))
        case AgentPool():
            return samples.platform(weu=samples.aks(pools={"web": sample}))
        case EksNodeClass():
            return samples.platform(weu=samples.auto_mode(classes={"web": sample}))
        case _:
            return None


@pytest.mark.sweep
def test_every_fix_of_a_platform_is_written(nodepools, tmp_path):
    declared = {code: whole(rule.sample()) for code, rule in all_rules().items() if rule.sample is not None}
    fixable = {code: it for code, it in declared.items() if it and not is_faulty(it) and any(found.operations for found in check(it, today=DAY))}
    assert {"AKS288", "EKS022", "KAR043", "NAP018"} <= fixable.keys()
    for code, platform in fixable.items():
        (tmp_path / "platform.json").write_text(json.dumps(said_in_a_file(platform), default=str))
        answer = nodepools("check", "--file", "platform.json", "--fix", "--today", str(DAY), cwd=tmp_path)
        assert f"platform.json:1: {code} " in answer.out, answer.all
        assert "fixed in 1 file" in answer.out


@pytest.mark.parametrize("code", [code for code in SAMPLES if not code.startswith("CFG") and code != "IGN004"])
def test_the_fix_of_a_manifest_is_no_error(nodepools, tmp_path, code):
    (tmp_path / "objects.yaml").write_text(SAMPLES[code])
    answer = nodepools("check", "objects.yaml", "--fix", cwd=tmp_path)
    assert answer.status in {0, 1}, answer.all
    assert " fixed" in answer.out.splitlines()[0], answer.all


NUMBERS = """\
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: web, annotations: {owner: 7}}
spec:
  disruption: {consolidateAfter: 1m, budgets: [{nodes: 10}]}
  template:
    metadata: {labels: {a: 0123, b: 1.10, c: 1e3, d: y}}  # text
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: own}
      requirements:
        - {key: karpenter.k8s.aws/instance-cpu, operator: In, values: [4, 8]}
"""


def test_numbers_that_must_be_text_are_quoted_as_they_are_written(nodepools, tmp_path):
    """Unless they can mean something else: a count or a share of nodes, or a word that YAML reads as true."""
    (tmp_path / "pool.yaml").write_text(NUMBERS)
    nodepools("check", "pool.yaml", "--fix", cwd=tmp_path)
    quoted = (("owner: 7", 'owner: "7"'), ("a: 0123, b: 1.10, c: 1e3", 'a: "0123", b: "1.10", c: "1e3"'), ("[4, 8]", '["4", "8"]'))
    expected = NUMBERS
    for old, new in quoted:
        expected = expected.replace(old, new)
    assert (tmp_path / "pool.yaml").read_text() == expected


@pytest.mark.parametrize("text", ["\\ud83d\\ude00 \U0001f600", "\\ud83d", "\x7f\u2028", "\\\\ud83d"])
def test_json_with_characters_that_yaml_does_not_have_is_edited_in_place(nodepools, tmp_path, text):
    pool = '{"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "NAME"}, "spec": {"weight": "5"}}'
    (tmp_path / "pool.json").write_text(pool.replace("NAME", text))
    before = (tmp_path / "pool.json").read_text()
    nodepools("check", "pool.json", "--fix", cwd=tmp_path)
    assert (tmp_path / "pool.json").read_text() == before.replace('"weight": "5"', '"weight": 5')


def test_the_document_has_the_edits(nodepools, platform):
    edits = nodepools("check", "--file", platform.name, "--fix", *TODAY, "--format", "json", cwd=platform.parent).json["edits"]
    assert edits[0] == {
        "path": "platform.yaml:13",
        "code": "AKS152",
        "op": "set",
        "field": "clusters.weu.system_pool.os_sku",
        "old": "Azure_Linux",
        "value": "AzureLinux",
    }


def test_a_file_whose_name_is_like_an_option_is_named_as_a_path(nodepools, tmp_path):
    (tmp_path / "-np.yaml").write_text(POOLS)
    answer = nodepools("check", "./-np.yaml", "./-np.yaml", cwd=tmp_path)
    assert "next: nodepools check ./-np.yaml ./-np.yaml --fix" in answer.out
    assert "OBJ005" not in answer.out, "it is read once"


def test_a_link_to_nothing_is_told(nodepools, tmp_path):
    (tmp_path / "np.yaml").symlink_to("gone.yaml")
    assert nodepools("check", "np.yaml", cwd=tmp_path).err == "error: np.yaml: is a link to `gone.yaml`, which does not exist\n"


def test_what_comes_next_after_a_check_is_the_command_that_fixes(nodepools, platform):
    answer = nodepools("check", "--file", platform.name, *TODAY, cwd=platform.parent, env={"COLUMNS": "160"})
    [first, *rest] = answer.out.splitlines()
    assert first.endswith("; 2 fixes to try")
    found = dict.fromkeys(re.findall(r"^platform\.yaml:\S+ (\w+) ", answer.out, re.MULTILINE))
    line, _, codes = rest[0].rpartition(" (")
    assert line == "next: nodepools check --file platform.yaml --today 2026-11-22 --fix  # writes files only; tries 2 edits"
    assert {*re.findall(r"\w+", codes)} <= {*found}, answer.out


def test_a_stack_in_python_is_printed_and_not_written(nodepools, tmp_path):
    (tmp_path / "Pulumi.yaml").write_text("name: mine\nruntime: python\n")
    stack = tmp_path / "stacks" / "dev.py"
    stack.parent.mkdir()
    stack.write_text(STACK)
    answer = nodepools("check", "--fix", *TODAY, cwd=tmp_path)
    assert answer.status == 1
    assert "next: nodepools check --stack dev --dry-run | patch -p1  # writes files only\n" in answer.out
    assert "dev: Python is not edited" in answer.out
    shown = nodepools("check", "--dry-run", *TODAY, cwd=tmp_path)
    assert shown.out.startswith("--- a/stacks/dev.py\n")
    assert shown.err == "notice: 1 finding would be fixed in 1 file\n"
    assert 'count=3, os_sku="AzureLinux")' in shown.out
    assert stack.read_text() == STACK


BAD = [
    pytest.param(["--fix", "-"], "`--fix` and `--dry-run` need files", id="standard input"),
    pytest.param(
        ["--dry-run", "--format", "github", "--file", "platform.yaml"], "`--dry-run` and `--format` cannot be combined", id="a diff as JSON"
    ),
    pytest.param(["--fix", "--file", "nope.yaml"], "nope.yaml: No such file or directory", id="no such file"),
    pytest.param(["--fix", "nope.yaml"], "nope.yaml: No such file or directory", id="no such manifest"),
    pytest.param(["--fix", "broken.yaml"], "broken.yaml:2:1: ", id="a manifest that is no YAML"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD)
def test_bad_usage_is_told_in_one_line(nodepools, platform, arguments: list[str], message: str):
    (platform.parent / "broken.yaml").write_text("a: [")
    answer = nodepools("check", *arguments, cwd=platform.parent)
    assert answer.status == 2
    assert answer.out == "" or "github" in arguments
    assert answer.err.startswith(f"error: {message}")
    assert platform.read_text() == PLATFORM
