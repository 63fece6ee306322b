"""The command as a person starts it: a process of its own, in a folder of theirs."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest


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
        env={**os.environ, "NO_COLOR": "1", **(env or {})},
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    return Answer(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def nodepools() -> Run:
    """Runs the command; no answer may ever hold a trace."""

    def run(*arguments: str, **how: Any) -> Answer:
        answer = started(*arguments, **how)
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
