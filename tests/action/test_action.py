"""`action.yml`: its scripts run as on a runner, with files instead of GitHub; nothing that an input contains is run."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.inputs import PLATFORM, TAINTED
from tests.terraform_plans import POOL, change, plan, pool

pytestmark = pytest.mark.program

PROJECT = Path(__file__).resolve().parents[2]
TEXT = (PROJECT / "action.yml").read_text(encoding="utf-8")
ACTION: dict[str, Any] = yaml.safe_load(TEXT)
STEPS: dict[str, dict[str, Any]] = {step["name"]: step for step in ACTION["runs"]["steps"]}
CHECK, DIFF, COMMENT, INSTALL, RESULT = "Check", "Compare with the base", "Comment on the pull request", "Install nodepools", "Result"
APPROVALS = "Approvals"
SCRIPTS = [name for name, step in STEPS.items() if "run" in step]
GH = """#!/bin/bash
printf '%s\\n' "$@" '' >> "$GH_LOG"
if [ -e "$GH_LOG.denied" ]; then echo 'gh: Resource not accessible by integration (HTTP 403)' >&2; exit 1; fi
if [ "$2" = graphql ]; then cat "$GH_LOG.comments" 2> /dev/null || true; fi
"""


@dataclass
class Runner:
    """The files and variables of a runner, with the installed command and a `gh` that only records."""

    folder: Path
    env: dict[str, str] = field(default_factory=dict[str, str])

    def run(self, name: str, env: Mapping[str, str], directory: str = ".") -> subprocess.CompletedProcess[str]:
        script = self.folder / "script.sh"
        script.write_text(STEPS[name]["run"], encoding="utf-8")
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)]  # as a runner starts `shell: bash`
        return subprocess.run(
            command, cwd=self.folder / "checkout" / directory, env={**self.env, **env}, capture_output=True, text=True, check=False, timeout=120
        )

    def outputs(self) -> dict[str, str]:
        return dict(line.split("=", 1) for line in self.read("output").splitlines())

    def read(self, name: str) -> str:
        return (self.folder / name).read_text(encoding="utf-8")

    def git(self, *arguments: str) -> str:
        git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.com", *arguments]
        return subprocess.run(git, cwd=self.folder / "checkout", check=True, capture_output=True, text=True).stdout.strip()

    def commit(self, **files: str) -> str:
        for name, text in files.items():
            (self.folder / "checkout" / f"{name}.yaml").write_text(text, encoding="utf-8")
        self.git("add", "-A")
        self.git("commit", "--quiet", "--allow-empty", "-m", "a")
        return self.git("rev-parse", "HEAD")


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    tools, installed = tmp_path / "tools", tmp_path / "temp/nodepools/venv/bin"
    for folder in (tools, installed, tmp_path / "checkout"):
        folder.mkdir(parents=True)
    _executable(tools / "gh", GH)
    _executable(installed / "nodepools", f'#!/bin/sh\nexec {sys.executable} -P -m nodepools "$@"\n')
    _executable(installed / "python", f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    for name in ("output", "summary", "gh.log"):
        (tmp_path / name).touch()
    env = {
        "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(PROJECT / "components"),
        "HOME": str(tmp_path),
        "RUNNER_TEMP": str(tmp_path / "temp"),
        "GITHUB_OUTPUT": str(tmp_path / "output"),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
        "GITHUB_WORKSPACE": str(tmp_path / "checkout"),
        "GITHUB_ACTION_PATH": str(PROJECT),
        "GITHUB_REPOSITORY": "acme/platform",
        "GITHUB_EVENT_NAME": "pull_request",
        "GH_LOG": str(tmp_path / "gh.log"),
        "GH_TOKEN": "t",
    }
    made = Runner(tmp_path, env)
    made.git("init", "--quiet", "--initial-branch=main")
    return made


def _executable(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8")
    file.chmod(0o755)


def test_inputs_reach_scripts_as_variables_only():
    assert [name for name in SCRIPTS if "${{" in STEPS[name]["run"]] == []


def test_scripts_use_only_variables_that_they_get():
    for name in SCRIPTS:
        used = set(re.findall(r"\$\{?([A-Z][A-Z_]*)", STEPS[name]["run"]))
        of_runner = {one for one in used if one.startswith(("GITHUB_", "RUNNER_"))}
        assert used - of_runner - {"MARKER"} <= set(STEPS[name].get("env", {})), name


def test_other_actions_are_pinned_by_their_commit():
    used = re.findall(r"uses: (.*)", TEXT)
    assert used
    assert [one for one in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", one)] == []


def test_every_input_is_used_and_documented():
    page = (PROJECT / "docs/guides/ci.md").read_text(encoding="utf-8")
    for name, described in ACTION["inputs"].items():
        assert described["description"], name
        assert f"inputs.{name}" in TEXT, name
        default = described["default"]
        shown = "the token of the job" if default.startswith("${{") else f"`{default}`" if default else "none"
        assert re.search(rf"^\| `{name}` \| {re.escape(shown)} \|", page, re.MULTILINE), name
    for name in ACTION["outputs"]:
        assert f"`{name}`" in page, name


def test_the_metadata_matches_the_schema():
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-actions", "action.yml"]
    subprocess.run(command, cwd=PROJECT, check=True)


def test_workflows_and_the_example_pass_actionlint(tmp_path: Path):
    if shutil.which("actionlint") is None:
        pytest.skip("actionlint is not installed: go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.12")
    page = (PROJECT / "docs/guides/ci.md").read_text(encoding="utf-8")
    examples = re.findall(r"^```yaml\n(name: .*?)^```", page, re.MULTILINE | re.DOTALL)
    assert examples
    files = [*(PROJECT / ".github/workflows").iterdir(), *(PROJECT / "examples").glob("*/.github/workflows/*.yml")]
    for number, example in enumerate(examples):
        files.append(tmp_path / f"{number}.yml")
        files[-1].write_text(example, encoding="utf-8")
    subprocess.run(["actionlint", *files], cwd=PROJECT, check=True)


CHECKS = [
    pytest.param("--file=platform.yaml", PLATFORM, "0", "", id="no errors"),
    pytest.param("--file=platform.yaml", TAINTED, "1", "::error file=platform.yaml,line=7", id="a finding is an annotation"),
    pytest.param("--file=platform.yaml\n\n--strict\n", TAINTED, "1", "::error file=platform.yaml,line=7", id="several arguments"),
    pytest.param("--file=missing.yaml", PLATFORM, "2", "::error file=missing.yaml", id="a file that does not exist"),
    pytest.param("$(touch ran); `touch ran`", PLATFORM, "2", "", id="a command in an input is an argument"),
]


@pytest.mark.parametrize(("arguments", "platform", "code", "annotation"), CHECKS)
def test_check_reports_and_goes_on(runner: Runner, arguments: str, platform: str, code: str, annotation: str):
    runner.commit(platform=platform)
    done = runner.run(CHECK, {"ARGUMENTS": arguments})
    assert (done.returncode, runner.outputs()["exit-code"]) == (0, code), done.stderr
    assert annotation in done.stdout
    assert not list(runner.folder.rglob("ran"))
    assert runner.read("summary").startswith("## nodepools check\n\n    ")
    log = json.loads(Path(runner.outputs()["sarif-file"]).read_text(encoding="utf-8") or "{}")
    assert log.get("version", "2.1.0") == "2.1.0"


def test_findings_of_a_folder_have_paths_from_the_root(runner: Runner):
    (runner.folder / "checkout/infra").mkdir()
    (runner.folder / "checkout/infra/platform.yaml").write_text(TAINTED, encoding="utf-8")
    done = runner.run(CHECK, {"ARGUMENTS": "--file=platform.yaml"}, "infra")
    assert "::error file=infra/platform.yaml,line=7" in done.stdout
    log = Path(runner.outputs()["sarif-file"]).read_text(encoding="utf-8")
    assert '"uri": "infra/platform.yaml"' in log


def compare(runner: Runner, before: str, after: str, arguments: str = "--file=platform.yaml", folder: str = ".") -> subprocess.CompletedProcess[str]:
    base = runner.commit(platform=before)
    runner.commit(platform=after)
    return runner.run(DIFF, {"ARGUMENTS": arguments, "BASE": base, "FOLDER": folder})


def test_a_change_is_in_the_summary_and_in_the_comment(runner: Runner):
    done = compare(runner, PLATFORM, PLATFORM.replace("D4ds", "D8ds"))
    assert done.returncode == 0, done.stderr
    assert {name: value for name, value in runner.outputs().items() if name != "diff-file"} == {"exit-code": "1", "changed": "true"}
    assert "Standard_D8ds_v5" in runner.read("summary")
    assert runner.read("temp/nodepools/comment.md").startswith("<!-- nodepools diff -->\n### nodepools diff\n\n**")


def test_no_change_is_told(runner: Runner):
    compare(runner, PLATFORM, f"# a comment\n{PLATFORM}")
    assert (runner.outputs()["exit-code"], runner.outputs()["changed"]) == ("0", "false")


def test_a_folder_has_a_comment_of_its_own(runner: Runner):
    compare(runner, PLATFORM, PLATFORM, folder="infra/a --> b")
    assert runner.read("temp/nodepools/comment.md").startswith("<!-- nodepools diff: infra/a_--__b -->\n")


def test_a_base_that_cannot_be_compared_says_why(runner: Runner):
    done = compare(runner, PLATFORM, "name: [")
    assert (done.returncode, runner.outputs()["exit-code"]) == (0, "2")
    assert "could not be compared" in runner.read("summary")
    assert "platform.yaml:" in runner.read("temp/nodepools/comment.md")


COMMENTS = [
    pytest.param("", "true", ["POST", "repos/acme/platform/issues/7/comments"], id="the first change is a new comment"),
    pytest.param("11\n12\n", "true", ["PATCH", "repos/acme/platform/issues/comments/11"], id="the next one updates it"),
    pytest.param("11\n", "false", ["PATCH", "repos/acme/platform/issues/comments/11"], id="a change that was taken back updates it"),
    pytest.param("", "false", [], id="without a change there is no comment"),
]


@pytest.mark.parametrize(("comments", "changed", "call"), COMMENTS)
def test_the_comment_is_updated_in_place(runner: Runner, comments: str, changed: str, call: list[str]):
    (runner.folder / "temp/nodepools/comment.md").write_text("<!-- nodepools diff -->\n### nodepools diff\n", encoding="utf-8")
    (runner.folder / "gh.log.comments").write_text(comments, encoding="utf-8")
    done = runner.run(COMMENT, {"NUMBER": "7", "CHANGED": changed})
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    _, *calls = runner.read("gh.log").strip().split("\n\n")
    assert [word for one in calls for word in one.splitlines() if word in ("POST", "PATCH") or word.startswith("repos/")] == call


def test_a_comment_that_cannot_be_written_is_a_warning(runner: Runner):
    (runner.folder / "temp/nodepools/comment.md").write_text("<!-- nodepools diff -->\n", encoding="utf-8")
    (runner.folder / "gh.log.denied").touch()
    done = runner.run(COMMENT, {"NUMBER": "7", "CHANGED": "true"})
    assert (done.returncode, "::warning title=nodepools::" in done.stdout, "pull-requests: write" in done.stdout) == (0, True, True)


RESULTS = [("0", "", "", 0), ("0", "0", "0", 0), ("1", "0", "0", 1), ("0", "1", "0", 1), ("1", "2", "1", 2), ("2", "1", "", 2), ("0", "0", "1", 1)]


@pytest.mark.parametrize(("check", "diff", "approvals", "code"), RESULTS)
def test_the_worse_exit_code_counts(runner: Runner, check: str, diff: str, approvals: str, code: int):
    assert runner.run(RESULT, {"CHECK": check, "DIFF": diff, "APPROVALS": approvals}).returncode == code


REVIEWERS = """#!/bin/bash
case "$*" in
  *denied*) exit 1 ;;
  *pulls/7/reviews*) cat "$GH_LOG.reviews" ;;
  *acme/teams/shop/memberships/ann*) echo '{"state": "active"}' ;;
  *acme/teams/shop/memberships/new*) echo '{"state": "pending"}' ;;
  *) exit 1 ;;
