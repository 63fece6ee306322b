"""`nodepools mcp`: a server of the Model Context Protocol over stdio, with commands that only read as tools."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Annotated, Final, NoReturn, Self, TypeAlias, cast

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared._stream_protocols import ReadStream, WriteStream
from mcp.shared.message import SessionMessage
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from nodepools.cli.commands.changes import diff, upgrade
from nodepools.cli.commands.clusters import capacity
from nodepools.cli.commands.pools import explain
from nodepools.cli.commands.stacks import check, rules
from nodepools.cli.mcp.inputs import Input, Workspace
from nodepools.cli.output.envelope import document
from nodepools.cli.problem import InputError, Problem, failure, usage_error
from nodepools.model.values import dataclass
from nodepools.reading.bounded_input import SECONDS, VARIABLE

_PROGRAMS: Final = "--allow-programs"
_LONGEST_WORD: Final = 1_000
_OF_INPUT: Final = "must be an object with `path` or `text`"


@dataclass(frozen=True, slots=True)
class Option:
    """The option that an argument becomes; empty for an argument without an option."""

    name: str = ""


Platform = Annotated[Input | None, Option("--file"), Field(description="Platform: clusters and their node pools, as YAML or JSON")]
Existing = Annotated[
    list[Input],
    Option("--existing"),
    Field(description="What exists, as `kubectl`, `az` and `aws` print it; without `platform` and `stack`, the answer is about it alone"),
]
Workloads = Annotated[list[Input], Option("--workloads"), Field(description="Manifests of what runs in the clusters")]
Karpenter = Annotated[str | None, Option("--karpenter"), Field(description="Version of self-managed Karpenter, such as 1.8")]
Today = Annotated[date | None, Option("--today"), Field(description="Date of the check (YYYY-MM-DD), if it is not today")]
Stack = Annotated[
    str | None, Option("--stack"), Field(description=f"Stack of the project at the root, such as dev. It is code: requires `{_PROGRAMS}`")
]


class Arguments(BaseModel):
    """The arguments of a tool."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Check(Arguments):
    """Of `check`."""

    manifests: Annotated[list[Input], Option(), Field(description="Kubernetes manifests")] = []
    platform: Platform = None
    crds: Annotated[Input | None, Option("--crds"), Field(description="CRDs that manifests must match: `kubectl get crd -o yaml`")] = None
    karpenter: Karpenter = None
    today: Today = None
    stack: Stack = None


class Explain(Arguments):
    """Of `explain`."""

    pods: Annotated[list[Input], Option(), Field(description="Pods or workloads: Deployment, Job, …", min_length=1)]
    platform: Platform = None
    existing: Existing = []
    pool: Annotated[str | None, Option("--pool"), Field(description="Only this pool: CLUSTER/POOL")] = None
    karpenter: Karpenter = None
    today: Today = None
    stack: Stack = None


class Diff(Arguments):
    """Of `diff`."""

    old: Annotated[Input | None, Option(), Field(description="Before: a platform, manifests, a plan, a state (`pulumi stack export`) or exports")] = (
        None
    )
    new: Annotated[Input | None, Option(), Field(description="After, in one of the same forms")] = None
    commit: Annotated[str | None, Field(description=f"Instead of `old`: a branch or commit. Requires `{_PROGRAMS}`")] = None
    workloads: Workloads = []
    existing: Existing = []
    deployed: Annotated[Input | None, Option("--deployed"), Field(description="State that `pulumi stack export` prints")] = None
    karpenter: Karpenter = None
    today: Today = None
    stack: Stack = None


class Capacity(Arguments):
    """Of `capacity`."""

    platform: Platform = None
    existing: Existing = []
    stack: Stack = None


class Upgrade(Arguments):
    """Of `upgrade`."""

    platform: Platform = None
    to: Annotated[str | None, Option("--to"), Field(description="Kubernetes version, such as 1.36; without it, the ends of support")] = None
    workloads: Workloads = []
    existing: Existing = []
    today: Today = None
    stack: Stack = None


class Rules(Arguments):
    """Of `rules`."""

    rule: Annotated[str | None, Option(), Field(description="Code or name, such as AKS014; without it, all rules (about 200 KB)")] = None


