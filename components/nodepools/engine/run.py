"""Runs a Pulumi program and records its registration plan and its log messages. No Pulumi CLI, no account, no network."""

import json
import os
import signal
import tempfile

# ruff: noqa: ARG002, N802 - gRPC calls these methods by these names, always with these two parameters
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import Final
from urllib.parse import quote

import grpc
from google.protobuf.empty_pb2 import Empty
from pulumi.runtime.proto import engine_pb2 as proto
from pulumi.runtime.proto.engine_pb2_grpc import EngineServicer, add_EngineServicer_to_server
from pulumi.runtime.proto.resource_pb2_grpc import add_ResourceMonitorServicer_to_server

from nodepools.engine.errors import EngineError, ProgramFailed, ProgramTimedOut
from nodepools.engine.invokes import DEFAULTS, Fixture
from nodepools.engine.monitor import ORGANIZATION, PARALLEL, Deployment, Monitor, OutputFixture
from nodepools.engine.plan import Diagnostic, Plan
from nodepools.engine.process import Host, host_in
from nodepools.engine.project import PLACEHOLDER
from nodepools.engine.protocol import COMPLETE, FAILED, Arguments
from nodepools.engine.resource_registry import Registry
from nodepools.engine.transforms import CHANNEL_OPTIONS, Transforms
from nodepools.model.values import dataclass, field

_ROOM: Final = 1 << 20
"""Characters of messages that are kept."""
_NAMES = {proto.INFO: "info", proto.WARNING: "warning", proto.ERROR: "error"}


