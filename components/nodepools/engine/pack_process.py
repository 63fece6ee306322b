"""A policy pack in a process of its own, started as Pulumi's engine starts it."""

import json
import os
import select
import sys
import tempfile
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from subprocess import Popen
from typing import IO, Final, cast

import grpc
import yaml

from nodepools.engine.errors import PackError
from nodepools.engine.monitor import ORGANIZATION
from nodepools.engine.process import serving
from nodepools.engine.protocol import AnalyzerCalls, analyzer_calls
from nodepools.engine.run import Program
from nodepools.engine.transforms import CHANNEL_OPTIONS

SECONDS_TO_START: Final = 60.0
_FILE: Final = "PulumiPolicy.yaml"
_NOBODY: Final = "127.0.0.1:1"
"""The address of an engine that is not there: packs log to it, and need nothing else of it."""


@dataclass(frozen=True, slots=True)
class Pack:
    """A policy pack: where it is, and the Python that it wants to be run with."""

    folder: Path
    python: Path


def read_pack(folder: Path) -> Pack:
    """The pack in a folder.

    Raises:
        PackError: there is none, or it is written in another language.
    """
    path = folder / _FILE
    try:
        project = cast("object", yaml.safe_load(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise PackError(f"no policy pack at {folder}: {path}: {error.strerror}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise PackError(f"{path}: not YAML: {' '.join(str(error).split())}") from None
    runtime = _mapping(project).get("runtime")
    name = runtime if isinstance(runtime, str) else _mapping(runtime).get("name")
    if name is None:
        raise PackError(f"{path}: `runtime: python` is missing")
    if name != "python":
        raise PackError(f"{path}: a pack for {name} needs the Pulumi CLI; here only packs with `runtime: python` can run")
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
def started(pack: Pack, program: Program, seconds: float = SECONDS_TO_START) -> Generator[AnalyzerCalls]:
    """The pack, answering, for as long as the block lasts. It does not outlive it.

    Raises:
        PackError: it does not start.
    """
    command = [str(pack.python), "-u", "-m", "pulumi.policy", _NOBODY, str(pack.folder)]
    with tempfile.TemporaryFile() as errors, serving(command, _environment(program), pack.folder, errors) as child:
        port = _port(child, errors, pack, seconds)
        with grpc.insecure_channel(f"127.0.0.1:{port}", options=CHANNEL_OPTIONS) as channel:
            yield analyzer_calls(channel)


def _port(child: Popen[bytes], errors: IO[bytes], pack: Pack, seconds: float) -> int:
    """The port, which is the first line that a pack prints."""
    line = _first_line(child, time.monotonic() + seconds)
    if line is None:
        raise PackError(f"policy pack {pack.folder}: did not start within {seconds:g} seconds")
    if not line:
        raise PackError(f"policy pack {pack.folder}: does not start: {_last_words(errors)}")
    if not line.strip().isdigit():
        raise PackError(f"policy pack {pack.folder}: prints {line.decode(errors='replace').strip()!r:.80} where its port belongs")
    return int(line)


def _first_line(child: Popen[bytes], until: float) -> bytes | None:
    """The first line, as far as it came before the end of its output; `None` where time is over."""
    if child.stdout is None:
        return b""
    said = b""
    while not said.endswith(b"\n"):
        ready, _, _ = select.select([child.stdout], [], [], max(0.0, until - time.monotonic()))
        if not ready:
            return None
        part = os.read(child.stdout.fileno(), 1)
        if not part:
            break
        said += part
    return said


def _last_words(errors: IO[bytes]) -> str:
    """The last line of a trace says what happened."""
    errors.seek(0)
    lines = [line.strip() for line in errors.read().decode(errors="replace").splitlines() if line.strip()]
    return lines[-1] if lines else "it ends without a word"


def _environment(program: Program) -> dict[str, str]:
    """What packs find in their environment. As Pulumi does it gives them the configuration with its secrets, of which none is known here."""
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