@dataclass(frozen=True, slots=True)
class Tool:
    """A command as a tool."""

    command: Callable[..., None]
    title: str
    arguments: type[Arguments]
    sources: Sequence[str] = ()
    """Arguments of which at least one is required where no program can run: a command without them reads a stack."""

    @property
    def name(self) -> str:
        """The name of the command."""
        return self.command.__name__

    @property
    def input_schema(self) -> dict[str, object]:
        """The JSON schema of the arguments."""
        return {key: part for key, part in self.arguments.model_json_schema().items() if key != "description"}

    @property
    def description(self) -> str:
        """The help of the command."""
        lines = (self.command.__doc__ if self.command.__doc__ is not None else "").strip().splitlines()
        return "\n".join(line.strip() for line in lines)

    def words(self, given: Mapping[str, object], space: Workspace) -> list[str]:
        """The command line for the arguments, with all inputs in `space`.

        Raises:
            InputError: an argument is not valid, or an input cannot be read.
        """
        arguments = _validated(self.arguments, given)
        if not space.runs_programs:
            self._check_data_only(arguments)
        options, positional = [self.name, "--format=json"], list(_commit(arguments))
        for name, field in type(arguments).model_fields.items():
            for option in (one for one in field.metadata if isinstance(one, Option)):
                values = list(_values(name, getattr(arguments, name), space))
                if option.name:
                    options += [f"{option.name}={value}" for value in values]
                else:
                    positional += values
        return [*options, "--", *positional] if positional else options

    def _check_data_only(self, arguments: Arguments) -> None:
        start = f"start it with `{_PROGRAMS}` to allow that"
        for name in ("stack", "commit"):
            if getattr(arguments, name, None) is not None:
                raise InputError(Problem(name, f"runs programs of the project, and this server runs none: {start}"))
        if self.sources and not any(getattr(arguments, name) for name in self.sources):
            named = " or ".join(f"`{name}`" for name in self.sources)
            usage_error(f"{named} is required: without it, `{self.name}` runs programs of the project, and this server runs none; {start}")


def _commit(arguments: Arguments) -> Iterator[str]:
    """The old side of `diff`."""
    if isinstance(arguments, Diff):
        if (arguments.old is None) is (arguments.commit is None):
            usage_error("`diff` requires either `old` or `commit`")
        if arguments.commit is not None:
            yield f"git:{_word('commit', arguments.commit)}"


def _values(name: str, value: object, space: Workspace) -> Iterator[str]:
    several = cast("list[object]", value) if isinstance(value, list) else [value]
    for number, one in enumerate(several, 1):
        if isinstance(one, Input):
            yield space.add(one, f"{name}.yaml" if number == 1 else f"{name}-{number}.yaml")
        elif one is not None:
            yield _word(name, str(one))


def _word(name: str, text: str) -> str:
    """A value as one word of a command line."""
    if "\0" in text or len(text) > _LONGEST_WORD:
        raise InputError(Problem(name, f"must have at most {_LONGEST_WORD:,} characters, and none that is null"))
    return text


def _validated(kind: type[Arguments], given: Mapping[str, object]) -> Arguments:
    try:
        return kind.model_validate(given)
    except ValidationError as error:  # its text contains the values, which can be secret
        raise InputError(*(Problem(".".join(map(str, found["loc"])), _told(found)) for found in error.errors(include_input=False))) from None


def _told(found: ErrorDetails) -> str:
    """What pydantic found, without names of classes, which callers cannot know."""
    return _OF_INPUT if found["type"] == "model_type" else found["msg"]


TOOLS: Final = (
    Tool(check, "Check node pools", Check, ("manifests", "platform")),
    Tool(explain, "Explain where pods land", Explain, ("platform", "existing")),
    Tool(diff, "Show what an edit does to nodes", Diff, ("new",)),
    Tool(capacity, "Count what clusters need", Capacity, ("platform", "existing")),
    Tool(upgrade, "Plan Kubernetes upgrades", Upgrade, ("platform", "existing")),
    Tool(rules, "Explain rules", Rules),
)


_INSTRUCTIONS: Final = (
    "Checks AKS and EKS node pools offline. Inputs are files below the root of the server, or text. Each answer is the JSON document of the command: "
    "if `complete` is false, `problems` says what was not read, and no findings does not mean no errors."
)
_TEXTS: Final = {"type": "array", "items": {"type": "object"}}
_ANSWER: Final[dict[str, object]] = {
    "type": "object",
    "properties": {
        "schema": {"const": "nodepools/2"},
        "command": {"type": "string"},
        "complete": {"type": "boolean", "description": "Whether everything was read"},
        "problems": {**_TEXTS, "description": "What could not be read or checked, and where"},
        "notices": {**_TEXTS, "description": "What was excluded on purpose"},
        "findings": {**_TEXTS, "description": "Findings of rules, with code, severity, path, value, message and fix"},
    },
    "required": ["schema", "command", "complete", "problems", "notices", "findings"],
}


Calls: TypeAlias = dict[anyio.CancelScope, anyio.Event]
"""The calls that run: what ends each of them, and what tells that it ended."""

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


