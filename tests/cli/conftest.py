"""The command as a person starts it: a process of its own, in a folder of theirs."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import pytest

from tests.cli.running import CONTEXTS, NAMED, agent, node

UNWRAPPED = "1000"
"""Columns: sentences stay on one line, so that a test can look for them."""
STARTER = Path(__file__).with_name("starter.py")
KUBECTL = Path(__file__).with_name("fake_kubectl.py")


@pytest.fixture(autouse=True)
def _unwrapped(monkeypatch):
    monkeypatch.setenv("COLUMNS", UNWRAPPED)


@dataclass(frozen=True)
class Answer:
    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def all(self) -> str:
        return self.out + self.err


Run = Callable[..., Answer]


def started(*arguments: str, cwd: Path, env: Mapping[str, str] | None = None, stdin: str = "", python: str = sys.executable) -> Answer:
    done = subprocess.run(
        [python, "-m", "nodepools", *arguments],
        cwd=cwd,
        env={**os.environ, "NO_COLOR": "1", "COLUMNS": UNWRAPPED, **(env or {})},
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    return Answer(done.returncode, done.stdout, done.stderr)


class Starter:
    """Runs commands as `started` does, without their imports: see starter.py."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process = subprocess.Popen([sys.executable, STARTER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=folder)

    def __call__(self, *arguments: str, cwd: Path, env: Mapping[str, str] | None = None, stdin: str = "") -> Answer:
        for stream, text in enumerate((stdin, "", "")):
            (self._folder / str(stream)).write_text(text, encoding="utf-8")
        asked = {
            "arguments": arguments,
            "cwd": str(cwd),
            "env": {**os.environ, "NO_COLOR": "1", "COLUMNS": UNWRAPPED, **(env or {})},
            "streams": str(self._folder),
        }
        self._to.write(json.dumps(asked) + "\n")
        self._to.flush()
        status = int(self._from.readline())
        return Answer(status, *((self._folder / stream).read_text(encoding="utf-8") for stream in "12"))

    @property
    def _to(self) -> IO[str]:
        assert self._process.stdin is not None
        return self._process.stdin

    @property
    def _from(self) -> IO[str]:
        assert self._process.stdout is not None
        return self._process.stdout

    def end(self) -> None:
        self._to.close()
        self._process.wait(timeout=10)
        self._from.close()


@pytest.fixture(scope="session")
def starter(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Starter]:
    made = Starter(tmp_path_factory.mktemp("starter"))
    yield made
    made.end()


@pytest.fixture
def nodepools(starter: Starter) -> Run:
    """Runs the command; no answer may ever hold a trace."""

    def run(*arguments: str, **how: Any) -> Answer:
        with_sdk = bool({"preview", "policy"} & {*arguments[:1]}) or "python" in how or "PYTHONPATH" in (how.get("env") or {})
        answer = started(*arguments, **how) if with_sdk else starter(*arguments, **how)
        assert "Traceback" not in answer.all, answer.all
        return answer

    return run


@pytest.fixture
def copy(project: Path, tmp_path: Path) -> Path:
    """A project of one's own: the declarations and the program, without the library."""
    for name in ("stacks", "__main__.py", "Pulumi.yaml", "Pulumi.dev.yaml", "Pulumi.staging.yaml", "Pulumi.prod.yaml"):
        source = project / name
        if source.is_dir():
            shutil.copytree(source, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, tmp_path / name)
    return tmp_path


@pytest.fixture
def kubectl(tmp_path, monkeypatch):
    """Returns a function that puts a kubectl with these answers on PATH; it returns the file with the calls."""

    def installed(**cluster: Any) -> Path:
        folder = tmp_path / "bin"
        folder.mkdir(exist_ok=True)
        answers = {
            "contexts": CONTEXTS,
            "objects": {"nodes": [node()], "pods": [agent(0)]},
            "named": NAMED,
        }
        (folder / "cluster.json").write_text(json.dumps({**answers, **cluster}))
        script = folder / "kubectl"
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "{KUBECTL}" "{folder / "cluster.json"}" "$@"\n')
        script.chmod(0o755)
        monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
        return folder / "cluster.log"

    return installed
