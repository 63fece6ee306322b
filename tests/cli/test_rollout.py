"""`nodepools rollout`: the plan of the example fleet, what stops it, its files for engines, and bad input."""

import json
import re
import runpy
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from nodepools.rollout.run import AutomationRunner, RolloutStoppedError
from tests.cli.conftest import Answer, started
from tests.docs.walkthrough import matches

TODAY = ("--today", "2026-11-29")
Run = Callable[..., Answer]


@pytest.fixture
def fleet(project: Path, tmp_path: Path) -> Path:
    """A copy of the example, and `before`, which has what it was."""
    shutil.copytree(project / "examples/fleet", tmp_path / "fleet")
    shutil.copytree(project / "examples/fleet", tmp_path / "fleet/before")
    return tmp_path / "fleet"


def edit(fleet: Path, files: str, old: str, new: str) -> None:
    for file in (fleet / "stacks").glob(files):
        text = file.read_text(encoding="utf-8")
        assert old in text
        file.write_text(text.replace(old, new), encoding="utf-8")


def plan(nodepools: Run, fleet: Path, *arguments: str) -> Answer:
    return nodepools("rollout", "plan", "rollout.yaml", *arguments, *TODAY, cwd=fleet)


def test_an_upgrade_of_twelve_stacks_goes_in_waves(nodepools: Run, fleet: Path):
    answer = plan(nodepools, fleet, "--to", "1.36", "--format", "json")
    assert answer.status == 0, answer.all
    assert answer.json["complete"] is True
    assert [(wave["wave"], wave["batches"]) for wave in answer.json["waves"]] == [
        ("dev", [["dev-euc1", "dev-neu", "dev-use1", "dev-weu"]]),
        ("staging", [["staging-euc1", "staging-neu"], ["staging-use1", "staging-weu"]]),
        ("prod", [["prod-euc1", "prod-neu"], ["prod-use1", "prod-weu"]]),
    ]
    assert (answer.json["minimum_seconds"], answer.json["bounded_minutes"]) == (26 * 3600, 16 * 60)
    assert [(gate["gate"], gate["answer"]) for gate in answer.json["waves"][2]["gates"]] == [
        ("no change is rejected", "unknown"),
        ("no effect is worse than rolls", "yes"),
        ("region has the version", "unknown"),
        ("./smoke-test.sh staging", "unknown"),
    ]
    ways = {way["effect"]: way["not_undone"] for way in answer.json["waves"][0]["ways_back"]}
    assert {"rolls", "reimages", "in_place", "kubernetes_version"} == ways.keys()
    [stack] = [stack for stack in answer.json["waves"][0]["stacks"] if stack["stack"] == "dev-weu"]
    assert (stack["effect"], stack["nodes"], stack["regions"]) == ("reimages", {"minimum": 1, "maximum": 1}, ["westeurope"])
    assert stack["by_hand"] == [
        "az aks nodepool upgrade --resource-group dev-weu-weu --cluster-name dev-weu-weu --name system --kubernetes-version 1.36"
    ]


def test_edits_that_a_cloud_rejects_stop_their_wave_and_no_other(nodepools: Run, fleet: Path):
    edit(fleet, "prod-weu.yaml", "      vm_size: Standard_D4ds_v5\n      count: 3", "      vm_size: Standard_D8ds_v5\n      count: 3")
    answer = plan(nodepools, fleet, "before")
    assert answer.status == 1
    assert answer.out.splitlines()[:3] == [
        "fleet: stops before wave `prod`: gate `no change is rejected` does not hold for prod-weu",
        "next: nodepools diff before --stack prod-weu  # changes nothing; shows what to change in prod-weu, so that the gate holds",
        "  or: rollout.yaml: Remove the gate `no change is rejected` of wave `prod`, if it is too strict",
    ]
    assert "  ✔ no change is rejected and no effect is worse than rolls" in answer.out


def test_edits_are_those_since_a_commit_or_a_folder(nodepools: Run, fleet: Path):
    edit(fleet, "staging-*1.yaml", 'cpu: "64"', 'cpu: "96"')
    answer = plan(nodepools, fleet, "before")
    assert answer.out.splitlines()[0] == ("fleet: 12 stacks (2 change) in 3 waves and 5 batches, 26 h of soak; 2 gates undecided")
    assert "  no upper bound: how long `pulumi up` takes is not known" in answer.out


