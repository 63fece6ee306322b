"""A run of the command line on input that should not exist: what it gets, and what it may do."""

import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import DEVNULL, Popen
from typing import Final

_SLOW: Final = 3
"""Machines that run several tests at once are slower than the one that a limit was measured on."""

_MOST: Final = 4 << 20
"""Bytes of an answer. No input makes a longer one: a log has no use for more."""

_MEASURE: Final = """
import resource, subprocess, sys
code = subprocess.call(sys.argv[2:])
with open(sys.argv[1], "w") as usage:
    usage.write(f"{code} {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss}")
"""
"""Runs a command from a small process: Linux counts the memory of the process that starts a command as the command's own."""


@dataclass(frozen=True)
class Case:
    """One row. `files` are written relative to the working folder; `prepare` makes what is no plain file. `seconds` and `megabytes` are limits."""

    title: str
    arguments: tuple[str, ...]
    exit_code: int
    line: str
    """Stands in the output, on stdout or stderr."""
    files: Mapping[str, str | bytes] = field(default_factory=dict[str, str | bytes])
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    stdin: bytes = b""
    prepare: Callable[[Path], None] | None = None
    seconds: float = 10
    megabytes: int = 300
    hidden: str = ""
    """Stands in no output."""
    is_json: bool = False
    """Stdout is one JSON document."""


@dataclass(frozen=True)
class Outcome:
    """How a run ended. `seconds` is wall time, `megabytes` the peak of the largest process."""

    exit_code: int
    stdout: bytes
    stderr: bytes
    megabytes: float
    is_stopped: bool


def run(case: Case, folder: Path) -> Outcome:
    """Runs the command line as a process of its own in `folder`, and ends it when it takes too long."""
    for name, content in case.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    if case.prepare is not None:
        case.prepare(folder)
    out, err = folder.with_name("stdout"), folder.with_name("stderr")
    usage = folder.with_name("usage")
    given = folder.with_name("stdin")
    given.write_bytes(case.stdin)
    with out.open("wb") as stdout, err.open("wb") as stderr, given.open("rb") as stdin:
        command = [sys.executable, "-I", "-S", "-c", _MEASURE, str(usage), sys.executable, "-m", "nodepools", *case.arguments]
        source = stdin if case.stdin else DEVNULL
        surroundings = {**os.environ, "COLUMNS": "1000", **case.environment}  # sentences stay on one line
        child = Popen(command, cwd=folder, env=surroundings, stdin=source, stdout=stdout, stderr=stderr, start_new_session=True)
        stopped = threading.Event()
        timer = threading.Timer(case.seconds * _SLOW, lambda: (stopped.set(), os.killpg(child.pid, signal.SIGKILL)))
        timer.start()
        child.wait()
        timer.cancel()
    code, kilobytes = map(int, usage.read_text().split()) if usage.exists() else (child.returncode, 0)
    return Outcome(code, out.read_bytes(), err.read_bytes(), kilobytes / 1024, stopped.is_set())


def problems(case: Case, outcome: Outcome) -> list[str]:
    """What a run did that it must not do."""
    text = (outcome.stdout + outcome.stderr).decode(errors="replace")
    found = [
        (outcome.is_stopped, f"it ran longer than {case.seconds * _SLOW:.0f} s"),
        (outcome.exit_code != case.exit_code, f"it ended with {outcome.exit_code} instead of {case.exit_code}"),
        (case.line not in text, f"its output lacks {case.line!r}"),
        (bool(case.hidden) and case.hidden in text, f"its output has {case.hidden!r}"),
        ("Traceback (most recent call last)" in text, "it printed a traceback"),
        (outcome.megabytes > case.megabytes, f"it took {outcome.megabytes:.0f} MB instead of at most {case.megabytes} MB"),
        (len(text) > _MOST, f"it printed {len(text):,} characters"),
        (case.is_json and not _is_one_document(outcome.stdout), "its stdout is not one JSON document"),
    ]
    return [problem for is_so, problem in found if is_so]


def _is_one_document(stdout: bytes) -> bool:
    try:
        json.loads(stdout, parse_constant=_refuse)
    except ValueError:
        return False
    return True


def _refuse(constant: str) -> object:
    message = f"{constant} is not JSON"
    raise ValueError(message)
