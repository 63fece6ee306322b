"""Runs a program with the recorder, isolated from earlier runs."""

import asyncio
import contextvars
import gc
import inspect
import logging
import warnings
from collections.abc import Callable, Coroutine, Generator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from types import TracebackType
from typing import cast

import pulumi
from pulumi.runtime import mocks, run_in_stack, set_all_config, settings

from nodepools.engine import invokes
from nodepools.engine.errors import first_trace, is_own, keep_traces
from nodepools.engine.invokes import Fixture
from nodepools.engine.plan import Diagnostic
from nodepools.engine.property_values import JsonValue
from nodepools.engine.resource_registry import without_alias_urns
from nodepools.testing.graph import Graph
from nodepools.testing.program import Prepared, Program, at_home, prepared
from nodepools.testing.recorder import DEFAULTS, NoMocks, OutputFixture, Recorder, Scene

_LOGGER = logging.getLogger("nodepools.testing.program")


def run(
    program: Program,
    *,
    stack: str | None = None,
    project: str | None = None,
    config: Mapping[str, JsonValue] | None = None,
    secret_config: Mapping[str, JsonValue] | None = None,
    preview: bool = False,
    outputs: Mapping[str, OutputFixture] | None = None,
    calls: Mapping[str, Fixture] | None = None,
    stacks: Mapping[str, Mapping[str, JsonValue]] | None = None,
    since: Graph | None = None,
) -> Graph:
    """Returns what `program` registers in an empty stack. Works offline, and leaves no configuration, state or modules.

    In a preview, only the inputs of a resource are known; for a resource in `since`, what its provider knows in the preview of an update.
    Otherwise it has an ID (`<name>-id`) and additional outputs: `outputs` computes them by type token, from name and inputs. `calls`
    computes results of provider functions, by token. Both override the built-in ones for resources of this library.

    Args:
        program: a function that registers resources; a `Platform`, which is deployed; or the path of a Pulumi program (folder or file),
            which runs in its own folder with the project name of its `Pulumi.yaml` and the configuration of its `Pulumi.<stack>.yaml`.
        stack: name of the stack (default: `dev`, or the name of the platform).
        project: name of the project (default: that of `Pulumi.yaml`, or `nodepools`).
        config: configuration by key (`aws:region`, or `size` of the project); overrides that of the stack. Values other than text become JSON.
        secret_config: the same, for secrets.
        preview: whether to run a preview.
        outputs: additional outputs of resources.
        calls: results of provider functions.
        stacks: the outputs of other stacks, by full name (`org/project/stack`).
        since: existing resources.

    Raises:
        Exception: any exception of the program, with a traceback of its own lines; for an invalid declaration, a `DeclarationError`.
        UnknownCallError: a provider function has no result. The message names the fix.
    """
    __tracebackhide__ = True  # pytest shows the test, then the program
    found = prepared(program, stack=stack, project=project, config=config, secret_config=secret_config)
    scene = Scene(
        project=found.project,
        stack=found.stack,
        preview=preview,
        config=found.config,
        outputs={**DEFAULTS, **(outputs or {})},
        calls={**invokes.DEFAULTS, **(calls or {})},
        stack_outputs=stacks or {},
        existing={node.urn: node.request.object for node in since or ()},
    )
    recorder, messages = Recorder(scene), _Messages()
    try:
        with closing(recorder.transforms), messages, at_home(found.directory), without_alias_urns(), _leaving_nothing_that_warns():
            _outside_of_loops(lambda: _run(found, recorder))
    except BaseException as error:
        error.__traceback__ = _from_the_program(error)
        raise
    return Graph(recorder.requests, recorder.registered, reads=recorder.reads, stack=scene.stack, messages=messages.kept)


class _Messages(logging.Handler):
    """Records the log messages of the program; other handlers also get them."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.kept: list[Diagnostic] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.kept.append(Diagnostic(record.levelname.lower(), record.getMessage()))

    def __enter__(self) -> None:
        _LOGGER.setLevel(logging.INFO)
        _LOGGER.addHandler(self)

    def __exit__(self, *_: object) -> None:
        _LOGGER.removeHandler(self)


def _outside_of_loops(work: Callable[[], None]) -> None:
    """Runs `work` in another thread if this one already runs an event loop, as in async tests."""
    if not _in_a_loop():
        work()
        return
    with ThreadPoolExecutor(1) as other:
        other.submit(work).result()


def _in_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _run(program: Prepared, recorder: Recorder) -> None:
    # Pulumi keeps its state in context variables: a new context starts empty, and does not change that of the caller.
    with asyncio.Runner() as runner:
        # When a program fails, pending futures remain. Each would be reported when it is collected, perhaps during a later test.
        runner.get_loop().set_exception_handler(lambda _loop, _context: None)
        keep_traces(runner.get_loop())
        contextvars.Context().run(lambda: runner.run(_registered(program, recorder), context=contextvars.copy_context()))


async def _registered(program: Prepared, recorder: Recorder) -> None:
    scene = recorder.scene
    settings.reset_options()
    set_all_config(dict(scene.config), list(program.secret_keys))
    mocks.set_mocks(
        NoMocks(), project=scene.project, stack=scene.stack, preview=scene.preview, logger=_LOGGER, monitor=recorder, organization="organization"
    )
    settings.ROOT.set(None)  # the stack of the mocks already has registered outputs

    def main() -> Coroutine[object, object, None] | None:
        try:
            made = program.main()
        except SystemExit as end:
            if end.code is None or end.code == 0:
                return None
            raise pulumi.RunError(f"the program exited: {end.code}") from end
        return cast("Coroutine[object, object, None]", made) if inspect.iscoroutine(made) else None

    await run_in_stack(main)


@contextmanager
def _leaving_nothing_that_warns() -> Generator[None]:
    """When a program fails, the SDK leaves coroutines that are never awaited. Each would warn when it is collected, during another test."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", r"coroutine 'Output\..*' was never awaited", RuntimeWarning)
        try:
            yield
        except BaseException:
            gc.collect()
            raise


def _from_the_program(error: BaseException) -> TracebackType | None:
    """The traceback from the first line of the program; `None` if the program is not in it."""
    passed = _own_part(error.__traceback__)
    return passed if passed is not None else _own_part(first_trace(error))


def _own_part(trace: TracebackType | None) -> TracebackType | None:
    while trace is not None and not is_own(trace.tb_frame.f_code.co_filename):
        trace = trace.tb_next
    return trace