_SIGNAL_BASE: Final = 128
_SECONDS_TO_END: Final = 5


def serve(root: Path, *, runs_programs: bool) -> None:
    """Serves until the client closes stdin, or a signal ends the process.

    Raises:
        InputError: the root is not a folder.
    """
    folder = root.resolve()
    if not folder.is_dir():
        usage_error(f"--root: `{root}` is not a folder")
    calls: Calls = {}
    try:
        anyio.run(_serve, server(folder, runs_programs=runs_programs, calls=calls), calls)
    except* ConnectionError:
        pass  # the client ended before it read all answers


def server(root: Path, *, runs_programs: bool, calls: Calls) -> "Server[object]":
    """The server for one root. `calls` has those that run."""
    known = {tool.name: tool for tool in TOOLS}
    at_once = anyio.CapacityLimiter(max(1, os.cpu_count() or 1))

    async def list_tools(_: ServerRequestContext[object], __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_described(tool, runs_programs=runs_programs) for tool in TOOLS])

    async def call_tool(_: ServerRequestContext[object], params: types.CallToolRequestParams) -> types.CallToolResult:
        tool = known.get(params.name)
        if tool is None:
            return _error(f"`{params.name}` is not a tool of nodepools: use one of {', '.join(f'`{name}`' for name in known)}")
        with anyio.CancelScope() as scope:
            done = calls[scope] = anyio.Event()
            try:
                async with at_once:
                    return _result(await call(tool, params.arguments or {}, root, runs_programs=runs_programs))
            finally:
                del calls[scope]
                done.set()
        return _error("the server ends")

    return Server("nodepools", version=version("nodepools"), instructions=_INSTRUCTIONS, on_list_tools=list_tools, on_call_tool=call_tool)


async def _serve(of: "Server[object]", calls: Calls) -> None:
    async with anyio.create_task_group() as group:
        group.start_soon(_end_on_signal, calls)
        async with stdio_server() as (received, sent):
            await of.run(_Messages(received, sent), sent, of.create_initialization_options())
        group.cancel_scope.cancel()


class _Messages:
    """The messages of the client. What is not a message gets its error here: the SDK drops it, and the client would wait."""

    def __init__(self, received: "ReadStream[SessionMessage | Exception]", sent: "WriteStream[SessionMessage]") -> None:
        self._received, self._sent = received, sent

    async def receive(self) -> SessionMessage:
        """Waits for the next message.

        Raises:
            anyio.EndOfStream: the client has ended.
        """
        while isinstance(item := await self._received.receive(), Exception):
            await self._sent.send(SessionMessage(_rejected(item)))
        return item

    async def aclose(self) -> None:
        """Ends reading."""
        await self._received.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, exc_type: type[BaseException] | None, exc_val: BaseException | None, exc_tb: TracebackType | None) -> None:
        await self.aclose()


def _rejected(error: Exception) -> types.JSONRPCError:
    is_json = isinstance(error, ValidationError) and error.errors()[0]["type"] != "json_invalid"
    code, message = (types.INVALID_REQUEST, "the line is not a message of JSON-RPC") if is_json else (types.PARSE_ERROR, "the line is not JSON")
    return types.JSONRPCError(jsonrpc="2.0", id=None, error=types.ErrorData(code=code, message=message))


async def _end_on_signal(calls: Calls) -> None:
    """Ends the calls and the process: a thread that waits for input cannot be interrupted, so an exception would end nothing."""
    with suppress(NotImplementedError), anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:  # Windows has no receiver
        async for number in signals:
            await _end(number, calls)


async def _end(number: signal.Signals, calls: Calls) -> NoReturn:
    ends = list(calls.values())
    for scope in calls:
        scope.cancel()
    with anyio.move_on_after(_SECONDS_TO_END):
        for end in ends:
            await end.wait()
    os._exit(_SIGNAL_BASE + number)


def _described(tool: Tool, *, runs_programs: bool) -> types.Tool:
    hints = types.ToolAnnotations(
        title=tool.title,
        read_only_hint=not runs_programs,  # a program of the project can do anything
        destructive_hint=runs_programs,
        idempotent_hint=not runs_programs,
        open_world_hint=runs_programs,
    )
    return types.Tool(
        name=tool.name, title=tool.title, description=tool.description, input_schema=tool.input_schema, output_schema=_ANSWER, annotations=hints
    )


def _result(answer: Answer) -> types.CallToolResult:
    text = json.dumps(answer.document, ensure_ascii=False, separators=(",", ":"))  # agents count characters
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text)], structured_content=answer.document, is_error=not answer.is_complete
    )


def _error(message: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=message)], is_error=True)
