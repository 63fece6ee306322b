"""Platform files: several, folders of them, and those that are stacks of a project."""

import json
import subprocess
from hashlib import sha1
from pathlib import Path

import pytest

from .conftest import Run
from .inputs import WITH_POOL

FIXABLE = WITH_POOL.replace("count: 2}", "count: 2, os_sku: Azure_Linux}")
PROD = WITH_POOL.replace("name: dev", "name: prod").replace("max: 5", "max: 9")
POOL = "apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: a}\n"
COMMANDS = {
    "calendar": (),
    "capacity": (),
    "check": (),
    "cost": (),
    "diagram": (),
    "doctor": (),
    "explain": ("pod.yaml",),
    "upgrade": (),
}
POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: web}]}\n"


def folder_with(folder: Path, **texts: str) -> Path:
    (folder / "platforms").mkdir(parents=True)
    (folder / "pod.yaml").write_text(POD)
    for name, text in texts.items():
        (folder / f"platforms/{name}.yaml").write_text(text)
    return folder


@pytest.fixture
def two(tmp_path: Path) -> Path:
    return folder_with(tmp_path, dev=WITH_POOL, prod=PROD)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_folder_and_its_files_are_the_same_platforms(nodepools, two, command):
    of_folder = nodepools(command, *COMMANDS[command], "--file", "platforms", cwd=two)
    of_files = nodepools(command, *COMMANDS[command], "--file", "platforms/dev.yaml", "--file", "platforms/prod.yaml", cwd=two)
    assert of_folder.status == of_files.status
    same = of_files.out.replace("--file platforms/dev.yaml --file platforms/prod.yaml", "--file platforms")  # in the next command
    assert of_folder.out.splitlines()[2:] == same.splitlines()[2:]
    assert of_folder.all.count("prod") + of_folder.all.count("2 in every stack") >= 1
    if command != "diagram":
        named = "platforms/dev.yaml, platforms/prod.yaml"
        assert of_files.out.startswith(f"{named}: ")
        assert of_folder.out.startswith(f"{named if command == 'check' else 'platforms'}: ")


def test_the_exports_of_two_platforms_do_not_overwrite_each_other(nodepools, two):
    out = nodepools("doctor", "--exports", "--file", "platforms", cwd=two).out
    assert [line for line in out.splitlines() if line.startswith("mkdir")] == ["mkdir -p live/dev/weu", "mkdir -p live/prod/weu"]


