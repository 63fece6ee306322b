"""Runs a program under the recorder, apart from everything that ran before."""

import asyncio
import contextvars
import logging
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager

from pulumi.runtime import mocks, run_in_stack, set_all_config, settings

from nodepools.engine import invokes
from nodepools.engine.invokes import Fixture
from nodepools.engine.values import JsonValue
from nodepools.testing import outputs as known
from nodepools.testing.graph import Graph
from nodepools.testing.outputs import OutputFixture
from nodepools.testing.recorder import NoMocks, Recorder, Scene


def run(
    program: Callable[[], object],
    *,
    stack: str = "dev",
    project: str = "nodepools",
    config: Mapping[str, str] | None = None,
    preview: bool = False,
    outputs: Mapping[str, OutputFixture] | None = None,
    calls: Mapping[str, Fixture] | None = None,
    stacks: Mapping[str, Mapping[str, JsonValue]] | None = None,
    since: Graph | None = None,
) -> Graph:
    """What `program`, a function that registers resources, registers in an empty stack.

    In a preview nothing of a resource is known but its inputs; of one that is in `since`, what its provider knows in the preview of an
    update. Otherwise it has an id (`<name>-id`), and further outputs: `outputs` makes
    them by type token, of the name and the inputs. `calls` answers invokes, by token, from their arguments. Both stand over built-in answers
    for what the components of this library use; any other invoke fails with its token. `stacks` has the outputs of other stacks, by full name.

    Raises:
        Exception: whatever the program raises.
    """
    scene = Scene(
        project=project,
        stack=stack,
        preview=preview,
        config=config or {},
        outputs={**known.DEFAULTS, **(outputs or {})},
        calls={**invokes.DEFAULTS, **(calls or {})},
        stack_outputs=stacks or {},
        existing={node.urn: node.request.object for node in since or ()},
    )
    recorder = Recorder(scene)
    # All of Pulumi's state hangs on context variables: a new context forgets it, and leaves that of the caller alone.
    with _no_reports_of_what_is_left_over():
        contextvars.Context().run(lambda: asyncio.run(_registered(program, recorder)))
    return Graph(recorder.requests, recorder.registered)


async def _registered(program: Callable[[], object], recorder: Recorder) -> None:
    scene = recorder.scene
    settings.reset_options()
    set_all_config(dict(scene.config), [])
    mocks.set_mocks(NoMocks(), project=scene.project, stack=scene.stack, preview=scene.preview, monitor=recorder, organization="organization")
    settings.ROOT.set(None)  # the mocks' own stack has its outputs registered already

    def main() -> None:
        program()

    await run_in_stack(main)


@contextmanager
def _no_reports_of_what_is_left_over() -> Generator[None]:
    """When a program fails, futures remain that nobody awaits any more, and asyncio would report each of them."""
    logger = logging.getLogger("asyncio")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(level)
