"""A real Pulumi CLI on simulated clouds: what one `pulumi up` did, and in which order."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tests.pulumi.prerequisites import AT_ONCE

PROVIDERS = ("azure-native", "aws", "kubernetes")
CERTAIN_END = 300
PROGRAM = f"import pulumi\n\nfrom nodepools import deploy, load\n{AT_ONCE}\ndeploy(load(pulumi.get_stack()))\n"


@dataclass(frozen=True, slots=True)
class Done:
    """An operation of the engine on a resource, with the seconds in which it began and ended; those of a replacement are of its creation."""

    kind: str
    resource: str
    began: float
    ended: float

    def __str__(self) -> str:
        return f"{self.kind} {self.resource}"


@dataclass(frozen=True, slots=True)
class Run:
    """One `pulumi up`."""

    done: tuple[Done, ...]
    failed: frozenset[str]
    """Resources on which an operation failed."""
    output: str

    def of(self, cluster: str) -> list[Done]:
        """The operations on the resources of one cluster."""
        return [one for one in self.done if _is_of(one.resource, cluster)]

    def failed_on(self, cluster: str) -> list[str]:
        """The resources of one cluster on which an operation failed."""
        return sorted(resource for resource in self.failed if _is_of(resource, cluster))


def _is_of(resource: str, cluster: str) -> bool:
    return f"{resource}-".partition("/")[2].startswith(f"{cluster}-")


@dataclass(frozen=True, slots=True)
class Clouds:
    """A project, its state, and the clouds that the state describes."""

    folder: Path
    state: Path

    @classmethod
    def new(cls, folder: Path, tool: Path) -> "Clouds":
        """An empty state, and clouds without resources. `tool` simulates them."""
        for name in ("bin", "home", "project/stacks", "empty/backend", "empty/cloud"):
            (folder / name).mkdir(parents=True)
        for name in PROVIDERS:
            plugin = folder / "bin" / f"pulumi-resource-{name}"
            plugin.write_text(f'#!/bin/sh\nexec {sys.executable} -u {Path(__file__).with_name("simulated_provider.py")} {tool} {name} "$@"\n')
            plugin.chmod(0o755)
        (folder / "project" / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
        (folder / "project" / "__main__.py").write_text(PROGRAM)
        made = cls(folder, folder / "empty")
        begun = made._run("stack", "init", "dev")
        assert begun.returncode == 0, begun.stderr
        return made

    def copied(self, name: str) -> "Clouds":
        """The same state and clouds in a folder of their own."""
        shutil.copytree(self.state, self.folder / name)
        return replace(self, state=self.folder / name)

    def planned(self, stack: str) -> set[str]:
        """The operations that `pulumi preview` of a stack file with this text shows."""
        self._declare(stack)
        events = self.state / "events.jsonl"
        events.unlink(missing_ok=True)
        shown = self._run("preview", "--stack", "dev", "--event-log", str(events))
        assert shown.returncode == 0, shown.stdout + shown.stderr
        steps = [event["resourcePreEvent"]["metadata"] for event in _lines(events) if "resourcePreEvent" in event]
        return {f"{kind} {_resource(urn)}" for urn, kind in _kinds([(one["urn"], one["op"]) for one in steps]).items()}

    def up(self, stack: str, *options: str) -> Run:
        """`pulumi up` of a stack file with this text."""
        self._declare(stack)
        journal, events = self.state / "cloud" / "ops.jsonl", self.state / "events.jsonl"
        for file in (journal, events):
            file.unlink(missing_ok=True)
        ended = self._run("up", "--stack", "dev", "--yes", "--skip-preview", "--event-log", str(events), *options)
        told = list(_lines(events))
        done, failed = tuple(_done(told, list(_lines(journal)))), frozenset(_failed(told))
        assert failed or ended.returncode == 0, ended.stdout + ended.stderr
        return Run(done, failed, ended.stdout + ended.stderr)

    def plan(self, stack: str) -> str:
        """The file with the plan that `pulumi preview` of a stack file with this text saves."""
        self._declare(stack)
        file = str(self.state / "plan.json")
        saved = self._run("preview", "--stack", "dev", "--save-plan", file)
        assert saved.returncode == 0, saved.stdout + saved.stderr
        return file

    def differing(self, stack: str) -> dict[str, list[str]]:
        """The properties that `pulumi preview` of a stack file with this text shows as changed, by resource."""
        self._declare(stack)
        events = self.state / "events.jsonl"
        events.unlink(missing_ok=True)
        shown = self._run("preview", "--stack", "dev", "--event-log", str(events))
        assert shown.returncode == 0, shown.stdout + shown.stderr
        steps = [event["resourcePreEvent"]["metadata"] for event in _lines(events) if "resourcePreEvent" in event]
        return {_resource(step["urn"]): sorted(step.get("detailedDiff") or ()) for step in steps if step["op"] not in ("same", "refresh")}

    def set_in_cloud(self, ending: str, **values: object) -> None:
        """Changes an object of the clouds as something other than Pulumi would. `ending` is the end of its id."""
        file = self.state / "cloud" / "state.json"
        clouds = json.loads(file.read_text())
        [found] = [one for id_, one in clouds["objects"].items() if id_.endswith(ending)]
        found["outputs"].update(values)
        file.write_text(json.dumps(clouds))

    def in_cloud(self, ending: str) -> Mapping[str, Any]:
        """An object of the clouds. `ending` is the end of its id."""
        clouds = json.loads((self.state / "cloud" / "state.json").read_text())
        [found] = [one["outputs"] for id_, one in clouds["objects"].items() if id_.endswith(ending)]
        return found

    def destroy(self) -> None:
        """`pulumi destroy`."""
        ended = self._run("destroy", "--stack", "dev", "--yes", "--skip-preview")
        assert ended.returncode == 0, ended.stdout + ended.stderr

    def refresh(self) -> None:
        """`pulumi refresh`: the state gets what is in the clouds."""
        ended = self._run("refresh", "--stack", "dev", "--yes", "--skip-preview")
        assert ended.returncode == 0, ended.stdout + ended.stderr

    def _declare(self, stack: str) -> None:
        (self.folder / "project" / "stacks" / "dev.py").write_text(stack, encoding="utf-8")

    def _run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = ["pulumi", *arguments, "--non-interactive", "--color", "never"]
        cwd = self.folder / "project"
        return subprocess.run(command, cwd=cwd, env=self._environment(), capture_output=True, text=True, check=False, timeout=CERTAIN_END)

    def _environment(self) -> Mapping[str, str]:
        path = os.pathsep.join([str(self.folder / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]])
        return {
            **os.environ,
            "PATH": path,
            "PULUMI_HOME": str(self.folder / "home"),
            "PULUMI_BACKEND_URL": f"file://{self.state / 'backend'}",
            "PULUMI_CONFIG_PASSPHRASE": "",
            "PULUMI_SKIP_UPDATE_CHECK": "true",
            "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "true",
            "PULUMI_DEBUG_COMMANDS": "true",  # shows --event-log
            "PULUMI_EXPERIMENTAL": "true",
            "PULUMI_SKIP_CHECKPOINTS": "true",  # the state is written once, not with each operation
            "PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS": "true",
            "AWS_REGION": "us-east-1",
            "SIMCLOUD_DIR": str(self.state / "cloud"),
            "SIMCLOUD_OP_SECONDS": "0.05",
            "SIMCLOUD_PATIENCE": "1",
        }


def _lines(file: Path) -> Iterator[Mapping[str, Any]]:
    if file.exists():
        yield from map(json.loads, file.read_text(encoding="utf-8").splitlines())


def _resource(urn: str) -> str:
    _, _, types, name = urn.split("::", 3)
    return f"{types.rpartition(':')[2]}/{name}"


def _failed(events: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for event in events:
        if "resOpFailedEvent" in event:
            yield _resource(event["resOpFailedEvent"]["metadata"]["urn"])


def _kinds(steps: Iterable[tuple[str, str]]) -> dict[str, str]:
    """What becomes of each resource: one that is deleted to be replaced, and not created again, is deleted."""
    kinds: dict[str, str] = {}
    for urn, step in steps:
        if step in ("replace", "create-replacement"):
            kinds[urn] = "replace"
        elif step in ("create", "update", "delete"):
            kinds.setdefault(urn, step)
        elif step == "delete-replaced":
            kinds.setdefault(urn, "delete")
    return kinds


def _done(events: Sequence[Mapping[str, Any]], journal: Sequence[Mapping[str, Any]]) -> Iterator[Done]:
    """The journal has the times, and the events tell a replacement from a deletion and a creation."""
    ended = [event["resOutputsEvent"]["metadata"] for event in events if "resOutputsEvent" in event]
    kinds = _kinds([(one["urn"], one["op"]) for one in ended])
    for entry in journal:
        kind = kinds.get(str(entry["urn"]), str(entry["kind"]))
        if entry["outcome"] == "ok" and (kind != "replace" or entry["kind"] != "delete"):
            yield Done(kind, _resource(str(entry["urn"])), entry["start"], entry["end"])
