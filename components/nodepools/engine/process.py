"""Runs a child process that ends with the run: at its time limit, on Ctrl-C, on termination signals, and if this process is killed."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import FrameType
from typing import Final

from nodepools.engine.child_output import ChildOutput

GRACE_SECONDS = 2.0
_GUARD: Final = """
import os, signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
os.read(0, 1)
os.killpg(0, signal.SIGKILL)
"""
"""Waits until its standard input ends, which is when the process that started it is gone. Then it ends its process group."""


def run_child(command: Sequence[str], environment: Mapping[str, str], directory: Path, timeout: float | None) -> int | None:
    """Runs a command and returns its exit status (negative: the signal that ended it), or `None` after the time limit.

    The command has no standard input, and its output goes to standard error, up to a limit: standard output has that of this process only.
    Processes that it started end with it.
    """
    with _termination_as_exit(), _process_group() as group, ExitStack() as closing:
        output = ChildOutput()
        child = subprocess.Popen(  # noqa: S603 - the command is fixed: this Python and a module of this library
            command, env=environment, cwd=directory, stdin=subprocess.DEVNULL, stdout=output.end, stderr=output.end, process_group=group
        )
        output.start()
        output.forward()
        closing.callback(output.close)
        with _ended(child, group) as waiter:
            waiter.join(timeout)
            return child.returncode


@contextlib.contextmanager
def serving(command: Sequence[str], environment: Mapping[str, str], directory: Path) -> Generator[tuple[ChildOutput, ChildOutput]]:
    """Runs a server during the `with` block; then ends it and all processes that it started. Yields its standard output and standard error."""
    with _termination_as_exit(), _process_group() as group, ExitStack() as closing:
        streams = ChildOutput(), ChildOutput()
        child = subprocess.Popen(  # noqa: S603 - the command is fixed: a Python and the module that runs policy packs
            command, env=environment, cwd=directory, stdin=subprocess.DEVNULL, stdout=streams[0].end, stderr=streams[1].end, process_group=group
        )
        for stream in streams:
            stream.start()
            closing.callback(stream.close)
        with _ended(child, group):
            yield streams


@contextlib.contextmanager
def _process_group() -> Generator[int]:
    """The id of a new process group. It ends with this process, also if that is killed; Ctrl-C in a terminal does not reach it.

    The leader of the group waits at a pipe that only this process holds open, so the id stays valid as long as the group is in use.
    """
    watched, held = os.pipe()
    try:
        with os.fdopen(watched, "rb", buffering=0) as end:
            guard = subprocess.Popen(  # noqa: S603 - the command is fixed
                [sys.executable, "-I", "-S", "-c", _GUARD], stdin=end, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/", process_group=0
            )
        try:
            yield guard.pid
        finally:
            _signal_group(guard.pid, signal.SIGKILL)
            guard.wait()
    finally:
        os.close(held)


@contextlib.contextmanager
def _ended(child: subprocess.Popen[bytes], group: int) -> Generator[threading.Thread]:
    """A thread that waits for the child, so that time limits need no polling and signals are handled at once. At the end, ends the group."""
    waiter = threading.Thread(target=child.wait, name="nodepools-engine-child", daemon=True)
    try:
        waiter.start()
        yield waiter
    finally:
        try:
            if child.returncode is None:
                _signal_group(group, signal.SIGTERM)
                waiter.join(GRACE_SECONDS)
        finally:
            _signal_group(group, signal.SIGKILL)  # also processes that the child left running
            waiter.join()


def _signal_group(group: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, number)


@contextlib.contextmanager
def _termination_as_exit() -> Generator[None]:
    """Turns a termination signal into an ordinary exit, which ends the child. Existing handlers are kept."""
    handled = [number for number in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(number) is signal.SIG_DFL]
    if threading.current_thread() is not threading.main_thread():
        handled = []
    for number in handled:
        signal.signal(number, _exit)
    try:
        yield
    finally:
        for number in handled:
            signal.signal(number, signal.SIG_DFL)


def _exit(number: int, _frame: FrameType | None) -> None:
    raise SystemExit(128 + number)