def test_without_a_change_there_is_nothing_to_roll_out(nodepools: Run, fleet: Path):
    answer = plan(nodepools, fleet, "before")
    assert (answer.status, answer.out.splitlines()[0]) == (0, "fleet: nothing to roll out: none of 12 stacks changes")
    assert "next: " not in answer.out
    assert "the soaks" not in answer.out, "nothing runs, so nothing waits"


def test_a_lower_version_and_two_rounds(nodepools: Run, fleet: Path):
    lower = plan(nodepools, fleet, "--to", "1.34")
    assert lower.out.startswith("fleet: stops before wave `dev`: gate `no change is rejected` does not hold")
    assert "notice: dev-euc1, dev-neu, dev-use1 and 9 more: already newer than 1.34, and an upgrade lowers no version" in lower.all
    edit(fleet, "*.yaml", '"1.35"', '"1.34"')
    answer = plan(nodepools, fleet, "--to", "1.36")
    then = "  this is the first round; once it has run, the same command plans the next one, to 1.36"
    assert f"{then}\n      nodepools rollout plan rollout.yaml --to 1.36\n" in answer.out


def test_jobs_change_nothing_of_the_answer(nodepools: Run, fleet: Path):
    """Also not with a stack that cannot be read, or has schema errors."""
    edit(fleet, "staging-*1.yaml", 'cpu: "64"', 'cpu: "96"')
    ask = {
        "edits": lambda jobs: plan(nodepools, fleet, "before", "--format", "json", "--jobs", jobs),
        "an upgrade": lambda jobs: plan(nodepools, fleet, "--to", "1.36", "--jobs", jobs),
        "a diff": lambda jobs: nodepools("diff", "before", "--all", "--details", "--jobs", jobs, *TODAY, cwd=fleet),
    }
    for name, asked in ask.items():
        one, other = map(asked, "13")
        assert (one, one.status) == (other, 0), name
    for text in ("a: [", "name: prod-weu\nclusterz: {}\n"):
        (fleet / "stacks/prod-weu.yaml").write_text(text, encoding="utf-8")
        for name, asked in ask.items():
            one, other = map(asked, "13")
            assert one == other, name
            assert one.status in (1, 2)
            assert "prod-weu" in one.all


@pytest.mark.parametrize("command", [("rollout", "plan", "rollout.yaml", "before"), ("diff", "before", "--all")])
def test_a_stack_whose_process_dies_is_not_left_out(nodepools: Run, fleet: Path, command: tuple[str, ...]):
    """It would be a stack that the edit deletes."""
    (fleet / "stacks/zzz.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n", encoding="utf-8")
    answer = nodepools(*command, "--jobs", "2", cwd=fleet)
    assert (answer.status, answer.out) == (2, "")
    assert answer.err == "error: zzz: not read: its process ended before it answered: `--jobs 1` reads it in this one\n"


def test_must_fit_is_certain_or_unknown(nodepools: Run, fleet: Path):
    pod = "{kind: Pod, metadata: {name: web}, spec: {containers: [{name: web}], nodeSelector: {nodepools/name: %s}}}"
    (fleet / "rollout.yaml").write_text('name: fleet\nwaves:\n  - {name: all, stacks: ["*"], gates: [{kind: MustFit}]}\n', encoding="utf-8")
    found: dict[str, tuple[str, int]] = {}
    for name in ("", "web", "nope"):
        if name:
            edit(fleet, "*-weu.yaml", "environment:", f"must_fit: [{pod % name}]\nenvironment:")
            for other in (fleet / "stacks").glob("*.yaml"):
                if not other.stem.endswith("-weu"):
                    other.unlink()
        answer = plan(nodepools, fleet, "before", "--format", "json")
        found[name] = (answer.json["waves"][0]["gates"][0]["answer"], answer.status)
        if name:
            edit(fleet, "*-weu.yaml", f"must_fit: [{pod % name}]\n", "")
    assert found == {"": ("unknown", 0), "web": ("yes", 0), "nope": ("no", 1)}


