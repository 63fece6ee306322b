"""`nodepools check`: what a person reads, and what a program reads."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run

GOOD = """
from nodepools import AksClusterArgs, Platform, SystemPool, UserPool
PLATFORM = Platform(name="dev", clusters={"weu": AksClusterArgs(location="westeurope", kubernetes_version="1.35",
    system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=3), pools={"web": UserPool(vm_size="Standard_D4ds_v5")})})
"""
TAINTED = GOOD.replace("count=3", "count=3, taints=[Taint('a', 'b')]").replace("SystemPool,", "SystemPool, Taint,")


def project_with(folder: Path, dev: str) -> Path:
    (folder / "Pulumi.yaml").write_text("name: mine\nruntime: python\n")
    (folder / "stacks").mkdir()
    (folder / "stacks" / "dev.py").write_text(dev)
    return folder


def test_stacks_of_this_project_have_no_errors(nodepools: Run, project: Path):
    answer = nodepools("check", "--all", "--format", "json", cwd=project)
    assert answer.status == 0
    assert answer.json["errors"] == 0
    assert {finding["object"] for finding in answer.json["findings"]} <= {"stacks/dev.py", "stacks/staging.py", "stacks/prod.py"}


def test_an_error_is_told_with_place_value_reason_and_fix(nodepools: Run, tmp_path: Path):
    answer = nodepools("check", cwd=project_with(tmp_path, TAINTED))
    assert answer.status == 1
    for part in ("AKS014 error", "clusters.weu.system_pool.taints[0]", "a=b:NoSchedule", "fix: ", "dev: 1 error"):
        assert part in answer.out


def test_json_holds_the_contract_and_stands_alone(nodepools: Run, tmp_path: Path):
    answer = nodepools("check", "--format", "json", cwd=project_with(tmp_path, TAINTED))
    assert answer.status == 1
    [finding] = [finding for finding in answer.json["findings"] if finding["severity"] == "error"]
    assert set(finding) == {"line", "column", "code", "name", "severity", "path", "value", "message", "fix", "source", "url", "object"}
    assert (finding["code"], finding["path"]) == ("AKS014", "clusters.weu.system_pool.taints[0]")
    assert answer.json["errors"] == 1
    assert answer.err == ""


def test_what_a_stack_prints_does_not_stand_among_json(nodepools: Run, tmp_path: Path):
    answer = nodepools("check", "--format", "json", cwd=project_with(tmp_path, f"print('hello')\n{GOOD}"))
    assert answer.json["errors"] == 0
    assert answer.err == "hello\n"


def test_it_works_from_a_folder_inside_the_project(nodepools: Run, tmp_path: Path):
    inside = project_with(tmp_path, GOOD) / "docs"
    inside.mkdir()
    assert nodepools("check", cwd=inside).status == 0


def test_strict_takes_a_warning_for_an_error(nodepools: Run, tmp_path: Path):
    folder = project_with(
        tmp_path, GOOD.replace("count=3", "count=3, labels={}").replace('kubernetes_version="1.35"', 'kubernetes_version="1.35", entra=None')
    )
    assert nodepools("check", cwd=folder).status == 0
    assert nodepools("check", "--strict", cwd=folder).status == 1


UNREADABLE = [
    pytest.param(GOOD, ["--stack", "prodd"], "stack `prodd` not found (available: dev", id="an unknown stack lists the known ones"),
    pytest.param("1 / 0\n", [], "stacks/dev.py:1: ZeroDivisionError: division by zero", id="a module that raises is told with its line"),
    pytest.param("x = (\n", [], "stacks/dev.py:1: ", id="a syntax error is told with its line"),
    pytest.param("import nodepols\n", [], "stacks/dev.py:1: ModuleNotFoundError: No module named 'nodepols'", id="a missing import too"),
    pytest.param("", [], "stacks/dev.py: `PLATFORM` is not defined", id="a module without a platform"),
    pytest.param("PLATFORM = []\n", [], "`PLATFORM` is of type `list`", id="a platform that is none"),
    pytest.param(
        GOOD.replace('"dev"', '"prod"'),
        [],
        'the name of the platform is `prod`, from which resources are named: set `name="dev"` in a new stack',
        id="a platform of another name",
    ),
    pytest.param("import sys; sys.exit(7)\n", [], "stacks/dev.py:1: SystemExit: 7", id="a module that ends the process"),
    pytest.param("from nodepools import Taint\nTaint.parse('x')\n", [], "stacks/dev.py:2: Taint", id="a lone value that is wrong"),
    pytest.param(
        "import pulumi\nregion = pulumi.Config('shop').require('region')\n",
        [],
        "stacks/dev.py:2: reads the Pulumi configuration `shop:region`, which a stack file cannot",
        id="a stack that reads Pulumi's configuration",
    ),
    pytest.param("raise ValueError('one\\n\\ttwo')\n", [], "stacks/dev.py:1: ValueError: one two", id="a message of several lines"),
    pytest.param(
        f"{GOOD}\nfrom nodepools import derive\nprint(derive(PLATFORM.clusters['weu'], pools={{'web': {{'vmsize': 3, 'cont': 3}}}}))\n",
        [],
        "stacks/dev.py:7: AksClusterArgs.pools.web.vmsize `vmsize` is not a field of `UserPool` "
        "(Remove it, or write its value at `vm_size`, which is set, too); "
        "AksClusterArgs.pools.web.cont `cont` is not a field of `UserPool` (Rename it to `count`)",
        id="a faulty part that is derived and printed, with all its findings",
    ),
    pytest.param("from nodepools import Platfrom\n", [], "stacks/dev.py:1: ImportError: cannot import name 'Platfrom'", id="a misspelt name"),
]


@pytest.mark.parametrize(("dev", "options", "said"), UNREADABLE)
def test_what_cannot_be_read_is_one_line_and_status_2(nodepools: Run, tmp_path: Path, dev: str, options: list[str], said: str):
    answer = nodepools("check", *options, cwd=project_with(tmp_path, dev))
    assert (answer.status, answer.out) == (2, "")
    assert answer.err.count("\n") == 1
    assert said in answer.err


WRONG_USE = [
    pytest.param(["--format", "xml"], "--format", id="an unknown format"),
    pytest.param(["--bogus"], "--bogus", id="an unknown option"),
    pytest.param(["--all", "--file", "x.yaml"], "cannot be combined", id="two sources"),
    pytest.param(["--stack", "dev", "--all"], "`--stack` and `--all` cannot be combined", id="one stack and all of them"),
    pytest.param(["--stack", "dev", "--file", "x.yaml"], "`--stack` and `--file` cannot be combined", id="a stack and a file"),
    pytest.param(["--file", "missing.yaml"], "missing.yaml: No such file", id="a file that is not there"),
    pytest.param(["--file", "."], ".: contains no platform", id="a folder without platforms"),
]


@pytest.mark.parametrize(("options", "said"), WRONG_USE)
def test_wrong_use_is_status_2(nodepools: Run, tmp_path: Path, options: list[str], said: str):
    answer = nodepools("check", *options, cwd=project_with(tmp_path, GOOD))
    assert (answer.status, answer.out) == (2, "")
    assert said in answer.err


def test_outside_a_project_it_says_where_to_go(nodepools: Run, tmp_path: Path):
    answer = nodepools("check", cwd=tmp_path)
    assert answer.status == 2
    assert "Pulumi.yaml not found in" in answer.err
    assert "--file" in answer.err


YAML = """
name: dev
clusters:
  weu:
    kind: AksCluster
    location: westeurope
    kubernetes_version: 1.30
    system_pool: {vm_size: Standard_D4ds_v5, count: 3}
    pools:
      web: {kind: UserPool, vm_size: Standard_D4ds_v5, taints: ["team=ml:NoSchedule"]}
      "no": {kind: UserPool, vm_size: Standard_D4ds_v5}
