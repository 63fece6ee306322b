"""A real Pulumi CLI with clouds that know imports, kills and interrupted operations. The clouds are in a tool beside this repository.

Every step has its own project and its own stack; the clouds, the state and the plugins are shared, as they are for programs of one account.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

PROVIDERS = ("azure-native", "aws", "kubernetes")
COMPONENTS = Path(__file__).parents[2] / "components"
DEPLOY = "import pulumi\nfrom nodepools import deploy, load\n\ndeploy(load(pulumi.get_stack()))\n"
CERTAIN_END = 300
SUBSCRIPTION = "00000000-0000-0000-0000-00000000a2ce"
"""The subscription of the simulated Azure."""


@dataclass(frozen=True)
class Project:
    """A project with one stack."""

    clouds: "SimulatedClouds"
    folder: Path
    stack: str

    def pulumi(self, *arguments: str) -> str:
        """The output of a command that went well."""
        done = self.tried(*arguments)
        assert done.returncode == 0, f"pulumi {' '.join(arguments)}\n{done.stdout}{done.stderr}"
        return done.stdout

    def tried(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = ["pulumi", *arguments, "--stack", self.stack, "--non-interactive", "--color", "never"]
        return subprocess.run(command, cwd=self.folder, env=self.clouds.environment, capture_output=True, text=True, check=False, timeout=CERTAIN_END)

    def nodepools(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "nodepools", *arguments]
        return subprocess.run(command, cwd=self.folder, env=self.clouds.environment, capture_output=True, text=True, check=False, timeout=CERTAIN_END)

    def shell(self, command: str) -> str:
        """The output of a command line of a guide, which went well."""
        done = subprocess.run(  # noqa: S602  # a line of our own guide
            command, shell=True, cwd=self.folder, env=self._environment, capture_output=True, text=True, check=False, timeout=CERTAIN_END
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        return done.stdout

    @property
    def _environment(self) -> dict[str, str]:
        """As a person has it, who answers all questions with yes."""
        return {**self.clouds.environment, "PULUMI_STACK": self.stack, "PULUMI_SKIP_CONFIRMATIONS": "true"}

    def up(self) -> list[tuple[str, str]]:
        """What one `pulumi up` changed."""
        return self.operations("up", "--yes", "--skip-preview")

    def operations(self, command: str, *options: str) -> list[tuple[str, str]]:
        """The operations of a command other than `same`, each with the name of its resource."""
        field = "resourcePreEvent" if command == "preview" else "resOutputsEvent"
        steps = [event[field]["metadata"] for event in self._events(command, *options) if field in event]
        return [(step["op"], step["urn"].rpartition("::")[2]) for step in steps if step["op"] != "same" and "pulumi:pulumi:Stack" not in step["urn"]]

    def differing(self) -> list[str]:
        """What a preview would change: `dev-weu-web: maxCount`."""
        steps: list[dict[str, Any]] = [event["resourcePreEvent"]["metadata"] for event in self._events("preview") if "resourcePreEvent" in event]
        return [f"{step['urn'].rpartition('::')[2]}: {path}" for step in steps for path in cast("dict[str, Any]", step.get("detailedDiff") or {})]

    def _events(self, command: str, *options: str) -> list[dict[str, Any]]:
        log = self.folder / "events.jsonl"
        log.unlink(missing_ok=True)
        self.pulumi(command, "--event-log", str(log), *options)
        return [json.loads(line) for line in log.read_text().splitlines()]

    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.pulumi("stack", "export", "--show-secrets"))
        return found

    def exported(self) -> Path:
        """The state in a file."""
        file = self.folder / "state.json"
        file.write_text(self.pulumi("stack", "export"))
        return file

    def killed(self, kind: str, name: str) -> None:
        """An `up` that is killed between the creation of the resource of this kind and name, and the answer of the cloud."""
        command = ["pulumi", "up", "--yes", "--skip-preview", "--stack", self.stack, "--non-interactive"]
        told = self.clouds.folder / "cloud" / f"created-{name}"
        with (self.folder / "killed.txt").open("w") as output:
            environment = {**self.clouds.environment, "INTERRUPTIBLE": kind}
            process = subprocess.Popen(command, cwd=self.folder, env=environment, stdout=output, stderr=subprocess.STDOUT)
            try:
                wait(told.exists, process)
                started = list(descendants(process.pid))
            finally:
                process.send_signal(signal.SIGKILL)
                process.wait()
        for child in started:
            with_no_error(child)


def wait(until: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + CERTAIN_END
    while not until():
        assert process.poll() is None, "the command ended first"
        assert time.monotonic() < end, "the cloud did not do it"
        time.sleep(0.02)


def descendants(of: int) -> Iterator[int]:
    """The processes that a process has started, and those that they have."""
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            number, parent = int(status.parent.name), int(status.read_text().rpartition(")")[2].split()[1])
        except (FileNotFoundError, ProcessLookupError):
            continue
        if parent == of:
            yield number
            yield from descendants(number)


def with_no_error(process: int) -> None:
    """Ends a process, if it has not ended."""
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        return


class SimulatedClouds:
    """Clouds in a folder."""

    def __init__(self, folder: Path, tool: Path) -> None:
        self.folder = folder
        for name in ("bin", "home", "backend", "cloud"):
            (folder / name).mkdir()
        for name in PROVIDERS:
            plugin = folder / "bin" / f"pulumi-resource-{name}"
            plugin.write_text(f'#!/bin/sh\nexec {sys.executable} -Bu {Path(__file__).with_name("interruptible.py")} {tool} {name} "$@"\n')
            plugin.chmod(0o755)
        dropped = ("AWS_", "ARM_", "AZURE_", "KUBE", "PULUMI_", "VIRTUAL_ENV")
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith(dropped)} | {
            "PATH": os.pathsep.join([str(folder / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]]),
            "PYTHONPATH": str(COMPONENTS),
            "SIMCLOUD_DIR": str(folder / "cloud"),
            "SIMCLOUD_OP_SECONDS": "0.1",
            "PULUMI_HOME": str(folder / "home"),
            "PULUMI_BACKEND_URL": f"file://{folder / 'backend'}",
            "PULUMI_CONFIG_PASSPHRASE": "simulated",
            "PULUMI_SKIP_UPDATE_CHECK": "true",
            "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "true",
            "PULUMI_DEBUG_COMMANDS": "true",
            "NO_COLOR": "1",
            "AWS_REGION": "eu-central-1",
        }

    def project(self, name: str, program: str = DEPLOY, stack: str = "dev", declared: str = "", config: Mapping[str, str] | None = None) -> Project:
        """A project with a program, and a declaration of its stack."""
        folder = self.folder / name
        (folder / "stacks").mkdir(parents=True)
        (folder / "Pulumi.yaml").write_text(f"name: {name}\nruntime: python\n")
        (folder / "__main__.py").write_text(program)
        if declared:
            (folder / "stacks" / f"{stack}.py").write_text(declared)
        made = Project(self, folder, stack)
        made.pulumi("stack", "init")
        for key, value in (config or {}).items():
            made.pulumi("config", "set", key, value)
        return made

    def objects(self) -> dict[str, Any]:
        """What is in the clouds, by id."""
        file = self.folder / "cloud" / "state.json"
        return json.loads(file.read_text())["objects"] if file.exists() else {}