def test_a_rollout_in_python_is_the_same(nodepools: Run, fleet: Path):
    (fleet / "rollout.py").write_text(
        "from nodepools.rollout import NothingRefused, Rollout, RolloutWave\n"
        'ROLLOUT = Rollout(name="fleet", gates=[NothingRefused()], waves=[RolloutWave(name="all", stacks=["*"])])\n',
        encoding="utf-8",
    )
    answer = nodepools("rollout", "plan", "rollout.py", "before", "--format", "json", cwd=fleet)
    assert len(answer.json["waves"][0]["batches"]) == 12


def test_the_picture_has_waves_and_clusters(nodepools: Run, fleet: Path):
    lines = plan(nodepools, fleet, "--to", "1.36", "--format", "mermaid").out.splitlines()
    assert lines[:4] == ["---", "title: fleet", "---", "flowchart LR"]
    assert '  subgraph wave_1["1. dev<br/>? no change is rejected<br/>✔ no effect is worse than rolls"]' in lines
    assert '    batch_2_2["staging-use1: us-east-1 (rolls)<br/>staging-weu: westeurope (reimages)"]' in lines
    assert "  batch_1_1 -->|2 h| batch_2_1" in lines


@pytest.mark.parametrize(
    ("target", "more", "files"),
    [
        ("automation", (), ["rollout.py"]),
        ("github", (), ["rollout-fleet.yml"]),
        ("azure-pipelines", (), ["rollout-fleet.azure-pipelines.yml"]),
        (
            "operator",
            ("--repository", "https://git.example.com/acme/fleet", "--commit", "1a2b3c"),
            ["01-dev.sh", "01-dev.yaml", "02-staging.sh", "02-staging.yaml", "03-prod.sh", "03-prod.yaml"],
        ),
    ],
)
def test_a_plan_is_compiled_for_each_engine(nodepools: Run, fleet: Path, target: str, more: tuple[str, ...], files: list[str]):
    for command in (("init", "--quiet"), ("add", "."), ("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "-m", "before")):
        subprocess.run(["git", *command], cwd=fleet, check=True)
    (fleet / "plan.json").write_text(plan(nodepools, fleet, "--to", "1.36", "--format", "json").out, encoding="utf-8")
    answer = nodepools("rollout", "compile", "plan.json", "--to", target, "-o", "out", *more, cwd=fleet)
    assert answer.status == 0, answer.all
    assert answer.out.startswith("fleet: wrote out/")
    assert sorted(file.name for file in (fleet / "out").iterdir()) == files


def test_the_compiled_program_updates_the_whole_fleet_in_order(
    nodepools: Run, fleet: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """One stack fails at first; the gates are asked, and each stack is updated once. tests/pulumi runs it with a real engine."""
    (fleet / "rollout.yaml").write_text((fleet / "rollout.yaml").read_text().replace("soak: 24h\n", "").replace("    soak: 2h\n", ""))
    (fleet / "rollout.yaml").write_text(re.sub(r"window: .*\n", "", (fleet / "rollout.yaml").read_text()), encoding="utf-8")
    edit(fleet, "*-euc1.yaml", "cpu: ", "memory: 512Gi, cpu: ")
    (fleet / "plan.json").write_text(plan(nodepools, fleet, "before", "--format", "json").out, encoding="utf-8")
    assert nodepools("rollout", "compile", "plan.json", "--to", "automation", "-o", "rollout", cwd=fleet).status == 0
    updated: list[str] = []
    asked: list[str] = []
    failing = ["staging-euc1"]

    def up(_: AutomationRunner, stack: str) -> None:
        if stack in failing:
            failing.remove(stack)
            raise RolloutStoppedError("429 Too Many Requests")
        updated.append(stack)

    monkeypatch.setattr(AutomationRunner, "require", lambda *_: None)
    monkeypatch.setattr(AutomationRunner, "check", lambda _, check: asked.append(f"{check.gate}: {check.stack}"))
    monkeypatch.setattr(AutomationRunner, "up", up)
    codes: list[object] = []
    for _ in range(2):
        with pytest.raises(SystemExit) as ended:
            runpy.run_path(str(fleet / "rollout/rollout.py"), run_name="__main__")
        codes.append(ended.value.code)
    assert (codes, len(asked)) == ([1, 0], len(set(asked)) + 12), "NothingRefused asks `diff` and `check`; no gate is asked twice"
    assert "staging-euc1: 429 Too Many Requests: no further batch starts; run this again to go on" in capsys.readouterr().err
    assert sorted(updated) == sorted({file.stem for file in (fleet / "stacks").iterdir()})
    assert [name.partition("-")[0] for name in updated] == ["dev"] * 4 + ["staging"] * 4 + ["prod"] * 4


BAD_PLANS = {
    "not JSON": ("hello", "is not JSON"),
    "another document": ('{"command": "check"}', "is not a plan: write it with"),
    "not complete": ('{"command": "rollout plan", "complete": false, "plan": {}}', "the plan is not complete"),
    "no plan": ('{"command": "rollout plan", "complete": true, "plan": null}', "the plan is not complete"),
    "a plan of another shape": ('{"command": "rollout plan", "complete": true, "plan": {"name": "a"}}', "plan.waves: Field required: plan again"),
    "a plan without a commit": (
        '{"command": "rollout plan", "complete": true, "base": "HEAD", "plan": {"name": "a", "waves": [{"name": "x", "batches": [["a"]]}]}}',
        "was planned outside of a Git repository",
    ),
    "a name that leads elsewhere": (
        '{"command": "rollout plan", "complete": true, "plan": {"name": "a", "waves": [{"name": "../../x", "batches": [["a"]]}]}}',
        "`../../x` is not the name of a stack or a wave",
    ),
}


@pytest.mark.parametrize(("text", "message"), BAD_PLANS.values(), ids=BAD_PLANS)
def test_what_is_no_plan_is_not_compiled(nodepools: Run, tmp_path: Path, text: str, message: str):
    (tmp_path / "plan.json").write_text(text, encoding="utf-8")
    answer = nodepools("rollout", "compile", "plan.json", "--to", "github", "-o", "out", cwd=tmp_path)
    assert (answer.status, answer.out) == (2, "")
    assert message in answer.err
    assert len(answer.err.splitlines()) == 1
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--to", "operator"), "`--to operator` needs `--repository URL` and `--commit SHA`"),
        (("--to", "github", "--commit", "1a2b3c"), "are for `--to operator`: `github` runs in a checkout"),
        (("--to", "operator", "--repository", "r", "--commit", "c", "-o", "."), "is not an empty folder: name a new one"),
    ],
)
def test_options_that_do_not_fit_the_engine(nodepools: Run, fleet: Path, arguments: tuple[str, ...], message: str):
    (fleet / "plan.json").write_text(plan(nodepools, fleet, "before", "--format", "json").out, encoding="utf-8")
    folder = () if "-o" in arguments else ("-o", "out")
    answer = nodepools("rollout", "compile", "plan.json", *arguments, *folder, cwd=fleet)
    assert (answer.status, answer.out) == (2, "")
    assert message in answer.err
    assert not (fleet / "out").exists()


def test_a_stack_that_the_operator_cannot_name_is_not_compiled(nodepools: Run, tmp_path: Path):
    plan = {"name": "a", "waves": [{"name": "x", "batches": [["Dev_1"]]}]}
    (tmp_path / "plan.json").write_text(json.dumps({"command": "rollout plan", "complete": True, "base": "1a2b3c", "plan": plan}), encoding="utf-8")
    answer = nodepools("rollout", "compile", "plan.json", "--to", "operator", "--repository", "r", "--commit", "c", "-o", "out", cwd=tmp_path)
    assert (answer.status, answer.out) == (2, "")
    assert answer.err == "error: stack `Dev_1`: a `Stack` object has at most 42 lowercase letters, digits, `-` and `.`: rename the stack\n"
    assert not (tmp_path / "out").exists()


WAVES = 'name: fleet\nwaves:\n  - {name: all, stacks: ["*"]}\n'
BAD_ROLLOUTS = {
    "a stack in no wave": (
        "name: fleet\nwaves:\n  - {name: dev, stacks: [dev-*]}\n",
        "rollout.yaml: `prod-euc1`, `prod-neu`, `prod-use1` and 5 more are",
    ),
    "a wave without a stack": (f"{WAVES}  - {{name: eu, stacks: [eu-*]}}\n", "rollout.yaml: waves[1]: wave `eu` has no stack"),
    "a cycle": (f"{WAVES}after: {{dev-weu: [dev-neu], dev-neu: [dev-weu]}}\n", "in a cycle: dev-neu → dev-weu → dev-neu"),
    "no rollout": ("- a\n", "rollout.yaml: is not a rollout: `name:` and `waves:` are required"),
    "not YAML": ("name: [\n", "rollout.yaml:2:1"),
}


@pytest.mark.parametrize(("text", "message"), BAD_ROLLOUTS.values(), ids=BAD_ROLLOUTS)
def test_a_rollout_that_does_not_fit_is_one_message(nodepools: Run, fleet: Path, text: str, message: str):
    (fleet / "rollout.yaml").write_text(text, encoding="utf-8")
    answer = plan(nodepools, fleet, "before")
    assert (answer.status, answer.out) == (2, "")
    assert message in answer.err
    assert len(answer.err.splitlines()) == 1


def test_errors_of_the_declaration_are_findings_with_paths(nodepools: Run, fleet: Path):
    (fleet / "rollout.yaml").write_text(
        "name: Fleet\natmost: 3\nwaves:\n  - {name: dev}\n  - {name: prod, soak: 1d, stacks: ['*']}\n", encoding="utf-8"
    )
    answer = nodepools("rollout", "plan", "rollout.yaml", "before", "--format", "json", cwd=fleet)
    assert answer.status == 1
    assert {finding["path"] for finding in answer.json["findings"]} == {"name", "atmost", "waves[0]", "waves[1].soak"}
    assert (answer.json["complete"], answer.json["plan"]) == (False, None)


BAD_STACKS = {
    "a stack that does not load": ("broken.py", "import nothing_of_the_kind\n", "stacks/broken.py:1: ModuleNotFoundError"),
    "two stacks with one name": ("dev-weu.py", "", "stacks/dev-weu.py: stacks/dev-weu.yaml also declares the stack `dev-weu`: remove or rename one"),
    "a stack with the name of another": ("copy.yaml", "dev-weu", "stacks/copy.yaml: the name of the platform is `dev-weu`"),
}


@pytest.mark.parametrize(("name", "text", "message"), BAD_STACKS.values(), ids=BAD_STACKS)
def test_a_stack_that_cannot_be_read_stops_the_plan(nodepools: Run, fleet: Path, name: str, text: str, message: str):
    content = (fleet / f"stacks/{text}.yaml").read_text(encoding="utf-8") if text == "dev-weu" else text
    (fleet / "stacks" / name).write_text(content, encoding="utf-8")
    answer = plan(nodepools, fleet, "--to", "1.36")
    assert (answer.status, answer.out) == (2, "")
    assert message in answer.err
    assert len(answer.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "say what is rolled out: either OLD"),
        (("main", "--to", "1.36"), "say what is rolled out: either OLD"),
        (("--to", "new"), "`--to` must be a Kubernetes version such as `1.36`, not `new`"),
        (("nowhere",), "`nowhere` is neither a file"),
    ],
)
def test_arguments_that_say_nothing_to_roll_out(nodepools: Run, fleet: Path, arguments: tuple[str, ...], message: str):
    answer = plan(nodepools, fleet, *arguments)
    assert (answer.status, answer.out) == (2, "")
    assert message in answer.err


@pytest.mark.program
def test_the_outputs_of_the_guide_are_printed(project: Path, fleet: Path):
    text = (project / "docs/guides/fleets.md").read_text(encoding="utf-8")
    [block] = re.findall(r"^```text\n\$ nodepools (rollout plan [^\n]*)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    answer = started(*block[0].split(), *TODAY, cwd=fleet, env={"COLUMNS": "100"})
    assert matches(block[1], answer.out)
    assert len(answer.out.splitlines()) <= 45
    [declared] = re.findall(r"^```yaml\n(name: fleet\n.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert (project / "examples/fleet/rollout.yaml").read_text(encoding="utf-8").endswith(declared)
    assert json.loads(started("rollout", "plan", "rollout.yaml", "before", "--format", "json", cwd=fleet).out)["complete"]
