"""The engine service, which receives the log messages of the program."""
# ruff: noqa: ARG002, N802 - gRPC calls these methods by these names, always with these two parameters

import threading
from typing import Final

import grpc
from google.protobuf.empty_pb2 import Empty
from pulumi.runtime.proto import engine_pb2 as proto
from pulumi.runtime.proto.engine_pb2_grpc import EngineServicer

from nodepools.engine.plan import Diagnostic
from nodepools.engine.process_arguments import COMPLETE

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
