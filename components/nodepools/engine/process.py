"""Runs a child process that ends with the run: at its time limit, on Ctrl-C and on termination signals."""

import contextlib
import os
import signal
import subprocess
import threading
from collections.abc import Generator, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import IO

GRACE_SECONDS = 2.0
STDERR = 2


def run_child(command: Sequence[str], environment: Mapping[str, str], directory: Path, timeout: float | None) -> int | None:
    """Runs a command and returns its exit status (negative: the signal that ended it), or `None` after the time limit.

    The command has its own process group: Ctrl-C reaches this process only, which ends the whole group. The command has no standard input,
    and its output goes to standard error, so that standard output has the output of this process only.
    """
    with _termination_as_exit():
        child = subprocess.Popen(  # noqa: S603 - the command is fixed: this Python and a module of this library
            command, env=environment, cwd=directory, stdin=subprocess.DEVNULL, stdout=STDERR, process_group=0
        )
        # A thread waits, so that the time limit needs no polling and signals are handled at once.
        waiter = threading.Thread(target=child.wait, name="nodepools-engine-child", daemon=True)
        try:
            waiter.start()
            waiter.join(timeout)
            return child.returncode
        finally:
            if child.returncode is None:
                _end_group(child.pid, waiter)


@contextlib.contextmanager
def serving(command: Sequence[str], environment: Mapping[str, str], directory: Path, errors: IO[bytes]) -> Generator[subprocess.Popen[bytes]]:
    """Runs a server during the `with` block; then ends it and all processes that it started.

    Its standard output can be read from the process, its standard error goes to `errors`.
    """
    with _termination_as_exit():
        child = subprocess.Popen(  # noqa: S603 - the command is fixed: a Python and the module that runs policy packs
            command, env=environment, cwd=directory, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, process_group=0
        )
        waiter = threading.Thread(target=child.wait, name="nodepools-engine-server", daemon=True)
        try:
            waiter.start()
            yield child
        finally:
            _end_group(child.pid, waiter)
            if child.stdout is not None:
                child.stdout.close()


def _end_group(group: int, leader: threading.Thread) -> None:
    try:
        _signal_group(group, signal.SIGTERM)
        leader.join(GRACE_SECONDS)
    finally:
        _signal_group(group, signal.SIGKILL)  # also processes that the program left running
        leader.join()


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
