"""Karpenter's own library and kube-scheduler's own matching, in a process that is asked line by line."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent


class Oracle:
    def __init__(self, program: Path) -> None:
        self._program = program
        self._running: subprocess.Popen[str] | None = None

    def begin(self, world: Mapping[str, object]) -> None:
        self.end()
        self._running = subprocess.Popen([str(self._program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self._send(world)

    def ask(self, case: Mapping[str, object]) -> Any:
        self._send(case)
        assert self._running is not None
        assert self._running.stdout is not None
        return json.loads(self._running.stdout.readline())

    def end(self) -> None:
        if self._running is not None:
            self._running.communicate()
            self._running = None

    def _send(self, value: Mapping[str, object]) -> None:
        assert self._running is not None
        assert self._running.stdin is not None
        self._running.stdin.write(json.dumps(value) + "\n")
        self._running.stdin.flush()


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The oracle, built. Where there is no Go it is skipped, unless ORACLES=required."""
    required = os.environ.get("ORACLES") == "required"
    if shutil.which("go") is None:
        if required:
            pytest.fail("ORACLES=required, and no go on PATH")
        pytest.skip("no go on PATH: Karpenter's own library is not asked")
    if not required and os.environ.get("ORACLES") != "run":
        pytest.skip("make test-oracles asks Karpenter's own library; its first build takes minutes")
    built = tmp_path_factory.mktemp("oracle") / "placement"
    done = subprocess.run(["go", "build", "-o", str(built), "."], cwd=HERE, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return built


@pytest.fixture(scope="session")
def oracle(program: Path) -> Iterator[Oracle]:
    asked = Oracle(program)
    yield asked
    asked.end()
