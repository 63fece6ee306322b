"""The real engine with a cloud that is not there: `make test-engine`."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.pulumi.cloud_copies import Clouds
from tests.pulumi.prerequisites import require_engine, required_clouds
from tests.pulumi.simulated_clouds import SimulatedClouds

PROVIDERS = {"azure-native": "pulumi-azure-native", "aws": "pulumi-aws", "kubernetes": "pulumi-kubernetes"}
PROGRAM = "import pulumi\nfrom nodepools import deploy, load\n\ndeploy(load(pulumi.get_stack()))\n"
CERTAIN_END = 300


@dataclass(frozen=True)
class Engine:
    """A project of its own, its state in a folder of its own."""

    folder: Path
    environment: dict[str, str]

    def declare(self, platform: str) -> None:
        """Writes the one stack; `platform` is what `PLATFORM` is, as Python."""
        self.declare_stack(f"from nodepools import *; from nodepools.aks import *; from nodepools.eks import *\n\nPLATFORM = {platform}\n")

    def declare_stack(self, text: str) -> None:
        """Writes the one stack file."""
        (self.folder / "stacks").mkdir(exist_ok=True)
        (self.folder / "stacks" / "dev.py").write_text(text)

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = ["pulumi", *arguments, "--stack", "dev", "--non-interactive"]
        return subprocess.run(command, cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False, timeout=CERTAIN_END)

    def timed(self, *arguments: str) -> list[tuple[float, str]]:
        """What the cloud was told by a command that went well, in the order in which it was done, with the second in which it was."""
        log = Path(self.environment["SIMULATED_LOG"])
        log.write_text("")
        done = self.run(*arguments)
        assert done.returncode == 0, done.stdout + done.stderr
        return [(float(at), line) for at, _, line in (one.partition(" ") for one in log.read_text().splitlines())]

    def did(self, *arguments: str) -> list[str]:
        """The same without the time."""
        return [line for _, line in self.timed(*arguments)]

    def up(self) -> list[str]:
        return self.did("up", "--yes", "--skip-preview")

    def destroy(self) -> list[str]:
        return self.did("destroy", "--yes", "--skip-preview")


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    require_engine()
    return _engine(tmp_path)


@pytest.fixture
def clouds(tmp_path: Path) -> SimulatedClouds:
    """Clouds that know imports and refusals, for several projects."""
    return SimulatedClouds(tmp_path, required_clouds())


@pytest.fixture
def empty_clouds(tmp_path: Path) -> Clouds:
    """Clouds without resources, for one project. They tell what one `pulumi up` did."""
    return Clouds.new(tmp_path / "clouds", required_clouds())


def _engine(folder: Path) -> Engine:
    for name in ("bin", "home", "state", "project"):
        (folder / name).mkdir()
    for name, package in PROVIDERS.items():
        plugin = folder / "bin" / f"pulumi-resource-{name}"
        plugin.write_text(f'#!/bin/sh\nexec {sys.executable} -u {Path(__file__).with_name("provider.py")} {name} {version(package)} "$@"\n')
        plugin.chmod(0o755)
    project = folder / "project"
    (project / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
    (project / "__main__.py").write_text(PROGRAM)
    paths = [str(folder / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]]
    made = Engine(
        project,
        {
            **os.environ,
            "PATH": os.pathsep.join(paths),
            "PULUMI_HOME": str(folder / "home"),
            "PULUMI_BACKEND_URL": f"file://{folder / 'state'}",
            "PULUMI_CONFIG_PASSPHRASE": "",
            "PULUMI_SKIP_UPDATE_CHECK": "true",
            "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "true",
            "SIMULATED_LOG": str(folder / "log"),
        },
    )
    begun = made.run("stack", "init")
    assert begun.returncode == 0, begun.stderr
    return made


@pytest.fixture
def pools() -> Callable[[list[str]], list[str]]:
    """What was done with agent pools: `create web`, without the hash of the generation and the stem."""

    def of(done: list[str]) -> list[str]:
        found = (re.fullmatch(r"(\w+) azure-native:containerservice:AgentPool dev-weu-([a-z]+?)([a-z0-9]{4})", line) for line in done)
        return [f"{match[1]} {match[2]}" for match in found if match]

    return of
