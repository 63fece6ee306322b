"""A rollout by the Automation API on simulated clouds: the clouds refuse, the program is killed, and each stack is updated once.

The fleet is `examples/fleet` with its 12 stacks; ROLLOUT_STACKS=40 has copies of them, too.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.pulumi.cloud_copies import PROGRAM
from tests.pulumi.simulated_clouds import SimulatedClouds, descendants, with_no_error

STACKS = int(os.environ.get("ROLLOUT_STACKS", "12"))
MOST_RUNS = 12
CERTAIN_END = 1800
AT_ONCE = 4
ROLLOUT = """name: fleet
at_most: 4
gates:
  - {kind: Command, run: [./gate.sh, "{wave}"]}
after: {"staging-*": ["dev-*"], "prod-*": ["staging-*"]}
waves:
  - {name: dev, labels: {environment: dev}}
  - {name: staging, labels: {environment: staging}}
  - {name: prod, labels: {environment: prod}}
"""
GATE = """#!/bin/sh
echo "$1" >> gates
test "$1" != staging || test "$(grep -c staging gates)" -gt 1
"""
"""Does not hold when it is asked for `staging` first."""
FAULTS = {
    ("dev", 0): "409 Conflict: OperationNotAllowed: Another operation is in progress",
    ("dev", 1): "500 Internal Server Error",
    ("staging", 0): "429 Too Many Requests: the rate limit is exceeded",
    ("prod", 0): "hold",
}
"""By the stage of a stack, and its place in it. The program is killed in a batch without another fault, whose message would be lost."""


@dataclass(frozen=True)
class Fleet:
    """A project, and what its stacks are."""

    clouds: SimulatedClouds
    folder: Path
    names: tuple[str, ...]

    def pulumi(self, *arguments: str) -> str:
        command = ["pulumi", *arguments, "--non-interactive", "--color", "never"]
        done = subprocess.run(command, cwd=self.folder, env=self.clouds.environment, capture_output=True, text=True, check=False, timeout=CERTAIN_END)
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        return done.stdout

    def nodepools(self, *arguments: str) -> str:
        command = [sys.executable, "-m", "nodepools", *arguments]
        done = subprocess.run(command, cwd=self.folder, env=self.clouds.environment, capture_output=True, text=True, check=False, timeout=CERTAIN_END)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def history(self, stack: str) -> list[str]:
        """The results of its updates, the newest first."""
        return [entry["result"] for entry in json.loads(self.pulumi("stack", "history", "--json", "--stack", stack))]

    def told(self, stack: str) -> bool:
        """The fault of a stack has happened."""
        return (self.clouds.folder / "cloud" / f"told-fault-{stack}").exists()


def stacks(project: Path) -> Iterator[tuple[str, str]]:
    """Those of the example, with all stages of a region next to each other, then copies with numbers."""
    files = sorted((project / "examples/fleet/stacks").glob("*.yaml"), key=lambda file: file.stem.split("-")[::-1])
    for number in range(STACKS):
        file, copy = files[number % len(files)], number // len(files)
        name = f"{file.stem}-{copy}" if copy else file.stem
        yield name, file.read_text(encoding="utf-8").replace(f"name: {file.stem}\n", f"name: {name}\n")


@pytest.fixture
def fleet(clouds: SimulatedClouds, project: Path) -> Fleet:
    folder = clouds.folder / "fleet"
    shutil.copytree(project / "examples/fleet", folder, ignore=shutil.ignore_patterns("stacks"))
    (folder / "stacks").mkdir()
    declared = dict(stacks(project))
    for name, text in declared.items():
        (folder / "stacks" / f"{name}.yaml").write_text(text, encoding="utf-8")
    (folder / "__main__.py").write_text(PROGRAM, encoding="utf-8")
    (folder / "rollout.yaml").write_text(ROLLOUT, encoding="utf-8")
    (folder / "gate.sh").write_text(GATE, encoding="utf-8")
    (folder / "gate.sh").chmod(0o755)
    for command in (("init", "--quiet"), ("add", "."), ("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "-m", "fleet")):
        subprocess.run(["git", *command], cwd=folder, check=True)
    made = Fleet(clouds, folder, tuple(declared))
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(lambda name: made.pulumi("stack", "init", name, "--no-select"), made.names))
    (folder / "plan.json").write_text(made.nodepools("rollout", "plan", "rollout.yaml", "HEAD", "--format", "json"), encoding="utf-8")
    made.nodepools("rollout", "compile", "plan.json", "--to", "automation", "-o", "rollout")
    return made


def ended(fleet: Fleet, held: str) -> tuple[int, str]:
    """One run of the program: its exit code and output. When the creation of `held` is held back, all its processes are killed at once."""
    killed = fleet.told(held)
    with (fleet.folder / "output.txt").open("w+") as output:
        program = subprocess.Popen(
            [sys.executable, "rollout/rollout.py"], cwd=fleet.folder, env=fleet.clouds.environment, stdout=output, stderr=subprocess.STDOUT
        )
        end = time.monotonic() + CERTAIN_END
        while program.poll() is None:
            assert time.monotonic() < end, "the rollout does not end"
            if not killed and fleet.told(held):
                children = list(descendants(program.pid))
                program.send_signal(signal.SIGKILL)
                program.wait()
                for child in children:
                    with_no_error(child)
                break
            time.sleep(0.1)
        output.seek(0)
        return program.wait(), output.read()


def locked(output: str) -> list[str]:
    """The stacks that the message says are locked by a process that was killed."""
    return re.findall(r"(\S+): the stack is currently locked", output)


def test_a_fleet_converges_and_repeats_nothing(fleet: Fleet):
    at = {[name for name in fleet.names if name.startswith(stage)][place]: fault for (stage, place), fault in FAULTS.items()}
    for name, fault in at.items():
        (fleet.clouds.folder / "cloud" / f"fault-{name}").write_text(fault)
    [held] = [name for name, fault in at.items() if fault == "hold"]
    begun, runs = time.monotonic(), list[tuple[int, str]]()
    for _ in range(MOST_RUNS):
        runs.append(ended(fleet, held))
        code, output = runs[-1]
        if code == 0:
            break
        for name in locked(output):
            fleet.pulumi("cancel", "--yes", "--stack", name)
    print(f"{len(fleet.names)} stacks, {len(runs)} runs, {time.monotonic() - begun:.0f} s")  # noqa: T201  # a measurement
    assert runs[-1][0] == 0, runs[-1][1]
    every = "".join(output for _, output in runs)
    assert all(fault in every for fault in FAULTS.values() if fault != "hold"), "the message of the cloud reaches the reader"
    assert "gate `./gate.sh {wave}` does not hold: exit code 1: no stack of the wave is started" in every
    assert -signal.SIGKILL in [code for code, _ in runs]
    histories = {name: fleet.history(name) for name in fleet.names}
    assert {name: found.count("succeeded") for name, found in histories.items()} == dict.fromkeys(fleet.names, 1), "each stack is updated once"
    assert {name for name, found in histories.items() if "failed" in found} <= at.keys(), "and fails only where the cloud refuses"
    assert (fleet.folder / "gates").read_text().split() == ["dev", "staging", "staging", "prod"]