"""


def test_a_platform_can_be_written_as_yaml(nodepools: Run, tmp_path: Path):
    (tmp_path / "platform.yaml").write_text(YAML)
    answer = nodepools("check", "--file", "platform.yaml", "--format", "json", cwd=tmp_path)
    assert not [finding for finding in answer.json["findings"] if finding["code"].startswith("CFG")]


def test_an_empty_field_is_a_finding_and_an_explicit_null_is_not(nodepools: Run, tmp_path: Path):
    text = YAML.replace("kubernetes_version: 1.30", "kubernetes_version: '1.35'\n    node_provisioning:\n    entra: null\n    pools_:")
    (tmp_path / "platform.yaml").write_text(text)
    answer = nodepools("check", "--file", "platform.yaml", "--format", "json", cwd=tmp_path)
    assert answer.status == 1
    findings = {finding["path"]: finding for finding in answer.json["findings"]}
    assert findings["clusters.weu.node_provisioning"]["code"] == "CFG011"
    assert "Write a value, remove the key (for the default)" in findings["clusters.weu.node_provisioning"]["fix"]["text"]
    assert findings["clusters.weu.entra"]["code"] == "AKS062", "what is said of it is said of a cluster without Entra"


def test_findings_of_a_platform_have_their_place_in_the_file(nodepools: Run, tmp_path: Path):
    (tmp_path / "platform.yaml").write_text(YAML.replace("count: 3", "count: three"))
    assert (
        "platform.yaml:8:46: CFG004 error at clusters.weu.system_pool.count: 'three'\n"
        in nodepools("check", "--file", "platform.yaml", cwd=tmp_path).out
    )
    assert "Some rules did not run: correct the CFG errors above, then check again" in nodepools("check", "--file", "platform.yaml", cwd=tmp_path).out
    finding, *_ = nodepools("check", "--file", "platform.yaml", "--format", "json", cwd=tmp_path).json["findings"]
    assert (finding["line"], finding["column"]) == (8, 46)
    said = nodepools("check", "--file", "platform.yaml", "--format", "github", cwd=tmp_path).out
    assert said.startswith("::error file=platform.yaml,line=8,col=46,title=CFG004 clusters.weu.system_pool.count::")


def test_findings_of_a_rule_have_their_place_in_the_file(nodepools: Run, tmp_path: Path):
    (tmp_path / "platform.yaml").write_text(YAML.replace('"no"', "web_1"))
    assert "platform.yaml:11:7: AKS001 error at clusters.weu.pools.web_1" in nodepools("check", "--file", "platform.yaml", cwd=tmp_path).out


BAD_TEXT = [
    pytest.param("clusters: [\n", "platform.yaml:2:1", id="a text that ends early"),
    pytest.param("\tname: dev\n", "platform.yaml:1:1", id="a tab"),
    pytest.param("- a\n", "is not a platform", id="a list"),
    pytest.param("", "is not a platform", id="nothing"),
    pytest.param("a: &a [*a]\n", "contains itself", id="an anchor within itself"),
    pytest.param(
        "a: &a [x, x]\n" + "".join(f"a{i}: &a{i} [*a{i - 1 if i else ''}, *a{i - 1 if i else ''}]\n" for i in range(40)),
        "once aliases are expanded",
        id="a bomb",
    ),
    pytest.param("[" * 5000, "nested too deeply", id="deep nesting"),
    pytest.param("? [a]\n: b\n", "a key must be text", id="a list for a key"),
]


@pytest.mark.parametrize(("text", "said"), BAD_TEXT)
def test_yaml_that_we_do_not_read(nodepools: Run, tmp_path: Path, text: str, said: str):
    (tmp_path / "platform.yaml").write_text(text)
    answer = nodepools("check", "--file", "platform.yaml", cwd=tmp_path)
    assert (answer.status, answer.out) == (2, "")
    assert said in answer.err


@pytest.mark.parametrize("option", [("--file",), ()])
@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("p.toml", 'name = "shop"\n[clusters]\n', "p.toml: is TOML"),
        ("p.toml", '# shop\nname = "shop"\n\n[clusters.weu] # west\n', "p.toml: is TOML"),
        ("dev.py", "from nodepools import Platform\n", "dev.py: is Python, not YAML or JSON: `--stack NAME`"),
        ("dev.py", 'PLATFORM = Platform(name="dev", clusters={"a": b})\n', "dev.py: is Python"),
    ],
)
def test_another_language_is_named(nodepools: Run, tmp_path: Path, option: tuple[str, ...], name: str, text: str, said: str):
    """`name:` and `clusters:` can be there, in a form that is not read."""
    (tmp_path / name).write_text(text)
    answer = nodepools("check", *option, name, cwd=tmp_path)
    assert (answer.status, answer.out) == (2, "")
    assert f"error: {said}" in answer.err


def test_a_binary_file_is_no_text(nodepools: Run, tmp_path: Path):
    (tmp_path / "platform.yaml").write_bytes(b"\xff\xfe\x00")
    answer = nodepools("check", "--file", "platform.yaml", cwd=tmp_path)
    assert answer.status == 2
    assert "is not UTF-8 text" in answer.err


def test_a_file_of_windows_begins_with_a_mark_of_its_encoding(nodepools: Run, tmp_path: Path):
    (tmp_path / "platform.yaml").write_text("name: shop\nclusters: {}\n", encoding="utf-8-sig")
    answer = nodepools("check", "--file", "platform.yaml", cwd=tmp_path)
    assert (answer.status, answer.err) == (1, "")
    step = "next: platform.yaml:2:1: clusters: Add an entry"
    assert answer.out.startswith(f"platform.yaml: 1 error\n{step}\n\nplatform.yaml:2:1: CFG008 error at clusters")


def test_importing_the_models_leaves_pulumi_out(project: Path):
    code = "import sys, nodepools; nodepools.Platform; assert 'pulumi' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], cwd=project, check=True)


def test_an_error_that_stacks_have_in_common_is_one_problem(nodepools: Run, tmp_path: Path):
    (tmp_path / "stacks").mkdir()
    (tmp_path / "Pulumi.yaml").write_text("name: shop\nruntime: python\n", encoding="utf-8")
    (tmp_path / "stacks/dev.py").write_text("x = (\n", encoding="utf-8")
    (tmp_path / "stacks/prod.py").write_text("from stacks import dev\n", encoding="utf-8")
    answer = nodepools("check", "--all", "--format", "json", cwd=tmp_path)
    assert (answer.status, answer.err) == (2, "error: stacks/dev.py:1: '(' was never closed\n")
    assert [problem["path"] for problem in answer.json["problems"]] == ["stacks/dev.py:1"]


MISTAKEN = [
    pytest.param(
        "np.yaml",
        "kind: NodePool\napiVersion: karpenter.sh/v1\n",
        ["--file"],
        "(NodePool), not a platform: `nodepools check np.yaml`; for `explain`, its pools are read with `--existing np.yaml`",
        id="a manifest",
    ),
    pytest.param("c.yaml", "kind: EC2NodeClass\napiVersion: a/v1\n", ["--file"], "its pools are read with `--existing c.yaml`", id="a class"),
    pytest.param("p.yaml", "name: a\nclusters: {}\n", [], "p.yaml:1:1: is a platform: `nodepools check --file p.yaml`", id="a platform"),
    pytest.param("s.json", '{"version": 3, "deployment": {}}', [], "is a state of Pulumi: `nodepools diff s.json` compares it", id="a state"),
    pytest.param("values.yaml", "name: a\nreplicaCount: 3\nimage: {}\n", [], "has values of a Helm chart: exclude it", id="values of a chart"),
    pytest.param("Pulumi.yaml", "name: a\nruntime: python\n", [], "is the project file of Pulumi: exclude it", id="a project"),
    pytest.param("b.json", '{"a":\n }', [], "b.json:2:2: is not valid JSON: Expecting value", id="JSON that YAML would read"),
    pytest.param("b.json", '{"a" [', [], "b.json:1:6: is not valid JSON: Expecting ':' delimiter", id="JSON that is broken"),
    pytest.param("b.json", '{"a":\n', [], "is not valid JSON: Expecting value: the file ends too early, write or export it again", id="half of JSON"),
    pytest.param("np.yaml", "", ["other.yaml"], "other.yaml: No such file or directory: the folder `.` has `np.yaml`", id="a file next to others"),
    pytest.param(
        "Pulumi.dev.yaml",
        "",
        ["other.yaml"],
        "any other file `*.yaml`: correct the path, or use `--stack dev` instead",
        id="files of Pulumi alone",
    ),
    pytest.param("np.yaml", "", ["x.json"], "No such file or directory: the folder `.` does not have any other file `*.json`", id="no such type"),
    pytest.param(
        "nodepools.yaml", "", ["nodepool.yaml"], "nodepool.yaml: No such file or directory: use `nodepools.yaml`", id="a file of another name"
    ),
    pytest.param("x.yaml", "", ["none/a.yaml"], "No such file or directory: there is no folder `none`", id="a folder that does not exist"),
]


@pytest.mark.parametrize(("file", "text", "arguments", "told"), MISTAKEN)
def test_a_file_that_is_something_else_is_told_with_what_to_use(
    nodepools: Run, tmp_path: Path, file: str, text: str, arguments: list[str], told: str
):
    (tmp_path / file).write_text(text)
    answer = nodepools("check", *(arguments if arguments and arguments != ["--file"] else [*arguments, file]), cwd=tmp_path)
    assert (answer.status, answer.err.count("\n")) == (2, 1)
    assert told in answer.err