BAD = {
    "an unreadable file among good ones": ("a: [", "error: platforms/bad.yaml:2:1: "),
    "two platforms with one name": (WITH_POOL, "also has a platform with the name `dev`"),
    "something other than a mapping": ("- 1\n", "error: platforms/bad.yaml: is not a platform"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_files_next_to_good_ones(nodepools, two, case):
    text, said = BAD[case]
    (two / "platforms/bad.yaml").write_text(text)
    answer = nodepools("check", "--file", "platforms", cwd=two)
    assert answer.status == 2
    assert "platforms/dev.yaml, platforms/prod.yaml" in answer.out.replace("platforms/bad.yaml, ", "")
    assert said in answer.err


def test_a_manifest_in_a_folder_is_told_and_as_an_argument_an_error(nodepools, two):
    (two / "platforms/pool.yaml").write_text(POOL)
    answer = nodepools("check", "--file", "platforms", cwd=two)
    assert (answer.status, answer.err) == (0, "notice: platforms/pool.yaml: is not a platform: not read\n")
    named = nodepools("check", "--file", "platforms/dev.yaml", "--file", "platforms/pool.yaml", cwd=two)
    assert named.status == 2
    assert "error: platforms/pool.yaml: is a Kubernetes manifest (NodePool)" in named.err


@pytest.mark.parametrize("text", [POOL, None])
def test_a_folder_without_platforms(nodepools, tmp_path, text):
    folder_with(tmp_path, **({"pool": text} if text else {}))
    answer = nodepools("cost", "--file", "platforms", cwd=tmp_path)
    assert (answer.status, answer.out) == (2, "")
    assert "error: platforms: contains no " in answer.err


def test_fixes_are_written_into_each_file(nodepools, tmp_path):
    folder_with(tmp_path, dev=FIXABLE, prod=FIXABLE.replace("name: dev", "name: prod"))
    answer = nodepools("check", "--file", "platforms", "--fix", cwd=tmp_path)
    assert "in 2 files" in answer.out
    assert all("AzureLinux" in (tmp_path / f"platforms/{name}.yaml").read_text() for name in ("dev", "prod"))


def git(folder: Path, *arguments: str) -> None:
    command = ["git", "-c", "user.name=a", "-c", "user.email=a@example.com", *arguments]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


@pytest.fixture
def committed(two: Path) -> Path:
    git(two, "init", "--quiet")
    git(two, "add", ".")
    git(two, "commit", "--quiet", "-m", "first")
    return two


@pytest.mark.parametrize("given", [["--file", "platforms"], ["--file", "platforms/dev.yaml", "--file", "platforms/prod.yaml"]])
def test_diff_compares_each_platform_with_a_commit(nodepools, committed, given):
    same = nodepools("diff", "HEAD", *given, cwd=committed)
    assert "nothing changes (12 resources are equal)" in same.out
    (committed / "platforms/prod.yaml").write_text(PROD.replace("Standard_D2ds_v5", "Standard_D4ds_v5"))
    assert nodepools("diff", "HEAD", *given, "--format", "json", cwd=committed).json["stacks"] == ["dev", "prod"]
    edited = nodepools("diff", "HEAD", *given, cwd=committed)
    assert "1 edit rotates prod/weu/web" in edited.out


def test_diff_with_a_platform_that_is_new(nodepools, committed):
    (committed / "platforms/test.yaml").write_text(PROD.replace("name: prod", "name: test"))
    for given in (["--file", "platforms"], ["--file", "platforms/dev.yaml", "--file", "platforms/test.yaml"]):
        answer = nodepools("diff", "HEAD", *given, "--format", "json", cwd=committed).json
        assert {change["effect"] for change in answer["changes"]} == {"creates"}


@pytest.mark.parametrize("given", ["dev.yaml", "platforms/dev.yaml"])
def test_diff_reads_the_file_of_the_commit_also_by_its_whole_path(nodepools, committed, given):
    here = committed if given.startswith("platforms") else committed / "platforms"
    (committed / "platforms/dev.yaml").write_text(WITH_POOL.replace("max: 5", "max: 6"))
    answer = nodepools("diff", "HEAD", "--file", str(here / given), "--format", "json", cwd=here)
    assert len(answer.json["changes"]) == 1


def test_diff_does_not_compare_a_file_outside_of_the_repository_with_itself(nodepools, committed, tmp_path_factory):
    other = tmp_path_factory.mktemp("other") / "dev.yaml"
    other.write_text(WITH_POOL)
    answer = nodepools("diff", "HEAD", "--file", str(other), cwd=committed)
    assert (answer.status, answer.out) == (2, "")
    assert f"error: {other}: is not below" in answer.err


@pytest.mark.parametrize("options", [[], ["HEAD"]])
def test_diff_of_two_platforms_with_one_name_is_an_error(nodepools, committed, options):
    (committed / "platforms/same.yaml").write_text(WITH_POOL)
    git(committed, "add", ".")
    git(committed, "commit", "--quiet", "-m", "same")
    answer = nodepools("diff", "HEAD", *options, "--file", "platforms", cwd=committed)
    assert answer.status == 2
    assert "also has a platform with the name `dev`" in answer.err


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project whose stacks are data."""
    (tmp_path / "stacks").mkdir()
    (tmp_path / "Pulumi.yaml").write_text("name: project\nruntime: python\n")
    (tmp_path / "stacks/dev.yaml").write_text(WITH_POOL)
    (tmp_path / "stacks/prod.yaml").write_text(PROD)
    return tmp_path


def test_files_in_stacks_are_stacks(nodepools, project):
    assert nodepools("check", "--all", cwd=project).out.startswith("dev, prod: no errors")
    assert nodepools("cost", "--stack", "prod", cwd=project).out.startswith("prod: ")
    assert nodepools("cost", cwd=project).out.startswith("dev: ")
    missing = nodepools("check", "--stack", "pord", cwd=project)
    assert "available: dev, prod): use `--stack prod`" in missing.err


def test_stacks_that_are_data_are_read_where_no_code_runs(nodepools, project):
    (project / "stacks/code.py").write_text("raise SystemExit\n")
    answer = nodepools("check", "--all", cwd=project, env={"NODEPOOLS_NO_CODE": "1"})
    assert answer.out.startswith("dev, prod: ")
    assert "the stack `code` is code" in answer.err
    assert answer.status == 2


def test_findings_and_fixes_of_stacks_that_are_data(nodepools, project):
    (project / "stacks/dev.yaml").write_text(FIXABLE)
    for options in (["--all"], ["--stack", "dev"]):
        assert "file=stacks/dev.yaml,line=7," in nodepools("check", *options, "--format", "github", cwd=project).out
    assert "stacks/dev.yaml" in nodepools("check", "--all", "--fix", cwd=project).out
    assert "AzureLinux" in (project / "stacks/dev.yaml").read_text()


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("dev.py", "PLATFORM = None\n", "stacks/dev.py: stacks/dev.yaml also declares the stack `dev`: remove or rename one of them"),
        (
            "other.yaml",
            WITH_POOL,
            "stacks/other.yaml: the name of the platform is `dev`, from which resources are named: set `name: other` in a new stack",
        ),
        ("pool.yaml", POOL, "stacks/pool.yaml: is a Kubernetes manifest (NodePool), not a platform"),
    ],
)
def test_bad_stacks(nodepools, project, name, text, said):
    (project / "stacks" / name).write_text(text)
    answer = nodepools("check", "--all", cwd=project)
    assert answer.status == 2
    assert said in answer.err
    assert "prod" in answer.out


def test_diff_of_stacks_that_are_data(nodepools, project):
    git(project, "init", "--quiet")
    git(project, "add", ".")
    git(project, "commit", "--quiet", "-m", "first")
    (project / "stacks/dev.yaml").write_text(WITH_POOL.replace("max: 5", "max: 6"))
    answer = nodepools("diff", "HEAD", "--all", "--format", "github", cwd=project)
    assert "file=stacks/dev.yaml,line=" in answer.out


def test_kinds_that_only_one_can_be_are_written_and_all_others_listed_at_once(nodepools, tmp_path):
    text = WITH_POOL.replace("    kind: AksCluster\n", "").replace("kind: UserPool, ", "").replace("max: 5}", "max: 5, mxa: 4}")
    assert "kind" not in text
    (tmp_path / "dev.yaml").write_text(text)
    found = nodepools("check", "--file", "dev.yaml", "--format", "json", cwd=tmp_path).json["findings"]
    assert [(one["path"], one["code"]) for one in found if one["code"].startswith("CFG")] == [
        ("clusters.weu", "CFG003"),
        ("clusters.weu.pools.web", "CFG003"),
        ("clusters.weu.pools.web.scale.mxa", "CFG002"),
    ]
    fixed = nodepools("check", "--file", "dev.yaml", "--fix", cwd=tmp_path)
    assert fixed.out.startswith("dev.yaml: 1 finding fixed in 1 file; ")
    assert (tmp_path / "dev.yaml").read_text() == f"{text}    kind: AksCluster\n"


def test_preview_of_a_platform_file(nodepools, two):
    shown = nodepools("preview", "--file", "platforms/prod.yaml", cwd=two)
    assert shown.out.startswith("platforms/prod.yaml: registers 10 resources in 1 cluster: no errors")
    several = nodepools("preview", "--file", "platforms", cwd=two)
    assert (several.status, several.err) == (2, "error: `preview` shows one platform: use `--file platforms/dev.yaml`\n")
    piped = nodepools("preview", "--file", "-", cwd=two, stdin=WITH_POOL)
    assert (piped.status, "it cannot be stdin" in piped.err) == (2, True)
    (two / "platforms/prod.yaml").write_text("name: prod\n")
    assert nodepools("preview", "--file", "platforms/prod.yaml", cwd=two).out.startswith("platforms/prod.yaml: the program did not run, because ")


def test_jobs_change_nothing_of_the_answer(nodepools, project):
    """Also not with a stack that cannot be read, one with schema errors, which cannot be handed over, and secrets in messages."""
    (project / "stacks/bad.yaml").write_text("a: [")
    (project / "stacks/typo.yaml").write_text(FIXABLE.replace("name: dev", "name: typo").replace("kind: UserPool, ", ""))
    (project / "stacks/code.py").write_text("raise ValueError('no')\n")
    for number in range(4):
        (project / f"stacks/more{number}.yaml").write_text(FIXABLE.replace("name: dev", f"name: more{number}"))
    for options in (["--all"], ["--file", "stacks"], ["--all", "--format", "json"], ["--all", "--details"]):
        one, *others = (nodepools("check", *options, "--jobs", jobs, cwd=project) for jobs in "139")
        assert [one, one] == others
        assert one.status in (1, 2)


def test_a_process_that_dies_is_an_error(nodepools, project):
    killed = "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n"
    (project / "stacks/killed.py").write_text(killed)
    answer = nodepools("check", "--all", "--jobs", "2", cwd=project)
    assert answer.status == 2
    assert answer.err == "error: killed: not read: its process ended before it answered: `--jobs 1` reads it in this one\n"
    assert answer.out.startswith("dev, prod: no errors")


@pytest.mark.parametrize(
    ("stacks", "settings", "selected", "expected"),
    [
        (["live"], "", "", "live: "),
        (["live", "test"], "", "test", "test: "),
        (["dev", "test"], "", "test", "dev: "),
        (["dev", "test"], '[tool.nodepools]\ndefault-stack = "test"\n', "", "test: "),
        (["live", "test"], "", "", "error: the project has several stacks (live, test): use `--stack live`"),
        (["live", "test"], "", "gone", "error: the project has several stacks (live, test): use `--stack live`"),
        (["live"], '[tool.nodepools]\ndefault-stack = "lives"\n', "", "error: stack `lives` not found (available: live): use `--stack live`"),
        (["live"], "[tool.nodepools]\ndefault-stack = 3\n", "", "error: pyproject.toml: `tool.nodepools.default-stack` must be the name of a stack"),
    ],
)
def test_the_stack_without_an_option(nodepools: Run, tmp_path: Path, stacks: list[str], settings: str, selected: str, expected: str):
    (tmp_path / "Pulumi.yaml").write_text("name: shop\nruntime: python\n", encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(settings, encoding="utf-8")
    (tmp_path / "stacks").mkdir()
    for stack in stacks:
        (tmp_path / f"stacks/{stack}.yaml").write_text(f"name: {stack}\nclusters: {{}}\n", encoding="utf-8")
    if selected:
        (tmp_path / "home/workspaces").mkdir(parents=True)
        place = sha1(bytes(tmp_path / "Pulumi.yaml"), usedforsecurity=False).hexdigest()
        (tmp_path / f"home/workspaces/shop-{place}-workspace.json").write_text(json.dumps({"stack": f"acme/shop/{selected}"}), encoding="utf-8")
    answer = nodepools("check", cwd=tmp_path, env={"PULUMI_HOME": str(tmp_path / "home")})
    assert (answer.out + answer.err).startswith(expected)


def test_a_hidden_file_of_a_folder_is_a_note_unless_it_is_named(nodepools, two):
    folder = two / "platforms"
    (folder / ".old").mkdir()
    for name in (".dev.yaml", ".old/dev.yaml"):
        (folder / name).write_text("name: [", encoding="utf-8")
    answer = nodepools("cost", "--file", "platforms", "--details", cwd=two)
    assert answer.status == 0, answer.all
    assert "notice: platforms/.dev.yaml, platforms/.old/dev.yaml: hidden, and not read" in answer.all
    assert nodepools("cost", "--file", "platforms/.dev.yaml", cwd=two).status != 0


def test_findings_of_a_folder_name_their_file_and_are_accepted_in_it(nodepools, tmp_path):
    folder = tmp_path / "platforms"
    folder.mkdir()
    for name in ("one", "two"):
        (folder / f"{name}.yaml").write_text(
            f"name: {name}\nclusters:\n  weu: {{kind: AksCluster, location: westeurope, kubernetes_version: '1.35', "
            "system_pool: {vm_size: Standard_D4ds_v5, count: 2, zones: [1, 1]}}\n"
        )
    found = nodepools("check", "--file", "platforms", "--format", "json", cwd=tmp_path).json["findings"]
    assert {one["object"] for one in found} == {"platforms/one.yaml", "platforms/two.yaml"}
    assert "also in" not in nodepools("check", "--file", "platforms", cwd=tmp_path).out
