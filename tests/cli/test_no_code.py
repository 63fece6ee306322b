"""`NODEPOOLS_NO_CODE=1`: no command runs code of the project, and each says so."""

from pathlib import Path

import pytest

from tests.cli.conftest import Run

OFF = "which the environment variable `NODEPOOLS_NO_CODE` turns off"
MARK = "import pathlib\npathlib.Path(__file__).with_name('ran').touch()\n"
NODE_POOL = "apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: web}\nspec: {template: {spec: {}}}\n"
PLATFORM = """name: dev
clusters:
  weu: {kind: AksCluster, location: westeurope, kubernetes_version: "1.35", system_pool: {vm_size: Standard_D4ds_v5, count: 2}}
"""


@pytest.fixture
def untrusted(tmp_path: Path) -> Path:
    (tmp_path / "stacks").mkdir()
    for name in ("stacks/dev.py", "rules.py", "__main__.py"):
        (tmp_path / name).write_text(MARK)
    (tmp_path / "Pulumi.yaml").write_text("name: p\nruntime: python\n")
    (tmp_path / "pyproject.toml").write_text('[tool.nodepools]\nrules = ["rules.py"]\n')
    (tmp_path / "pool.yaml").write_text(NODE_POOL)
    (tmp_path / "platform.yaml").write_text(PLATFORM)
    return tmp_path


COMMANDS = [
    pytest.param("check", id="check of a stack"),
    pytest.param("check --all", id="check of all stacks"),
    pytest.param("check pool.yaml --stack dev", id="check of manifests and a stack"),
    pytest.param("explain pool.yaml", id="explain"),
    pytest.param("diff platform.yaml", id="diff with the working tree"),
    pytest.param("diff . platform.yaml", id="diff with a folder"),
    pytest.param("calendar", id="calendar"),
    pytest.param("cost", id="cost"),
    pytest.param("capacity", id="capacity"),
    pytest.param("upgrade", id="upgrade"),
    pytest.param("render", id="render"),
    pytest.param("diagram", id="diagram"),
    pytest.param("doctor", id="doctor"),
    pytest.param("preview", id="preview"),
]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_stack_or_a_program_is_an_error(nodepools: Run, untrusted: Path, command: str):
    answer = nodepools(*command.split(), cwd=untrusted, env={"NODEPOOLS_NO_CODE": "1"})
    assert (answer.status, OFF in answer.err) == (2, True), answer.all
    assert sorted(untrusted.rglob("ran")) == []


def test_a_program_without_stacks_does_not_run(nodepools: Run, untrusted: Path):
    (untrusted / "stacks" / "dev.py").unlink()
    (untrusted / "stacks").rmdir()
    answer = nodepools("preview", cwd=untrusted, env={"NODEPOOLS_NO_CODE": "1"})
    assert (answer.status, OFF in answer.err, sorted(untrusted.rglob("ran"))) == (2, True, [])


@pytest.mark.parametrize("command", ["check pool.yaml", "check pool.yaml --own-rules rules.py", "rules AKS014"])
def test_own_rules_are_a_note(nodepools: Run, untrusted: Path, command: str):
    answer = nodepools(*command.split(), cwd=untrusted, env={"NODEPOOLS_NO_CODE": "1"})
    assert "notice: rules.py" in answer.err
    assert "own rules are not loaded" in answer.err
    assert sorted(untrusted.rglob("ran")) == []


@pytest.mark.parametrize("value", ["", "0"])
def test_code_runs_otherwise(nodepools: Run, untrusted: Path, value: str):
    nodepools("check", cwd=untrusted, env={"NODEPOOLS_NO_CODE": value})
    assert sorted(path.parent.name for path in untrusted.rglob("ran")) == [untrusted.name]


FOLDERS = [
    pytest.param("check k8s", id="check"),
    pytest.param("check pool.yaml --crds k8s", id="CRDs"),
    pytest.param("explain k8s --file platform.yaml", id="explain"),
    pytest.param("explain pool.yaml --existing k8s", id="pools"),
    pytest.param("diff k8s platform.yaml", id="the old side of diff"),
    pytest.param("diff platform.yaml platform.yaml --workloads k8s", id="workloads"),
    pytest.param("upgrade --file platform.yaml --workloads k8s", id="upgrade"),
    pytest.param("calendar --existing k8s", id="calendar"),
    pytest.param("capacity --existing k8s", id="capacity"),
    pytest.param("convert k8s --to nap", id="convert"),
]


@pytest.mark.parametrize("command", FOLDERS)
def test_a_folder_behind_a_link_is_one_problem_without_its_names(nodepools: Run, untrusted: Path, command: str):
    project, other = untrusted / "project", untrusted / "other"
    for folder in (project, other / ".git"):
        folder.mkdir(parents=True)
    for name in ("platform.yaml", "pool.yaml"):
        (untrusted / name).rename(project / name)
    (other / "recognizable.yaml").write_text(NODE_POOL)
    (project / "k8s").symlink_to(other)
    answer = nodepools(*command.split(), cwd=project, env={"NODEPOOLS_NO_CODE": "1"})
    assert (answer.status, answer.err.count("leads out of the project"), "recognizable" in answer.all) == (2, 1, False), answer.all
    assert "k8s: is a link" in answer.all
