"""How a failure of the program is told: its own lines, and one message."""

import os
import sysconfig
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

from nodepools.engine.tracebacks import first_trace

_OURS = Path(__file__).parents[1]
_STANDARD = sysconfig.get_path("stdlib")


def describe(error: BaseException) -> str:
    """The message of an error, under the lines of the program that led to it.

    The SDK wraps errors on their way, so the first that passed through the program's own lines is taken, or else the outermost.
    `NODEPOOLS_TRACEBACK=full` shows everything, for work on components.
    """
    if os.environ.get("NODEPOOLS_TRACEBACK") == "full":
        return "".join(traceback.format_exception(error)).rstrip()
    told = next((link for link in _chain(error) if _own_lines(link)), error)
    lines = _own_lines(told)
    head = ["Traceback of the program (most recent call last):\n", *traceback.format_list(lines)] if lines else []
    # The SDK raises what the engine refused as a bare Exception: its name would say nothing.
    message = [str(told)] if type(told) is Exception else traceback.format_exception_only(told)
    return "".join([*head, *message]).rstrip()


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _own_lines(error: BaseException) -> list[traceback.FrameSummary]:
    """Where it has lost them on its way, those of the task in which it was raised."""
    lines = _lines(error.__traceback__)
    return lines if lines else _lines(first_trace(error))


def _lines(trace: TracebackType | None) -> list[traceback.FrameSummary]:
    return [frame for frame in traceback.extract_tb(trace) if is_own(frame.filename)]


def is_own(filename: str) -> bool:
    """Whether a file is the program's: neither installed, nor of Python, nor ours."""
    path = Path(filename)
    installed = "site-packages" in path.parts or "dist-packages" in path.parts or path.is_relative_to(_STANDARD)
    return not (installed or filename.startswith("<") or path.is_relative_to(_OURS))
