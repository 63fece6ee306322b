"""Starts a policy pack in a separate process, as Pulumi's engine does."""

import json
import os
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

import grpc

from nodepools.engine.errors import PackError
from nodepools.engine.monitor import ORGANIZATION
from nodepools.engine.process import ChildOutput, serving
from nodepools.engine.protocol import AnalyzerCalls, analyzer_calls
from nodepools.engine.run import Program
from nodepools.engine.time_limit import NO_LIMIT, TimeLimit
from nodepools.engine.transforms import CHANNEL_OPTIONS
from nodepools.reading.bounded_input import file_text
from nodepools.reading.limits import TextError
from nodepools.reading.pulumi_scalars import PULUMI
from nodepools.reading.yaml_documents import only_value

SECONDS_TO_START: Final = 60.0
_FILE: Final = "PulumiPolicy.yaml"
_NOBODY: Final = "127.0.0.1:1"
"""The address of a missing engine: packs need it for logging only."""


@dataclass(frozen=True, slots=True)
class Pack:
    """A policy pack: its directory, and the Python that runs it."""

    folder: Path
    python: Path


def read_pack(folder: Path) -> Pack:
    """Reads the pack in a directory.

    Raises:
        PackError: there is no pack, or it is written in another language.
    """
    path = folder / _FILE
    if not path.exists():
        raise PackError(f"no policy pack at {folder}: {path}: No such file or directory")
    try:
        project = only_value(file_text(path), str(path), PULUMI)
    except TextError as error:
        raise PackError(str(error)) from None
    runtime = _mapping(project).get("runtime")
    name = runtime if isinstance(runtime, str) else _mapping(runtime).get("name")
    if name is None:
        raise PackError(f"{path}: `runtime: python` is missing")
    if name != "python":
        raise PackError(f"{path}: a pack with `runtime: {name}` requires the Pulumi CLI; only `runtime: python` is supported here")
    main = _mapping(project).get("main")
    inside = folder / main if isinstance(main, str) else folder
    if not (inside / "__main__.py").is_file() and not inside.is_file():
        raise PackError(f"policy pack {folder}: {inside / '__main__.py'} does not exist")
    virtualenv = _mapping(_mapping(runtime).get("options")).get("virtualenv")
    python = folder / virtualenv / "bin" / "python" if isinstance(virtualenv, str) else Path(sys.executable)
    if not python.exists():
        raise PackError(f"policy pack {folder}: its virtual environment {virtualenv} is not installed: run `pulumi install` in it")
    return Pack(inside.resolve(), python)


@contextmanager
def started(pack: Pack, program: Program, seconds: float = SECONDS_TO_START, limit: TimeLimit = NO_LIMIT) -> Generator[AnalyzerCalls]:
    """Runs the pack during the `with` block. `seconds` is the time limit for its start, and `limit` the one for all.

    Raises:
        PackError: the pack does not start.
    """
    command = [str(pack.python), "-u", "-m", "pulumi.policy", _NOBODY, str(pack.folder)]
    with serving(command, _environment(program), pack.folder) as (output, errors):
        port = _port(output, errors, pack, seconds, limit)
        for stream in (output, errors):
            stream.forward()
        with grpc.insecure_channel(f"127.0.0.1:{port}", options=CHANNEL_OPTIONS) as channel:
            yield analyzer_calls(channel, limit)


def timed_out(folder: Path, limit: TimeLimit) -> PackError:
    """The error for a pack that is not finished at the end of `limit`."""
    return PackError(f"policy pack {folder}: did not end within {limit.seconds:g} seconds, with the program, and was stopped")


def _port(output: ChildOutput, errors: ChildOutput, pack: Pack, seconds: float, limit: TimeLimit) -> int:
    """The port, which the pack prints as its first line."""
    left = limit.left
    line = output.first_line(min(seconds, left) if left is not None else seconds)
    if line is None and left is not None and left <= seconds:
        raise timed_out(pack.folder, limit)
    if line is None:
        raise PackError(f"policy pack {pack.folder}: did not start within {seconds:g} seconds")
    if not line:
        last = errors.last_line()
        raise PackError(f"policy pack {pack.folder}: does not start: {last if last is not None else 'it ended without output'}")
    if not line.strip().isdigit():
        raise PackError(f"policy pack {pack.folder}: printed {line.decode(errors='replace').strip()!r:.80} instead of its port")
    return int(line)


def _environment(program: Program) -> dict[str, str]:
    """Environment of a pack. Pulumi passes the configuration with decrypted secrets, too; none of them is known here."""
    return {
        **os.environ,
        "PULUMI_CONFIG": json.dumps(dict(program.config)),
        "PULUMI_ORGANIZATION": ORGANIZATION,
        "PULUMI_PROJECT": program.project,
        "PULUMI_STACK": program.stack,
        "PULUMI_DRY_RUN": "true",
        "no_grpc_proxy": "127.0.0.1",
    }


def _mapping(value: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", value) if isinstance(value, Mapping) else {}
