"""Each engine carries out the same plan: its files are read back into waves, and compared, as docs/guides/fleets.md says."""

import ast
import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from nodepools import Weekly
from nodepools.rollout import run as rollout_run
from nodepools.rollout.plan import Check, Plan, PlannedWave
from nodepools.rollout.targets import TARGETS as WITHOUT_SOURCE
from nodepools.rollout.targets import Fetched, automation, azure_pipelines, github, operator

SOURCE = Fetched("https://git.example.com/acme/fleet", "1a2b3c", "infra", "acme", "example/nodepools:1")


class Read(NamedTuple):
    """A wave as an engine carries it out."""

    batches: list[set[str]]
    gates: list[list[str]]
    waits: int
    """Seconds before its gates."""


def of_plan(plan: Plan, *, minutes: bool = False) -> list[Read]:
    soaks = [0, *(wave.soak for wave in plan.waves)]
    waits = [-(-soak // 60) * 60 if minutes else soak for soak in soaks]
    return [
        Read([set(batch) for batch in wave.batches], [list(check.command) for check in wave.gates], wait)
        for wave, wait in zip(plan.waves, waits, strict=False)
    ]


def of_automation(files: Mapping[str, str]) -> list[Read]:
    """The plan that the program gives to the function of the library."""
    [text] = files.values()
    ast.parse(text)
    given: list[Plan] = []
    scope: dict[str, Any] = {"__name__": "__main__", "__file__": "rollout/rollout.py"}
    code = text.replace("from nodepools.rollout import Check, Plan, PlannedWave, run", "from nodepools.rollout import Check, Plan, PlannedWave")
    scope["run"] = lambda plan, **_: given.append(plan) or 0
    with pytest.raises(SystemExit) as ended:
        exec(code, scope)  # noqa: S102  # the program
    assert ended.value.code == 0
    return of_plan(given[0])


def ordered(needs: Mapping[str, Sequence[str]]) -> list[str]:
    """Jobs or stages that follow each other in one line."""
    [first] = [name for name, before in needs.items() if not before]
    line = [first]
    while following := [name for name, before in needs.items() if list(before) == line[-1:]]:
        line += following
    assert len(line) == len(needs), "each starts after the one before, and no other"
    return line


def of_jobs(line: Sequence[str], gates: Callable[[str], tuple[list[list[str]], int]], batch: Callable[[str], set[str]]) -> list[Read]:
    waves: list[Read] = []
    for name in line:
        if name.startswith("gates"):
            waves.append(Read([], *gates(name)))
        else:
            waves[-1].batches.append(batch(name))
    return waves


def evaluated(text: str) -> str:
    """A text as GitHub and Azure Pipelines use it, without any expression but the text of its beginning."""
    parts = text.split("${{ '${{' }}")
    assert not any("${{" in part for part in parts)
    return "${{".join(parts)


def of_github(files: Mapping[str, str]) -> list[Read]:
    [text] = files.values()
    jobs = yaml.safe_load(text)["jobs"]

    def gates(name: str) -> tuple[list[list[str]], int]:
        runs = [step["run"] for step in jobs[name]["steps"] if "name" in step]
        soak = 0
        if runs and runs[0].startswith("test $(("):
            [before] = jobs[name]["needs"]
            assert f"needs.{before}.outputs.ended" in runs[0]
            soak = int(runs.pop(0).rpartition(" ")[2])
        return [shlex.split(evaluated(line)) for line in runs], soak

    def batch(name: str) -> set[str]:
        strategy = jobs[name]["strategy"]
        assert strategy["fail-fast"] is False
        assert strategy["max-parallel"] == len(strategy["matrix"]["stack"])
        assert [step for step in jobs[name]["steps"] if step.get("run", "") == "pulumi up --stack ${{ matrix.stack }} --yes --skip-preview"]
        return set(strategy["matrix"]["stack"])

    return of_jobs(ordered({name: job.get("needs", []) for name, job in jobs.items()}), gates, batch)


def of_azure(files: Mapping[str, str]) -> list[Read]:
    [text] = files.values()
    stages = {stage["stage"]: stage for stage in yaml.safe_load(text)["stages"]}

    def gates(name: str) -> tuple[list[list[str]], int]:
        *soaks, job = stages[name]["jobs"]
        steps = job["strategy"]["runOnce"]["deploy"]["steps"]
        assert job.get("dependsOn", []) == [soak["job"] for soak in soaks]
        return [shlex.split(evaluated(step["script"])) for step in steps if evaluated(step.get("displayName", ""))], sum(
            int(soak["steps"][0]["inputs"]["delayForMinutes"]) * 60 for soak in soaks
        )

    def batch(name: str) -> set[str]:
        [job] = stages[name]["jobs"]
        assert int(job["strategy"]["maxParallel"]) == len(job["strategy"]["matrix"])
        assert [step for step in job["steps"] if step.get("script", "") == 'pulumi up --stack "$(STACK)" --yes --skip-preview']
        return {entry["STACK"] for entry in job["strategy"]["matrix"].values()}

    return of_jobs(ordered({name: stage["dependsOn"] for name, stage in stages.items()}), gates, batch)


def of_operator(files: Mapping[str, str]) -> list[Read]:
    """The objects of each file in batches, by what they wait for; across files, too."""
    waves: list[Read] = []
    last: frozenset[str] = frozenset()
    for name in sorted(file for file in files if file.endswith(".yaml")):
        lines = [line for line in files[name.removesuffix("yaml") + "sh"].splitlines() if not line.startswith(("#", "set ", "python3 -c"))]
        if waves:
            wait, _, context = lines.pop(0).partition(" --context ")
            assert wait.startswith("kubectl wait --for=condition=Ready")
            assert context.startswith('"${1:?'), "the cluster is an argument, without which the script stops"
            assert {part.strip() for part in wait.split("stack.pulumi.com/")[1:]} == set().union(*waves[-1].batches)
        soak = int(lines.pop(0).split()[1]) if lines and lines[0].startswith("sleep ") else 0
        found: dict[frozenset[str], set[str]] = {}
        for entry in yaml.safe_load_all(files[name]):
            assert (entry["spec"]["commit"], entry["spec"]["serviceAccountName"]) == (SOURCE.commit, "pulumi")
            assert entry["spec"]["workspaceTemplate"] == {"spec": {"image": SOURCE.image}}
            assert all(one.keys() == {"name"} for one in entry["spec"].get("prerequisites", [])), "its last update succeeded, whenever that was"
            found.setdefault(frozenset(one["name"] for one in entry["spec"].get("prerequisites", [])), set()).add(entry["metadata"]["name"])
        batches: list[set[str]] = []
        while last in found:
            batches.append(found.pop(last))
            last = frozenset(batches[-1])
        assert not found, "every stack waits for the whole batch before, and for no other"
        waves.append(Read(batches, [shlex.split(line) for line in lines], soak))
    return waves


READERS: Mapping[str, tuple[Callable[[Plan], dict[str, str]], Callable[[Mapping[str, str]], list[Read]]]] = {
    "automation": (automation, of_automation),
    "operator": (lambda plan: operator(plan, SOURCE), of_operator),
    "github": (github, of_github),
    "azure-pipelines": (azure_pipelines, of_azure),
}


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    names = iter(f"stack-{number}" for number in range(200))
    sizes = st.lists(st.integers(1, 4), min_size=1, max_size=4)
    gates = st.lists(
        st.builds(
            Check,
            st.sampled_from(["must fit", "a 'b' \"c\"", "${{ x }}"]),
            st.tuples(st.sampled_from(["x", "a b", "it's", "$(rm)", "'${{ '${{' }}"])),
        ),
        max_size=2,
    )
    waves = [
        PlannedWave(
            f"wave-{number}",
            tuple(tuple(next(names) for _ in range(size)) for size in draw(sizes)),
            tuple(draw(gates)),
            draw(st.sampled_from([0, 90, 7200])),
        )
        for number in range(draw(st.integers(1, 4)))
    ]
    return Plan("fleet", tuple(waves), draw(st.sampled_from([None, Weekly(days="mon-thu", start="07:00", hours=8, tz="Europe/Paris")])))


@pytest.mark.parametrize("target", READERS)
@settings(max_examples=40, deadline=None)
@given(plan=plans())
def test_every_engine_has_the_waves_of_the_plan(target: str, plan: Plan):
    write, read = READERS[target]
    assert read(write(plan)) == of_plan(plan, minutes=target == "azure-pipelines")


def test_the_program_has_the_whole_plan():
    plan = Plan(
        "fleet",
        (PlannedWave("dev", (("a", "b"), ("c",)), (Check("ok", ("x", "it's")),), 60),),
        Weekly(days="sat", start="01:00", hours=5, tz="Europe/Paris"),
    )
    scope: dict[str, Any] = {"__name__": "rollout"}
    exec(automation(plan)["rollout.py"], scope)  # noqa: S102  # the program
    assert scope["PLAN"] == plan
    assert scope["run"] is rollout_run


@pytest.mark.parametrize("target", ["github", "azure-pipelines"])
def test_a_window_is_checked_right_before_stacks_start(target: str):
    window = Weekly(days="mon-thu", start="07:00", hours=8, tz="Europe/Paris")
    plan = Plan("fleet", (PlannedWave("dev", (("a",), ("b",))),), window)
    [text] = WITHOUT_SOURCE[target](plan).values()
    steps = re.findall(r"(?:run|script): (python3 -c .*|pulumi up.*)$", text, re.MULTILINE)
    assert [step.split()[0] for step in steps] == ["python3", "pulumi"] * 2
    code = shlex.split(steps[0])[2]
    scope: dict[str, Any] = {}
    exec(code.replace("require_open(", "found = ("), scope)  # noqa: S102  # the command
    assert scope["found"] == window


@pytest.mark.program
@pytest.mark.parametrize(("target", "schema"), [("github", "vendor.github-workflows"), ("azure-pipelines", "vendor.azure-pipelines")])
def test_files_of_pipelines_are_valid(tmp_path: Path, target: str, schema: str):
    plan = Plan("fleet", (PlannedWave("dev", (("a", "b"),), (Check("ok", ("x",)),), 60), PlannedWave("prod", (("c",),))))
    [(name, text)] = WITHOUT_SOURCE[target](plan).items()
    (tmp_path / name).write_text(text, encoding="utf-8")
    command = [Path(sys.executable).with_name("check-jsonschema"), "--builtin-schema", schema, "--output-format", "json", tmp_path / name]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, json.loads(done.stdout)


@pytest.mark.program
def test_actionlint_accepts_the_workflow(tmp_path: Path):
    if shutil.which("actionlint") is None:
        pytest.skip("actionlint is not installed: go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.12")
    window = Weekly(days="mon-thu", start="07:00", hours=8, tz="Europe/Paris")
    waves = (PlannedWave("dev", (("a", "b"), ("c",)), (Check("it's ok", ("x", "it's", "$(rm)")),), 60), PlannedWave("prod", (("d",),)))
    [(name, text)] = github(Plan("fleet", waves, window)).items()
    (tmp_path / name).write_text(text, encoding="utf-8")
    subprocess.run(["actionlint", tmp_path / name], check=True)
