"""Runs a program under the recorder, apart from everything that ran before."""

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
from nodepools.engine.aliases import without_alias_urns
from nodepools.engine.invokes import Fixture
from nodepools.engine.plan import Diagnostic
from nodepools.engine.program_errors import is_own
from nodepools.engine.property_values import JsonValue
from nodepools.engine.tracebacks import first_trace, keep_traces
from nodepools.testing import outputs as known
from nodepools.testing.graph import Graph
from nodepools.testing.outputs import OutputFixture
from nodepools.testing.program import Prepared, Program, at_home, prepared
from nodepools.testing.recorder import NoMocks, Recorder, Scene

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
    """What `program` registers in an empty stack. No cloud is asked, and nothing is left of the run: no configuration, no state, no module.

    In a preview nothing of a resource is known but its inputs; of one that is in `since`, what its provider knows in the preview of an
    update. Otherwise it has an id (`<name>-id`), and further outputs: `outputs` makes them by type token, of the name and the inputs.
    `calls` answers invokes, by token, from their arguments. Both stand over built-in answers for what the components of this library use.

    Args:
        program: a function that registers resources; a `Platform`, which is deployed; or the path of a Pulumi program, a folder or a file,
            which runs in its own folder with the project name of its `Pulumi.yaml` and the configuration of its `Pulumi.<stack>.yaml`.
        stack: its name; `dev` when left out, of a platform the platform's own.
        project: its name; that of `Pulumi.yaml`, or `nodepools`, when left out.
        config: by key, full (`aws:region`) or of the project (`size`), over that of the stack; what is no text is JSON, as in `Pulumi.yaml`.
        secret_config: the same, of secrets.
        preview: whether it is a preview.
        outputs: what resources have besides their inputs.
        calls: what clouds answer.
        stacks: the outputs of other stacks, by full name (`org/project/stack`).
        since: what is there already.

    Raises:
        Exception: whatever the program raises, with the program's own lines as its traceback; a refused declaration is a `DeclarationError`.
        UnknownCallError: an invoke has no answer. The message says how to give one.
    """
    __tracebackhide__ = True  # pytest shows the test, then the program
    found = prepared(program, stack=stack, project=project, config=config, secret_config=secret_config)
    scene = Scene(
        project=found.project,
        stack=found.stack,
        preview=preview,
        config=found.config,
        outputs={**known.DEFAULTS, **(outputs or {})},
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
    """What the program logs, kept; what else listens to logs hears it too."""

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
    """An async test has a loop that runs in its thread already; the program needs one of its own."""
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
    # All of Pulumi's state hangs on context variables: a new context forgets it, and leaves that of the caller alone.
    with asyncio.Runner() as runner:
        # When a program fails, futures remain that nobody awaits any more, and each would be reported when it is collected, perhaps tests later.
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
    settings.ROOT.set(None)  # the mocks' own stack has its outputs registered already

    def main() -> Coroutine[object, object, None] | None:
        try:
            made = program.main()
        except SystemExit as end:
            if end.code is None or end.code == 0:
                return None
            raise pulumi.RunError(f"the program ended itself: {end.code}") from end
        return cast("Coroutine[object, object, None]", made) if inspect.iscoroutine(made) else None

    await run_in_stack(main)


@contextmanager
def _leaving_nothing_that_warns() -> Generator[None]:
    """Where a program fails, the SDK leaves coroutines that nobody awaits: each would warn when it is collected, in the midst of another test."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", r"coroutine 'Output\..*' was never awaited", RuntimeWarning)
        try:
            yield
        except BaseException:
            gc.collect()
            raise


def _from_the_program(error: BaseException) -> TracebackType | None:
    """The part of its traceback from the program's own first line on; none where it never passed through the program."""
    passed = _own_part(error.__traceback__)
    return passed if passed is not None else _own_part(first_trace(error))


def _own_part(trace: TracebackType | None) -> TracebackType | None:
    while trace is not None and not is_own(trace.tb_frame.f_code.co_filename):
        trace = trace.tb_next
    return trace
