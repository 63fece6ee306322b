"""`nodepools init`: what it writes works at once, and it never harms what exists."""

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from importlib.metadata import distribution
from pathlib import Path

import pytest
import yaml

from nodepools.cli import written_file
from nodepools.cli.command_run import CommandRun
from nodepools.cli.init import new_project
from nodepools.cli.problem import InputError
from nodepools.cli.starter_files import Ci, Cloud, Origin, project_files
from nodepools.loading import read_stack
from nodepools.model.platform import Platform
from tests.cli.conftest import Run
from tests.docs.walkthrough import matches

NOWHERE = Origin("")

BIN = Path(sys.executable).parent
DAY = "2026-11-23"
"""Warnings about the end of support depend on the date."""
CI_FILES = {Ci.GITHUB: ".github/workflows/nodepools.yml", Ci.GITLAB: ".gitlab-ci.yml"}


def files(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def commands(ci: Ci, text: str) -> list[str]:
    """The commands of a workflow, without those that install, and those that need the service."""
    if ci is Ci.GITLAB:
        job = yaml.safe_load(text)["nodepools"]
        return [*job["script"], *job["after_script"]]
    steps = yaml.safe_load(text)["jobs"]["check"]["steps"]
    return [step["run"] for step in steps if "run" in step and not step["run"].startswith("pip ")]


@pytest.mark.parametrize(("cloud", "ci", "form"), [(Cloud.BOTH, Ci.GITHUB, []), (Cloud.AKS, Ci.GITHUB, ["--yaml"])])
@pytest.mark.program
def test_what_ci_runs_passes_in_a_new_project(nodepools: Run, tmp_path: Path, cloud: Cloud, ci: Ci, form: list[str]):
    """With the other service, a project has the same files but one, as a later test shows. The tutorial runs the commands in one of each cloud."""
    assert nodepools("init", "shop", "--clouds", cloud, "--ci", ci, *form, cwd=tmp_path).status == 0
    lines = commands(ci, (tmp_path / "shop" / CI_FILES[ci]).read_text())
    assert {line.split(" -")[0] for line in lines} == {"nodepools check", "nodepools preview", "pytest"}
    for line in lines:
        dated = re.sub(r"^nodepools \w+", rf"\g<0> --today {DAY}", line)
        path = f"{BIN}:{os.environ['PATH']}"
        done = subprocess.run(
            ["bash", "-c", dated], cwd=tmp_path / "shop", env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, (line, done.stdout, done.stderr)


@pytest.mark.parametrize("cloud", Cloud)
def test_platform_files_declare_the_same_as_python(tmp_path: Path, cloud: Cloud):
    for form in ("py", "yaml"):
        for path, text in project_files("shop", cloud, None, NOWHERE, yaml=form == "yaml").items():
            (tmp_path / form / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / form / path).write_text(text)
    for stack in ("dev", "prod"):
        assert read_stack(stack, tmp_path / "yaml") == read_stack(stack, tmp_path / "py")
    assert not list((tmp_path / "yaml" / "stacks").glob("*.py"))


@pytest.mark.parametrize("cloud", Cloud)
def test_both_services_run_the_same_checks(cloud: Cloud):
    """Apart from formats of reports."""
    told = [
        {re.sub(r" --(format|junitxml).*", "", line) for line in commands(ci, project_files("shop", cloud, ci, NOWHERE)[Path(CI_FILES[ci])])}
        for ci in Ci
    ]
    assert told[0] == told[1]


@pytest.mark.parametrize("cloud", Cloud)
@pytest.mark.parametrize("ci", Ci)
def test_a_ci_service_adds_one_file(cloud: Cloud, ci: Ci):
    without, with_ci = (project_files("shop", cloud, each, NOWHERE) for each in (None, ci))
    assert with_ci.items() - without.items() == {(Path(CI_FILES[ci]), with_ci[Path(CI_FILES[ci])])}
    assert without.items() <= with_ci.items()


def test_a_project_for_both_clouds_has_the_clusters_of_each(tmp_path: Path):
    """Three templates declare two clusters: those of both clouds are the same."""
    declared: dict[tuple[Cloud, str], Platform] = {}
    for cloud in Cloud:
        for path, text in project_files("shop", cloud, None, NOWHERE).items():
            (tmp_path / cloud / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / cloud / path).write_text(text, encoding="utf-8")
        for stack in ("dev", "prod"):
            declared[cloud, stack] = read_stack(stack, tmp_path / cloud)
    for stack in ("dev", "prod"):
        aks, eks, both = (declared[cloud, stack] for cloud in Cloud)
        assert dict(both.clusters) == {**aks.clusters, **eks.clusters}


@pytest.mark.parametrize("name", ["123", "null", "1e3", "true"])
def test_a_name_that_yaml_reads_as_another_type_stays_text(name: str):
    texts = project_files(name, Cloud.AKS, None, NOWHERE)
    assert yaml.safe_load(texts[Path("Pulumi.yaml")])["name"] == name


@pytest.mark.parametrize("cloud", Cloud)
def test_its_requirements_are_the_locked_versions(project: Path, cloud: Cloud):
    locked = (project / "requirements.lock").read_text(encoding="utf-8")
    texts = project_files("shop", cloud, None, Origin("==0"))
    pinned = [
        line for name in ("requirements.txt", "requirements-dev.txt") for line in texts[Path(name)].splitlines() if re.match(r"[a-z]+[\w-]*==", line)
    ]
    assert len(pinned) >= 4
    assert [line for line in pinned if f"\n{line} " not in locked] == []


@pytest.mark.skipif(not (BIN / "ruff").exists(), reason="ruff and pyright are not installed")
@pytest.mark.program
def test_it_passes_its_own_linters(tmp_path: Path):
    new_project(tmp_path / "shop", CommandRun("init", "text"), name=None, cloud=Cloud.BOTH, ci=None)
    for line in ("ruff check --no-cache .", "ruff format --no-cache --check .", f"pyright --pythonpath {sys.executable}"):
        done = subprocess.run([BIN / line.split()[0], *line.split()[1:]], cwd=tmp_path / "shop", capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout


def steps(shown: list[str]) -> list[str]:
    """The commands one by one."""
    return [command for line in shown for command in line.partition("  # ")[0].split(" && ")]


def test_it_tells_what_it_wrote_and_the_next_steps(nodepools: Run, tmp_path: Path):
    answer = nodepools("init", "my shop", "--name", "shop", "--clouds", "aks", cwd=tmp_path)
    assert answer.status == 0
    first, *rest = answer.out.splitlines()
    assert first == f"my shop: {len(files(tmp_path / 'my shop'))} files written"
    assert sorted(line.strip() for line in rest if line.startswith("  ")) == files(tmp_path / "my shop")
    assert steps([line[6:] for line in rest if line.startswith(("next: ", "then: "))]) == [
        "cd 'my shop'",
        "python3 -m venv .venv",
        ".venv/bin/pip install -r requirements-dev.txt",
        ".venv/bin/nodepools check --all",
        ".venv/bin/nodepools preview",
        ".venv/bin/pytest",
    ]


def test_the_readme_of_the_project_has_the_same_steps(nodepools: Run, tmp_path: Path):
    told = steps(nodepools("init", "shop", "--format", "json", cwd=tmp_path).json["next"])
    [block] = re.findall(r"^```sh\n(.*?)^```", (tmp_path / "shop" / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    assert [shlex.join(shlex.split(line, comments=True)) for line in block.splitlines()] == told[1:]


def test_json_has_the_same(nodepools: Run, tmp_path: Path):
    answer = nodepools("init", ".", "--name", "shop", "--ci", "gitlab", "--format", "json", cwd=tmp_path)
    assert answer.json["complete"]
    assert answer.json["files"] == files(tmp_path)
    assert answer.json["next"][0].startswith("python3 -m venv .venv")


FOLDERS = [
    pytest.param("shop", [], "", id="a new directory"),
    pytest.param("a/b/shop", [], "", id="a new directory in new directories"),
    pytest.param("shop", ["shop/"], "", id="an empty directory"),
    pytest.param("shop", ["shop/.git/HEAD"], "", id="a repository without files"),
    pytest.param("./x/../shop", [], "", id="a path that goes back"),
    pytest.param(
        "shop",
        ["shop/stacks/dev.py", "shop/README.md"],
        "shop: is not empty (contains `README.md`, `stacks`): use a new or an empty folder",
        id="a directory with files of the same names",
    ),
    pytest.param(
        "shop",
        [f"shop/{name}" for name in "abcdefg"],
        "shop: is not empty (contains `a`, `b`, `c`, `d`, `e` and 2 more): use a new or an empty folder",
        id="a directory with many other files",
    ),
    pytest.param("shop", ["shop"], "shop: is not a folder: use a new or an empty folder", id="a file"),
    pytest.param("shop/x", ["shop"], "shop/x: cannot write the project: Not a directory", id="a directory in a file"),
    pytest.param("0" * 300 + "/shop", [], f"{'0' * 300}/shop: cannot write the project: File name too long", id="a name that is too long"),
]


@pytest.mark.parametrize(("folder", "existing", "refusal"), FOLDERS)
def test_it_writes_into_new_and_empty_directories_alone(nodepools: Run, tmp_path: Path, folder: str, existing: list[str], refusal: str):
    for name in existing:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).mkdir() if name.endswith("/") else (tmp_path / name).write_text("mine")
    before = files(tmp_path)
    answer = nodepools("init", folder, "--clouds", "aks", cwd=tmp_path)
    if refusal:
        assert (answer.status, answer.out, answer.err) == (2, "", f"error: {refusal}\n")
        assert files(tmp_path) == before
    else:
        assert answer.status == 0
        assert set(files((tmp_path / folder).resolve())) > {"Pulumi.yaml", ".gitignore", "stacks/dev.py"}
        assert list(tmp_path.rglob(".nodepools-init-*")) == []


NAMES = [
    pytest.param(["a b"], "`a b` cannot be the name of a project: use `--name` with", id="a directory with a space"),
    pytest.param(["-x"], "", id="an option that does not exist"),
    pytest.param(["shop", "--name", ""], "`` cannot be the name of a project: `--name` must be", id="an empty name"),
    pytest.param(["shop", "--name", "é"], "`é` cannot be the name of a project: `--name` must be", id="a letter that Pulumi rejects"),
    pytest.param(["shop", "--name", "shop-"], "`shop-` cannot be the name of a project: `--name` must be", id="a hyphen at the end"),
    pytest.param(["shop", "--name", "a" * 101], "cannot be the name of a project", id="more than 100 letters"),
    pytest.param(["/"], "`` cannot be the name of a project: use `--name` with", id="the root of the disk"),
]


@pytest.mark.parametrize(("arguments", "message"), NAMES)
def test_a_name_that_pulumi_would_reject_is_one_error(nodepools: Run, tmp_path: Path, arguments: list[str], message: str):
    answer = nodepools("init", *arguments, cwd=tmp_path)
    assert answer.status == 2
    assert message in answer.err
    assert answer.err.count("error: ") == 1
    assert files(tmp_path) == []


LINKS = [
    pytest.param("dangling", "dangling: is not a folder: use a new or an empty folder", id="a link that leads nowhere"),
    pytest.param("loop", "loop: is not a folder: use a new or an empty folder", id="a link to itself"),
    pytest.param("loop/shop", "loop/shop: cannot write the project: ", id="a directory behind a link to itself"),
]


@pytest.mark.parametrize(("folder", "refusal"), LINKS)
def test_a_link_that_leads_to_no_directory_is_one_error(nodepools: Run, tmp_path: Path, folder: str, refusal: str):
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "loop").symlink_to("loop")
    answer = nodepools("init", folder, cwd=tmp_path)
    assert (answer.status, answer.err.count("\n"), answer.err.startswith(f"error: {refusal}")) == (2, 1, True), answer.err


def test_if_a_step_fails_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The disk is full at the fifth file."""
    moved: list[Path] = []
    replace = Path.replace

    def full(self: Path, target: Path) -> Path:
        if target.name == "requirements.txt":
            raise OSError(28, "No space left on device", str(target))
        moved.append(target)
        return replace(self, target)

    monkeypatch.setattr(written_file.Path, "replace", full)
    with pytest.raises(InputError, match="shop: cannot write the project: No space left on device"):
        new_project(tmp_path / "new" / "shop", CommandRun("init", "text"), name=None, cloud=Cloud.AKS, ci=None)
    assert len(moved) > 3
    assert list(tmp_path.iterdir()) == []


def test_if_it_is_interrupted_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(written_file.Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        new_project(tmp_path / "shop", CommandRun("init", "text"), name=None, cloud=Cloud.AKS, ci=None)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes into every directory")
def test_a_directory_that_cannot_be_written_is_one_error(nodepools: Run, tmp_path: Path):
    (tmp_path / "shop").mkdir(mode=0o500)
    answer = nodepools("init", "shop", cwd=tmp_path)
    assert (answer.status, answer.err) == (2, "error: shop: cannot write the project: Permission denied\n")


INDEX = Origin("==1")


class Installed:
    """An installed distribution, with what pip recorded about its origin."""

    version = distribution("nodepools").version

    def __init__(self, recorded: object) -> None:
        self.recorded = recorded
        self.files = distribution("nodepools").files

    def read_text(self, name: str) -> str | None:
        assert name == "direct_url.json"
        return None if self.recorded is None else json.dumps(self.recorded)


URL = "https://git.example.com/platform/nodepools"
SOURCES = [
    pytest.param(None, f"=={distribution('nodepools').version}", id="from an index"),
    pytest.param({"url": URL, "vcs_info": {"vcs": "git", "commit_id": "ab12"}}, f" @ git+{URL}@ab12", id="from a repository: its commit"),
    pytest.param({"url": f"{URL}.whl", "archive_info": {}}, f" @ {URL}.whl", id="from an address of a wheel"),
]


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[object], tuple[Path, list[str]]]:
    """Writes a project with an installation of which pip recorded this; returns its folder and the notes."""

    def write(recorded: object) -> tuple[Path, list[str]]:
        monkeypatch.setattr("importlib.metadata.distribution", lambda _: Installed(recorded))
        run = CommandRun("init", "text")
        new_project(tmp_path / "shop", run, name=None, cloud=Cloud.EKS, ci=None)
        return tmp_path / "shop", [str(note) for note in run.notes]

    return write


@pytest.mark.parametrize(("recorded", "source"), SOURCES)
def test_the_project_installs_nodepools_from_where_this_one_comes(written, recorded: object, source: str):
    folder, notes = written(recorded)
    assert f"\nnodepools[eks,cli]{source}\n" in (folder / "requirements.txt").read_text()
    assert (notes, (folder / "vendor").exists()) == ([], False)


def test_a_project_of_a_local_installation_has_a_wheel_that_another_machine_installs(written, tmp_path: Path):
    folder, [note] = written({"url": "file:///src", "dir_info": {"editable": True}})
    [wheel] = (folder / "vendor").iterdir()
    assert note.startswith(f"requirements.txt: installs nodepools from `vendor/{wheel.name}`")
    requirements = (folder / "requirements.txt").read_text()
    assert f"\n./vendor/{wheel.name}[eks,cli]\n" in requirements
    assert f"sha256 {sha256(wheel.read_bytes()).hexdigest()}." in requirements
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--target", str(tmp_path / "packages"), str(wheel)]
    subprocess.run(command, check=True)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "packages")}
    run = [sys.executable, "-c", "from nodepools.cli.main import main; main()", "rules", "AKS014"]
    done = subprocess.run(run, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.partition(" ")[0]) == (0, "AKS014")


def test_no_placeholder_is_left():
    for cloud in Cloud:
        for ci in Ci:
            for path, text in {
                **project_files("shop", cloud, ci, INDEX),
                **project_files("shop", cloud, ci, INDEX, yaml=True),
            }.items():
                assert not re.search(r"@\w+@|payments", f"{path} {text}"), path


def test_the_guide_shows_what_it_prints(nodepools: Run, project: Path, tmp_path: Path):
    [command, shown] = re.findall(
        r"^```text\n\$ nodepools (.*?)\n(.*?)^```", (project / "docs/start/tutorial.md").read_text(), re.MULTILINE | re.DOTALL
    )[0]
    answer = nodepools(*command.split(), cwd=tmp_path, env={"COLUMNS": "100"})
    assert matches(shown, answer.out + answer.err)


def test_an_empty_name_is_no_directory(nodepools: Run, tmp_path: Path):
    refused = nodepools("init", "", cwd=tmp_path)
    assert (refused.status, refused.err.splitlines()[0]) == (2, "error: `DIR` is required: new or empty folder")
    assert list(tmp_path.iterdir()) == []