esac
"""
COMPARED = {"complete": True, "changes": []}
TEAM = {"stack": "dev", "owner": "shop", "needs_approval": True, "approvers": ["@acme/shop"]}
USER = {"stack": "dev", "owner": "data", "needs_approval": True, "approvers": ["@Bob", "@carol"]}
NAMELESS = {"stack": "dev", "owner": "core", "needs_approval": True, "approvers": ["core"]}


def review(login: str, state: str = "APPROVED", commit: str = "head") -> dict[str, Any]:
    return {"user": {"login": login}, "state": state, "commit_id": commit}


@pytest.mark.parametrize(
    ("owners", "reviews", "missing"),
    [
        pytest.param([], [], [], id="no owner"),
        pytest.param([{**TEAM, "needs_approval": False}], [], [], id="no approval is needed"),
        pytest.param([TEAM], [review("Ann")], [], id="a member of the team"),
        pytest.param([TEAM], [review("bob")], ["shop"], id="another user"),
        pytest.param([TEAM], [review("new")], ["shop"], id="a member that has not accepted"),
        pytest.param([USER, TEAM], [review("ann"), review("bob")], [], id="one of each owner"),
        pytest.param([USER], [review("bob", commit="before")], ["data"], id="a commit was pushed since"),
        pytest.param([USER], [review("bob"), review("bob", "COMMENTED")], [], id="a comment afterwards"),
        pytest.param([USER], [review("bob"), review("bob", "CHANGES_REQUESTED")], ["data"], id="changes are wanted afterwards"),
        pytest.param([USER], [review("bob", "DISMISSED")], ["data"], id="an approval was dismissed"),
        pytest.param([NAMELESS], [review("core")], ["core"], id="no user is known"),
        pytest.param([TEAM, {**TEAM, "approvers": ["@bob"]}], [review("bob")], ["shop"], id="a new stack has a team of the same name"),
    ],
)
def test_approvals_of_the_newest_commit_are_needed(runner: Runner, owners: list[dict[str, Any]], reviews: list[dict[str, Any]], missing: list[str]):
    _executable(runner.folder / "tools/gh", REVIEWERS)
    (runner.folder / "gh.log.reviews").write_text("".join(f"{json.dumps(one)}\n" for one in reviews), encoding="utf-8")
    (runner.folder / "temp/nodepools/diff.json").write_text(json.dumps({**COMPARED, "owners": owners}), encoding="utf-8")
    done = runner.run(APPROVALS, {"NUMBER": "7", "HEAD": "head"})
    assert re.findall(r"::error title=nodepools approvals::The owner (\w+) has not", done.stdout) == missing, done.stderr
    assert (done.returncode, runner.outputs()["exit-code"]) == (0, "1" if missing else "0")


@pytest.mark.parametrize(
    ("compared", "repository"),
    [
        pytest.param("", "acme/platform", id="no comparison"),
        pytest.param('{"owners": [', "acme/platform", id="half of one"),
        pytest.param(json.dumps({**COMPARED, "owners": [USER]}), "denied", id="no reviews"),
        pytest.param(json.dumps({**COMPARED, "complete": False, "owners": []}), "acme/platform", id="not everything was compared"),
        pytest.param(json.dumps(COMPARED), "acme/platform", id="no owners"),
        pytest.param(
            json.dumps({**COMPARED, "changes": [{"stack": "program", "effect": "removes_nodes"}], "owners": [{**TEAM, "needs_approval": False}]}),
            "acme/platform",
            id="a change of a stack without owners",
        ),
    ],
)
def test_what_cannot_be_read_is_not_approved(runner: Runner, compared: str, repository: str):
    _executable(runner.folder / "tools/gh", REVIEWERS)
    if compared:
        (runner.folder / "temp/nodepools/diff.json").write_text(compared, encoding="utf-8")
    done = runner.run(APPROVALS, {"NUMBER": "7", "HEAD": "head", "GITHUB_REPOSITORY": repository})
    assert (runner.outputs()["exit-code"], done.stdout.count("::error title=nodepools approvals::")) == ("1", 1), done.stderr


def test_a_harmless_change_of_a_stack_without_owners_needs_no_approval(runner: Runner):
    compared = {**COMPARED, "changes": [{"stack": "program", "effect": "in_place"}], "owners": []}
    (runner.folder / "temp/nodepools/diff.json").write_text(json.dumps(compared), encoding="utf-8")
    runner.run(APPROVALS, {"NUMBER": "7", "HEAD": "head"})
    assert runner.outputs()["exit-code"] == "0"


@pytest.mark.parametrize("separator", ["\x85", "\u2028"])
def test_no_text_of_a_review_hides_approvals(runner: Runner, separator: str):
    _executable(runner.folder / "tools/gh", REVIEWERS)
    reviews = [{**review("eve", "COMMENTED"), "body": f"a{separator}b"}, review("bob")]
    lines = "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in reviews)
    (runner.folder / "gh.log.reviews").write_text(lines, encoding="utf-8")
    (runner.folder / "temp/nodepools/diff.json").write_text(json.dumps({**COMPARED, "owners": [USER]}), encoding="utf-8")
    done = runner.run(APPROVALS, {"NUMBER": "7", "HEAD": "head"})
    assert runner.outputs()["exit-code"] == "0", done.stdout


def test_the_deletion_of_a_pool_in_a_plan_is_not_approved(runner: Runner):
    deleted = plan(change(POOL, pool(), None))
    (runner.folder / "checkout/plan.json").write_text(json.dumps(deleted), encoding="utf-8")
    base = runner.commit(other="a: b")
    runner.run(DIFF, {"ARGUMENTS": "--all", "PLAN": "plan.json", "BASE": base, "FOLDER": "."})
    assert "removes_nodes" in runner.read("temp/nodepools/diff.json")
    done = runner.run(APPROVALS, {"NUMBER": "7", "HEAD": "head"})
    assert "No cluster or pool has an owner" in done.stdout


@pytest.mark.parametrize("combined", [{"PLAN": "plan.json"}, {"DIFF": "off"}])
def test_approvals_without_a_comparison_of_declarations_are_rejected_at_the_start(runner: Runner, combined: dict[str, str]):
    log = recorded_python(runner)
    done = runner.run(INSTALL, {**SWITCHES, "APPROVALS": "true", **combined, "REQUIREMENTS": ""})
    assert (done.returncode, "remove approvals" in done.stdout, log.exists()) == (1, True, False)


def test_other_approvers_are_a_change_for_the_comment(runner: Runner):
    owned = PLATFORM.replace("name: dev\n", "name: dev\nowners: {teams: {shop: {approvers: ['@acme/shop']}}}\n").replace(
        "    kind: AksCluster\n", "    kind: AksCluster\n    owner: shop\n"
    )
    done = compare(runner, owned, owned.replace("@acme/shop", "@acme/me"))
    assert (runner.outputs()["exit-code"], runner.outputs()["changed"]) == ("0", "true"), done.stderr


SWITCHES = {
    "NO_CODE": "false",
    "COMMENT": "true",
    "SARIF": "false",
    "APPROVALS": "false",
    "PLAN": "",
    "DIFF": "--all",
    "FOLDER": ".",
    "HEAD_REPOSITORY": "",
    "HEAD_COMMIT": "",
}
"""What the installation gets: inputs with their defaults, and nothing of an event."""


def recorded_python(runner: Runner) -> Path:
    """Python that installs nothing: the file with its arguments."""
    log = runner.folder / "python.log"
    for python in ("tools/python3", "temp/nodepools/venv/bin/python"):
        _executable(runner.folder / python, f'#!/bin/sh\necho "$@" >> {log}\n')
    return log


EVENTS = [
    pytest.param("pull_request_target", "false", 1, id="code of a pull request with the rights of the target branch"),
    pytest.param("pull_request_target", "true", 0, id="its data"),
    pytest.param("pull_request", "false", 0, id="a pull request"),
]


@pytest.mark.parametrize(("event", "no_code", "code"), EVENTS)
def test_installation_uses_the_versions_of_the_lock(runner: Runner, event: str, no_code: str, code: int):
    log = recorded_python(runner)
    requirements = "" if no_code == "true" else "requirements.txt"
    done = runner.run(INSTALL, {**SWITCHES, "REQUIREMENTS": requirements, "NO_CODE": no_code, "GITHUB_EVENT_NAME": event})
    assert done.returncode == code, done.stderr
    if code:
        assert done.stdout.startswith("::error title=nodepools::This workflow has the rights of the target branch")
        return
    lines = log.read_text(encoding="utf-8").splitlines()
    [locked, own, *of_project] = [line for line in lines if " install " in line]
    assert locked.endswith(f" --require-hashes --requirement={PROJECT}/tools/action.txt")
    assert own.endswith(f" --no-deps --no-build-isolation {PROJECT}"), "nothing else is fetched"
    assert [line.rpartition(" ")[2] for line in of_project] == ([f"--requirement={requirements}"] if requirements else [])


RUNS = [
    pytest.param("guest/platform", "fork", "main", "false", 1, id="code of a fork with the rights of the default branch"),
    pytest.param("guest/platform", "fork", "main", "true", 0, id="its data"),
    pytest.param("guest/platform", "other", "main", "false", 0, id="another commit, which can be the own code"),
    pytest.param("guest/platform", "fork", "fork", "false", 0, id="a commit of a fork that is now the default branch"),
    pytest.param("acme/platform", "fork", "main", "false", 0, id="a branch of the own repository"),
    pytest.param("", "fork", "main", "false", 0, id="a fork that was deleted is not known"),
]


@pytest.mark.parametrize(("repository", "checked_out", "default", "no_code", "code"), RUNS)
def test_a_workflow_after_another_runs_no_code_of_forks(runner: Runner, repository: str, checked_out: str, default: str, no_code: str, code: int):
    recorded_python(runner)
    commits = {name: runner.commit(**{name: PLATFORM}) for name in ("main", "fork", "other")}
    runner.git("checkout", "--quiet", commits[checked_out])
    event = {"GITHUB_EVENT_NAME": "workflow_run", "GITHUB_SHA": commits[default], "HEAD_REPOSITORY": repository, "HEAD_COMMIT": commits["fork"]}
    done = runner.run(INSTALL, {**SWITCHES, **event, "REQUIREMENTS": "", "NO_CODE": no_code})
    assert (done.returncode, "would run code of a fork" in done.stdout) == (code, bool(code)), done.stderr


FOLDERS = [
    pytest.param("linked", "true", 1, id="a link out of the checkout"),
    pytest.param("linked", "false", 0, id="a link of a project that runs its code"),
    pytest.param("inside", "true", 0, id="a link inside the checkout"),
    pytest.param("real", "true", 0, id="a folder"),
    pytest.param(".", "true", 0, id="the checkout"),
]


@pytest.mark.parametrize(("folder", "no_code", "code"), FOLDERS)
def test_no_code_works_in_no_folder_outside_of_the_checkout(runner: Runner, folder: str, no_code: str, code: int):
    recorded_python(runner)
    _executable(runner.folder / "temp/nodepools/venv/bin/python", f'#!/bin/sh\n[ "$2" = -m ] || exec {sys.executable} "$@"\n')
    checkout = runner.folder / "checkout"
    (checkout / "real").mkdir()
    (checkout / "inside").symlink_to("real")
    (checkout / "linked").symlink_to(runner.folder / "temp")
    done = runner.run(INSTALL, {**SWITCHES, "REQUIREMENTS": "", "NO_CODE": no_code, "FOLDER": folder}, folder)
    assert (done.returncode, "working-directory is a link" in done.stdout) == (code, bool(code)), done.stderr


@pytest.mark.parametrize(("switch", "value"), [("NO_CODE", "yes"), ("NO_CODE", "True"), ("COMMENT", ""), ("SARIF", "1")])
def test_a_switch_that_is_neither_true_nor_false_is_rejected(runner: Runner, switch: str, value: str):
    log = recorded_python(runner)
    done = runner.run(INSTALL, {**SWITCHES, switch: value, "REQUIREMENTS": "", "GITHUB_EVENT_NAME": "pull_request"})
    assert done.returncode == 1
    assert done.stdout.startswith(f"::error title=nodepools::{switch.lower().replace('_', '-')} must be true or false")
    assert not log.exists()


def test_no_code_installs_nothing_of_the_repository(runner: Runner):
    log = recorded_python(runner)
    done = runner.run(INSTALL, {**SWITCHES, "REQUIREMENTS": "requirements.txt", "NO_CODE": "true", "GITHUB_EVENT_NAME": "pull_request_target"})
    assert done.returncode == 1
    assert "remove requirements, or no-code" in done.stdout
    assert not log.exists()


def test_python_imports_no_module_of_the_checkout():
    started = [line.strip() for name in SCRIPTS for line in STEPS[name]["run"].splitlines() if re.search(r'(python3|bin/python") -', line)]
    assert len(started) > 3
    assert [line for line in started if not re.search(r'(python3|bin/python") -I ', line)] == []


def test_a_comparison_runs_no_module_of_the_checkout(runner: Runner):
    base = runner.commit(platform=PLATFORM)
    (runner.folder / "checkout/json.py").write_text("open('ran', 'w')", encoding="utf-8")
    runner.run(DIFF, {"ARGUMENTS": "--file=platform.yaml", "BASE": base, "FOLDER": ".", "NODEPOOLS_NO_CODE": "1"})
    assert runner.outputs()["changed"] == "false"
    assert not (runner.folder / "checkout/ran").exists()


def test_a_plan_of_terraform_is_checked_and_compared_alone(runner: Runner):
    base = runner.commit(other="a: b")
    written = plan(change(POOL, pool(), pool(max_pods=60)))
    (runner.folder / "checkout/my plan.json").write_text(json.dumps(written), encoding="utf-8")
    env = {"ARGUMENTS": "--all", "PLAN": "my plan.json", "BASE": base, "FOLDER": "."}
    assert runner.run(CHECK, env).returncode == 0
    assert runner.run(DIFF, env).returncode == 0
    assert runner.outputs()["exit-code"] == "1"
    assert "requires `temporary_name_for_rotation`" in (runner.folder / "temp/nodepools/comment.md").read_text(encoding="utf-8")
