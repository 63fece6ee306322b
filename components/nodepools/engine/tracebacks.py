"""Keeps tracebacks of the program. If two tasks await the same exception, asyncio gives the second one no traceback."""

import asyncio
from collections.abc import Coroutine, Generator
from types import TracebackType
from typing import Any, TypeVar

T = TypeVar("T")
_KEPT = "_nodepools_traceback"


def keep_traces(loop: asyncio.AbstractEventLoop) -> None:
    """Makes every later task of `loop` keep the traceback of the error that ends it."""
    loop.set_task_factory(_task)


def first_trace(error: BaseException) -> TracebackType | None:
    """The traceback of the task that raised the error; outside of tasks, the traceback of the error itself."""
    kept: object = vars(error).get(_KEPT)
    return kept if isinstance(kept, TracebackType) else error.__traceback__


def _task(
    loop: asyncio.AbstractEventLoop,
    work: Coroutine[Any, Any, T] | Generator[Any, None, T],
    **options: Any,  # noqa: ANN401  # those of a task: Python 3.11 passes its context, 3.14 its name, too
) -> asyncio.Task[T]:
    return asyncio.Task(_keeping(work) if isinstance(work, Coroutine) else work, loop=loop, **options)


async def _keeping(work: Coroutine[Any, Any, T]) -> T:
    try:
        return await work
    except BaseException as error:
        vars(error).setdefault(_KEPT, error.__traceback__)
        raise
