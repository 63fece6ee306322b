"""Failures of a run: lines of the program, and one message."""

import asyncio
import os
import traceback
from collections.abc import Coroutine, Generator, Iterator, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from nodepools.component.handed_over import Refused, is_own
from nodepools.rules.engine.finding import DeclarationError

if TYPE_CHECKING:
    from nodepools.engine.plan import Diagnostic, Plan


class EngineError(Exception):
    """The engine failed. The message is for the user."""


class ProgramFailed(EngineError):  # noqa: N818 - the name says what happened
    """The program did not complete. `diagnostics` has the messages that it logged before, and `plan` what it registered until then."""

    def __init__(self, message: str, diagnostics: "Sequence[Diagnostic]" = (), plan: "Plan | None" = None) -> None:
        super().__init__(message)
        self.message = message
        self.diagnostics = tuple(diagnostics)
        self.plan = plan


class ProgramTimedOut(ProgramFailed):
    """The program was stopped because it exceeded the time limit."""


class PackError(EngineError):
    """A policy pack cannot be used. The message is one line, or one line for each error of its configuration."""


def describe(error: BaseException) -> str:
    """The message of an error, after the lines of the program that caused it.

    The SDK wraps errors, so the first error that passed through lines of the program is reported, otherwise the outermost.
    `NODEPOOLS_TRACEBACK=full` shows the full traceback, for development of components.
    """
    if os.environ.get("NODEPOOLS_TRACEBACK") == "full":
        return "".join(traceback.format_exception(error)).rstrip()
    reported = next((link for link in _chain(error) if _own_lines(link)), error)
    lines = _own_lines(reported)
    head = ["Traceback of the program (most recent call last):\n", *traceback.format_list(lines)] if lines else []
    # The SDK raises a rejected registration as a bare Exception, whose name has no meaning.
    message = [str(reported)] if type(reported) is Exception else traceback.format_exception_only(reported)
    return "".join([*head, *message]).rstrip()


def refused(error: BaseException) -> Refused | None:
    """The findings that ended the program, if it is they that did."""
    for link in _chain(error):
        if isinstance(link, DeclarationError):
            lines = _own_lines(link)
            return Refused(link.findings, lines[-1].filename if lines else "", (lines[-1].lineno or 0) if lines else 0)
    return None


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _own_lines(error: BaseException) -> list[traceback.FrameSummary]:
    """Lines of the program in the traceback; if it has none, those of the task that raised the error."""
    lines = _lines(error.__traceback__)
    return lines if lines else _lines(first_trace(error))


def _lines(trace: TracebackType | None) -> list[traceback.FrameSummary]:
    return [frame for frame in traceback.extract_tb(trace) if is_own(frame.filename)]


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
