"""Where an error comes from is kept, though asyncio forgets it when two tasks await the same."""

import asyncio
import traceback

import pytest

from nodepools.engine.tracebacks import first_trace, keep_traces


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


def test_tasks_are_given_their_context():
    async def both() -> tuple[str, str]:
        return await asyncio.gather(asyncio.sleep(0, "a"), asyncio.create_task(asyncio.sleep(0, "b")))

    with asyncio.Runner() as runner:
        keep_traces(runner.get_loop())
        assert runner.run(both()) == ["a", "b"]
