"""The engine service, which receives the log messages of the program."""
# ruff: noqa: ARG002, N802 - gRPC calls these methods by these names, always with these two parameters

import threading

import grpc
from google.protobuf.empty_pb2 import Empty
from pulumi.runtime.proto import engine_pb2 as proto
from pulumi.runtime.proto.engine_pb2_grpc import EngineServicer

from nodepools.engine.plan import Diagnostic
from nodepools.engine.process_arguments import COMPLETE

_NAMES = {proto.INFO: "info", proto.WARNING: "warning", proto.ERROR: "error"}


class Logs(EngineServicer):
    """Records the messages of one run, in order."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._messages: list[Diagnostic] = []
        self._is_complete = False

    @property
    def messages(self) -> tuple[Diagnostic, ...]:
        """The messages so far."""
        with self._lock:
            return tuple(self._messages)

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
                self._messages.append(Diagnostic(_NAMES[request.severity], request.message, request.urn))
        return Empty()

    def RequirePulumiVersion(self, request: proto.RequirePulumiVersionRequest, context: grpc.ServicerContext) -> proto.RequirePulumiVersionResponse:
        """Accepts any version: there is no Pulumi CLI."""
        return proto.RequirePulumiVersionResponse()
