"""The server of the engine: a socket that only the user of this process can open."""

import tempfile
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import quote

import grpc
from pulumi.runtime.proto.engine_pb2_grpc import add_EngineServicer_to_server
from pulumi.runtime.proto.resource_pb2_grpc import add_ResourceMonitorServicer_to_server

from nodepools.engine.errors import EngineError
from nodepools.engine.logs import Logs
from nodepools.engine.monitor import PARALLEL, Monitor
from nodepools.engine.transforms import CHANNEL_OPTIONS

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
