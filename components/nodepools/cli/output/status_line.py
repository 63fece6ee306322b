"""One line on a terminal that says what a command is doing. It appears after two seconds, and is erased at the end."""

import os
import select
import sys
import threading
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import Final, TypeAlias

Say: TypeAlias = Callable[[str], None]
"""Takes the step that begins, such as `reading stacks/dev.py`."""
DELAY: Final = 2.0
_STDERR: Final = 2
_PAUSE: Final = 0.1
_ERASE: Final = b"\r\x1b[K"
_CHUNK: Final = 65_536
_WIDTH: Final = 80


def silent(_: str) -> None:
    """Says nothing."""


def is_wanted(*, asked: bool | None, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether to show steps: as `asked`, otherwise only to someone at a terminal, never in CI."""
    if asked is not None:
        return asked
    return os.isatty(_STDERR) and not environment.get("CI") and environment.get("TERM") != "dumb"


@contextmanager
def shown(*, wanted: bool, delay: float = DELAY) -> Generator[Say]:
    """Shows the steps of the `with` block on standard error.

    Other processes write there, too. In the block, all of them write into a pipe, so that the line is erased before their output.
    """
    if not wanted:
        yield silent
        return
    terminal = os.dup(_STDERR)
    reading, writing = os.pipe()
    sys.stderr.flush()
    os.dup2(writing, _STDERR)
    os.close(writing)
    line = _Line(terminal, reading, delay)
    try:
        line.start()
        yield line.say
    finally:
        sys.stderr.flush()
        os.dup2(terminal, _STDERR)
        line.end()
        os.close(reading)
        os.close(terminal)


class _Line(threading.Thread):
    def __init__(self, terminal: int, reading: int, delay: float) -> None:
        super().__init__(name="nodepools-status", daemon=True)
        self._terminal, self._reading = terminal, reading
        self._began = time.monotonic()
        self._delay = delay
        self._step = ""
        self._drawn = b""
        self._is_at_start = True
        self._ended = threading.Event()

    def say(self, step: str) -> None:
        """A step begins."""
        self._step = step

    def end(self) -> None:
        """Passes on what was written, and erases the line."""
        self._ended.set()
        self.join()

    def run(self) -> None:
        """Draws the line, and passes on what others write."""
        while not self._ended.is_set():
            if not self._passed_on(_PAUSE):
                self._draw()
        while self._passed_on(0):  # processes that the program left running can hold the pipe open
            pass
        self._erase()

    def _passed_on(self, seconds: float) -> bool:
        if not select.select([self._reading], [], [], seconds)[0]:
            return False
        text = os.read(self._reading, _CHUNK)
        if not text:  # everyone has closed it
            self._ended.wait(seconds)
            return False
        self._erase()
        self._write(text)
        self._is_at_start = text.endswith(b"\n")
        return True

    def _draw(self) -> None:
        taken = time.monotonic() - self._began
        if taken < self._delay or not self._step or not self._is_at_start:
            return
        text = f"{self._step} … {taken:.0f} s"[: self._width() - 1].encode("utf-8", "backslashreplace")
        if text != self._drawn:
            self._write(_ERASE + text)
            self._drawn = text

    def _erase(self) -> None:
        if self._drawn:
            self._write(_ERASE)
            self._drawn = b""

    def _width(self) -> int:
        try:
            columns = os.get_terminal_size(self._terminal).columns
        except OSError:  # not a terminal: `--progress` was given
            columns = 0
        return columns if columns > 1 else _WIDTH

    def _write(self, text: bytes) -> None:
        left = memoryview(text)
        while left:
            try:
                left = left[os.write(self._terminal, left) :]
            except OSError:  # the terminal is gone
                return