class Logs(EngineServicer):
    """Records the messages of one run, in order."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._messages: list[Diagnostic] = []
        self._room = _ROOM
        self._omitted = 0
        self._severity = "warning"
        self._last: tuple[Diagnostic, ...] = ()
        self._is_complete = False

    @property
    def messages(self) -> tuple[Diagnostic, ...]:
        """The messages so far. Of very many, the first ones, the number of the others, and the last one, which can say why the program failed."""
        with self._lock:
            omitted = [Diagnostic(self._severity, f"{self._omitted:,} further messages of the program are not shown")] if self._omitted else []
            return (*self._messages, *omitted, *self._last)

    @property
    def is_complete(self) -> bool:
        """Whether the process reported that the program is complete."""
        with self._lock:
            return self._is_complete

    def Log(self, request: proto.LogRequest, context: grpc.ServicerContext) -> Empty:
        """Records a message, unless it is ephemeral: those show progress only."""
        if request.severity == proto.DEBUG and request.message == COMPLETE:
            with self._lock:
                self._is_complete = True
        if request.severity in _NAMES and not request.ephemeral:
            with self._lock:
                self._take(Diagnostic(_NAMES[request.severity], request.message, request.urn))
        return Empty()

    def _take(self, message: Diagnostic) -> None:
        self._room -= len(message.message)
        if self._room >= 0:
            self._messages.append(message)
            return
        for left in self._last:
            self._omitted += 1
            if left.severity == "error":
                self._severity = left.severity
        self._last = (message,)

    def RequirePulumiVersion(self, request: proto.RequirePulumiVersionRequest, context: grpc.ServicerContext) -> proto.RequirePulumiVersionResponse:
        """Accepts any version: there is no Pulumi CLI."""
        return proto.RequirePulumiVersionResponse()


@dataclass(frozen=True, slots=True)
class Program:
    """A Pulumi program: a directory with a `__main__.py`, and the settings of its run.

    `config` has full keys (`aws:region`); the values of `secret_keys` are secret. `environment` is added to the environment of this process.
    """

    directory: Path
    project: str
    stack: str
    config: Mapping[str, str] = field(default_factory=dict[str, str])
    secret_keys: Sequence[str] = ()
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    sealed: str = ""
    """What would decrypt the settings that have a stand-in."""
    hidden: Sequence[str] = ()
    """Texts that what it prints does not show, the longest first."""

    def without_hidden(self, printed: bytes) -> bytes:
        """Whole lines that it printed, without these texts."""
        for text in self.hidden:
            printed = printed.replace(text.encode(errors="replace"), PLACEHOLDER.encode())
        return printed


def run(
    program: Program,
    *,
    preview: bool = True,
    fixtures: Mapping[str, Fixture] | None = None,
    outputs: Mapping[str, OutputFixture] | None = None,
    ids: Callable[[str, str], str] | None = None,
    timeout: float | None = None,
    host: Host | None = None,
) -> Plan:
    """Runs `program` and returns what it registered.

    In a preview only the inputs of a resource are known. Otherwise resources have ids (`<name>-id`), and `outputs` makes, by type, the outputs
    that are not inputs. With `ids`, the id of a resource by its type and name, previews have both too. `fixtures` responds to invokes, by token, and
    overrides the default fixtures. `timeout` is in seconds. `host` is a process that has already started.

    Raises:
        ProgramFailed: the program did not complete.
        EngineError: the engine cannot be started.
    """
    main = program.directory / "__main__.py"
    if not main.is_file():
        raise ProgramFailed(f"no program found: {main} does not exist: run this in the folder of a Pulumi program")
    directory = program.directory.resolve()
    deployment = Deployment(
        project=program.project,
        stack=program.stack,
        preview=preview,
        source=f"{directory.as_uri()}/",
        config=program.config,
        fixtures={**DEFAULTS, **(fixtures or {})},
        outputs=outputs if outputs is not None else {},
        ids=ids,
    )
    registry, logs = Registry(), Logs()
    with closing(Transforms()) as transforms, engine_server(Monitor(deployment, registry, transforms), logs) as address:
        mode = "preview" if preview else "update"
        arguments = Arguments(address, program.project, program.stack, ORGANIZATION, str(PARALLEL), mode, str(directory))
        config = {"PULUMI_CONFIG": json.dumps(dict(program.config)), "PULUMI_CONFIG_SECRET_KEYS": json.dumps(list(program.secret_keys))}
        with (
            nullcontext(host) if host is not None and (host.directory, host.environment) == (directory, os.environ) else host_in(directory) as process
        ):
            status = process.run(arguments, {**program.environment, **config}, timeout, program.without_hidden if program.hidden else None)
    plan = registry.plan(program.stack, logs.messages)
    _raise_failure(status, timeout, logs, plan)
    return plan


def _raise_failure(status: int | None, timeout: float | None, logs: Logs, plan: Plan) -> None:
    messages = logs.messages
    if status is None:
        raise ProgramTimedOut(f"the program did not end within {timeout:g} seconds and was stopped", messages, plan)
    if status == FAILED and messages:
        raise ProgramFailed(messages[-1].message, messages[:-1], plan)
    if status < 0:
        raise ProgramFailed(f"the program was ended by signal {signal.Signals(-status).name}", messages, plan)
    if status > 0:
        raise ProgramFailed(f"the program ended with exit status {status}, without a message", messages, plan)
    if not logs.is_complete:
        raise ProgramFailed("the program ended its process before it was complete, such as by `os._exit(0)`", messages, plan)


_LONGEST: Final = 64
"""Of a folder for temporary files, in bytes: addresses of sockets have at most 104 bytes on some systems."""


@contextmanager
def engine_server(monitor: Monitor, logs: Logs) -> Generator[str]:
    """Serves both services during the `with` block, and yields the address.

    Other users of the machine cannot connect: the protocol has no authentication, and the program registers its secrets here.

    Raises:
        EngineError: the socket cannot be created.
    """
    # More threads than the program has: a transform can send a request while its resource waits for the transform.
    with _private_folder() as folder, ThreadPoolExecutor(max_workers=8 * PARALLEL, thread_name_prefix="nodepools-engine") as pool:
        server = grpc.server(pool, options=CHANNEL_OPTIONS)
        add_ResourceMonitorServicer_to_server(monitor, server)
        add_EngineServicer_to_server(logs, server)
        socket = Path(folder, "engine")
        address = f"unix:{quote(str(socket))}"
        try:
            server.add_insecure_port(address)
            socket.chmod(0o600)
        except (RuntimeError, OSError) as error:
            raise EngineError(f"cannot listen on {socket}") from error
        server.start()
        try:
            yield address
        finally:
            server.stop(grace=None).wait()


def _private_folder() -> tempfile.TemporaryDirectory[str]:
    """A new folder with mode 0700: the mode of a socket counts on some systems only."""
    try:
        usual = tempfile.gettempdir()
        return tempfile.TemporaryDirectory(prefix="nodepools-", dir=usual if len(usual.encode()) <= _LONGEST else "/tmp")  # noqa: S108
    except OSError as error:
        raise EngineError(f"cannot create a folder for temporary files: {error.strerror}") from error
