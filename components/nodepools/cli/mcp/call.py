"""One call of a tool: the command runs in a process of its own, with the same limits and the same JSON document as on the command line."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, cast

import anyio
import anyio.to_thread

from nodepools.cli.failures import failure
from nodepools.cli.mcp.inputs import Workspace
from nodepools.cli.mcp.tools import Tool
from nodepools.cli.output.envelope import document
from nodepools.cli.problem import Problem
from nodepools.reading.limits import SECONDS
from nodepools.reading.links import VARIABLE

_ERROR: Final = re.compile(r"^error: (.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Answer:
    """The document of a command."""

    document: Mapping[str, object]
    is_complete: bool


async def call(tool: Tool, given: Mapping[str, object], root: Path, *, runs_programs: bool) -> Answer:
    """Runs the command of a tool. Whatever fails is a problem in its document."""
    try:
        with TemporaryDirectory(prefix="nodepools-mcp-") as folder:
            space = Workspace(root, Path(folder), runs_programs)
            words = await anyio.to_thread.run_sync(_prepared, tool, given, space)
            return await _answer(tool, words, space)
    except Exception as error:  # noqa: BLE001  # a call ends with a document, as a command does
        return _incomplete(tool, *failure(error)[1])


def _prepared(tool: Tool, given: Mapping[str, object], space: Workspace) -> list[str]:
    if not space.runs_programs:
        space.add_settings()
    return tool.words(given, space)


async def _answer(tool: Tool, words: list[str], space: Workspace) -> Answer:
    seconds = SECONDS.value()
    command = [sys.executable, "-P", "-m", "nodepools", *words]  # -P: modules in the working directory are not imported
    with anyio.move_on_after(seconds) as limit:
        done = await anyio.run_process(
            command, stdin=subprocess.DEVNULL, check=False, cwd=space.directory, env=_environment(runs_programs=space.runs_programs)
        )
        return _read(tool, done, space)
    assert limit.cancelled_caught  # noqa: S101  # for the type checker: nothing else leaves the block
    return _incomplete(tool, Problem("", f"did not end within {seconds} s; the environment variable `{SECONDS.variable}` raises the limit"))


def _environment(*, runs_programs: bool) -> dict[str, str]:
    own = {} if runs_programs else {VARIABLE: "1"}
    return {**os.environ, **own, "NO_COLOR": "1", "PYTHONUTF8": "1"}


def _read(tool: Tool, done: "subprocess.CompletedProcess[bytes]", space: Workspace) -> Answer:
    text = done.stdout.decode("utf-8", "replace").replace(f"{space.folder}{os.sep}", "")
    try:
        found = cast("Mapping[str, object]", json.loads(text))
    except ValueError:  # invalid arguments, or the process was killed
        errors = _ERROR.findall(done.stderr.decode("utf-8", "replace"))
        return _incomplete(tool, *(Problem.of(error) for error in errors or [f"ended with exit code {done.returncode}"]))
    return Answer(found, found.get("complete") is True)


def _incomplete(tool: Tool, *problems: Problem) -> Answer:
    return Answer(document(tool.name, {}, (), problems, ()), is_complete=False)
