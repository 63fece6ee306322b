"""Where an error comes from is kept, though asyncio forgets it when two tasks await the same."""

import asyncio
import traceback
from contextvars import ContextVar, copy_context

import pytest

from nodepools.engine.errors import first_trace, keep_traces

pytestmark = pytest.mark.program


async def failing() -> None:
    raise ValueError("no")


def lines(error: BaseException) -> list[str]:
    return [frame.name for frame in traceback.extract_tb(first_trace(error))]


async def awaited_twice() -> ValueError:
    task = asyncio.ensure_future(failing())
    for _ in range(2):
        with pytest.raises(ValueError, match="no") as raised:
            await task
    return raised.value


def test_asyncio_forgets_where_an_error_was_raised_that_is_awaited_twice():
    error = asyncio.run(awaited_twice())
    assert "failing" not in [frame.name for frame in traceback.extract_tb(error.__traceback__)]


def test_it_is_kept_by_the_task_in_which_it_was_raised():
    with asyncio.Runner() as runner:
        keep_traces(runner.get_loop())
        assert "failing" in lines(runner.run(awaited_twice()))


def test_what_was_raised_in_no_task_has_its_own():
    with pytest.raises(ValueError, match="no") as raised:
        raise ValueError("no")
    assert lines(raised.value) == ["test_what_was_raised_in_no_task_has_its_own"]


def test_tasks_have_the_name_and_context_that_they_are_created_with():
    place: ContextVar[str] = ContextVar("place")

    async def seen() -> tuple[str | None, str]:
        task = asyncio.current_task()
        return task.get_name() if task is not None else None, place.get()

    with asyncio.Runner() as runner:
        loop = runner.get_loop()
        keep_traces(loop)
        factory, context = loop.get_task_factory(), copy_context()
        assert factory is not None
        context.run(place.set, "inside")
        task = factory(loop, seen(), name="web", context=context)  # as Python 3.14 calls it
        assert runner.run(asyncio.wait_for(task, None)) == ("web", "inside")
