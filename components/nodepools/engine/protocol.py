"""What the program's process gets and says, and typed access to the parts of the SDK's protobuf stubs that lose their types.

The stubs import other modules by bare names (`import alias_pb2`), which no type checker resolves.
"""
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# The return types declare everything that is unknown here.

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeVar

import grpc
from google.protobuf.empty_pb2 import Empty
from google.protobuf.message import Message
from google.protobuf.struct_pb2 import Struct
from pulumi.runtime.proto import analyzer_pb2 as analyzer
from pulumi.runtime.proto.alias_pb2 import Alias
from pulumi.runtime.proto.analyzer_pb2_grpc import AnalyzerStub
from pulumi.runtime.proto.callback_pb2 import Callback, CallbackInvokeRequest
from pulumi.runtime.proto.callback_pb2_grpc import CallbacksStub
from pulumi.runtime.proto.engine_pb2 import LogRequest
from pulumi.runtime.proto.engine_pb2_grpc import EngineStub
from pulumi.runtime.proto.resource_pb2 import ReadResourceRequest, RegisterResourceRequest, ResourceInvokeResponse, TransformResourceOptions

from nodepools.engine.time_limit import NO_LIMIT, TimeLimit
from nodepools.model.values import dataclass

Answer = TypeVar("Answer")
FAILED = 32
"""Exit status of a failure that the last logged message explains. Pulumi's language host uses the same number."""

COMPLETE = "nodepools: the program is complete"
"""The debug message of a program that reached its end. A process can also end with exit status 0 before, by `os._exit(0)`."""


class Arguments(NamedTuple):
    """What the program's process gets."""

    address: str
    project: str
    stack: str
    organization: str
    parallel: str
    mode: str
    program: str


def aliases_of(request: RegisterResourceRequest) -> Sequence[Alias]:
    """The aliases of a registration, as specifications."""
    return request.aliases


def transforms_of(request: RegisterResourceRequest) -> Sequence[Callback]:
    """The transforms of a registration itself, without those of its parents."""
    return request.transforms


def add_alias(options: TransformResourceOptions, urn: str) -> None:
    """Adds an alias that is a whole URN."""
    options.aliases.add(urn=urn)


def stack_of(request: RegisterResourceRequest | ReadResourceRequest) -> Iterator[tuple[str, int]]:
    """The call stack of a registration: file URIs and lines, the innermost first."""
    for frame in request.stackTrace.frames:
        yield frame.pc.uri, frame.pc.line


def call_back(channel: grpc.Channel, callback: Callback, request: bytes) -> bytes:
    """Runs a function of the program and returns its answer."""
    return CallbacksStub(channel).Invoke(CallbackInvokeRequest(token=callback.token, request=request)).response


def invoke_answer(answer: Struct) -> ResourceInvokeResponse:
    """The answer to an invoke; its field has the name of a keyword."""
    return ResourceInvokeResponse(**{"return": answer})  # pyright: ignore[reportArgumentType] - the stub does not have this parameter


def log_of(engine: EngineStub) -> Callable[[LogRequest], object]:
    """The call that logs a message."""
    return engine.Log


def replace_log(engine: EngineStub, log: Callable[[LogRequest], object]) -> None:
    """Makes the stub log through `log`."""
    engine.Log = log  # pyright: ignore[reportAttributeAccessIssue] - the SDK only calls it, with one argument


def status_details(error: grpc.RpcError) -> str:
    """The error message of a failed call."""
    return error.details() or "" if isinstance(error, grpc.Call) else str(error)


@dataclass(frozen=True, slots=True)
class AnalyzerCalls:
    """The calls of the Analyzer protocol that the engine makes."""

    information: Callable[[Empty], analyzer.AnalyzerInfo]
    configure: Callable[[analyzer.ConfigureAnalyzerRequest], object]
    remediate: Callable[[analyzer.AnalyzeRequest], analyzer.RemediateResponse]
    analyze: Callable[[analyzer.AnalyzeRequest], analyzer.AnalyzeResponse]
    analyze_stack: Callable[[analyzer.AnalyzeStackRequest], analyzer.AnalyzeResponse]


def analyzer_calls(channel: grpc.Channel, limit: TimeLimit = NO_LIMIT) -> AnalyzerCalls:
    """The calls to the policy pack behind `channel`. They fail after `limit`."""
    stub = AnalyzerStub(channel)
    return AnalyzerCalls(
        _limited(stub.GetAnalyzerInfo, limit),
        _limited(stub.Configure, limit),
        _limited(stub.Remediate, limit),
        _limited(stub.Analyze, limit),
        _limited(stub.AnalyzeStack, limit),
    )


def _limited(call: Callable[..., Answer], limit: TimeLimit) -> Callable[[Message], Answer]:
    return lambda request: call(request, timeout=limit.left)


def is_timed_out(error: grpc.RpcError) -> bool:
    """Whether a call failed because of its time limit."""
    return isinstance(error, grpc.Call) and error.code() is grpc.StatusCode.DEADLINE_EXCEEDED
